/** Knows the headers in which a server asks to wait: `Retry-After` (RFC 9110 section 10.2.3) and its vendor kin. */

import { parseResets } from "./parse-resets.js";
import type { ResponseHeaders } from "./rate-limit.js";

const waitHeader = /retry-?after/;
const millisecondsName = /-(?:ms|millis|milliseconds)$/;

/**
 * Reads how long the server asks to wait.
 *
 * The precise one (`retry-after-ms`, Azure and OpenAI) comes before `Retry-After`, and that before vendor names such as
 * `x-retry-after` and `x-ratelimit-retry-after`. Of repeated values the longest counts. An epoch or a date in any of
 * them is understood.
 *
 * @returns whole seconds, rounded up; undefined when no such header can be read.
 */
export function readWaitHeaders(headers: ResponseHeaders, nowMs: number): number | undefined {
  const waits = Object.entries(headers)
    .map(([header, value]) => ({ header: header.toLowerCase(), value }))
    .filter(({ header }) => waitHeader.test(header))
    .sort((one, other) => rank(one.header) - rank(other.header))
    .map(({ header, value }) => {
      const unit = millisecondsName.test(header) ? "milliseconds" : "seconds";
      return parseResets(value, nowMs, unit).reduce<number | undefined>(longer, undefined);
    });
  return waits.find((wait) => wait !== undefined && wait > 0) ?? waits.find((wait) => wait !== undefined);
}

function rank(header: string): number {
  if (millisecondsName.test(header)) return 0;
  return header === "retry-after" ? 1 : 2;
}

function longer(one: number | undefined, other: number): number {
  return one === undefined ? other : Math.max(one, other);
}
