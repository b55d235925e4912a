import { describe, expect, it } from "@jest/globals";
import { findBaseUrlProblem } from "../../../src/core/record/base-url.js";

describe("findBaseUrlProblem", () => {
  it.each([
    "HTTPS://API.example.com:8443/v1/",
    "http://localhost:3000",
    "http://[::1]:3000/api",
    "https://bücher.example/api",
    "https://api.example.com/a%20b/~user/(x)/.well-known/a..b/@scope",
    "https://{host}:{port}",
    "https://{tenant}-api.{region}.example.com/{account.id}/bot{token}",
    "http://10.0.0.{n}",
  ])("accepts %s", (baseUrl) => {
    expect(findBaseUrlProblem(baseUrl)).toBeUndefined();
  });

  it.each([
    [
      "is not an absolute",
      ["", "api.example.com", "//a.example", "/v1", "ftp://a.example", "https:/a.example"],
    ],
    ["is not an absolute", ["file:///etc/passwd", "https:a.example", "{scheme}://a.example"]],
    ["has no host", ["https://", "https:///v1", "https://:8080"]],
    ["holds a space", [" https://a.example", "https://a.example/a b", "https://a.example/{a b}"]],
    ["backslash", ["https://a.example\\v1"]],
    ["control character", ["https://a.exam\tple", "https://a.example/\u0000"]],
    [
      "user name or password",
      ["https://user:pw@a.example", "https://{user}@a.example", "https://@a.example"],
    ],
    ["has a query", ["https://a.example?version=2", "https://a.example/v1?"]],
    ["or a fragment", ["https://a.example#x", "https://a.example/v1#x?y"]],
    [
      "contains a brace",
      ["https://a.example/{}", "https://a.example/{open", "https://a.example/close}"],
    ],
    ["contains a brace", ["https://a.example/{{a}}", "https://a.example/{1a}"]],
    ["holds `${…}`", ["https://${TENANT}.example.com"]],
    ["host or port", ["https://[{a}]/", "https://{t}.bücher.example", "https://{t}.a%2eb.example"]],
    [
      "host or port",
      ["https://a.example:99999", "https://a.example:8x", "https://a:b:c", "https://[::1"],
    ],
    ["host or port", ["https://a%00b.example"]],
    [
      "`.` or `..` segment",
      ["https://a.example/../v1", "https://a.example/%2e%2E/v1", "https://a.example/./v1"],
    ],
    [
      "`.` or `..` segment",
      ["https://a.example/..;x", "https://a.example/．．", "https://a.example/%c0%ae%c0%ae"],
    ],
    ["begins no escape", ["https://a.example/100%", "https://a.example/%zz"]],
    ["2,048", [`https://a.example/${"a".repeat(2048)}`]],
  ])("finds %j in %j", (message, urls) => {
    for (const baseUrl of urls) expect(findBaseUrlProblem(baseUrl)?.message).toContain(message);
  });

  it("sends a query to the field that is for it, and a fragment nowhere", () => {
    expect(findBaseUrlProblem("https://api.example.com?version=2")?.fix).toContain("`query`");
    expect(findBaseUrlProblem("https://api.example.com/#/docs")?.fix).toContain("drop any `#…`");
  });
});
