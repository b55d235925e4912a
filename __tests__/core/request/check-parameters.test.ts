import { describe, expect, it } from "@jest/globals";
import { checkReservedNames, listParameters } from "../../../src/core/request/check-parameters.js";
import { writeQuery } from "../../../src/core/request/parse-query.js";
import { words } from "../../support/words.js";

/** As the pairs of a call are judged: from what is sent. */
function check(name: string, value = "x"): void {
  checkReservedNames(listParameters(`a=1&${writeQuery([[name, value]])}`), reserved);
}

const reserved = ["key", "api_key", "X-Token", "fields[users]"];

describe("checkReservedNames", () => {
  it.each([
    ...words(`
      key KEY Key kEy key[] key[x] key[ key. key.x key;x key=x ?key &key ｋｅｙ %6bey %256bey %25256Bey
      key%20 %20key +key key+ key%5B%5D key%00 %00key key%5bx k%C2%ADey key%26x key%3Dx key%23 key%3Fx
      api_key API_KEY api.key api[key Api%5FKey x-token X-TOKEN x-token[] fields[users] FIELDS[users] ａｐｉ＿ｋｅｙ
    `),
    " key ",
    "\tkey",
    "key\n",
    "\u00a0key",
    "\u200bkey",
    "k\u200bey",
    "ke\u00ady",
    "\ufeffkey",
    "api key",
    "\u212aey",
    "key \u200b",
    ...words(`
      key%00x key%2500x k%2500ey [key] key] [key key[][] [key][] ]key []key [key].x %5Bkey%5D a=1&key a;key=1 [api_key] api_key] api_key[ api.key[] [api.key]
      [fields][users] fields.users fields[users][] [fields[users]]
    `),
  ])("refuses %j", (name) => {
    expect(() => check(name)).toThrow(expect.objectContaining({ category: "refused_by_policy" }));
  });

  it.each("keys monkey key2 apikey api-key token fields fields[teams] my.key a[key] _key page".split(" "))(
    "lets %j pass",
    (name) => {
      expect(() => check(name, "key")).not.toThrow();
    },
  );

  it("folds a reserved name that is itself written oddly", () => {
    expect(() => checkReservedNames([["straße", "x"]], ["STRASSE"])).toThrow();
  });

  it.each([
    "1&key=2",
    "1%26key%3D2",
    "1%2526%5Bkey%5D%253D2",
    "1;api.key=2",
    "&key=",
    "https://h.example/?a=1&key=2",
  ])("refuses the value %j, which a parser that decodes first splits", (value) => {
    expect(() => check("q", value)).toThrow(expect.objectContaining({ category: "refused_by_policy" }));
  });

  it.each(["lock & key", "key", "a=key", "?key=1", "R&D", "key;x", "%26key"])(
    "lets the value %j pass",
    (value) => {
      expect(() => check("q", value)).not.toThrow();
    },
  );

  it("refuses more layers of escapes than anybody means", () => {
    expect(() => listParameters(`q=%${"25".repeat(12)}26key=1`)).toThrow("too many times");
  });
});
