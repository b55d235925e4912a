import { describe, expect, it } from "@jest/globals";
import { findBaseUrlFlaw } from "../../src/source/base-url.js";

describe("findBaseUrlFlaw", () => {
  it.each([
    "https://api.example.com",
    "http://api.example.com/",
    "HTTPS://API.example.com/v1/",
    "https://api.example.com:8443/v1",
    "http://localhost:3000",
    "http://127.0.0.1:3000/api",
    "http://[::1]:3000/api",
    "http://internal",
    "https://bücher.example/api",
    "https://api.example.com/a%20b/~user/(x)",
    "https://api.example.com/.well-known/a..b",
    "https://api.example.com/@scope",
    "https://{tenant}.example.com",
    "https://{host}/v1",
    "https://{host}:{port}",
    "https://{tenant}-api.{region}.example.com/{account.id}/x",
    "http://10.0.0.{n}",
    "https://api.example.com/bot{token}/",
  ])("accepts %s", (baseUrl) => {
    expect(findBaseUrlFlaw(baseUrl)).toBeUndefined();
  });

  it.each([
    ["", "is empty"],
    ["  ", "is empty"],
    ["api.example.com", "is not an absolute"],
    ["//api.example.com", "is not an absolute"],
    ["/v1", "is not an absolute"],
    ["ftp://api.example.com", "is not an absolute"],
    ["file:///etc/passwd", "is not an absolute"],
    ["https:/api.example.com", "is not an absolute"],
    ["https:api.example.com", "is not an absolute"],
    ["{scheme}://api.example.com", "is not an absolute"],
    ["https://", "has no host"],
    ["https:///v1", "has no host"],
    ["https://:8080", "has no host"],
    [" https://api.example.com", "holds a space"],
    ["https://api.example.com/a b", "holds a space"],
    ["https://api.example.com\\v1", "backslash"],
    ["https://api.exam\tple.com", "control character"],
    ["https://api.example.com/\u0000", "control character"],
    ["https://user@api.example.com", "user name or password"],
    ["https://user:pw@api.example.com", "user name or password"],
    ["https://{user}@api.example.com", "user name or password"],
    ["https://@api.example.com", "user name or password"],
    ["https://api.example.com?version=2", "has a query"],
    ["https://api.example.com/v1?", "has a query"],
    ["https://api.example.com#x", "has a fragment"],
    ["https://api.example.com/v1#x?y", "has a fragment"],
    ["https://api.example.com/{a b}", "holds a space"],
    ["https://api.example.com/{}", "holds a brace"],
    ["https://api.example.com/{open", "holds a brace"],
    ["https://api.example.com/close}", "holds a brace"],
    ["https://api.example.com/{{a}}", "holds a brace"],
    ["https://api.example.com/{1a}", "holds a brace"],
    ["https://${TENANT}.example.com", "holds `${…}`"],
    ["https://[{address}]/", "mixes a placeholder"],
    ["https://{tenant}.bücher.example", "mixes a placeholder"],
    ["https://{tenant}.a%2eb.example", "mixes a placeholder"],
    ["https://api.example.com:99999", "host or port"],
    ["https://api.example.com:8x", "host or port"],
    ["https://a:b:c", "host or port"],
    ["https://[::1", "host or port"],
    ["https://exa mple.com", "holds a space"],
    ["https://a%00b.example", "host or port"],
    ["https://api.example.com/../v1", "`.` or `..` segment"],
    ["https://api.example.com/%2e%2E/v1", "`.` or `..` segment"],
    ["https://api.example.com/a/./v1", "`.` or `..` segment"],
    ["https://api.example.com/100%", "begins no escape"],
    ["https://api.example.com/%zz", "begins no escape"],
    [`https://api.example.com/${"a".repeat(2048)}`, "2,048"],
  ])("says of %j that it %s", (baseUrl, message) => {
    expect(findBaseUrlFlaw(baseUrl)?.message).toContain(message);
  });

  it("sends a query to the field that is for it", () => {
    expect(findBaseUrlFlaw("https://api.example.com?version=2")?.fix).toContain("`query`");
  });
});
