import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createToolName, findNameFlaw, findSlugFlaw, toolNamePattern } from "../../src/source/tool-name.js";

describe("createToolName", () => {
  it.each([
    ["GitHub", "github"],
    ["Stripe API", "stripe_api"],
    ["  spaced   out  ", "spaced_out"],
    ["a--b__c..d", "a_b_c_d"],
    ["_private_", "private"],
    ["Café Crème", "cafe_creme"],
    ["Ångström", "angstrom"],
    ["İstanbul", "istanbul"],
    ["ＦＵＬＬ width", "full_width"],
    ["ﬁle", "file"],
    ["x²", "x2"],
    ["3Scale", "api_3scale"],
    ["１２３", "api_123"],
    ["api.github.com", "api_github_com"],
    ["C++ & C#", "c_c"],
    ["日本語 API", "api"],
    ["日本語", ""],
    ["🎉", ""],
    ["---", ""],
    ["", ""],
    ["a".repeat(70), "a".repeat(64)],
    [`${"a".repeat(63)} b`, "a".repeat(63)],
    [`1${"a".repeat(70)}`, `api_1${"a".repeat(59)}`],
  ])("makes of %j %j", (name, toolName) => {
    expect(createToolName(name)).toBe(toolName);
  });

  it("gives of any text a name that every provider takes, or nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), (name) => {
        const toolName = createToolName(name);
        expect(toolName === "" || toolNamePattern.test(toolName)).toBe(true);
        expect(toolName).not.toMatch(/^_|__|_$/);
        expect(createToolName(toolName)).toBe(toolName);
      }),
    );
  });
});

describe("findNameFlaw", () => {
  it.each(["日本語", "Read API Response"])("asks for a slug for %s", (name) => {
    expect(findNameFlaw(name)?.fix).toContain("`slug`");
  });

  it("has nothing against an ordinary name", () => {
    expect(findNameFlaw("GitHub")).toBeUndefined();
  });
});

describe("findSlugFlaw", () => {
  it.each(["a", "_", "A-b_9", "a".repeat(64), "read_api_responses"])("accepts %s", (slug) => {
    expect(findSlugFlaw(slug)).toBeUndefined();
  });

  it.each(["", "9a", "-a", "a b", "é", "a\n", "a".repeat(65), "read_api_response"])("refuses %j", (slug) => {
    expect(findSlugFlaw(slug)).toBeDefined();
  });
});
