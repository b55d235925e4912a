/** Finds in an error body how long the server asks to wait, as a field (`retry_after`) or in words ("try again in 6m0s"). */

import { type DeltaUnit, maxWaitSeconds, parseWait, readDuration } from "./parse-wait.js";

export interface ErrorBody {
  readonly status: number;
  /** The parsed body, else its text. */
  readonly body?: unknown;
  readonly nowMs: number;
}

/** Statuses that refuse for the rate; under any other a wait in a body may be about anything, such as a title that was quoted. */
const refusals: ReadonlySet<number> = new Set([403, 420, 429, 503]);

/**
 * Finds the wait an error body asks for: a field of it first, then the words in its strings. Read only under 403, 420, 429 and
 * 503, and its fields under a status below 400 when it says itself that the call failed (`ok: false`).
 *
 * @returns whole seconds, rounded up; undefined when it asks for none.
 */
export function readBodyWait({ status, body, nowMs }: ErrorBody): number | undefined {
  const isRefusal = refusals.has(status);
  if (!isRefusal && status >= 400) return undefined;
  if (!isRefusal && !saysFailed(body)) return undefined;
  const inField = walk(body, (key, value) => readWaitField(key, value, nowMs));
  if (inField !== undefined || !isRefusal) return inField;
  return walk(body, (_, value) => (typeof value === "string" ? findWaitInWords(value, nowMs) : undefined));
}

function saysFailed(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return ("ok" in body && body.ok === false) || ("success" in body && body.success === false);
}

/** Without case, `_` and `-`: Discord and Telegram `retry_after`, Google `retryDelay`, Stack Exchange and others `backoff`. */
const waitField =
  /^(?:(?:retry(?:after|in|delay)|wait|waittime|resetsin)(?:in)?(ms|millis|milliseconds|s|secs?|seconds?)?|backoff)$/;

function readWaitField(key: string, value: unknown, nowMs: number): number | undefined {
  const [name, unitWord = ""] = waitField.exec(key.slice(0, 60).toLowerCase().replace(/[_-]/g, "")) ?? [];
  // `wait` alone may be a flag or a word about anything.
  if (name === undefined || name === "wait") return undefined;
  const unit: DeltaUnit = unitWord.startsWith("m") ? "milliseconds" : "seconds";
  if (typeof value === "string" || typeof value === "number") return parseWait(String(value), nowMs, unit);
  // A number that a double would change comes as an object that holds its digits.
  const isExact =
    typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
  return isExact ? parseWait(String(value.text), nowMs, unit) : undefined;
}

/** How many values are visited at most, and how many members of one object or array. */
const maxValues = 2_000;
const maxMembers = 100;

/** Calls `visit` with each key and value, breadth first, until it finds something. Depth costs nothing: there is no recursion. */
function walk<Found>(
  body: unknown,
  visit: (key: string, value: unknown) => Found | undefined,
): Found | undefined {
  const queue: (readonly [key: string, value: unknown])[] = [["", body]];
  for (let index = 0; index < queue.length && index < maxValues; index += 1) {
    const [key, value] = queue[index] ?? ["", undefined];
    const found = visit(key, value);
    if (found !== undefined) return found;
    if (typeof value !== "object" || value === null) continue;
    // An element goes by its array's key: `errors: ["try again in 5 s"]`.
    if (Array.isArray(value)) for (const element of value.slice(0, maxMembers)) queue.push([key, element]);
    else queue.push(...Object.entries(value).slice(0, maxMembers));
  }
  return undefined;
}

/** Longer messages are read up to here. */
const maxTextLength = 8_192;

/** A word that speaks of waiting, then a few words without a digit or the end of a sentence, then a digit or a weekday. */
const anchor =
  /\b(?:again|retry|retrying|retried|wait|waiting|available|resets?|back\s?off|come back)\b[a-z ,:~_('"-]{0,40}?(?=\d|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )/g;

/** What a date may be written with; it ends at a quote, a bracket or the end of the sentence. */
const dateText = /[a-z0-9 ,:+-]{1,40}(?:\.\d{1,9})?(?:z\b|gmt\b|utc\b|[+-]\d{2}:?\d{2}\b)?/y;

/** The first wait in whole seconds that a message asks for. A number without a unit is none: it may count anything. */
function findWaitInWords(text: string, nowMs: number): number | undefined {
  const lower = text.slice(0, maxTextLength).toLowerCase();
  for (const match of lower.matchAll(anchor)) {
    const start = match.index + match[0].length;
    const duration = readDuration(lower, start);
    const seconds =
      duration === undefined ? readDate(lower, start, nowMs) : Math.ceil(duration.durationMs / 1000);
    if (seconds !== undefined && seconds <= maxWaitSeconds) return seconds;
  }
  return undefined;
}

function readDate(text: string, start: number, nowMs: number): number | undefined {
  dateText.lastIndex = start;
  const words = dateText.exec(text)?.[0];
  return words === undefined || !/\d:\d/.test(words) ? undefined : parseWait(words, nowMs);
}
