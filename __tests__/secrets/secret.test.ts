import { inspect } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { redactedMarker, Secret } from "../../src/secrets/secret.js";

const secret = new Secret("never-to-be-seen");

describe("Secret", () => {
  it("gives its value only when asked for it", () => {
    expect(secret.reveal()).toBe("never-to-be-seen");
  });

  it.each([
    ["a template", `${secret}`],
    ["String", String(secret)],
    ["util.inspect", inspect(secret)],
    ["util.inspect of what holds it", inspect({ a: [secret] }, { depth: 9, showHidden: true })],
    ["JSON.stringify", JSON.parse(JSON.stringify(secret))],
  ])("shows nothing but the marker in %s", (_, shown) => {
    expect(shown).toContain(redactedMarker);
    expect(shown).not.toContain("never");
  });

  it("has nothing to enumerate, copy or clone", () => {
    expect(Reflect.ownKeys({ ...secret })).toEqual([]);
    expect(Object.values(secret)).toEqual([]);
    expect(JSON.stringify(structuredCloneOf(secret))).not.toContain("never");
  });
});

/** A class's private field is not cloned; functions would not be clonable at all. */
function structuredCloneOf(value: object): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}
