import { describe, expect, it } from "@jest/globals";
import { quoteNumbers } from "../../src/policy/quote-numbers.js";

describe("quoteNumbers", () => {
  it.each([
    ['{"a":19.90}', '{"a":"19.90"}'],
    ["[1,-2.50,3e5,1E+400,0.0]", '["1","-2.50","3e5","1E+400","0.0"]'],
    ["12345678901234567890", '"12345678901234567890"'],
    ['{"1":"2","a\\"3":4}', '{"1":"2","a\\"3":"4"}'],
    ['["\\\\",5]', '["\\\\","5"]'],
    ["[true,null,false]", "[true,null,false]"],
    ['"line\\n1"', '"line\\n1"'],
  ])("reads %s as %s", (json, quoted) => {
    expect(quoteNumbers(json)).toBe(quoted);
  });

  it.each([
    ["escapes", `["${"\\n".repeat(4_900_000)}",1]`],
    ["plain text", `["${"a".repeat(9_900_000)}",1]`],
    ["digits", `[${"1".repeat(9_900_000)},1]`],
    ["many strings", `[${'"a",'.repeat(2_000_000)}1]`],
  ])("gets through ten megabytes of %s", (_, json) => {
    expect(quoteNumbers(json).endsWith(',"1"]')).toBe(true);
  });
});
