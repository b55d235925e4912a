/** Knows from a header's name which part of which quota its value is. What the value means is decided by the value. */

import type { DeltaUnit } from "./parse-reset.js";

export type QuotaField = "limit" | "remaining" | "used" | "reset" | "resetAfter" | "policy" | "whole";

export interface QuotaHeader {
  /** Everything up to the words "rate limit", such as `x-ratelimit`: headers of one family speak of each other. */
  readonly family: string;
  /** Which of the family's quotas, such as `requests` or `tokens`; `""` when it has but one. */
  readonly name: string;
  /** `whole`: the name has no field word; the value may be a whole structured field, or the limit. */
  readonly field: QuotaField;
  readonly unit: DeltaUnit;
}

const marker = /^(.{0,60}?rate[-_]?limit)(?:s(?=[-_]|$))?(.{0,80})$/;

/** Spellings of well-known APIs that do not say "rate limit", as the ones that do. Each is from the provider's documentation. */
const aliases: readonly (readonly [RegExp, string])[] = [
  [/^x-(aircallapi|cloudtalkapi)-(limit|remaining|reset|resettime)$/, "$1-ratelimit-$2"],
  [/^x-toggl-quota-(remaining|resets-in)$/, "toggl-ratelimit-$1"],
  [/^x-(app|user)-limit-24hour-(limit|remaining|reset)$/, "x-ratelimit-$1-24hour-$2"],
  [/^x-complexity-(limit|remaining|reset)$/, "x-ratelimit-complexity-$1"],
  [/^x-(day|min|appmin)limit-remaining$/, "xero-ratelimit-$1-remaining"],
  [/^x-limit-per-(second|day)$/, "etsy-ratelimit-$1-limit"],
  [/^x-remaining-(?:this-)?(second|day)$/, "etsy-ratelimit-$1-remaining"],
  [/^x-remaining-today$/, "etsy-ratelimit-day-remaining"],
  [/^x-daily-requests-left$/, "x-ratelimit-daily-remaining"],
  [/^x-bc-apilimit-remaining$/, "bigcommerce-ratelimit-remaining"],
  [/^x-api-quota-(left|used)$/, "x-api-ratelimit-$1"],
  [/^x-requests-(remaining|used)$/, "x-requests-ratelimit-$1"],
  [/^x-requests-available-minute$/, "x-requests-ratelimit-remaining"],
  [/^x-requestcounter-reset$/, "x-requests-ratelimit-reset"],
];

const fieldWords: ReadonlyMap<string, QuotaField> = new Map([
  ...["reset", "resets", "resettime", "resetat", "resetin"].map((word) => [word, "reset"] as const),
  ...["remaining", "left", "available"].map((word) => [word, "remaining"] as const),
  ...["used", "usage", "observed", "consumed"].map((word) => [word, "used"] as const),
  ...["limit", "max", "maximum", "quota", "total", "allowed", "capacity"].map(
    (word) => [word, "limit"] as const,
  ),
  ["policy", "policy"],
]);

/** When a name holds several field words, the first of these is meant: `requests-quota-remaining` is what remains. */
const precedence: readonly QuotaField[] = ["policy", "reset", "remaining", "used", "limit"];

/** Headers beside a quota that end in one of these: their value is a name, a switch, a window's length or a refill: not a count of it. */
const otherWords: ReadonlySet<string> = new Set(
  "category type resource bucket scope global reason problem nearlimit class cost window interval period fillrate backend name".split(
    " ",
  ),
);

const millisecondWords: ReadonlySet<string> = new Set(["ms", "millis", "milliseconds", "msec"]);
const unitWords: ReadonlySet<string> = new Set([...millisecondWords, "seconds", "secs", "sec"]);
const resetNoise: ReadonlySet<string> = new Set([
  ...unitWords,
  ..."at in time timestamp utc epoch unix date after".split(" "),
]);
const gluedWord = /^(.{1,40})(limit|remaining|reset)$/;

/**
 * Reads the name of a header.
 *
 * @param header the name in lower case.
 * @returns undefined when the header is not about a quota. The headers that ask to wait (`Retry-After` and kin) are
 * read by `readWaitHeaders`.
 */
export function classifyHeader(header: string): QuotaHeader | undefined {
  // Most headers have nothing to do with quotas; each spelling below holds one of these words.
  if (!/limit|quota|remain|request|reset/.test(header)) return undefined;
  if (header.length > 128 || /retry-?after/.test(header)) return undefined;
  const match = marker.exec(canonicalName(header));
  if (match === null) return undefined;
  const words = splitWords(match[2] ?? "");
  if (otherWords.has(words.filter((word) => !unitWords.has(word)).at(-1) ?? "")) return undefined;
  const family = match[1] ?? "";
  if (words.length === 0) return { family, name: "", field: "whole", unit: "seconds" };
  return { family, ...readWords(words) };
}

function canonicalName(header: string): string {
  for (const [pattern, spelling] of aliases) {
    if (pattern.test(header)) return header.replace(pattern, spelling);
  }
  return header;
}

function splitWords(text: string): string[] {
  return text
    .split(/[-_]/)
    .filter((word) => word !== "")
    .flatMap((word) => {
      if (fieldWords.has(word) || otherWords.has(word)) return [word];
      const glued = gluedWord.exec(word);
      return glued === null ? [word] : [glued[1] ?? "", glued[2] ?? ""];
    });
}

function readWords(words: readonly string[]): Omit<QuotaHeader, "family"> {
  const fields = new Set(words.map((word) => fieldWords.get(word)));
  const field = precedence.find((candidate) => fields.has(candidate)) ?? "whole";
  const unit = words.some((word) => millisecondWords.has(word)) ? "milliseconds" : "seconds";
  const isNoise = (word: string): boolean =>
    fieldWords.has(word) || (field === "reset" && resetNoise.has(word));
  const name = words.filter((word) => !isNoise(word)).join("-");
  const isDelta = field === "reset" && words.includes("after");
  return { name, field: isDelta ? "resetAfter" : field, unit };
}
