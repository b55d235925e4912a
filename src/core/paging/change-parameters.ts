/** The next page as the same request with other parameters. */

import type { JsonValue } from "../base/exact-number.js";
import { maxUrlLength } from "../request/resolve-url.js";
import type { NextKind } from "./judge-complete.js";
import type { Parameters } from "./paged-request.js";
import type { WayFound } from "./paging.js";

/** Parameters to set for the next page, and whether the API itself gave their names. */
export interface Change {
  readonly set: Readonly<Record<string, JsonValue>>;
  readonly isNamed: boolean;
}

/** A longer link or cursor would fill the answer, and no request could hold it. */
export const maxLength: number = maxUrlLength;

/** @param changes - Best first. */
export function changeParameters(changes: readonly Change[], kind: NextKind, sent: Parameters): WayFound {
  const candidates = changes.map(({ set, isNamed }) => ({
    next: sent.change(set),
    kind,
    isGuess: !isNamed,
    parameter: Object.keys(set)[0] ?? "",
  }));
  return checkLength(changes[0]?.set ?? {}, { candidates });
}

/** @param cursor - What the way sends. */
export function checkLength(cursor: JsonValue, way: WayFound): WayFound {
  const { length } = JSON.stringify(cursor);
  return length <= maxLength ? way : { candidates: [], unreachable: describeTooLong("cursor", length) };
}

export function describeTooLong(what: "link" | "cursor", length: number): string {
  return `there is a next page, but its ${what} is too long to be sent (${length} characters)`;
}
