import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, it } from "@jest/globals";
import { ApiSourceToolkit, createSourceClient, fileTokenStore } from "langchain-api-sources";
import { compilePrograms } from "../../support/compiled-programs.js";
import { useDirectory } from "../../support/temporary-directory.js";
import { runTokenProcesses, startTokenProcess } from "../../support/token-processes.js";
import {
  clientSecret,
  createTokenRecord,
  startTokenServer,
  type TokenServer,
} from "../../support/token-server.js";

let server: TokenServer;
let entry: string;
const home = useDirectory();
let directory: string;
beforeAll(async () => {
  entry = join((await compilePrograms({ folder: "token-processes" })).directory, "src/index.js");
}, 60_000);
beforeEach(async () => {
  server = await startTokenServer();
  directory = home("tokens");
});

it("six processes with one file store refresh once at the same instant, and all get the token", async () => {
  server.options.delayMs = 50;
  const record = createTokenRecord(server, { grant: "refresh_token" });
  const secrets = {
    SHOP_CLIENT_SECRET: clientSecret,
    SHOP_REFRESH_TOKEN: server.makeRefreshToken("ada"),
  };
  const client = createSourceClient(record, { secrets, tokenStore: fileTokenStore(directory) });
  await client.call({ method: "GET", path: "/me" });
  server.revokeAccess();
  for (const name of (await readdir(directory)).filter((each) => each.startsWith("shop"))) {
    const path = join(directory, name);
    await writeFile(
      path,
      JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), expiresAtMs: 1 }),
    );
  }
  const answers = await runTokenProcesses(6, { entry, record, secrets, directory, calls: 5 });
  expect(answers.map(({ data }) => data?.user)).toEqual(Array.from({ length: 30 }, () => "ada"));
  expect([server.tokenRequests.length, server.refused]).toEqual([2, 0]);
}, 60_000);

it.each(["bob", undefined])(
  "a renewal of another process takes the place of nothing that a person did meanwhile (%s)",
  async (user) => {
    const authorizationUrl = `${server.url}/authorize`;
    const record = createTokenRecord(server, { grant: "authorization_code", authorizationUrl });
    const secrets = { SHOP_CLIENT_SECRET: clientSecret };
    const open = () =>
      ApiSourceToolkit.fromSources([record], { secrets, tokenStore: fileTokenStore(directory) });
    const toolkit = await open();
    const agree = async (who: string) =>
      toolkit.completeAuthorization(
        server.agree((await toolkit.startAuthorization("shop")).url, who),
      );
    await agree("ada");
    server.revokeAccess();
    const child = await startTokenProcess({ entry, record, secrets, directory });
    const held = server.holdOne();
    const renewed = child.ask("go");
    await held.arrived();
    if (user === undefined) await toolkit.forgetAuthorization("shop");
    else await agree(user);
    held.goOn();
    expect((await renewed)[0]?.status).toBe(200);
    await child.end();
    const { tools } = await open();
    const answer = JSON.parse(await tools[0]?.invoke({ method: "GET", path: "/me" }));
    expect(answer.data?.user ?? answer.error.code).toBe(user ?? "auth_required");
  },
  60_000,
);

it("holds the old or the new grant after a kill between the answer and the keeping, and reports a dead one", async () => {
  const record = createTokenRecord(server, { grant: "refresh_token" });
  const found = { new: 0, old: 0 };
  const rounds = 40;
  for (let round = 0; round < rounds; round += 1) {
    const given = server.makeRefreshToken("ada");
    const secrets = { SHOP_CLIENT_SECRET: clientSecret, SHOP_REFRESH_TOKEN: given };
    const child = await startTokenProcess({ entry, record, secrets, directory });
    const kill = () => child.process.kill("SIGKILL");
    // The answer is on its way: the process dies at once, or up to a second later on a machine where it needs as long.
    const afterMs = 1.2 ** round - 1;
    server.options.misbehave = (_request, response) => {
      response.on("finish", () => void (afterMs < 1 ? kill() : setTimeout(kill, afterMs)));
      return false;
    };
    await child.ask("go").catch(() => {});
    await child.end();
    delete server.options.misbehave;
    const files = (await readdir(directory)).filter((name) => /^shop-.*\.json$/.test(name));
    const kept = await Promise.all(
      files.map(async (name) => JSON.parse(await readFile(join(directory, name), "utf8"))),
    );
    const isNew = kept.some(
      ({ refreshToken }) => refreshToken !== undefined && refreshToken !== given,
    );
    found[isNew ? "new" : "old"] += 1;
    server.revokeAccess();
    const client = createSourceClient(record, { secrets, tokenStore: fileTokenStore(directory) });
    const answer = JSON.parse((await client.call({ method: "GET", path: "/me" })).content);
    if (isNew) expect(answer.data).toMatchObject({ user: "ada" });
    else
      expect(answer.error).toMatchObject({
        code: "auth_required",
        message: expect.stringContaining("invalid_grant"),
      });
    await rm(directory, { recursive: true, force: true });
  }
  console.info(`kept: ${JSON.stringify(found)}`);
  expect(found.new + found.old).toBe(rounds);
  expect(found.new).toBeGreaterThan(0);
  expect(found.old).toBeGreaterThan(0);
}, 200_000);
