import { describe, expect, it } from "@jest/globals";
import { createRedactor } from "../../src/secrets/create-redactor.js";
import { redactValue } from "../../src/secrets/redact-value.js";
import { Secret } from "../../src/secrets/secret.js";

const redactor = createRedactor(["secret-value", "8675309123", "kitty"].map((value) => new Secret(value)));

describe("redactValue", () => {
  it("replaces secrets in values, keys, numbers and single short values, and keeps the order of keys", () => {
    const value = {
      b: ["x secret-value y", 1, true, null],
      "secret-value": 8675309123,
      a: { key: "kitty", about: "a kitty" },
      big: 8675309123n,
    };
    expect(JSON.stringify(redactValue(value, redactor))).toBe(
      '{"b":["x [REDACTED] y",1,true,null],"[REDACTED]":"[REDACTED]","a":{"key":"[REDACTED]","about":"a kitty"},"big":"[REDACTED]"}',
    );
  });

  it("copies, and leaves the given value as it is", () => {
    const value = { a: { b: "secret-value" } };
    expect(redactValue(value, redactor)).not.toBe(value);
    expect(value).toEqual({ a: { b: "secret-value" } });
  });

  it("drops no value when two keys become the same", () => {
    expect(redactValue({ "secret-value": 1, "[REDACTED]": 2 }, redactor)).toEqual({
      "[REDACTED]": 1,
      "[REDACTED] (2)": 2,
    });
  });

  it("says where data refer back to themselves, and not where they only repeat", () => {
    const shared = { token: "secret-value" };
    const value: Record<string, unknown> = { one: shared, two: shared };
    value["self"] = value;
    expect(redactValue(value, redactor)).toEqual({
      one: { token: "[REDACTED]" },
      two: { token: "[REDACTED]" },
      self: "[Circular]",
    });
  });

  it("copies what repeats once, so that a few lines can't grow without end", () => {
    let value: unknown = "secret-value";
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(redactValue(value, redactor)).toHaveLength(2);
  });

  it("walks a hundred thousand levels", () => {
    let value: unknown = "secret-value";
    for (let level = 0; level < 100_000; level++) value = [value];
    let copy = redactValue(value, redactor);
    while (Array.isArray(copy)) copy = copy[0];
    expect(copy).toBe("[REDACTED]");
  });

  it("keeps a key named __proto__ a key", () => {
    const copy = redactValue(JSON.parse('{"__proto__":{"a":"secret-value"}}'), redactor);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":"[REDACTED]"}}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it("makes plain data of errors, maps, sets, dates, bytes and what prints itself", () => {
    const value = [
      new TypeError("bad secret-value"),
      new Map([["k", "secret-value"]]),
      new Set(["secret-value"]),
      new Date(0),
      Buffer.from("secret-value"),
      new Secret("anything"),
      () => "secret-value",
      {
        toJSON: () => {
          throw new Error("secret-value");
        },
      },
    ];
    expect(redactValue(value, redactor)).toEqual([
      { name: "TypeError", message: "bad [REDACTED]" },
      [["k", "[REDACTED]"]],
      ["[REDACTED]"],
      "1970-01-01T00:00:00.000Z",
      Buffer.from("[REDACTED]"),
      "[REDACTED]",
      undefined,
      undefined,
    ]);
  });
});
