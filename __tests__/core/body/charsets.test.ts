import { describe, expect, it } from "@jest/globals";
import { readResponseBody } from "../../../src/core/body/read-response-body.js";
import type { ResponseBody } from "../../../src/core/body/response-body.js";
import { createRedactor } from "../../../src/core/secrets/redactor.js";

const redactor = createRedactor([]);

async function read(
  bytes: Uint8Array | string,
  type?: string,
  { headers = {}, incomplete }: { headers?: Record<string, string>; incomplete?: string } = {},
): Promise<ResponseBody> {
  const all = type === undefined ? headers : { ...headers, "content-type": type };
  return readResponseBody({ bytes: Buffer.from(bytes), headers: all, redactor, incomplete });
}

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const windows = "was read as windows-1252";

describe("a body without a known charset", () => {
  it.each<[string, Buffer, unknown]>([
    ["text/csv", latin("name,city\nJos\xe9,M\xe1laga\n"), [{ name: "José", city: "Málaga" }]],
    ["text/csv", latin("name,price\nx,\x805\n"), [{ name: "x", price: "€5" }]],
    ["text/xml", latin("<a>Caf\xe9</a>"), { a: "Café" }],
    ["text/plain", latin("Caf\xe9 \x96 \x93menu\x94"), "Café – “menu”"],
    ["text/plain; charset=x-unknown", latin("Caf\xe9"), "Café"],
    ["text/html", latin("<p>Caf\xe9</p>"), { text: "Café" }],
    // More than a third of it is beyond ASCII: it is text since it is declared so.
    ["text/plain", latin("\xe9\xe8\xe0"), "éèà"],
    ["application/yaml", latin("name: Jos\xe9"), "name: José"],
  ])("is windows-1252 where it is not UTF-8, with a note: %s %s", async (type, bytes, expected) => {
    const { document, warnings } = await read(bytes, type);
    expect(document).toEqual(expected);
    expect(warnings?.[0]).toContain(windows);
  });

  it.each<[string, Buffer]>([
    ["application/json", latin('{"name":"Jos\xe9"}')],
    ["application/problem+json", latin('{"name":"Jos\xe9"}')],
    ["text/event-stream", latin("data: Jos\xe9\n\n")],
    ["text/csv", Buffer.concat([Buffer.from("name\nJosé\n"), latin("Jos\xe9\n")])],
    ["text/csv; charset=utf-8", latin("name\nJos\xe9\n")],
  ])("is UTF-8 with U+FFFD and a note where it says or shows that: %s", async (type, bytes) => {
    const { document, warnings } = await read(bytes, type);
    expect(JSON.stringify(document)).toContain("\ufffd");
    expect(warnings?.[0]).toContain("not valid UTF-8");
  });

  it.each<[string, Buffer | string, unknown]>([
    ["text/csv", "name\nJosé\n", [{ name: "José" }]],
    ["text/plain", "報告 😀", "報告 😀"],
    ["text/xml", latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>Caf\xe9</a>'), { a: "Café" }],
    ["text/html", latin('<html><meta charset="windows-1252"><p>Caf\xe9</p>'), { text: "Café" }],
    ["text/plain; charset=windows-1251", Buffer.from([0xcf, 0xf0, 0xe8]), "При"],
    ["text/csv; charset=cp1252", latin("name\nJos\xe9\n"), [{ name: "José" }]],
    ["text/plain", Buffer.from("\ufeffCafé", "utf16le"), "Café"],
  ])("has no note where it is known or is UTF-8: %s", async (type, bytes, expected) => {
    const { document, warnings } = await read(bytes, type);
    expect([document, (warnings ?? []).filter((note) => /UTF-8|windows/.test(note))]).toEqual([
      expected,
      [],
    ]);
  });

  it("loses a character of which the rest did not arrive, and nothing else", async () => {
    const text = "größe 😀 größe 😀";
    const bytes = Buffer.from(text);
    for (let missing = 1; missing <= 3; missing += 1) {
      const { document, warnings } = await read(bytes.subarray(0, -missing), "text/plain", {
        incomplete: "it broke off",
      });
      expect([document, warnings]).toEqual(["größe 😀 größe ", undefined]);
    }
  });

  it("is not text where it is neither declared so nor in form", async () => {
    expect((await read(latin("\xe9\xe8\xe0\xf0\x9f\xff"))).kind).toBe("binary");
    expect((await read(Buffer.from([0, 1, 2, 3, 0xe9, 5, 6]), "text/plain")).kind).toBe("binary");
  });
});

describe("a coding that is unknown here", () => {
  it("leaves the bytes as they are, with a note", async () => {
    const headers = { "content-encoding": "gzip, zstd" };
    const { kind, document, warnings } = await read(
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 1]),
      "application/json",
      { headers },
    );
    expect([kind, document]).toEqual(["binary", { type: "application/zstd", bytes: 6 }]);
    expect(warnings).toEqual([
      'The Content-Encoding "gzip, zstd" is unknown here: these are the bytes as they arrived.',
    ]);
  });

  it("is none of those that change nothing", async () => {
    for (const name of ["identity", "none", "aws-chunked", "utf-8", "gzip"]) {
      const { document, warnings } = await read('{"a":1}', "application/json", {
        headers: { "content-encoding": name },
      });
      expect([document, warnings]).toEqual([{ a: 1 }, undefined]);
    }
  });
});

describe("a body that declares Latin-1", () => {
  it.each([
    ["application/json; charset=iso-8859-1", '{"name":"José"}', { name: "JosÃ©" }],
    ["text/plain; charset=us-ascii", "5 €", "5 â‚¬"],
  ])("is read so, with a note where all of it is valid UTF-8: %s", async (type, body, expected) => {
    const { document, warnings } = await read(body, type);
    expect(document).toEqual(expected);
    expect(warnings?.[0]).toContain("all of it is valid UTF-8");
    expect((await read("Cafe", type)).warnings).toBeUndefined();
  });
});

describe("lines before the header of a CSV", () => {
  const rows = [{ id: "a", name: "b" }];
  it.each([
    [
      "# made on Monday\n# by Ann\nid,name\na,b\n",
      "2 lines of comment",
      "# made on Monday # by Ann",
    ],
    ["#made; by Ann\r\nid,name\r\na,b\r\n", "1 line of comment", "#made; by Ann"],
    ["# a\nid;name\na;b\n#c;d\n", "1 line of comment", "# a"],
  ])(
    "are comments where each is one cell and the header has several, and are named: %j",
    async (text, count, named) => {
      const { document, warnings } = await read(text, "text/csv");
      const more = text.includes("#c") ? [{ id: "#c", name: "d" }] : [];
      expect(document).toEqual([...rows, ...more]);
      expect(warnings?.[0]).toContain(count);
      expect(warnings?.[0]).toContain(named);
    },
  );

  it.each([
    ["#id,name\na,b\n", [{ "#id": "a", name: "b" }]],
    ["# made by Ann, Bob\nid,name\n", [{ "# made by Ann": "id", Bob: "name" }]],
    ["# one\na\n", [{ "# one": "a" }]],
    ["#id,name\na,b,\n", [{ "#id": "a", name: "b", column3: "" }]],
    ["# by Ann, Bob, Cyd\nid,name\n", [{ "# by Ann": "id", Bob: "name" }]],
  ])("are rows otherwise: %j", async (text, expected) => {
    expect((await read(text, "text/csv")).document).toEqual(expected);
  });
});

describe("a first line that names the separator of a CSV", () => {
  const rows = [
    { a: "1,5", b: "2" },
    { a: "3", b: "4" },
  ];
  it.each([
    "sep=;\na;b\n1,5;2\n3;4\n",
    '"sep=;"\r\na;b\r\n1,5;2\r\n3;4\r\n',
    "\ufeffsep=\t\na\tb\n1,5\t2\n3\t4\n",
    'sep=,\na,b\n"1,5",2\n3,4\n',
    "SEP=|\ra|b\r1,5|2\r3|4\r",
    "sep=^\na^b\n1,5^2\n3^4\n",
  ])("is no row: %j", async (text) => {
    expect((await read(text, "text/csv")).document).toEqual(rows);
  });

  it.each(["application/octet-stream", "application/vnd.ms-excel", "text/plain", ""])(
    "says that it is a CSV, sent as %j",
    async (type) => {
      const body = await read("sep=|\r\na|b\r\n1|2\r\n", type);
      expect([body.kind, body.document]).toEqual(["csv", [{ a: "1", b: "2" }]]);
    },
  );

  it("is a row where it names nothing", async () => {
    expect((await read("sep=\n1\n", "text/csv")).document).toEqual([{ "sep=": "1" }]);
    expect((await read("sep=ab,x\n1,2\n", "text/csv")).document).toEqual([
      { "sep=ab": "1", x: "2" },
    ]);
  });
});
