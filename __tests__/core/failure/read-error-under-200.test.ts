import { describe, expect, it } from "@jest/globals";
import type { CallError } from "../../../src/core/base/errors.js";
import type { JsonValue } from "../../../src/core/base/exact-number.js";
import type { ResponseBody } from "../../../src/core/body/response-body.js";
import { readError } from "../../../src/core/failure/call-error.js";
import { findPartialFailures } from "../../../src/core/failure/partial-failures.js";
import { makeSource } from "../../support/api-source.js";
import { emptyBody, htmlBody, jsonBody, textBody, xmlBody } from "../../support/response-body.js";
import { failures, successes } from "./successes.js";

const request = {
  method: "GET",
  path: "/things",
  url: "https://api.example.com/v1/things",
} as const;
const source = makeSource();
const credential = { variables: ["SHOP_TOKEN"] };
const read = (body: ResponseBody, more: object = {}): CallError | undefined =>
  readError({ status: 200, headers: {}, body, request, source, credential, ...more })?.error;

describe("readError under 200", () => {
  it.each(successes)("leaves %s alone", (_name, value) => {
    expect(read(jsonBody(value))).toBeUndefined();
  });

  it.each(failures)("finds the failure in %s", (_name, value) => {
    expect(read(jsonBody(value))?.message).toBeTruthy();
  });

  it("finds a SOAP fault and the S3 error of a copy that failed midway, and leaves ordinary XML alone", async () => {
    const of = async (xml: string): Promise<CallError | undefined> => read(await xmlBody(xml));
    const fault =
      "<s:Fault><faultcode>s:Client</faultcode><faultstring>Bad id</faultstring></s:Fault>";
    const soap = await of(`<s:Envelope><s:Body>${fault}</s:Body></s:Envelope>`);
    expect(soap).toMatchObject({ message: "Bad id", code: "s:Client" });
    const copy = await of(
      "<Error><Code>InternalError</Code><Message>An internal error.</Message></Error>",
    );
    expect(copy).toMatchObject({ category: "server_error", code: "InternalError" });
    const rsp = await of('<rsp stat="fail"><err code="100" msg="Invalid API Key"/></rsp>');
    expect(rsp).toMatchObject({ code: "100", message: "Invalid API Key" });
    expect(await of('<rsp stat="ok"><photo id="7"/></rsp>')).toBeUndefined();
    expect(
      await of("<job><status>error</status><message>disk full</message></job>"),
    ).toBeUndefined();
    expect(await of("<feed><entry><error>x</error></entry></feed>")).toBeUndefined();
  });

  it.each([
    '<!doctype html><title>Sign in - Shop</title><form><input type="password"></form>',
    "<html><title>Hotel Wi-Fi access</title><p>Accept the terms</p></html>",
    "<html><title>My orders</title><p>You are signed in. <a>Log out</a>, login history</p></html>",
  ])("treats the page %s as a failure, and names its title", async (page) => {
    const judged = readError({
      status: 200,
      headers: {},
      body: await htmlBody(page),
      request,
      source,
      credential,
    });
    expect(judged?.error).toMatchObject({ category: "unexpected_content", retryable: false });
    expect(judged?.error.message).toContain(/<title>(.*)<\/title>/.exec(page)?.[1]);
    expect(judged?.cause.message.includes("login page")).toBe(page.includes("password"));
    const written = read(await htmlBody(page), { request: { ...request, method: "POST" } });
    expect(written?.hint).toContain("may have been executed");
  });

  it("accepts a page that was requested, and plain text sent as HTML", async () => {
    const page = await htmlBody("<html><title>Wiki</title></html>");
    expect(read(page, { request: { ...request, accept: "text/html, */*" } })).toBeUndefined();
    expect(read(page, { request: { ...request, path: "/pages/a.html" } })).toBeUndefined();
    expect(read(await htmlBody("OK"))).toBeUndefined();
    expect(read(page, { request: { ...request, accept: "*/*" } })).toBeDefined();
  });

  it("treats broken JSON as a failure, but not JSON that the size limit truncated", () => {
    const broken = {
      ...jsonBody({ a: [1] }),
      partial: { bytes: 10, why: "the JSON ends after 10 bytes" },
    };
    expect(read(broken)).toMatchObject({ category: "unexpected_content", retryable: true });
    expect(read(broken)?.message).toContain("the JSON ends after 10 bytes");
    expect(read(broken, { isTruncated: true })).toBeUndefined();
    expect(read(textBody('{"a": tru', "application/json"))).toMatchObject({
      category: "unexpected_content",
    });
    expect(read(textBody("\u0000", "application/vnd.api+json", "binary"))).toBeDefined();
  });

  it("accepts readable content under a wrong type, and no content", () => {
    expect(read(textBody("pong", "application/json"))).toBeUndefined();
    expect(read(jsonBody({ a: 1 }, "text/html"))).toBeUndefined();
    expect(read(emptyBody("application/json"))).toBeUndefined();
    expect(read(emptyBody(), { status: 304 })).toBeUndefined();
  });

  it("names the fields of GraphQL userErrors by their field", () => {
    const userErrors = [{ field: ["input", "title"], message: "is blank", code: "BLANK" }];
    const body = jsonBody({ data: { productCreate: { product: null, userErrors } } });
    expect(read(body)).toMatchObject({ details: { fields: { "input.title": ["is blank"] } } });
  });

  it("believes the record's errorWhen", () => {
    const body = jsonBody({ id: 4, outcome: "REJECTED", reasonText: "late" });
    expect(read(body)).toBeUndefined();
    const message = "The call failed: the record's errorWhen is true for the body.";
    expect(read(body, { errorRule: { when: "true" } })).toMatchObject({
      category: "bad_request",
      message,
    });
    expect(
      read(jsonBody({ id: 4, message: "late" }), { errorRule: { when: "true" } })?.message,
    ).toBe("late");
  });
});

describe("findPartialFailures", () => {
  it.each<[string, JsonValue, string]>([
    [
      "rows that say success: false",
      { results: [{ success: true }, { success: false, message: "No such user." }] },
      "1 succeeded, 1 failed: results[1] (No such user).",
    ],
    [
      "a list alone",
      [{ ok: false, error: "gone" }, { ok: true }],
      "1 succeeded, 1 failed: [0] (gone).",
    ],
    [
      // https://www.elastic.co/guide/en/elasticsearch/reference/current/docs-bulk.html, shortened
      "a bulk write",
      {
        errors: true,
        items: [{ update: { error: { reason: "[5]: missing" } } }, { create: { status: 201 } }],
      },
      "1 succeeded, 1 failed: items[0] ([5]: missing).",
    ],
    [
      "a flag alone",
      { hasErrors: true, n: 3 },
      "The response has hasErrors: true, so all or a part of it may have failed.",
    ],
    [
      "rows with a status of HTTP",
      {
        compositeResponse: [
          { referenceId: "a", httpStatusCode: 201, body: { id: "1" } },
          {
            referenceId: "b",
            httpStatusCode: 400,
            body: [{ errorCode: "INVALID_FIELD", message: "No such column." }],
          },
        ],
      },
      "1 succeeded, 1 failed: b (No such column).",
    ],
    [
      "the outcome of a payment beside its record",
      { messages: { resultCode: "Error" }, transaction: { id: "1" } },
      "The response has resultCode: Error, so all or a part of it may have failed.",
    ],
    [
      "a result that is nothing but an error (InfluxDB)",
      { results: [{ statement_id: 0, error: "database not found: x" }] },
      "0 succeeded, 1 failed: 0 (database not found: x).",
    ],
    [
      "errors beside data",
      { data: [{ id: "1" }], errors: [{ title: "Not Found", detail: "no 2" }] },
      "The response lists 1 error beside its data: no 2.",
    ],
    [
      // docs.aws.amazon.com, Amazon SQS API, SendMessageBatch.
      "failures in a list of their own",
      {
        Failed: [{ Id: "a", Code: "InternalError", Message: "late", SenderFault: false }],
        Successful: [{ Id: "b" }, { Id: "c" }],
      },
      "2 succeeded, 1 failed: a (late).",
    ],
    [
      // docs.aws.amazon.com, Amazon DynamoDB API, BatchWriteItem.
      "what was left undone",
      { UnprocessedItems: { Music: [{ PutRequest: {} }] } },
      "UnprocessedItems was not processed: send what it lists again.",
    ],
    [
      // cloud.google.com, BigQuery API, tabledata.insertAll.
      "rows that were not inserted",
      { kind: "x", insertErrors: [{ index: 0, errors: [{ message: "no integer" }] }] },
      "The response lists 1 error beside its data: no integer.",
    ],
    [
      "a stream that was cut off",
      [
        {
          event: "response.incomplete",
          data: {
            response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
          },
        },
      ],
      "The stream ended as incomplete: max_output_tokens.",
    ],
  ])("describes %s", (_name, value, note) => {
    expect(findPartialFailures(value)).toEqual([note]);
  });

  it("takes the rows of a GET for data, unless the response states that they are outcomes", () => {
    const checks: JsonValue[] = [
      { id: 1, ok: false, name: "db" },
      { id: 2, ok: false },
    ];
    const sent = { results: [{ id: 1, success: false, error: "bounced" }] };
    for (const value of [checks, { checks }, sent]) {
      expect(findPartialFailures(value)).toHaveLength(1);
      expect(findPartialFailures(value, 200, "GET")).toEqual([]);
    }
    const stated = {
      items: [
        { id: "a", status: 404 },
        { id: "b", status: 200 },
      ],
    };
    expect(findPartialFailures(stated, 207, "GET")).toEqual(["1 succeeded, 1 failed: a."]);
  });

  it("names the failed items of a 207 with their reason, and reads a status as data under 200", () => {
    const item = (id: number, more: object): object => ({ id: `P${id}`, ...more });
    const items = Array.from({ length: 8 }, (_, id) => item(id, { status: 200 }));
    const batch = JSON.parse(
      JSON.stringify([...items, item(14884, { status: 423, error: "locked" })]),
    );
    expect(findPartialFailures(batch, 207)).toEqual(["8 succeeded, 1 failed: P14884 (locked)."]);
    expect(findPartialFailures({ responses: batch })).toEqual([
      "8 succeeded, 1 failed: P14884 (locked).",
    ]);
    expect(findPartialFailures({ log: [{ path: "/a", status: 404 }] })).toEqual([]);
    const many = [1, 2, 3, 4, 5].map((id) => ({ id, status: "failed" }));
    expect(findPartialFailures(many, 207)).toEqual(["0 succeeded, 5 failed: 1, 2, 3 and 2 more."]);
  });

  it("has no note for what succeeded, and at most three", () => {
    const isPartial = /bulk|beside|errors|payment|that is a record/;
    for (const [name, value] of successes.filter(([title]) => !isPartial.test(title)))
      expect([name, findPartialFailures(JSON.parse(JSON.stringify(value)))]).toEqual([name, []]);
    expect(findPartialFailures({ errors: false, items: [{ index: { status: 201 } }] })).toEqual([]);
    expect(findPartialFailures([{ ok: 1 }, { success: null }, { succeeded: "late" }])).toEqual([]);
    expect(findPartialFailures({ errors: [], data: [{ error: "kept as data" }] })).toEqual([]);
    expect(findPartialFailures([{ data: { response: { status: "incomplete" } } }])).toEqual([]);
    expect(findPartialFailures({ unprocessedOrders: 12, oldest: "2026-01-01" })).toEqual([]);
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, at]));
    expect(findPartialFailures([{ ...wide, success: false }])).toEqual([]);
    const lists = Array.from({ length: 9 }, (_, index) => [`list${index}`, [{ ok: false }]]);
    expect(findPartialFailures(Object.fromEntries(lists))).toHaveLength(3);
  });
});
