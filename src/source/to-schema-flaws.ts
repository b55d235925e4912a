/** Puts what zod found into a person's words. */

import type { z } from "zod";
import type { PlainData } from "./copy-plain-data.js";
import { isPlainObject } from "./copy-plain-data.js";
import type { PlacedFlaw } from "./flaw.js";
import { suggestFix } from "./suggest-fix.js";

type Issue = z.core.$ZodIssue;

/** One flaw for each issue, in the record's order. `record` is what was judged. */
export function toSchemaFlaws(issues: readonly Issue[], record: PlainData): PlacedFlaw[] {
  return issues.flatMap((issue) => toFlaws(issue, issue.path, record));
}

function toFlaws(issue: Issue, path: readonly PropertyKey[], record: PlainData): PlacedFlaw[] {
  const value = findValue(record, path);
  if (issue.code === "invalid_union") {
    const closest = findClosestBranch(issue.errors);
    if (closest) return closest.flatMap((inner) => toFlaws(inner, [...path, ...inner.path], record));
  }
  const ownFix = issue.code === "custom" ? issue.params?.["fix"] : undefined;
  const keyFix = issue.code === "invalid_key" ? "Correct the name." : undefined;
  const fix = typeof ownFix === "string" ? ownFix : (keyFix ?? suggestFix(path, value));
  return [{ path, message: toMessage(issue, value), fix }];
}

/** The value at a path; undefined where the path leads nowhere. */
export function findValue(record: PlainData, path: readonly PropertyKey[]): PlainData | undefined {
  return path.reduce<PlainData | undefined>((value, step) => {
    if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
    return isPlainObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined;
  }, record);
}

/** The branch of a union that the value was meant for: the one whose own type it has. */
function findClosestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find(
    (issues) => !issues.some((issue) => issue.code === "invalid_type" && issue.path.length === 0),
  );
}

function toMessage(issue: Issue, value: PlainData | undefined): string {
  switch (issue.code) {
    case "invalid_type":
      return value === undefined ? "is missing" : `must be ${describeType(issue.expected)}`;
    case "invalid_value":
      return value === undefined
        ? "is missing"
        : `must be ${issue.values.map((one) => JSON.stringify(one)).join(" or ")}`;
    case "too_small":
      return issue.origin === "array" || issue.origin === "string"
        ? "is empty"
        : `must be at least ${issue.minimum}`;
    case "too_big":
      return `must be at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}`;
    case "invalid_key":
      return issue.issues[0]?.message ?? "is not a name that can be used here";
    case "invalid_union":
      return "is of a type that this field can't have";
    default:
      return issue.message;
  }
}

function describeType(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: "a text",
    int: "a whole number",
    number: "a whole number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    record: "an object",
  };
  return names[expected] ?? expected;
}
