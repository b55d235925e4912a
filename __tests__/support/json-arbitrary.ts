/** Random JSON texts: any number spelling, any white space, strings that look like JSON. */

import fc from "fast-check";
import { anyCharacter } from "./any-character.js";
import { words } from "./words.js";

const oddNumbers = words(`
  19.90 -0 -0.0 0.0000001 0.000001 1E400 9007199254740993 9007199254740991
  -65.613616999999977 1.10 0.1 1e0 123456789012345 1234567890123456 1.0e-5
`);
const numberSpelling: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,22})$/),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,9})\.[0-9]{1,20}$/),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,5})?[eE][+-]?[0-9]{1,3}$/),
  { weight: 2, arbitrary: fc.constantFrom(...oddNumbers) },
);

const stringText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 12 }).map((value) => JSON.stringify(value)),
  fc.string({ unit: "grapheme", maxLength: 8 }).map((value) => JSON.stringify(value)),
  fc
    .constantFrom(
      ...words(':19.90, ":1.0} \\ {"a":19.90,"b":1.0} 12345678901234567890'),
      "1.0, 2.0, 3.0",
      "[1.50, 2e5]",
    )
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '"\\ud83d"',
    '"\\u0080"',
    '"\u0080\u0081"',
    '"\\\\"',
    '"__proto__"',
    '"\\/"',
    '"\\u00e9é"',
  ),
);

const space = fc.constantFrom("", "", "", " ", "\n  ", "\t", "\r\n");

/** JSON texts of objects and arrays without repeated keys. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{
  value: string;
  list: string;
  map: string;
}>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    numberSpelling,
    stringText,
    fc.constantFrom("true", "false", "null"),
    tie("list"),
    tie("map"),
  ),
  list: fc
    .array(fc.tuple(space, tie("value"), space), { maxLength: 6 })
    .map((items) => `[${items.map((parts) => parts.join("")).join(",")}]`),
  map: fc
    .uniqueArray(fc.tuple(space, stringText, space, tie("value"), space), {
      maxLength: 6,
      selector: ([, key]) => JSON.parse(key),
    })
    // Keys that are array indices change their order in JavaScript.
    .map((members) => members.filter(([, key]) => !/^"\d+"$/.test(key)))
    .map(
      (members) =>
        `{${members.map(([before, key, middle, value, after]) => `${before}${key}${middle}:${middle}${value}${after}`).join(",")}}`,
    ),
})).value;
