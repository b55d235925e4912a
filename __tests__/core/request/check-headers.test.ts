import { describe, expect, it } from "@jest/globals";
import { checkHeaders, type HeaderSettings } from "../../../src/core/request/check-headers.js";
import { findRefusal } from "../../support/refusals.js";
import { words } from "../../support/words.js";

const constants = { "Accept-Version": "1", "Notion-Version": "2" };

const check = (headers: unknown, given: Partial<HeaderSettings> = {}): Record<string, string> => ({
  ...checkHeaders(headers, { headers: constants, ...given }, "X-Api-Token"),
});

const refusal = (headers: unknown, given: Partial<HeaderSettings> = {}) =>
  findRefusal(() => check(headers, given));

/** Never, whatever the record says. */
const neverNames = (
  "Host host HOST Content-Length content-length Transfer-Encoding TE Trailer Upgrade Expect Connection Keep-Alive " +
  "Proxy-Authorization Proxy-Connection Proxy-Foo Cookie cookie2 Set-Cookie Authorization AUTHORIZATION Sec-Fetch-Site " +
  "Sec-WebSocket-Key Access-Control-Request-Method Accept-Encoding Content-Encoding HTTP2-Settings Max-Forwards Alt-Used " +
  "Content_Length TRANSFER_ENCODING hOsT _host common get post patch delete head put query __proto__ constructor prototype"
).split(" ");

/** Only where the record names them: by kind, in the spelling of real products, platforms and attacks. */
const namesByKind: Readonly<Record<string, string>> = {
  access:
    "x-amz-acl x-goog-acl X-AMZ-ACL x-amz-grant-read x-amz-grant-full-control x-ms-blob-public-access x-amz-bucket-policy",
  identity:
    "X-RunAs X-Masquerade X-Merchant-Id X-Employee-Id X-Email As-User Dropbox-API-Select-User Dropbox-API-Select-Admin Stripe-Account X-Hasura-Role X-Hasura-User-Id X-Tenant-Id Xero-tenant-id " +
    "X-User-Id X_USER_ID x-userid asuser X-Act-As X-Run-As Sudo X-Sudo Impersonate-User X-Impersonate-User On-Behalf-Of " +
    "X-On-Behalf-Of CallerObjectId MSCRMCallerID callerobjectid X-Authenticated-User Remote-User X-MS-CLIENT-PRINCIPAL-ID " +
    "OpenAI-Organization login-customer-id X-Account-Id X-Admin X-Is-Admin X-Groups X-Member-Id X-Consumer-Id x-goog-user-project " +
    "X-Zoho-Org X-WEBAUTH-USER X-Workspace-Id X-Permissions X-Auth-Email-Admin Intuit-AccountId X-ProxyUser-Ip " +
    "x-scope-orgid X-Vault-Namespace OpenAI-Project Procore-Company-Id Amazon-Advertising-API-Scope X-MSISDN EVE-TRUSTED",
  credential:
    "DPoP X-WSSE x_wsse dpop X-API-Key Api-Key apikey X_API_KEY X-Auth-Token X-Access-Token Private-Token JOB-TOKEN X-Vault-Token X-Consul-Token X-Session-Token " +
    "X-Amz-Security-Token x-goog-api-key Ocp-Apim-Subscription-Key DD-API-KEY X-Signature X-Hub-Signature X-Session-Id X-Secret " +
    "X-Amzn-Oidc-Data X-Goog-IAP-JWT-Assertion Client-Cert X-Password X-Access-Key accesskey X-SID Authorization-2 x-functions-key",
  routing:
    "X-Forwarded-For X-Forwarded-Host X-Forwarded-Anything Forwarded x.forwarded.for X!Forwarded!For X_Forwarded_For xforwardedhost " +
    "X-Real-IP True-Client-IP X-Client-IP WL-Proxy-Client-IP CF-Connecting-IP Fastly-Client-IP Via X-Host X-Original-URL " +
    "X-Rewrite-URL X-Original-Host X-Originating-IP X-Remote-IP X-Cluster-Client-IP Origin Referer X-Accel-Redirect X-Sendfile " +
    "X-Envoy-Original-Path X-Custom-IP-Authorization X-HTTP-Method-Override X-HTTP-Method X-HTTP-Verb-Override X-Method-Override " +
    "_method X-Middleware-Subrequest Client-IP X-Azure-ClientIP X-Source-IP sourceip X-ARR-LOG-ID X-Appengine-Country X-Url-Scheme X-SSL-Client-Name X-Client-Name X-Mtls-Client-Name X-Client-Name-IP " +
    "Base-Url X-Backend X-Upstream X-Server-Name X-Path-Info Front-End-Https X-Forward-Proto From Destination X-Endpoint-Uri " +
    "__RequestVerb x-amz-copy-source X-Amz-Target X-Shopify-Shop-Domain X-Internal Query-String X-Bypass-Cache Xroxy-Connection",
  "range or trace":
    "Range x-ms-range Request-Range X-Range If-Range baggage traceparent tracestate B3 X-B3-TraceId sentry-trace X-Datadog-Parent-Id " +
    "X-Cloud-Trace-Context X-Amzn-Trace-Id Upgrade-Mode uber-trace-id grpc-trace-bin",
};

/** Pass in every source that doesn't list its headers. */
const harmless = (
  "Accept Accept-Language Accept-Charset Accept-Version Accept-Datetime Cache-Control Pragma Date DNT Depth Overwrite Timeout If If-Match " +
  "If-None-Match If-Modified-Since If-Unmodified-Since Prefer Priority Want-Digest Digest Content-Digest Repr-Digest Content-MD5 " +
  "Content-Language Content-Disposition Content-Location Link Slug Save-Data User-Agent Idempotency-Key X-Idempotency-Key Lock-Token " +
  "X-Client-Version X-Bunq-Client-Request-Id X-Request-Id X-Correlation-ID X-Request-ID Request-Id X-Api-Version X-GitHub-Api-Version Notion-Version Stripe-Version " +
  "anthropic-version anthropic-beta OpenAI-Beta Square-Version Intercom-Version Zotero-API-Version Twilio-Content LinkedIn-Version " +
  "X-Restli-Protocol-Version OData-Version OData-MaxVersion OData-Isolation ConsistencyLevel MaxDataServiceVersion " +
  "PayPal-Request-Id PayPal-Partner-Attribution-Id X-CSRF-Token X-Requested-With X-Atlassian-Mode Harvest-Version Klaviyo-Revision revision " +
  "X-PrettyPrint X-Total X-Page X-Per-Page X-Limit X-Fields X-Sort X-Locale X-Timezone X-Language X-Currency X-Region " +
  "X-Dry-Run X-Return-Format X-Include X-Expand X-Custom x_custom_header X-Batch-Size Sforce-Call-Options Sforce-Query-Options " +
  "Sforce-Duplicate-Rule-Header x-ms-version x-ms-date x-ms-blob-type X-Goog-FieldMask x-goog-if-generation-match x-amz-meta-color"
).split(" ");

const legitimate: readonly (readonly [name: string, value: string])[] = [
  ["If-None-Match", 'W/"abc"'],
  ["X-Custom", "caf\u00e9"],
  ["Content-Type", "application/json"],
  ["Content-Type", "application/merge-patch+json"],
  ["Content-Type", "application/json-patch+json; charset=utf-8"],
  ["Content-Type", "application/vnd.api+json"],
  ["X-Long", "a".repeat(5000)],
  ["X-Empty", ""],
  ...harmless
    .filter((name) => name !== "Accept-Version" && name !== "Notion-Version")
    .map((name) => [name, "1"] as const),
];

const refused = { category: "refused_by_policy" };

describe("checkHeaders", () => {
  it.each(legitimate)("lets %s: %.40s pass in every form", (name, value) => {
    const given = { [name]: value };
    for (const form of [given, [{ name, value }], [[name, value]], JSON.stringify(given)])
      expect(check(form)).toEqual(given);
  });

  it("takes null and an empty list as no headers", () => {
    expect([check(null), check([])]).toEqual([{}, {}]);
  });

  it.each(neverNames)("refuses %s, whatever the record says", (name) => {
    expect(refusal([{ name, value: "x" }])).toMatchObject(refused);
    expect(refusal([{ name, value: "x" }], { allowedHeaders: [name] })).toMatchObject(refused);
  });

  it.each(
    Object.entries(namesByKind).flatMap(([kind, names]) =>
      names.split(" ").map((name) => [kind, name]),
    ),
  )("refuses one of %s, %s, unless the record names it, and says so", (_kind, name) => {
    for (const spelt of [name, name?.toLowerCase(), name?.toUpperCase()]) {
      expect(refusal([{ name: spelt, value: "x" }])).toMatchObject({
        category: "refused_by_policy",
        hint: expect.stringContaining('"allowedHeaders"'),
      });
    }
    expect(
      refusal([{ name, value: "x" }], { allowedHeaders: [String(name).toLowerCase()] }),
    ).toBeUndefined();
  });

  it.each(
    "X-Api-Token x-api-token X_Api_Token x.api.token ACCEPT-VERSION notion_version".split(" "),
  )("refuses the configured header %s", (name) => {
    expect(refusal({ [name]: "x" }, { allowedHeaders: [name] })).toMatchObject(refused);
  });

  it.each([
    ...words('A: X-Ü A( A,B "A" 日本 A/B'),
    ...["", " ", "A B", "A\r\nB", "A\0", " Host", "Authorization\t"],
  ])("refuses %j, which is not a token", (name) => {
    expect(refusal({ [name]: "x" })).toMatchObject({ category: "invalid_input" });
  });

  it.each<[string, unknown]>([
    ["CR LF", "a\r\nX-Injected: 1"],
    ["NUL", "a\0b"],
    ["a C1 control", "a\x85b"],
    ["U+010A, whose low byte is LF", "a\u010ab"],
    ["a list", ["0"]],
    ["an object", { a: 1 }],
    ["true", true],
    ["a leading blank", " a"],
    ["a trailing blank", "a "],
  ])("refuses %s as a value", (_, value) => {
    expect(refusal({ "X-A": value })).toMatchObject({ category: "invalid_input" });
  });

  it.each<[string, unknown]>([
    ["axios' common defaults", { common: { Authorization: "x" } }],
    ["a string that is no JSON", "Accept: text/csv"],
    ["a number", 5],
    [
      "41 headers",
      Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`X-${index}`, "x"])),
    ],
    ["6,001 characters", { "X-A": "a".repeat(5998) }],
  ])("refuses %s", (_, headers) => {
    expect(refusal(headers)).toMatchObject({ category: "invalid_input" });
  });

  const accept = { name: "Accept", value: "a" };
  it.each<[unknown]>([
    [{ Accept: "a", accept: "b" }],
    [[accept, accept]],
    [{ "X-A": "1", X_A: "2" }],
  ])("refuses a header given twice: %j", (headers) => {
    expect(refusal(headers)).toMatchObject({
      category: "refused_by_policy",
      message: expect.stringContaining("twice"),
    });
  });

  const sent = words("application/json application/x-www-form-urlencoded text/csv");
  const unsent = words("multipart/form-data application/octet-stream application/jsonx x/json");

  it("takes each Content-Type that a body can be written under, and names them for any other", () => {
    for (const type of sent) expect(refusal({ "content-type": type })).toBeUndefined();
    const hint = expect.stringContaining("multipart");
    const message = expect.stringContaining("can't be sent");
    for (const type of [...unsent, "application/json; charset=utf-16", ""])
      expect(refusal({ "content-type": type })).toMatchObject({ ...refused, hint, message });
  });

  it("lets only allowedHeaders pass where the record names them, in any letter case", () => {
    const allowedHeaders = ["Accept", "X-Trace"];
    const given = { accept: "a", "x-TRACE": "b" };
    expect(check(given, { allowedHeaders })).toEqual(given);
    expect(refusal({ Prefer: "x" }, { allowedHeaders })).toMatchObject({
      category: "refused_by_policy",
      hint: expect.stringContaining("X-Trace"),
    });
    expect(refusal({ Accept: "x" }, { allowedHeaders: [] })).toMatchObject(refused);
    expect(refusal({ X_Trace: "x" }, { allowedHeaders })).toMatchObject(refused);
  });

  it("writes the agent's idempotency key under the record's spelling", () => {
    expect(check({ "idempotency-key": "k" }, { idempotencyHeader: "Idempotency-Key" })).toEqual({
      "Idempotency-Key": "k",
    });
  });
});
