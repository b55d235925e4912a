/** OpenAPI, Swagger and Postman documents become records that load; hostile ones are refused in bounded time. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { stringify } from "yaml";
import type { ImportChoice, Imported } from "../../../src/cli/import/imported.js";
import { readDescription } from "../../../src/cli/import/read-description.js";
import { listVariables } from "../../../src/core/credentials/credential-variables.js";
import { parseSource } from "../../../src/core/record/parse-source.js";
import { loadApiDocument } from "../../../src/features/openapi/load-document.js";
import { readOperation } from "../../../src/features/openapi/operation.js";
import { useDirectory } from "../../support/temporary-directory.js";

const operation = (more: object = {}): object => ({ responses: {}, ...more });
const base = {
  openapi: "3.1.0",
  info: { title: "Shop API", version: "1", description: "Orders and articles.\nMore words." },
  servers: [{ url: "https://api.shop.example/v1/" }],
  paths: { "/me": { get: operation() } },
};
const swagger = {
  swagger: "2.0",
  info: { title: "Pets", version: "1" },
  host: "pets.example",
  basePath: "/v2",
  schemes: ["http", "https"],
  paths: { "/pets": { get: operation() } },
};
const withScheme = (scheme: object, more: object = {}): object => ({
  ...base,
  security: [{ main: [] }],
  components: { securitySchemes: { main: scheme } },
  ...more,
});
const key = (name: string, more: object = {}): object =>
  withScheme({ type: "apiKey", in: "header", name, ...more });
const bearer = { type: "http", scheme: "bearer" };

const read = (document: object, choice?: ImportChoice): Promise<Imported> =>
  readDescription(JSON.stringify(document), choice);

/** How a record sends its credential, in a word: `header:X-Key`. */
const sayAuth = ({
  authType,
  headerName,
  queryParam,
  authScheme,
}: Imported["record"]["api"]): string =>
  [authType, headerName ?? queryParam ?? authScheme].filter((word) => word !== undefined).join(":");

describe("the security scheme of a document", () => {
  const behindReference = {
    "x-more": { "a/b": { type: "http", scheme: "basic" } },
    securitySchemes: { main: { $ref: "#/components/x-more/a~1b" } },
  };
  const withUnused = withScheme(
    {},
    {
      security: [{ gone: [] }],
      components: { securitySchemes: { other: { type: "apiKey", in: "header", name: "X-Foo" } } },
    },
  );
  const secured = { "/me": { get: operation({ security: [{ main: [] }] }) } };
  const authorized = (description: string): object => key("Authorization", { description });
  const parameter = (name: string, more: object = {}): object => ({
    name,
    in: "header",
    required: true,
    ...more,
  });
  const withParameter = (preset: string): object => {
    const parameters = [parameter("Authorization", { schema: { default: preset } })];
    return { ...key("Authorization"), paths: { "/me": { get: operation({ parameters }) } } };
  };
  const requiring = (name: string, first: string, ...others: readonly string[]): object => ({
    ...base,
    paths: {
      [first]: { get: operation({ parameters: [parameter(name)] }) },
      ...Object.fromEntries(others.map((path) => [path, { get: operation() }])),
    },
  });
  const inQuery = parameter("X-Api-Key", { in: "query" });
  const inTwoPlaces = {
    ...base,
    paths: {
      "/a": { get: operation({ parameters: [parameter("X-Api-Key")] }) },
      "/b": { get: operation({ parameters: [inQuery] }) },
      "/c": { get: operation() },
      "/d": { get: operation() },
    },
  };
  const optionalKey = (document: object): object => {
    const parameters = [parameter("X-Api-Key", { required: false })];
    return { ...document, paths: { "/me": { get: operation({ parameters }) } } };
  };
  const queryKey = { k: { type: "apiKey", in: "query", name: "api_key" } };
  it.each<[string, object, string]>([
    ["http bearer", withScheme(bearer), "bearer"],
    ["http basic", withScheme({ type: "http", scheme: "Basic" }), "basic"],
    ["http with a word of its own", withScheme({ type: "http", scheme: "Token" }), "bearer:Token"],
    ["a key in a header", key("X-Key"), "header:X-Key"],
    ["a key in the query", key("key", { in: "query" }), "query:key"],
    ["a bare key in Authorization", key("Authorization"), "bearer:"],
    [
      "the same after Bearer",
      key("Authorization", { description: "Use `Bearer <key>`" }),
      "bearer",
    ],
    [
      "a key after the word of its format",
      authorized("Format `Token token=<KEY>`"),
      "bearer:Token",
    ],
    ["a key after a quoted prefix", authorized('With required prefix "Token"'), "bearer:Token"],
    [
      "a key after the word of an example",
      authorized("Authorization: SSWS {Token}"),
      "bearer:SSWS",
    ],
    [
      "a key after a word and its place",
      authorized("as `Shop-Key your-private-key`"),
      "bearer:Shop-Key",
    ],
    ["a name and a password in Authorization", authorized("`Basic <base64>`"), "basic"],
    [
      "a key of an address, without a word",
      authorized("See [the page](https://a.example)"),
      "bearer:",
    ],
    ["a key without a word, at an address", authorized("Visit <https://a.example>"), "bearer:"],
    ["a key without a word, behind markup", authorized('See <a href="/k">it</a>'), "bearer:"],
    ["a key without a word, of a reference", authorized("See [the page][1]"), "bearer:"],
    ["a key without a word, in a sentence", authorized("Send YOUR_KEY with it."), "bearer:"],
    ["the word in an ignored parameter", withParameter("Bearer <<YOUR_KEY>>"), "bearer"],
    ["a key that is only a parameter", requiring("X-Api-Key", "/a"), "header:X-Api-Key"],
    ["a key of few operations", requiring("X-Api-Key", "/a", "/b", "/c"), ""],
    [
      "a key that all may have, where no scheme is described",
      optionalKey(base),
      "header:X-Api-Key",
    ],
    ["a key that all may have, beside a scheme", optionalKey(withScheme(bearer)), "bearer"],
    ["a key that few require in each of two places", inTwoPlaces, "header:X-Api-Key"],
    ["a required idempotency key", requiring("Idempotency-Key", "/a"), ""],
    ["OAuth 2", withScheme({ type: "oauth2", flows: {} }), "bearer"],
    ["none", base, ""],
    ["a scheme behind a reference", withScheme({}, { components: behindReference }), "basic"],
    ["basic of Swagger 2", { ...swagger, securityDefinitions: { b: { type: "basic" } } }, "basic"],
    ["a key of Swagger 2", { ...swagger, securityDefinitions: queryKey }, "query:api_key"],
    ["a secured operation alone", withScheme(bearer, { security: [], paths: secured }), "bearer"],
    ["a cookie", key("sid", { in: "cookie" }), ""],
    ["another scheme than the one that holds", withUnused, ""],
    ["digest, which a record can't say", withScheme({ type: "http", scheme: "digest" }), ""],
  ])("%s gives the authType, in JSON and in YAML", async (what, document, expected) => {
    for (const text of [
      JSON.stringify(document),
      stringify(JSON.parse(JSON.stringify(document))),
    ]) {
      const { record, notes } = await readDescription(text);
      expect(sayAuth(record.api)).toBe(expected);
      expect(notes.join().includes("can't be expressed")).toBe(what.endsWith("can't say"));
      expect(() => parseSource(record)).not.toThrow();
    }
  });

  it("gives a cookie as a header with a variable", async () => {
    const { record, notes } = await read(key("sid", { in: "cookie" }));
    const [variable = ""] = /[A-Z_]+_SECRET/.exec(notes.join()) ?? [];
    expect(record.api.headers).toEqual({ Cookie: `sid=\${${variable}}` });
    expect(notes.join()).toContain("require the cookie sid");
  });

  it.each<[string, object, string]>([
    [
      "a scheme and a slash in a host",
      { host: "https://a.example:8443/" },
      "https://a.example:8443/v2",
    ],
    ["a base path without its slash", { basePath: "api/" }, "https://pets.example/api"],
  ])("takes the server of Swagger 2: %s", async (_what, changes, baseUrl) => {
    expect((await read({ ...swagger, ...changes })).record.api.baseUrl).toBe(baseUrl);
  });

  it("quotes a server that is no address", async () => {
    const { notes } = await read({ ...base, servers: [{ url: "api.example.com/v1" }] });
    expect(notes.join()).toContain("no server with a scheme and a host, but api.example.com/v1");
  });

  it.each([
    ["Use `Bearer <key>`", "is Bearer, as the document's words were read (the document: Use"],
    ["`Basic <base64>`", "is Basic, as the document's words were read"],
    ["Format `Token token=<KEY>`", "is Token, as the document's words were read"],
    ["Your key", "names no word before the key in `Authorization` (the document: Your key)"],
  ])("tells which word was read before a key in Authorization: %s", async (about, expected) => {
    expect((await read(authorized(about))).notes.join()).toContain(expected);
  });

  it("that is not there is reported, and left to the person who imports it", async () => {
    const { knowsAuth, notes } = await read(base);
    expect([knowsAuth, notes.join()]).toEqual([false, expect.stringContaining("--auth")]);
  });

  it.each([
    [{ type: "http", scheme: "bearer" }, { authType: "bearer" }],
    [{ type: "http", scheme: "basic" }, { authType: "basic" }],
  ])("takes %j for the credential where a key before it is required, too", async (scheme, api) => {
    const { record, notes } = await read({
      ...base,
      components: {
        securitySchemes: { a: { type: "apiKey", in: "header", name: "X-App" }, scheme },
      },
      security: [{ a: [], scheme: [] }],
    });
    expect(record.api).toMatchObject({ ...api, headers: { "X-App": "${SHOP_X_APP_SECRET}" } });
    expect(record.api.headerName).toBeUndefined();
    expect(notes.join()).not.toContain("can't add");
  });

  it("takes two keys that are asked for together, the second as a variable", async () => {
    const app = { type: "apiKey", in: "query", name: "app-id" };
    const securitySchemes = { key: { type: "apiKey", in: "header", name: "X-Key" }, app };
    const { record } = await read({
      ...base,
      security: [{ key: [], app: [] }],
      components: { securitySchemes },
    });
    expect(record.api).toMatchObject({
      authType: "header",
      headerName: "X-Key",
      query: { "app-id": "${SHOP_APP_ID}" },
    });
  });

  it("is of several the one that most operations ask for, and the others are named", async () => {
    const securitySchemes = { a: bearer, b: { type: "http", scheme: "basic" } };
    const paths = { "/me": { get: operation({ security: [{ b: [] }] }) } };
    const document = {
      ...base,
      paths,
      security: [{ a: [] }, { b: [] }],
      components: { securitySchemes },
    };
    const { record, notes } = await read(document);
    expect([record.api.authType, notes.join()]).toEqual([
      "basic",
      expect.stringContaining("a, b; used: b."),
    ]);
  });
});

describe("the headers that a document states for all operations", () => {
  const get = (name: string, schema?: object, isRequired = true): object => ({
    get: operation({ parameters: [{ name, in: "header", required: isRequired, schema }] }),
  });

  it("have the version that the document is written for, though no operation requires it", async () => {
    const version = get("Shop-Version", { default: "2024-05" }, false);
    const { record } = await read({ ...base, paths: { "/a": version, "/b": version } });
    expect(record.api).toMatchObject({ headers: { "Shop-Version": "2024-05" } });
    expect(record.api.allowedHeaders).toBeUndefined();
    const other = get("X-Theme", { default: "dark" }, false);
    expect((await read({ ...base, paths: { "/a": other } })).record.api.headers).toBeUndefined();
  });

  it("have the keys of further schemes, and each note names the variable", async () => {
    const named = (name: string): object => ({ type: "apiKey", in: "header", name });
    const securitySchemes = {
      a: named("SHOP-CLIENT"),
      b: named("SHOP-SECRET"),
      c: named("Shop-Version"),
      d: named("Token"),
    };
    const security = [{ a: [], b: [], c: [], d: [] }];
    const { record, notes } = await read({ ...base, security, components: { securitySchemes } });
    // SHOP_TOKEN is the variable of the source's own credential.
    expect(record.api.headers).toEqual({
      "SHOP-SECRET": "${SHOP_SECRET}",
      "Shop-Version": "${SHOP_VERSION_VALUE}",
      Token: "${SHOP_TOKEN_SECRET}",
    });
    expect(notes.join()).toContain(
      "SHOP-SECRET: the record sends it, from the variable SHOP_SECRET",
    );
  });
});

describe("a variable that an import names", () => {
  const named = (record: Imported["record"]): string[] => listVariables(record).sort();
  it.each([
    ["NODE", "OPTIONS", "NODE_OPTIONS_SECRET"],
    ["LD", "PRELOAD", "LD_PRELOAD_SECRET"],
    ["BASH", "ENV", "BASH_ENV_SECRET"],
    ["Python", "STARTUP", "PYTHON_STARTUP_SECRET"],
    ["7 Days", "X-App", "API_7_DAYS_X_APP_SECRET"],
    ["Shop", "X-App-Id", "SHOP_X_APP_ID"],
    ["Shop", "X-App-Key", "SHOP_X_APP_KEY"],
    ["ショップ", "PATH", "API_PATH_SECRET"],
  ])(
    "begins with the name of the source %s, and ends as a secret or an id: %s",
    async (title, name, expected) => {
      const app = { type: "apiKey", in: "header", name };
      const components = { securitySchemes: { key: bearer, app } };
      const document = { ...base, info: { title }, security: [{ key: [], app: [] }], components };
      const { record } = await read(document);
      expect(Object.values(record.api.headers ?? {})).toEqual([`\${${expected}}`]);
      const sent = `curl https://a.example/x -H 'Authorization: Bearer ab' -H '${name}: abcdefgh1234567890ab'`;
      const imported = await readDescription(sent, { name: title });
      expect(Object.keys(imported.secrets)).toEqual([expected]);
    },
  );

  it("is never another one that a document writes as text", async () => {
    const schema = { default: "${AWS_SECRET_KEY}" };
    const parameters = [{ name: "X-A", in: "header", required: true, schema }];
    const server = {
      url: "https://{host}.example/{v}",
      variables: { host: { default: "a" }, v: { default: "${HOME}" } },
    };
    const { record, notes } = await read({
      ...base,
      servers: [server],
      paths: { "/me": { get: operation({ parameters }) } },
    });
    expect(named({ ...record, api: { ...record.api, baseUrl: "https://{host}.example" } })).toEqual(
      [],
    );
    expect(notes.filter((note) => note.includes("no variable of this source"))).toHaveLength(2);
  });
});

describe("a document of several files", () => {
  const directory = useDirectory();
  const put = (name: string, content: unknown): void => {
    mkdirSync(dirname(directory(name)), { recursive: true });
    writeFileSync(directory(name), typeof content === "string" ? content : JSON.stringify(content));
  };
  const order = { type: "object", properties: { id: { $ref: "#/Id" } } };
  const top = {
    ...base,
    paths: {
      "/me": { $ref: "paths/me.yaml" },
      "/orders": { post: operation({ requestBody: { $ref: "paths/bodies.json#/Order" } }) },
      "/lost": { get: operation({ parameters: [{ $ref: "missing.json#/A" }] }) },
      "/out": { get: operation({ parameters: [{ $ref: "../out.json#/A" }] }) },
      "/web": { get: operation({ parameters: [{ $ref: "https://evil.example/a.json" }] }) },
    },
  };
  const body = { content: { "application/json": { schema: { $ref: "schemas.json#/Order" } } } };

  it("is kept with what it refers to, and no reference of the kept one leads to a file", async () => {
    put("api/top.json", top);
    put("api/paths/me.yaml", "get:\n  summary: Who am I\n  responses: {}\n");
    put("api/paths/bodies.json", { Order: body });
    put("api/paths/schemas.json", { Order: order, Id: { type: "integer", description: "its id" } });
    put("out.json", { A: { name: "secret", in: "query" } });
    const file = directory("api/top.json");
    const { document = "", notes } = await readDescription(JSON.stringify(top), { file });
    expect(notes.join()).toMatch(/not kept: .*out\.json.*evil\.example.*missing\.json/);
    expect(notes).toContain(
      "The kept document has parts of these files: paths/me.yaml, paths/bodies.json, paths/schemas.json.",
    );
    // Where the kept one is, files of the same names must not be read.
    put("sources/shop.openapi.json", document);
    for (const name of ["missing.json", "out.json", "paths/me.yaml", "paths/bodies.json"])
      put(`sources/${name}`, { get: { summary: "another" }, A: { name: "trap", in: "query" } });
    const kept = await loadApiDocument(directory("sources/shop.openapi.json"));
    const describe = (path: string): string =>
      JSON.stringify(
        kept.operations
          .filter((each) => each.path === path)
          .map((route) => readOperation(kept, route)),
      );
    expect(describe("/me")).toContain("Who am I");
    const [, orders] = kept.operations;
    const schema = orders && readOperation(kept, orders).body?.media[0]?.schema;
    const { id }: { readonly id?: unknown } = Object(kept.follow(schema)["properties"]);
    expect(kept.follow(id)).toEqual({ type: "integer", description: "its id" });
    expect(document + describe("/lost") + describe("/out")).not.toMatch(/trap|"secret"/);
    expect([...kept.unfollowed].join()).toMatch(/missing\.json/);
  });

  it.each<[string, unknown]>([
    [".env", "KEY: hunter2\n"],
    [".aws/keys.json", { type: "string", description: "hunter2" }],
    ["key.pem", "hunter2"],
    ["linked.json", undefined],
    ["account.json", { type: "service_account", private_key: "hunter2" }],
    ["client.json", { installed: { client_secret: "hunter2" } }],
    ["profiles.yaml", { default: { api_key: "hunter2" } }],
    ["client.yaml", { servers: { a: { headers: { Authorization: "hunter2" } } } }],
    ["base.yaml", { production: { url: "postgres://ada:hunter2@db.example:5432/shop" } }],
    ["rows.json", [{ key: "hunter2" }]],
    ["rest.json#/wanted", { wanted: { type: "string" }, other: { description: "hunter2" } }],
  ])("is kept without what is no part of the document: %s", async (reference, content) => {
    put("safe/.secret.json", { description: "hunter2" });
    if (content === undefined)
      symlinkSync(directory("safe/.secret.json"), directory("safe/linked.json"));
    else put(`safe/${reference.split("#")[0]}`, content);
    const schema = { $ref: reference };
    const responses = { 200: { description: "ok", content: { "application/json": { schema } } } };
    const text = JSON.stringify({ ...base, paths: { "/me": { get: { responses } } } });
    put("safe/top.json", text);
    const read = await readDescription(text, { file: directory("safe/top.json") });
    expect(read.notes.join()).toContain(reference.split("#")[0]);
    expect(JSON.stringify(read)).not.toContain("hunter2");
    const running = await loadApiDocument(directory("safe/top.json"));
    const [own] = running.operations.map((route) => readOperation(running, route));
    const used = own?.answers[0]?.media[0]?.schema;
    expect(used).toHaveProperty("$ref");
    const shown = running.follow(used);
    if (!/^(account|base|client|profiles|rest)/.test(reference)) expect(shown).toEqual({});
  });

  it("given as a text is kept with references that lead to nothing", async () => {
    const { document = "", notes } = await readDescription(JSON.stringify(top));
    put("sources/shop.openapi.json", document);
    put("sources/paths/me.yaml", "get: { summary: trap, responses: {} }");
    const kept = await loadApiDocument(directory("sources/shop.openapi.json"));
    expect(kept.operations.map(({ path }) => path)).not.toContain("/me");
    expect(notes.join()).toContain("paths/me.yaml");
    expect([...kept.unfollowed]).toContain("paths/me.yaml");
  });
});

describe("what operations require", () => {
  const require = (name: string, schema: object = { type: "string" }): object => ({
    name,
    in: "header",
    required: true,
    schema,
  });
  const secured = (parameters: readonly object[], more: object = {}): object =>
    operation({ parameters, ...more });
  const withPaths = (paths: object): object => withScheme(bearer, { paths });

  it("of identity and access goes into the headers of the record, as a variable", async () => {
    const paths = {
      "/a": { get: secured([require("xero-tenant-id")]) },
      "/b": { get: secured([require("Xero-Tenant-Id")]) },
    };
    const { record, notes } = await read({ ...withPaths(paths), info: { title: "Xero" } });
    expect(record.api.headers).toEqual({ "Xero-Tenant-Id": "${XERO_TENANT_ID}" });
    expect([record.api.allowedHeaders, record.api.testEndpoint]).toEqual([undefined, "/a"]);
    expect(notes.join()).toContain("Operations require Xero-Tenant-Id");
  });

  it("of a credential goes there as a variable, whatever value the document has for it", async () => {
    const paths = { "/a": { get: secured([require("X-Pin", { default: "1234" })]) } };
    const { record } = await read({ ...withPaths(paths), info: { title: "Xero" } });
    expect(record.api.headers).toEqual({ "X-Pin": "${XERO_X_PIN_VALUE}" });
  });

  it.each<[string, object, string | undefined]>([
    ["a default", { default: "2024-01" }, "2024-01"],
    ["a constant", { const: "2" }, "2"],
    ["a number", { default: 2 }, "2"],
    ["one enumerated value", { enum: ["v1"] }, "v1"],
    ["a schema behind a reference", { $ref: "#/components/schemas/V" }, "v9"],
    ["two enumerated values", { enum: ["a", "b"] }, undefined],
  ])("with %s is written with it", async (_what, schema, value) => {
    const paths = { "/a": { get: secured([require("X-Api-Version", schema)]) } };
    const document = withPaths(paths) as { components: object };
    const components = { ...document.components, schemas: { V: { enum: ["v9"] } } };
    const { record } = await read({ ...document, components });
    expect(record.api.headers).toEqual(
      value === undefined ? undefined : { "X-Api-Version": value },
    );
  });

  it("by few operations and is of a kind that no call may set is permitted, with all others", async () => {
    const few = [require("X-On-Behalf-Of"), require("X-Page-Color")];
    const get = operation();
    const paths = { "/a": { get: secured(few) }, "/b": { get }, "/c": { get } };
    const { record, notes } = await read(withPaths(paths));
    expect(record.api.allowedHeaders).toEqual(["X-On-Behalf-Of", "X-Page-Color"]);
    expect(notes.join()).toContain("allowedHeaders");
    expect(notes.join()).not.toContain("also closes");
    const optional = { name: "X-Theme", in: "header", schema: { type: "string" } };
    const open = { ...paths, "/b": { get: operation({ parameters: [optional] }) } };
    const closed = (await read(withPaths(open))).notes.join();
    expect(closed).toContain("also closes headers that operations may have, such as X-Theme:");
    for (const name of ["X-Page-Color", "X-Auth-Token"]) {
      const other = { "/a": { get: secured([require(name)]) }, "/b": { get }, "/c": { get } };
      expect((await read(withPaths(other))).record.api.allowedHeaders).toBeUndefined();
    }
  });

  it("of bodies is a bodyFormat where all agree", async () => {
    const post = (...types: readonly string[]): object => ({
      post: operation({
        requestBody: { content: Object.fromEntries(types.map((type) => [type, {}])) },
      }),
    });
    const form = "application/x-www-form-urlencoded";
    const formatOf = async (paths: object) => (await read(withPaths(paths))).record.api.bodyFormat;
    expect(await formatOf({ "/a": post(form), "/b": post(form, "multipart/form-data") })).toBe(
      "form",
    );
    expect(await formatOf({ "/a": post("multipart/form-data") })).toBe("multipart");
    expect(await formatOf({ "/a": post(form), "/b": post("application/json") })).toBeUndefined();
    expect(await formatOf({ "/a": post(form, "application/json") })).toBeUndefined();
    expect(await formatOf({ "/a": post(form), "/b": post("text/xml") })).toBeUndefined();
  });

  it("of credentials is what most operations require, and only such an operation is a test", async () => {
    const securitySchemes = { a: bearer, b: { type: "http", scheme: "basic" } };
    const of = (...names: readonly string[]): object => ({
      get: operation({ security: names.map((name) => ({ [name]: [] })) }),
    });
    const document = { ...base, security: [{ a: [] }], components: { securitySchemes } };
    const most = await read({
      ...document,
      paths: { "/me": of("b"), "/x": { get: operation() }, "/y": { get: operation() } },
    });
    expect([most.record.api.authType, most.record.api.testEndpoint]).toEqual(["bearer", "/x"]);
    const none = await read({
      ...document,
      paths: { "/me": { get: operation({ security: [] }) }, "/y/{id}": { get: operation() } },
    });
    expect([none.record.api.authType, none.record.api.testEndpoint]).toEqual(["bearer", undefined]);
    expect(none.notes.join()).toContain("requires the credential");
  });

  it("of a server is named: a relative one with the flag, a placeholder with its default", async () => {
    const relative = await read({ ...base, servers: [{ url: "/api/v2" }] });
    expect(relative.notes.join()).toContain("--base-url https://HOST/api/v2");
    const server = {
      url: "{scheme}://{region}.shop.example",
      variables: { scheme: { default: "https" }, region: { default: "eu" } },
    };
    const { record, notes } = await read({ ...base, servers: [server] });
    expect(record.api).toMatchObject({
      baseUrl: "https://{region}.shop.example",
      variables: { region: "eu" },
    });
    expect(notes.join()).toContain("{region} is eu");
  });
});

describe("OAuth 2 in a document", () => {
  const [tokenUrl, authorizationUrl] = [
    "https://id.shop.example/token",
    "https://id.shop.example/agree",
  ];
  const scopes = { read: "", write: "" };
  const client = { clientId: "${SHOP_CLIENT_ID}", clientSecret: "${SHOP_CLIENT_SECRET}" };
  const oauth = (flows: object, more: object = {}): object =>
    withScheme({ type: "oauth2", flows }, more);
  const person = { authorizationUrl, tokenUrl, scopes };
  it.each<[string, object, object | undefined]>([
    [
      "client credentials, before a grant that needs a person",
      oauth({ authorizationCode: person, clientCredentials: { tokenUrl, scopes } }),
      { grant: "client_credentials", tokenUrl, ...client },
    ],
    [
      "an authorization code, with the scopes that reading needs",
      oauth(
        { authorizationCode: person },
        {
          paths: {
            "/me": {
              get: operation({ security: [{ main: ["read"] }] }),
              post: operation({ security: [{ main: ["write"] }] }),
            },
          },
        },
      ),
      { grant: "authorization_code", tokenUrl, authorizationUrl, ...client, scopes: ["read"] },
    ],
    [
      "a device code",
      oauth({
        deviceAuthorization: { deviceAuthorizationUrl: authorizationUrl, tokenUrl, scopes },
      }),
      { grant: "device_code", tokenUrl, deviceAuthorizationUrl: authorizationUrl, ...client },
    ],
    [
      "the second of two that are required together",
      {
        ...base,
        security: [{ implicit: [], code: [] }],
        components: {
          securitySchemes: {
            implicit: { type: "oauth2", flows: { implicit: { authorizationUrl, scopes } } },
            code: { type: "oauth2", flows: { authorizationCode: person } },
          },
        },
      },
      { grant: "authorization_code", tokenUrl, authorizationUrl, ...client },
    ],
    [
      "an address below a server with a variable",
      oauth(
        { clientCredentials: { tokenUrl: "/token" } },
        {
          servers: [
            { url: "https://{region}.shop.example", variables: { region: { default: "eu" } } },
          ],
        },
      ),
      { grant: "client_credentials", tokenUrl: "https://eu.shop.example/token", ...client },
    ],
    [
      "an address below the server",
      oauth({ clientCredentials: { tokenUrl: "/oauth/token", scopes } }),
      { grant: "client_credentials", tokenUrl: "https://api.shop.example/oauth/token", ...client },
    ],
    [
      "Swagger 2",
      {
        ...swagger,
        info: { title: "Shop" },
        security: [{ main: [] }],
        securityDefinitions: { main: { type: "oauth2", flow: "application", tokenUrl, scopes } },
      },
      { grant: "client_credentials", tokenUrl, ...client },
    ],
    [
      "the implicit grant alone, which a record can't express",
      oauth({ implicit: person }),
      undefined,
    ],
    [
      "an address that is only the server",
      oauth({ authorizationCode: { authorizationUrl: "/", tokenUrl: "/", scopes } }),
      undefined,
    ],
    [
      "an address that is not https",
      oauth({ clientCredentials: { tokenUrl: "http://x.example/t" } }),
      undefined,
    ],
  ])("becomes `oauth2`: %s", async (_what, document, expected) => {
    const { record, notes } = await read(document);
    expect([record.api.authType, record.api.oauth2]).toEqual(["bearer", expected]);
    expect(notes.join().includes("--oauth2")).toBe(expected === undefined);
    expect(() => parseSource(record)).not.toThrow();
  });
});

describe("the server of a document", () => {
  const region = { default: "eu", enum: ["eu"] };
  const scheme = { default: "http", enum: ["http", "https"] };
  const withServer = (url: string, variables?: object): object => ({
    ...base,
    servers: [{ url, variables }],
  });
  it.each<[string, object, string, object | undefined]>([
    ["without its last slash", base, "https://api.shop.example/v1", undefined],
    [
      "with its variables",
      withServer("https://{region}.shop.example", { region, other: { default: "x" } }),
      "https://{region}.shop.example",
      { region: "eu" },
    ],
    [
      "with its scheme filled in, as https on the internet",
      withServer("{scheme}://shop.example/{version}", { scheme, version: { default: "v1" } }),
      "https://shop.example/{version}",
      { version: "v1" },
    ],
    [
      "with the value of a variable that a record can't name",
      withServer("https://shop.example/{$$.env.shop}/{version}", {
        "$$.env.shop": { default: "shop1" },
        version: { default: "v1" },
      }),
      "https://shop.example/shop1/{version}",
      { version: "v1" },
    ],
    ["of Swagger 2, https first", swagger, "https://pets.example/v2", undefined],
    ["relative, which is none", withServer("/v3"), "", undefined],
    [
      "without a value for its variable, which is none",
      withServer("https://{shop}.example"),
      "",
      undefined,
    ],
    ["without a scheme", withServer("//shop.example/v1"), "https://shop.example/v1", undefined],
    [
      "of http on the internet, as https",
      withServer("http://shop.example"),
      "https://shop.example",
      undefined,
    ],
    [
      "of http on this machine",
      withServer("http://localhost/v1"),
      "http://localhost/v1",
      undefined,
    ],
    [
      "of http at a port",
      withServer("http://shop.example:8080"),
      "http://shop.example:8080",
      undefined,
    ],
  ])("%s", async (_what, document, baseUrl, variables) => {
    const { record, notes } = await read(document);
    expect([record.api.baseUrl, record.api.variables]).toEqual([baseUrl, variables]);
    if (baseUrl === "") expect(notes.join()).toContain("--base-url");
  });

  it("is the first with a host, where one before it has none", async () => {
    const servers = [{ url: "/" }, { url: "https://two.shop.example" }];
    const { record } = await read({ ...base, servers });
    expect(record.api.baseUrl).toBe("https://two.shop.example");
  });

  it("is the one that most operations name as their own, where that is at another host", async () => {
    const own = { get: operation(), servers: [{ url: "https://maps.shop.example/v2/" }] };
    const below = { get: operation(), servers: [{ url: "https://api.shop.example/v2" }] };
    const servers = [{ url: "https://api.shop.example" }];
    const withOwn = (paths: object): object => ({ ...base, servers, paths });
    const most = await read(withOwn({ "/a": own, "/b": own, "/c": { get: operation() } }));
    expect(most.record.api.baseUrl).toBe("https://maps.shop.example/v2");
    expect(most.notes.join()).toContain("which most operations name as their own server");
    for (const paths of [
      { "/a": own, "/b": { get: operation() } },
      { "/a": below, "/b": below },
    ])
      expect((await read(withOwn(paths))).record.api.baseUrl).toBe("https://api.shop.example");
  });

  it.each<[string, object, boolean]>([
    ["https://{host}/v1", { host: { default: "unknown" } }, true],
    ["https://{domain}", { domain: { default: "your-tenant.shop.example" } }, true],
    ["https://{sub}.shop.example", { sub: { default: "subdomain" } }, true],
    ["https://api.example.com/v1", {}, true],
    ["https://{region}.shop.example", { region }, false],
    ["http://{host}:8080", { host: { default: "localhost" } }, false],
    ["https://yourls.org", {}, false],
  ])("%s is noted as a placeholder where it is one", async (url, variables, isNoted) => {
    const { notes } = await read(withServer(url, variables));
    expect(notes.join().includes("looks like a placeholder")).toBe(isNoted);
  });

  it("is the one that is given, with its variables", async () => {
    const [one, two] = [
      { url: "https://one.shop.example" },
      { url: "https://{region}.shop.example/", variables: { region } },
    ];
    const { record } = await read(
      { ...base, servers: [one, two] },
      { baseUrl: "https://{region}.shop.example" },
    );
    expect(record.api).toMatchObject({
      baseUrl: "https://{region}.shop.example",
      variables: { region: "eu" },
    });
  });
});

describe("the test endpoint of a document", () => {
  const get = operation();
  const needing = (...parameters: object[]): object => ({ get: operation({ parameters }) });
  const header = (name: string, more: object = {}): object => ({
    name,
    in: "header",
    required: true,
    ...more,
  });
  it.each<[string, object, string | undefined]>([
    [
      "tells who is asking, before shorter paths",
      { "/a": { get }, "/users/me": { get } },
      "/users/me",
    ],
    [
      "may need headers that the package or the record sets",
      {
        "/me": needing(
          header("Content-Type"),
          header("token"),
          header("Version", { schema: { enum: ["2"] } }),
        ),
        "/longer": { get },
      },
      "/me",
    ],
    [
      "is short otherwise, with a small page",
      { "/orders/all": { get }, "/orders": needing({ name: "per_page", in: "query" }) },
      "/orders?per_page=1",
    ],
    [
      "has no required parameters",
      { "/find": needing({ name: "q", in: "query", required: true }), "/articles": { get } },
      "/articles",
    ],
    ["has no parameters in its path", { "/a/{id}": { get }, "/articles": { get } }, "/articles"],
    [
      "is secured",
      { "/ping": { get: operation({ security: [] }) }, "/invoices": { get } },
      "/invoices",
    ],
    [
      "is not deprecated",
      { "/old": { get: operation({ deprecated: true }) }, "/newer": { get } },
      "/newer",
    ],
    [
      "needs the credential, which is not optional",
      { "/a": { get: operation({ security: [{ main: [] }, {}] }) }, "/articles": { get } },
      "/articles",
    ],
    ["is a GET", { "/a": { post: get }, "/b/{id}": { get } }, undefined],
    [
      "has no body",
      { "/me": { get: operation({ requestBody: {} }) }, "/articles": { get } },
      "/articles",
    ],
    [
      "answers with content",
      { "/a": { get: operation({ responses: { 302: {} } }) }, "/articles": { get } },
      "/articles",
    ],
    [
      "ends no session",
      { "/logout": { get }, "/sign-out": { get }, "/articles": { get } },
      "/articles",
    ],
  ])("%s", async (_what, paths, expected) => {
    expect((await read(withScheme(bearer, { paths }))).record.api.testEndpoint).toBe(expected);
  });

  it.each<[string, string, string, string | undefined]>([
    ["Shop API", "Orders and articles.\nMore words.", "Shop", "Orders and articles."],
    [
      "Shop OpenAPI Specification",
      "# Shop\n\nThe **shop** of [us](https://a.example).",
      "Shop",
      "The shop of us.",
    ],
    [
      "Shop's OpenAPI spec + more",
      "OpenAPI document of the shop. All orders.",
      "Shop",
      "All orders.",
    ],
    [
      "Shop HTTP API (Preview)",
      "All orders from Sept. 18 on. More.",
      "Shop",
      "All orders from Sept. 18 on.",
    ],
    ["Shop's API documentation", "Orders.", "Shop", "Orders."],
    ["API Reference", "*New:* orders", "Shop", "New: orders"],
    ["The official Swagger file", "<p>Orders.</p>", "Shop", "Orders."],
  ])("is beside a name and a tagline: %s", async (title, description, name, tagline) => {
    const { record } = await read({ ...base, info: { title, description } });
    expect([record.name, record.tagline]).toEqual([name, tagline]);
  });

  it("may need the token of a bearer scheme where the record gets one by OAuth, and of no other scheme", async () => {
    const oauth = { type: "oauth2", flows: {} };
    const of = (main: object, other: object): Promise<Imported> => {
      const get = (name: string): object => ({ get: operation({ security: [{ [name]: [] }] }) });
      const securitySchemes = { main, other };
      const paths = { "/a/{id}": get("main"), "/b/{id}": get("main"), "/me": get("other") };
      return read({ ...base, paths, components: { securitySchemes } });
    };
    expect((await of(oauth, bearer)).record.api.testEndpoint).toBe("/me");
    expect((await of(bearer, { ...bearer })).record.api.testEndpoint).toBeUndefined();
  });

  it("needs no header that most operations ask for with the same value: it is set for all calls", async () => {
    const accept = "application/vnd.shop+json;version=2";
    const version = header("Accept", { schema: { default: accept } });
    const paths = {
      "/a": needing(version, header("X-Mode", { schema: { const: "fast" } })),
      "/b": needing(version),
      "/c": { get },
    };
    expect((await read({ ...base, paths })).record.api.headers).toEqual({ Accept: accept });
    // By the name of the credential's header, by a name, and by looks.
    const preset = (name: string, value: string) => header(name, { schema: { default: value } });
    const looks = preset("X-Other", "8f3ca91b22de4470aa10b6");
    const secret = {
      "/a": needing(preset("x-shop", "t0ps3cret"), preset("X-Session", "hunter2"), looks),
    };
    expect((await read({ ...key("X-Shop"), paths: secret })).record.api.headers).toEqual({
      "X-Session": "${SHOP_X_SESSION_SECRET}",
    });
  });
});

describe("a Postman collection", () => {
  const request = { method: "GET", header: [], url: { raw: "{{baseUrl}}/orders" } };
  const collection = (more: object = {}): object => ({
    info: {
      name: "Shop",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: [{ key: "baseUrl", value: "https://api.shop.example/v1" }],
    item: [
      { name: "Orders", item: [{ name: "List orders", request }] },
      { name: "One order", request: { method: "GET", url: "{{baseUrl}}/orders/:id" } },
    ],
    ...more,
  });
  const auth = (type: string, entries: object): object => ({
    type,
    [type]: Object.entries(entries).map(([name, value]) => ({ key: name, value })),
  });
  const token = { token: "t0ps3cret" };

  const ada = { username: "ada", password: "t0ps3cret" };
  const inQuery = { key: "k", value: "t0ps3cret", in: "query" };

  it.each<[string, object, string, unknown]>([
    ["version 2.0", { type: "basic", basic: ada }, "basic", ada],
    ["bearer", auth("bearer", token), "bearer", token],
    ["bearer with a variable", auth("bearer", { token: "{{token}}" }), "bearer", undefined],
    ["basic", auth("basic", ada), "basic", ada],
    [
      "a key in a header",
      auth("apikey", { key: "X-Shop", value: "t0ps3cret" }),
      "header:X-Shop",
      token,
    ],
    ["a key in the query", auth("apikey", inQuery), "query:k", token],
    ["OAuth 2", auth("oauth2", { accessToken: "t0ps3cret" }), "bearer", token],
    ["none", { type: "noauth" }, "", undefined],
  ])(
    "gives the record and keeps the secret out of it: %s",
    async (_what, given, expected, credential) => {
      const imported = await read(collection({ auth: given }));
      const { record, notes } = imported;
      const found = { baseUrl: "https://api.shop.example/v1", testEndpoint: "/orders" };
      expect(record.api).toMatchObject(found);
      expect(sayAuth(record.api)).toBe(expected);
      expect(record.api.endpoints?.map(({ path }) => path).sort()).toEqual([
        "/orders",
        "/orders/{id}",
      ]);
      expect(imported.credential).toEqual(credential);
      expect(JSON.stringify([record, notes])).not.toContain("t0ps3cret");
      expect(() => parseSource(record)).not.toThrow();
    },
  );

  it("keeps what it marks as secret out of the record, wherever a request has it", async () => {
    const variable = [
      { key: "baseUrl", value: "https://api.shop.example/v1" },
      { key: "one", value: "t0ps3cret", type: "secret" },
      { key: "two", value: "s3cond", type: "secret" },
    ];
    const url = { raw: "{{baseUrl}}/{{two}}/orders?mode={{two}}" };
    const header = [
      { key: "X-Shop", value: "v1 {{one}}" },
      { key: "X-Copy", value: "s3cond" },
    ];
    const imported = await read(
      collection({ variable, item: [{ request: { header, url } }, { request }] }),
    );
    expect(JSON.stringify(imported.record)).not.toMatch(/t0ps3cret|s3cond/);
    expect(imported.credential).toEqual({ token: "v1 t0ps3cret" });
    expect(imported.secrets).toEqual({ SHOP_X_COPY_SECRET: "s3cond", SHOP_MODE_SECRET: "s3cond" });
    expect(imported.record.api.testEndpoint).toBe("/orders");
  });

  it.each([
    ["secret_key", "{{env_key}}"],
    ["password", "hunter2"],
    ["api_key", "hunter2"],
    ["accessToken", "hunter2"],
  ])("keeps the value of a variable that is named %s out of the record", async (key, value) => {
    const variable = [
      { key: "baseUrl", value: "https://api.shop.example/v1" },
      { key: "auth_url", value: "https://login.shop.example" },
      { key: "env_key", value: "hunter2" },
      { key, value },
    ];
    const url = { raw: `{{baseUrl}}/{{${key}}}/orders?client={{${key}}}` };
    const header = [
      { key: "X-Foo", value: `Key {{${key}}}` },
      { key: "X-Login", value: "{{auth_url}}" },
    ];
    const { record, secrets, credential } = await read(
      collection({ variable, item: [{ request: { header, url } }] }),
    );
    expect(JSON.stringify(record)).not.toContain("hunter2");
    expect(record.api).toMatchObject({
      headerName: "X-Foo",
      headers: { "X-Login": "https://login.shop.example" },
      query: { client: "${SHOP_CLIENT_SECRET}" },
    });
    expect([credential, secrets]).toEqual([
      { token: "Key hunter2" },
      { SHOP_CLIENT_SECRET: "hunter2" },
    ]);
  });

  it("may have its URLs in parts, and variables in place of values", async () => {
    const query = [
      { key: "a", value: "1" },
      { key: "b", value: "2", disabled: true },
    ];
    const inParts = {
      header: [{ key: "X-Lang", value: "<string>" }],
      url: { host: ["{{baseUrl}}"], path: ["me"], query },
    };
    const { record } = await read(collection({ item: [{ request: inParts }] }));
    expect(record.api).toEqual({ baseUrl: "https://api.shop.example/v1", testEndpoint: "/me?a=1" });
  });

  it("may be of version 2.0: headers as lines of a text, variables with an id, an address without a scheme", async () => {
    // A pattern would take hours for the spaces.
    const noHeader = `${" ".repeat(100_000)}no header`;
    const header = `Accept: application/json\n${noHeader}\n X-Shop-Key : {{key}}\n`;
    const variable = [{ id: "key", value: "t0ps3cret" }];
    const item = [{ request: { method: "GET", header, url: { raw: "api.shop.example/v1/me" } } }];
    const { record, credential, notes } = await read(collection({ variable, item }));
    expect(record.api).toEqual({
      baseUrl: "https://api.shop.example/v1",
      authType: "header",
      headerName: "X-Shop-Key",
      testEndpoint: "/me",
    });
    expect(credential).toEqual(token);
    expect(notes.join()).toContain("no scheme");
  });

  it("takes the base URL that is given where its variable has no value", async () => {
    const document = collection({ variable: [] });
    await expect(read(document)).rejects.toMatchObject({
      hint: expect.stringContaining("--base-url"),
    });
    const { record } = await read(document, { baseUrl: "https://eu.shop.example/v2" });
    expect(record.api).toMatchObject({
      baseUrl: "https://eu.shop.example/v2",
      testEndpoint: "/orders",
    });
  });

  it("gives the server that most requests go to, and the credential of that one", async () => {
    const token = [{ key: "Authorization", value: "Bearer t0ps3cret" }];
    const item = [
      "https://stats.example/api/hit",
      "https://api.shop.example/v1/orders",
      "https://api.shop.example/v1/me",
    ].map((url) => ({ request: { url, header: url.includes("shop") ? token : [] } }));
    const info = {
      name: "Shop",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    };
    const { record, credential, notes } = await read({ info, item });
    expect(record.api).toMatchObject({
      baseUrl: "https://api.shop.example/v1",
      testEndpoint: "/me",
    });
    expect(credential).toEqual({ token: "t0ps3cret" });
    expect(notes.join()).toContain("https://api.shop.example/v1, https://stats.example/api");
  });
});

describe("a hostile document", () => {
  const lol = Array.from("bcdefghij", (name, index) => {
    const last = "abcdefghij"[index];
    return `${name}: &${name} [${`*${last},`.repeat(9)}]`;
  });
  it.each<[string, string]>([
    ["a YAML bomb", ["openapi: 3.0.0", "a: &a [x,x,x,x,x,x,x,x,x]", ...lol].join("\n")],
    ["YAML of one wide anchor", `a: &a [${"x, ".repeat(10_000)}]\nb: [${"*a, ".repeat(190)}]`],
    ["YAML that stands within itself", "openapi: 3.0.0\npaths: &p { /a: *p }"],
    ["brackets a hundred thousand deep", "[".repeat(100_000)],
    ["maps a hundred thousand deep in YAML", `a: ${"{a: ".repeat(100_000)}`],
    [
      "an extension ten thousand deep",
      `{"openapi":"3.0.0","x-a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
    ],
    ["dashes a million deep", "- ".repeat(1_000_000)],
    ["YAML that is too large", `# ${"x".repeat(10_000_001)}`],
    ["broken YAML", 'openapi: "3.0\ninfo: [t0ps3cret'],
    ["a list", "[1]"],
    ["an object of another kind", '{"a":1}'],
    ["an empty Postman collection", '{"info":{"name":"a","schema":"b"},"item":[]}'],
  ])("is refused in bounded time: %s", async (_what, text) => {
    const error: unknown = await readDescription(text).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ category: "invalid_input" });
    expect(String(error)).not.toContain("t0ps3cret");
  });

  it("with references in a circle, or to elsewhere, reads as one without content there", async () => {
    const loop = { $ref: "#/components/securitySchemes/main" };
    const paths = {
      "/me": { get: operation({ parameters: [loop] }) },
      "/a": { $ref: "#/paths/~1a" },
      "/x": { $ref: "http://127.0.0.1:1/x.yaml" },
    };
    const { record, notes } = await read(withScheme(loop, { paths }));
    expect(record.api).toMatchObject({ testEndpoint: "/me" });
    expect(record.api.authType).toBeUndefined();
    expect(notes.join()).toContain("not followed");
  });
});
