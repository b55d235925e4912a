import { describe, expect, it } from "@jest/globals";
import type { ResponseBody } from "../../src/body/response-body.js";
import { readError } from "../../src/diagnosis/call-error.js";
import { findPartialFailures } from "../../src/diagnosis/partial-failure.js";
import type { CallError } from "../../src/errors.js";
import type { JsonValue } from "../../src/json/exact-number.js";
import { makeSource } from "../support/api-source.js";
import { emptyBody, htmlBody, jsonBody, textBody, xmlBody } from "../support/response-body.js";
import { failures, successes } from "./successes.js";

const request = { method: "GET", path: "/things", url: "https://api.example.com/v1/things" } as const;
const source = makeSource();
const read = (body: ResponseBody, more: object = {}): CallError | undefined =>
  readError({
    status: 200,
    headers: {},
    body,
    request,
    source,
    credential: { variables: ["SHOP_TOKEN"] },
    ...more,
  })?.error;

describe("readError under 200", () => {
  it.each(successes)("leaves %s alone", (_name, value) => {
    expect(read(jsonBody(value))).toBeUndefined();
  });

  it.each(failures)("finds the failure in %s", (_name, value) => {
    expect(read(jsonBody(value))?.message).toBeTruthy();
  });

  it("finds a SOAP fault and the S3 error of a copy that broke midway", async () => {
    const fault =
      "<s:Envelope><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>Bad id</faultstring></s:Fault></s:Body></s:Envelope>";
    expect(read(await xmlBody(fault))).toMatchObject({ message: "Bad id", code: "s:Client" });
    const copy =
      "<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>";
    expect(read(await xmlBody(copy))).toMatchObject({ category: "server_error", code: "InternalError" });
  });

  it("leaves ordinary XML alone", async () => {
    expect(
      read(await xmlBody("<job><status>error</status><message>disk full</message></job>")),
    ).toBeUndefined();
    expect(read(await xmlBody("<feed><entry><error>x</error></entry></feed>"))).toBeUndefined();
  });

  it("takes an HTML page for a failure, names its title and what it looks like", async () => {
    const page =
      '<!doctype html><html><head><title>Sign in - Shop</title></head><body><form><input type="password"></form></body></html>';
    const error = read(await htmlBody(page));
    expect(error).toMatchObject({ category: "unexpected_content", retryable: false });
    expect(error?.message).toContain("Sign in - Shop");
    expect(error?.hint).toContain("login page");
    expect(error?.hint).toContain("https://api.example.com/v1");
  });

  it.each([
    [
      "a captive portal",
      "<html><title>Hotel Wi-Fi access</title><p>Accept the terms</p></html>",
      "captive portal",
    ],
    ["a block page", "<html><title>Attention Required! | Cloudflare</title></html>", "firewall"],
    ["any other page", "<html><title>Welcome</title></html>", "website"],
  ])("tells %s", async (_name, page, word) => {
    expect(read(await htmlBody(page))?.hint).toContain(word);
  });

  it("accepts a page that was asked for, and plain text sent as HTML", async () => {
    const page = await htmlBody("<html><title>Wiki</title></html>");
    expect(read(page, { request: { ...request, accept: "text/html, */*" } })).toBeUndefined();
    expect(read(page, { request: { ...request, path: "/pages/a.html" } })).toBeUndefined();
    expect(read(await htmlBody("OK"))).toBeUndefined();
    expect(read(page, { request: { ...request, accept: "*/*" } })).toBeDefined();
  });

  it("says of a write answered by a page that it may have been executed", async () => {
    const error = read(await htmlBody("<html><title>Hi</title></html>"), {
      request: { ...request, method: "POST" },
    });
    expect(error?.hint).toContain("may or may not have been executed");
  });

  it("takes broken JSON for a failure, but not what the size cap cut off", () => {
    const broken = { ...jsonBody({ a: [1] }), partial: { bytes: 10, why: "the JSON ends after 10 bytes" } };
    expect(read(broken)).toMatchObject({ category: "unexpected_content", retryable: true });
    expect(read(broken)?.message).toContain("the JSON ends after 10 bytes");
    expect(read(broken, { isTruncated: true })).toBeUndefined();
    expect(read(textBody('{"a": tru', "application/json"))).toMatchObject({ category: "unexpected_content" });
    expect(read(textBody("\u0000", "application/vnd.api+json", "binary"))).toBeDefined();
  });

  it("accepts readable content under a wrong type, and no content", () => {
    expect(read(textBody("pong", "application/json"))).toBeUndefined();
    expect(read(jsonBody({ a: 1 }, "text/plain"))).toBeUndefined();
    expect(read(jsonBody({ a: 1 }, "text/html"))).toBeUndefined();
    expect(read(emptyBody("application/json"))).toBeUndefined();
    expect(read(emptyBody(), { status: 204 })).toBeUndefined();
    expect(read(emptyBody(), { status: 304 })).toBeUndefined();
  });

  it("believes the record's errorWhen", () => {
    const body = jsonBody({ id: 4, outcome: "REJECTED", reasonText: "late" });
    expect(read(body)).toBeUndefined();
    expect(read(body, { errorWhenMatched: true })).toMatchObject({ category: "bad_request" });
    expect(read(jsonBody({ id: 4, message: "late" }), { errorWhenMatched: true })?.message).toBe("late");
  });

  it.each([
    ["not_authed", "unauthorized"],
    ["access_denied", "forbidden"],
    ["channel_not_found", "not_found"],
    ["name_already_exists", "conflict"],
    ["internal_error", "server_error"],
    ["request_timeout", "timeout"],
    ["ratelimited", "rate_limited"],
    ["weird", "bad_request"],
  ])("puts the code %s into the category %s", (code, category) => {
    expect(read(jsonBody({ ok: false, error: code }))?.category).toBe(category);
  });
});

describe("findPartialFailures", () => {
  it.each<[string, JsonValue, string]>([
    [
      "rows that say success: false",
      {
        results: [
          { id: 1, success: true },
          { id: 2, success: false, message: "No such user." },
        ],
      },
      "1 of 2 rows in results failed; the first is results[1]: No such user.",
    ],
    [
      "a list alone",
      [{ ok: false, error: "gone" }, { ok: true }],
      "1 of 2 rows in the answer failed; the first is [0]: gone.",
    ],
    [
      // https://www.elastic.co/guide/en/elasticsearch/reference/current/docs-bulk.html
      "a bulk write",
      {
        took: 486,
        errors: true,
        items: [
          {
            update: {
              _index: "index1",
              _id: "5",
              status: 404,
              error: { type: "document_missing_exception", reason: "[5]: document missing" },
            },
          },
          { create: { _index: "index1", _id: "7", _version: 1, result: "created", status: 201 } },
        ],
      },
      "1 of 2 rows in items failed; the first is items[0]: [5]: document missing.",
    ],
    [
      "a flag alone",
      { hasErrors: true, imported: 3 },
      "The answer says hasErrors: true, so a part of it failed.",
    ],
    [
      "errors beside data",
      { data: [{ id: "1" }], errors: [{ title: "Not Found", detail: "no 2" }] },
      "The answer lists 1 error beside its data: no 2.",
    ],
  ])("tells %s", (_name, value, note) => {
    expect(findPartialFailures(value)).toEqual([note]);
  });

  it.each(
    successes.filter(([name]) => !/bulk|beside|errors|check|ping|attempt|payment|validation|lint/.test(name)),
  )("says nothing of %s", (_name, value) => {
    expect(findPartialFailures(JSON.parse(JSON.stringify(value)))).toEqual([]);
  });

  it("says nothing where `errors` is empty or false, and tells at most three lists", () => {
    expect(findPartialFailures({ errors: false, items: [{ index: { status: 201 } }] })).toEqual([]);
    expect(findPartialFailures({ errors: [], data: [{ error: "kept as data" }] })).toEqual([]);
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`list${index}`, [{ ok: false }]]),
    );
    expect(findPartialFailures(many)).toHaveLength(3);
  });
});
