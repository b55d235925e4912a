/** Reads every quota that the headers of a response speak of: by the words in their names, whatever the vendor. */

import { type DeltaUnit, parseWait } from "./parse-wait.js";
import { presentRateLimit, type QuotaWindow, type ResponseHeaders } from "./rate-limit.js";
import {
  describePolicies,
  listLines,
  parseCounts,
  parseListField,
  type QuotaPolicy,
  readPolicies,
  readWholeField,
} from "./read-list-fields.js";

/** `whole`: the name has no word of these; the value may be a whole structured field, or the limit. */
type QuotaField = "policy" | "reset" | "remaining" | "used" | "limit" | "whole";

interface QuotaValue {
  readonly value: string | readonly string[];
  readonly unit: DeltaUnit;
}

/** The headers of one quota, by field. */
type Quota = Map<QuotaField, QuotaValue>;

/** When a name holds several field words, the first of these is meant: `requests-quota-remaining` is what remains. */
const fieldWords: readonly (readonly [QuotaField, RegExp])[] = [
  ["policy", /^policy$/],
  ["reset", /^resets?(?:time|at|in)?$/],
  ["remaining", /^(?:remaining|left|available)$/],
  ["used", /^(?:used|usage|observed|consumed)$/],
  ["limit", /^(?:limit|max|quota|total|allowed)$/],
];

/** What a reset may be given in or at; not part of the quota's name. */
const resetWord = /^(?:ms|millis|milliseconds|seconds|secs|at|in|after|time|timestamp|utc|epoch|date)$/;
/** A value under a name with one of these is a window's length or the price of a call: no count of the quota. */
const otherWord = /^(?:window|interval|period|cost)$/;

/** All names of one family, such as `x-ratelimit`, speak of each other; what follows tells field and quota apart. */
const familyPattern = /^(.{0,60}?rate[-_]?limit)s?(?:[-_](.{1,80}))?$/;
/** APIs that don't say "rate limit" (Aircall, Toggl): believed only where both what remains and the reset are told. */
const kinPattern = /^(.{1,60}?)[-_]((?:limit|remaining|used|resets?)(?:[-_]?(?:at|in|after|time))?)$/;

/** More headers than this are not read: a hostile response is not worth the time. */
const maxHeaders = 512;

/** All quotas, in the order of the headers. */
export function readQuotaHeaders(headers: ResponseHeaders, nowMs: number): QuotaWindow[] {
  const families = new Map<string, Map<string, Quota>>();
  const pairs: QuotaWindow[] = [];
  for (const [header, value] of Object.entries(headers).slice(0, maxHeaders)) {
    const name = header.toLowerCase();
    if (name.length > 128 || /retry-?after/.test(name)) continue;
    if (name.includes("limit")) pairs.push(...readUsedOfLimit(value));
    const [, family, rest] = familyPattern.exec(name) ?? kinPattern.exec(name) ?? [];
    if (family === undefined) continue;
    const part = classify(rest ?? "");
    if (part === undefined) continue;
    const quotas = families.get(family) ?? new Map<string, Quota>();
    const quota: Quota = quotas.get(part.name) ?? new Map();
    // A reset given as a delta (`reset-after`) needs no agreement of clocks.
    if (!quota.has(part.field) || part.isDelta) quota.set(part.field, { value, unit: part.unit });
    families.set(family, quotas.set(part.name, quota));
  }
  const believed = [...families].filter(
    ([family, quotas]) => familyPattern.test(family) || isComplete(quotas),
  );
  return [...believed.flatMap(([, quotas]) => readFamily(quotas, nowMs)), ...pairs];
}

function isComplete(quotas: ReadonlyMap<string, Quota>): boolean {
  return [...quotas.values()].some((quota) => quota.has("remaining") && quota.has("reset"));
}

function classify(
  rest: string,
):
  | { readonly name: string; readonly field: QuotaField; readonly unit: DeltaUnit; readonly isDelta: boolean }
  | undefined {
  const words = rest.split(/[-_]/).filter((word) => word !== "");
  if (words.some((word) => otherWord.test(word))) return undefined;
  const field = fieldWords.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0] ?? "whole";
  const isNoise = (word: string): boolean =>
    fieldWords.some(([, pattern]) => pattern.test(word)) || (field === "reset" && resetWord.test(word));
  return {
    name: words.filter((word) => !isNoise(word)).join("-"),
    field,
    unit: words.some((word) => /^(?:ms|millis|milliseconds)$/.test(word)) ? "milliseconds" : "seconds",
    isDelta: field === "reset" && words.includes("after"),
  };
}

function readFamily(quotas: ReadonlyMap<string, Quota>, nowMs: number): QuotaWindow[] {
  const policies = [...quotas.values()].flatMap((quota) => readPolicies(quota.get("policy")?.value ?? []));
  const windows = [...quotas].flatMap(([name, quota]) => [
    ...readWholeField(quota.get("whole")?.value ?? [], policies, nowMs).map((window) =>
      window.name === "" ? { ...window, name } : window,
    ),
    ...readCounted(name, quota, policies, nowMs),
  ]);
  if (windows.length === 0)
    return policies.map(({ name = "", quota, text }) => ({ name, limit: quota, policy: text }));
  // Contentful and BigCommerce tell one reset without a name for several quotas.
  const isBare = ({ name, limit, remaining }: QuotaWindow): boolean =>
    name === "" && limit === undefined && remaining === undefined;
  const resetInSeconds = windows.length > 1 ? windows.find(isBare)?.resetInSeconds : undefined;
  if (resetInSeconds === undefined) return windows;
  return windows.filter((window) => !isBare(window)).map((window) => ({ resetInSeconds, ...window }));
}

/**
 * A quota over several headers. Several values in each of them are several windows, in the same order (Brave, Strava);
 * where their numbers differ no pairing is sure, and the least that remains, the first limit and the latest reset are taken.
 */
function readCounted(
  name: string,
  quota: Quota,
  policies: readonly QuotaPolicy[],
  nowMs: number,
): QuotaWindow[] {
  const remaining = parseCounts(quota.get("remaining")?.value);
  const used = parseCounts(quota.get("used")?.value);
  // `x-hubspot-ratelimit-daily` and `x-discogs-ratelimit` are limits beside what remains; alone they could be anything.
  const isNamedByRest = quota.has("remaining") || quota.has("used");
  const limitValue = (quota.get("limit") ?? (isNamedByRest ? quota.get("whole") : undefined))?.value ?? [];
  // `100, 100;w=60` is a limit and its policy (drafts up to 06); `100;w=21600` (Docker Hub) is both in one.
  const members = parseListField(limitValue);
  const textsOf = (isPolicy: boolean): string[] =>
    members.flatMap(({ parameters, text }) => (parameters.size > 0 === isPolicy ? [text] : []));
  const own = readPolicies(textsOf(true));
  const plain = parseCounts(textsOf(false));
  const limits = plain.length > 0 ? plain : own.slice(0, 1).map((policy) => policy.quota);
  const counts = remaining.length > 0 ? remaining : used;
  const resets = readResets(quota.get("reset"), nowMs);
  const rows = limits.length > 1 && limits.length === counts.length ? limits.length : 1;
  return Array.from({ length: rows }, (_, row) => {
    const limit = limits[row];
    const paired = rows > 1 ? [remaining[row], used[row]] : [sort(remaining)[0], sort(used).at(-1)];
    const allPolicies = policies.length > 0 ? policies : own;
    const policy =
      allPolicies.length === rows ? allPolicies[row]?.text : describePolicies(allPolicies, limit);
    const resetInSeconds = resets.length === rows ? resets[row] : sort(resets).at(-1);
    return toWindow(
      name,
      { limit, remaining: paired[0], used: paired[1] },
      resetInSeconds,
      name === "" ? policy : undefined,
    );
  }).filter((window) => window !== undefined);
}

/** Of limit, remaining and used, any two give the third: that is arithmetic, not a guess. */
function toWindow(
  name: string,
  { used, ...told }: Readonly<Record<"limit" | "remaining" | "used", number | undefined>>,
  resetInSeconds?: number,
  policy?: string,
): QuotaWindow | undefined {
  const isUsedTold = used !== undefined;
  const limit =
    told.limit ?? (isUsedTold && told.remaining !== undefined ? told.remaining + used : undefined);
  const remaining =
    told.remaining ?? (isUsedTold && told.limit !== undefined ? Math.max(0, told.limit - used) : undefined);
  if (limit === undefined && remaining === undefined && resetInSeconds === undefined) return undefined;
  return { name, ...presentRateLimit({ limit, remaining, resetInSeconds, policy }) };
}

/** Every wait in a header that may come several times; a line is tried whole first, for dates have commas in them. */
export function readResets(source: QuotaValue | undefined, nowMs: number): number[] {
  return listLines(source?.value ?? []).flatMap((line) => {
    const whole = parseWait(line, nowMs, source?.unit);
    if (whole !== undefined) return [whole];
    return parseListField(line).flatMap(({ item }) => parseWait(item, nowMs, source?.unit) ?? []);
  });
}

const usedOfLimit = /^(?:([\w-]{1,60})=)?(\d{1,15})\/(\d{1,15})(?:\(.*)?$/;

/** `39/40`, `api-usage=18/5000`: used and limit in one (Shopify, Recharge, Salesforce). */
function readUsedOfLimit(value: string | readonly string[]): QuotaWindow[] {
  return parseListField(value).flatMap(({ item }) => {
    const [, name = "", used, limit] = usedOfLimit.exec(item) ?? [];
    if (used === undefined) return [];
    return toWindow(name, { limit: Number(limit), remaining: undefined, used: Number(used) }) ?? [];
  });
}

function sort(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
