/** The lists of names and values that a Postman collection is made of: headers, parameters, variables, settings of `auth`. */

import { asObject } from "../../features/openapi/api-document.js";

/** A pair as a collection writes it; variables of version 2.0 have an `id` in place of a `key`. */
interface WrittenPair {
  readonly key?: unknown;
  readonly id?: unknown;
  readonly value?: unknown;
  readonly disabled?: unknown;
}

/** The pairs that are not switched off, in their order. Version 2.0 also writes settings as an object, and headers as the lines of a text. */
export function readPostmanPairs(given: unknown): [name: string, value: string][] {
  return listWritten(given).flatMap(({ key, id, value, disabled }): [string, string][] => {
    const name = key ?? id;
    if (typeof name !== "string" || name === "" || disabled === true) return [];
    if (typeof value === "number") return [[name, String(value)]];
    return [[name, typeof value === "string" ? value : ""]];
  });
}

function listWritten(given: unknown): WrittenPair[] {
  if (Array.isArray(given)) return given.map(asObject);
  if (typeof given !== "string")
    return Object.entries(asObject(given)).map(([key, value]) => ({ key, value }));
  return given.split("\n").map((line) => {
    const [name = "", ...value] = line.split(":");
    return value.length === 0 ? {} : { key: name.trim(), value: value.join(":").trim() };
  });
}
