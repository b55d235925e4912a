/** Tells a failed GraphQL answer (specification, section 7.1) from other bodies that have `errors` and `data`. */

import type { JsonValue } from "../json/exact-number.js";
import { isEmpty, isObject, type Shape, toShape } from "../json/shape.js";

const answerKeys: ReadonlySet<string> = new Set(["data", "errors", "extensions", "hasnext"]);

/**
 * Whether `errors` is a list of objects with a message beside nothing but `data` and `extensions`, or a mutation's payload
 * reports `userErrors`. A failed answer may still hold partial `data`.
 */
export function isGraphqlFailure(shape: Shape): boolean {
  if (![...shape.keys()].every((key) => answerKeys.has(key))) return false;
  const errors = shape.get("errors")?.value;
  // Where `data` is a list it is a bulk operation's partial success: GraphQL's is an object or null.
  if (Array.isArray(shape.get("data")?.value)) return false;
  if (Array.isArray(errors) && errors.length > 0) return errors.slice(0, 20).every(hasMessage);
  return hasUserErrors(shape.get("data")?.value);
}

function hasMessage(item: JsonValue): boolean {
  return isObject(item) && typeof item["message"] === "string";
}

/** `{"data":{"productCreate":{"product":null,"userErrors":[{"field":["title"],"message":"…"}]}}}` */
function hasUserErrors(data: JsonValue | undefined): boolean {
  if (!isObject(data)) return false;
  const payloads = Object.values(data).slice(0, 10).filter(isObject);
  return payloads.some((payload) => {
    const list = toShape(payload).get("usererrors")?.value;
    return Array.isArray(list) && !isEmpty(list) && list.slice(0, 20).every(hasMessage);
  });
}
