/**
 * Reads every quota that the headers of a response speak of: by the words in their names, whatever the vendor, and `RateLimit` with
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, all drafts).
 */

import { listLines, parseCount, parseCounts, parseListField, parsePair } from "./list-fields.js";
import { type DeltaUnit, parseWait } from "./parse-wait.js";
import { presentRateLimit, type QuotaWindow, type ResponseHeaders } from "./rate-limit.js";

/** `whole`: the name has no word of these; the value may be a whole structured field, or the limit. */
type QuotaField = "policy" | "reset" | "remaining" | "used" | "limit" | "whole";

interface QuotaValue {
  readonly value: string | readonly string[];
  readonly unit?: DeltaUnit;
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
    const [, family, rest = ""] = familyPattern.exec(name) ?? kinPattern.exec(name) ?? [];
    if (family === undefined) continue;
    const quotas = families.get(family) ?? new Map<string, Quota>();
    families.set(family, quotas);
    addHeader(quotas, rest, value);
  }
  const believed = [...families].filter(
    ([family, quotas]) => familyPattern.test(family) || isComplete(quotas),
  );
  return [...believed.flatMap(([, quotas]) => readFamily(quotas, nowMs)), ...pairs];
}

function isComplete(quotas: ReadonlyMap<string, Quota>): boolean {
  return [...quotas.values()].some((quota) => quota.has("remaining") && quota.has("reset"));
}

/** Files a header under its quota and field; a whole structured field by what stands in it. */
function addHeader(quotas: Map<string, Quota>, rest: string, value: QuotaValue["value"]): void {
  const words = rest.split(/[-_]/).filter((word) => word !== "");
  if (words.some((word) => otherWord.test(word))) return;
  const field = findField(words);
  const isNoise = (word: string): boolean =>
    findField([word]) !== "whole" || (field === "reset" && resetWord.test(word));
  const name = words.filter((word) => !isNoise(word)).join("-");
  const unit = words.some((word) => /^(?:ms|millis|milliseconds)$/.test(word)) ? "milliseconds" : "seconds";
  const quota = openQuota(quotas, name);
  // A reset given as a delta (`reset-after`) needs no agreement of clocks.
  if (!quota.has(field) || (field === "reset" && words.includes("after"))) quota.set(field, { value, unit });
  if (field !== "whole") return;
  for (const { item, parameters, text } of parseListField(value)) {
    // Draft 08 and later: `"name";r=50;t=30`, several members.
    if (parameters.has("r")) {
      const member = openQuota(quotas, item || name).set("whole", { value: text });
      member.set("remaining", { value: parameters.get("r") ?? "" });
      member.set("reset", { value: parameters.get("t") ?? "" });
    } else if (item.includes("=")) {
      // Draft 07: `limit=100, remaining=50, reset=30`, or the same pairs separated by `;`.
      for (const [key, text] of [...parameters, parsePair(item)])
        if (findField([key]) !== "whole") quota.set(findField([key]), { value: text });
    }
  }
}

function findField(words: readonly string[]): QuotaField {
  return fieldWords.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0] ?? "whole";
}

function openQuota(quotas: Map<string, Quota>, name: string): Quota {
  const quota: Quota = quotas.get(name) ?? new Map();
  quotas.set(name, quota);
  return quota;
}

function readFamily(quotas: ReadonlyMap<string, Quota>, nowMs: number): QuotaWindow[] {
  const policies = [...quotas.values()].flatMap((quota) => readPolicies(quota.get("policy")?.value ?? []));
  const windows = [...quotas].flatMap(([name, quota]) => readQuota(name, quota, policies, nowMs));
  if (windows.length === 0)
    return policies.map(({ name = "", quota, text }) => ({ name, limit: quota, policy: text }));
  // Contentful and BigCommerce tell one reset without a name for several quotas.
  const isBare = ({ name, limit, remaining }: QuotaWindow): boolean =>
    name === "" && limit === undefined && remaining === undefined;
  const resetInSeconds = windows.length > 1 ? windows.find(isBare)?.resetInSeconds : undefined;
  if (resetInSeconds === undefined) return windows;
  return windows.filter((window) => !isBare(window)).map((window) => ({ resetInSeconds, ...window }));
}

interface QuotaPolicy {
  /** The policy's name; absent in the form of drafts up to 07. */
  readonly name?: string;
  /** How many requests it allows in its window. */
  readonly quota: number;
  /** The policy as the server wrote it. */
  readonly text: string;
}

/** Reads policies, `100;w=60` (drafts up to 07) or `"name";q=100;w=60` (later); members that are none are left out. */
function readPolicies(value: string | readonly string[]): QuotaPolicy[] {
  return parseListField(value).flatMap(({ item, parameters, text }) => {
    const named = parseCount(parameters.get("q"));
    if (named !== undefined) return [{ name: item, quota: named, text }];
    const quota = parseCount(item);
    return quota === undefined ? [] : [{ quota, text }];
  });
}

/**
 * A quota over several headers. Several values in each of them are several windows, in the same order (Brave, Strava);
 * where their numbers differ no pairing is sure, and the least that remains, the first limit and the latest reset are taken.
 */
function readQuota(
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
  const own = members
    .filter(({ parameters }) => parameters.size > 0)
    .flatMap(({ text }) => readPolicies(text));
  const plain = parseCounts(members.flatMap(({ parameters, text }) => (parameters.size > 0 ? [] : [text])));
  const sameName = policies.find((policy) => policy.name !== undefined && policy.name === name);
  const limits = plain.length > 0 ? plain : [sameName, ...own].flatMap((policy) => policy?.quota ?? []);
  const resets = readResets(quota.get("reset"), nowMs);
  const counts = remaining.length > 0 ? remaining : used;
  const rows = limits.length > 1 && limits.length === counts.length ? limits.length : 1;
  return Array.from({ length: rows }, (_, row) => {
    const shown = policies.length > 0 ? policies : own;
    const policy = shown.length === rows ? shown[row]?.text : describePolicies(shown, limits[row]);
    const isMember = quota.has("whole") && name !== "";
    return toWindow(name, {
      limit: limits[row],
      remaining: rows > 1 ? remaining[row] : sort(remaining)[0],
      used: rows > 1 ? used[row] : sort(used).at(-1),
      resetInSeconds: resets.length === rows ? resets[row] : sort(resets).at(-1),
      policy: sameName?.text ?? (name === "" ? policy : isMember ? name : undefined),
    });
  }).flat();
}

/** The text to show beside a limit: that of the one policy with this quota, else of all. */
function describePolicies(policies: readonly QuotaPolicy[], limit: number | undefined): string | undefined {
  const matching = policies.filter(({ quota }) => quota === limit);
  const shown = matching.length === 1 ? matching : policies;
  return shown.length === 0 ? undefined : shown.map(({ text }) => text).join(", ");
}

/** Of limit, remaining and used, any two give the third: that is arithmetic, not a guess. None when nothing is told. */
function toWindow(
  name: string,
  told: { readonly [Key in "limit" | "remaining" | "used" | "resetInSeconds"]?: number | undefined } & {
    readonly policy?: string | undefined;
  },
): QuotaWindow[] {
  const { used, resetInSeconds, policy } = told;
  let { limit, remaining } = told;
  if (used !== undefined && remaining !== undefined) limit ??= remaining + used;
  if (used !== undefined && limit !== undefined) remaining ??= Math.max(0, limit - used);
  const isEmpty = limit === undefined && remaining === undefined && resetInSeconds === undefined;
  return isEmpty ? [] : [{ name, ...presentRateLimit({ limit, remaining, resetInSeconds, policy }) }];
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
    return used === undefined ? [] : toWindow(name, { limit: Number(limit), used: Number(used) });
  });
}

function sort(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}
