/** Knows how an instant is written in headers and bodies: the three HTTP dates, RFC 3339, RFC 5322 and JavaScript's own. */

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

interface DateParts {
  readonly [part: string]: string | undefined;
}

const clock = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?`;
const zone = String.raw`(?<zone>z|ut|utc|gmt|(?:utc|gmt)?[+-]\d{2}:?\d{2})`;

/** Each form names its zone, but for asctime, which RFC 9110 section 5.6.7 defines to be in UTC. */
const forms: readonly RegExp[] = [
  // IMF-fixdate, RFC 5322: Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(
    String.raw`^(?:[a-z]{3},?\s)?(?<day>\d{1,2})\s(?<month>[a-z]{3})\s(?<year>\d{4})\s${clock}\s${zone}$`,
  ),
  // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(
    String.raw`^[a-z]{3,9},\s(?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}|\d{4})\s${clock}\s${zone}$`,
  ),
  // asctime: Sun Nov  6 08:49:37 1994
  new RegExp(String.raw`^[a-z]{3}\s(?<month>[a-z]{3})\s{1,2}(?<day>\d{1,2})\s${clock}\s(?<year>\d{4})$`),
  // Date.prototype.toString: Tue Feb 16 2021 09:02:42 GMT+0100 (Central European Standard Time)
  new RegExp(
    String.raw`^[a-z]{3}\s(?<month>[a-z]{3})\s(?<day>\d{1,2})\s(?<year>\d{4})\s${clock}\s${zone}(?:\s\([^()]{0,60}\))?$`,
  ),
  // RFC 3339 and its looser kin: 2026-03-26T16:00Z, 2026-03-26 16:00:00.123456 +0000
  new RegExp(String.raw`^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})[t\s]${clock}\s?${zone}$`),
];

/**
 * Reads a date with its time and zone.
 *
 * @param nowMs resolves the two-digit years of RFC 850.
 * @returns milliseconds since the epoch; undefined when it is no such date. A date without a zone is not one: which
 * zone it means could only be guessed.
 */
export function parseInstant(text: string, nowMs: number): number | undefined {
  const lower = text.trim().toLowerCase();
  if (lower.length > 120) return undefined;
  for (const form of forms) {
    const parts = form.exec(lower)?.groups;
    if (parts !== undefined) return toInstant(parts, nowMs);
  }
  return undefined;
}

function toInstant(parts: DateParts, nowMs: number): number | undefined {
  const year = fullYear(parts["year"] ?? "", nowMs);
  const month = toMonth(parts["month"] ?? "");
  const day = Number(parts["day"]);
  const [hour, minute, second] = [
    Number(parts["hour"]),
    Number(parts["minute"]),
    Number(parts["second"] ?? 0),
  ];
  // A 60th second is a leap second; RFC 9110 allows one.
  if (month < 0 || month > 11 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
    return undefined;
  const fractionMs = Math.floor(Number(`0.${parts["fraction"] ?? 0}`) * 1000);
  const instant = Date.UTC(year, month, day, hour, minute, second, fractionMs);
  if (new Date(instant).getUTCMonth() !== month && second < 60) return undefined;
  return instant - zoneOffsetMs(parts["zone"] ?? "z");
}

function toMonth(text: string): number {
  return /^\d/.test(text) ? Number(text) - 1 : months.indexOf(text);
}

/** RFC 9110: a two-digit year that seems more than 50 years ahead is the most recent past one. */
function fullYear(text: string, nowMs: number): number {
  if (text.length === 4) return Number(text);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + Number(text);
  return year > thisYear + 50 ? year - 100 : year;
}

function zoneOffsetMs(zoneText: string): number {
  const match = /([+-])(\d{2}):?(\d{2})$/.exec(zoneText);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === "-" ? -minutes : minutes) * 60_000;
}
