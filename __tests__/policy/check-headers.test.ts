import { describe, expect, it } from "@jest/globals";
import { checkHeaders, type HeaderRules } from "../../src/policy/check-headers.js";

const rules: HeaderRules = {
  credentialHeader: "X-Api-Token",
  constantHeaders: ["Accept-Version", "Notion-Version"],
};

function refusal(headers: unknown, given: Partial<HeaderRules> = {}): unknown {
  try {
    checkHeaders(headers, { ...rules, ...given });
  } catch (error) {
    return error;
  }
  return undefined;
}

const refusedNames = [
  ..."Host host HOST Content-Length content-length Transfer-Encoding TE Trailer Upgrade Expect Connection Keep-Alive".split(
    " ",
  ),
  ..."Proxy-Authorization Proxy-Connection Proxy-Foo Cookie cookie2 Set-Cookie Authorization AUTHORIZATION Forwarded".split(
    " ",
  ),
  ..."X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Prefix X-Forwarded-Anything".split(
    " ",
  ),
  ..."X-Forwarded-Client-Cert X-Real-IP True-Client-IP X-Client-IP CF-Connecting-IP Fastly-Client-IP Via X-Host".split(
    " ",
  ),
  ..."X-HTTP-Method-Override X-HTTP-Method X-Method-Override _method X-Original-URL X-Rewrite-URL X-Original-Host".split(
    " ",
  ),
  ..."X-Original-URI X-Originating-IP X-Remote-IP X-Remote-Addr X-Remote-User X-Cluster-Client-IP Sec-Fetch-Site".split(
    " ",
  ),
  ..."Sec-WebSocket-Key Origin Referer Access-Control-Request-Method Accept-Encoding Content-Encoding HTTP2-Settings".split(
    " ",
  ),
  ..."X-Accel-Redirect X-Sendfile X-Envoy-Original-Path X-Authenticated-User X-Custom-IP-Authorization Max-Forwards".split(
    " ",
  ),
  ..."X_Forwarded_For Content_Length TRANSFER_ENCODING x.forwarded.for X!Forwarded!For X_HTTP_Method_Override hOsT".split(
    " ",
  ),
  ..."common get post patch delete head put query __proto__ constructor prototype X-ProxyUser-Ip X-Middleware-Subrequest".split(
    " ",
  ),
  ..."Alt-Used Client-IP X-Azure-ClientIP X-Goog-Authenticated-User-Email X-Amzn-Oidc-Data X-MS-CLIENT-PRINCIPAL-ID".split(
    " ",
  ),
];

const reservedNames = [
  ..."Range baggage traceparent tracestate B3 X-B3-TraceId sentry-trace X-API-Key Api-Key X-Auth-Token X-Access-Token".split(
    " ",
  ),
  ..."Private-Token JOB-TOKEN X-Vault-Token Sudo Impersonate-User X-Impersonate-User On-Behalf-Of X-User-Id X_API_KEY".split(
    " ",
  ),
  ..."X-Amz-Security-Token x-goog-api-key Ocp-Apim-Subscription-Key X-Datadog-Trace-Id".split(" "),
];

const legitimate: readonly (readonly [name: string, value: string])[] = [
  ["Accept", "text/csv"],
  ["Accept-Language", "de-DE,de;q=0.9"],
  ["If-None-Match", 'W/"abc"'],
  ["If-Match", "*"],
  ["If-Modified-Since", "Wed, 21 Oct 2015 07:28:00 GMT"],
  ["Prefer", "return=representation; odata.maxpagesize=10"],
  ["Idempotency-Key", "b7c6"],
  ["X-Request-Id", "1"],
  ["X-Correlation-ID", "1"],
  ["X-Api-Version", "2"],
  ["X-GitHub-Api-Version", "2022-11-28"],
  ["Stripe-Account", "acct_1"],
  ["Stripe-Version", "2024-06-20"],
  ["OData-Version", "4.0"],
  ["ConsistencyLevel", "eventual"],
  ["X-CSRF-Token", "Fetch"],
  ["X-Tenant-Id", "t"],
  ["User-Agent", "x/1"],
  ["Cache-Control", "no-cache"],
  ["X-Custom", "caf\u00e9"],
  ["x_custom_header", "1"],
  ["Content-Type", "application/json"],
  ["Content-Type", "application/merge-patch+json"],
  ["Content-Type", "application/json-patch+json; charset=utf-8"],
  ["Content-Type", "application/vnd.api+json"],
  ["X-Long", "a".repeat(5000)],
  ["X-Empty", ""],
];

describe("checkHeaders", () => {
  it.each(legitimate)("lets %s: %.40s pass in every form", (name, value) => {
    expect({ ...checkHeaders({ [name]: value }, rules) }).toEqual({ [name]: value });
    expect({ ...checkHeaders([{ name, value }], rules) }).toEqual({ [name]: value });
    expect({ ...checkHeaders([[name, value]], rules) }).toEqual({ [name]: value });
    expect({ ...checkHeaders(JSON.stringify({ [name]: value }), rules) }).toEqual({ [name]: value });
  });

  it.each([[undefined], [null], [""], [" "], [[]], [{}], ["null"], [{ Accept: null, Host: undefined }]])(
    "takes %j as no headers",
    (headers) => {
      expect(Object.keys(checkHeaders(headers, rules))).toEqual([]);
    },
  );

  it.each(refusedNames)("refuses %s", (name) => {
    expect(refusal([{ name, value: "x" }])).toMatchObject({ category: "refused_by_policy" });
    expect(refusal([{ name, value: "x" }], { allowedHeaders: [name] })).toMatchObject({
      category: "refused_by_policy",
    });
  });

  it.each(reservedNames)("refuses %s unless the record names it", (name) => {
    expect(refusal([{ name, value: "x" }])).toMatchObject({ category: "refused_by_policy" });
    expect(refusal([{ name, value: "x" }], { allowedHeaders: [name.toLowerCase()] })).toBeUndefined();
  });

  it.each([
    "X-Api-Token",
    "x-api-token",
    "X_Api_Token",
    "x.api.token",
    "Accept-Version",
    "ACCEPT-VERSION",
    "notion_version",
  ])("refuses the configured header %s", (name) => {
    expect(refusal({ [name]: "x" }, { allowedHeaders: [name] })).toMatchObject({
      category: "refused_by_policy",
    });
  });

  it.each([
    "",
    " ",
    "A B",
    "A:",
    "A\r\nB",
    "A\0",
    "Ä",
    "X-Ü",
    "A(",
    "A,B",
    '"A"',
    "Content-Length ",
    " Host",
    "Authorization\t",
    "日本",
    "A/B",
    "{A}",
    "A@B",
  ])("refuses %j, which is no token", (name) => {
    expect(refusal({ [name]: "x" })).toMatchObject({ category: "invalid_input" });
  });

  it.each<[string, unknown]>([
    ["CR LF", "a\r\nX-Injected: 1"],
    ["LF", "a\nb"],
    ["CR", "a\rb"],
    ["NUL", "a\0b"],
    ["a tab", "a\tb"],
    ["DEL", "a\x7f"],
    ["a C1 control", "a\x85b"],
    ["U+010A, whose low byte is LF", "a\u010ab"],
    ["text outside Latin-1", "\u00e9日本"],
    ["a lone surrogate", "\ud800"],
    ["U+2028", "a\u2028b"],
    ["a list", ["0"]],
    ["an object", { a: 1 }],
    ["false", false],
    ["true", true],
    ["a function", () => "x"],
    ["NaN", Number.NaN],
    ["a leading blank", " a"],
    ["a trailing blank", "a "],
  ])("refuses %s as a value", (_, value) => {
    expect(refusal({ "X-A": value })).toMatchObject({ category: "invalid_input" });
  });

  it("prints a number", () => {
    expect({ ...checkHeaders({ "X-Count": 5 }, rules) }).toEqual({ "X-Count": "5" });
  });

  it.each<[string, unknown]>([
    ["axios' common defaults", { common: { Authorization: "x" } }],
    ["axios' method defaults", { post: { Authorization: "x" } }],
    ["a string that is no JSON", "Accept: text/csv"],
    ["a string in a string", '"\\"x\\""'],
    ["a number", 5],
    ["a list of strings", ["Accept: x"]],
    ["an item without a name", [{ value: "x" }]],
    ["41 headers", Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`X-${index}`, "x"]))],
    ["6,001 characters", { "X-A": "a".repeat(5998) }],
  ])("refuses %s", (_, headers) => {
    expect(refusal(headers)).toMatchObject({ category: "invalid_input" });
  });

  it.each<[unknown]>([
    [{ Accept: "a", accept: "b" }],
    [
      [
        { name: "Accept", value: "a" },
        { name: "Accept", value: "a" },
      ],
    ],
    [{ "X-A": "1", X_A: "2" }],
  ])("refuses a header given twice: %j", (headers) => {
    expect(refusal(headers)).toMatchObject({
      category: "refused_by_policy",
      message: expect.stringContaining("twice"),
    });
  });

  it.each([
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "text/plain",
    "application/xml",
    "application/json; charset=utf-16",
    "application/jsonx",
    "x/json",
    "",
  ])("refuses the content type %j for a JSON body", (type) => {
    expect(refusal({ "content-type": type })).toMatchObject({ category: "refused_by_policy" });
  });

  it("fits the content type to a form body", () => {
    const form = { bodyFormat: "form" } as const;
    expect(refusal({ "Content-Type": "application/x-www-form-urlencoded" }, form)).toBeUndefined();
    expect(refusal({ "Content-Type": "application/json" }, form)).toMatchObject({
      category: "refused_by_policy",
    });
  });

  it("lets only allowedHeaders pass where the record names them, in any letter case", () => {
    const allowedHeaders = ["Accept", "X-Trace"];
    expect({ ...checkHeaders({ accept: "a", "x-TRACE": "b" }, { ...rules, allowedHeaders }) }).toEqual({
      accept: "a",
      "x-TRACE": "b",
    });
    expect(refusal({ Prefer: "x" }, { allowedHeaders })).toMatchObject({
      category: "refused_by_policy",
      hint: expect.stringContaining("X-Trace"),
    });
    expect(refusal({ Accept: "x" }, { allowedHeaders: [] })).toMatchObject({ category: "refused_by_policy" });
    expect(refusal({ X_Trace: "x" }, { allowedHeaders })).toMatchObject({ category: "refused_by_policy" });
  });

  it("writes the agent's idempotency key under the record's spelling", () => {
    expect({
      ...checkHeaders({ "idempotency-key": "k" }, { ...rules, idempotencyHeader: "Idempotency-Key" }),
    }).toEqual({ "Idempotency-Key": "k" });
  });

  it("hands out an object without a prototype", () => {
    expect(Object.getPrototypeOf(checkHeaders({ Accept: "a" }, rules))).toBeNull();
  });
});
