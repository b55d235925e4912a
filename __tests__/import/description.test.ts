/** OpenAPI, Swagger, Postman and HAR documents become records that load; hostile ones are refused in bounded time. */

import { describe, expect, it } from "@jest/globals";
import { stringify } from "yaml";
import { readDescription } from "../../src/import/read-description.js";
import { parseSource } from "../../src/source/parse-source.js";

const operation = (more: object = {}): object => ({ responses: {}, ...more });
const base = {
  openapi: "3.1.0",
  info: { title: "Shop API", version: "1", description: "Orders and articles.\nMore words." },
  servers: [{ url: "https://api.shop.example/v1/" }],
  paths: { "/me": { get: operation() } },
};
const withScheme = (scheme: object, more: object = {}): object => ({
  ...base,
  security: [{ main: [] }],
  components: { securitySchemes: { main: scheme } },
  ...more,
});
const swagger = {
  swagger: "2.0",
  info: { title: "Pets", version: "1" },
  host: "pets.example",
  basePath: "/v2",
  schemes: ["http", "https"],
  paths: { "/pets": { get: operation() } },
};

describe("the security scheme of a document", () => {
  it.each<[string, object, object]>([
    ["http bearer", withScheme({ type: "http", scheme: "bearer" }), { authType: "bearer" }],
    ["http basic", withScheme({ type: "http", scheme: "Basic" }), { authType: "basic" }],
    [
      "http with a word of its own",
      withScheme({ type: "http", scheme: "Token" }),
      { authType: "bearer", authScheme: "Token" },
    ],
    [
      "a key in a header",
      withScheme({ type: "apiKey", in: "header", name: "X-Key" }),
      { authType: "header", headerName: "X-Key" },
    ],
    [
      "a key in the query",
      withScheme({ type: "apiKey", in: "query", name: "key" }),
      { authType: "query", queryParam: "key" },
    ],
    [
      "a bare key in Authorization",
      withScheme({ type: "apiKey", in: "header", name: "Authorization" }),
      { authType: "bearer", authScheme: "" },
    ],
    [
      "a key in Authorization after a word, as Codat puts it",
      withScheme({
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: 'The word "Basic" followed by a space and your API key.',
      }),
      { authType: "bearer", authScheme: "Basic" },
    ],
    [
      "a key in Authorization after a word, as drf-spectacular puts it",
      withScheme({
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: 'Token-based authentication with required prefix "Token"',
      }),
      { authType: "bearer", authScheme: "Token" },
    ],
    [
      "a key in Authorization after Bearer",
      withScheme({
        type: "apiKey",
        in: "header",
        name: "Authorization",
        description: "Use `Bearer <key>`",
      }),
      { authType: "bearer" },
    ],
    ["OAuth 2", withScheme({ type: "oauth2", flows: {} }), { authType: "bearer" }],
    ["OpenID Connect", withScheme({ type: "openIdConnect", openIdConnectUrl: "x" }), { authType: "bearer" }],
    ["none", base, {}],
    [
      "a scheme behind a reference",
      {
        ...withScheme({ $ref: "#/components/x-more/a~1b" }),
        components: {
          "x-more": { "a/b": { type: "http", scheme: "basic" } },
          securitySchemes: { main: { $ref: "#/components/x-more/a~1b" } },
        },
      },
      { authType: "basic" },
    ],
    [
      "basic of Swagger 2",
      { ...swagger, securityDefinitions: { b: { type: "basic" } }, security: [{ b: [] }] },
      { authType: "basic" },
    ],
    [
      "a key of Swagger 2",
      { ...swagger, securityDefinitions: { k: { type: "apiKey", in: "query", name: "api_key" } } },
      { authType: "query", queryParam: "api_key" },
    ],
    [
      "OAuth 2 of Swagger 2",
      { ...swagger, securityDefinitions: { o: { type: "oauth2", flow: "implicit" } } },
      { authType: "bearer" },
    ],
    [
      "a secured operation, not the document",
      {
        ...withScheme({ type: "http", scheme: "bearer" }),
        security: undefined,
        paths: { "/me": { get: operation({ security: [{ main: [] }] }) } },
      },
      { authType: "bearer" },
    ],
  ])("%s gives the authType, in JSON and in YAML", async (_what, document, expected) => {
    for (const text of [JSON.stringify(document), stringify(JSON.parse(JSON.stringify(document)))]) {
      const { record } = await readDescription(text);
      const { authType, headerName, queryParam, authScheme } = record.api;
      expect(JSON.parse(JSON.stringify({ authType, headerName, queryParam, authScheme }))).toEqual(expected);
      expect(() => parseSource(record)).not.toThrow();
    }
  });

  it.each([
    ["a cookie", { type: "apiKey", in: "cookie", name: "sid" }],
    ["digest", { type: "http", scheme: "digest" }],
    ["mutual TLS", { type: "mutualTLS" }],
  ])("that a record can't express is listed: %s", async (_what, scheme) => {
    const { record, notes } = await readDescription(JSON.stringify(withScheme(scheme)));
    expect(record.api.authType).toBeUndefined();
    expect(notes.join()).toContain("can't be expressed");
  });

  it("that is not there is said, and left to whoever imports it", async () => {
    const { knowsAuth, notes } = await readDescription(JSON.stringify(base));
    expect([knowsAuth, notes.join()]).toEqual([false, expect.stringContaining("--auth")]);
  });

  it("takes two keys that are asked for together, the second as a variable", async () => {
    const document = {
      ...base,
      security: [{ key: [], app: [] }],
      components: {
        securitySchemes: {
          key: { type: "apiKey", in: "header", name: "X-Key" },
          app: { type: "apiKey", in: "query", name: "app-id" },
        },
      },
    };
    const { record } = await readDescription(JSON.stringify(document));
    expect(record.api).toMatchObject({
      authType: "header",
      headerName: "X-Key",
      query: { "app-id": "${SHOP_APP_ID}" },
    });
  });

  it("is the one that is named", async () => {
    const schemes = { a: { type: "http", scheme: "bearer" }, b: { type: "http", scheme: "basic" } };
    const text = JSON.stringify({
      ...base,
      security: [{ a: [] }, { b: [] }],
      components: { securitySchemes: schemes },
    });
    expect((await readDescription(text)).schemes).toEqual(["a", "b"]);
    expect((await readDescription(text, { scheme: "b" })).record.api.authType).toBe("basic");
    await expect(readDescription(text, { scheme: "c" })).rejects.toMatchObject({ category: "invalid_input" });
  });
});

describe("the server of a document", () => {
  it.each<[string, object, string, object | undefined]>([
    ["without its last slash", base, "https://api.shop.example/v1", undefined],
    [
      "with its variables",
      {
        ...base,
        servers: [
          {
            url: "https://{region}.shop.example",
            variables: { region: { default: "eu", enum: ["eu"] }, other: { default: "x" } },
          },
        ],
      },
      "https://{region}.shop.example",
      { region: "eu" },
    ],
    [
      "with its scheme filled in, https first",
      {
        ...base,
        servers: [
          {
            url: "{scheme}://shop.example/{version}",
            variables: {
              scheme: { default: "http", enum: ["http", "https"] },
              version: { default: "v1" },
            },
          },
        ],
      },
      "https://shop.example/{version}",
      { version: "v1" },
    ],
    ["of Swagger 2, https first", swagger, "https://pets.example/v2", undefined],
    [
      "of Swagger 2 without schemes",
      { ...swagger, schemes: undefined, basePath: "/" },
      "https://pets.example",
      undefined,
    ],
    ["relative, which is none", { ...base, servers: [{ url: "/v3" }] }, "", undefined],
    ["missing", { ...base, servers: undefined }, "", undefined],
  ])("%s", async (_what, document, baseUrl, variables) => {
    const { record, notes } = await readDescription(JSON.stringify(document));
    expect([record.api.baseUrl, record.api.variables]).toEqual([baseUrl, variables]);
    if (baseUrl === "") expect(notes.join()).toContain("--base-url");
  });

  it("is the one of the number", async () => {
    const text = JSON.stringify({
      ...base,
      servers: [{ url: "https://a.example" }, { url: "https://b.example" }],
    });
    const { servers, record } = await readDescription(text, { server: 2 });
    expect([servers.length, record.api.baseUrl]).toEqual([2, "https://b.example"]);
    await expect(readDescription(text, { server: 3 })).rejects.toMatchObject({ category: "invalid_input" });
  });
});

describe("the test endpoint of a document", () => {
  const secured = (paths: object): string =>
    JSON.stringify(withScheme({ type: "http", scheme: "bearer" }, { paths }));
  it.each<[string, object, string | undefined]>([
    [
      "tells who is asking, before shorter paths",
      { "/a": { get: operation() }, "/users/me": { get: operation() } },
      "/users/me",
    ],
    [
      "knows that @me tells who is asking",
      { "/a": { get: operation() }, "/users/@me": { get: operation() } },
      "/users/@me",
    ],
    [
      "may need headers that the package or the record sets",
      {
        "/me": {
          get: operation({
            parameters: [
              { name: "Content-Type", in: "header", required: true },
              { name: "token", in: "header", required: true },
              { name: "Version", in: "header", required: true, schema: { enum: ["2"] } },
            ],
          }),
        },
        "/longer": { get: operation() },
      },
      "/me",
    ],
    [
      "is short otherwise, with a small page",
      {
        "/orders/all": { get: operation() },
        "/orders": { get: operation({ parameters: [{ name: "per_page", in: "query" }] }) },
      },
      "/orders?per_page=1",
    ],
    [
      "has no required parameters",
      {
        "/find": { get: operation({ parameters: [{ name: "q", in: "query", required: true }] }) },
        "/articles": { get: operation() },
      },
      "/articles",
    ],
    [
      "has no parameters in its path",
      { "/a/{id}": { get: operation() }, "/articles": { get: operation() } },
      "/articles",
    ],
    [
      "is secured",
      { "/ping": { get: operation({ security: [] }) }, "/invoices": { get: operation() } },
      "/invoices",
    ],
    [
      "is not deprecated",
      { "/old": { get: operation({ deprecated: true }) }, "/newer": { get: operation() } },
      "/newer",
    ],
    ["is a GET", { "/a": { post: operation() }, "/b/{id}": { get: operation() } }, undefined],
  ])("%s", async (_what, paths, expected) => {
    expect((await readDescription(secured(paths))).record.api.testEndpoint).toBe(expected);
  });

  it("stands beside a few endpoints, a name and a tagline", async () => {
    const { record } = await readDescription(
      secured({
        "/orders": { get: operation({ summary: "Lists orders" }), post: operation() },
        "/orders/{id}": { delete: operation() },
      }),
    );
    expect(record).toMatchObject({ name: "Shop", tagline: "Orders and articles." });
    expect(record.api.endpoints?.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /orders",
      "POST /orders",
      "DELETE /orders/{id}",
    ]);
    expect(record.api.endpoints?.[0]?.about).toBe("Lists orders");
  });
});

describe("a header with a value that most operations ask for", () => {
  const header = (name: string, schema: object): object => ({ name, in: "header", required: true, schema });
  const version = header("Accept", { default: "application/vnd.shop+json;version=2" });

  it("is set for all calls, and one that few ask for is not", async () => {
    const paths = {
      "/a": { get: operation({ parameters: [version, header("X-Mode", { const: "fast" })] }) },
      "/b": { get: operation({ parameters: [version] }) },
      "/c": { get: operation() },
    };
    const { record } = await readDescription(JSON.stringify({ ...base, paths }));
    expect(record.api.headers).toEqual({ Accept: "application/vnd.shop+json;version=2" });
    expect(() => parseSource(record)).not.toThrow();
  });

  it("is not the one of the credential", async () => {
    const scheme = { type: "apiKey", in: "header", name: "X-Shop" };
    const paths = { "/a": { get: operation({ parameters: [header("x-shop", { default: "t0ps3cret" })] }) } };
    const { record } = await readDescription(JSON.stringify(withScheme(scheme, { paths })));
    expect(record.api).toMatchObject({ authType: "header", headerName: "X-Shop" });
    expect(record.api.headers).toBeUndefined();
  });
});

describe("a Postman collection", () => {
  const collection = (auth: object | undefined, more: object = {}): string =>
    JSON.stringify({
      info: { name: "Shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
      variable: [{ key: "baseUrl", value: "https://api.shop.example/v1" }],
      ...(auth === undefined ? {} : { auth }),
      item: [
        {
          name: "Orders",
          item: [
            {
              name: "List orders",
              request: { method: "GET", header: [], url: { raw: "{{baseUrl}}/orders" } },
            },
          ],
        },
        { name: "One order", request: { method: "GET", url: "{{baseUrl}}/orders/:id" } },
      ],
      ...more,
    });
  const pairs = (entries: object): object[] =>
    Object.entries(entries).map(([key, value]) => ({ key, value }));

  it.each<[string, object | undefined, object, unknown]>([
    [
      "bearer",
      { type: "bearer", bearer: pairs({ token: "t0ps3cret" }) },
      { authType: "bearer" },
      { token: "t0ps3cret" },
    ],
    [
      "bearer with a variable",
      { type: "bearer", bearer: pairs({ token: "{{token}}" }) },
      { authType: "bearer" },
      undefined,
    ],
    [
      "basic",
      { type: "basic", basic: pairs({ username: "ada", password: "t0ps3cret" }) },
      { authType: "basic" },
      { username: "ada", password: "t0ps3cret" },
    ],
    [
      "a key in a header",
      { type: "apikey", apikey: pairs({ key: "X-Shop", value: "t0ps3cret" }) },
      { authType: "header", headerName: "X-Shop" },
      { token: "t0ps3cret" },
    ],
    [
      "a key in the query",
      { type: "apikey", apikey: pairs({ key: "k", value: "t0ps3cret", in: "query" }) },
      { authType: "query", queryParam: "k" },
      { token: "t0ps3cret" },
    ],
    [
      "OAuth 2",
      { type: "oauth2", oauth2: pairs({ accessToken: "t0ps3cret" }) },
      { authType: "bearer" },
      { token: "t0ps3cret" },
    ],
    ["none", undefined, {}, undefined],
  ])("gives the record and keeps the secret out of it: %s", async (_what, auth, expected, credential) => {
    const imported = await readDescription(collection(auth));
    expect(imported.record.api).toMatchObject({
      baseUrl: "https://api.shop.example/v1",
      testEndpoint: "/orders",
      ...expected,
    });
    expect(imported.record.api.endpoints?.map(({ path }) => path).sort()).toEqual([
      "/orders",
      "/orders/{id}",
    ]);
    expect(imported.credential).toEqual(credential);
    expect(JSON.stringify([imported.record, imported.notes])).not.toContain("t0ps3cret");
    expect(() => parseSource(imported.record)).not.toThrow();
  });

  it("may have its URLs in parts, and values that stand for others", async () => {
    const request = {
      header: [{ key: "X-Lang", value: "<string>" }],
      url: {
        host: ["{{baseUrl}}"],
        path: ["me"],
        query: [
          { key: "a", value: "1" },
          { key: "b", value: "2", disabled: true },
        ],
      },
    };
    const { record } = await readDescription(collection(undefined, { item: [{ request }] }));
    expect(record.api).toEqual({ baseUrl: "https://api.shop.example/v1", testEndpoint: "/me?a=1" });
  });

  it("takes the base URL that is given where its variable has no value", async () => {
    const text = collection(undefined, { variable: [] });
    await expect(readDescription(text)).rejects.toMatchObject({
      hint: expect.stringContaining("--base-url"),
    });
    const { record } = await readDescription(text, { baseUrl: "https://eu.shop.example/v2" });
    expect(record.api).toMatchObject({ baseUrl: "https://eu.shop.example/v2", testEndpoint: "/orders" });
  });

  it("says which authentication a record can't express", async () => {
    expect((await readDescription(collection({ type: "awsv4" }))).notes.join()).toContain("awsv4");
  });
});

describe("a HAR file", () => {
  const entry = (url: string, headers: object[] = [], mimeType = "application/json"): object => ({
    request: { method: "GET", url, headers },
    response: { content: { mimeType } },
  });

  it("gives the API that was asked most, its credential in the store and not in the record", async () => {
    const token = [
      { name: "authorization", value: "Bearer t0ps3cret" },
      { name: "Cookie", value: "sid=t0ps3cret" },
    ];
    const entries = [
      entry("https://cdn.example/app.js", [], "text/javascript"),
      entry("https://stats.example/api/hit"),
      entry("https://api.shop.example/v1/orders?page=2", token),
      entry("https://api.shop.example/v1/me", token),
    ];
    const imported = await readDescription(JSON.stringify({ log: { version: "1.2", entries } }));
    expect(imported.record.api).toMatchObject({
      baseUrl: "https://api.shop.example/v1",
      authType: "bearer",
      testEndpoint: "/me",
    });
    expect(imported.credential).toEqual({ token: "t0ps3cret" });
    expect(imported.servers).toEqual(["https://api.shop.example/v1", "https://stats.example/api"]);
    expect(JSON.stringify([imported.record, imported.notes])).not.toContain("t0ps3cret");
  });
});

describe("a hostile document", () => {
  const lol = [
    "a: &a [x,x,x,x,x,x,x,x,x]",
    ..."bcdefghij"
      .split("")
      .map((name, index) => `${name}: &${name} [${`*${"abcdefghij"[index]},`.repeat(9)}]`),
  ].join("\n");
  const loop = { $ref: "#/components/securitySchemes/main" };
  it.each<[string, string]>([
    ["a YAML bomb", `openapi: 3.0.0\n${lol}\n`],
    ["brackets a hundred thousand deep", "[".repeat(100_000)],
    ["maps a hundred thousand deep in YAML", `a: ${"{a: ".repeat(100_000)}`],
    ["dashes a hundred thousand deep", "- ".repeat(100_000)],
    ["YAML that is too large", `# ${"x".repeat(10_000_001)}`],
    ["broken YAML", 'openapi: "3.0\ninfo: [t0ps3cret'],
    ["a list", "[1]"],
    ["nothing", ""],
    ["binary", "\u0000\u0001\u0002"],
    ["an object of another kind", '{"a":1}'],
  ])("is refused in bounded time: %s", async (_what, text) => {
    const started = Date.now();
    const error = await readDescription(text).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ category: "invalid_input" });
    expect(String(error)).not.toContain("t0ps3cret");
    expect(Date.now() - started).toBeLessThan(5_000);
  });

  it("with references in a circle reads as one that says nothing there", async () => {
    const paths = { "/me": { get: operation({ parameters: [loop] }) }, "/a": { $ref: "#/paths/~1a" } };
    const { record } = await readDescription(JSON.stringify(withScheme(loop, { paths })));
    expect(record.api).toMatchObject({ testEndpoint: "/me" });
    expect(record.api.authType).toBeUndefined();
  });

  it("that refers elsewhere is read without what is there, and says so", async () => {
    const { notes } = await readDescription(
      JSON.stringify({ ...base, paths: { "/x": { $ref: "http://127.0.0.1:1/x.yaml" } } }),
    );
    expect(notes.join()).toContain("not followed");
  });

  it("with twenty thousand paths is read in bounded time", async () => {
    const paths = Object.fromEntries(
      [...Array.from({ length: 20_000 }, (_, index) => `/p${index}`), "/me"].map((path) => [
        path,
        { get: operation() },
      ]),
    );
    const started = Date.now();
    const { record } = await readDescription(JSON.stringify({ ...base, paths }));
    expect(record.api.testEndpoint).toBe("/me");
    expect(Date.now() - started).toBeLessThan(5_000);
  });
});
