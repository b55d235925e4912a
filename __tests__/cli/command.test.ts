/** The command piped: results, exit codes, and nothing that hangs. */

import { execFile, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { type CommandLine, createCommandLine } from "../support/command-line.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

const execute = promisify(execFile);
const secret = "tok_canary_5e1fb0a9c2";

let command: CommandLine;
let api: HttpServer;

beforeAll(async () => {
  command = await createCommandLine("cli-command");
  api = await startHttpServer(({ url, headers, method, body }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (headers.authorization !== `Bearer ${secret}`)
      return sendJson(response, { message: "Bad token" }, 401);
    if (pathname === "/me") return sendJson(response, { login: "ada" });
    if (pathname === "/echo")
      return sendJson(response, { method, url, body, trace: headers["accept-language"] });
    if (pathname === "/price") {
      response.writeHead(200, { "content-type": "application/json" });
      return response.end('{"price":19.90,"big":12345678901234567890}');
    }
    if (pathname === "/rows") {
      const page = Number(searchParams.get("page") ?? 1);
      const next = page < 3 ? { link: `<${api.url}/rows?page=${page + 1}>; rel="next"` } : {};
      return sendJson(response, [{ id: page }], 200, next as Record<string, string>);
    }
    if (pathname === "/broken") return sendJson(response, { message: "down" }, 503, { "retry-after": "120" });
    if (pathname === "/slow") return undefined;
    return sendJson(response, { message: "Not Found" }, 404);
  });
}, 60_000);
afterAll(async () => {
  await api.close();
  await command.close();
});

beforeEach(async () => {
  await mkdir(join(command.cwd, "sources"), { recursive: true });
  await putRecord("shop", {
    name: "Shop",
    api: { baseUrl: api.url, authType: "bearer", testEndpoint: "/me" },
  });
});
afterEach(async () => {
  for (const name of await readdir(command.cwd)) await rm(join(command.cwd, name), { recursive: true });
});

const withToken = { env: { SHOP_TOKEN: secret } };

function putRecord(slug: string, record: unknown): Promise<void> {
  return writeFile(join(command.cwd, "sources", `${slug}.json`), JSON.stringify(record));
}

describe("list and show", () => {
  it("prints one line for each source on stdout", async () => {
    const { code, stdout, stderr } = await command.run(["list"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")[1]).toMatch(/^shop {2}Shop {2}http:\/\/127\.0\.0\.1:\d+ {2}bearer {2}\/me$/);
  });

  it("lists a broken file as broken, with its problem, and the others", async () => {
    await writeFile(join(command.cwd, "sources", "bad.json"), "{");
    const { code, stdout, stderr } = await command.run(["list"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^bad +broken/m);
    expect(stdout).toMatch(/^shop +Shop/m);
    expect(stderr).toContain("is not JSON: line 1, column 2");
  });

  it("takes the directory from --dir, else from API_SOURCES_DIR", async () => {
    const empty = await command.run(["list", "--dir", "elsewhere"]);
    expect(empty.stderr).toContain("No sources in");
    const named = await command.run(["list", "--json"], { env: { API_SOURCES_DIR: "sources" } });
    expect(JSON.parse(named.stdout)).toMatchObject([{ slug: "shop", authType: "bearer", problems: [] }]);
  });

  it("shows the record as it stands, and the nearest name for one that isn't there", async () => {
    const shown = await command.run(["show", "shop"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ name: "Shop", api: { authType: "bearer" } });
    const { code, stdout, stderr } = await command.run(["show", "shopp"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Right would be: api-sources show shop\n");
  });

  it("doesn't print a broken record, because a secret may stand in it", async () => {
    await putRecord("leaky", { name: "Leaky", api: { baseUrl: api.url, authType: "bearer", token: secret } });
    const { code, stdout, stderr } = await command.run(["show", "leaky"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("api.token holds a credential");
    expect(stderr).not.toContain(secret);
  });
});

describe("test", () => {
  it("exits 0 when all are ok, and prints a table", async () => {
    const { code, stdout } = await command.run(["test"], withToken);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +shop +ok +200 +\d+ ms/m);
  });

  it("exits 1 with the fix when one isn't, 2 when a record is wrong", async () => {
    const failed = await command.run(["test"], { env: { SHOP_TOKEN: "wrong-token" } });
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/^FAILED +shop +invalid_credentials +401/m);
    expect(failed.stdout).toContain("Fix: ");
    await putRecord("bad", { name: "Bad", api: { baseUrl: "ftp://x" } });
    const broken = await command.run(["test", "--json"], withToken);
    expect(broken.code).toBe(2);
    const reports: { source: string; verdict: string }[] = JSON.parse(broken.stdout);
    expect(reports.map(({ source, verdict }) => [source, verdict])).toEqual([
      ["bad", "invalid_record"],
      ["shop", "ok"],
    ]);
  });

  it("reads the credential from the environment file", async () => {
    await writeFile(join(command.cwd, "my.env"), `SHOP_TOKEN=${secret}\n`);
    expect((await command.run(["test", "shop", "--env-file", "my.env"])).code).toBe(0);
    expect((await command.run(["test", "shop", "-e", "my.env"])).code).toBe(0);
    const missing = await command.run(["test", "--env-file", "none.env"]);
    expect([missing.code, missing.stderr]).toEqual([
      2,
      "There is no environment file none.env.\nRight would be: api-sources env > none.env\n",
    ]);
  });
});

describe("call", () => {
  it("prints the answer that the model would see", async () => {
    const args = [
      "call",
      "shop",
      "post",
      "/echo",
      "--query",
      "a=1=2",
      "--header",
      "Accept-Language: de",
      "--body",
      '{"n":1.0}',
    ];
    const { code, stdout } = await command.run(args, withToken);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      status: 200,
      data: { method: "POST", url: "/echo?a=1%3D2", body: '{"n":1.0}', trace: "de" },
    });
  });

  it("reads the body from standard input and from a file", async () => {
    const piped = await command.run(["call", "shop", "POST", "/echo", "--body", "-"], {
      ...withToken,
      input: "[1]",
    });
    expect(JSON.parse(piped.stdout).data.body).toBe("[1]");
    await writeFile(join(command.cwd, "order.json"), "[2]");
    const filed = await command.run(["call", "shop", "POST", "/echo", "--body", "@order.json"], withToken);
    expect(JSON.parse(filed.stdout).data.body).toBe("[2]");
  });

  it("prints the whole body with --full, each digit as the API sent it", async () => {
    const { stdout } = await command.run(["call", "shop", "GET", "/price", "--full"], withToken);
    expect(stdout).toBe('{"price":19.90,"big":12345678901234567890}\n');
  });

  it("applies --select, and reads --pages with progress on stderr", async () => {
    const { stdout, stderr } = await command.run(["call", "shop", "GET", "/rows", "--pages", "5"], withToken);
    expect(JSON.parse(stdout)).toMatchObject({
      data: [{ id: 1 }, { id: 2 }, { id: 3 }],
      pages: { complete: true },
    });
    expect(stderr).toContain("page 3, 3 rows");
    const picked = await command.run(["call", "shop", "GET", "/me", "--select", "login"], withToken);
    expect(JSON.parse(picked.stdout).data).toBe("ada");
  });

  it.each([
    ["4 for the API's 4xx", ["GET", "/nothing"], 4],
    ["5 for its 5xx", ["GET", "/broken"], 5],
    ["6 for what the policy refuses", ["GET", "/../admin"], 6],
    ["2 for input that is wrong", ["GET", "/me", "--select", "a["], 2],
    ["2 for a query without a value", ["GET", "/me", "--query", "a"], 2],
  ])("exits %s", async (_what, args, expected) => {
    expect((await command.run(["call", "shop", ...args], withToken)).code).toBe(expected);
  });

  it("exits 1 when there is no credential", async () => {
    const { code, stdout } = await command.run(["call", "shop", "GET", "/me"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error.category).toBe("not_configured");
  });

  it("prints a curl line that does the same, the secret as a variable, and sends nothing", async () => {
    const sent = api.requests.length;
    const args = ["call", "shop", "POST", "/echo", "--body", `{"it":"isn't"}`, "--query", "q=a b", "--curl"];
    const { code, stdout } = await command.run(args, withToken);
    expect([code, api.requests.length]).toEqual([0, sent]);
    expect(stdout).not.toContain(secret);
    const env = { ...process.env, SHOP_TOKEN: secret };
    const { stdout: answer } = await execute(
      "bash",
      ["-c", `command -v curl >/dev/null || exit 0; ${stdout}`],
      { env },
    );
    if (answer !== "") expect(answer).toContain(`"url":"/echo?q=a%20b","body":"{\\"it\\":\\"isn't\\"}"`);
    expect(stdout).toContain(`-H 'Authorization: Bearer '"$SHOP_TOKEN"`);
    expect(stdout).toContain(`--data-raw '{"it":"isn'\\''t"}'`);
    const json = await command.run([...args, "--json"], withToken);
    expect(`${JSON.parse(json.stdout).curl}\n`).toBe(stdout);
  });

  it("writes no value of the record's own secrets into a curl line", async () => {
    const headers = { "X-App": "${SHOP_APP}" };
    await putRecord("keyed", { name: "Keyed", api: { baseUrl: api.url, headers } });
    const { stdout } = await command.run(["call", "keyed", "GET", "/me", "--curl"], {
      env: { SHOP_APP: secret },
    });
    expect(stdout).toContain(`-H 'X-App: '"$SHOP_APP"`);
    expect(stdout).not.toContain(secret);
  });

  it("names the whole line that would have been right", async () => {
    const { code, stderr } = await command.run(["call", "shp", "GET", "/me"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("Right would be: api-sources call shop GET /me\n"),
    ]);
  });

  it("doesn't read a file without an end for ever", async () => {
    const run = command.run(["call", "shop", "POST", "/echo", "--body", "@/dev/zero"], withToken);
    expect(await run).toMatchObject({ code: 2, stderr: expect.stringContaining("is larger than") });
  });
});

describe("add", () => {
  const added = ["add", "--name", "Books", "--auth", "bearer", "--test-endpoint", "/me"];

  it("tests, then saves the record, and the credential from standard input to .env with mode 0600", async () => {
    await writeFile(
      join(command.cwd, ".env"),
      "# mine\r\nOTHER='a\nBOOKS_TOKEN=no\n'\nBOOKS_TOKEN=old\nLAST=1",
    );
    const args = [...added, "--base-url", api.url, "--secret-stdin", "--json"];
    const { code, stdout, stderr } = await command.run(args, { input: `${secret}\n` });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^ok /)]);
    expect(JSON.parse(stdout)).toMatchObject({
      slug: "books",
      stored: ["BOOKS_TOKEN"],
      store: ".env",
      report: { ok: true },
    });
    const path = join(command.cwd, ".env");
    expect(await readFile(path, "utf8")).toBe(
      `# mine\r\nOTHER='a\nBOOKS_TOKEN=no\n'\nBOOKS_TOKEN=${secret}\nLAST=1`,
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const record = await readFile(join(command.cwd, "sources/books.json"), "utf8");
    expect(JSON.parse(record)).toEqual({
      type: "api",
      name: "Books",
      api: { baseUrl: api.url, authType: "bearer", testEndpoint: "/me" },
    });
    expect(stdout + stderr + record).not.toContain(secret);
  });

  it("saves nothing when the test isn't ok", async () => {
    const { code, stderr } = await command.run([...added, "--base-url", api.url, "--secret-stdin"], {
      input: "wrong-token",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("Not saved: the test isn't ok (invalid_credentials)");
    const json = await command.run([...added, "--base-url", api.url, "--secret-stdin", "--json"], {
      input: "wrong-token",
    });
    expect(JSON.parse(json.stdout)).toMatchObject({
      saved: false,
      report: { verdict: "invalid_credentials" },
    });
    expect((await readdir(command.cwd)).sort()).toEqual(["sources"]);
    expect(await readdir(join(command.cwd, "sources"))).toEqual(["shop.json"]);
  });

  it("takes no line of a quoted value in .env for a variable", async () => {
    const quoted = `BOOKS_TOKEN=old\nOTHER='a\nBOOKS_TOKEN=no\n'\n`;
    await writeFile(join(command.cwd, ".env"), quoted);
    const args = [...added, "--base-url", api.url, "--secret-stdin"];
    expect((await command.run(args, { input: secret })).code).toBe(0);
    expect(await readFile(join(command.cwd, ".env"), "utf8")).toBe(quoted.replace("old", secret));
  });

  it("goes on at once where a process died while it wrote to .env", async () => {
    const { pid } = spawnSync("true");
    await writeFile(join(command.cwd, "..env.lock"), `${pid} ${hostname()}`);
    const half = join(command.cwd, "..env.123.0123456789ab.tmp");
    await writeFile(half, secret);
    await utimes(half, 0, 0);
    const started = Date.now();
    const args = [...added, "--base-url", api.url, "--secret-stdin"];
    expect((await command.run(args, { input: secret })).code).toBe(0);
    expect(Date.now() - started).toBeLessThan(5_000);
    expect((await readdir(command.cwd)).sort()).toEqual([".env", "sources"]);
  });

  it("takes basic's username and password from standard input", async () => {
    const args = [
      "add",
      "--name",
      "Bank",
      "--base-url",
      api.url,
      "--auth",
      "basic",
      "--no-test",
      "--secret-stdin",
    ];
    expect((await command.run(args, { input: "ada:p:w 1#\n" })).code).toBe(0);
    expect(await readFile(join(command.cwd, ".env"), "utf8")).toBe(
      "BANK_USERNAME=ada\nBANK_PASSWORD='p:w 1#'\n",
    );
  });

  it.each([
    ["no base URL", ["add"], "Right would be: api-sources add --base-url"],
    ["a wrong record", ["add", "--base-url", "ftp://x", "--no-test"], "api.baseUrl"],
    [
      "header without its name",
      ["add", "--base-url", "https://x.example", "--auth", "header", "--no-test"],
      "api.headerName",
    ],
    [
      "a source that is there",
      ["add", "--base-url", "https://x.example", "--name", "Shop", "--no-test"],
      "--yes to replace it",
    ],
    [
      "an empty standard input",
      [...added, "--base-url", "https://x.example", "--secret-stdin"],
      "held no credential",
    ],
    [
      "a secret that would not be sent",
      ["add", "--base-url", "https://x.example", "--auth", "none", "--secret-stdin", "--no-test"],
      "sends no credential",
    ],
    ["an unknown flag", ["add", "--secret", "x"], "Right would be: api-sources add"],
  ])("exits 2 for %s and writes nothing", async (_what, args, words) => {
    const { code, stdout, stderr } = await command.run(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(words);
    expect(await readdir(join(command.cwd, "sources"))).toEqual(["shop.json"]);
  });

  it("says that there is no keyring, and names the variable, where there is none", async () => {
    const args = [
      ...added,
      "--base-url",
      "https://x.example",
      "--no-test",
      "--store",
      "keyring",
      "--secret-stdin",
    ];
    const { code, stderr } = await command.run(args, {
      input: secret,
      ownProcess: true,
      env: { DBUS_SESSION_BUS_ADDRESS: "unix:path=/none" },
    });
    // A machine with a keyring keeps it there.
    if (code !== 0)
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining("set BOOKS_TOKEN in the environment instead"),
      ]);
    expect(stderr).not.toContain(secret);
  });
});

describe("remove", () => {
  it("removes nothing unless it is confirmed, whatever standard input says", async () => {
    const { code, stderr } = await command.run(["remove", "shop"], { input: "y\n" });
    expect([code, stderr]).toEqual([2, expect.stringContaining("api-sources remove shop --yes")]);
    expect(await readdir(join(command.cwd, "sources"))).toEqual(["shop.json"]);
  });

  it("removes the record with --yes, and the credential when asked", async () => {
    await writeFile(join(command.cwd, ".env"), `A=1\nSHOP_TOKEN=${secret}\nB=2\n`);
    const { code, stdout, stderr } = await command.run(["remove", "shop", "--yes", "--drop-credential"]);
    expect([code, stdout, stderr]).toEqual([0, "Removed shop.\n", "Dropped SHOP_TOKEN.\n"]);
    expect(await readFile(join(command.cwd, ".env"), "utf8")).toBe("A=1\nB=2\n");
    expect(await readdir(join(command.cwd, "sources"))).toEqual([]);
  });
});

describe("env, schema, doctor and completion", () => {
  it("prints the variables of the set without values", async () => {
    await putRecord("bank", {
      name: "Bank",
      api: { baseUrl: "https://bank.example", authType: "basic", headers: { "X-App": "${BANK_APP}" } },
    });
    const { stdout } = await command.run(["env"], withToken);
    expect(stdout).toBe(
      `# Bank: basic, https://bank.example\nBANK_USERNAME=\nBANK_PASSWORD=\nBANK_APP=\n\n# Shop: bearer, ${api.url}\nSHOP_TOKEN=\n`,
    );
  });

  it("prints the schema", async () => {
    expect(JSON.parse((await command.run(["schema"])).stdout).properties.api.type).toBe("object");
  });

  it("finds what is wrong where nothing else works", async () => {
    await writeFile(join(command.cwd, "sources", "bad.json"), "{");
    const { code, stdout } = await command.run(["doctor"], { env: { HTTPS_PROXY: "http://proxy:8080" } });
    expect(code).toBe(2);
    expect(stdout).toContain("failed   bad: ");
    expect(stdout).toContain("failed   shop: SHOP_TOKEN or SHOP_API_KEY is not set");
    expect(stdout).toContain("warning  HTTPS_PROXY is set, and not used by sources");
    await rm(join(command.cwd, "sources", "bad.json"));
    expect((await command.run(["doctor"], withToken)).code).toBe(0);
  });

  it("says which description can't be read, and where one doesn't fit its record", async () => {
    const spec = { openapi: "3.0.0", servers: [{ url: "https://other.example/v2" }], paths: {} };
    await putRecord("desk", {
      name: "Desk",
      api: { baseUrl: "https://desk.example", openapi: "desk.openapi" },
    });
    await writeFile(join(command.cwd, "sources", "desk.openapi"), "{");
    const broken = await command.run(["doctor"], withToken);
    expect(broken.code).toBe(2);
    expect(broken.stdout).toMatch(
      /failed {3}desk: api\.openapi can't be read: .*desk\.openapi is not JSON \(at line 1, column 2\)/,
    );
    await writeFile(join(command.cwd, "sources", "desk.openapi"), JSON.stringify(spec));
    const { code, stdout } = await command.run(["doctor"], withToken);
    expect(code).toBe(0);
    expect(stdout).toContain("warning  desk: `api.baseUrl` is none of the servers");
    await rm(join(command.cwd, "sources", "desk.json"));
  });

  it("completes commands and flags in bash", async () => {
    const { stdout } = await command.run(["completion", "bash"]);
    await writeFile(
      join(command.cwd, "complete.sh"),
      `${stdout}\nCOMP_WORDS=(api-sources call --f)\nCOMP_CWORD=2\n_api_sources\necho "\${COMPREPLY[@]}"\n`,
    );
    expect((await execute("bash", [join(command.cwd, "complete.sh")])).stdout).toBe("--full\n");
    expect((await command.run(["completion", "tcsh"])).code).toBe(2);
  });
});

describe("a command without a terminal", () => {
  it.each([["add"], ["remove", "shop"], ["list"], ["test"], ["doctor"], ["call", "shop", "GET", "/me"]])(
    "doesn't wait for a standard input that never ends: %s",
    async (...args) => {
      const { code } = await command.run(args, { ...withToken, keepsInputOpen: true });
      expect(code).toBeLessThan(3);
    },
  );

  it("writes no colour and no movement of the cursor", async () => {
    const { stdout, stderr } = await command.run(["test"], { env: { SHOP_TOKEN: "wrong-token" } });
    expect(stdout + stderr).not.toContain(String.fromCharCode(27));
  });
});
