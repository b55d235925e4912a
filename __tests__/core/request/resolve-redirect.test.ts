import { describe, expect, it } from "@jest/globals";
import { resolveRedirect } from "../../../src/core/request/resolve-redirect.js";
import { words } from "../../support/words.js";

const base = { baseUrl: "https://api.example.com/v1" };
const current = "https://api.example.com/v1/users/1";

describe("resolveRedirect", () => {
  it.each([
    ["https://api.example.com/v1/users/2", "https://api.example.com/v1/users/2"],
    ["https://API.example.com:443/v1/users/2", "https://api.example.com/v1/users/2"],
    ["/v1/users/2?a=1&b=%20", "https://api.example.com/v1/users/2?a=1&b=%20"],
    ["2", "https://api.example.com/v1/users/2"],
    ["../teams", "https://api.example.com/v1/teams"],
    ["?page=2", "https://api.example.com/v1/users/1?page=2"],
    ["//api.example.com/v1/x", "https://api.example.com/v1/x"],
    ["/v1", "https://api.example.com/v1"],
    ["/v1/a#part", "https://api.example.com/v1/a"],
    ["/v1/a%2Fb", "https://api.example.com/v1/a%2Fb"],
    [Buffer.from("/v1/é").toString("latin1"), "https://api.example.com/v1/%C3%A9"],
    ["/v1/\xe9", "https://api.example.com/v1/%C3%A9"],
    [" /v1/x ", "https://api.example.com/v1/x"],
  ])("follows %j", (location, url) => {
    expect(resolveRedirect(location, current, base)).toEqual({ target: url });
  });

  it.each([
    ...words(`
        https://evil.example/v1/x //evil.example/v1/x \\\\evil.example/v1/x /\\evil.example/v1 /\t/evil.example/v1
        https://api.example.com.evil.example/v1/x https://api.example.com@evil.example/v1/x http://evil.example/v1
        https://api.example.com:8443/v1/x https://api.example.com./v1/x https://аpi.example.com/v1/x
        file:///etc/passwd data:text/plain,x javascript:alert(1) blob:https://api.example.com/v1/x
      `).map((location) => [location, "other_origin"]),
    ["http://api.example.com:8080/v1/x", "https_to_http"],
    ...[
      "https://user:pw@api.example.com/v1/x",
      "https://",
      "https://[::1",
      "",
      "/v1/a\tb",
      "/v1/a\\b",
    ].map((location) => [location, "malformed"]),
    ...words("/admin / /v1evil/x /V1/x ../../admin /v1/../admin /v1/%2e%2e/admin").map(
      (location) => [location, "outside_base_path"],
    ),
    ...[
      ...words(`
        /v1//a /v1/a%00b /v1/a%0d%0ab /v1/a%5cb /v1/%zz /v1/%c0%ae%c0%ae/x
        /v1/..%2fadmin /v1/%252e%252e/admin /v1/..;/admin /v1/．．/admin /v1/..%3f/admin
      `),
      `/v1/${"a".repeat(8000)}`,
    ].map((location) => [location, "forbidden"]),
  ])("refuses %.60j as %s", (location = "", reason) => {
    expect(resolveRedirect(location, current, base)).toMatchObject({ reason });
  });

  it("shows a malformed target without raw control characters", () => {
    const decision = resolveRedirect("https://[\u001b[31m", current, base);
    expect(decision).toEqual({ target: '"https://[\\u{1b}[31m"', reason: "malformed" });
  });

  it("lets any path of the origin pass when the base has none", () => {
    const decision = resolveRedirect("/anything/x", "http://127.0.0.1:80/a", {
      baseUrl: "http://127.0.0.1",
    });
    expect(decision).toEqual({ target: "http://127.0.0.1/anything/x" });
  });

  it("treats http to https of the same host as another origin", () => {
    const decision = resolveRedirect("https://h.example/v1", "http://h.example/v1", {
      baseUrl: "http://h.example/v1",
    });
    expect(decision).toMatchObject({ reason: "other_origin" });
  });

  const api = { methods: ["GET"], query: {}, paths: { deny: ["/admin/**"] } } as const;
  it.each([
    ["/v1/ADMIN/x", "is denied"],
    ["/v1/a?_method=DELETE", "another method"],
    ["/v1/a?key=other", "set by this source"],
    ["/v1/a?q=1%26%5Bkey%5D%3D2", "set by this source"],
    ["/v1/{id}", "placeholder"],
  ])("reports why the record's rules forbid %j", (location, why) => {
    const scope = { ...base, rules: api, ownParameters: new Map([["key", "own"]]) };
    const decision = resolveRedirect(location, current, scope);
    expect(decision).toMatchObject({ reason: "forbidden", why: expect.stringContaining(why) });
    expect(resolveRedirect("/v1/users?key=own&a=1", current, scope)).toMatchObject({
      reason: undefined,
    });
  });
});
