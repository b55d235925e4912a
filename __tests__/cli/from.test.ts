/** `add --from`: a description in, a tested record out, its secrets in the store. */

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { type CommandLine, createCommandLine } from "../support/command-line.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

const secret = "tok_canary_77ab10c3e5";
let command: CommandLine;
let api: HttpServer;

beforeAll(async () => {
  command = await createCommandLine("cli-from");
  api = await startHttpServer(({ headers }, response) =>
    sendJson(response, { ok: true }, headers["x-api-key"] === secret ? 200 : 401),
  );
}, 60_000);
afterEach(async () => {
  for (const name of await readdir(command.cwd)) await rm(join(command.cwd, name), { recursive: true });
});
afterAll(async () => {
  await api.close();
  await command.close();
});

it("makes a tested source of a curl line from standard input; its secret goes to .env alone", async () => {
  const input = `curl '${api.url}/v1/me' -H 'X-Api-Key: ${secret}' -H 'Accept: application/json'\n`;
  const { code, stdout, stderr } = await command.run(["add", "--from", "-", "--name", "Shop"], { input });
  expect([code, stderr]).toEqual([0, expect.stringContaining("Kept SHOP_TOKEN in .env.")]);
  const record = await readFile(join(command.cwd, "sources/shop.json"), "utf8");
  expect(JSON.parse(record).api).toEqual({
    baseUrl: `${api.url}/v1`,
    authType: "header",
    headerName: "X-Api-Key",
    testEndpoint: "/me",
  });
  expect(await readFile(join(command.cwd, ".env"), "utf8")).toBe(`SHOP_TOKEN=${secret}\n`);
  expect(record + stdout + stderr).not.toContain(secret);
  expect((await command.run(["test", "shop"])).code).toBe(0);
});

it("takes flags before what the document says, and tells which server it took", async () => {
  const document = {
    openapi: "3.0.3",
    info: { title: "Shop API", version: "1" },
    servers: [{ url: "https://one.example" }, { url: "https://two.example" }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
    paths: { "/me": { get: {} } },
  };
  await writeFile(join(command.cwd, "openapi.json"), JSON.stringify(document));
  const args = ["add", "--from", "openapi.json", "--no-test", "--test-endpoint", "/you"];
  const { code, stderr } = await command.run(args);
  expect([code, stderr]).toEqual([0, expect.stringContaining("Took server 1 of 2; others: --server N.")]);
  const second = await command.run([...args, "--server", "2", "--slug", "second"]);
  expect(second.code).toBe(0);
  const { api: settings } = JSON.parse(await readFile(join(command.cwd, "sources/second.json"), "utf8"));
  expect(settings).toMatchObject({
    baseUrl: "https://two.example",
    headerName: "X-Key",
    testEndpoint: "/you",
  });
});

it("says that standard input can't hold a description and a secret", async () => {
  const { stderr } = await command.run(["add", "--from", "-", "--secret-stdin"], {
    input: "curl https://x.example",
  });
  expect(stderr).toContain("can't hold both");
});

it.each([
  ["a file that isn't there", ["--from", "none.yaml"], ""],
  ["a document of another kind", ["--from", "-"], '{"a":1}'],
  ["a number of a server that isn't there", ["--from", "-", "--server", "9"], "curl https://x.example/me"],
  ["standard input for two things", ["--from", "-", "--secret-stdin"], ""],
  [
    "a curl line as an argument, where others see it",
    ["--from", `curl -H 'X-Api-Key: ${secret}' https://x.example`],
    "",
  ],
])("exits 2 for %s and writes nothing", async (_what, args, input) => {
  const { code, stdout, stderr } = await command.run(["add", ...args], { input });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).not.toContain(secret);
  expect(await readdir(command.cwd)).toEqual([]);
});
