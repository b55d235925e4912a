/** The dialect is the library's: where both give a result, it is the same. */

import { expect, it } from "@jest/globals";
import { search } from "@jmespath-community/jmespath";
import fc from "fast-check";
import { loadQueryEngine } from "../../../src/core/query/query-engine.js";
import { runsOf } from "../../support/long-run.js";

const key = fc.constantFrom("a", "b", "c");
/** No strings that spell numbers, no decimals: there ours is deliberately another (see the decision on queries). */
const scalar = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  2,
  -3,
  7,
  "",
  "x",
  "xy",
  "b,a",
  " x ",
);
const { document } = fc.letrec<{ document: unknown; node: unknown }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie("document"), { maxLength: 4 }),
    fc.dictionary(key, tie("document"), { maxKeys: 3, noNullPrototype: true }),
  ),
  node: scalar,
}));

const oneOf = (words: string) => fc.constantFrom(...words.split(" "));
const literal = oneOf("`1` `2` `-3` 'x' 'b,a' '' `null` `true` `[1,2]` `{\"a\":1}`");
const unary = oneOf(
  "abs ceil floor avg items keys values length lower upper reverse sum to_array to_number to_string trim type not_null merge",
);
const binary = oneOf("contains ends_with starts_with split join merge not_null zip");
const operator = oneOf("== != < <= > >= && || + - * |");
const { expression } = fc.letrec<{ expression: string; step: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    oneOf("a b @ $ a.b * [0] [-1] [] [*] [1:] [::-1] [:2]"),
    literal,
    fc.tuple(tie("expression"), tie("step")).map(([left, step]) => `(${left})${step}`),
    fc
      .tuple(tie("expression"), operator, tie("expression"))
      .map(([left, sign, right]) => `(${left}) ${sign} (${right})`),
    fc.tuple(unary, tie("expression")).map(([name, child]) => `${name}(${child})`),
    fc
      .tuple(binary, tie("expression"), tie("expression"))
      .map(([name, one, other]) => `${name}(${one}, ${other})`),
    tie("expression").map((child) => `replace(${child}, 'x', 'zz')`),
    fc
      .tuple(tie("expression"), tie("expression"))
      .map(([list, field]) => `map(&(${field}), ${list})`),
    fc.tuple(tie("expression"), tie("expression")).map(([one, other]) => `[${one}, ${other}]`),
    fc
      .tuple(tie("expression"), tie("expression"))
      .map(([one, other]) => `{a: ${one}, b: ${other}}`),
    fc
      .tuple(tie("expression"), tie("expression"))
      .map(([one, other]) => `let $v = ${one} in (${other})`),
    fc
      .tuple(tie("expression"), tie("expression"), tie("expression"))
      .map(([one, two, three]) => `(${one}) ? (${two}) : (${three})`),
    fc.tuple(tie("expression")).map(([child]) => `!(${child})`),
  ),
  step: fc.oneof(
    oneOf(".a .b.c [0] [-1] [*] [] [1:] [::-1] [::2] .* [*].a .{a:a,b:b} .[a,b]"),
    tie("expression").map((condition) => `[?${condition}]`),
  ),
}));

/** Where ours is another on purpose. */
function isKnownDifference(text: string): boolean {
  // `[]` after pairs, strings in order, no number in an empty string, and values looked for by what they hold.
  return /items\(|[<>]|contains|to_number/.test(text);
}

it("gives what the library gives, where both give something", async () => {
  const engine = await loadQueryEngine();
  const numRuns = runsOf(3_000);
  let compared = 0;
  fc.assert(
    fc.property(document, expression, (body, text) => {
      let theirs: unknown;
      let ours: unknown;
      try {
        theirs = JSON.parse(JSON.stringify(search(body as never, text)));
      } catch {
        return;
      }
      try {
        ours = engine.run(body as never, text).value;
      } catch (error) {
        // Ours refuses what the library lets through as NaN or Infinity, which JSON has not.
        expect(error).toMatchObject({ category: "invalid_input" });
        return;
      }
      if (isKnownDifference(text)) return;
      compared += 1;
      expect(JSON.parse(JSON.stringify(ours))).toEqual(theirs);
    }),
    { numRuns },
  );
  expect(compared).toBeGreaterThan(numRuns / 5);
}, 60_000);
