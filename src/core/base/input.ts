/** Values from outside: what is an object, which members of it are present, and whether each is of its type. */

import { invalidInput } from "./errors.js";
import { quoteText } from "./text.js";

/**
 * Reads the known members. A framework may add members of its own, such as `suspend`: functions and `undefined` are not input, and are ignored.
 *
 * @throws ApiSourceError `invalid_input` for a value that is not an object, or has an unknown member.
 */
export function readMembers<Name extends string>(
  input: unknown,
  known: readonly Name[],
  { example, advice = "" }: { readonly example: string; readonly advice?: string },
): Partial<Record<Name, unknown>> {
  if (!isPlainObject(input))
    throw invalidInput("The input is not an object.", `Send an object such as ${example}.`);
  const given = { ...input } as Partial<Record<Name, unknown>>;
  const names: readonly string[] = known;
  const unknownMember = Object.keys(input).find((name) => {
    const value = input[name];
    return !names.includes(name) && value !== undefined && typeof value !== "function";
  });
  if (unknownMember === undefined) return given;
  throw invalidInput(
    `The input has no member ${quoteText(unknownMember, 40)}.`,
    `Members are ${known.join(", ")}.${advice}`,
  );
}

/** @throws ApiSourceError `invalid_input` for anything but a string, or nothing. */
export function parseString(name: string, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === "string") return value;
  throw invalidInput(`${name} is not a string.`, `Give ${name} as a string, or leave it out.`);
}

/** Models send numbers as strings, too. */
export function parseCount(name: string, value: unknown, least: number): number | undefined {
  if (isAbsent(value)) return undefined;
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= least) return count;
  throw invalidInput(
    `${name} is not a whole number from ${least} on.`,
    `Give ${name} as a number, or leave it out.`,
  );
}

/** The value of a JSON text, numbers as JavaScript has them; undefined for any other text. */
export function readPlainJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object that is not a list. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Models that must fill every member send `null`, `""` or `[]` for "nothing". */
export function isAbsent(value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return value === undefined || value === null || value === "" || isEmptyList;
}

/** The members that are not `undefined`. */
export function dropUndefined<const Members extends object>(
  members: Members,
): { [Name in keyof Members]: Exclude<Members[Name], undefined> } {
  const known: Partial<Members> = {};
  // Not by a list of entries: each call does this some fifteen times.
  for (const name of Object.keys(members) as (keyof Members)[])
    if (members[name] !== undefined) known[name] = members[name];
  return known as { [Name in keyof Members]: Exclude<Members[Name], undefined> };
}
