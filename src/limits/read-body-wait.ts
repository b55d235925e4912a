/** Finds in an error body how long the server asks to wait, as a field (`retry_after`) or in words ("try again in 6m0s"). */

import { maxWaitSeconds, parseWait, readDuration } from "./parse-wait.js";

export interface ErrorBody {
  readonly status: number;
  /** The parsed body, else its text. */
  readonly body?: unknown;
  readonly nowMs: number;
}

/** Statuses under which words about a wait are about this one; under any other they may be about anything, such as a title that was quoted. */
const refusals: ReadonlySet<number> = new Set([420, 429, 503]);

/**
 * Finds the wait an error body asks for: a field of it first, then the words in its strings. Read only under 420, 429 and 503. Its
 * fields are also read under 403, where a wait makes the refusal a rate limit, and under a status below 400 when the body reports that
 * the call failed (`ok: false`).
 *
 * @returns whole seconds, rounded up; undefined when it asks for none.
 */
export function readBodyWait({ status, body, nowMs }: ErrorBody): number | undefined {
  const isRefusal = refusals.has(status);
  if (!isRefusal && status !== 403 && (status >= 400 || !reportsFailure(body))) return undefined;
  for (const [key, value] of listValues(body)) {
    const seconds = readWaitField(key, value, nowMs);
    if (seconds !== undefined) return seconds;
  }
  for (const [, value] of isRefusal ? listValues(body) : []) {
    const seconds = typeof value === "string" ? findWaitInWords(value, nowMs) : undefined;
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

function reportsFailure(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return ("ok" in body && body.ok === false) || ("success" in body && body.success === false);
}

/** Without case, `_` and `-`: Discord and Telegram `retry_after`, Google `retryDelay`, Stack Exchange and others `backoff`. `wait` alone may be a flag. */
const waitField =
  /^(?:(?:retry(?:after|in|delay)|waittime|resetsin)(?:in)?|wait(?=.)(?:in)?|backoff)(ms|millis|milliseconds|s|secs?|seconds?)?$/;

function readWaitField(key: string, value: unknown, nowMs: number): number | undefined {
  const [name, unit = ""] = waitField.exec(key.slice(0, 60).toLowerCase().replace(/[_-]/g, "")) ?? [];
  if (name === undefined) return undefined;
  // A number that a double would change comes as an object that holds its digits.
  const isExact = typeof value === "object" && value !== null && "text" in value;
  const written = isExact ? value.text : value;
  if (typeof written !== "string" && typeof written !== "number") return undefined;
  return parseWait(String(written), nowMs, unit.startsWith("m") ? "milliseconds" : "seconds");
}

/** How many values are visited at most, and how many members of one object or array. */
const maxValues = 2_000;
const maxMembers = 100;

/** Each key and value, breadth first. Depth costs nothing, because it does not recurse. */
function* listValues(body: unknown): Generator<readonly [key: string, value: unknown]> {
  const queue: (readonly [key: string, value: unknown])[] = [["", body]];
  for (const [key, value] of queue) {
    yield [key, value];
    if (typeof value !== "object" || value === null || queue.length > maxValues) continue;
    // An element goes by its array's key: `errors: ["try again in 5 s"]`.
    if (Array.isArray(value)) for (const element of value.slice(0, maxMembers)) queue.push([key, element]);
    else queue.push(...Object.entries(value).slice(0, maxMembers));
  }
}

/** Longer messages are read up to here. */
const maxTextLength = 8_192;

/** A word about waiting, then a few words without a digit or the end of a sentence, then a digit or a weekday. */
const anchor =
  /\b(?:again|retry|retrying|retried|wait|waiting|available|resets?|back\s?off|come back)\b[a-z ,:~_('"-]{0,40}?(?=\d|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )/g;

/** What a date may be written with; it ends at a quote, a bracket or the end of the sentence. */
const dateText = /^[a-z0-9 ,:+-]{1,40}(?:\.\d{1,9})?(?:z\b|gmt\b|utc\b|[+-]\d{2}:?\d{2}\b)?/;

/** The first wait in whole seconds that a message asks for. A number without a unit is ignored: it may count anything. */
function findWaitInWords(text: string, nowMs: number): number | undefined {
  const lower = text.slice(0, maxTextLength).toLowerCase();
  for (const match of lower.matchAll(anchor)) {
    const start = match.index + match[0].length;
    const { durationMs, end } = readDuration(lower, start);
    const [date = ""] = dateText.exec(lower.slice(start, start + 100)) ?? [];
    const instant = /\d:\d/.test(date) ? parseWait(date, nowMs) : undefined;
    const seconds = end > start ? Math.ceil(durationMs / 1000) : instant;
    if (seconds !== undefined && seconds <= maxWaitSeconds) return seconds;
  }
  return undefined;
}
