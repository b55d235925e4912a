import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { serializeBody } from "../../src/policy/serialize-body.js";
import type { BodyFormat, HttpMethod } from "../../src/source/api-source.js";
import { runsOf } from "../support/long-run.js";

function textOf(body: unknown, format: BodyFormat = "json", method: HttpMethod = "POST"): string | undefined {
  const serialized = serializeBody(body, { method, format });
  return serialized && new TextDecoder().decode(serialized.bytes);
}

function refusal(body: unknown, format: BodyFormat = "json", method: HttpMethod = "POST"): unknown {
  try {
    textOf(body, format, method);
  } catch (error) {
    return error;
  }
  return undefined;
}

const cyclic: Record<string, unknown> = { a: {} };
cyclic["b"] = [cyclic];
const levels = 100_000;
const deepText = `${"[".repeat(levels)}${"]".repeat(levels)}`;
const deepObject = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const hostileGetter = Object.defineProperty({}, "a", {
  enumerable: true,
  get: () => {
    throw new Error("secret");
  },
});

describe("serializeBody as JSON", () => {
  it.each<[unknown, string]>([
    [{ a: 1, b: ["x", null, true] }, '{"a":1,"b":["x",null,true]}'],
    [null, "null"],
    [false, "false"],
    [0, "0"],
    [5.5, "5.5"],
    [[], "[]"],
    [{}, "{}"],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [JSON.parse('{"__proto__":{"x":1},"constructor":2}'), '{"__proto__":{"x":1},"constructor":2}'],
    [JSON.parse('{"toJSON":"text","then":1,"length":2}'), '{"toJSON":"text","then":1,"length":2}'],
    [{ 日: "é\n\u2028" }, JSON.stringify({ 日: "é\n\u2028" })],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ['{"a":1}', '{"a":1}'],
    [
      ' {"a": 19.90, "b": 12345678901234567890, "c": 1E400, "a": 2}\n',
      '{"a": 19.90, "b": 12345678901234567890, "c": 1E400, "a": 2}',
    ],
    ['{"__proto__":1}', '{"__proto__":1}'],
    ['"hello"', '"hello"'],
    ["[]", "[]"],
    ["null", "null"],
    ["1.0", "1.0"],
    ['"\\ud800"', '"\\ud800"'],
    [{ s: "\ud800" }, '{"s":"\\ud800"}'],
    [{ big: 1e300 }, '{"big":1e+300}'],
  ])("writes %j", (body, text) => {
    expect(textOf(body)).toBe(text);
  });

  it("writes what JSON.stringify writes, but for integers that lost digits", () => {
    const isExact = (value: unknown): boolean => !Number.isInteger(value) || Number.isSafeInteger(value);
    fc.assert(
      fc.property(fc.jsonValue(), (generated) => {
        const text = JSON.stringify(generated, (_, value) => (isExact(value) ? value : 0));
        const body: unknown = JSON.parse(text);
        fc.pre(typeof body !== "string");
        expect(textOf(body)).toBe(text);
      }),
      { numRuns: runsOf(1000) },
    );
  });

  it("writes 1,000 levels of a value, and any number in text", () => {
    const thousand = `${"[".repeat(1_000)}${"]".repeat(1_000)}`;
    expect(textOf(JSON.parse(thousand))).toBe(thousand);
    expect(refusal(JSON.parse(`[${thousand}]`))).toMatchObject({
      hint: expect.stringContaining("JSON text"),
    });
    expect(textOf(deepText)).toBe(deepText);
  });

  it("writes one object twice when it stands in two places", () => {
    const shared = { x: 1 };
    expect(textOf([shared, shared])).toBe('[{"x":1},{"x":1}]');
  });

  it.each<[string, unknown]>([
    ["a cycle", cyclic],
    ["100,000 levels", JSON.parse(deepObject)],
    ["a bigint", { a: 1n }],
    ["a function", { a: () => 1 }],
    ["a function as the body", () => 1],
    ["a symbol", [Symbol("s")]],
    ["NaN", [Number.NaN]],
    ["an infinity", { a: Number.POSITIVE_INFINITY }],
    ["an integer that lost digits", { id: 2 ** 60 }],
    ["a Date", { a: new Date(0) }],
    ["a Map", new Map()],
    ["a Uint8Array", new Uint8Array(2)],
    ["toJSON", { toJSON: () => ({ a: 1 }) }],
    ["an inherited toJSON", Object.create({ toJSON: () => 1 })],
    ["a hole in a list", [undefined]],
    ["a getter that throws", hostileGetter],
    ["text that is no JSON", "hello"],
    ["empty text", ""],
    ["urlencoded text", "a=1&b=2"],
    ["XML", "<a/>"],
    ["broken JSON", '{"a":1'],
    ["two documents", "{}{}"],
    ["NaN in JSON text", '{"a":NaN}'],
    ["half a surrogate pair in JSON text", '"\ud800"'],
  ])("refuses %s", (_, body) => {
    expect(refusal(body)).toMatchObject({ name: "ApiSourceError", category: "invalid_input" });
    expect(String(refusal(body))).not.toContain("secret");
  });

  it("tells how to send a bare string, or nothing", () => {
    expect(refusal("hello")).toMatchObject({ hint: expect.stringContaining("in quotes") });
    expect(refusal("")).toMatchObject({ hint: expect.stringContaining("leave it out") });
  });

  it("names its content type", () => {
    expect(serializeBody({}, { method: "PUT", format: "json" })?.contentType).toBe("application/json");
    expect(serializeBody({}, { method: "PUT", format: "form" })?.contentType).toBe(
      "application/x-www-form-urlencoded",
    );
  });
});

describe("serializeBody and the method", () => {
  it.each<[HttpMethod, unknown]>([
    ["GET", undefined],
    ["GET", null],
    ["GET", ""],
    ["GET", "null"],
    ["DELETE", undefined],
    ["DELETE", null],
    ["DELETE", ""],
    ["POST", undefined],
    ["PATCH", undefined],
  ])("takes %s with %j as without a body", (method, body) => {
    expect(textOf(body, "json", method)).toBeUndefined();
  });

  it.each<[unknown]>([[{}], [[]], [{ a: 1 }], ['{"a":1}'], [0], [false], ["x"]])(
    "refuses %j with GET",
    (body) => {
      expect(refusal(body, "json", "GET")).toMatchObject({
        category: "invalid_input",
        hint: expect.stringContaining("query"),
      });
    },
  );

  it.each<[HttpMethod]>([["POST"], ["PUT"], ["PATCH"]])("sends null with %s", (method) => {
    expect(textOf(null, "json", method)).toBe("null");
  });

  it("sends a body with DELETE", () => {
    expect(textOf({ ids: [1] }, "json", "DELETE")).toBe('{"ids":[1]}');
  });
});

describe("serializeBody and its size", () => {
  it.each<[string, unknown]>([
    ["a value", { a: "x".repeat(100) }],
    ["text", JSON.stringify("x".repeat(100))],
    ["bytes, not characters", "日".repeat(34)],
  ])("refuses more than maxBytes of %s", (_, body) => {
    const text = typeof body === "string" && !body.startsWith('"') ? JSON.stringify(body) : body;
    expect(() => serializeBody(text, { method: "POST", format: "json", maxBytes: 100 })).toThrow(
      expect.objectContaining({ category: "too_large" }),
    );
  });

  it("counts a form's bytes too", () => {
    expect(() =>
      serializeBody({ a: "é".repeat(20) }, { method: "POST", format: "form", maxBytes: 100 }),
    ).toThrow(expect.objectContaining({ category: "too_large" }));
  });

  it("stops writing what shared objects would multiply without end", () => {
    let layer: unknown = ["x"];
    for (let depth = 0; depth < 60; depth += 1) layer = [layer, layer];
    expect(() => serializeBody(layer, { method: "POST", format: "json", maxBytes: 100_000 })).toThrow(
      expect.objectContaining({ category: "too_large" }),
    );
  });

  it("takes ten million bytes by default", () => {
    expect(textOf("1".repeat(10_000_000))).toHaveLength(10_000_000);
    expect(refusal("1".repeat(10_000_001))).toMatchObject({ category: "too_large" });
  });
});

describe("serializeBody as a form", () => {
  it.each<[unknown, string]>([
    [{ a: "b", c: 1, d: true }, "a=b&c=1&d=true"],
    [{ a: { b: "c" } }, "a[b]=c"],
    [{ a: { b: { c: 1 } } }, "a[b][c]=1"],
    [{ expand: ["x", "y"] }, "expand[]=x&expand[]=y"],
    [
      { items: [{ price: "p", quantity: 2 }, { price: "q" }] },
      "items[0][price]=p&items[0][quantity]=2&items[1][price]=q",
    ],
    [{ a: [[1, 2], [3]] }, "a[0][]=1&a[0][]=2&a[1][]=3"],
    [{ a: ["x", { b: 1 }] }, "a[0]=x&a[1][b]=1"],
    [{ a: null, b: [], c: {}, d: "", e: undefined }, "a=&b=&c=&d="],
    [{ a: [null, 1] }, "a[]=&a[]=1"],
    [{ "a b": "c d+e&f=g%é" }, "a+b=c+d%2Be%26f%3Dg%25%C3%A9"],
    [{ "x[y]": "z" }, "x%5By%5D=z"],
    [{ metadata: { "k[": "v" } }, "metadata[k%5B]=v"],
    [JSON.parse('{"__proto__":{"a":1}}'), "__proto__[a]=1"],
    ['{"amount":19.90,"id":12345678901234567890,"s":"1.50"}', "amount=19.90&id=12345678901234567890&s=1.50"],
    [{}, ""],
  ])("writes %j", (body, text) => {
    expect(textOf(body, "form")).toBe(text);
  });

  it.each<[string, unknown]>([
    ["a list", [1]],
    ["a scalar", 5],
    ["null", null],
    ["JSON text of a list", "[1]"],
    ["text that is no JSON", "a=1"],
    ["a cycle", cyclic],
    ["100,000 levels of text", deepObject],
    ["100,000 levels", JSON.parse(deepObject)],
    ["a lone surrogate", { a: "\ud800" }],
    ["a lone surrogate in a key", { "\ud800": 1 }],
    ["a Date", { a: new Date(0) }],
    ["NaN", { a: Number.NaN }],
  ])("refuses %s", (_, body) => {
    expect(refusal(body, "form")).toMatchObject({ name: "ApiSourceError", category: "invalid_input" });
  });

  it.each([
    ["escapes", "\\n".repeat(2_400_000), "%0A".repeat(10)],
    ["plain text", "a".repeat(4_900_000), "a"],
    ["quotes and digits", '\\"1.50'.repeat(800_000), "%221.50"],
  ])("keeps every digit beside megabytes of %s", (_, text, start) => {
    const form = textOf(`{"s":"${text}","n":19.90}`, "form") ?? "";
    expect([form.startsWith(`s=${start}`), form.endsWith("&n=19.90")]).toEqual([true, true]);
  });
});
