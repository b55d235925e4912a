import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { serializeBody } from "../../../src/core/request/serialize-body.js";
import { runsOf } from "../../support/long-run.js";
import { findRefusal } from "../../support/refusals.js";

type Method = Parameters<typeof serializeBody>[1];
type Format = Parameters<typeof serializeBody>[2]["format"];
interface Options {
  readonly method?: Method;
  readonly format?: Format;
}

function textOf(
  body: unknown,
  { method = "POST", format = "json" }: Options = {},
): string | undefined {
  const serialized = serializeBody(body, method, { format });
  return serialized && new TextDecoder().decode(serialized.bytes);
}

const refusal = (body: unknown, options: Options = {}) => findRefusal(() => textOf(body, options));

const form = { format: "form" } as const;
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
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [JSON.parse('{"__proto__":{"x":1},"constructor":2}'), '{"__proto__":{"x":1},"constructor":2}'],
    [JSON.parse('{"toJSON":"text","then":1,"length":2}'), '{"toJSON":"text","then":1,"length":2}'],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    [
      ' {"a": 19.90, "b": 12345678901234567890, "c": 1E400}\n',
      '{"a": 19.90, "b": 12345678901234567890, "c": 1E400}',
    ],
    ['"hello"', '"hello"'],
    ['"\\ud800"', '"\\ud800"'],
    [{ s: "\ud800", big: 2n ** 60n }, '{"s":"\\ud800","big":1152921504606846976}'],
    [[{ big: 1e300 }, { big: 1e300 }], '[{"big":1e+300},{"big":1e+300}]'],
  ])("writes %j", (body, text) => {
    expect(textOf(body)).toBe(text);
  });

  it("writes what JSON.stringify writes, but for integers that lost digits", () => {
    const isExact = (value: unknown): boolean =>
      !Number.isInteger(value) || Number.isSafeInteger(value);
    fc.assert(
      fc.property(fc.jsonValue(), (generated) => {
        const text = JSON.stringify(generated, (_, value) => (isExact(value) ? value : 0));
        const body: unknown = JSON.parse(text);
        fc.pre(typeof body !== "string" && body !== null);
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

  it.each<[string, unknown]>([
    ["a cycle", cyclic],
    ["a function", { a: () => 1 }],
    ["NaN", [Number.NaN]],
    ["an integer that lost digits", { id: 2 ** 60 }],
    ["a Date", { a: new Date(0) }],
    ["toJSON", { toJSON: () => ({ a: 1 }) }],
    ["a hole in a list", [undefined]],
    ["a getter that throws", hostileGetter],
    ["text that is no JSON", "a=1&b=2"],
    ["half a surrogate pair in JSON text", '"\ud800"'],
  ])("refuses %s", (_, body) => {
    expect(refusal(body)).toMatchObject({ name: "ApiSourceError", category: "invalid_input" });
    expect(String(refusal(body))).not.toContain("secret");
  });
});

describe("serializeBody as text", () => {
  it("sends a string as it is, and nothing else", () => {
    expect(textOf(" a,b\n", { format: "text" })).toBe(" a,b\n");
    for (const body of [{}, 5, "\ud800"]) {
      expect(refusal(body, { format: "text" })).toMatchObject({ category: "invalid_input" });
    }
  });
});

describe("serializeBody and the method", () => {
  it.each(["GET", "DELETE"] as const)("takes %s with a placeholder as without a body", (method) => {
    for (const body of [undefined, null, "", "null"])
      expect(textOf(body, { method })).toBeUndefined();
  });

  it.each([undefined, "{}", " [ ] ", {}, []])("takes %j as no body of a GET", (body) => {
    expect(textOf(body, { method: "GET" })).toBeUndefined();
  });

  it.each([[{ a: 1 }], [[1]], ['{"a":1}'], [0], [false], ["x"]])("refuses %j with GET", (body) => {
    const hint = expect.stringContaining("query");
    expect(refusal(body, { method: "GET" })).toMatchObject({ category: "invalid_input", hint });
  });

  it.each(["POST", "PUT", "PATCH"] as const)(
    "sends no body with %s for undefined, null and ''",
    (method) => {
      for (const format of ["json", "form", "text"] as const) {
        const sent = [undefined, null, ""].map((body) => textOf(body, { method, format }));
        expect(sent).toEqual([undefined, undefined, undefined]);
      }
    },
  );

  it("sends the JSON document null for the text null, white space as text, and a body with DELETE", () => {
    expect([textOf("null"), textOf(" \n"), textOf(" \n", { format: "text" })]).toEqual([
      "null",
      undefined,
      " \n",
    ]);
    expect(textOf({ ids: [1] }, { method: "DELETE" })).toBe('{"ids":[1]}');
  });
});

describe("serializeBody and its size", () => {
  const most = 10_000_000;
  let multiplied: unknown = "x".repeat(10_000);
  for (let depth = 0; depth < 60; depth += 1) multiplied = [multiplied, multiplied];

  it.each<[string, unknown, Options]>([
    ["a value", { a: "x".repeat(most) }, {}],
    ["text", "1".repeat(most + 1), {}],
    ["bytes, not characters", JSON.stringify("日".repeat(most / 3)), {}],
    ["a form's bytes", { a: "é".repeat(most / 6 + 1) }, form],
    ["what shared objects would multiply without end", multiplied, {}],
  ])("refuses more than ten million bytes of %s", (_, body, options) => {
    expect(refusal(body, options)).toMatchObject({ category: "too_large" });
  });

  it("takes ten million bytes", () => {
    expect(textOf("1".repeat(most))).toHaveLength(most);
  });
});

describe("serializeBody as a form", () => {
  it.each<[unknown, string]>([
    [{ a: "b", c: 1, d: true }, "a=b&c=1&d=true"],
    [{ expand: ["x", "y"] }, "expand[]=x&expand[]=y"],
    [{ "ids[]": [1, 2] }, "ids[]=1&ids[]=2"],
    [
      { items: [{ price: "p", n: 2 }, { price: "q" }] },
      "items[0][price]=p&items[0][n]=2&items[1][price]=q",
    ],
    [{ a: [[1, 2], [3]] }, "a[0][]=1&a[0][]=2&a[1][]=3"],
    [{ a: ["x", { b: 1 }] }, "a[0]=x&a[1][b]=1"],
    [{ a: null, b: [], c: {}, d: "", e: undefined }, "a=&b=&c=&d="],
    [{ "a b": "c d+e&f=g%é" }, "a+b=c+d%2Be%26f%3Dg%25%C3%A9"],
    [{ "x[y]": { "k[": "v" } }, "x[y][k[]=v"],
    [JSON.parse('{"__proto__":{"a":1}}'), "__proto__[a]=1"],
    [
      '{"amount":19.95,"id":12345678901234567890,"s":"1.50"}',
      "amount=19.95&id=12345678901234567890&s=1.50",
    ],
    [{}, ""],
    ["a=1&b=x%20y", "a=1&b=x%20y"],
    ["items[0][id]=7&note=a+b", "items[0][id]=7&note=a+b"],
  ])("writes %j", (body, text) => {
    expect(textOf(body, form)).toBe(text);
  });

  it.each<[string, unknown]>([
    ["a list", [1]],
    ["the text null", "null"],
    ["form text with a plain space", "a=1 2"],
    ["form text with a character outside ASCII", "a=é"],
    ["a cycle", cyclic],
    ["100,000 levels of text", deepObject],
    ["a lone surrogate", { a: "\ud800" }],
  ])("refuses %s", (_, body) => {
    expect(refusal(body, form)).toMatchObject({
      name: "ApiSourceError",
      category: "invalid_input",
    });
  });
});
