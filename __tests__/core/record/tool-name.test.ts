import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createToolName, toolNamePattern } from "../../../src/core/record/record-schema.js";
import { anyCharacter } from "../../support/any-character.js";

describe("createToolName", () => {
  it.each([
    ["Stripe API", "stripe_api"],
    ["Café Ångström", "cafe_angstrom"],
    ["Größe & Maß", "grosse_mass"],
    ["Łódź Øresund Æther İstanbul", "lodz_oresund_aether_istanbul"],
    ["3Scale", "api_3scale"],
    ["日本語 API", "api"],
    ["日本語", ""],
    [`1${"a".repeat(70)}`, `api_1${"a".repeat(59)}`],
  ])("makes of %j %j", (name, toolName) => {
    expect(createToolName(name)).toBe(toolName);
  });

  it("gives of any text a name that every provider takes, or nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 100 }), (name) => {
        const toolName = createToolName(name);
        expect(toolName === "" || toolNamePattern.test(toolName)).toBe(true);
        expect(toolName).not.toMatch(/^_|__|_$/);
        expect(createToolName(toolName)).toBe(toolName);
      }),
    );
  });
});
