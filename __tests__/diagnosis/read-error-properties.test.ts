import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { ResponseBody } from "../../src/body/response-body.js";
import { readError } from "../../src/diagnosis/call-error.js";
import { errorCategories } from "../../src/errors.js";
import type { JsonValue } from "../../src/json/exact-number.js";
import { findNextPage } from "../../src/paging/find-next-page.js";
import { httpMethods } from "../../src/source/api-source.js";
import { makeSource } from "../support/api-source.js";
import { jsonBody, textBody } from "../support/response-body.js";

const words = fc.constantFrom(
  ..."error errors message detail details code status ok success data fault type title reason fields field".split(
    " ",
  ),
  ..."_errors meta links next cursor page total envelope Body soap:Fault __proto__ constructor non_field_errors".split(
    " ",
  ),
  ..."next_cursor has_more offset limit results paging pagination source pointer loc path extensions".split(
    " ",
  ),
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      1,
      404,
      1e21,
      "",
      "error",
      "not found",
      "0",
      "x".repeat(3_000),
      "\u202e\u0000",
    ),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("json"), { maxLength: 6 }),
    fc.dictionary(fc.oneof(words, fc.string({ maxLength: 8 })), tie("json"), { maxKeys: 6 }),
  ),
}));
const bodies: fc.Arbitrary<ResponseBody> = fc.oneof(
  json.map((value) => jsonBody(JSON.stringify(value))),
  json.map((value): ResponseBody => ({ ...jsonBody(JSON.stringify(value)), kind: "xml" })),
  fc.string({ unit: "binary" }).map((text) => textBody(text)),
  fc.string().map((text): ResponseBody => {
    const page = `<title>${text}<h1>${text}</h1>`;
    return { kind: "html", text: page, bytes: page.length, document: { title: text, text } };
  }),
);
const headerNames = [
  "www-authenticate",
  "link",
  "allow",
  "x-amzn-errortype",
  "location",
  "x-next-page",
  "x-total-count",
];
const headers = fc.dictionary(
  fc.constantFrom(...headerNames),
  fc.oneof(fc.string(), fc.array(fc.string()), fc.constant('Bearer error="x", <"')),
);

describe("readError", () => {
  it("answers any body bounded and never throws", () => {
    const statuses = fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constantFrom(200, 400, 404, 422));
    fc.assert(
      fc.property(
        statuses,
        headers,
        bodies,
        fc.constantFrom(...httpMethods),
        (status, given, body, method) => {
          const request = { method, path: "/a", url: "https://api.example.com/v1/a", bodyText: body.text };
          const error = readError({
            status,
            headers: given,
            body,
            request,
            source: makeSource(),
            credential: { variables: ["SHOP_TOKEN"] },
          })?.error;
          if (status >= 400) expect(error).toBeDefined();
          if (error === undefined) return;
          expect(errorCategories).toContain(error.category);
          expect(error.message.length).toBeGreaterThan(0);
          expect(error.message.length).toBeLessThanOrEqual(600);
          expect(error.hint.length).toBeLessThanOrEqual(1_000);
          expect((error.code ?? "").length).toBeLessThanOrEqual(100);
          expect((JSON.stringify(error.details) ?? "").length).toBeLessThanOrEqual(2_000);
          expect(`${error.message}${error.hint}${error.code ?? ""}`).not.toMatch(
            /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u,
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["arrays", (inner: JsonValue): JsonValue => [inner]],
    ["errors", (inner: JsonValue): JsonValue => ({ error: inner })],
    ["field maps", (inner: JsonValue): JsonValue => ({ errors: inner })],
    ["unknown wrappers", (inner: JsonValue): JsonValue => ({ a: inner })],
    ["data", (inner: JsonValue): JsonValue => ({ data: inner })],
  ])("survives 100,000 levels of %s", (_name, wrap) => {
    let value: JsonValue = "x";
    for (let level = 0; level < 100_000; level++) value = wrap(value);
    const body: ResponseBody = { kind: "json", text: "", bytes: 0, document: value };
    const request = { method: "GET", path: "/a", url: "https://api.example.com/v1/a" } as const;
    const place = {
      url: request.url,
      baseUrl: "https://api.example.com/v1",
      headers: {},
      reservedQueryNames: [],
    };
    for (const status of [200, 400]) {
      expect(
        () =>
          readError({
            status,
            headers: {},
            body,
            request,
            source: makeSource(),
            credential: { variables: ["SHOP_TOKEN"] },
          })?.error,
      ).not.toThrow();
    }
    const { document } = body;
    expect(() => findNextPage({ ...place, request: { ...request, query: [] }, document })).not.toThrow();
  });
});

describe("findNextPage", () => {
  it("answers anything without throwing, and never with the request itself", () => {
    const pairs = fc.array(
      fc.tuple(fc.constantFrom("page", "limit", "offset", "cursor", "after", "q"), fc.string()),
    );
    fc.assert(
      fc.property(
        bodies,
        headers,
        pairs,
        fc.constantFrom(...httpMethods),
        json,
        (body, given, query, method, sent) => {
          const { next } = findNextPage({
            request: { method, path: "/a", query, body: JSON.parse(JSON.stringify(sent)) },
            url: "https://api.example.com/v1/a",
            baseUrl: "https://api.example.com/v1",
            headers: given,
            document: body.document,
            reservedQueryNames: ["key"],
          });
          if (next === undefined) return;
          expect(["GET", "POST"]).toContain(method);
          expect(new URL(`https://api.example.com/v1${next.path}`).pathname.startsWith("/v1")).toBe(true);
          const asked = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
          const isSame =
            next.method === method &&
            next.path.split("?")[0] === "/a" &&
            new URLSearchParams(next.path.split("?")[1] ?? "").toString() === asked.toString() &&
            (next.body === undefined || JSON.stringify(next.body) === JSON.stringify(sent));
          expect(isSame).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
