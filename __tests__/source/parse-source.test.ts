import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type RecordProblem, SourceRecordError } from "../../src/errors.js";
import type { Logger } from "../../src/runtime.js";
import { parseSource } from "../../src/source/parse-source.js";

const baseUrl = "https://api.example.com/v1";

function findProblems(value: unknown, file?: string): readonly RecordProblem[] {
  try {
    parseSource(value, file === undefined ? {} : { file });
  } catch (error) {
    if (error instanceof SourceRecordError) return error.problems;
    throw error;
  }
  return [];
}

/** The problems of a record whose `api` has these members beside a base URL. */
function findApiProblems(api: Record<string, unknown>): readonly RecordProblem[] {
  return findProblems({ api: { baseUrl, ...api } });
}

function createLog(): { logger: Logger; lines: unknown[][] } {
  const lines: unknown[][] = [];
  const log = (...line: unknown[]): void => void lines.push(line);
  return { logger: { debug: log, info: log, warn: log, error: log }, lines };
}

describe("parseSource", () => {
  it("reads the record of the specification and fills every default", () => {
    const source = parseSource({
      type: "api",
      name: "GitHub",
      tagline: "Issues, pull requests and repositories",
      icon: "https://github.githubassets.com/favicons/favicon.svg",
      api: { baseUrl: "https://api.github.com", testEndpoint: "/user", authType: "bearer" },
    });
    expect(source).toEqual({
      type: "api",
      name: "GitHub",
      slug: "github",
      tagline: "Issues, pull requests and repositories",
      icon: "https://github.githubassets.com/favicons/favicon.svg",
      api: {
        baseUrl: "https://api.github.com",
        testEndpoint: "/user",
        authType: "bearer",
        authScheme: "Bearer",
        headers: {},
        query: {},
        variables: {},
        methods: ["GET", "POST", "PUT", "DELETE", "PATCH"],
        paths: {},
        endpoints: [],
        network: { allowLocalAddresses: false },
        limits: {
          timeoutMs: 30_000,
          maxBytes: 10_000_000,
          retries: 2,
          maxWaitMs: 10_000,
          maxPages: 50,
          pagesTimeoutMs: 120_000,
        },
      },
    });
  });

  it("reads every field", () => {
    const api = {
      baseUrl: "https://{tenant}.example.com:{port}/accounts/{account}",
      testEndpoint: "/me?fields={field}",
      authType: "basic",
      authScheme: "",
      headers: { "X-Version": "2024-01-01", "X-App": "app ${APP_KEY}" },
      query: { version: "2", key: "${SECOND}" },
      variables: { tenant: "${TENANT}", account: "7" },
      credentialEnv: { username: "SHOP_USER", password: "SHOP_PASSWORD" },
      bodyFormat: "form",
      methods: ["GET", "PATCH"],
      paths: { allow: ["/orders/**", "/"], deny: ["/orders/*/refund"] },
      allowedHeaders: ["If-Match"],
      endpoints: [
        { method: "GET", path: "/orders/{id}", about: "one order", query: { expand: "lines" } },
        { method: "PATCH", path: "/orders/{id}", about: "change it", body: { password: "of an example" } },
      ],
      openapi: "shop.openapi.yaml",
      guide: "docs/shop.md",
      preflight: "warn",
      errorWhen: "ok == `false`",
      idempotencyHeader: "Idempotency-Key",
      network: {
        proxy: "http://proxy:${PROXY_PASSWORD}@proxy.example.com:3128",
        ca: "./ca.pem",
        cert: "./cert.pem",
        key: "${CLIENT_KEY}",
        allowLocalAddresses: true,
      },
      limits: {
        timeoutMs: 2 ** 31 - 1,
        maxBytes: 1,
        maxTokens: 1,
        retries: 0,
        maxWaitMs: 0,
        maxPages: 1,
        pagesTimeoutMs: 1,
        requestsPerMinute: 60,
        quotaScope: "source",
        concurrency: 4,
      },
    };
    const source = parseSource({ $schema: "./schema.json", name: "Shop", slug: "my-Shop_1", api });
    expect(source).toEqual({ $schema: "./schema.json", type: "api", name: "Shop", slug: "my-Shop_1", api });
  });

  it.each([
    ["https://api.github.com", "api.github.com", "api_github_com"],
    ["https://API.Example.com:8443/v1", "api.example.com", "api_example_com"],
    ["http://127.0.0.1:3000", "127.0.0.1", "api_127_0_0_1"],
    ["https://{tenant}.example.com", "tenant.example.com", "tenant_example_com"],
    ["https://{host}/v1", "host", "host"],
  ])("names a record that has only the base URL %s after its host", (url, name, slug) => {
    expect(parseSource({ api: { baseUrl: url } })).toMatchObject({ name, slug });
  });

  it("takes numbers and booleans of `query` and `variables` as their text", () => {
    const { api } = parseSource({
      api: { baseUrl, query: { per_page: 100, all: true }, variables: { id: 7 } },
    });
    expect([api.query, api.variables]).toEqual([{ per_page: "100", all: "true" }, { id: "7" }]);
  });

  it("lists every problem of a record in one error", () => {
    const problems = findProblems(
      {
        type: "rest",
        name: 5,
        slug: "9lives",
        api: {
          base_url: "https://api.example.com?x=1",
          authType: "header",
          limits: { timeoutMs: 0, retries: 1.5 },
          paths: { allow: [] },
        },
      },
      "shop.json",
    );
    expect(problems.map(({ path }) => path).sort()).toEqual([
      "api.baseUrl",
      "api.base_url",
      "api.headerName",
      "api.limits.retries",
      "api.limits.timeoutMs",
      "api.paths.allow",
      "name",
      "slug",
      "type",
    ]);
    for (const problem of problems) {
      expect(problem.file).toBe("shop.json");
      expect(problem.fix).not.toBe("");
      expect(problem.message).not.toBe("");
    }
  });

  it("says which record it speaks of, what was given and what to write", () => {
    expect(findProblems({ name: "Shop", api: { baseUrl, limits: { timeoutMs: "30s" } } })).toEqual([
      {
        source: "Shop",
        path: "api.limits.timeoutMs",
        given: '"30s"',
        message: "must be a whole number",
        fix: "Write milliseconds from 1 to 2147483647 (the longest timer), such as 30000.",
      },
    ]);
  });

  it.each([
    [null, "record"],
    [undefined, "record"],
    [[], "record"],
    [[{ api: { baseUrl } }], "record"],
    [5, "record"],
    ["{}", "record"],
    [() => 1, "record"],
    [{}, "api"],
    [{ api: null }, "api"],
    [{ api: [] }, "api"],
    [{ api: {} }, "api.baseUrl"],
    [{ api: { baseUrl: 5 } }, "api.baseUrl"],
    [{ api: { baseUrl: null } }, "api.baseUrl"],
    [{ name: " ", api: { baseUrl } }, "name"],
    [{ name: "日本語", api: { baseUrl } }, "name"],
    [{ name: "Read API response", api: { baseUrl } }, "name"],
    [{ slug: "read_api_response", api: { baseUrl } }, "slug"],
    [{ slug: "", api: { baseUrl } }, "slug"],
    [{ slug: "a".repeat(65), api: { baseUrl } }, "slug"],
    [{ slug: "größe", api: { baseUrl } }, "slug"],
    [{ tagline: 1, api: { baseUrl } }, "tagline"],
    [{ icon: {}, api: { baseUrl } }, "icon"],
    [{ type: "API", api: { baseUrl } }, "type"],
  ])("refuses %j", (value, path) => {
    expect(findProblems(value).map((problem) => problem.path)).toEqual([path]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["api.testEndpoint", { testEndpoint: 5 }],
    ["api.testEndpoint", { testEndpoint: "/users/${USER_ID}" }],
    ["api.authType", { authType: null }],
    ["api.authType", { authType: { type: "bearer" } }],
    ["api.headerName", { authType: "header" }],
    ["api.headerName", { authType: "header", headerName: "" }],
    ["api.headerName", { authType: "header", headerName: "X-Key: value" }],
    ["api.headerName", { authType: "header", headerName: "X-Kéy" }],
    ["api.headerName", { authType: "header", headerName: "Host" }],
    ["api.headerName", { authType: "header", headerName: 5 }],
    ["api.queryParam", { authType: "query" }],
    ["api.queryParam", { authType: "query", queryParam: "" }],
    ["api.queryParam", { authType: "query", queryParam: "a b" }],
    ["api.headerName", { headerName: "X-Key" }],
    ["api.queryParam", { queryParam: "key" }],
    ["api.authScheme", { authScheme: "Token" }],
    ["api.authScheme", { authScheme: "Bearer" }],
    ["api.credentialEnv", { credentialEnv: "SHOP_TOKEN" }],
    ["api.authScheme", { authType: "bearer", authScheme: "Token " }],
    ["api.authScheme", { authType: "bearer", authScheme: "two words" }],
    ["api.credentialEnv", { authType: "bearer", credentialEnv: "not-a-name" }],
    ["api.credentialEnv", { authType: "bearer", credentialEnv: [] }],
    ["api.credentialEnv[1]", { authType: "bearer", credentialEnv: ["A", "1B"] }],
    ["api.credentialEnv", { authType: "bearer", credentialEnv: { username: "A" } }],
    ["api.credentialEnv", { authType: "basic", credentialEnv: {} }],
    ["api.credentialEnv", { authType: "basic", credentialEnv: ["A", "B", "C"] }],
    ["api.credentialEnv.token", { authType: "basic", credentialEnv: { username: "A", token: "B" } }],
    ["api.headers", { headers: [] }],
    ["api.headers.X-Version", { headers: { "X-Version": 2 } }],
    ["api.headers.X-A", { headers: { "X-A": "a\r\nX-B: b" } }],
    ["api.headers.X-A", { headers: { "X-A": "\u0000" } }],
    ["api.headers.X-A", { headers: { "X-A": "Ā" } }],
    ["api.headers.X-A", { headers: { "X-A": "${}" } }],
    ["api.headers.X-A", { headers: { "X-A": "${MY-KEY}" } }],
    ["api.headers.X-A", { headers: { "X-A": "${OPEN" } }],
    ['api.headers["a b"]', { headers: { "a b": "c" } }],
    ["api.headers.host", { headers: { host: "x" } }],
    ["api.headers.Content-Length", { headers: { "Content-Length": "0" } }],
    ["api.headers.Transfer-Encoding", { headers: { "Transfer-Encoding": "chunked" } }],
    ["api.headers.CONNECTION", { headers: { CONNECTION: "close" } }],
    ["api.headers.authorization", { authType: "bearer", headers: { authorization: "Token ${X}" } }],
    ["api.headers.Authorization", { authType: "basic", headers: { Authorization: "Token ${X}" } }],
    ["api.headers.x-key", { authType: "header", headerName: "X-Key", headers: { "x-key": "${X}" } }],
    ["api.headers.accept", { headers: { Accept: "a", accept: "b" } }],
    ["api.query.SIG", { authType: "query", queryParam: "sig", query: { SIG: "1" } }],
    ["api.query.a", { query: { a: [1] } }],
    ["api.query.a", { query: { a: 1.5 } }],
    ["api.query.a", { query: { a: "${" } }],
    ['api.query[""]', { query: { "": "x" } }],
    ["api.variables.a", { variables: { a: null } }],
    ['api.variables["a b"]', { variables: { "a b": "x" } }],
    ["api.bodyFormat", { bodyFormat: "xml" }],
    ["api.methods", { methods: [] }],
    ["api.methods[0]", { methods: ["get"] }],
    ["api.methods[1]", { methods: ["GET", "HEAD"] }],
    ["api.methods", { methods: "GET" }],
    ["api.paths", { paths: ["/a"] }],
    ["api.paths.deny[0]", { paths: { deny: ["admin"] } }],
    ["api.allowedHeaders[0]", { allowedHeaders: ["If Match"] }],
    ["api.endpoints[0]", { endpoints: ["/a"] }],
    ["api.endpoints[0].about", { endpoints: [{ method: "GET", path: "/a" }] }],
    ["api.endpoints[0].method", { endpoints: [{ method: "get", path: "/a", about: "b" }] }],
    [
      "api.endpoints[0].method",
      { methods: ["GET"], endpoints: [{ method: "POST", path: "/a", about: "b" }] },
    ],
    ["api.endpoints[0].path", { endpoints: [{ method: "GET", path: "https://evil.example", about: "b" }] }],
    ["api.endpoints[0].path", { endpoints: [{ method: "GET", path: "//evil.example", about: "b" }] }],
    ["api.endpoints[0].body", { endpoints: [{ method: "GET", path: "/a", about: "b", body: {} }] }],
    ["api.errorWhen", { errorWhen: "" }],
    ["api.errorWhen", { errorWhen: true }],
    ["api.openapi", { openapi: "" }],
    ["api.openapi", { openapi: "https://api.example.com/openapi.json" }],
    ["api.guide", { guide: 1 }],
    ["api.preflight", { preflight: true }],
    ["api.idempotencyHeader", { idempotencyHeader: "a b" }],
    ["api.idempotencyHeader", { idempotencyHeader: "Host" }],
    ["api.idempotencyHeader", { authType: "bearer", idempotencyHeader: "Authorization" }],
    ["api.network.proxy", { network: { proxy: "proxy.example.com:3128" } }],
    ["api.network.proxy", { network: { proxy: "socks5://proxy.example.com" } }],
    ["api.network.proxy", { network: { proxy: "http://user:plain@proxy.example.com" } }],
    ["api.network.key", { network: { cert: "c.pem" } }],
    ["api.network.cert", { network: { key: "k.pem" } }],
    ["api.network.ca", { network: { ca: "" } }],
    ["api.network.allowLocalAddresses", { network: { allowLocalAddresses: "true" } }],
    ["api.limits", { limits: 5 }],
    ["api.limits.timeoutMs", { limits: { timeoutMs: 2 ** 31 } }],
    ["api.limits.timeoutMs", { limits: { timeoutMs: -1 } }],
    ["api.limits.timeoutMs", { limits: { timeoutMs: Number.NaN } }],
    ["api.limits.timeoutMs", { limits: { timeoutMs: Number.POSITIVE_INFINITY } }],
    ["api.limits.maxWaitMs", { limits: { maxWaitMs: 2 ** 31 } }],
    ["api.limits.maxBytes", { limits: { maxBytes: 1e12 } }],
    ["api.limits.maxTokens", { limits: { maxTokens: 0 } }],
    ["api.limits.retries", { limits: { retries: 11 } }],
    ["api.limits.requestsPerMinute", { limits: { requestsPerMinute: 0 } }],
    ["api.limits.concurrency", { limits: { concurrency: 1.5 } }],
    ["api.limits.maxPages", { limits: { maxPages: 0 } }],
    ["api.limits.pagesTimeoutMs", { limits: { pagesTimeoutMs: 2 ** 31 } }],
  ])("names %s of %j", (path, api) => {
    expect(findApiProblems(api).map((problem) => problem.path)).toEqual([path]);
  });

  it.each<[Record<string, unknown>]>([
    [{ authType: "bearer", headerName: "X-Unused", queryParam: "" }],
    [{ authType: "bearer", authScheme: "" }],
    [{ authType: "basic", credentialEnv: "SHOP_PAIR" }],
    [{ authType: "basic", credentialEnv: ["SHOP_USER", "SHOP_PASSWORD"] }],
    [{ authType: "header", headerName: "Authorization", headers: { "X-Second": "${SECOND}" } }],
    [{ headers: { Authorization: "Token token=${X}" } }],
    [{ authType: "query", queryParam: "key", query: { keys: "1" } }],
    [{ headers: { Accept: "", "X-A": "Größe {not a placeholder}" } }],
    [{ testEndpoint: "" }],
    [{ network: { proxy: "${PROXY_URL}" } }],
    [{ headers: { constructor: "x", toString: "y" } }],
  ])("accepts %j", (api) => {
    expect(findApiProblems(api)).toEqual([]);
  });
});

describe("parseSource, of patterns", () => {
  const findMessages = (pattern: string) =>
    findApiProblems({ paths: { deny: [pattern] } }).map(({ message }) => message);

  it.each([
    ...["/", "/**", "/a", "/a/", "/a/*/b", "/**/comments", "/users/*/repos/**", "/a%20b"],
    "/Users('a')/$metadata",
  ])("accepts %s", (pattern) => {
    expect(findMessages(pattern)).toEqual([]);
  });

  it.each([
    ["", "begin with"],
    ["a/b", "begin with"],
    ["https://api.example.com/a", "begin with"],
    ["/a*", "part of a segment"],
    ["/a/***", "part of a segment"],
    ["/a?b=c", "which no path has"],
    ["/a#b", "which no path has"],
    ["/a b", "which no path has"],
    ["/a\\b", "which no path has"],
    ["/users/{id}", "brace"],
    ["/a/../b", "segment"],
    ["/a/%2e%2e/b", "segment"],
  ])("refuses %j: %s", (pattern, message) => {
    expect(findMessages(pattern)).toEqual([expect.stringContaining(message)]);
  });
});

describe("parseSource, of keys", () => {
  it.each([
    ["auth_type", "authType"],
    ["authtype", "authType"],
    ["AuthType", "authType"],
    ["auth-type", "authType"],
    ["authTpye", "authType"],
    ["bsaeUrl", "baseUrl"],
    ["authTyp", "authType"],
    ["auth", "authType"],
    ["authentication", "authType"],
    ["base_url", "baseUrl"],
    ["baseURL", "baseUrl"],
    ["headerNames", "headerName"],
    ["query_param", "queryParam"],
    ["queryParams", "queryParam"],
    ["authSchema", "authScheme"],
    ["header", "headers"],
    ["testEndPoint", "testEndpoint"],
    ["method", "methods"],
    ["path", "paths"],
    ["limit", "limits"],
    ["allowed_headers", "allowedHeaders"],
    ["credentialsEnv", "credentialEnv"],
  ])("takes %s for a misspelt %s", (key, nearest) => {
    const [problem, ...others] = findProblems({ api: { [key]: "bearer" } }).filter(
      ({ message }) => message.includes("nearest") === true,
    );
    expect(problem).toMatchObject({ path: `api.${key}`, given: `"${key}"`, fix: `Write \`${nearest}\`.` });
    expect(others).toEqual([]);
  });

  it.each([
    [{ names: "x", api: { baseUrl } }, "names"],
    [{ Api: { baseUrl } }, "Api"],
    [{ api: { baseUrl, limits: { timeout: 5 } } }, "api.limits.timeout"],
    [{ api: { baseUrl, limits: { max_bytes: 5 } } }, "api.limits.max_bytes"],
    [{ api: { baseUrl, network: { Proxy: "http://p.example.com" } } }, "api.network.Proxy"],
    [{ api: { baseUrl, paths: { denied: ["/a"] } } }, "api.paths.denied"],
    [
      { api: { baseUrl, endpoints: [{ method: "GET", path: "/a", description: "x" }] } },
      "api.endpoints[0].description",
    ],
    [{ baseUrl, api: {} }, "baseUrl"],
    [{ baseUrl }, "baseUrl"],
    [{ authType: "bearer", api: { baseUrl } }, "authType"],
    [{ api: { baseUrl, timeoutMs: 5 } }, "api.timeoutMs"],
    [{ api: { baseUrl, slug: "x" } }, "api.slug"],
    [{ limits: { retries: 1 }, api: { baseUrl } }, "limits"],
  ])("has one problem with %j", (record, path) => {
    expect(findProblems(record).map((problem) => problem.path)).toEqual([path]);
  });

  it.each(["pat", "frame", "keys", "constructor", "leaders2x", "x".repeat(500_000)])(
    "takes %.20s for no other key",
    (key) => {
      expect(findApiProblems({ [key]: 1 })).toEqual([]);
    },
  );

  it("judges the value of a misspelt key as that of the key it was meant to be", () => {
    const paths = findProblems({ api: { base_url: "nonsense", Limits: { retries: 99 } } }).map(
      ({ path }) => path,
    );
    expect(paths).toEqual(["api.base_url", "api.Limits", "api.baseUrl", "api.limits.retries"]);
  });

  it("keeps other unknown keys and logs them once, without what they hold", () => {
    const { logger, lines } = createLog();
    const record = { owner: "a team", api: { baseUrl, region: "eu", limits: { colour: 1 } }, name: "Shop" };
    const source = parseSource(record, { logger, file: "shop.json" });
    expect(source).toMatchObject(record);
    expect(lines).toEqual([
      [
        "A source's record has keys that are not known; they are kept and have no effect.",
        { source: "shop", file: "shop.json", keys: ["owner", "api.region", "api.limits.colour"] },
      ],
    ]);
    parseSource(source, { logger });
    expect(lines).toHaveLength(1);
  });

  it("is silent about `$schema` and keys that begin with `x-`", () => {
    const { logger, lines } = createLog();
    parseSource(
      { $schema: "x", "x-token": "y", api: { baseUrl, "x-auth-type": 1, "X-Note": 2 } },
      { logger },
    );
    expect(lines).toEqual([]);
  });

  it.each([
    "author",
    "version",
    "description",
    "tags",
    "notes",
    "id",
    "enabled",
    "docs",
    "homepage",
    "schema",
  ])("has nothing against the ordinary key %s", (key) => {
    expect(findProblems({ [key]: "x", api: { baseUrl, [key]: "x" } })).toEqual([]);
  });
});

describe("parseSource, of secrets", () => {
  const canary = "canary-5f2b9";

  it.each<[string, unknown]>([
    ["token", { token: canary, api: { baseUrl } }],
    ["api.token", { api: { baseUrl, token: canary } }],
    ["api.api_key", { api: { baseUrl, api_key: canary } }],
    ["api.apiKey", { api: { baseUrl, apiKey: canary } }],
    ["api.password", { api: { baseUrl, password: canary } }],
    ["api.secret", { api: { baseUrl, secret: [canary] } }],
    ["api.client-secret", { api: { baseUrl, "client-secret": { a: canary } } }],
    ["api.key", { api: { baseUrl, key: canary } }],
    ["credentials", { credentials: { [canary]: canary }, api: { baseUrl } }],
    ["api.limits.token", { api: { baseUrl, limits: { token: canary } } }],
    ["api.network.password", { api: { baseUrl, network: { password: canary } } }],
    ["api.paths.token", { api: { baseUrl, paths: { token: canary } } }],
    [
      "api.settings.deep[0].access_token",
      { api: { baseUrl, settings: { deep: [{ access_token: canary }] } } },
    ],
    ["api.headers.Authorization", { api: { baseUrl, headers: { Authorization: `Bearer ${canary}` } } }],
    ["api.headers.X-Api-Key", { api: { baseUrl, headers: { "X-Api-Key": canary } } }],
    ["api.query.access_token", { api: { baseUrl, query: { access_token: canary } } }],
    ["api.variables.token", { api: { baseUrl, variables: { token: canary } } }],
    ["api.network.proxy", { api: { baseUrl, network: { proxy: `http://user:${canary}@p.example.com` } } }],
    ["api.baseUrl", { api: { baseUrl: `https://user:${canary}@api.example.com` } }],
    ["api.baseUrl", { api: { baseUrl: `https://user:pa/${canary}@api.example.com` } }],
    ["api.baseUrl", { api: { baseUrl: `https://${canary}@api.example.com` } }],
    ["api.baseUrl", { api: { baseUrl: `https://api.example.com?key=${canary}` } }],
  ])("finds one in %s and doesn't print it", (path, record) => {
    const problems = findProblems(record);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(JSON.stringify(problems)).not.toContain(canary);
    expect(new SourceRecordError(problems).message).not.toContain(canary);
  });

  it.each<[Record<string, unknown>]>([
    [{ authType: "bearer", authScheme: `Bearer ${canary}` }],
    [{ authType: "header", headerName: `X-Key: ${canary}` }],
    [{ authType: "query", queryParam: `key ${canary}` }],
    [{ authType: "bearer", credentialEnv: `${canary} is no name` }],
    [{ authType: { token: canary } }],
    [{ headers: { "X-A": `${canary}\n` } }],
    [{ headers: `X-A: ${canary}` }],
    [{ query: canary }],
    [{ network: { cert: "c.pem", key: [canary] } }],
    [{ network: { proxy: `socks://u:${canary}@p` } }],
  ])("doesn't print one that was pasted into the wrong field (%#)", (api) => {
    const problems = findApiProblems(api);
    expect(problems).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain(canary);
  });

  it("finds one under a key that is taken for another", () => {
    const problems = findApiProblems({ auth: { type: "bearer", token: canary } });
    expect(problems.map(({ path }) => path)).toContain("api.auth.token");
    expect(JSON.stringify(problems)).not.toContain(canary);
  });

  it("says where a credential belongs", () => {
    const [problem] = findApiProblems({ token: canary });
    expect(problem?.fix).toMatch(/environment.*`credentials` option/);
  });
});

describe("parseSource, of an `authType` that is nearly one", () => {
  it.each([
    ["Bearer", '"bearer"'],
    ["BASIC", '"basic"'],
    ["oauth", '"bearer"'],
    ["OAuth2", '"bearer"'],
    ["token", '"bearer"'],
    ["apikey", "`headerName`"],
    ["api_key", "`queryParam`"],
    ["Api-Key", '"header"'],
    ["none", "Leave `authType` out"],
    ["", "Leave `authType` out"],
    [null, "Leave `authType` out"],
    ["digest", '"bearer", "header", "query" or "basic"'],
    ["constructor", '"bearer", "header", "query" or "basic"'],
  ])("advises on %j", (authType, advice) => {
    const [problem] = findApiProblems({ authType });
    expect(problem?.fix).toContain(advice);
  });
});

describe("parseSource, of hostile values", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`);
  const cyclic: Record<string, unknown> = { api: { baseUrl } };
  cyclic["self"] = { cyclic, again: cyclic };
  const throwing = {
    get api(): unknown {
      throw new Error("secret in a getter");
    },
  };

  it.each<[string, unknown]>([
    ["a `__proto__` key", JSON.parse(`{"__proto__":{"api":{}},"api":{"baseUrl":"${baseUrl}"}}`)],
    ["`__proto__` among headers", JSON.parse(`{"api":{"baseUrl":"${baseUrl}","headers":{"__proto__":"x"}}}`)],
    ["a value nested 5,000 levels", { api: { baseUrl }, deep }],
    ["a cycle", cyclic],
    ["a getter that throws", throwing],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("no");
          },
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
    ],
    ["a huge text", { name: "x".repeat(5_000_000), api: { baseUrl } }],
    ["a huge list", { api: { baseUrl, methods: new Array(50_000_000) } }],
    ["a huge list of wrong methods", { api: { baseUrl, methods: new Array(19_000).fill("get") } }],
    ["a huge key", { api: { baseUrl, headers: { ["a b".repeat(100_000)]: "x" } } }],
    ["a function", { api: { baseUrl, owner: () => 1 } }],
    ["a bigint", { api: { baseUrl, limits: { timeoutMs: 1n } } }],
    ["a symbol", { api: { baseUrl: Symbol("x") } }],
    ["a URL object", { api: { baseUrl: new URL(baseUrl) } }],
    ["a base URL of a million slashes", { api: { baseUrl: `https://${"/".repeat(900_000)}` } }],
  ])("answers %s with a SourceRecordError", (_what, value) => {
    expect(() => parseSource(value)).toThrow(SourceRecordError);
  });

  it("lists a hundred problems of a record and counts the rest", () => {
    const problems = findApiProblems({ methods: new Array(10_000).fill("get") });
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.message).toBe("has 9900 more problems");
  });

  it("says where a record is nested too deeply", () => {
    const [problem, ...others] = findProblems({ api: { baseUrl }, deep });
    expect(problem).toMatchObject({ path: "deep.a.a", message: "is nested too deeply" });
    expect(others).toEqual([]);
  });

  it("ignores members that an object inherits", () => {
    expect(findProblems(Object.create({ api: { baseUrl } })).map(({ path }) => path)).toEqual(["api"]);
  });

  it("takes `undefined` for absent", () => {
    expect(findProblems({ name: undefined, api: { baseUrl, authType: undefined } })).toEqual([]);
  });

  it("gives a source or a SourceRecordError for any JSON value", () => {
    const keys = fc.constantFrom(
      "api",
      "baseUrl",
      "authType",
      "headers",
      "limits",
      "name",
      "slug",
      "token",
      "x-a",
    );
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.constantFrom(baseUrl, "bearer", "${X}"),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value"), { maxLength: 3 }), tie("object")),
      object: fc.dictionary(fc.oneof(keys, fc.string()), tie("value"), { maxKeys: 6 }),
    }));
    fc.assert(
      fc.property(
        fc.oneof(
          value,
          value.map((api) => ({ api })),
        ),
        (given) => {
          try {
            expect(parseSource(given).slug).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
          } catch (error) {
            expect(error).toBeInstanceOf(SourceRecordError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("parseSource, of its own output", () => {
  const record = {
    name: "Shop",
    extra: { nested: [1] },
    api: { baseUrl, query: { page: 1 }, paths: { allow: ["/a"] }, network: { ca: "x" } },
  };

  it("returns a source that it returned before", () => {
    const source = parseSource(record);
    expect(parseSource(source)).toBe(source);
  });

  it.each<[string, Record<string, unknown>]>([
    ["without authentication", {}],
    ["with a bearer token", { authType: "bearer", authScheme: "" }],
    ["with a key in the query", { authType: "query", queryParam: "key" }],
  ])("reads a copy of a source %s to an equal one", (_what, auth) => {
    const source = parseSource({ ...record, api: { ...record.api, ...auth } });
    expect(parseSource(JSON.parse(JSON.stringify(source)))).toEqual(source);
    expect(parseSource({ ...source, name: "Other" }).name).toBe("Other");
  });

  it("neither changes, freezes nor keeps what it was given", () => {
    const before = structuredClone(record);
    const source = parseSource(record);
    expect(record).toEqual(before);
    expect(Object.isFrozen(record) || Object.isFrozen(record.extra.nested)).toBe(false);
    expect(Reflect.get(source, "extra")).not.toBe(record.extra);
    const misspelt = Object.freeze({ api: Object.freeze({ base_url: baseUrl }) });
    expect(findProblems(misspelt)).toHaveLength(1);
    expect(Object.keys(misspelt.api)).toEqual(["base_url"]);
  });

  it("is frozen on every level", () => {
    const source = parseSource(record);
    for (const level of [source, source.api, source.api.limits, source.api.methods, source.api.paths.allow]) {
      expect(Object.isFrozen(level)).toBe(true);
    }
  });
});
