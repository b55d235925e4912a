/** Changes one value of a body, at the place that a parameter of a page has. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { findAt } from "./find-rows.js";

/**
 * The body with a value at a place: a name is a member, and an index where the body has a list. A member that it lacks is made.
 *
 * @returns undefined where the body would get another shape
 */
export function setAt(
  body: JsonValue | undefined,
  [name, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue | undefined {
  if (name === undefined) return value;
  const isIndex = /^\d+$/.test(name);
  const known = findAt(body, [name]);
  if (isIndex && known === undefined) return undefined;
  const inner = setAt(known, rest, value);
  if (inner === undefined) return undefined;
  if (Array.isArray(body)) return isIndex ? body.with(Number(name), inner) : undefined;
  if (isJsonObject(body)) return { ...body, [name]: inner };
  return body === undefined || body === null ? { [name]: inner } : undefined;
}
