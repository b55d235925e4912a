import { execFileSync } from "node:child_process";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { quoteHeader, quoteShell, type ShellPart } from "../../src/connection/quote-shell.js";

function readBack(words: readonly string[], env: Readonly<Record<string, string>>): Buffer {
  return execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${words.join(" ")}`], { env });
}

const env = { NAME: `v'a"l $X \`y\` \\`, OTHER: "" };
const part: fc.Arbitrary<ShellPart> = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."ab1 '\"$`\\!&;|<>(){}[]*?~#%=+-_.,:/@\tß€"), maxLength: 10 }),
  fc.constantFrom({ variable: "NAME" }, { variable: "OTHER" }),
);
const fill = (parts: readonly ShellPart[]): string =>
  parts.map((each) => (typeof each === "string" ? each : env[each.variable as "NAME"])).join("");

describe("quoteShell", () => {
  it("writes words that a shell reads as they were meant", () => {
    fc.assert(
      fc.property(fc.array(fc.array(part, { maxLength: 5 }), { minLength: 20, maxLength: 20 }), (words) => {
        const expected = words.map((parts) => `${fill(parts)}\0`).join("");
        expect(readBack(words.map(quoteShell), env).toString("utf8")).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    [["plain-1.2/x"], "plain-1.2/x"],
    [["a b"], "'a b'"],
    [["it's"], `'it'\\''s'`],
    [["Bearer ", { variable: "NAME" }], '"Bearer $NAME"'],
    [[{ variable: "NAME" }, "x"], '"${NAME}x"'],
    [["$", { variable: "NAME" }], `'$'"$NAME"`],
    [[], "''"],
  ] as [ShellPart[], string][])("writes %j as %s", (parts, word) => {
    expect(quoteShell(parts)).toBe(word);
  });
});

describe("quoteHeader", () => {
  it("writes Latin-1 as the bytes that go on the wire", () => {
    const text = "caf\u00e9 'x' \u00ff\u0080";
    expect(readBack([quoteHeader([text, { variable: "NAME" }])], env)).toEqual(
      Buffer.concat([Buffer.from(text, "latin1"), Buffer.from(`${env.NAME}\0`)]),
    );
  });
});
