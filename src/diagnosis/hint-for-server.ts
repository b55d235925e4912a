/** Hints for what is not the call's fault: spent quotas, server errors, time-outs, redirects, and pages in place of answers. */

import { writeDuration } from "../text.js";
import { cleanText } from "./clean-text.js";
import { type HintInput, writeNote } from "./hint-input.js";
import { readHeader } from "./read-header.js";

/** When to come back, or that waiting won't help. */
export function hintForRateLimit(input: HintInput): string {
  const { retryAfterSeconds, rateLimit, retryable } = input;
  if (!retryable) {
    return "The account's quota or credit is used up; waiting a little does not bring it back. Tell the user to check plan and billing.";
  }
  const seconds = retryAfterSeconds ?? rateLimit?.resetInSeconds;
  const quota = rateLimit?.limit === undefined ? "" : ` (the limit is ${rateLimit.limit})`;
  if (seconds === undefined || seconds === 0) {
    return `Too many calls${quota}. The API doesn't say when to come back: wait a minute or longer, then make fewer and larger calls.`;
  }
  return `Too many calls${quota}. Do not retry before ${writeDuration(seconds)} ${Math.ceil(seconds) === 1 ? "has" : "have"} passed; until then every call to this API is likely to fail. Then make fewer and larger calls.`;
}

/** Whose fault it is, when to try again, and for a write that it may have been done. */
export function hintForServerError(input: HintInput): string {
  const { status, retryAfterSeconds, retryable } = input;
  const fault =
    status < 500 && status !== 408
      ? "The API reports a failure of its own, under a status that says success."
      : status === 408 || status === 504 || status === 524 || status === 598
        ? "The server, or a gateway in front of it, gave up waiting."
        : "The failure is on the API's side; the call itself may be right.";
  return `${fault} ${writeNote(input)}${whenAgain(retryable, retryAfterSeconds)}`;
}

function whenAgain(retryable: boolean, seconds: number | undefined): string {
  if (!retryable) return "If a second look at the call finds nothing wrong, tell the user.";
  if (seconds !== undefined) return `Try again after ${writeDuration(seconds)}.`;
  return "Try once more in a moment; if it goes on, tell the user that the API has a problem.";
}

/** For 3xx; and for 511 (RFC 6585), by which a network says that it wants a login of its own. */
export function hintForRedirect(input: HintInput): string {
  if (input.status === 511) {
    return "The network between here and the API wants a login of its own (a captive portal): tell the user.";
  }
  const location = readHeader(input.headers, "location");
  const target = location === undefined ? "" : ` to ${cleanText(location.split("?")[0] ?? "", 200)}`;
  return `The API redirects${target}, which was not followed. ${writeNote(input)}Use the path it points to if that is under ${input.source.api.baseUrl}; otherwise the user should check the base URL.`;
}
