/** Which mistakes are sure, although documents are often incomplete; and a note about the others, which are sent. */

import { findDistance } from "../text.js";
import type { Mistake } from "./mistake.js";
import { isParameter, splitPath } from "./routes.js";

/**
 * Whether a call with this mistake is surely wrong: a name or path that is one or two letters away from a described one, a value that cannot
 * be of the described type or is not in its enum, a placeholder, or a body that lacks a required member. Anything else that is not
 * described may exist all the same.
 */
export function isSureMistake({ kind, given, expected }: Mistake): boolean {
  if (kind === "placeholder" || kind === "missing_body" || kind === "missing_member") return true;
  if (/_(?:type|enum)$/.test(kind)) return true;
  if (kind === "unknown_path") return expected.some((route) => isNearPath(given, route.split(" ")[1] ?? ""));
  return /^unknown_/.test(kind) && isSlip(given, expected[0] ?? "");
}

/** One letter in a short name, two in a longer one; whether letters are capitals does not count. */
function isSlip(given: string, name: string): boolean {
  const shortest = Math.min(given.length, name.length);
  if (shortest < 3 || Math.max(given.length, name.length) > 200) return false;
  const most = shortest < 5 ? 1 : 2;
  return findDistance(given.toLowerCase(), name.toLowerCase(), most) <= most;
}

/** The same path but for one segment, which is a slip. */
function isNearPath(given: string, template: string): boolean {
  const [segments, own] = [splitPath(given), splitPath(template)];
  if (segments.length !== own.length) return false;
  const others = segments.filter((segment, index) => {
    const other = own[index] ?? "";
    return segment !== other && !isParameter(other);
  });
  const index = segments.indexOf(others[0] ?? "");
  return others.length === 1 && isSlip(others[0] ?? "", own[index] ?? "");
}

/** @param request - Method and path, such as `GET /employees`. */
export function writeNote({ kind, at, expected }: Mistake, request: string): string {
  const [nearest] = expected;
  const isNear = nearest !== undefined && expected.length === 1;
  const near = isNear ? ` Nearest: \`${nearest}\`.` : "";
  switch (kind) {
    case "unknown_parameter":
      return `\`${at}\` is not a parameter of ${request}; the API may have ignored it.${near}`;
    case "unknown_member":
      return `\`${at}\` is not described for ${request}; the API may have ignored it.${near}`;
    case "unknown_path":
      return `${request} is not in the API's OpenAPI document.${nearest === undefined ? "" : ` Nearest: ${expected.join(", ")}.`}`;
    case "wrong_method":
      return `The API's OpenAPI document has ${request.replace(/^\S+ /, "")} with ${expected.join(", ")} only.`;
    default:
      return `The API's OpenAPI document requires \`${at}\` for ${request}.`;
  }
}
