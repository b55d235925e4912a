/** Decides what kind of failure an answer is: from its status first, then from what its body says. */

import type { ErrorCategory } from "../errors.js";
import type { RateLimit } from "../limits/rate-limit.js";
import {
  categoryOfWords,
  type ErrorWords,
  hasRateLimitCode,
  saysBadCredential,
  saysRateLimited,
  saysUnauthorized,
  saysValidation,
} from "./category-words.js";

export interface CategoryInput extends ErrorWords {
  readonly status: number;
  readonly hasFields: boolean;
  /** The HTTP status the body claims, where it is another than the real one. */
  readonly bodyStatus?: number | undefined;
  readonly rateLimit?: RateLimit | undefined;
}

/** 420: Twitter's old "enhance your calm"; 529: overloaded; 419, 440, 498, 499: expired or missing tokens of frameworks and ArcGIS. */
const byStatus: Readonly<Record<number, ErrorCategory>> = {
  401: "unauthorized",
  402: "forbidden",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  407: "unauthorized",
  408: "timeout",
  409: "conflict",
  410: "not_found",
  412: "conflict",
  413: "too_large",
  414: "too_large",
  419: "unauthorized",
  420: "rate_limited",
  422: "validation",
  423: "conflict",
  424: "conflict",
  425: "conflict",
  428: "conflict",
  429: "rate_limited",
  431: "too_large",
  440: "unauthorized",
  451: "forbidden",
  498: "unauthorized",
  499: "unauthorized",
  501: "method_not_allowed",
  511: "unexpected_content",
};

/**
 * The category. Under 2xx the body's own status decides, then its words, then `bad_request`: such APIs report a wrong call that way.
 * A 400, 403, 418 or 503 whose words speak of a spent quota is `rate_limited`; a 403 that calls the credential bad is `unauthorized`; a 400 is `unauthorized` or `validation` by its words and fields.
 */
export function chooseCategory(input: CategoryInput): ErrorCategory {
  if (input.status < 300) return categoryOfSuccess(input);
  if (input.status < 400) return "unexpected_content";
  if (isDisguisedRateLimit(input)) return "rate_limited";
  if (input.status === 400) return categoryOfBadRequest(input);
  // Many APIs answer 403 to a key they don't know; what to do about it is what a 401 asks for.
  if (input.status === 403 && saysBadCredential(input)) return "unauthorized";
  return byStatus[input.status] ?? (input.status >= 500 ? "server_error" : "bad_request");
}

function categoryOfSuccess(input: CategoryInput): ErrorCategory {
  const { bodyStatus } = input;
  if (bodyStatus !== undefined && bodyStatus >= 400) return chooseCategory({ ...input, status: bodyStatus });
  return categoryOfWords(input) ?? (input.hasFields ? "validation" : "bad_request");
}

function isDisguisedRateLimit(input: CategoryInput): boolean {
  const { status, rateLimit } = input;
  if (status === 400) return hasRateLimitCode(input) || (!input.hasFields && saysRateLimited(input));
  if (status === 403) {
    const silent = input.message === "" && rateLimit?.remaining === 0;
    return silent || rateLimit?.retryAfterSeconds !== undefined || saysRateLimited(input);
  }
  // Binance bans an address with 418 and Retry-After.
  if (status === 418) return rateLimit?.retryAfterSeconds !== undefined || saysRateLimited(input);
  return status >= 500 && hasRateLimitCode(input);
}

function categoryOfBadRequest(input: CategoryInput): ErrorCategory {
  if (saysValidation(input)) return "validation";
  if (input.hasFields) return "validation";
  return saysUnauthorized(input) ? "unauthorized" : "bad_request";
}
