import { describe, expect, it } from "@jest/globals";
import { checkMethod } from "../../src/policy/check-method.js";
import { httpMethods } from "../../src/source/api-source.js";

describe("checkMethod", () => {
  it.each(httpMethods)("lets %s pass", (method) => {
    expect(checkMethod(method, httpMethods)).toBe(method);
  });

  it.each(["get", "Post", "pUT", " GET", "DELETE ", "patch\n"])(
    "refuses %j and names the method meant",
    (method) => {
      expect(() => checkMethod(method, httpMethods)).toThrow(
        expect.objectContaining({
          category: "invalid_input",
          hint: `Send "${method.trim().toUpperCase()}".`,
        }),
      );
    },
  );

  it.each([
    "TRACE",
    "CONNECT",
    "HEAD",
    "OPTIONS",
    "PURGE",
    "QUERY",
    "poſt",
    "POſT",
    "__proto__",
    "constructor",
    "common",
    "GET /x",
    "GET\r\nX: 1",
    "ＧＥＴ",
    "toString",
  ])("refuses %j", (method) => {
    expect(() => checkMethod(method, httpMethods)).toThrow(
      expect.objectContaining({ category: "refused_by_policy" }),
    );
  });

  it.each([undefined, null, "", 1, ["GET"], {}, { toString: () => "GET" }])("refuses %p", (method) => {
    expect(() => checkMethod(method, httpMethods)).toThrow(
      expect.objectContaining({ category: "invalid_input" }),
    );
  });

  it("refuses a method that the record leaves out, and names those it has", () => {
    expect(() => checkMethod("DELETE", ["GET", "POST"])).toThrow(
      expect.objectContaining({ category: "refused_by_policy", hint: "Use one of: GET, POST." }),
    );
  });
});
