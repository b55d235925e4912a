/** A wait as an API states it, in a header or in a member of a body: seconds, milliseconds, a duration, a date, an epoch. */

import { isJsonObject, type JsonValue } from "../../base/exact-number.js";

/** The longest wait: a leap year. A longer one counts as the longest, for its API wants no request now. */
export const maxWaitSeconds: number = 366 * 24 * 60 * 60;

const maxCharacters = 120;

/** The words in every name of a wait. */
export const waitWords = "retry[-_]?(?:after|in)";
/** `Retry-After`, `X-Retry-After-Ms`, `x-ms-retry-after-ms`, `X-RateLimit-Retry-After`; `retry_after` and `retryAfterSeconds` of a body. */
export const waitName: RegExp = new RegExp(
  `(?:^|[-_.])${waitWords}(?:[-_]?(?:in[-_]?)?(?:ms|milli(?:second)?s?|s|secs?|seconds))?$`,
  "i",
);
const milliseconds = /(?:[-_]|[a-z](?=M)|after|in)(?:ms|millis|milliseconds)$/i;

/** Whether the name of a header or member says that its number counts milliseconds: `retry-after-ms`, `retryAfterMs`. */
export function isInMilliseconds(name: string): boolean {
  return milliseconds.test(name.slice(-maxCharacters));
}

/**
 * Reads a wait.
 *
 * @param name - Of the header or member: it decides the unit of a bare number.
 * @returns whole seconds, rounded up so that a retry is never too early; 0 for a time that is over, undefined for what states no wait.
 */
export function readStatedWait(
  name: string,
  value: string | number,
  nowMs: number,
): number | undefined {
  const text = String(value).slice(0, maxCharacters).trim();
  const unitMs = isInMilliseconds(name) ? 1 : 1_000;
  const waitMs = /^\d{1,20}(?:\.\d{1,20})?$/.test(text)
    ? toWaitMs(Number(text), nowMs, unitMs)
    : (readDurationMs(text) ?? readDateMs(text, nowMs));
  if (waitMs === undefined) return undefined;
  // To whole milliseconds first: 1470173023.123 * 1000 is not whole, and must not cost a second.
  const seconds = Math.max(0, Math.ceil(Math.round(waitMs) / 1_000));
  return Math.min(seconds, maxWaitSeconds);
}

/** Epochs are known by their magnitude: those of today are 1.8e9 s and 1.8e12 ms, the first one is 2001-09-09. */
function toWaitMs(value: number, nowMs: number, unitMs: number): number {
  if (value * unitMs <= maxWaitSeconds * 1_000) return value * unitMs;
  const epochMs = [value * 1_000, value].find((each) => each >= 1e12 && each < 1e14);
  return epochMs === undefined ? value * unitMs : epochMs - nowMs;
}

const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Go's and protobuf's durations: `6m0s`, `1h2m3.5s`, `250ms`. */
const duration = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h|d))+$/;
const durationPart = /(\d{1,9}(?:\.\d{1,9})?)(ns|us|µs|ms|s|m|h|d)/g;
/** ISO 8601, section 5.5.2: `PT1M12S`. */
const isoDuration =
  /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/;

function readDurationMs(text: string): number | undefined {
  if (duration.test(text)) {
    const parts = [...text.matchAll(durationPart)];
    return parts.reduce(
      (sum, [, count, unit = ""]) => sum + Number(count) * (unitsMs[unit] ?? 0),
      0,
    );
  }
  const iso = isoDuration.exec(text);
  if (iso === null || text.length < 3) return undefined;
  const [days, hours, minutes, seconds] = iso.slice(1).map((count) => Number(count ?? 0));
  return 1_000 * ((((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0));
}

/**
 * Dates of HTTP in their three forms (RFC 9110, section 5.6.7), with a numeric zone (RFC 5322), as JavaScript writes them, and RFC 3339. A date
 * without a zone is an instant only in the form of asctime, which means UTC.
 */
const dates: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} [\d:]{8} (?:GMT|UTC|[+-]\d{4})$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d [\d:]{8} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} [\d:]{8} GMT[+-]\d{4}(?: \([^()]{0,60}\))?$/,
  /^\d{4}-\d\d-\d\d[T ][\d:.]{5,18} ?(?:Z|UTC|[+-]\d\d:?\d\d)$/,
];
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/;

function readDateMs(text: string, nowMs: number): number | undefined {
  const isDate = dates.some((form) => form.test(text));
  const written = asctime.test(text) ? `${text} GMT` : text;
  const instantMs = isDate || written !== text ? Date.parse(written) : Number.NaN;
  return Number.isNaN(instantMs) ? undefined : instantMs - nowMs;
}

/** Members on the way to a wait are not looked for any deeper, and no more of them. */
const maxDepth = 5;
const maxMembers = 200;

/**
 * The wait that the body of a 429 or 503 states: `retry_after` of Discord, `parameters.retry_after` of Telegram, `retryDelay` of a
 * google.rpc.RetryInfo. Of several the longest counts.
 */
export function findBodyWait(document: JsonValue | undefined, nowMs: number): number | undefined {
  const found: number[] = [];
  let members = 0;
  const walk = (value: JsonValue, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > maxDepth) return;
    for (const [name, member] of Object.entries(value)) {
      members += 1;
      if (members > maxMembers) return;
      const seconds = readMember(value, name, member, nowMs);
      if (seconds !== undefined && seconds > 0) found.push(seconds);
      walk(member, depth + 1);
    }
  };
  if (document !== undefined) walk(document, 0);
  return found.length === 0 ? undefined : Math.max(...found);
}

function readMember(
  owner: JsonValue,
  name: string,
  value: JsonValue,
  nowMs: number,
): number | undefined {
  if (Array.isArray(owner)) return undefined;
  const isDelay = name === "retryDelay" && isRetryInfo(owner);
  if (!isDelay && !waitName.test(name)) return undefined;
  // protobuf's Duration as an object, as some clients write it.
  const given = isJsonObject(value) ? value["seconds"] : value;
  const isWritten = typeof given === "string" || typeof given === "number";
  return isWritten ? readStatedWait(name, given, nowMs) : undefined;
}

function isRetryInfo(owner: JsonValue): boolean {
  return isJsonObject(owner) && String(owner["@type"]).endsWith("RetryInfo");
}
