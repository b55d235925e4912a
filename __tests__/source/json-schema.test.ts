import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "@jest/globals";
import { apiSourceJsonSchema } from "../../src/source/json-schema.js";
import { parseSource } from "../../src/source/parse-source.js";

const schema: Schema = JSON.parse(JSON.stringify(apiSourceJsonSchema));
const validator = new Validator(schema, "7", false);
const baseUrl = "https://api.example.com/v1";

function isParsed(record: unknown): boolean {
  try {
    parseSource(record);
    return true;
  } catch {
    return false;
  }
}

const withApi = (api: Record<string, unknown>) => ({ api: { baseUrl, ...api } });

describe("apiSourceJsonSchema", () => {
  it.each<[unknown]>([
    [{ api: { baseUrl } }],
    [{ $schema: "x", type: "api", name: "A", slug: "a-B_1", tagline: "", icon: "", api: { baseUrl } }],
    [{ unknown: 1, "x-note": {}, api: { baseUrl, region: "eu", limits: { colour: 1 } } }],
    [{ api: { baseUrl: "https://{tenant}.example.com:{port}/x" } }],
    [{ api: { baseUrl: "HTTP://localhost:1" } }],
    [withApi({ authType: "bearer", authScheme: "" })],
    [withApi({ authType: "bearer", headerName: "" })],
    [withApi({ authType: "header", headerName: "X-Key" })],
    [withApi({ authType: "query", queryParam: "key", credentialEnv: ["A", "B", "C"] })],
    [withApi({ authType: "basic", credentialEnv: { username: "A" } })],
    [withApi({ authType: "basic", credentialEnv: ["A", "B"] })],
    [withApi({ headers: { "X-A": "${B} ü" }, query: { a: 1, b: true, c: "" }, variables: { a: "x", b: 2 } })],
    [
      withApi({
        bodyFormat: "form",
        methods: ["GET"],
        allowedHeaders: ["If-Match"],
        methodParameter: "allow",
      }),
    ],
    [withApi({ paths: { allow: ["/", "/**", "/a/*/b"], deny: [] } })],
    [withApi({ endpoints: [{ method: "POST", path: "/a/{b}", about: "x", body: null }] })],
    [withApi({ errorWhen: "x", idempotencyHeader: "Idempotency-Key" })],
    [withApi({ openapi: "shop.yaml", guide: "docs/shop.md", preflight: "warn" })],
    [withApi({ network: { proxy: "http://a:1", ca: "x", cert: "y", key: "z", allowLocalAddresses: true } })],
    [withApi({ limits: { timeoutMs: 1, retries: 0, maxWaitMs: 0, concurrency: 1, requestsPerMinute: 1 } })],
    [parseSource({ api: { baseUrl } })],
    [parseSource(withApi({ authType: "header", headerName: "X-Key" }))],
  ])("accepts, as the parser does, %j", (record) => {
    expect([validator.validate(record).valid, isParsed(record)]).toEqual([true, true]);
  });

  it.each<[unknown]>([
    [null],
    [[]],
    [{}],
    [{ api: {} }],
    [{ api: { baseUrl: 1 } }],
    [{ api: { baseUrl: "api.example.com" } }],
    [{ api: { baseUrl: "ftp://api.example.com" } }],
    [{ api: { baseUrl: "https://u:p@api.example.com" } }],
    [{ api: { baseUrl: "https://api.example.com?x" } }],
    [{ api: { baseUrl: "https://api.example.com/a#x" } }],
    [{ type: "rest", api: { baseUrl } }],
    [{ name: " ", api: { baseUrl } }],
    [{ slug: "9", api: { baseUrl } }],
    [{ slug: "read_api_response", api: { baseUrl } }],
    [withApi({ authType: "Bearer" })],
    [withApi({ authType: "header" })],
    [withApi({ authType: "header", headerName: "a b" })],
    [withApi({ authType: "query" })],
    [withApi({ authType: "query", queryParam: "" })],
    [withApi({ headerName: "X-Key" })],
    [withApi({ queryParam: "key" })],
    [withApi({ authScheme: "Bearer" })],
    [withApi({ credentialEnv: "X" })],
    [withApi({ authType: "bearer", authScheme: "a b" })],
    [withApi({ authType: "bearer", credentialEnv: { username: "A" } })],
    [withApi({ authType: "basic", credentialEnv: ["A", "B", "C"] })],
    [withApi({ authType: "basic", credentialEnv: {} })],
    [withApi({ authType: "basic", credentialEnv: { token: "A" } })],
    [withApi({ headers: { "a b": "x" } })],
    [withApi({ headers: { a: 1 } })],
    [withApi({ headers: { a: "\n" } })],
    [withApi({ query: { a: [1] } })],
    [withApi({ variables: { "1": "x" } })],
    [withApi({ bodyFormat: "xml" })],
    [withApi({ methods: [] })],
    [withApi({ methods: ["get"] })],
    [withApi({ paths: { allow: [] } })],
    [withApi({ paths: { deny: ["a"] } })],
    [withApi({ paths: { deny: ["/a*"] } })],
    [withApi({ paths: { deny: ["/{a}"] } })],
    [withApi({ allowedHeaders: ["a b"] })],
    [withApi({ endpoints: [{ method: "GET", path: "/a" }] })],
    [withApi({ endpoints: [{ method: "GET", path: "a", about: "x" }] })],
    [withApi({ endpoints: [{ method: "GET", path: "/a", about: "x", body: {} }] })],
    [withApi({ errorWhen: " " })],
    [withApi({ idempotencyHeader: "" })],
    [withApi({ network: { cert: "x" } })],
    [withApi({ network: { key: "x" } })],
    [withApi({ network: { allowLocalAddresses: 1 } })],
    [withApi({ limits: { timeoutMs: 2 ** 31 } })],
    [withApi({ limits: { retries: -1 } })],
    [withApi({ limits: { maxBytes: 1.5 } })],
  ])("refuses, as the parser does, %j", (record) => {
    expect([validator.validate(record).valid, isParsed(record)]).toEqual([false, false]);
  });

  it("has no keyword of our own, which strict validators refuse", () => {
    expect(JSON.stringify(schema)).not.toContain('"fix":');
  });

  it("is draft-07 and describes every field", () => {
    expect(schema["$schema"]).toBe("http://json-schema.org/draft-07/schema#");
    const undescribed: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      for (const [key, value] of Object.entries(node)) {
        if (key === "properties" && !path.includes("anyOf") && !path.includes("allOf")) {
          for (const [field, fieldSchema] of Object.entries(Object(value))) {
            if (!Object.hasOwn(Object(fieldSchema), "description")) undescribed.push(`${path}.${field}`);
          }
        }
        visit(value, `${path}.${key}`);
      }
    };
    visit(schema, "");
    expect(undescribed).toEqual([]);
  });
});
