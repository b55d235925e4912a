import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { recordTo, replayFrom } from "langchain-api-sources/testing";
import { useDirectory } from "../support/temporary-directory.js";
import {
  clientSecret,
  createTokenRecord,
  openShop,
  startTokenServer,
  type TokenServer,
} from "../support/token-server.js";

const directory = useDirectory();
let server: TokenServer;
beforeEach(async () => {
  server = await startTokenServer();
});

const readFile = (): string => readFileSync(directory("shop.json"), "utf8");

function expectNoCanary(): void {
  const text = readFile();
  expect([...server.canaries].filter((canary) => text.includes(canary))).toEqual([]);
}

describe("a recorded token call", () => {
  it("replays a first token, a 401, and a refresh, without any real token", async () => {
    const oauth2 = { grant: "refresh_token" };
    const shop = openShop(server, oauth2, { transport: recordTo(directory()) });
    const recorded = [await shop.ask()];
    server.revokeAccess();
    recorded.push(await shop.ask());
    expectNoCanary();
    const sent = server.requests.length;

    const replayed = replayFrom(directory());
    const secrets = { SHOP_CLIENT_SECRET: "any-secret-will-do", SHOP_REFRESH_TOKEN: "any-refresh-token" };
    const again = openShop(server, oauth2, { transport: replayed, secrets });
    expect([await again.ask(), await again.ask()]).toEqual(recorded);
    expect(server.requests).toHaveLength(sent);
    replayed.assertAllUsed();
  });

  it("replays a login call", async () => {
    const { api } = Object(createTokenRecord(server));
    const { oauth2: _, ...rest } = api;
    const login = { path: "/login", body: { password: "${SHOP_PASSWORD}" }, tokenAt: "data.token" };
    const record = { name: "Shop", api: { ...rest, baseUrl: server.url, login } };
    const request = { method: "GET", path: "/api/me" };
    const open = (password: string, transport: ReturnType<typeof recordTo> | ReturnType<typeof replayFrom>) =>
      createSourceClient(record, { secrets: { SHOP_PASSWORD: password }, transport });
    const recorded = await open(clientSecret, recordTo(directory())).call(request);
    expectNoCanary();
    const replayed = replayFrom(directory());
    const { content } = await open("another-password", replayed).call(request);
    expect(content).toBe(recorded.content);
    expect(content).toContain('"user":"login"');
    replayed.assertAllUsed();
  });
});
