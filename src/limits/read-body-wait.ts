/** Finds in an error body how long the server asks to wait, as a field (`retry_after`) or in words. */

import { findWaitInText } from "./find-wait-in-text.js";
import { parseBodyText } from "./parse-body-text.js";
import { type DeltaUnit, parseReset } from "./parse-reset.js";
import { toNumberOrSelf, walkBody } from "./walk-body.js";

export interface ErrorBody {
  readonly status: number;
  /** The parsed body, when there is one. */
  readonly body?: unknown;
  readonly bodyText?: string;
  readonly nowMs: number;
}

/** Fields in the wild, without case, `_` and `-`: Discord, Telegram, Google (`retryDelay`), Stack Exchange (`backoff`). */
const waitFields: ReadonlyMap<string, DeltaUnit> = new Map(
  [
    ..."retryafter retryafterseconds retryaftersecs retryaftersec retryafterinseconds retryin retryinseconds".split(
      " ",
    ),
    ..."retrydelay retrydelayseconds retryafters waitseconds waittimeseconds resetsinseconds backoff".split(
      " ",
    ),
  ].map((field) => [field, "seconds"] as const),
);
const waitFieldsMs: ReadonlySet<string> = new Set(
  "retryafterms retryaftermillis retryaftermilliseconds retrydelayms retryinms waitms".split(" "),
);

/** Statuses under which words about waiting are about the rate; elsewhere they may be about anything. */
const worded: ReadonlySet<number> = new Set([400, 403, 420, 429, 503]);

/**
 * Finds the wait an error body asks for: a field of it first, then the words of its texts. A body under a
 * status below 400 is read only when it says itself that the call failed (`ok: false`).
 *
 * @returns whole seconds, rounded up; undefined when it asks for none.
 */
export function readBodyWait({ status, body, bodyText, nowMs }: ErrorBody): number | undefined {
  const content = body ?? parseBodyText(bodyText);
  if (status < 400 && !saysFailed(content)) return undefined;
  const inField = walkBody(content, (key, value) => readWaitField(key, value, nowMs));
  if (inField !== undefined || !worded.has(status)) return inField;
  return walkBody(content, (_, value) =>
    typeof value === "string" ? findWaitInText(value, nowMs) : undefined,
  );
}

function readWaitField(key: string, value: unknown, nowMs: number): number | undefined {
  const field = key.toLowerCase().replace(/[_-]/g, "");
  const unit = waitFieldsMs.has(field) ? "milliseconds" : waitFields.get(field);
  const given = toNumberOrSelf(value);
  if (unit === undefined || (typeof given !== "string" && typeof given !== "number")) return undefined;
  return parseReset(String(given), nowMs, unit);
}

function saysFailed(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return ("ok" in body && body.ok === false) || ("success" in body && body.success === false);
}
