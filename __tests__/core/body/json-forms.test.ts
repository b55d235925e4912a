import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type JsonValue, writeJson } from "../../../src/core/base/exact-number.js";
import { readResponseBody } from "../../../src/core/body/read-response-body.js";
import type { ResponseBody } from "../../../src/core/body/response-body.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";
import { Secret } from "../../../src/core/secrets/secret.js";
import { parseKeptText } from "../../../src/core/store/keep-response.js";
import { jsonText } from "../../support/json-arbitrary.js";

async function read(
  text: string,
  type = "application/json",
  secrets: readonly string[] = [],
): Promise<ResponseBody> {
  const redactor = createRedactor(secrets.map((secret) => new Secret(secret)));
  const bytes = Buffer.from(text);
  const body = await readResponseBody({ bytes, headers: { "content-type": type }, redactor });
  // What is kept is read again as the body was.
  const again = await parseKeptText(body.text, body.kind, body.contentType);
  expect(writeJson(again)).toBe(writeJson(body.document ?? null));
  return body;
}

function printed({ document = null }: ResponseBody): string {
  return writeJson(document);
}

describe("documents that follow each other", () => {
  it.each<[string, string, string]>([
    ["NDJSON", '{"a":1}\n{"a":2}\n', '[{"a":1},{"a":2}]'],
    ["NDJSON with empty lines and CRLF", '{"a":1}\r\n\r\n{"a":2}', '[{"a":1},{"a":2}]'],
    ["a text sequence (RFC 7464)", '\u001e{"a":1}\n\u001e{"a":2}\n', '[{"a":1},{"a":2}]'],
    ["nothing between them", '{"a":1}{"a":2}[3]', '[{"a":1},{"a":2},[3]]'],
    ["documents of several lines", '{\n  "a": 1\n}\n{\n  "a": "}{"\n}\n', '[{"a":1},{"a":"}{"}]'],
    [
      "numbers with all their digits",
      '{"a":1.0}\n{"a":12345678901234567890}',
      '[{"a":1},{"a":12345678901234567890}]',
    ],
    // github.com/ndjson/ndjson-spec, section 3.1: a line is any value of JSON; RFC 7464, section 2.2.
    ["NDJSON with null", '{"a":1}\nnull\n{"a":2}\n', '[{"a":1},null,{"a":2}]'],
    ["lines of numbers", "1\n2.50\n", "[1,2.5]"],
    ["lines of strings", '"a"\r\n"b c"\r\n', '["a","b c"]'],
    ["a text sequence of values", "\u001etrue\n\u001e[]\n", "[true,[]]"],
    [
      "files that were appended, each with its mark",
      '\ufeff{"a":1}\n\ufeff{"a":2}\n',
      '[{"a":1},{"a":2}]',
    ],
    ["a line with NaN", '{"a":NaN}\n{"a":2}\n', '[{"a":null},{"a":2}]'],
  ])("are rows: %s", async (_, text, expected) => {
    const body = await read(text);
    expect([body.kind, printed(body), body.partial]).toEqual(["json", expected, undefined]);
  });

  it.each([
    '{"a":"}\n{"}',
    '{"a":"x\ny"}\n{"b":1}\n',
    '{"a":1}\n{"a":}\n{"a":3}\n',
    '{"a":1}\n{"a":"2\n{"a":"3"}\n{"a":4}\n',
    '{"a":1},{"a":2}',
    '{"a":1}\nnothing\n{"a":2}',
    '{"a":1]\n[2}',
    '{"success":true}0',
    '{"a":1}\nnull null',
    // Each of these would be JSON as a part of one list.
    "1,2\n3,4\n",
    '{"a":1}\n"b",{"c":2}\n',
    '"a\nb"\n',
  ])("are text where one of them is not JSON, and lines are not declared: %j", async (text) => {
    const body = await read(text, "application/json");
    expect([body.kind, body.document]).toEqual(["text", text]);
  });

  it("are those before one that breaks off, and the answer says so", async () => {
    const lines = await read('{"a":1}\n{"a":2}\n{"a":"th', "application/x-ndjson");
    expect([printed(lines), lines.partial?.why]).toEqual([
      '[{"a":1},{"a":2}]',
      "The last JSON document, after 2 complete ones, does not end.",
    ]);
    expect(printed(await read('{\n"a":1\n}\n{\n"a":2,\n"b":['))).toBe('[{"a":1}]');
  });

  it("are the rows that were written, whatever is in them", async () => {
    const row = jsonText.filter((text) => /^\s*[[{]/.test(text));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 4 }), async (rows) => {
        const body = await read(rows.join("\n"));
        const whole = await read(`[${rows.join(",")}]`);
        expect(printed(body)).toBe(printed(whole));
      }),
    );
  });
});

// developers.google.com, "Batching requests"; OData 4.01 part 1, section 11.7.7.6, with a changeset.
describe("an answer to a batch in parts", () => {
  const part = (head: string, response: string) => `--b_1\r\n${head}\r\n\r\n${response}\r\n`;
  const http = "Content-Type: application/http\r\nContent-ID: <response-a>";
  const found = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"id":1}';
  const changed = `--c_1\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--c_1--`;
  it.each<[string, string, string]>([
    ["a response", part(http, found), '[{"id":"response-a","status":200,"body":{"id":1}}]'],
    [
      "a text, and a preamble",
      `Batch:\r\n${part(http, "HTTP/1.1 500 X\r\n\r\nno")}`,
      '[{"id":"response-a","status":500,"body":"no"}]',
    ],
    [
      "a changeset",
      part("Content-Type: multipart/mixed; boundary=c_1", changed) + part(http, found),
      '[{"status":204},{"id":"response-a","status":200,"body":{"id":1}}]',
    ],
  ])("is a row for each response: %s", async (_name, parts, rows) => {
    const body = await read(`${parts}--b_1--\r\n`, "multipart/mixed; boundary=b_1");
    expect([body.kind, printed(body)]).toEqual(["json", rows]);
  });

  it("stays a text where a part is no response", async () => {
    const body = await read(part("Content-Type: text/plain", "hello"), "multipart/mixed");
    expect(body.kind).toBe("text");
  });
});

describe("NaN and Infinity", () => {
  it.each<[string, JsonValue, string]>([
    ['{"v":NaN}', { v: null }, "1 value is NaN or Infinity"],
    ['{"a":[Infinity,-Infinity,1]}', { a: [null, null, 1] }, "2 values are NaN or Infinity"],
    [
      '[{"note":"NaN, \\"Infinity\\"","v": NaN }]',
      [{ note: 'NaN, "Infinity"', v: null }],
      "1 value",
    ],
  ])("are null, with a note: %s", async (text, expected, note) => {
    const body = await read(text);
    expect([body.kind, body.document]).toEqual(["json", expected]);
    expect(body.warnings?.join()).toContain(note);
  });

  it.each(['{"v":NaNa}', '{"v":xInfinity}', "[-NaN-]", '{"v":nan}'])(
    "are no part of another word: %s is text",
    async (text) => {
      expect((await read(text)).kind).toBe("text");
    },
  );

  it("are null in a body that breaks off, and in an event", async () => {
    const broken = await read('{"rows":[{"v":NaN},{"v":2},{"v"');
    expect([printed(broken), broken.partial === undefined]).toEqual([
      '{"rows":[{"v":null},{"v":2}]}',
      false,
    ]);
    expect(broken.warnings?.join()).toContain("1 value is NaN");
    const events = await read('data: {"v":NaN}\n\ndata: NaN\n\n', "text/event-stream");
    expect(printed(events)).toBe('[{"data":{"v":null}},{"data":"NaN"}]');
  });
});

describe("JSON in a JSON string", () => {
  it.each<[string, string]>([
    ['"{\\"a\\":1}"', '{"a":1}'],
    [' "[1, 2]" ', "[1,2]"],
    ['"{\\"id\\":12345678901234567890}"', '{"id":12345678901234567890}'],
  ])("is read as what it contains: %s", async (text, expected) => {
    const body = await read(text);
    expect([body.kind, printed(body)]).toEqual(["json", expected]);
    expect(body.warnings?.join()).toContain("a JSON string that contains JSON");
  });

  it.each(['"[hello]"', '"12"', '"{"', '["{\\"a\\":1}"]'])("stays a string: %s", async (text) => {
    const body = await read(text);
    expect([printed(body), body.warnings]).toEqual([text, undefined]);
  });

  it("shows no secret that only its inner text spells", async () => {
    const body = await read('"{\\"key\\":\\"c4n4ry\\\\u002ds3cret\\"}"', "application/json", [
      "c4n4ry-s3cret",
    ]);
    expect(JSON.stringify([body.document, body.text])).not.toContain("c4n4ry-s3cret");
    expect(printed(body)).not.toContain("s3cret");
  });
});
