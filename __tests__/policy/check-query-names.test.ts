import { describe, expect, it } from "@jest/globals";
import { checkQueryNames } from "../../src/policy/check-query-names.js";

const reserved = ["key", "api_key", "X-Token", "fields[users]"];

describe("checkQueryNames", () => {
  it.each([
    ..."key KEY Key kEy key[] key[x] key[ key. key.x key;x key=x ?key &key ｋｅｙ %6bey %256bey %25256Bey".split(
      " ",
    ),
    ..."key%20 %20key +key key+ key%5B%5D key%00 %00key key%5bx k%C2%ADey key%26x key%3Dx key%23 key%3Fx".split(
      " ",
    ),
    ..."api_key API_KEY api.key api[key Api%5FKey x-token X-TOKEN x-token[] fields[users] FIELDS[users] ａｐｉ＿ｋｅｙ".split(
      " ",
    ),
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
  ])("refuses %j", (name) => {
    expect(() =>
      checkQueryNames(
        [
          ["a", "1"],
          [name, "x"],
        ],
        reserved,
      ),
    ).toThrow(expect.objectContaining({ category: "refused_by_policy" }));
  });

  it.each([
    "keys",
    "monkey",
    "key2",
    "a=1&key",
    "apikey",
    "api-key",
    "token",
    "fields",
    "fields[teams]",
    "my.key",
    "a[key]",
    "_key",
    "page",
  ])("lets %j pass", (name) => {
    expect(() => checkQueryNames([[name, "key"]], reserved)).not.toThrow();
  });

  it("folds a reserved name that is itself written oddly", () => {
    expect(() => checkQueryNames([["straße", "x"]], ["STRASSE"])).toThrow();
  });
});
