import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { recordTo, replayFrom } from "langchain-api-sources/testing";
import { type Respond, sendJson, startHttpServer } from "../../support/http-server.js";
import { useDirectory } from "../../support/temporary-directory.js";
import { openShop, startTokenServer, type TokenServer } from "../../support/token-server.js";

const directory = useDirectory();
afterEach(() => void jest.restoreAllMocks());
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
    const secrets = {
      SHOP_CLIENT_SECRET: "any-secret-will-do",
      SHOP_REFRESH_TOKEN: "any-refresh-token",
    };
    const again = openShop(server, oauth2, { transport: replayed, secrets });
    expect([await again.ask(), await again.ask()]).toEqual(recorded);
    expect(server.requests).toHaveLength(sent);
    replayed.assertAllUsed();
  });
});

it("a request with an id of a login answer is replayed, and without the other tokens of it", async () => {
  const [team, renewal] = ["T9TK3CUKW", "renewal-5c4b3a291807"];
  const api = await startHttpServer(({ url }, response) =>
    sendJson(
      response,
      url === "/login" ? { token, refresh_token: renewal, team: { id: team } } : { team, renewal },
    ),
  );
  const login = { path: "/login", tokenAt: "token" };
  const record = { name: "Shop", api: { baseUrl: api.url, authType: "bearer" as const, login } };
  const ask = async (transport: ReturnType<typeof recordTo> | ReturnType<typeof replayFrom>) =>
    JSON.parse(
      (
        await createSourceClient(record, { transport }).call({
          method: "GET",
          path: `/teams/${team}`,
        })
      ).content,
    );
  expect((await ask(recordTo(directory()))).data).toMatchObject({ team });
  expect(readFile()).not.toContain(renewal);
  expect((await ask(replayFrom(directory()))).data).toEqual({ team, renewal: "[REDACTED]" });
});

const token = "t0ken-9f8e7d6c5b4a";
const other = "0ther-1a2b3c4d5e6f";
type Response = Parameters<Respond>[1];
const json =
  (body: unknown, headers: Record<string, string> = {}, status?: number) =>
  (to: Response) =>
    sendJson(to, body, status, headers);
const bytes = (type: string, body: string) => (to: Response) =>
  to.writeHead(200, { "content-type": type }).end(Buffer.from(body, "latin1"));

describe("the answer of a token call", () => {
  it.each([
    [
      "headers repeat the token",
      json({ token }, { "x-token": token, etag: `"${token}"`, server: token }),
    ],
    [
      "content type repeats the token",
      bytes(`application/json; a=${token}`, JSON.stringify({ token })),
    ],
    [
      "body is in Latin-1",
      bytes("application/json", JSON.stringify({ token, owner: "José", other })),
    ],
    ["body is in Latin-1 and not JSON", bytes("text/plain", `José ${token}`)],
    ["body breaks off", bytes("application/json", `{"token":"${token}","other":"${other}`)],
    [
      "public members repeat the token",
      json({ token, scope: `read ${token}`, base_uri: `/${token}` }),
    ],
    [
      "public members repeat another value",
      json({ token, value: other, error_description: `no ${other}` }),
    ],
    ["members are called like secrets", json({ token, [other]: 1, sessions: { [other]: {} } })],
    ["cookies repeat the token", json({ token }, { "set-cookie": `a=${other}; Path=/${token}` })],
    [
      "redirect contains session ids",
      json(
        { token },
        { location: `https://u:${other}@shop.example/a;jsessionid=${token}/b?c=${other}#${token}` },
      ),
    ],
    ["refusal repeats a cookie", json({ message: other }, { "set-cookie": `a=${other}` }, 401)],
  ])("is recorded without a secret where its %s", async (_what, answer) => {
    const api = await startHttpServer((request, response) => {
      if (request.url === "/login") answer(response);
      else sendJson(response, { token, other });
    });
    const login = { path: "/login", tokenAt: "token" };
    const record = { name: "Shop", api: { baseUrl: api.url, authType: "bearer" as const, login } };
    await createSourceClient(record, { transport: recordTo(directory()) }).call({
      method: "GET",
      path: "/",
    });
    const text = readFile();
    expect(text.match(/"isTokenCall"/g)).toHaveLength(1);
    const decoded = [...text.matchAll(/"base64": "([^"]*)"/g)].map(([, found = ""]) =>
      Buffer.from(found, "base64").toString("latin1"),
    );
    const [entry] = JSON.parse(text).entries;
    expect(JSON.stringify(entry) + decoded.join()).not.toMatch(new RegExp(`${token}|${other}`));
    expect(text).not.toContain(token);
    expect(Object.keys(entry.response.headers).join()).toMatch(
      /^(?:content-type|location|set-cookie|,)*$/,
    );
  });

  it("is replayed where its body is in Latin-1, and its session ends when the recorded one did", async () => {
    // A date in a header has whole seconds.
    jest.spyOn(Date, "now").mockReturnValue(1_800_000_000_000);
    const api = await startHttpServer((request, response) => {
      if (request.url === "/me") sendJson(response, { ok: true });
      else {
        const cookies = [
          "old=x; Max-Age=0",
          `sid=${other}; Expires=${new Date(Date.now() + 6e5).toUTCString()}`,
        ];
        response.writeHead(200, {
          "content-type": "application/json; charset=latin1",
          "set-cookie": cookies,
        });
        response.end(Buffer.from(JSON.stringify({ token, owner: "José" }), "latin1"));
      }
    });
    const record = {
      name: "Shop",
      api: { baseUrl: api.url, login: { path: "/login", cookie: "sid" } },
    };
    const ask = (transport: ReturnType<typeof recordTo> | ReturnType<typeof replayFrom>) =>
      createSourceClient(record, { transport }).call({ method: "GET", path: "/me" });
    const recorded = await ask(recordTo(directory()));
    expect((await ask(replayFrom(directory()))).content).toBe(recorded.content);
    const text = readFile();
    expect(JSON.parse(text).entries[0].response.headers["set-cookie"]).toEqual([
      "old=; Max-Age=0",
      "sid=recorded; Max-Age=600",
    ]);
  });
});
