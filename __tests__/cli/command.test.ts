/** The command piped: results, exit codes, and nothing that hangs. */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { openCommandLine } from "../support/command-line.js";
import { findFreePort } from "../support/find-free-port.js";
import { sendJson, startHttpServer } from "../support/http-server.js";

const execute = promisify(execFile);
const secret = "tok_canary_5e1fb0a9c2";

let onHang = (): void => {};
let polls = 0;

const command = await openCommandLine("cli-command");
const { line: run, put, read, list } = command;
const api = await startHttpServer(({ url, headers, method, body }, response) => {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  if (headers.authorization !== `Bearer ${secret}` && headers["x-api-key"] !== secret)
    return sendJson(response, { message: "Bad token" }, 401);
  if (pathname === "/me") return sendJson(response, { login: "ada" });
  if (pathname === "/echo")
    return sendJson(response, { method, url, body, trace: headers["accept-language"] });
  if (pathname === "/price") {
    response.writeHead(200, { "content-type": "application/json" });
    return response.end('{"price":19.90,"big":12345678901234567890}');
  }
  if (method === "POST" && pathname === "/exports")
    return sendJson(response, { id: 7 }, 202, { location: "/exports/7" });
  if (pathname === "/endless")
    return sendJson(response, {}, 202, { location: "/endless/$(id);id" });
  if (pathname.startsWith("/endless/")) return onHang();
  if (pathname === "/exports/7") {
    polls += 1;
    return sendJson(response, polls < 2 ? { status: "running" } : { status: "done", rows: 3 });
  }
  if (pathname === "/rows") {
    const page = Number(searchParams.get("page") ?? 1);
    const next = page < 3 ? { link: `<${api.url}/rows?page=${page + 1}>; rel="next"` } : {};
    return sendJson(response, [{ id: page }], 200, next as Record<string, string>);
  }
  if (pathname === "/broken")
    return sendJson(response, { message: "down" }, 503, { "retry-after": "120" });
  return sendJson(response, { message: "Not Found" }, 404);
});

beforeEach(() =>
  putRecord("shop", {
    name: "Shop",
    api: { baseUrl: api.url, authType: "bearer", testEndpoint: "/me" },
  }),
);

const withToken = { env: { SHOP_TOKEN: secret } };
const putRecord = (slug: string, record: object): Promise<void> =>
  put(`sources/${slug}.json`, record);

describe("list and show", () => {
  it("print one line for each source, a broken one with its problem", async () => {
    await put("sources/bad.json", "{");
    const { code, stdout, stderr } = await run("list");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bad +broken/m);
    expect(stdout).toMatch(/^shop {2}Shop {4}http:\/\/127\.0\.0\.1:\d+ +bearer {2}\/me$/m);
    expect(stderr).toContain("is not JSON: line 1, column 2");
  });

  it("take the directory from --dir, else from API_SOURCES_DIR", async () => {
    await put("elsewhere/.keep", "");
    expect((await run("list --dir elsewhere")).stderr).toContain("No sources in");
    const named = await run("list --json", { env: { API_SOURCES_DIR: "sources" } });
    expect(JSON.parse(named.stdout)).toMatchObject([
      { slug: "shop", authType: "bearer", problems: [] },
    ]);
  });

  it("show where the value of each variable comes from, and no value", async () => {
    await put(".env", "SHOP_APP=app-secret-51\n");
    const headers = { "X-App": "${SHOP_APP}", "X-Other": "${SHOP_OTHER}" };
    await putRecord("shop", {
      name: "Shop",
      api: { baseUrl: api.url, authType: "bearer", headers },
    });
    const { stderr } = await run("show shop", withToken);
    expect(stderr).toMatch(/^SHOP_TOKEN +environment$/m);
    expect(stderr).toMatch(/^SHOP_APP +\.env$/m);
    expect(stderr).toMatch(/^SHOP_OTHER +not set$/m);
    for (const value of [secret, "app-secret-51"]) expect(stderr).not.toContain(value);
  });

  it("show the record as it is, but no broken one, because a secret may be in it", async () => {
    const shown = await run("show shop");
    expect(JSON.parse(shown.stdout)).toMatchObject({ name: "Shop", api: { authType: "bearer" } });
    await putRecord("leaky", {
      name: "Leaky",
      api: { baseUrl: api.url, authType: "bearer", token: secret },
    });
    const { code, stdout, stderr } = await run("show leaky");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("api.token holds a credential");
    expect(stderr).not.toContain(secret);
  });
});

describe("wrong usage", () => {
  it.each([
    ["show shopp", "the same with shop"],
    ["call shp GET /me", "the same with shop"],
    ["remove shop", "api-sources remove shop --yes"],
    ["add --secret x", "api-sources add https://api.example.com --auth bearer --test-endpoint /me"],
    ["add https://x.example --base-url https://y.example", "api-sources add https://x.example"],
    ["set shop --unset limits", "api-sources show shop"],
    [
      "call shop GET /me --query a",
      "api-sources call SLUG GET /path --query name=value --header 'Name: value'",
    ],
    ["test --env-file none.env", "api-sources env > none.env"],
    ["logout shop", "api-sources test shop"],
    ["completion", "api-sources completion bash"],
    ["frob", "api-sources --help"],
  ])("exits 2 with the line that would have been right: %s", async (line, right) => {
    const { code, stdout, stderr } = await run(line, { input: "y\n" });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`Try: ${right}\n`);
    expect(await list("sources")).toEqual(["shop.json"]);
  });
});

it("without a command prints its help and nothing else", async () => {
  const { stdout, stderr } = await command.run([]);
  expect(stdout + stderr).toContain("Usage: api-sources");
  expect(stdout + stderr).not.toContain("Try");
});

describe("test", () => {
  it("exits 0 when all are ok, and prints a table", async () => {
    const { code, stdout } = await run("test", withToken);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +shop +ok +200 +\d+ ms/m);
    await put("my.env", `SHOP_TOKEN=${secret}\n`);
    for (const flag of ["--env-file", "-e"])
      expect((await run(`test shop ${flag} my.env`)).code).toBe(0);
  });

  it("exits 1 with the fix when one isn't, 2 when a record is wrong, and steers no terminal", async () => {
    const failed = await run("test", { env: { SHOP_TOKEN: "wrong-token" } });
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^FAILED +shop +invalid_credentials +401/m);
    expect(failed.stdout).toContain("Fix: ");
    expect(failed.stdout + failed.stderr).not.toContain(String.fromCharCode(27));
    await putRecord("bad", { name: "Bad", api: { baseUrl: "ftp://x" } });
    const broken = await run("test --json", withToken);
    expect(broken.code).toBe(2);
    expect(JSON.parse(broken.stdout)).toMatchObject([
      { source: "bad", verdict: "invalid_record" },
      { source: "shop", verdict: "ok" },
    ]);
  });

  it("exits 1 where there is no source, so that a script does not take that for success", async () => {
    await put("elsewhere/.keep", "");
    const { code, stdout, stderr } = await run("test --dir elsewhere");
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining("No sources in")]);
  });
});

describe("log", () => {
  const line = (fields: object): string =>
    `${JSON.stringify({ time: "2026-11-22T10:00:00.123Z", source: "shop", method: "GET", ms: 12, ...fields })}\n`;

  it("prints a line for each call of a journal, and what they add up to", async () => {
    const failed = line({
      path: "/b",
      status: 429,
      category: "rate_limited",
      attempts: 3,
      tokens: 1,
      waitedMs: 1500,
    });
    const first = line({ path: "/a\u001b]52;c;aGk=\u0007", status: 200, tokens: 40 });
    await put("calls.jsonl", [first, failed, '{"time":"cut'].join(""));
    const { code, stdout, stderr } = await run("log");
    expect([code, stderr]).toEqual([0, "1 line can't be read.\n"]);
    expect(stdout.split("\n")).toEqual([
      "2026-11-22 10:00:00  shop GET /a?]52;c;aGk=?  200  12 ms  40 tokens",
      "2026-11-22 10:00:00  shop GET /b  429  rate_limited  12 ms  1 token  3 requests",
      "2 calls, 1 failure, 41 tokens, 2 seconds of waiting",
      "",
    ]);
    expect(await run("log --failed --json")).toEqual({ code: 0, stdout: failed, stderr });
    expect((await run("log --source other")).stdout).toContain("0 calls");
    expect((await run("log --journal nowhere.jsonl")).code).toBe(2);
  });
});

describe("call", () => {
  it("prints the answer that the model would see", async () => {
    const line = 'call shop post /echo --query a=1=2 --header Accept-Language:~de --body {"n":1.0}';
    const { code, stdout } = await run(line, withToken);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      status: 200,
      data: { method: "POST", url: "/echo?a=1%3D2", body: '{"n":1.0}', trace: "de" },
    });
  });

  it("reads the body from standard input and from a file, and no file without an end for ever", async () => {
    const piped = await run("call shop POST /echo --body -", { ...withToken, input: "[1]" });
    expect(JSON.parse(piped.stdout).data.body).toBe("[1]");
    await put("order.json", "[2]");
    const filed = await run("call shop POST /echo --body @order.json", withToken);
    expect(JSON.parse(filed.stdout).data.body).toBe("[2]");
    const endless = await run("call shop POST /echo --body @/dev/zero", withToken);
    expect(endless).toMatchObject({ code: 2, stderr: expect.stringContaining("is larger than") });
  });

  it("records with --record, and answers from there with --replay, without the API", async () => {
    const recorded = await run("call shop GET /price --record recordings", withToken);
    const before = api.requests.length;
    const replayed = await run("call shop GET /price --replay recordings", withToken);
    expect(replayed).toEqual(recorded);
    expect(api.requests).toHaveLength(before);
    const other = await run("call shop GET /me --replay recordings", withToken);
    expect(JSON.parse(other.stdout).error.code).toBe("not_recorded");
    expect((await run("call shop GET /me --replay a --record b", withToken)).code).toBe(2);
  });

  it("prints the whole body with --full, ids of 20 digits included", async () => {
    const { stdout } = await run("call shop GET /price --full", withToken);
    expect(stdout).toBe('{"price":19.9,"big":12345678901234567890}\n');
  });

  it("waits for a job with --wait and --until, its state on stderr", async () => {
    polls = 0;
    const waited = "call shop POST /exports --wait 20 --select rows --until";
    const { code, stdout, stderr } = await run(`${waited} status=='done'`, withToken);
    expect(JSON.parse(stdout)).toMatchObject({ data: 3, job: { path: "/exports/7", polls: 2 } });
    expect([code, stderr]).toEqual([0, expect.stringContaining("GET /exports/7: running, 1 s")]);
  });

  it("applies --select, and reads --pages with progress on stderr", async () => {
    const { stdout, stderr } = await run("call shop GET /rows --pages 5 --select [].id", withToken);
    expect(JSON.parse(stdout)).toMatchObject({ data: [1, 2, 3], pages: { complete: true } });
    expect(stderr).toContain("page 3, 3 rows");
  });

  it.each([
    ["4 for the API's 4xx", "GET /nothing", withToken, 4, "not_found"],
    ["5 for its 5xx", "GET /broken", withToken, 5, ""],
    ["6 for what the policy refuses", "GET /../admin", withToken, 6, "refused_by_policy"],
    ["2 for input that is wrong", "GET /me --select a[", withToken, 2, "invalid_input"],
    ["1 when there is no credential", "GET /me", {}, 1, "not_configured"],
  ])("exits %s", async (_what, line, options, expected, category) => {
    const { code, stdout } = await run(`call shop ${line}`, options);
    expect([code, JSON.parse(stdout).error.category]).toEqual([
      expected,
      expect.stringContaining(category),
    ]);
  });

  it("prints the curl line of a preview, and sends nothing", async () => {
    const headers = { "X-App": "${SHOP_APP}" };
    const record = {
      name: "Shop",
      api: { baseUrl: api.url, authType: "bearer" as const, headers },
    };
    await putRecord("shop", record);
    const request = { method: "POST", path: "/echo", query: { q: "a b" }, body: { it: "isn't" } };
    const { curl } = await createSourceClient(record).preview(request);
    const env = { SHOP_TOKEN: secret, SHOP_APP: "app-secret-3f81" };
    const line = `call shop POST /echo --body {"it":"isn't"} --query q=a~b --curl`;
    expect(await run(line, { env })).toMatchObject({ code: 0, stdout: `${curl}\n` });
    expect(JSON.parse((await run(`${line} --json`, { env })).stdout)).toMatchObject({ curl });
    expect(api.requests).toEqual([]);
  });
});

describe("add", () => {
  const added = (): string =>
    `add --name Books --auth bearer --test-endpoint /me --base-url ${api.url}`;

  it("tests, then saves the record, and the credential from standard input to .env with mode 0600", async () => {
    const [before, after] = [
      "# mine\r\nOTHER='a\nBOOKS_TOKEN=no\n'\n",
      '\nLAST="b\nBOOKS_TOKEN=no\n"',
    ];
    await put(".env", `${before}BOOKS_TOKEN=${after}`);
    const { code, stdout, stderr } = await run(`${added()} --secret-stdin --json`, {
      input: `${secret}\n`,
    });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^ok /)]);
    expect(JSON.parse(stdout)).toMatchObject({
      slug: "books",
      stored: ["BOOKS_TOKEN"],
      store: ".env",
      report: { ok: true },
    });
    expect(await read(".env")).toBe(`${before}BOOKS_TOKEN=${secret}${after}`);
    expect((await stat(join(command.cwd, ".env"))).mode & 0o777).toBe(0o600);
    const record = await read("sources/books.json");
    expect(JSON.parse(record)).toEqual({
      type: "api",
      name: "Books",
      api: { baseUrl: api.url, authType: "bearer", testEndpoint: "/me" },
    });
    expect(stdout + stderr + record).not.toContain(secret);
  });

  it("saves nothing when the test isn't ok", async () => {
    const { code, stdout, stderr } = await run(`${added()} --secret-stdin --json`, {
      input: "wrong-token",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("Not saved: the test isn't ok (invalid_credentials)");
    expect(JSON.parse(stdout)).toMatchObject({
      saved: false,
      report: { verdict: "invalid_credentials" },
    });
    expect(await list()).toEqual(["sources"]);
    expect(await list("sources")).toEqual(["shop.json"]);
  });

  it("tests by its base URL whether an API without a credential is reached", async () => {
    const open = await startHttpServer((_, response) => sendJson(response, {}, 404));
    const { code, stdout, stderr } = await run(`add ${open.url} --name Open --json`);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^ok \(status \d+\): .* the API is reached/),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ slug: "open", report: { verdict: "reachable" } });
    const port = await findFreePort();
    const refused = await run(`add http://127.0.0.1:${port} --name Closed`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Not saved: the test isn't ok (refused)");
    const keyed = await run(`add http://127.0.0.1:${port} --name Keyed --header X-Key:\${KEY}`);
    expect([keyed.code, keyed.stderr]).toEqual([0, expect.stringContaining("Not tested")]);
  });

  it("takes basic's username and password from standard input", async () => {
    const line = `add --name Bank --base-url ${api.url} --auth basic --no-test --secret-stdin`;
    expect((await run(line, { input: "ada:p:w 1#\n" })).code).toBe(0);
    expect(await read(".env")).toBe("BANK_USERNAME=ada\nBANK_PASSWORD='p:w 1#'\n");
  });

  const elsewhere = "add --base-url https://x.example --no-test";
  it.each([
    ["no base URL", "add", "Try: api-sources add https://"],
    ["a wrong record", "add --base-url ftp://x --no-test", "api.baseUrl"],
    ["header without its name", `${elsewhere} --auth header`, "api.headerName"],
    ["a source that is there", `${elsewhere} --slug shop --yes`, "api-sources set shop"],
    ["nearly the name of a source", `${elsewhere} --slug Shop`, "--slug Shop_2"],
    ["a header without a name", `${elsewhere} --header X`, '--header has no ":"'],
    ["a rule that is not JSON", `${elsewhere} --paging {`, "--paging"],
    [
      "an empty standard input",
      `${elsewhere} --auth bearer --secret-stdin`,
      "contains no credential",
    ],
    [
      "a secret that would not be sent",
      `${elsewhere} --auth none --secret-stdin`,
      "sends no credential",
    ],
  ])("exits 2 for %s and writes nothing", async (_what, line, words) => {
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
    expect(await list("sources")).toEqual(["shop.json"]);
  });
});

describe("add --from", () => {
  it("makes a tested source of a curl line from standard input; its secret goes to .env alone", async () => {
    const input = `curl '${api.url}/me' -H 'X-Api-Key: ${secret}' -H 'Accept: application/json'\n`;
    const { code, stdout, stderr } = await run("add --from - --name Desk", { input });
    expect([code, stderr]).toEqual([0, expect.stringContaining("Kept DESK_TOKEN in .env.")]);
    const record = await read("sources/desk.json");
    expect(JSON.parse(record).api).toEqual({
      baseUrl: api.url,
      authType: "header",
      headerName: "X-Api-Key",
      testEndpoint: "/me",
    });
    expect(await read(".env")).toBe(`DESK_TOKEN=${secret}\n`);
    expect(record + stdout + stderr).not.toContain(secret);
    expect((await run("test desk")).code).toBe(0);
  });

  it("takes how the credential is sent from the recipe of the host, where a document does not describe it", async () => {
    const info = { title: "Hub", version: "1" };
    await put("openapi.json", withServer({ url: "https://api.github.com" }, { info }));
    const { code, stderr } = await run("add --from openapi.json --no-test --yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("api-sources add github")]);
    expect(JSON.parse(await read("sources/hub.json")).api).toMatchObject({ authType: "bearer" });
    expect((await run("remove hub --yes")).code).toBe(0);
  });

  it("takes the word before a key from the recipe of the host, where a document names none", async () => {
    const key = { type: "apiKey", in: "header", name: "Authorization" };
    const more = {
      info: { title: "Pager", version: "1" },
      security: [{ key: [] }],
      components: { securitySchemes: { key } },
    };
    await put("openapi.json", withServer({ url: "https://api.pagerduty.com" }, more));
    const { code, stderr } = await run("add --from openapi.json --no-test --yes");
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("as the recipe pagerduty sends it"),
    ]);
    expect(stderr).toContain("The document names no word before the key");
    const { api: saved } = JSON.parse(await read("sources/pager.json"));
    expect(saved).toMatchObject({ authType: "bearer", authScheme: "Token" });
    expect((await run("remove pager --yes")).code).toBe(0);
  });

  it("names what a document has in place of a base URL, and the flag that completes it", async () => {
    await put("openapi.json", withServer({ url: "/api/v2" }, {}));
    const { code, stderr } = await run("add --from openapi.json --no-test");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("only the relative server /api/v2"),
    ]);
    expect(stderr).toContain("--base-url https://HOST/api/v2");
  });

  it("sends no variable of the user's to the server of a document, nor saves a record that would", async () => {
    const env = { OPENAI_USERNAME: "me", OPENAI_PASSWORD: secret };
    const components = { securitySchemes: { key: { type: "http", scheme: "basic" } } };
    const more = { info: { title: "OpenAI", version: "1" }, security: [{ key: [] }], components };
    await put("openapi.json", withServer({ url: api.url }, more));
    const sent = api.requests.length;
    for (const flags of [
      "",
      " --yes",
      " --no-test",
      " --yes --no-test",
      " --test-endpoint /me --yes",
    ]) {
      const { code, stderr } = await run(`add --from openapi.json${flags}`, { env });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`to ${new URL(api.url).host}`)]);
      expect(stderr).toContain("--use-variable OPENAI_USERNAME");
    }
    expect(api.requests.length).toBe(sent);
    expect(await list("sources")).toEqual(["shop.json"]);
    const flags = Object.keys(env).map((name) => ` --use-variable ${name}`);
    const allowed = await run(`add --from openapi.json --no-test${flags.join("")}`, { env });
    expect(allowed.code).toBe(0);
  });

  it("asks about a variable of the user's also where the document gives a credential: a later call would send the user's", async () => {
    const input = `curl ${api.url}/me -H "Authorization: Bearer of-the-document-1"\n`;
    const line = "add --from - --name OpenAI --no-test --yes";
    for (const name of ["OPENAI_TOKEN", "OPENAI_API_KEY"]) {
      const { code, stderr } = await run(line, { env: { [name]: secret }, input });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--use-variable ${name}`)]);
    }
    expect(await list("sources")).toEqual(["shop.json"]);
    const saved = await run(line, { env: { OTHER_TOKEN: secret }, input });
    expect(saved.code).toBe(0);
  });

  const withServer = (server: object, more: object = {}): object => ({
    openapi: "3.0.3",
    info: { title: "Desk", version: "1" },
    servers: [server],
    paths: { "/me": { get: {} } },
    ...more,
  });
  const preset = (url: string): object => ({ url, variables: { v: { default: "${DEPLOY_KEY}" } } });
  const grant = { clientCredentials: { tokenUrl: "https://collector.example/token", scopes: {} } };
  const parameter = {
    name: "X-V",
    in: "header",
    required: true,
    schema: { default: "${DEPLOY_KEY}" },
  };

  it("takes no variable of the user's that a document writes as text, in its host or a header", async () => {
    const other = { "X-Other": "${DESK_VERSION_VALUE}", "X-Home": "${HOME}" };
    const parameters = [
      parameter,
      ...Object.entries(other).map(([name, value]) => ({
        ...parameter,
        name,
        schema: { const: value },
      })),
    ];
    const document = withServer(preset("https://{v}.desk.example"), {
      paths: { "/me": { get: { parameters } } },
    });
    await put("openapi.json", document);
    const { code, stderr } = await run("add --from openapi.json --no-test", {
      env: { DEPLOY_KEY: secret },
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining("it names DEPLOY_KEY")]);
    const { api: saved } = JSON.parse(await read("sources/desk.json"));
    expect([saved.headers, saved.variables]).toEqual([{ "X-Other": "${DESK_VERSION_VALUE}" }, {}]);
  });

  it("names the host of the authorization server that a document sends a client's secret to", async () => {
    const components = { securitySchemes: { key: { type: "oauth2", flows: grant } } };
    const document = withServer(
      { url: "https://desk.example" },
      { components, security: [{ key: [] }] },
    );
    await put("openapi.json", document);
    const env = { DESK_CLIENT_ID: "1", DESK_CLIENT_SECRET: secret };
    const { code, stderr } = await run("add --from openapi.json", { env });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("to desk.example and collector.example."),
    ]);
  });

  it("shows the request of a pasted POST as what to try next, and sends no GET of an address that nobody named", async () => {
    const input = `curl -X POST ${api.url}/v1/items -H 'Authorization: Bearer abc' -d '{"a":1}'`;
    const { code, stderr } = await run("add --from - --name Post --no-test", { input });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("Next: api-sources call post POST /items --curl"),
    ]);
    expect(stderr).not.toContain("GET /");
  });

  it("asks before an imported document sends a secret to another host, which add, env and list name", async () => {
    const components = { securitySchemes: { key: { type: "oauth2", flows: grant } } };
    const more = { components, security: [{ key: [] }] };
    await put("openapi.json", withServer({ url: "https://desk.example" }, more));
    const env = { DESK_CLIENT_SECRET: secret };
    const used = "add --from openapi.json --use-variable DESK_CLIENT_SECRET";
    for (const flags of ["", " --yes", " --no-test --yes", " --use-host desk.example"]) {
      const { code, stderr } = await run(`${used}${flags}`, { env });
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining("sends secrets of Desk to collector.example"),
      ]);
      expect(stderr).toContain("--use-host collector.example");
    }
    expect(await list("sources")).toEqual(["shop.json"]);
    const allowed = await run(`${used} --no-test --use-host collector.example`, { env });
    const named = "collector.example (oauth2.tokenUrl)";
    expect([allowed.code, allowed.stderr]).toEqual([
      0,
      expect.stringContaining(`Other hosts of the record: ${named}.`),
    ]);
    expect((await run("list")).stderr).toContain(`Other hosts of desk: ${named}.`);
    expect(JSON.parse((await run("list --json")).stdout)[0].otherHosts).toEqual([
      { host: "collector.example", member: "oauth2.tokenUrl" },
    ]);
    expect((await run("env")).stdout).toContain(`# Other hosts: ${named}\n`);
    // Nothing can be sent where no secret is known: the host is named, for the person who sets one.
    const unset = await run("add --from openapi.json --no-test --slug other");
    expect([unset.code, unset.stderr]).toEqual([
      0,
      expect.stringContaining(`Other hosts of the record: ${named}.`),
    ]);
  });

  it("takes flags before what the document has, and reports which server it took", async () => {
    const servers = [{ url: "https://one.example" }, { url: "https://two.example" }];
    await put("openapi.json", { ...withServer({}), servers });
    const line = "add --from openapi.json --no-test --test-endpoint /you";
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("Of 2 servers the first is used; another: --base-url."),
    ]);
    expect((await run(`${line} --base-url https://two.example --slug second`)).code).toBe(0);
    expect(JSON.parse(await read("sources/second.json")).api).toMatchObject({
      baseUrl: "https://two.example",
      testEndpoint: "/you",
    });
  });

  it.each([
    ["a file that isn't there", "none.yaml", "", "can't be read"],
    ["a document of another kind", "-", '{"a":1}', ""],
    [
      "standard input for two things",
      "- --secret-stdin",
      "curl https://x.example",
      "can't hold both",
    ],
    [
      "a curl line that others see",
      `curl~-H~'X-Api-Key:~${secret}'~https://x.example`,
      "",
      "Others can see",
    ],
  ])("exits 2 for %s and writes nothing", async (_what, from, input, words) => {
    const { code, stdout, stderr } = await run(`add --from ${from}`, { input });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain(secret);
    expect(await list()).toEqual(["sources"]);
  });
});

describe("remove", () => {
  it("removes the record with --yes, and the credential when asked", async () => {
    await put(".env", `A=1\nSHOP_TOKEN=${secret}\nB=2\n`);
    const { code, stdout, stderr } = await run("remove shop --yes --drop-credential");
    expect([code, stdout, stderr]).toEqual([0, "Removed shop.\n", "Dropped SHOP_TOKEN.\n"]);
    expect(await read(".env")).toBe("A=1\nB=2\n");
    expect(await list("sources")).toEqual([]);
  });
});

describe("a directory that was named", () => {
  it.each(["list", "env", "test", "show shop", "call shop GET /me"])(
    "and does not exist ends %s with 2",
    async (line) => {
      for (const [args, env] of [
        [`${line} --dir nowhere`, {}],
        [line, { API_SOURCES_DIR: "nowhere" }],
      ] as const) {
        const { code, stderr } = await run(args, { env });
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining("The directory nowhere does not exist."),
        ]);
      }
    },
  );

  it("is made by add", async () => {
    const add = "add https://a.example --name A --auth none --no-test --dir new";
    expect((await run(add)).code).toBe(0);
    expect(await list("new")).toEqual(["a.json"]);
  });
});

describe("call --form", () => {
  it("says that a GET has no body", async () => {
    const { code, stderr } = await run("call shop GET /me --form a=1");
    expect([code, stderr]).toEqual([2, expect.stringContaining("A GET has no body")]);
  });
});

describe("env, schema and completion", () => {
  it("print the variables of the set without values, and the schema of a record", async () => {
    const variables = { branch: "${BANK_BRANCH}" };
    const headers = { "X-App": "${BANK_APP}" };
    const bank = {
      baseUrl: "https://{branch}.bank.example",
      variables,
      authType: "basic",
      headers,
    };
    await putRecord("bank", { name: "Bank", api: bank });
    const { stdout } = await run("env", withToken);
    expect(stdout).toBe(
      `# Bank: basic, https://{branch}.bank.example\nBANK_USERNAME=\nBANK_PASSWORD=\nBANK_APP=\nBANK_BRANCH=\n\n# Shop: bearer, ${api.url}\nSHOP_TOKEN=\n`,
    );
    expect(JSON.parse((await run("schema")).stdout).properties.api.type).toBe("object");
  });

  it("complete commands, flags and the names of sources in bash", async () => {
    await put("words", (await run("completion words set")).stdout);
    const { stdout } = await run("completion bash");
    const own = `api-sources() { [ "$*" = "completion words set" ] && cat words; }`;
    const line = "COMP_WORDS=(api-sources set sh)\nCOMP_CWORD=2\n_api_sources\necho $COMPREPLY";
    await put("complete.sh", `cd ${command.cwd}\n${own}\n${stdout}\n${line}\n`);
    expect((await execute("bash", [join(command.cwd, "complete.sh")])).stdout).toBe("shop\n");
    for (const shell of ["zsh", "fish"])
      expect((await run(`completion ${shell}`)).stdout).toContain("completion words");
    expect((await run("completion words")).stdout).toContain("completion");
    expect((await run("completion words call")).stdout).toContain("--full");
  });
});

it("mcp --print-config lists what the client would lack: a variable of this shell, and a source", async () => {
  const line = "mcp --print-config claude";
  expect((await run(line, withToken)).stderr).toContain("Missing: SHOP_TOKEN in .env");
  await put(".env", `SHOP_TOKEN=${secret}\n`);
  expect((await run(line)).stderr).not.toContain("Missing");
  expect((await run(`${line} --dir elsewhere`)).stderr).toContain("Missing: a source in");
});

it.each(["add", "remove shop", "call shop GET /me"])(
  "%s doesn't wait for a standard input that never ends",
  async (line) => {
    expect((await run(line, { ...withToken, keepsInputOpen: true })).code).toBeLessThan(3);
  },
);

/** What the command says when it is left while the server has its request. */
async function leave(...given: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: command.cwd, SHOP_TOKEN: secret };
  const args = ["--", command.program, "call", "shop", ...given];
  const child = spawn(process.execPath, args, {
    cwd: command.cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onHang = () => child.kill("SIGINT");
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  expect(await once(child, "close")).toEqual([130, null]);
  return stderr;
}

it("a job that is waited for ends with 130 at Ctrl-C, named in a line that runs nothing of its path", async () => {
  expect(await leave("POST", "/endless", "--wait", "45")).toContain(
    "api-sources call shop GET '/endless/$(id);id' --wait 45",
  );
});

it("a write that is left with Ctrl-C may have been carried out, and a read says nothing of it", async () => {
  const carriedOut = "The POST may have been carried out.";
  expect(await leave("POST", "/endless/7", "--body", "{}")).toContain(carriedOut);
  expect(await leave("GET", "/endless/7")).not.toContain("carried out");
});
