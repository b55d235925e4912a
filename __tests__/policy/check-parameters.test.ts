import { describe, expect, it } from "@jest/globals";
import {
  checkMethodOverride,
  checkReservedNames,
  listMembers,
  listParameters,
} from "../../src/policy/check-parameters.js";
import { writeQuery } from "../../src/policy/parse-query.js";

/** As the pairs of a call are judged: from what is sent. */
function check(name: string, value = "x"): void {
  checkReservedNames(
    listParameters(
      writeQuery([
        ["a", "1"],
        [name, value],
      ]),
    ),
    reserved,
  );
}

const reserved = ["key", "api_key", "X-Token", "fields[users]"];

describe("checkReservedNames", () => {
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
    ..."key%00x key%2500x k%2500ey [key] key] [key key[][] [key][] ]key []key [key].x %5Bkey%5D a=1&key a;key=1 [api_key] api_key] api_key[ api.key[] [api.key]".split(
      " ",
    ),
    ..."[fields][users] fields.users fields[users][] [fields[users]]".split(" "),
  ])("refuses %j", (name) => {
    expect(() => check(name)).toThrow(expect.objectContaining({ category: "refused_by_policy" }));
  });

  it.each([
    "keys",
    "monkey",
    "key2",
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
    expect(() => check(name, "key")).not.toThrow();
  });

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

describe("checkMethodOverride", () => {
  const read = { method: "GET", methods: ["GET", "POST", "PUT", "DELETE", "PATCH"], exempt: [] };
  const restricted = { method: "POST", methods: ["GET", "POST"], exempt: [] };
  const passes = (query: string, rules = read): boolean => {
    try {
      checkMethodOverride(listParameters(query), rules);
      return true;
    } catch (error) {
      expect(error).toMatchObject({
        category: "refused_by_policy",
        hint: expect.stringContaining('"methodParameter": "allow"'),
      });
      return false;
    }
  };

  it.each([
    ..."_method=DELETE _METHOD=delete %5Fmethod=PUT _method[]=DELETE [_method]=DELETE _method]=POST a=1;_method=DELETE".split(
      " ",
    ),
    ..."a=1%26_method%3DDELETE a=1%2526_method%253DDELETE $method=DELETE %24method=DELETE method=delete METHOD=Post".split(
      " ",
    ),
    ..."method=%20DELETE method=DELETE%00 method=ＤＥＬＥＴＥ method=D%C2%ADELETE verb=delete http_method=PATCH httpMethod=put".split(
      " ",
    ),
    ..."x-http-method-override=DELETE X-HTTP-Method=PUT X_HTTP_METHOD_OVERRIDE=x methodOverride=DELETE _method=PURGE".split(
      " ",
    ),
    ..."x-http-verb-override=DELETE request_method=delete _httpmethod=DELETE m%C2%ADethod=DELETE _method=get+".split(
      " ",
    ),
  ])("refuses %s in a GET, and in a POST where the record leaves methods out", (query) => {
    expect(passes(query)).toBe(false);
    expect(passes(query.replace(/post/gi, "DELETE"), restricted)).toBe(false);
  });

  it.each([
    ..."method=flickr.photos.delete method=eth_getBalance payment_method=delete shipping-method=POST methods=DELETE".split(
      " ",
    ),
    ..."method= method=GET _method=GET _method=HEAD method=card adverb=put q=_method verbose=1 methodology=PUT method_id=1".split(
      " ",
    ),
  ])("lets %s pass", (query) => {
    expect(passes(query)).toBe(true);
  });

  it("lets a write name a method that the record has, and what the record says means something else", () => {
    expect(passes("_method=POST", restricted)).toBe(true);
    expect(passes("_method=PATCH", restricted)).toBe(false);
    expect(passes("method=DELETE", { ...read, exempt: ["Method"] as never })).toBe(true);
  });

  it("lists every member of a JSON object, given twice or written in escapes, and no deeper one", () => {
    const text =
      '{"a":{"_method":"X"},"m\\u0065thod" : "DELETE","list":["}",{"b":"{"}], "method":1,"c\\"":"\\\\","method":"x"}';
    expect(listMembers(text)).toEqual([
      ["a", "…"],
      ["method", "DELETE"],
      ["list", "…"],
      ["method", "…"],
      ['c"', "\\"],
      ["method", "x"],
    ]);
    expect(listMembers('[{"_method":"DELETE"}]')).toEqual([]);
    expect(listMembers(`{"a":"${"\\\\".repeat(2_000_000)}","b":"${'x"'.repeat(0)}"}`)).toHaveLength(2);
  });
});
