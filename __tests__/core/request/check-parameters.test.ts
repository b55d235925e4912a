import { describe, expect, it } from "@jest/globals";
import { type HttpMethod, httpMethods } from "../../../src/core/record/api-source.js";
import {
  checkMethod,
  checkOverride,
  checkReservedNames,
  listJsonMembers,
  listParameters,
  type MethodSettings,
} from "../../../src/core/request/check-parameters.js";
import { writeQuery } from "../../../src/core/request/write-query.js";
import { findRefusal } from "../../support/refusals.js";
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
      \u00a0key \u200bkey k\u200bey ke\u00ady \ufeffkey \u212aey
      api_key API_KEY api.key api[key Api%5FKey x-token X-TOKEN x-token[] fields[users] FIELDS[users] ａｐｉ＿ｋｅｙ
      key%00x key%2500x k%2500ey [key] key] [key key[][] [key][] ]key []key [key].x %5Bkey%5D a=1&key a;key=1 [api_key] api_key] api_key[ api.key[] [api.key]
      [fields][users] fields.users fields[users][] [fields[users]]
    `),
    ...[" key ", "\tkey", "key\n", "api key", "key \u200b"],
  ])("refuses %j", (name) => {
    expect(() => check(name)).toThrow(expect.objectContaining({ category: "refused_by_policy" }));
  });

  it.each(
    "keys monkey key2 apikey api-key token fields fields[teams] my.key a[key] _key page".split(" "),
  )("lets %j pass", (name) => {
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
    expect(() => check("q", value)).toThrow(
      expect.objectContaining({ category: "refused_by_policy" }),
    );
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

describe("checkMethod", () => {
  const categoryOf = (method: unknown) =>
    findRefusal(() => checkMethod(method, httpMethods))?.category;

  it("lets the five methods pass", () => {
    expect(httpMethods.map((method) => checkMethod(method, httpMethods))).toEqual(httpMethods);
  });

  it.each(["get", "Post", " GET", "patch\n"])("refuses %j and names the method meant", (method) => {
    const hint = `Send "${method.trim().toUpperCase()}".`;
    const refusal = expect.objectContaining({ category: "invalid_input", hint });
    expect(() => checkMethod(method, httpMethods)).toThrow(refusal);
  });

  const others = words(
    "TRACE CONNECT HEAD OPTIONS poſt __proto__ constructor toString common ＧＥＴ",
  );
  it.each([...others, "GET\r\nX: 1"])("refuses %j", (method) => {
    expect(categoryOf(method)).toBe("refused_by_policy");
  });

  it.each([undefined, null, "", 1, ["GET"], { toString: () => "GET" }])("refuses %p", (method) => {
    expect(categoryOf(method)).toBe("invalid_input");
  });

  it("refuses a method that the record leaves out, and names those it has", () => {
    const refusal = { category: "refused_by_policy", hint: "Use one of: GET, POST." };
    expect(() => checkMethod("DELETE", ["GET", "POST"])).toThrow(expect.objectContaining(refusal));
  });
});

describe("checkOverride", () => {
  const read = { method: "GET", methods: httpMethods, query: {} } as const;
  const restricted = { method: "POST", methods: ["GET", "POST"], query: {} } as const;
  const passes = (
    query: string,
    rules: MethodSettings & { readonly method: HttpMethod } = read,
  ): boolean => {
    const error = findRefusal(() => checkOverride(rules, rules.method, listParameters(query)));
    if (error === undefined) return true;
    const hint = expect.stringContaining('"methodParameter": "allow"');
    expect(error).toMatchObject({ category: "refused_by_policy", hint });
    return false;
  };

  it.each(
    words(`
      _method=DELETE _METHOD=delete %5Fmethod=PUT _method[]=DELETE [_method]=DELETE _method]=POST a=1;_method=DELETE
      a=1%26_method%3DDELETE a=1%2526_method%253DDELETE $method=DELETE %24method=DELETE method=delete METHOD=Post
      method=%20DELETE method=DELETE%00 method=ＤＥＬＥＴＥ method=D%C2%ADELETE verb=delete http_method=PATCH httpMethod=put
      x-http-method-override=DELETE X-HTTP-Method=PUT X_HTTP_METHOD_OVERRIDE=x methodOverride=DELETE _method=PURGE
      x-http-verb-override=DELETE request_method=delete _httpmethod=DELETE m%C2%ADethod=DELETE _method=get+
    `),
  )("refuses %s in a GET, and in a POST where the record leaves methods out", (query) => {
    expect(passes(query)).toBe(false);
    expect(passes(query.replace(/post/gi, "DELETE"), restricted)).toBe(false);
  });

  it.each(
    words(`
      method=flickr.photos.delete method=eth_getBalance payment_method=delete shipping-method=POST methods=DELETE
      method= method=GET _method=GET _method=HEAD method=card adverb=put q=_method verbose=1 methodology=PUT method_id=1
    `),
  )("lets %s pass", (query) => {
    expect(passes(query)).toBe(true);
  });

  it("lets a write name a method that the record has, and what has another meaning by the record", () => {
    expect(passes("_method=POST", restricted)).toBe(true);
    expect(passes("_method=PATCH", restricted)).toBe(false);
    expect(passes("method=DELETE", { ...read, query: { Method: "x" } })).toBe(true);
  });

  it("lists every member of a JSON object, given twice or written in escapes, and no deeper one", () => {
    const text =
      '{"a":{"_method":"X"},"m\\u0065thod" : "DELETE","list":["}",{"b":"{"}], "method":1,"c\\"":"\\\\","method":"x"}';
    expect(listJsonMembers(text)).toEqual([
      ["a", "…"],
      ["method", "DELETE"],
      ["list", "…"],
      ["method", "…"],
      ['c"', "\\"],
      ["method", "x"],
    ]);
    expect(listJsonMembers('[{"_method":"DELETE"}]')).toEqual([]);
    expect(
      listJsonMembers(`{"a":"${"\\\\".repeat(2_000_000)}","b":"${'x"'.repeat(0)}"}`),
    ).toHaveLength(2);
  });
});
