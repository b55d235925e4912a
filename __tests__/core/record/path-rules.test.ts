import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { ApiSourceError } from "../../../src/core/base/errors.js";
import { checkPathRules, type PathRules } from "../../../src/core/record/path-rules.js";
import { runsOf } from "../../support/long-run.js";
import { findRefusal } from "../../support/refusals.js";
import { resolve } from "../../support/resolving.js";
import { words } from "../../support/words.js";

function refusal(path: string, rules: PathRules): ApiSourceError | undefined {
  const sent = resolve(path).path;
  const error = findRefusal(() => checkPathRules(sent, rules));
  if (error !== undefined) expect(error.category).toBe("refused_by_policy");
  return error;
}
const passes = (path: string, rules: PathRules): boolean => refusal(path, rules) === undefined;

describe("checkPathRules", () => {
  it.each([
    ["/users", ["users"], true],
    ["users/", ["/users"], true],
    ["/users/1", ["/users"], false],
    ["/users/1", ["/users/*"], true],
    ["/users", ["/users/*"], false],
    ["/users/1/posts", ["/users/*"], false],
    ["/users/1/posts", ["/users/*/posts"], true],
    ["/users/1/posts", ["/users/**"], true],
    ["/users", ["/users/**"], true],
    ["/d", ["/**/d"], true],
    ["/a/x/y/b", ["/a/**/b"], true],
    ["/a/b/c", ["/a/**/b"], false],
    ["", ["/"], true],
    ["/x", ["/"], false],
    ["/x/messages:send", ["/*/messages:send"], true],
    ["/Users", ["/users"], false],
    ["/%75sers", ["/users"], true],
    ["/%2575sers", ["/users"], false],
    ["/users", ["/%75sers"], true],
    ["/cafe\u0301/1", ["/café/*"], true],
    ["/cafe/1", ["/café/*"], false],
    ["/café/1", ["/cafe/*"], false],
    ["/a//b", ["/a/b"], false],
    ["/a//b", ["/a/**"], true],
    ["/users/1", [], false],
    ["/projects/group%2Fproject/issues", ["/projects/*/issues"], false],
    ["/projects/group%2Fproject/issues", ["/projects/*/issues", "/projects/*/*/issues"], true],
    ["/projects/group%2Fproject/issues", ["/projects/group%2Fproject/*"], true],
    ["/projects/1%2Fvariables", ["/projects/*"], false],
    ["/projects/1%252Fvariables", ["/projects/*"], false],
    ["/users/%CC%87", ["/users/*"], false],
    ["/users/a%3Fb", ["/users/*"], true],
    ["/public/x;/admin", ["/public/*/admin"], true],
    ["/public/;x", ["/public/*"], false],
    // A star is a wildcard only where it is a whole segment as it is written.
    ["/axxxb", ["/a%2Ab"], false],
    ["/a*b", ["/a%2Ab"], true],
    ["/anything", ["/%2A"], false],
    ["/*", ["/%2A"], true],
  ])("allows %s under %j: %s", (path, allow, passed) => {
    expect(passes(path, { allow })).toBe(passed);
  });

  it.each(
    words(`
      admin /admin/ /adm%69n /%2561dmin /%252561dmin /ａdmin /ADMIN /admin;x=1 /admin%3Bx /admin%3Fx /admin%23x
      /admin%20 /admin%E2%80%8B /adm%C2%ADin /admin%2Fusers /admin//users /admin/users/1 /admin%252Fx /admin／x
      /%E2%93%90dmin /admin+ /;/admin /;x%2Fadmin /admin... /admin.%20 /%C3%A1dmin /a%CC%81dmin
      /admin%252f%CC%87users /admin%25%CC%872fusers /adm%25%E2%80%8B69n/x /adm%25e9in /admin%E2%88%95x
    `),
  )("denies %s by /admin/**", (path) => {
    expect(passes(path, { deny: ["/admin/**"] })).toBe(false);
  });

  it.each(["/administrators", "/users/admin", "", "/admin-tools/x", "/adm.in"])(
    "lets %j pass beside /admin/**",
    (path) => {
      expect(passes(path, { deny: ["/admin/**"] })).toBe(true);
    },
  );

  it.each([
    ["/projects/a%2Fb", "/projects/*"],
    ["/projects/a%2Fb", "/projects/*/*"],
    ["/projects/group%2Fproj/variables", "/projects/*/variables"],
    ["/projects/group%252Fproj%252Fvariables", "/projects/*/variables"],
    ["/projects/a%2Fb%2Fc%2Fvariables/x", "/projects/*/variables/*"],
    ["/projects/group/proj/x", "/projects/group%2Fproj/**"],
    ["/x//secret", "/x/secret"],
    ["/x/%CC%87/secret", "/x/secret"],
    ["/x;a%2Fb/secret", "/x/secret"],
    ["/users/1/KEYS;v=2", "/**/keys"],
    ["/a/keys%3Fx/y", "/**/keys"],
    ["/reports/x", "/Reports/X."],
  ])("denies %s by %s", (path, pattern) => {
    expect(passes(path, { deny: [pattern] })).toBe(false);
  });

  it("refuses a path with more readings than it judges, under any rule", () => {
    const path = `/%${"25".repeat(12)}61dmin`;
    expect(() => checkPathRules(path, { deny: ["/admin"] })).toThrow("not among those");
    expect(() => checkPathRules(path, { allow: ["/**"] })).toThrow("not among those");
  });

  it("lets deny win over allow, everything pass without rules, and names the patterns that would do", () => {
    const rules = { allow: ["/users/**"], deny: ["/users/*/keys"] };
    expect([passes("/users/1/keys", rules), passes("/users/1", rules)]).toEqual([false, true]);
    expect(passes("/anything", { allow: undefined, deny: [] })).toBe(true);
    expect(refusal("/x", { allow: ["/users/**"] })?.hint).toContain("/users/**");
  });

  it("denies whatever a lax server makes the denied path of, in any spelling", () => {
    const slash = fc.constantFrom(..."/ %2f %252F // /;x/ %2F/ %ef%bc%8f %E2%88%95".split(" "));
    const between = fc.constantFrom("", "", "%CC%87", "%E2%80%8B", "+", "%20", "%C2%AD");
    const end = fc.constantFrom("", "/", ".", "%20", ";a=b", "%3Fx", "%23", "%2F", "+", "%2e");
    const escaped = (plain: string, layers: number): string =>
      `%${"25".repeat(layers - 1)}${plain.charCodeAt(0).toString(16)}`;
    const letter = (plain: string): fc.Arbitrary<string> =>
      fc.constantFrom(
        plain,
        plain.toUpperCase(),
        ...[1, 2, 3].map((layers) => escaped(plain, layers)),
      );
    const word = (text: string): fc.Arbitrary<string> =>
      fc
        .tuple(...[...text].map((plain) => fc.tuple(letter(plain), between)))
        .map((pairs) => pairs.flat().join(""));
    fc.assert(
      fc.property(
        fc.tuple(word("keys"), slash, word("all"), end),
        ([first, separator, second, tail]) => {
          const path = `/v/${first}${separator}${second}${tail}`;
          expect([path, passes(path, { deny: ["/*/keys/all"] })]).toEqual([path, false]);
        },
      ),
      { numRuns: runsOf(4_000) },
    );
  });

  it("takes no more steps than segments times pattern parts", () => {
    const path = `/${"a/".repeat(1900)}b`;
    expect(passes(path, { allow: [`/${"**/a/".repeat(40)}**/c`] })).toBe(false);
    expect(passes(path, { allow: ["/**"], deny: [`/${"**/*/".repeat(40)}**/c`] })).toBe(true);
  });
});
