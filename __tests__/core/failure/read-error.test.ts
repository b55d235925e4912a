import { describe, expect, it } from "@jest/globals";
import type { CallError } from "../../../src/core/base/errors.js";
import { applyErrorBounds, readError } from "../../../src/core/failure/call-error.js";
import type { AnswerFacts } from "../../../src/core/failure/facts.js";
import { makeSource } from "../../support/api-source.js";
import { emptyBody, jsonBody, textBody, xmlBody } from "../../support/response-body.js";
import { documentedErrors } from "./documented-errors.js";

const request = {
  method: "GET",
  path: "/things",
  url: "https://api.example.com/v1/things",
} as const;
const credential = { variables: ["SHOP_TOKEN"] };
const read = (
  facts: Pick<AnswerFacts, "status" | "body"> & Partial<AnswerFacts>,
): CallError | undefined =>
  readError({ headers: {}, request, source: makeSource(), credential, ...facts })?.error;
const of = (status: number, body: unknown): CallError | undefined =>
  read({ status, body: jsonBody(body) });

describe("readError", () => {
  it.each(Object.entries(documentedErrors))(
    "reads %s",
    async (_name, [status, given, error, { headers = {}, contentType } = {}]) => {
      const body =
        typeof given === "string" ? await xmlBody(given) : jsonBody(given ?? {}, contentType);
      expect(read({ status, headers, body })).toMatchObject(error);
    },
  );

  it("has no full stop before a semicolon, nor two at an end, and counts from the sixth text on", () => {
    const errors = ["One is wrong.", "Two is wrong.", "Three…"].map((message) => ({ message }));
    expect(of(400, { errors })?.message).toBe("One is wrong; Two is wrong; Three…");
    const many = Array.from({ length: 7 }, (_, index) => ({ message: `${index} is wrong.` }));
    expect(of(400, { errors: many })?.message).toMatch(/4 is wrong \(and 2 more\)$/);
    const headers = { "x-accepted-oauth-scopes": "admin." };
    expect(read({ status: 403, body: emptyBody(), headers })?.hint).toContain(
      "Needed: admin. Tell",
    );
  });

  it("falls back to an excerpt of an unknown body", () => {
    const message = 'The API answered with status 400: {"foo":{"bar":19}}';
    expect(of(400, { foo: { bar: 19 } })?.message).toBe(message);
  });

  it("is one bounded line without control and bidirectional characters", () => {
    const body = textBody(`a\u0007b\u202ec\n${"d".repeat(5_000)}\u{e0041}`);
    const message = read({ status: 400, body })?.message;
    expect(message).toMatch(/^a bc d+…$/);
    expect(message?.length).toBeLessThanOrEqual(600);
  });

  it("prints a number that JavaScript would change as the wire had it", () => {
    const error = of(400, '{"code":12345678901234567890,"message":"no","max":1e400}');
    expect(error).toMatchObject({ code: "12345678901234567890", details: { max: "1e400" } });
  });

  it("shows no stack, neither in the message nor in the details", () => {
    const stack = "Error: no tenant\n    at f (/srv/x.js:1:2)";
    const error = of(500, {
      message: stack,
      shard: 3,
      cause: stack,
      stack,
      trace: ["a.js:1", "b.js:2"],
    });
    expect(error).toMatchObject({ message: "Error: no tenant", details: { shard: 3 } });
    expect(JSON.stringify(error)).not.toMatch(/srv|\.js/);
  });

  const rows = Array.from({ length: 30 }, (_, index) => `${index}`);
  it.each([
    [
      "texts",
      { errors: rows.map((row) => `row ${row} is wrong`) },
      (row: string) => `row ${row} is wrong`,
    ],
    [
      "objects",
      { message: "No", errors: rows.map((row) => ({ message: `Row ${row}!` })) },
      (row: string) => `Row ${row}!`,
    ],
    [
      "fields",
      { detail: rows.map((row) => ({ loc: ["rows", row], msg: "is wrong" })) },
      (row: string) => `rows.${row}`,
    ],
    [
      "long texts",
      { errors: rows.slice(0, 4).map((row) => `${row} ${"x".repeat(200)} end ${row}`) },
      (row: string) => (Number(row) < 4 ? `end ${row}` : ""),
    ],
  ])("has each of many problems in its details: %s", (_, body, describe) => {
    const error = of(422, body);
    const details = JSON.stringify(error?.details);
    expect(rows.map(describe).filter((each) => !details.includes(each))).toEqual([]);
    expect(details).not.toContain("truncated");
    expect(error?.message).toMatch(/\(and 2\d more\)$|…$/);
  });

  it("has no text in its details that its message has", () => {
    expect(of(422, { errors: ["Too short.", "No digit.", "Taken."] })).toMatchObject({
      message: "Too short; No digit; Taken.",
    });
    expect(of(422, { errors: ["Too short.", "No digit."] })?.details).toBeUndefined();
  });

  it("keeps details bounded and marks them as truncated", () => {
    const texts = Array.from(
      { length: 90 },
      (_, index) => [`field${index}`, ["x".repeat(200)]] as const,
    );
    const details = of(422, { errors: Object.fromEntries(texts) })?.details;
    const length = JSON.stringify(details).length;
    expect(length).toBeLessThanOrEqual(2_000);
    expect(length).toBeGreaterThan(1_500);
    expect(details).toMatchObject({ truncated: true });
    expect(of(422, { errors: { a: ["b"] } })?.details).toEqual({ fields: { a: ["b"] } });
  });

  it("is bounded, with its details, in the errors of other rooms too", () => {
    expect(of(400, { message: "no", code: "x".repeat(119) })?.code).toHaveLength(100);
    const long = "x".repeat(5_000);
    const error = {
      message: long,
      category: "network",
      retryable: true,
      code: long,
      hint: long,
    } as const;
    const bounded = applyErrorBounds({ ...error, details: [long, long] });
    expect(bounded).toMatchObject({ category: "network", retryable: true });
    expect([bounded.message.length, bounded.code?.length, bounded.hint.length]).toEqual([
      600, 100, 1_000,
    ]);
    expect(JSON.stringify(bounded.details).length).toBeLessThanOrEqual(2_000);
  });
});
