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
  /** What the answer calls it, normalised: what is learned about its names is learned for this. */
  readonly stated: string;
  /** Why its page would not show that the list is whole. */
  readonly doubt?: string | undefined;
}

/** As many names that the API did not give are tried, one request each. */
export const maxGuesses = 3;

/** A longer link or cursor would fill the answer, and no request could hold it. */
export const maxLength: number = maxUrlLength;

/** @param changes - Best first. */
export function changeParameters(changes: readonly Change[], kind: NextKind, sent: Parameters): WayFound {
  const candidates = changes.slice(0, maxGuesses).map(({ set, isNamed, stated, doubt }) => ({
    ...{ next: sent.change(set), kind, isGuess: !isNamed },
    ...{ parameter: Object.keys(set)[0] ?? "", stated, doubt },
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
