import { describe, expect, it } from "@jest/globals";
import { parseCsv } from "../../../src/core/body/parse-csv.js";
import { parseHtml } from "../../../src/core/body/parse-html.js";
import { parseXml } from "../../../src/core/body/parse-xml.js";

describe("parseXml", () => {
  it.each([
    ['<a x="1" y="a&amp;b"/>', '{"a":{"@x":"1","@y":"a&b"}}'],
    ["<a><b>19.90</b><b>007</b><c/></a>", '{"a":{"b":["19.90","007"],"c":""}}'],
    ["<a>x<b>1</b>y</a>", '{"a":{"b":"1","#text":"xy"}}'],
    [
      '<s:E xmlns:s="u"><s:B s:t="1">v</s:B></s:E>',
      '{"s:E":{"@xmlns:s":"u","s:B":{"@s:t":"1","#text":"v"}}}',
    ],
    ["<a><![CDATA[1 < 2 & ]]></a>", '{"a":"1 < 2 &"}'],
    ["<a>&lt;&#65;&#x1F600;&apos;</a>", `{"a":"<A😀'"}`],
    ["<!-- c --><?pi x?><a><!-- b -->v</a>", '{"a":"v"}'],
    [
      "<__proto__><constructor>1</constructor><__proto__ z='2'/></__proto__>",
      '{"__proto__":{"constructor":"1","__proto__":{"@z":"2"}}}',
    ],
    ["<a><b>1</a>", '{"a":{"b":"1"}}'],
    ["<a><b>1</c></b></a>", '{"a":{"b":"1"}}'],
  ])("reads %s", async (text, expected) => {
    const reading = await parseXml(text);
    expect(JSON.stringify(reading?.document)).toBe(expected);
    expect(reading?.missing).toBeUndefined();
  });

  it("expands no entity of the document and fetches none", async () => {
    const bomb = `<!DOCTYPE b [<!ENTITY a "${"x".repeat(100)}"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">]><r>&b;&f;</r>`;
    expect((await parseXml(bomb))?.document).toEqual({ r: "&b;&f;" });
  });

  it("reports an element that is not closed, and returns nothing for a text without elements", async () => {
    expect(await parseXml("<a><b>1</b>")).toMatchObject({
      document: { a: { b: "1" } },
      missing: expect.stringContaining("<a>"),
    });
    expect(await parseXml("words")).toBeUndefined();
  });
});

describe("parseHtml", () => {
  it.each([
    ["<title>A &amp;\n B</title><body>x", { title: "A & B", text: "x" }],
    ["<h1>Head</h1><p>one <b>two</b>\n three<br>four", { text: "Head\none two three\nfour" }],
    [
      "<script>if (a < b) {}</script><style>p{}</style><noscript>no</noscript>seen<template><p>t</p></template>",
      { text: "seen" },
    ],
    ["<table><tr><th>a<th>b<tr><td>1<td>2</table>", { text: "a b\n1 2" }],
    ["<ul><li>x<li>y</ul><a href='/z'>link</a>", { text: "x\ny\nlink" }],
    ["a&nbsp;b &lt;c&gt; &eacute; &#x1F600; &xyzzy;", { text: "a b <c> é 😀 &xyzzy;" }],
    ["<svg><title>icon</title></svg><title>Page</title>t", { title: "Page", text: "t" }],
    ["<!-- no --><p>unclosed <b>tags", { text: "unclosed tags" }],
    [
      '<html xmlns="http://www.w3.org/1999/xhtml"><title/><script src="x"/><svg><use/><svg/></svg><svg/><p>seen</p></html>',
      { text: "seen" },
    ],
    ["", { text: "" }],
  ])("reads %j", async (html, expected) => {
    expect((await parseHtml(html)).document).toEqual(expected);
  });
});

describe("parseCsv", () => {
  it.each([
    ["a,b\n1,2\n", [{ a: "1", b: "2" }]],
    ["a;b\r\n1,5;2\r\n", [{ a: "1,5", b: "2" }]],
    ["a\tb\n1\t2", [{ a: "1", b: "2" }]],
    ["\ufeffname,price\nx,19.90", [{ name: "x", price: "19.90" }]],
    ['a,b\n"x,\n""y""",2', [{ a: 'x,\n"y"', b: "2" }]],
    ["a,a,\n1,2,3,4", [{ a: "1", a_2: "2", column3: "3", column4: "4" }]],
    ["a,b,c\n1\n\n2,3", [{ a: "1" }, { a: "2", b: "3" }]],
    [
      "1,2\n3,4",
      [
        { column1: "1", column2: "2" },
        { column1: "3", column2: "4" },
      ],
    ],
    ["a,a,a_2,a\n1,2,3,4", [{ a: "1", a_2: "2", a_2_3: "3", a_4: "4" }]],
    [
      'a,b\r\n"x\r\ny",2\r\n3,4',
      [
        { a: "x\r\ny", b: "2" },
        { a: "3", b: "4" },
      ],
    ],
    [
      "a,b\r\n1,2\n3,4",
      [
        { a: "1", b: "2" },
        { a: "3", b: "4" },
      ],
    ],
    ["a,b\r1,2\r", [{ a: "1", b: "2" }]],
  ])("reads %j", async (text, rows) => {
    expect((await parseCsv(text))?.document).toEqual(rows);
  });

  it.each(['a,b\n"x,1\n2,3', 'a,b\n"x"y,1'])(
    "reads nothing where a quote is not closed: %j",
    async (text) => {
      expect(await parseCsv(text)).toBeUndefined();
    },
  );

  it("splits at tabs alone where they were declared", async () => {
    const text = "a,b,c\td\n1,2,3\t4";
    expect((await parseCsv(text, true))?.document).toEqual([{ "a,b,c": "1,2,3", d: "4" }]);
  });

  it("counts the columns of a row across line ends in quotes, and no delimiters in them", async () => {
    const row = '"\n",'.repeat(10_000);
    await expect(parseCsv(`a,b\n${row}`)).rejects.toThrow("more than 10,000 columns");
    expect((await parseCsv(`a,b\n"${",".repeat(10_001)}",2`))?.document).toMatchObject([
      { b: "2" },
    ]);
  });

  it.each(["\n", "\r", "\r\n"])(
    "counts rows before they are built where lines end with %j",
    async (end) => {
      await expect(parseCsv(`a${end}`.repeat(500_010))).rejects.toThrow("more than 500,000");
    },
  );

  it("keeps a column that is called __proto__", async () => {
    expect(JSON.stringify((await parseCsv("__proto__,b\n1,2"))?.document)).toBe(
      '[{"__proto__":"1","b":"2"}]',
    );
  });

  it("lists the columns of a table without rows", async () => {
    expect(await parseCsv("a,b")).toMatchObject({
      document: [],
      warnings: [expect.stringContaining("a, b")],
    });
  });
});
