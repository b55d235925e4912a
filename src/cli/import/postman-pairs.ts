/** The lists of names and values that a Postman collection is made of: headers, parameters, variables, settings of `auth`. */

import { asList, asObject } from "../../features/openapi/api-document.js";

/** The pairs of a list that are not switched off, in their order. */
export function readPostmanPairs(list: unknown): [name: string, value: string][] {
  return asList(list).flatMap((each): [string, string][] => {
    const { key: name, value, disabled } = asObject(each);
    if (typeof name !== "string" || name === "" || disabled === true) return [];
    if (typeof value === "number") return [[name, String(value)]];
    return [[name, typeof value === "string" ? value : ""]];
  });
}
