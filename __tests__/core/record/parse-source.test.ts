import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { SourceRecordError } from "../../../src/core/base/errors.js";
import { listReplacingFields } from "../../../src/core/record/other-names.js";
import { parseSource, parseSources } from "../../../src/core/record/parse-source.js";
import { listKnownKeys } from "../../../src/core/record/record-schema.js";
import { runsOf } from "../../support/long-run.js";
import { findProblems, isValid, schema } from "../../support/record-problems.js";

const baseUrl = "https://api.example.com/v1";
const findPaths = (value: unknown): string[] => findProblems(value).map(({ path }) => path);
const withApi = (api: Record<string, unknown>) => ({ api: { baseUrl, ...api } });

describe("parseSource", () => {
  it("reads the record of the specification and fills every default", () => {
    const api = { baseUrl: "https://api.github.com", testEndpoint: "/user", authType: "bearer" };
    const record = {
      type: "api",
      name: "GitHub",
      tagline: "Issues",
      icon: "https://a.example/b.svg",
      api,
    };
    expect(parseSource(record)).toEqual({
      ...record,
      slug: "github",
      api: {
        ...api,
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
          maxFileBytes: 25_000_000,
          retries: 2,
          maxWaitMs: 10_000,
          maxPages: 50,
          pagesTimeoutMs: 120_000,
        },
      },
    });
  });

  it.each([
    ["https://API.Example.com:8443/v1", "api.example.com", "api_example_com"],
    ["http://127.0.0.1:3000", "127.0.0.1", "api_127_0_0_1"],
    ["https://{tenant}.example.com", "tenant.example.com", "tenant_example_com"],
  ])("names a record that has only the base URL %s after its host", (url, name, slug) => {
    expect(parseSource({ api: { baseUrl: url } })).toMatchObject({ name, slug });
  });

  it("takes numbers and booleans of `query` and `variables` as their text", () => {
    const { api } = parseSource(
      withApi({
        baseUrl: "https://api.example.com/{id}",
        query: { per_page: 100, all: true },
        variables: { id: 7 },
      }),
    );
    expect([api.query, api.variables]).toEqual([{ per_page: "100", all: "true" }, { id: "7" }]);
  });

  it("lists every problem of a record in one error, what was given and what to write", () => {
    const api = { base_url: "https://a.example?x=1", authType: "header", limits: { retries: 1.5 } };
    const problems = findProblems({ type: "rest", name: 5, slug: "9lives", api }, "shop.json");
    const paths = [
      "api.base_url",
      "type",
      "name",
      "slug",
      "api.baseUrl",
      "api.limits.retries",
      "api.headerName",
    ];
    expect(problems.map(({ path }) => path)).toEqual(paths);
    for (const { file, fix, message } of problems) {
      expect([file, fix.length > 10, message.length > 5]).toEqual(["shop.json", true, true]);
    }
    expect(findProblems({ name: "Shop", ...withApi({ limits: { timeoutMs: "30s" } }) })).toEqual([
      {
        source: "Shop",
        path: "api.limits.timeoutMs",
        given: '"30s"',
        message: "must be a whole number",
        fix: "Write a whole number from 1 to 2147483647, such as 30000.",
      },
    ]);
  });

  it.each<[string, ...unknown[]]>([
    ["record", null, [withApi({})], "{}"],
    ["api", {}, { api: [] }],
    ["api.baseUrl", { api: {} }, { api: { baseUrl: null } }],
    ["name", { name: " ", ...withApi({}) }],
    [
      "slug",
      ...[
        "read_api_response",
        "describe_api",
        "call_api",
        "run_api_code",
        "größe",
        "",
        "9a",
        "-a",
        "a\n",
        "a".repeat(65),
      ].map((slug) => ({
        slug,
        ...withApi({}),
      })),
    ],
    ["type", { type: "API", ...withApi({}) }],
  ])("names %s of a record, and the JSON Schema refuses it too", (path, ...records) => {
    for (const record of records)
      expect([findPaths(record), isValid(record)]).toEqual([[path], false]);
  });

  it.each([
    undefined,
    5,
    () => 1,
    { name: "日本語", ...withApi({}) },
    { name: "Read API response", ...withApi({}) },
  ])("refuses %p", (value) => {
    expect(findProblems(value)).toHaveLength(1);
  });

  const endpoint = { method: "GET", path: "/a", about: "b" };
  const env = (authType: string | undefined, credentialEnv: unknown) => ({
    authType,
    credentialEnv,
  });

  it.each<[path: string, ...wrong: Record<string, unknown>[]]>([
    [
      "baseUrl",
      ..."api.example.com ftp://a.example https://u:p@a.example https://a.example?x https://a.example/a#x"
        .split(" ")
        .map((url) => ({ baseUrl: url })),
    ],
    ["authType", { authType: { type: "bearer" } }, { headerName: "X-Key" }, { queryParam: "key" }],
    ["authType", { authScheme: "Bearer" }, env(undefined, "A")],
    [
      "headerName",
      ...[undefined, "X-Key: value", 5].map((headerName) => ({ authType: "header", headerName })),
    ],
    ["queryParam", ...[undefined, "a b"].map((queryParam) => ({ authType: "query", queryParam }))],
    ["authScheme", { authType: "bearer", authScheme: "two words" }],
    ["credentialEnv", env("bearer", "not-a-name"), env("bearer", []), env("bearer", {})],
    [
      "credentialEnv",
      env("bearer", { username: "A" }),
      env("basic", {}),
      env("basic", ["A", "B", "C"]),
    ],
    ["credentialEnv[1]", env("bearer", ["A", "1B"])],
    ["headers.A", ...[2, "a\r\nX-B: b", "Ā"].map((A) => ({ headers: { A } }))],
    ['headers["a b"]', { headers: { "a b": "c" } }],
    ["query.a", { query: { a: [1] } }, { query: { a: 1.5 } }],
    ['query[""]', { query: { "": "x" } }],
    ['variables["a b"]', { variables: { "a b": "x" } }],
    ["methods", { methods: [] }],
    ["methods[1]", { methods: ["GET", "HEAD"] }],
    ["paths.allow", { paths: { allow: [] } }],
    ["paths.deny[0]", { paths: { deny: ["admin"] } }],
    ["responseHeaders[0]", { responseHeaders: ["X Version"] }, { responseHeaders: ["Set-Cookie"] }],
    ["endpoints[0].method", { endpoints: [{ ...endpoint, method: "get" }] }],
    ["endpoints[0].path", { endpoints: [{ ...endpoint, path: "//evil.example" }] }],
    ["endpoints[0].body", { endpoints: [{ ...endpoint, body: {} }] }],
    ["errorWhen", { errorWhen: " " }],
    ["paging", { paging: "never" }, { paging: 1 }, { paging: [] }],
    ["paging.next", { paging: {} }, { paging: { rows: "items" } }, { paging: { next: " " } }],
    ["paging.page", { paging: { next: "a", page: "query:p" } }],
    ["paging.offset", { paging: { page: "query:p", offset: "query:o" } }],
    ["paging.page", ...["p", "header:X-Page", "query:"].map((page) => ({ paging: { page } }))],
    [
      "paging.send",
      ...["cookie:a", "body:a..b", 1].map((send) => ({ paging: { next: "a", send } })),
    ],
    ["paging.next", { paging: { page: "query:p", send: "query:a" } }],
    ["paging.first", { paging: { page: "query:p", first: -1 } }],
    ["paging.page", { paging: { next: "a", first: 1 } }],
    ["paging.rows", ...["a[0]", "", "length(@)"].map((rows) => ({ paging: { next: "a", rows } }))],
    ["paging[1].next", { paging: [{ next: "a" }, {}] }],
    ["reads", { reads: [] }, { reads: "POST /search" }],
    ["reads[0]", ...["/search", "GET /search", "POST search"].map((read) => ({ reads: [read] }))],
    ["openapi", { openapi: "https://api.example.com/openapi.json" }],
    ["network.key", { network: { cert: "c.pem" } }],
    ["network.cert", { network: { key: "k.pem" } }],
    ["network.ca", { network: { ca: "" } }],
    ["limits.timeoutMs", { limits: { timeoutMs: 0 } }, { limits: { timeoutMs: 2 ** 31 } }],
    ["limits.maxBytes", { limits: { maxBytes: 1e12 } }],
  ])("names api.%s, and the JSON Schema refuses it too", (path, ...apis) => {
    for (const api of apis.map((each) => JSON.parse(JSON.stringify(withApi(each))))) {
      expect([findPaths(api), isValid(api)]).toEqual([[`api.${path}`], false]);
    }
  });

  it.each<[path: string, ...wrong: Record<string, unknown>[]]>([
    ["testEndpoint", { testEndpoint: "/users/${USER_ID}" }],
    ["headerName", { authType: "header", headerName: "Host" }],
    ["credentialEnv.token", env("basic", { username: "A", token: "B" })],
    ["headers.A", { headers: { A: "${MY-KEY}" } }, { headers: { A: "${OPEN" } }],
    ["query.a", { query: { a: "${" } }],
    ["headers.Content-Length", { headers: { "Content-Length": "0" } }],
    ["headers.CONNECTION", { headers: { CONNECTION: "close" } }],
    [
      "headers.authorization",
      ...["bearer", "basic"].map((authType) => ({ authType, headers: { authorization: "${X}" } })),
    ],
    ["headers.x-key", { authType: "header", headerName: "X-Key", headers: { "x-key": "${X}" } }],
    ["headers.accept", { headers: { Accept: "a", accept: "b" } }],
    ["query.SIG", { authType: "query", queryParam: "sig", query: { SIG: "1" } }],
    ["endpoints[0].method", { methods: ["GET"], endpoints: [{ ...endpoint, method: "POST" }] }],
    [
      "idempotencyHeader",
      { idempotencyHeader: "Host" },
      { authType: "bearer", idempotencyHeader: "Authorization" },
    ],
    [
      "network.proxy",
      ...["p.example.com:3128", "socks5://p.example.com", "http://u:plain@p.example.com"].map(
        (proxy) => ({
          network: { proxy },
        }),
      ),
    ],
    ["limits.timeoutMs", { limits: { timeoutMs: Number.NaN } }],
    ["paging.send", { paging: { next: "a", send: "header:Host" } }],
    ["reads[0]", { reads: ["POST /a/../b"] }, { reads: ["POST /a?b"] }],
  ])("names api.%s", (path, ...apis) => {
    for (const api of apis) expect(findPaths(withApi(api))).toEqual([`api.${path}`]);
  });

  it.each<[string, Record<string, unknown>]>([
    ["authScheme", { authType: "header", headerName: "X-Auth", authScheme: "Token" }],
    ["authScheme", { authType: "query", queryParam: "key", authScheme: "Token" }],
    ["authScheme", { authType: "basic", authScheme: "Token" }],
    ["headerName", { authType: "bearer", headerName: "X-Auth" }],
    ["queryParam", { authType: "basic", queryParam: "key" }],
    ["sharesWith", { sharesWith: ["hr"] }],
    ["sharesWith", { confidential: false, sharesWith: ["hr"] }],
    ["limits.requestsPerMinute", { limits: { quotaScope: "source" } }],
    ["allowedHeaders[1]", { allowedHeaders: ["X-A", "Authorization"] }],
    ["allowedHeaders[0]", { allowedHeaders: ["Content_Length"] }],
    ["allowedHeaders[0]", { allowedHeaders: ["x-a"], headers: { "X-A": "1" } }],
    ["allowedHeaders[0]", { allowedHeaders: ["x-key"], authType: "header", headerName: "X-Key" }],
    [
      "headers.Content-Type",
      { bodyFormat: "form", headers: { "Content-Type": "application/json" } },
    ],
    [
      "headers.content-type",
      { bodyFormat: "multipart", headers: { "content-type": "multipart/form-data" } },
    ],
    [
      "endpoints[0].path",
      {
        paths: { deny: ["/admin/*"] },
        endpoints: [{ method: "GET", path: "/admin/{id}?a=1", about: "one" }],
      },
    ],
    ["variables.region", { variables: { region: "eu" } }],
    ["paths.allow[1]", { paths: { allow: ["/b", "/a"], deny: ["/a"] } }],
    ["paths.allow[0]", { paths: { allow: ["/a/**", "/b"], deny: ["/a/**"] } }],
    ["jobs.failed[0]", { jobs: { status: "s", done: ["ended"], failed: ["ended"] } }],
    [
      "limits.rateLimitHeaders.remaining",
      { limits: { rateLimitHeaders: { limit: "X-Quota", remaining: "x-quota" } } },
    ],
    ["errorWhen", { errorWhen: "header:X-Error" }],
    ["errorWhen[0].when", { errorWhen: [{ when: "header:X-Error" }] }],
    ["expiredWhen", { expiredWhen: "header:X-Error" }],
    ["paging.total", { paging: { page: "query:p", total: "header:X-Total" } }],
    ["jobs.status", { jobs: { status: "header:X-State", done: ["a"] } }],
    ["jobs.result", { jobs: { status: "s", done: ["a"], result: "header:X-File" } }],
    [
      "login.expiresInSecondsAt",
      {
        authType: "bearer",
        login: { path: "/l", tokenAt: "header:X-T", expiresInSecondsAt: "header:X-E" },
      },
    ],
  ])("refuses api.%s where it has no effect: %j", (path, api) => {
    const problems = findProblems(withApi(api));
    expect(problems.map((each) => each.path)).toEqual([`api.${path}`]);
    expect(problems[0]?.fix).toMatch(/\w/);
  });

  it.each<[Record<string, unknown>]>([
    [{ authType: "bearer", authScheme: "" }],
    [{ paths: { allow: ["/a/**"], deny: ["/a/*"] } }],
    [
      {
        methods: ["GET"],
        bodyFormat: "form",
        idempotencyHeader: "Idempotency-Key",
        reads: ["POST /search"],
      },
    ],
    [
      {
        paths: { deny: ["/a/**"] },
        reads: ["POST /a/search"],
        paging: { page: "query:p", paths: ["/a/b"] },
      },
    ],
    [{ expiredWhen: "code == `7`" }],
    [
      {
        authType: "query",
        queryParam: "key",
        query: { keys: "1" },
        credentialEnv: ["A", "B", "C"],
      },
    ],
    [env("basic", "SHOP_PAIR")],
    [env("basic", ["SHOP_USER", "SHOP_PASSWORD"])],
    [{ authType: "header", headerName: "Authorization", headers: { "X-Second": "${SECOND}" } }],
    [
      {
        headers: {
          Authorization: "Token token=${X}",
          Accept: "",
          "X-A": "Größe {not a placeholder}",
        },
      },
    ],
    [{ query: { a: 1, b: true, c: "{a} {b}" }, variables: { a: "x", b: 2 } }],
    [{ bodyFormat: "json", headers: { "Content-Type": "application/vnd.api+json" } }],
    [
      {
        paths: { deny: ["/users/me"] },
        endpoints: [{ method: "GET", path: "/users/{id}", about: "one" }],
      },
    ],
    [
      {
        paging: { next: "header:After", send: "query:after" },
        jobs: { status: "s", done: ["d"], location: "header:Job" },
      },
    ],
    [
      {
        confidential: true,
        sharesWith: ["hr"],
        limits: { requestsPerMinute: 9, quotaScope: "source" },
      },
    ],
    [{ testEndpoint: "", network: { proxy: "${PROXY_URL}" } }],
    [{ "x-note": {}, $schema: "x", limits: { "X-Colour": 1, $schema: "x" } }],
    [{ paging: { next: "links[?rel=='next'].href | [0]" } }],
    [{ ...parseSource(withApi({ authType: "header", headerName: "X-Key" })).api }],
    [{ ...parseSource(withApi({})).api }],
  ])("accepts %j, as the JSON Schema does", (api) => {
    const record = JSON.parse(JSON.stringify(withApi(api)));
    expect([findProblems(record), isValid(record)]).toEqual([[], true]);
  });
});

describe("apiSourceJsonSchema", () => {
  it("is draft-07, describes every field, has examples that fit, and no keyword of our own, which strict validators refuse", () => {
    expect(schema["$schema"]).toBe("http://json-schema.org/draft-07/schema#");
    expect(JSON.stringify(schema)).not.toContain('"fix":');
    const wrong: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      const {
        examples = [],
        description,
      }: { examples?: readonly unknown[]; description?: string } = node;
      const isField = /\.properties\.[^.]+$/.test(path) && !/anyOf|allOf/.test(path);
      const misfits = path.endsWith(".examples")
        ? []
        : examples.filter((example) => !new Validator(node, "7").validate(example).valid);
      if ((isField && description === undefined) || misfits.length > 0) wrong.push(path);
      for (const [key, value] of Object.entries(node)) visit(value, `${path}.${key}`);
    };
    visit(schema, "");
    expect(wrong).toEqual([]);
  });
});

describe("parseSource, of patterns", () => {
  const findMessages = (pattern: string) =>
    findProblems(withApi({ paths: { deny: [pattern] } })).map(({ message }) => message);

  it.each(["/", "/**", "/a/", "/a/*/b", "/users/*/repos/**", "/a%20b", "/Users('a')/$metadata"])(
    "accepts %s",
    (pattern) => {
      expect(findMessages(pattern)).toEqual([]);
      expect(isValid(withApi({ paths: { allow: [pattern] } }))).toBe(true);
    },
  );

  it.each([
    ["", "begin with"],
    ["https://api.example.com/a", "begin with"],
    ["/a*", "part of a segment"],
    ["/a/***", "part of a segment"],
    ["/a?b=c", "which no path has"],
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
  it.each(
    "auth_type:authType AuthType:authType authTpye:authType auth:authType base_url:baseUrl bsaeUrl:baseUrl headerNames:headerName queryParams:queryParam header:headers method:methods limit:limits credentialsEnv:credentialEnv"
      .split(" ")
      .map((pair) => pair.split(":")),
  )("takes %s for a misspelt %s", (key = "", nearest) => {
    const problems = findProblems({ api: { [key]: "bearer" } });
    const [problem, ...others] = problems.filter(({ message }) => message.includes("nearest"));
    expect(problem).toMatchObject({
      path: `api.${key}`,
      given: `"${key}"`,
      fix: `Write \`${nearest}\`.`,
    });
    expect(others).toEqual([]);
  });

  it.each<[unknown, string]>([
    [{ names: "x", ...withApi({}) }, "names"],
    [
      withApi({ authType: "basic", credentialEnv: { user: "A", password: "B" } }),
      "api.credentialEnv.user",
    ],
    [withApi({ authType: "basic", credentialEnv: { colour: "A" } }), "api.credentialEnv.colour"],
    [withApi({ authType: "basic", credentialEnv: { token: "A" } }), "api.credentialEnv.token"],
    [{ authType: "bearer", ...withApi({}) }, "authType"],
    [withApi({ timeoutMs: 5 }), "api.timeoutMs"],
    [{ limits: { retries: 1 }, ...withApi({}) }, "limits"],
  ])("has one problem with %j", (record, path) => {
    expect(findPaths(record)).toEqual([path]);
  });

  it.each(["constructor", "colour", "x".repeat(300_000), "version", "schema"])(
    "refuses %.20s on every level, and so does the JSON Schema",
    (key) => {
      const rule = { next: "a", [key]: "x" };
      const endpoint = { method: "GET", path: "/a", about: "b", [key]: "x" };
      const levels: readonly (readonly [path: string, record: Record<string, unknown>])[] = [
        ["", { [key]: "x", ...withApi({}) }],
        ["api.", withApi({ [key]: "x" })],
        ["api.limits.", withApi({ limits: { [key]: 1 } })],
        ["api.limits.rateLimitHeaders.", withApi({ limits: { rateLimitHeaders: { [key]: 1 } } })],
        ["api.network.", withApi({ network: { [key]: 1 } })],
        ["api.paths.", withApi({ paths: { [key]: 1 } })],
        ["api.endpoints[0].", withApi({ endpoints: [endpoint] })],
        ["api.paging.", withApi({ paging: rule })],
        ["api.paging[1].", withApi({ paging: [{ page: "query:p" }, rule] })],
        ["api.jobs.", withApi({ jobs: { status: "a", done: ["b"], [key]: 1 } })],
      ];
      for (const [level, record] of levels) {
        const problems = findProblems(record);
        expect(problems.map(({ path }) => path)).toEqual([`${level}${key.slice(0, 80)}`]);
        expect(problems[0]?.fix).toBe(
          "Remove it, or begin it with `x-` if it is a note of your own; docs/records.md lists every field.",
        );
        expect(isValid(record)).toBe(false);
      }
    },
  );

  it.each<[key: string, fix: string, Record<string, unknown>]>([
    ["api.readOnly", '"methods": ["GET"]', withApi({ readOnly: true })],
    ["readOnly", '"methods": ["GET"]', { readOnly: true, ...withApi({}) }],
    ["api.paths.read_only", '"methods": ["GET"]', withApi({ paths: { read_only: true } })],
    ["api.allowedMethods", "`methods`", withApi({ allowedMethods: ["GET"] })],
    ["allowedMethods", "`methods` in `api`", { allowedMethods: ["GET"], ...withApi({}) }],
    ["api.denyMethods", "`methods` in `api`", withApi({ denyMethods: ["DELETE"] })],
    ["api.denyPaths", "`deny` in `api.paths`", withApi({ denyPaths: ["/admin"] })],
    ["api.allowedPaths", "`allow` in `api.paths`", withApi({ allowedPaths: ["/a"] })],
    ["api.paths.denied", "`deny`", withApi({ paths: { denied: ["/a"] } })],
    ["api.approve", "option `approve`", withApi({ approve: "writes" })],
    ["requireApproval", "option `approve`", { requireApproval: true, ...withApi({}) }],
    ["api.limits.rpm", "`requestsPerMinute`", withApi({ limits: { rpm: 60 } })],
    ["api.rateLimit", "`requestsPerMinute` in `api.limits`", withApi({ rateLimit: 60 })],
    ["api.timeout", "milliseconds", withApi({ timeout: 30 })],
    ["api.maxRetries", "`retries` in `api.limits`", withApi({ maxRetries: 3 })],
    ["api.verify_ssl", "`ca` in `api.network`", withApi({ verify_ssl: false })],
    ["api.preflight", "misspelt name", withApi({ preflight: true })],
    ["description", "`tagline`", { description: "x", ...withApi({}) }],
    ["api.description", "`tagline` in the record itself", withApi({ description: "x" })],
    [
      "api.endpoints[0].summary",
      "`about`",
      withApi({ endpoints: [{ method: "GET", path: "/a", summary: "x" }] }),
    ],
    ["api.paging.cursor", "`next`", withApi({ paging: { cursor: "next_cursor" } })],
    [
      "api.oauth2.grant_type",
      "`grant`",
      withApi({
        authType: "bearer",
        oauth2: {
          grant_type: "refresh_token",
          tokenUrl: "https://login.example.com/token",
          clientId: "a",
        },
      }),
    ],
  ])("refuses %s and names what takes its place: %s", (path, fix, record) => {
    const problems = findProblems(record);
    expect(problems).toEqual([
      expect.objectContaining({ path, fix: expect.stringContaining(fix) }),
    ]);
    expect(isValid(record)).toBe(false);
  });

  it("names only fields that a record has as what takes the place of others", () => {
    const unknown = listReplacingFields().filter((field) => {
      const steps = field.split(".");
      return !listKnownKeys(steps.slice(0, -1))?.includes(steps.at(-1) ?? "");
    });
    // The rules of a list are found by the index of one.
    expect(unknown.filter((field) => !field.startsWith("api.endpoints."))).toEqual([]);
    expect(listKnownKeys(["api", "endpoints", 0])).toEqual(
      expect.arrayContaining(["about", "path"]),
    );
  });

  it("judges the value of a misspelt key as that of the key it was meant to be", () => {
    const paths = findPaths({ api: { base_url: "nonsense", Limits: { retries: 99 } } });
    expect(paths).toEqual(["api.base_url", "api.Limits", "api.baseUrl", "api.limits.retries"]);
  });

  it("keeps `$schema` and keys that begin with `x-` on every level", () => {
    const api = { baseUrl, "X-Note": 2, "x-auth-type": 1, limits: { "x-why": "slow" } };
    const record = { $schema: "x", "x-token": "y", api, name: "Shop" };
    expect(parseSource(record)).toMatchObject(record);
    expect(isValid(record)).toBe(true);
  });
});

describe("parseSource, of secrets", () => {
  const canary = "canary-5f2b9";

  it.each<[string, Record<string, unknown>]>([
    ["token", { token: canary, api: { baseUrl } }],
    ["credentials", { credentials: { [canary]: canary }, api: { baseUrl } }],
    ["api.api_key", withApi({ api_key: canary })],
    ["api.client-secret", withApi({ "client-secret": { a: canary } })],
    ["api.network.password", withApi({ network: { password: canary } })],
    [
      "api.settings.deep[0].access_token",
      withApi({ settings: { deep: [{ access_token: canary }] } }),
    ],
    ["api.headers.Authorization", withApi({ headers: { Authorization: `Bearer ${canary}` } })],
    ["api.headers.X-Api-Key", withApi({ headers: { "X-Api-Key": canary } })],
    ["api.query.access_token", withApi({ query: { access_token: canary } })],
    ["api.variables.token", withApi({ variables: { token: canary } })],
    ["api.network.proxy", withApi({ network: { proxy: `http://user:${canary}@p.example.com` } })],
    ["api.baseUrl", withApi({ baseUrl: `https://user:pa/${canary}@api.example.com` })],
    ["api.baseUrl", withApi({ baseUrl: `https://${canary}@api.example.com` })],
    ["api.baseUrl", withApi({ baseUrl: `https://api.example.com?key=${canary}` })],
    // Pasted into the wrong field.
    ["api.authScheme", withApi({ authType: "bearer", authScheme: `Bearer ${canary}` })],
    ["api.headerName", withApi({ authType: "header", headerName: `X-Key: ${canary}` })],
    ["api.queryParam", withApi({ authType: "query", queryParam: `key ${canary}` })],
    ["api.credentialEnv", withApi({ authType: "bearer", credentialEnv: `${canary} is no name` })],
    ["api.authType", withApi({ authType: { token: canary } })],
    ["api.headers.X-A", withApi({ headers: { "X-A": `${canary}\n` } })],
    ["api.headers", withApi({ headers: `X-A: ${canary}` })],
    ["api.network.key", withApi({ network: { cert: "c.pem", key: [canary] } })],
    ["api.network.proxy", withApi({ network: { proxy: `socks://u:${canary}@p` } })],
  ])("finds one in %s and doesn't print it", (path, record) => {
    const problems = findProblems(record);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(JSON.stringify(problems) + new SourceRecordError(problems).message).not.toContain(
      canary,
    );
  });

  it("finds one under a key that is taken for another, and names its right place", () => {
    const problems = findProblems(withApi({ auth: { type: "bearer", token: canary } }));
    const problem = problems.find(({ path }) => path === "api.auth.token");
    expect(problem?.fix).toMatch(/environment.*`credentials` option/);
    expect(JSON.stringify(problems)).not.toContain(canary);
  });
});

describe("parseSource, of hostile values", () => {
  const nest = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
  const cyclic: Record<string, unknown> = withApi({});
  cyclic["self"] = { cyclic, again: cyclic };
  const fail = (): never => {
    throw new Error("secret in a getter");
  };

  it.each<[string, unknown]>([
    ["a value nested 60 levels", { ...withApi({}), deep: nest(60) }],
    ["a value nested 5,000 levels", { ...withApi({}), deep: nest(5_000) }],
    ["a cycle", cyclic],
    ["a getter that throws", Object.defineProperty({}, "api", { get: fail, enumerable: true })],
    ["a proxy that throws", new Proxy({}, { get: fail, ownKeys: fail })],
    ["a huge key", withApi({ headers: { ["a b".repeat(100_000)]: "x" } })],
    ["a bigint", withApi({ limits: { timeoutMs: 1n } })],
    ["a base URL of a million slashes", { api: { baseUrl: `https://${"/".repeat(900_000)}` } }],
  ])("answers %s with a SourceRecordError", (_what, value) => {
    const problems = findProblems(value);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain("secret in a getter");
  });

  it("names a misspelt rule among thousands of unknown keys, and lists a hundred of them", () => {
    const flood = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`unknown member ${at}`, at]),
    );
    const paths = findPaths(withApi({ metods: ["GET"], ...flood }));
    expect([paths[0], paths.length]).toEqual(["api.metods", 101]);
  });

  it("lists a hundred problems of a record and counts the rest", () => {
    const problems = findProblems(withApi({ methods: new Array(10_000).fill("get") }));
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.message).toBe("has 9900 more problems");
  });

  it("ignores members that an object inherits and a `__proto__`, and takes `undefined` for absent", () => {
    expect(findPaths(Object.create(withApi({})))).toEqual(["api"]);
    expect(findPaths(JSON.parse(`{"__proto__":{"api":{"baseUrl":"${baseUrl}"}}}`))).toEqual([
      "api",
    ]);
    expect(findProblems({ name: undefined, ...withApi({ authType: undefined }) })).toEqual([]);
  });

  it("names a field whose value has a `length` that no one can compare", () => {
    const odd = JSON.parse('{"length":{"toString":1,"valueOf":1}}') as unknown;
    for (const field of ["methods", "reads", "paging", "credentialEnv"]) {
      expect(JSON.stringify(findProblems(withApi({ [field]: odd })))).toContain(field);
    }
    expect(JSON.stringify(findProblems({ ...withApi({}), name: odd }))).toContain("name");
    expect(JSON.stringify(findProblems(withApi({ network: { ca: odd } })))).toContain("ca");
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
    );
    const leaf = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constantFrom(null, baseUrl, "bearer", "${X}"),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        tie("object"),
      ),
      object: fc.dictionary(fc.oneof(keys, fc.string()), tie("value"), { maxKeys: 6 }),
    }));
    fc.assert(
      fc.property(fc.oneof(value, fc.record({ api: value })), (given) => {
        if (findProblems(given).length > 0) return;
        expect(parseSource(given).slug).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
      }),
      { numRuns: runsOf(500) },
    );
  });
});

describe("parseSource, of its own output", () => {
  const record = {
    name: "Shop",
    "x-extra": { nested: [1] },
    ...withApi({ query: { page: 1 }, paths: { allow: ["/a"] }, network: { ca: "x" } }),
  };

  it("returns a source that it returned before, and reads a copy of one to an equal one", () => {
    const source = parseSource(record);
    expect(parseSource(source)).toBe(source);
    for (const auth of [
      {},
      { authType: "bearer", authScheme: "" },
      { authType: "query", queryParam: "key" },
    ]) {
      const read = parseSource({ ...record, api: { ...record.api, ...auth } });
      expect(parseSource(JSON.parse(JSON.stringify(read)))).toEqual(read);
      expect(parseSource({ ...read, name: "Other" }).name).toBe("Other");
    }
  });

  it("is frozen on every level, and neither changes, freezes nor keeps what it was given", () => {
    const before = structuredClone(record);
    const source = parseSource(record);
    expect(record).toEqual(before);
    expect(Object.isFrozen(record) || Object.isFrozen(record["x-extra"].nested)).toBe(false);
    expect(Reflect.get(source, "x-extra")).not.toBe(record["x-extra"]);
    for (const level of [
      source,
      source.api,
      source.api.limits,
      source.api.methods,
      source.api.paths.allow,
    ]) {
      expect(Object.isFrozen(level)).toBe(true);
    }
    const misspelt = Object.freeze({ api: Object.freeze({ base_url: baseUrl }) });
    expect(findProblems(misspelt)).toHaveLength(1);
  });
});

describe("parseSources", () => {
  const api = { baseUrl };

  it("reads records and sources in their order", () => {
    const read = parseSource({ name: "B", api });
    const sources = parseSources([{ name: "A", api }, read]);
    expect(sources.map(({ slug }) => slug)).toEqual(["a", "b"]);
    expect(sources[1]).toBe(read);
  });

  it("lists the problems of every record, collisions included", () => {
    const records = [
      { name: "A", api },
      null,
      { name: "a", api },
      { name: "B", api: { baseUrl: 1 } },
    ];
    const collision = {
      source: "a",
      path: "slug",
      given: '"a"',
      message: `is also the name of the tool of "A" (${baseUrl})`,
      fix: 'Add a `slug` of its own to one of the two, such as "slug": "other_name".',
    };
    expect(() => parseSources(records)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^3 problems:\n/),
        problems: [
          expect.objectContaining({ path: "[1]" }),
          expect.objectContaining({ path: "[3].api.baseUrl" }),
          collision,
        ],
      }),
    );
  });

  it("counts names as one that read the same environment variables", () => {
    for (const [left, right, count] of [
      ["github", "GitHub"],
      ["git-hub", "git_hub"],
      ["a", "b", 2],
    ] as const) {
      const read = () => parseSources([left, right].map((slug) => ({ slug, api })));
      if (count === undefined) expect(read).toThrow(SourceRecordError);
      else expect(read()).toHaveLength(count);
    }
  });

  it.each([[undefined], [{}], ["x"]])("refuses %j instead of a list", (value) => {
    expect(() => Reflect.apply(parseSources, undefined, [value])).toThrow(SourceRecordError);
  });
});
