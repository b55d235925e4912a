import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { writeJson } from "../../../src/core/base/exact-number.js";
import { readResponseBody } from "../../../src/core/body/read-response-body.js";
import type { ResponseBody } from "../../../src/core/body/response-body.js";
import { createRedactor, type Redactor } from "../../../src/core/secrets/redactor.js";
import { Secret } from "../../../src/core/secrets/secret.js";
import { parseKeptText } from "../../../src/core/store/keep-response.js";
import { runsOf } from "../../support/long-run.js";

const nothingSecret = createRedactor([]);
const canary = "c4n4ry-s3cret";
const knowsCanary = createRedactor([new Secret(canary)]);

interface Given {
  readonly type?: string;
  readonly cut?: string;
  readonly redactor?: Redactor;
}

async function read(body: string | Uint8Array, given: Given = {}): Promise<ResponseBody> {
  const { type, cut, redactor = nothingSecret } = given;
  return readResponseBody({
    bytes: typeof body === "string" ? Buffer.from(body) : body,
    headers: type === undefined ? {} : { "content-type": type },
    redactor,
    incomplete: cut,
  });
}

function printed(body: ResponseBody): string | undefined {
  return body.document === undefined ? undefined : writeJson(body.document);
}

/** Also that the kept text is read as the body was. */
async function readTwice(
  body: string | Uint8Array,
  type: string | undefined,
): Promise<ResponseBody> {
  const first = await read(body, type === undefined ? {} : { type });
  expect(writeJson(await parseKeptText(first.text, first.kind, first.contentType))).toBe(
    printed(first),
  );
  return first;
}

it.each(["utf-8", "us-ascii", "utf-16le", "utf-16be", "utf-16"])(
  "redacts a secret that arrives as UTF-16 of either byte order under the charset %s",
  async (charset) => {
    const little = Buffer.from(`token was ${canary} end`, "utf16le");
    for (const body of [little, Buffer.from(little).swap16()]) {
      const { text } = await read(body, {
        type: `text/plain; charset=${charset}`,
        redactor: knowsCanary,
      });
      for (const order of [text, Buffer.from(text, "utf16le").swap16().toString("utf16le")])
        expect(order.replaceAll("\0", "")).not.toContain(canary);
      expect(text.replaceAll("\0", "")).toHaveLength(`token was [REDACTED] end`.length);
    }
  },
);

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

describe("characters", () => {
  const text = '{"a":"é漢😀"}';
  const json = "application/json";
  const utf16 = (marked: string): Buffer => Buffer.from(marked, "utf16le");
  const latin = (marked: string): Buffer => Buffer.from(marked, "latin1");

  it.each<[string, Uint8Array, string]>([
    [json, Buffer.from(text), text],
    // Byte order marks, one of them over a wrong charset.
    [json, Buffer.from(`\ufeff${text}`), text],
    [json, Buffer.from(`\ufeff\ufeff${text}`), text],
    [`${json}; charset=utf-8`, utf16(`\ufeff${text}`), text],
    [json, utf16(`\ufeff${text}`).swap16(), text],
    // UTF-16 without a mark.
    [json, utf16(text), text],
    [json, utf16(text).swap16(), text],
    [`${json}; charset=ISO-8859-1`, latin('{"a":"é"}'), '{"a":"é"}'],
    [`${json}; charset="windows-1252"`, latin('{"a":"\u0080"}'), '{"a":"€"}'],
    [`${json};charset=Shift_JIS`, latin('{"a":"\u0083\u0065"}'), '{"a":"テ"}'],
    [`${json}; charset=x-nonsense`, Buffer.from(text), text],
    ["application/xml", latin('<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>'), '{"a":"é"}'],
    ["text/html", latin('<html><meta charset="windows-1252"><p>é</p>'), '{"text":"é"}'],
    // A declaration that can't be true.
    [
      "application/xml",
      Buffer.from('<?xml version="1.0" encoding="UTF-16"?><a>é</a>'),
      '{"a":"é"}',
    ],
    ["text/plain", latin("café au lait"), '"café au lait"'],
  ])("of %s are decoded", async (type, body, expected) => {
    expect(printed(await read(body, { type }))).toBe(expected);
  });
});

describe("kinds", () => {
  it.each<[string, string | undefined, string, string]>([
    [
      "application/json",
      "json",
      '{"a":12345678901234567890,"b":19.90}',
      '{"a":12345678901234567890,"b":19.9}',
    ],
    ["application/vnd.api+json; charset=utf-8", "json", '{"a":1}', '{"a":1}'],
    ["text/json", "json", "123", "123"],
    ["application/json", "json", "null", "null"],
    ["application/x-ndjson", "json", '{"a":1.0}\n{"a":2}\n', '[{"a":1},{"a":2}]'],
    ["application/json", "json", '{"a":1.0}\r\n\r\n[2]', '[{"a":1},[2]]'],
    ["application/json-seq", "json", '\u001e{"a":1}\n\u001e{"a":2}\n', '[{"a":1},{"a":2}]'],
    [
      "text/event-stream",
      "json",
      'event: m\r\ndata: {"x":1.50}\r\nid: 7\r\n\r\n: ping\r\rdata: a\rdata: b\r\rdata: [DONE]\n\n',
      '[{"event":"m","id":"7","data":{"x":1.5}},{"data":"a\\nb"},{"data":"[DONE]"}]',
    ],
    ["text/plain", "json", ' {"a":1}', '{"a":1}'],
    ["text/html", "json", "[1.0,2]", "[1,2]"],
    ["application/javascript", "json", ")]}',\n[1.0]", "[1]"],
    ["application/json", "json", "while(1);[1.0]", "[1]"],
    ["application/json", "json", 'for (;;);{"a":1}', '{"a":1}'],
    ["image/png", "json", '{"error":"no such image"}', '{"error":"no such image"}'],
    [undefined as unknown as string, "json", '{"a":1}', '{"a":1}'],
    [undefined as unknown as string, "text", "123", '"123"'],
    ["text/plain", "text", "123", '"123"'],
    ["text/plain", "text", "[info] started {a}", '"[info] started {a}"'],
    ["application/javascript", "text", 'callback({"a":1})', '"callback({\\"a\\":1})"'],
    ["text/markdown", "text", "<b>x</b> and <i>y</i>", '"<b>x</b> and <i>y</i>"'],
    ["text/xml", "xml", "<a><b>1.0</b></a>", '{"a":{"b":"1.0"}}'],
    ["image/svg+xml", "xml", '<svg width="1"/>', '{"svg":{"@width":"1"}}'],
    [undefined as unknown as string, "xml", '<?xml version="1.0"?><a/>', '{"a":""}'],
    [
      undefined as unknown as string,
      "html",
      "<!doctype html><title>T</title><p>x",
      '{"title":"T","text":"x"}',
    ],
    ["text/html", "html", "hello", '{"text":"hello"}'],
    ["text/csv", "csv", "a,b\n1.0,x\n", '[{"a":"1.0","b":"x"}]'],
    [
      "application/x-tsv; charset=utf-8",
      "csv",
      "a,b,c\td\n1,2,3\t4",
      '[{"a,b,c":"1,2,3","d":"4"}]',
    ],
  ])("reads %s as %s: %j", async (type, kind, body, expected) => {
    const result = await readTwice(body, type);
    expect([result.kind, printed(result)]).toEqual([kind, expected]);
  });

  it.each<[string, Given, string | Uint8Array]>([
    ["no bytes", {}, ""],
    ["no bytes under a JSON type", { type: "application/json" }, ""],
    ["white space", { type: "application/json" }, " \r\n\t"],
    ["a byte order mark only", { type: "text/plain" }, "\ufeff"],
  ])("is empty for %s", async (_, given, body) => {
    const result = await read(body, given);
    expect(result).toMatchObject({ kind: "empty", text: "" });
    expect([result.document, await parseKeptText("", "empty")]).toEqual([undefined, null]);
  });

  it.each<[string, string | undefined, Uint8Array, string]>([
    ["a declared image", "image/png", bytes([0x89], "PNG\r\n\u001a\n"), "image/png"],
    ["an undeclared PDF", undefined, bytes("%PDF-1.7\n%", [0xe2, 0xe3]), "application/pdf"],
    [
      "gzip under a JSON type",
      "application/json",
      bytes([0x1f, 0x8b, 8, 0, 0, 0]),
      "application/gzip",
    ],
    [
      "zero bytes without a type",
      undefined,
      bytes([1, 0, 2, 0, 3, 0, 9]),
      "application/octet-stream",
    ],
    [
      "noise under text/plain",
      "text/plain",
      Buffer.from("ff00c3289f8e01fe80aa55", "hex"),
      "application/octet-stream",
    ],
    [
      "a zero byte in octet-stream",
      "application/octet-stream",
      bytes("words", [0]),
      "application/octet-stream",
    ],
    ["a declared zip", "application/zip", Buffer.from("PK\u0003\u0004"), "application/zip"],
  ])("describes and keeps %s", async (_, type, body, told) => {
    const result = await readTwice(body, type);
    expect(result.kind).toBe("binary");
    expect(result.document).toEqual({ type: told, bytes: body.length });
    expect(Buffer.from(result.text, "base64").equals(body)).toBe(true);
  });

  it.each([
    [
      "text under application/octet-stream",
      "application/octet-stream",
      "plain wörds",
      "text",
      "plain wörds",
    ],
    [
      "rows of CSV under a spreadsheet's type",
      "application/vnd.ms-excel",
      "a,b\n1,2",
      "text",
      "a,b\n1,2",
    ],
    [
      "JSON under application/octet-stream",
      "application/octet-stream",
      '{"a":1}',
      "json",
      { a: 1 },
    ],
  ])("reads %s by its content", async (_, type, body, kind, document) => {
    expect(await read(body, { type })).toMatchObject({ kind, document });
  });

  it.each([
    ["JSON", "application/gzip", '{"a":1}', "json", { a: 1 }],
    ["text", "application/octet-stream", "plain words", "text", "plain words"],
    ["CSV under its own type", "text/csv", "a,b\n1,2", "csv", [{ a: "1", b: "2" }]],
  ])("opens gzip that contains %s", async (_, type, body, kind, document) => {
    const result = await read(gzipSync(body), { type });
    expect(result).toMatchObject({ kind, document, isOpened: true, text: body });
  });

  it("does not open gzip that is broken, contains bytes, or is larger than the cap", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_001, "a"));
    for (const body of [gzipSync("words").subarray(0, 20), gzipSync(Buffer.from([0, 1, 2])), bomb])
      expect(await read(body, { type: "application/gzip" })).toMatchObject({ kind: "binary" });
  });

  it("has the media type without parameters and the size in bytes", async () => {
    expect(await read("é", { type: "Text/Plain; charset=utf-8" })).toMatchObject({
      contentType: "text/plain",
      bytes: 2,
    });
    expect((await read("x", { type: "nonsense" })).contentType).toBeUndefined();
  });
});

it.each([
  ["application/jsonl", '{"a":1}\n{"a":}\n{"a":3}', "1 line of the body (2)"],
  [
    "application/x-ndjson",
    '{"a":1}\r\n{"a":\r\n\r\nno\r\n{"a":3}\r\n',
    "2 lines of the body (2, 4)",
  ],
])(
  "reads each line of %s alone, and names those that are not JSON: %j",
  async (type, body, note) => {
    const read = await readTwice(body, type);
    expect(printed(read)).toBe('[{"a":1},{"a":3}]');
    expect(read.warnings).toEqual([`${note} can't be read as JSON: \`data\` has the others.`]);
  },
);

it("notes text before the JSON that is declared, as a warning of PHP", async () => {
  const warning = "<br />\n<b>Warning</b>: x in <b>/a.php</b> on line <b>[3]</b><br />\n";
  const shown = await readTwice(`${warning}{"id":1}`, "application/json");
  expect([shown.kind, shown.warnings]).toEqual([
    "text",
    [
      `The body is declared as JSON, but ${warning.length} characters of other text precede it, so it is shown as text.`,
    ],
  ]);
  for (const text of ["OK\n", `${warning}{"id":`])
    expect((await read(text, { type: "application/json" })).warnings).toBeUndefined();
});

describe("what is odd or missing", () => {
  it.each([
    ["application/json", "<!DOCTYPE html><title>Log in</title><p>Please", "html"],
    ["application/json", "<error><message>no</message></error>", "xml"],
    ["text/csv", "<html><body>Log in</body></html>", "html"],
    ["text/plain", "<!doctype html><p>x", "html"],
    ["application/xml", "<!-- a --><html><body>Log in</body></html>", "html"],
    ["application/xml", '<table v="1"><id>7</id></table>', "xml"],
    ["application/vnd.acme+xml", "<title>T</title>", "xml"],
    ["text/xml", '<?xml version="1.0"?><body><p>x</p></body>', "xml"],
    ["application/xml", '{"a":1}', "json"],
    ["application/json", '{"a":NaNa}', "text"],
    ["application/jsonl", '{"a":\n{"a":}', "text"],
    ["text/csv", 'a,b\n"x"y,1', "text"],
    ["application/json", '{"a":1.0,\n "b":,"c":3}', "text"],
    ["application/xml", "no markup", "text"],
  ])("reads what is declared as %s and is %j as %s", async (type, body, kind) => {
    const { kind: found, partial, warnings } = await read(body, { type });
    expect([found, partial, warnings]).toEqual([kind, undefined, undefined]);
  });

  it("reports a whole body that ends in the middle as partial", async () => {
    const result = await readTwice("[1.0,2.0,tr", "application/json");
    expect([result.kind, printed(result), result.partial?.bytes]).toEqual(["json", "[1,2]", 11]);
  });

  it.each<[string, string, string, string]>([
    [
      "application/json",
      '{"rows":[{"id":1.0},{"id":2.0},{"id":3',
      "json",
      '{"rows":[{"id":1},{"id":2}]}',
    ],
    ["application/json", '{"whole":1.0}', "json", '{"whole":1}'],
    ["application/xml", "<a><b>1</b><c", "xml", '{"a":{"b":"1"}}'],
  ])("reads a truncated %s body %j", async (type, body, kind, expected) => {
    const result = await read(body, { type, cut: "over the cap" });
    expect([result.kind, printed(result)]).toEqual([kind, expected]);
    expect(result.partial).toEqual({ bytes: body.length, why: "over the cap" });
    expect(result.warnings).toBeUndefined();
  });
});

describe("secrets", () => {
  it("takes them out before parsing, whatever the kind", async () => {
    for (const [type, body] of [
      ["application/json", `{"token":"${canary}","${canary}":1.0}`],
      ["text/html", `<p>${canary}</p>`],
      ["application/xml", `<a b="${canary}">${canary}</a>`],
      ["text/csv", `a\n${canary}`],
      ["text/plain", canary],
      ["application/json", `{"a":"${canary}`],
    ] as const) {
      const result = await read(body, { type, redactor: knowsCanary });
      expect(result.text + printed(result)).not.toContain(canary);
      expect(result.text).toContain("[REDACTED]");
    }
  });

  it.each([
    ["application/xml", "<a>c4n4ry-<b/>s3cret</a>"],
    ["text/html", "<p>c4n4ry-<i></i>s3cret</p>"],
    ["application/json", '{"a":"c4n4ry\\u002ds3cret"}'],
  ])("takes out of what was read as %s what its structure had split", async (type, text) => {
    const result = await read(text, { type, redactor: knowsCanary });
    expect(result.text + printed(result)).not.toMatch(/c4n4ry.{0,8}s3cret/);
    expect(printed(result)).toContain("[REDACTED]");
  });

  it.each<[string, Uint8Array, string]>([
    ["behind a byte order mark", bytes([0xef, 0xbb, 0xbf], `${canary} é`), "[REDACTED] é"],
    ["in UTF-16", Buffer.from(`a ${canary}`, "utf16le"), "a [REDACTED]"],
    [
      "between bytes that are not UTF-8",
      bytes([0xe2, 0x80], canary, [0x80, 0xc3]),
      "â€[REDACTED]€Ã",
    ],
  ])("takes them out %s", async (_, body, text) => {
    expect((await read(body, { type: "text/plain", redactor: knowsCanary })).text).toBe(text);
  });

  it("takes them out of bytes that base64 would hide", async () => {
    const result = await read(bytes([0, 1, 2, 3], canary, [0]), { redactor: knowsCanary });
    expect(Buffer.from(result.text, "base64").toString("latin1")).not.toContain(canary);
    expect(result.warnings?.join()).toContain("redacted");
    // UTF-32 begins with the mark of UTF-16.
    const wide = Buffer.from([...`\ufeff${canary}`].map((each) => `${each}\0`).join(""), "utf16le");
    const opened = await read(wide, { type: "text/plain", redactor: knowsCanary });
    const shown = Buffer.from(opened.text, "base64").toString("latin1") + opened.text;
    expect(shown.replaceAll("\0", "")).not.toContain(canary);
  });
});

describe("a truncated body", () => {
  it.each([
    ["text/event-stream", "data: 1\n\ndata: 2\n\n", "data: c4n4", [{ data: "1" }, { data: "2" }]],
    ["application/x-ndjson", '{"a":1}\n{"a":2}\n', '{"a":"c4n4', [{ a: 1 }, { a: 2 }]],
    ["text/csv", "a,b\n1,2\n", "3,c4n4", [{ a: "1", b: "2" }]],
    ["text/plain", "one\ntwo\n", "c4n4", undefined],
  ])(
    "of type %s keeps all up to its last complete event or line",
    async (type, whole, end, document) => {
      const result = await read(whole + end, { type, cut: "cap", redactor: knowsCanary });
      expect(result.text).toBe(whole);
      if (document !== undefined) expect(JSON.parse(printed(result) ?? "")).toEqual(document);
    },
  );
});

describe("any bytes under any type", () => {
  const types =
    "application/json text/html application/xml text/csv text/plain image/png text/event-stream";
  const type = fc.constantFrom(undefined, "application/json; charset=utf-16", ...types.split(" "));
  const pieces = '<a > </a> < /> <![CDATA[ ]]> <!-- &lt; &#xD800; " a,b\n { \u0000 é';
  const markup = fc.array(fc.constantFrom(...pieces.split(" ")), { maxLength: 30 });

  it("are read without a throw, and printed as valid JSON", async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      markup.map((parts) => Buffer.from(parts.join(""))),
    );
    await fc.assert(
      fc.asyncProperty(content, type, fc.boolean(), async (body, declared, cut) => {
        const result = await read(body, {
          ...(declared === undefined ? {} : { type: declared }),
          ...(cut ? { cut: "cap" } : {}),
        });
        const text = printed(result);
        if (text === undefined) return expect(result.kind).toBe("empty");
        expect(text.isWellFormed()).toBe(true);
        expect(() => JSON.parse(text)).not.toThrow();
      }),
      { numRuns: runsOf(1500) },
    );
  });
});

async function countTurns(body: string, type: string): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  await read(body, { type });
  clearImmediate(next);
  return turns;
}

it.each([
  ["parses a JSON body of more than one step, and redacts what it read", 200_000, 2],
  ["scans a large JSON body, parses it, and redacts what it read", 600_000, 3],
])("lets others go first before it %s", async (_what, rows, turns) => {
  expect(await countTurns(`[${"1,".repeat(rows)}1]`, "application/json")).toBe(turns);
});

it("lets others go first after some rows of a wide CSV", async () => {
  expect(await countTurns(`${"1,".repeat(4_999)}1\n`.repeat(20), "text/csv")).toBe(5);
});

it.each([
  ["UTF-8 that is declared as windows-1252", "text/plain; charset=windows-1252", "utf8"],
  ["UTF-8 that is declared as ISO-2022-JP", "text/plain; charset=iso-2022-jp", "utf8"],
  ["Latin-1 among UTF-8", "text/plain", "latin1"],
  ["Latin-1 in JSON", "application/json", "latin1"],
] as const)("redacts a secret with letters that decoding spoils: %s", async (_, type, encoding) => {
  const secret = "pÄss-wörd-0123";
  const redactor = createRedactor([new Secret(secret)]);
  const text = Buffer.from(`"é日${type}: `);
  const bytes = Buffer.concat([text, Buffer.from(secret, encoding), Buffer.from('"')]);
  const body = await readResponseBody({ bytes, headers: { "content-type": type }, redactor });
  expect(body.text).toContain("[REDACTED]");
  expect(body.text).not.toMatch(/ss-w/);
});
