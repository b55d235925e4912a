import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { errorCategories } from "../../../src/core/base/errors.js";
import type { JsonValue } from "../../../src/core/base/exact-number.js";
import type { ResponseBody } from "../../../src/core/body/response-body.js";
import { readError } from "../../../src/core/failure/call-error.js";
import type { AnswerFacts } from "../../../src/core/failure/facts.js";
import { findNextPage } from "../../../src/core/paging/find-next-page.js";
import { httpMethods } from "../../../src/core/record/api-source.js";
import { anyCharacter } from "../../support/any-character.js";
import { makeSource } from "../../support/api-source.js";
import { runsOf } from "../../support/long-run.js";
import { jsonBody, textBody } from "../../support/response-body.js";

const keys =
  "error errors message messages detail details code status ok success data fault type title reason fields " +
  "field _errors meta links next cursor page total envelope Body soap:Fault __proto__ constructor " +
  "non_field_errors next_cursor has_more offset limit results paging source pointer loc path extensions";
const words = fc.constantFrom(...keys.split(" "));
const odd = [
  null,
  true,
  0,
  404,
  1e21,
  "",
  "error",
  "not found",
  "0",
  "x".repeat(3_000),
  "\u202e\u0000",
];
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.constantFrom(...odd),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("json"), { maxLength: 6 }),
    fc.dictionary(fc.oneof(words, fc.string({ maxLength: 8 })), tie("json"), { maxKeys: 6 }),
  ),
}));
const bodies: fc.Arbitrary<ResponseBody> = fc.oneof(
  json.map((value) => jsonBody(JSON.stringify(value))),
  json.map((value): ResponseBody => ({ ...jsonBody(JSON.stringify(value)), kind: "xml" })),
  fc.string({ unit: anyCharacter }).map((text) => textBody(text)),
  fc.string().map((text): ResponseBody => {
    const page = `<title>${text}<h1>${text}</h1>`;
    return { kind: "html", text: page, bytes: page.length, document: { title: text, text } };
  }),
);
const names = "www-authenticate link allow x-amzn-errortype location x-next-page x-total-count";
const headers = fc.dictionary(
  fc.constantFrom(...names.split(" ")),
  fc.oneof(fc.string(), fc.array(fc.string()), fc.constant('Bearer error="x", <"')),
);
const place = { url: "https://api.example.com/v1/a", baseUrl: "https://api.example.com/v1" };
const credential = { variables: ["SHOP_TOKEN"] };
const read = (facts: Pick<AnswerFacts, "status" | "headers" | "body" | "request">): unknown =>
  readError({ ...facts, source: makeSource(), credential })?.error;

/** What is wrong with the form of an error; `""` for nothing. One check, since thousands of expectations take seconds. */
function findFault(error: unknown): string {
  const {
    message,
    hint,
    category,
    code = "",
    details,
  } = error as NonNullable<ReturnType<typeof readError>>["error"];
  if (!errorCategories.includes(category)) return `category ${category}`;
  if (message.length === 0 || message.length > 600) return `message of ${message.length}`;
  if (hint.length > 1_000 || code.length > 100)
    return `hint of ${hint.length}, code of ${code.length}`;
  if ((JSON.stringify(details) ?? "").length > 2_000) return "long details";
  const shown = `${message}${hint}${code}`;
  return /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(shown)
    ? `invisible characters in ${shown}`
    : "";
}

describe("readError", () => {
  it("answers any body bounded and never throws", () => {
    const statuses = fc.oneof(
      fc.integer({ min: 100, max: 599 }),
      fc.constantFrom(200, 400, 404, 422),
    );
    const methods = fc.constantFrom(...httpMethods);
    fc.assert(
      fc.property(statuses, headers, bodies, methods, (status, given, body, method) => {
        const request = { method, path: "/a", url: place.url };
        const error = read({ status, headers: given, body, request });
        const fault = error === undefined ? (status < 400 ? "" : "no error") : findFault(error);
        if (fault !== "") throw new Error(fault);
      }),
      { numRuns: runsOf(1_000) },
    );
  });

  it.each([
    ["arrays", (inner: JsonValue): JsonValue => [inner]],
    ["errors", (inner: JsonValue): JsonValue => ({ error: inner })],
    ["field maps", (inner: JsonValue): JsonValue => ({ errors: inner })],
    ["unknown wrappers", (inner: JsonValue): JsonValue => ({ a: inner })],
    ["data", (inner: JsonValue): JsonValue => ({ data: inner })],
  ])("reads 100,000 levels of %s", (_name, wrap) => {
    let document: JsonValue = "x";
    for (let level = 0; level < 100_000; level++) document = wrap(document);
    const body: ResponseBody = { kind: "json", text: "", bytes: 0, document };
    const request = { method: "GET", path: "/a", url: place.url } as const;
    for (const status of [200, 400])
      expect(() => read({ status, headers: {}, body, request })).not.toThrow();
    const asked = {
      ...place,
      headers: {},
      reservedQueryNames: [],
      request: { ...request, query: [] },
    };
    expect(() => findNextPage({ ...asked, document })).not.toThrow();
  });
});

describe("findNextPage", () => {
  it("answers anything without throwing, and never with the request itself", () => {
    const name = fc.constantFrom("page", "limit", "offset", "cursor", "after", "q");
    const pairs = fc.array(fc.tuple(name, fc.string()));
    const methods = fc.constantFrom(...httpMethods);
    fc.assert(
      fc.property(bodies, headers, pairs, methods, json, (body, given, query, method, sent) => {
        const { candidates } = findNextPage({
          ...place,
          request: { method, path: "/a", query, body: JSON.parse(JSON.stringify(sent)) },
          headers: given,
          document: body.document,
          reservedQueryNames: ["key"],
        });
        const next = candidates[0]?.next;
        if (next === undefined) return;
        expect(method).not.toBe("DELETE");
        expect(new URL(`${place.baseUrl}${next.path}`).pathname.startsWith("/v1")).toBe(true);
        const [path, asked = ""] = next.path.split("?");
        const isSame =
          next.method === method &&
          path === "/a" &&
          new URLSearchParams(asked).toString() === new URLSearchParams(query).toString() &&
          (next.body === undefined || JSON.stringify(next.body) === JSON.stringify(sent));
        expect(isSame).toBe(false);
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});
