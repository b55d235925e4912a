/** A new record laid over the one in a file: known members as given, unknown ones and the order of all as they were. */

import { apiSourceJsonSchema } from "../source/json-schema.js";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The members of `given`, in the order of `old` and then their own. A member of `old` that the schema doesn't know and `given`
 * doesn't have stays: somebody wrote it for a reason of theirs. A known one that `given` doesn't have goes.
 */
export function mergeRecord(old: JsonObject, given: JsonObject): JsonObject {
  return mergeAt(old, given, apiSourceJsonSchema);
}

function mergeAt(old: JsonObject, given: JsonObject, schema: unknown): JsonObject {
  const properties = membersOf(schema, "properties");
  const merged: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(old)) {
    // An editor reads `$schema`: nobody who writes a record by code gives it again.
    const isKnown = name !== "$schema" && Object.hasOwn(properties, name);
    if (!Object.hasOwn(given, name)) {
      if (!isKnown) merged[name] = value;
      continue;
    }
    const next = given[name];
    // Only objects with members of their own in the schema: `headers` and the like are maps, and taken as given.
    const inner = isKnown ? membersOf(properties[name], "properties") : {};
    merged[name] =
      isObject(value) && isObject(next) && Object.keys(inner).length > 0
        ? mergeAt(value, next, properties[name])
        : next;
  }
  for (const [name, value] of Object.entries(given)) if (!Object.hasOwn(merged, name)) merged[name] = value;
  return merged;
}

function membersOf(schema: unknown, name: string): Readonly<Record<string, unknown>> {
  const value = isObject(schema) ? schema[name] : undefined;
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
