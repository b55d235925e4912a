/** Times in headers, written relative to when the response arrived, so that a replay on another day gives the same answer. */

/** Headers that contain a point in time: when a quota resets, when to come back, until when a response is fresh. */
const timedHeader = /reset|retry-?after|^expires$/i;
/** A number that is a point in time and not a duration: seconds or milliseconds since 2001. */
const epochSeconds = /^\d{10}(?:\.\d+)?$/;
const epochMilliseconds = /^\d{13}$/;
const mark = /^\{now([+-]\d+) (s|ms|date)\}$/;

/** @returns `{now+37 s}` in place of a point in time; any other value unchanged. */
export function writeRelativeTimes(name: string, value: string, nowMs: number): string {
  if (!timedHeader.test(name)) return value;
  const write = (atMs: number, unit: string): string => {
    const seconds = Math.round((atMs - nowMs) / 1_000);
    return `{now${seconds < 0 ? "" : "+"}${seconds} ${unit}}`;
  };
  if (epochSeconds.test(value)) return write(Number(value) * 1_000, "s");
  if (epochMilliseconds.test(value)) return write(Number(value), "ms");
  const dateMs = /[A-Za-z]{3},? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? value : write(dateMs, "date");
}

/** The value as the API would send it now. */
export function readRelativeTimes(value: string, nowMs: number): string {
  const [, seconds, unit] = mark.exec(value) ?? [];
  if (seconds === undefined) return value;
  const atMs = nowMs + Number(seconds) * 1_000;
  if (unit === "date") return new Date(atMs).toUTCString();
  return String(unit === "ms" ? atMs : Math.floor(atMs / 1_000));
}
