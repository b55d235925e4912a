/** `set`, and `add` on a source that is there: what was given before is kept, shown, or asked about. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { openCommandLine } from "../support/command-line.js";
import { forgetConfidential } from "../support/forget-confidential.js";

forgetConfidential();

const secret = "tok_canary_71c05ab9de";
const command = await openCommandLine("cli-change");
const { line: run, put, read, list } = command;

const acme = {
  name: "Acme",
  api: {
    baseUrl: "https://api.acme.example/billing",
    authType: "header",
    headerName: "X-Key",
    methods: ["GET"],
    headers: { "X-Tenant": "one" },
    paths: { deny: ["/admin/**"] },
    "x-note": "ours",
  },
  "x-other": 1,
};
const readRecord = async (slug: string): Promise<typeof acme & Record<string, unknown>> =>
  JSON.parse(await read(`sources/${slug}.json`));

beforeEach(() => put("sources/acme.json", acme));

describe("set", () => {
  it("changes only what its flags name, and asks nothing where nothing is lost", async () => {
    const { code, stderr } = await run(
      "set acme --test-endpoint /user --allow /user --header X-Mode:~fast",
    );
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('new      api.testEndpoint: "/user"'),
    ]);
    expect(await readRecord("acme")).toEqual({
      ...acme,
      api: {
        ...acme.api,
        headers: { "X-Tenant": "one", "X-Mode": "fast" },
        paths: { deny: ["/admin/**"], allow: ["/user"] },
        testEndpoint: "/user",
      },
    });
  });

  it.each([
    ["another list", "--deny /internal/**", 'api.paths.deny: ["/admin/**"] -> ["/internal/**"]'],
    ["another value of a header", "--header x-tenant:~two", 'api.headers.X-Tenant: "one"'],
    ["another base URL", "--base-url https://b.example", '-> "https://b.example"'],
    ["no authentication", "--auth none", 'dropped  api.headerName: "X-Key"'],
    ["one that the package does not know", "--unset x-other --unset headers", "dropped  x-other"],
  ])("asks before it changes or drops a value: %s", async (_what, flags, shown) => {
    const before = await read("sources/acme.json");
    const refused = await run(`set acme ${flags}`);
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(shown) });
    expect(refused.stderr).toContain("Try: api-sources set acme ... --yes");
    expect(await read("sources/acme.json")).toBe(before);
    const { code } = await run(`set acme ${flags} --yes`);
    expect([code, await list("sources")]).toEqual([0, ["acme.json"]]);
    expect(await read("sources/acme.json")).not.toBe(before);
    expect((await readRecord("acme")).api["x-note"]).toBe("ours");
  });

  it("renames a source with --slug; its credential stays where it is", async () => {
    await put(".env", "ACME_TOKEN=one\n");
    await put("sources/other.json", { name: "Other", api: { baseUrl: "https://b.example" } });
    expect((await run("set acme --slug Other --yes")).code).toBe(2);
    expect((await run("set acme --slug bills")).code).toBe(0);
    expect(await list("sources")).toEqual(["bills.json", "other.json"]);
    expect(await readRecord("bills")).toEqual({
      ...acme,
      slug: "bills",
      api: { ...acme.api, credentialEnv: ["ACME_TOKEN", "ACME_API_KEY"] },
    });
    expect((await run("show bills")).stderr).toMatch(/^ACME_TOKEN +\.env$/m);
  });

  it("writes nothing over what another process changes while it waits for its input", async () => {
    const args = ["--", command.program, "set", "acme", "--tagline", "Bills", "--secret-stdin"];
    const env = { PATH: process.env["PATH"] ?? "", HOME: command.cwd };
    const waiting = spawn(process.execPath, args, { cwd: command.cwd, env });
    const ended = once(waiting, "close");
    let shown = "";
    waiting.stderr.on("data", (chunk) => {
      shown += chunk;
    });
    while (!shown.includes("tagline")) await once(waiting.stderr, "data");
    expect((await run("set acme --test-endpoint /user")).code).toBe(0);
    waiting.stdin.end(`${secret}\n`);
    expect([(await ended)[0], shown]).toEqual([
      1,
      expect.stringContaining("was changed meanwhile"),
    ]);
    expect(await readRecord("acme")).toEqual({
      ...acme,
      api: { ...acme.api, testEndpoint: "/user" },
    });
  });

  it("makes every member that its flags name", async () => {
    await put("docs/guide.md", "Ask Ada.");
    await put("docs/api.json", { openapi: "3.0.0", paths: {} });
    const documents =
      "--confidential --shares-with hr,crm --openapi docs/api.json --guide docs/guide.md";
    const grant =
      "--oauth2 authorization_code --token-url https://id.acme.example/token --scopes a~b";
    const more =
      "--authorization-url https://id.acme.example/agree --redirect-uri http://127.0.0.1:8/x";
    const paging = '--paging {"next":"meta.next","send":"query:cursor"} --body-format form';
    const { code } = await run(
      `set acme ${documents} ${grant} ${more} --audience acme ${paging} --yes`,
    );
    expect(code).toBe(0);
    expect((await readRecord("acme")).api).toEqual({
      ...acme.api,
      confidential: true,
      sharesWith: ["hr", "crm"],
      openapi: "../docs/api.json",
      guide: "../docs/guide.md",
      oauth2: {
        grant: "authorization_code",
        clientId: "${ACME_CLIENT_ID}",
        clientSecret: "${ACME_CLIENT_SECRET}",
        tokenUrl: "https://id.acme.example/token",
        authorizationUrl: "https://id.acme.example/agree",
        redirectUri: "http://127.0.0.1:8/x",
        scopes: "a b",
        audience: "acme",
      },
      paging: { next: "meta.next", send: "query:cursor" },
      bodyFormat: "form",
    });
    const login = '{"path":"/login","body":{"password":"${ACME_PASSWORD}"},"tokenAt":"token"}';
    expect((await run(`set acme --unset oauth2 --login ${login} --paging none --yes`)).code).toBe(
      0,
    );
    expect((await readRecord("acme")).api).toMatchObject({
      login: JSON.parse(login),
      paging: "none",
    });
  });

  it("writes no record that would be wrong, and names the flag of the problem", async () => {
    const before = await read("sources/acme.json");
    const { code, stderr } = await run("set acme --auth query --yes");
    expect([code, stderr]).toEqual([2, expect.stringContaining("api.queryParam (--query-param)")]);
    const leaked = await run(
      `set acme --oauth2 client_credentials --client-secret ${secret} --yes`,
    );
    expect([leaked.code, leaked.stderr]).toEqual([2, expect.stringContaining("--client-secret")]);
    expect(leaked.stderr).not.toContain(secret);
    expect(await read("sources/acme.json")).toBe(before);
  });

  it("replaces the credential with --secret-stdin, and a variable that has another value only with --yes", async () => {
    expect((await run("set acme --secret-stdin", { input: "one" })).code).toBe(0);
    expect((await run("set acme --secret-stdin", { input: secret })).code).toBe(2);
    expect(await read(".env")).toBe("ACME_TOKEN=one\n");
    expect((await run("set acme --secret-stdin --yes", { input: secret })).code).toBe(0);
    expect(await read(".env")).toBe(`ACME_TOKEN=${secret}\n`);
  });

  it("shows no value of a broken record, where a secret may be", async () => {
    await put("sources/acme.json", { ...acme, api: { ...acme.api, token: secret } });
    const { code, stderr } = await run("set acme --unset token --yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("dropped  api.token: (not shown)")]);
    expect(stderr).not.toContain(secret);
  });

  it("writes nothing into a file of several records", async () => {
    await put("sources/acme.json", [acme, { ...acme, slug: "other" }]);
    const { code, stderr } = await run("set acme --tagline x --yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("holds 2 records")]);
  });
});

describe("add on a source that is there", () => {
  const same = "add https://api.acme.example/billing --name Acme --no-test";

  it("changes nothing, and names the command that does", async () => {
    const before = await read("sources/acme.json");
    const refused = await run(`${same} --tagline Invoices --yes`);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("api-sources set acme"),
    });
    expect(await read("sources/acme.json")).toBe(before);
  });

  it("gives another API of the host a name of its own", async () => {
    const { code, stderr } = await run("add https://api.acme.example/v1/orders --no-test");
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('The new source is called "acme_orders".'),
    ]);
    expect(await readRecord("acme_orders")).toMatchObject({ name: "Acme", slug: "acme_orders" });
    expect(await readRecord("acme")).toEqual(acme);
  });

  it.each([
    ["https://api.github.example", "github", "https://api.github.example"],
    ["api.shop.co.uk/v2", "shop", "https://api.shop.co.uk/v2"],
    ["localhost:3000", "local", "http://localhost:3000"],
  ])("names %s %s, and takes HTTPS for it but on this machine", async (url, slug, baseUrl) => {
    expect((await run(`add ${url} --no-test`)).code).toBe(0);
    expect(await readRecord(slug)).toMatchObject({ api: { baseUrl } });
  });

  it("names the variables of a description by the source, so that --name leaves those of another alone", async () => {
    const line = (value: string) =>
      `curl https://api.desk.example/me -H 'X-Api-Key: ${value}-0123456789abcdef' -H 'X-App-Key: ${value}-app-0123456789'\n`;
    expect((await run("add --from - --no-test", { input: line("one") })).code).toBe(0);
    const one = await read(".env");
    expect((await run("add --from - --name Other --no-test", { input: line("two") })).code).toBe(0);
    const both = await read(".env");
    expect(both.startsWith(one)).toBe(true);
    expect(both).toContain("OTHER_X_APP_KEY=two-app-0123456789\n");
  });
});

describe("set --auth", () => {
  it.each([
    ["bearer", "header --header-name X-Key", "ACME_OWN"],
    ["header", "query --query-param key", "ACME_OWN"],
    ["query", "bearer", "ACME_OWN"],
    ["bearer", "basic", undefined],
    ["bearer", "none", undefined],
  ])(
    "from %s to %s keeps the variables of a credential of the same kind: %s",
    async (before, after, credentialEnv) => {
      const carrier = { header: { headerName: "X-A" }, query: { queryParam: "a" } }[before] ?? {};
      const api = {
        baseUrl: "https://acme.example",
        authType: before,
        credentialEnv: "ACME_OWN",
        ...carrier,
      };
      await put("sources/acme.json", { name: "Acme", api });
      expect((await run(`set acme --auth ${after} --yes`)).code).toBe(0);
      const saved = new Map<string, unknown>(Object.entries((await readRecord("acme")).api));
      expect(saved.get("credentialEnv")).toBe(credentialEnv);
    },
  );
});

describe("add --from an OpenAPI document", () => {
  const document = (title: string): string =>
    JSON.stringify({
      openapi: "3.0.3",
      info: { title, version: "1" },
      servers: [{ url: "https://api.desk.example" }],
      security: [{ oauth: [] }],
      components: {
        securitySchemes: {
          oauth: {
            type: "oauth2",
            flows: { clientCredentials: { tokenUrl: "https://id.desk.example/token" } },
          },
        },
      },
      paths: { "/me": { get: {} } },
    });

  it("keeps the document beside the record, and reports the variables of its OAuth 2", async () => {
    await put("api.json", document("Desk"));
    const { code, stderr } = await run(
      "add --from api.json --no-test --slug help --use-host id.desk.example",
    );
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("HELP_CLIENT_ID, HELP_CLIENT_SECRET"),
    ]);
    expect(await list("sources")).toEqual(["acme.json", "help.json", "help.openapi.json"]);
    expect(await read("sources/help.openapi.json")).toBe(document("Desk"));
    expect((await readRecord("help")).api).toMatchObject({
      openapi: "help.openapi.json",
      oauth2: { grant: "client_credentials", clientId: "${HELP_CLIENT_ID}" },
    });
  });

  it("replaces no document, and removes it with the source", async () => {
    await put("api.json", document("Desk"));
    const add = "add --from api.json --no-test --use-host id.desk.example";
    expect((await run(add)).code).toBe(0);
    await put("api.json", document("Desk API 2"));
    await rm(join(command.cwd, "sources/desk.json"));
    expect((await run(`${add} --slug desk`)).code).toBe(2);
    expect(await read("sources/desk.openapi.json")).toBe(document("Desk"));
    await put("api.json", document("Desk"));
    expect((await run(`${add} --slug desk`)).code).toBe(0);
    expect((await run("remove desk --yes")).code).toBe(0);
    expect(await list("sources")).toEqual(["acme.json"]);
  });

  it("takes a token that the user has where --auth names how it is sent", async () => {
    await put("api.json", document("Desk"));
    expect((await run("add --from api.json --no-test --auth bearer")).code).toBe(0);
    expect((await readRecord("desk")).api).not.toHaveProperty("oauth2");
  });
});

it("a source that is saved warns where git would commit the environment file, and names the schema that is installed", async () => {
  const installed = "node_modules/langchain-api-sources/dist/api-source.schema.json";
  await put(installed, {});
  spawnSync("git", ["init", "-q", command.cwd]);
  const add = async (name: string) => {
    const line = `add https://${name}.example --name ${name} --auth bearer --no-test --secret-stdin`;
    return (await run(line, { input: secret })).stderr;
  };
  const warning = ".env would be committed";
  expect(await add("one")).toContain(warning);
  expect(await readRecord("one")).toMatchObject({ $schema: `../${installed}` });
  await put(".gitignore", ".env\n");
  expect(await add("two")).not.toContain(warning);
});

it("remove --drop-credential leaves a variable that another source uses", async () => {
  const api = { baseUrl: "https://b.example", authType: "bearer", credentialEnv: "ACME_TOKEN" };
  await put("sources/other.json", { name: "Other", api });
  await put(".env", "ACME_TOKEN=one\n");
  expect((await run("remove acme --yes --drop-credential")).code).toBe(0);
  expect(await read(".env")).toBe("ACME_TOKEN=one\n");
});
