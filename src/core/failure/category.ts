/** Decides the category of a failure from its status, its quota headers and its machine-readable codes; words of a message never decide. */

import type { ErrorCategory } from "../base/errors.js";
import { categories, spentCode } from "./categories.js";
import { isStatus } from "./cause.js";
import type { ErrorBody } from "./error-body.js";
import type { AnswerFacts } from "./facts.js";

/** Lower case and without punctuation, to be compared; `""` for a sentence in a member for codes, since its words decide nothing. */
export function squeeze(code: string): string {
  return /\s/.test(code) ? "" : code.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** What was decided, and by which code of the API, if by one. */
export interface Decision {
  readonly category: ErrorCategory;
  readonly code?: string | undefined;
}

/**
 * The category, by the API's own codes and by the fields and the status that the body names. Under 2xx the status in the body decides, then the codes,
 * then `bad_request`. A 403 or 418 with a wait or a spent quota in its headers is `rate_limited`; under a 400 fields decide before codes.
 */
export function findCategory(
  { status, rateLimit = {}, isExpired }: AnswerFacts,
  codes: readonly string[],
  body: ErrorBody,
): Decision {
  if (isExpired === true) return { category: "unauthorized" };
  const decisive = status < 300 ? (body.status ?? status) : status;
  const hasFields = body.fields.size > 0;
  const byCode = findByCode(decisive, codes);
  if (byCode?.category === "rate_limited") return byCode;
  const isHeld = rateLimit.remaining === 0 || rateLimit.retryAfterSeconds !== undefined;
  if ((decisive === 403 || decisive === 418) && isHeld) return { category: "rate_limited" };
  if (decisive === 400 && hasFields) return { category: "validation" };
  if (byCode !== undefined) return byCode;
  const byStatus = categories.find((row) => row.status && isStatus(decisive, row.status));
  return { category: byStatus?.category ?? (hasFields ? "validation" : "bad_request") };
}

function findByCode(status: number, codes: readonly string[]): Decision | undefined {
  const squeezed = codes.map(squeeze);
  const all = [...squeezed, squeezed.join(" ")];
  for (const { category, code, under = [] } of categories) {
    const at = code === undefined || !isStatus(status, under) ? -1 : all.findIndex((each) => code.test(each));
    if (at >= 0) return { category, code: codes[at] };
  }
  return undefined;
}

/** 52x and 530 are Cloudflare's (origin unreachable or slow); 529 and 598 report an overload or a time-out. */
const temporary: readonly number[] = [
  408, 425, 429, 502, 503, 504, 509, 520, 521, 522, 523, 524, 529, 530, 598,
];

/**
 * Whether the same call may succeed later without a change. A rate limit may, unless a code reports a spent budget; a 500 may for GET
 * only, since the write may have been executed; an overloaded or unreachable server may for every method, and the hint of a write
 * advises to check first.
 */
export function isRetryable(
  { status, request: { method } }: AnswerFacts,
  codes: readonly string[],
  category: ErrorCategory,
): boolean {
  if (category === "rate_limited") return !codes.some((code) => spentCode.test(squeeze(code)));
  if (temporary.includes(status)) return true;
  const isTheirs = category === "server_error" || category === "timeout";
  return isTheirs && method === "GET" && status !== 505 && status < 506;
}
