import { describe, expect, it } from "@jest/globals";
import { checkPathRules, type PathRules } from "../../src/policy/check-path-rules.js";
import { resolveUrl } from "../../src/policy/resolve-url.js";

function passes(path: string, rules: PathRules): boolean {
  const { decodedPath } = resolveUrl({
    baseUrl: "https://h.example/v1",
    path,
    query: [],
    constantQuery: {},
    reservedQueryNames: [],
  });
  try {
    checkPathRules(decodedPath, rules);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ category: "refused_by_policy" });
    return false;
  }
}

describe("checkPathRules", () => {
  it.each([
    ["/users", ["/users"], true],
    ["users", ["/users"], true],
    ["/users", ["users"], true],
    ["/users/", ["/users"], true],
    ["/users", ["/users/"], true],
    ["/users?x=1", ["/users"], true],
    ["/users/1", ["/users"], false],
    ["/users/1", ["/users/*"], true],
    ["/users", ["/users/*"], false],
    ["/users/", ["/users/*"], false],
    ["/users/1/posts", ["/users/*"], false],
    ["/users/1/posts", ["/users/*/posts"], true],
    ["/users/1/posts", ["/users/**"], true],
    ["/users", ["/users/**"], true],
    ["/usersx", ["/users/**"], false],
    ["/a/b/c/d", ["/**/d"], true],
    ["/d", ["/**/d"], true],
    ["/a/x/y/b", ["/a/**/b"], true],
    ["/a/b", ["/a/**/b"], true],
    ["/a/b/c", ["/a/**/b"], false],
    ["", ["/**"], true],
    ["", ["/"], true],
    ["/", [""], true],
    ["/x", ["/"], false],
    ["/x", ["**"], true],
    ["/x", ["*"], true],
    ["/users/1.json", ["/users/*.json"], true],
    ["/users/.json", ["/users/*.json"], true],
    ["/users/1.xml", ["/users/*.json"], false],
    ["/v2/x", ["/v*/x"], true],
    ["/aba", ["/ab*ba"], false],
    ["/x/messages:send", ["/*/messages:send"], true],
    ["/Users('a')/$metadata", ["/Users('a')/$metadata"], true],
    ["/Users", ["/users"], false],
    ["/%75sers", ["/users"], true],
    ["/users", ["/%75sers"], true],
    ["/日本", ["/日本"], true],
    ["/a//b", ["/a/b"], false],
    ["/a//b", ["/a/*/b"], false],
    ["/a//b", ["/a/**"], true],
    ["/users/1", [], false],
    ["/b", ["/a", "/b"], true],
    ["/projects/group%2Fproject/issues", ["/projects/**"], true],
    ["/projects/group%2Fproject/issues", ["/projects/*%2F*/issues"], true],
    ["/projects/1%2Fvariables", ["/projects/*"], false],
    ["/users/a%3Fb", ["/users/*"], true],
    ["/public/x;/admin", ["/public/*/admin"], true],
  ])("allows %s under %j: %s", (path, allow, passed) => {
    expect(passes(path, { allow })).toBe(passed);
  });

  it.each([
    ..."/admin admin /admin/ /adm%69n /%61dmin /%2561dmin /ａdmin /ADMIN /Admin/ /admin;x=1 /admin;/ /admin%3Bx".split(
      " ",
    ),
    ..."/admin%3Fx /admin%23x /admin%20 /admin%E2%80%8B /adm%C2%ADin /admin%2F /admin%2Fusers /admin/users /admin//users".split(
      " ",
    ),
    ..."/admin/users/1 /a%2F../x /admin%252Fx /admin／x /%E2%93%90dmin /admin+ /;/admin"
      .split(" ")
      .filter((path) => !path.includes("..")),
  ])("denies %s by /admin/**", (path) => {
    expect(passes(path, { deny: ["/admin/**"] })).toBe(false);
  });

  it.each(["/administrators", "/users/admin", "/x/admin", "/users", "", "/admin-tools/x"])(
    "lets %j pass beside /admin/**",
    (path) => {
      expect(passes(path, { deny: ["/admin/**"] })).toBe(true);
    },
  );

  it.each([
    ["/projects/a%2Fb", "/projects/*"],
    ["/projects/a%2Fb", "/projects/*/*"],
    ["/x//secret", "/x/secret"],
    ["/x//secret", "/x/*"],
    ["/users/1/keys", "/**/keys"],
    ["/users/1/keys/", "/**/keys"],
    ["/users/1/KEYS;v=2", "/**/keys"],
    ["/a/keys%3Fx/y", "/**/keys"],
    ["/Reports/X", "/reports/x"],
  ])("denies %s by %s", (path, pattern) => {
    expect(passes(path, { deny: [pattern] })).toBe(false);
  });

  it("lets deny win over allow", () => {
    expect(passes("/users/1/keys", { allow: ["/users/**"], deny: ["/users/*/keys"] })).toBe(false);
    expect(passes("/users/1", { allow: ["/users/**"], deny: ["/users/*/keys"] })).toBe(true);
  });

  it("lets everything pass without rules", () => {
    expect(passes("/anything", {})).toBe(true);
    expect(passes("/anything", { allow: undefined, deny: [] })).toBe(true);
  });

  it("names the patterns that would do", () => {
    expect(() => checkPathRules("/x", { allow: ["/users/**"] })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("/users/**") }),
    );
  });

  it("takes no more steps than segments times pattern parts", () => {
    const path = `/${"a/".repeat(1900)}b`;
    expect(passes(path, { allow: [`/${"**/a/".repeat(40)}**/c`] })).toBe(false);
    expect(passes(`/${"a".repeat(3900)}`, { allow: [`/${"*a".repeat(500)}*b`] })).toBe(false);
  });
});
