/**
 * Reads every quota that the headers of a response name: by the words in their names, whatever the vendor, and `RateLimit` with
 * `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, all drafts).
 */

import {
  type ListMember,
  listLines,
  parseCount,
  parseCounts,
  parseListField,
  parsePair,
} from "./list-fields.js";
import { type DeltaUnit, parseWait } from "./parse-wait.js";
import { presentRateLimit, type QuotaWindow, type ResponseHeaders } from "./rate-limit.js";

/** `whole`: the name has no word of these; the value may be a whole structured field, or the limit. */
type QuotaField = "policy" | "reset" | "remaining" | "used" | "limit" | "whole";
type HeaderValue = string | readonly string[];

/** What the headers of one quota say; several values of each are several windows, in the same order (Brave, Strava). */
interface Quota {
  remaining?: number[];
  used?: number[];
  reset?: number[];
  limit?: HeaderValue;
  policy?: HeaderValue;
  whole?: HeaderValue;
}

/** All names of one family, such as `x-ratelimit`, belong together. */
interface Family {
  readonly quotas: Map<string, Quota>;
  readonly policies: QuotaPolicy[];
}

interface QuotaPolicy {
  /** `""` in the form of drafts up to 07. */
  readonly name: string;
  /** How many requests it allows in its window. */
  readonly quota: number;
  /** The policy as the server wrote it. */
  readonly text: string;
}

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

/** The text after the family's name has the field and the quota. */
const familyPattern = /^(.{0,60}?rate[-_]?limit)s?(?:[-_](.{1,80}))?$/;
/** Headers without "rate limit" in their names (Aircall, Toggl): used only where both the remaining calls and the reset are there. */
const plainPattern = /^(.{1,60}?)[-_]((?:limit|remaining|used|resets?)(?:[-_]?(?:at|in|after|time))?)$/;

/** More headers than this are not read: a hostile response is not worth the time. */
const maxHeaders = 512;

/** All quotas, in the order of the headers. */
export function readQuotaHeaders(headers: ResponseHeaders, nowMs: number): QuotaWindow[] {
  const families = new Map<string, Family>();
  const pairs: QuotaWindow[] = [];
  for (const [header, value] of Object.entries(headers).slice(0, maxHeaders)) {
    const name = header.toLowerCase();
    if (name.length > 128 || /retry-?after/.test(name)) continue;
    if (name.includes("limit")) pairs.push(...readUsedOfLimit(value));
    const [, own, rest = ""] = familyPattern.exec(name) ?? plainPattern.exec(name) ?? [];
    if (own === undefined) continue;
    const family = families.get(own) ?? { quotas: new Map(), policies: [] };
    families.set(own, family);
    addHeader(family, rest, value, nowMs);
  }
  const believed = [...families].filter(
    ([name, { quotas }]) =>
      familyPattern.test(name) || [...quotas.values()].some(({ remaining, reset }) => remaining && reset),
  );
  return [...believed.flatMap(([, family]) => readFamily(family)), ...pairs];
}

/** Assigns a header to its quota and field; a structured field by its parameters. */
function addHeader(family: Family, rest: string, value: HeaderValue, nowMs: number): void {
  const words = rest.split(/[-_]/).filter((word) => word !== "");
  if (words.some((word) => otherWord.test(word))) return;
  const field = findField(words);
  if (field === "policy") family.policies.push(...readPolicies(parseListField(value)));
  const isNoise = (word: string): boolean =>
    findField([word]) !== "whole" || (field === "reset" && resetWord.test(word));
  const name = words.filter((word) => !isNoise(word)).join("-");
  const quota = openQuota(family, name);
  const unit = words.some((word) => /^(?:ms|millis|milliseconds)$/.test(word)) ? "milliseconds" : "seconds";
  // A reset given as a delta (`reset-after`) needs no agreement of clocks.
  if (quota[field] === undefined || words.includes("after")) setField(quota, field, value, nowMs, unit);
  if (field !== "whole") return;
  for (const { item, parameters, text } of parseListField(value)) {
    // Draft 08 and later: `"name";r=50;t=30`, several members.
    const [r, t = ""] = [parameters.get("r"), parameters.get("t")];
    if (r !== undefined) {
      const structured = { whole: text, remaining: parseCounts(r), reset: readResets(t, nowMs) };
      Object.assign(openQuota(family, item || name), structured);
    }
    // Draft 07: `limit=100, remaining=50, reset=30`, or the same pairs separated by `;`.
    else if (item.includes("="))
      for (const [key, text] of [...parameters, parsePair(item)]) {
        const field = findField([key]);
        if (field !== "whole") setField(quota, field, text, nowMs);
      }
  }
}

function findField(words: readonly string[]): QuotaField {
  return fieldWords.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0] ?? "whole";
}

function openQuota({ quotas }: Family, name: string): Quota {
  const quota = quotas.get(name) ?? {};
  quotas.set(name, quota);
  return quota;
}

function setField(
  quota: Quota,
  field: QuotaField,
  value: HeaderValue,
  nowMs: number,
  unit?: DeltaUnit,
): void {
  if (field === "reset") quota.reset = readResets(value, nowMs, unit);
  else if (field === "remaining" || field === "used") quota[field] = parseCounts(value);
  else quota[field] = value;
}

function readFamily({ quotas, policies }: Family): QuotaWindow[] {
  const windows = [...quotas].flatMap(([name, quota]) => readQuota(name, quota, policies));
  if (windows.length === 0)
    return policies.map(({ name, quota, text }) => ({ name, limit: quota, policy: text }));
  // Contentful and BigCommerce send one reset without a name for several quotas.
  const isBare = ({ name, limit, remaining }: QuotaWindow): boolean =>
    name === "" && limit === undefined && remaining === undefined;
  const resetInSeconds = windows.length > 1 ? windows.find(isBare)?.resetInSeconds : undefined;
  if (resetInSeconds === undefined) return windows;
  return windows.filter((window) => !isBare(window)).map((window) => ({ resetInSeconds, ...window }));
}

/** Policies, `100;w=60` (drafts up to 07) or `"name";q=100;w=60` (later); other members are omitted. */
function readPolicies(members: readonly ListMember[]): QuotaPolicy[] {
  return members.flatMap(({ item, parameters, text }) => {
    const named = parseCount(parameters.get("q"));
    const quota = named ?? parseCount(item);
    return quota === undefined ? [] : [{ name: named === undefined ? "" : item, quota, text }];
  });
}

/** A quota over several headers; where their numbers of values differ no pairing is sure, and what binds most is taken of each. */
function readQuota(name: string, quota: Quota, policies: readonly QuotaPolicy[]): QuotaWindow[] {
  const { remaining, used, reset = [], whole } = quota;
  // `x-hubspot-ratelimit-daily` and `x-discogs-ratelimit` are limits beside what remains; alone they could be anything.
  const members = parseListField(quota.limit ?? (remaining || used ? whole : undefined) ?? []);
  // `100, 100;w=60` is a limit and its policy (drafts up to 06); `100;w=21600` (Docker Hub) is both in one.
  const own = readPolicies(members.filter(({ parameters }) => parameters.size > 0));
  const plain = parseCounts(members.flatMap(({ parameters, text }) => (parameters.size > 0 ? [] : [text])));
  const named = policies.find((policy) => policy.name === name && name !== "");
  const limits = plain.length > 0 ? plain : [named, ...own].flatMap((policy) => policy?.quota ?? []);
  const counts = remaining?.length ? remaining : (used ?? []);
  const rows = limits.length > 1 && limits.length === counts.length ? limits.length : 1;
  const pick = (values: readonly number[], row: number, choose: typeof Math.max): number | undefined =>
    values.length === rows || values.length === 0 ? values[row] : choose(...values);
  const shown = policies.length > 0 ? policies : own;
  return Array.from({ length: rows }, (_, row) => {
    const nameless = shown.length === rows ? shown[row]?.text : describePolicies(shown, limits[row]);
    return toWindow(name, {
      limit: limits[row],
      remaining: pick(remaining ?? [], row, Math.min),
      used: pick(used ?? [], row, Math.max),
      resetInSeconds: pick(reset, row, Math.max),
      policy: named?.text ?? (name === "" ? nameless : whole === undefined ? undefined : name),
    });
  }).flat();
}

/** The text to show beside a limit: that of the one policy with this quota, else of all. */
function describePolicies(policies: readonly QuotaPolicy[], limit: number | undefined): string | undefined {
  const matching = policies.filter(({ quota }) => quota === limit);
  const shown = matching.length === 1 ? matching : policies;
  return shown.length === 0 ? undefined : shown.map(({ text }) => text).join(", ");
}

type Figures = { readonly [Key in "limit" | "remaining" | "used" | "resetInSeconds"]?: number | undefined };

/** Of limit, remaining and used, any two give the third: that is arithmetic, not a guess. An empty list when no figure is known. */
function toWindow(
  name: string,
  { used, resetInSeconds, policy, ...figures }: Figures & { readonly policy?: string | undefined },
): QuotaWindow[] {
  let { limit, remaining } = figures;
  if (used !== undefined && remaining !== undefined) limit ??= remaining + used;
  if (used !== undefined && limit !== undefined) remaining ??= Math.max(0, limit - used);
  const isEmpty = limit === undefined && remaining === undefined && resetInSeconds === undefined;
  return isEmpty ? [] : [{ name, ...presentRateLimit({ limit, remaining, resetInSeconds, policy }) }];
}

/** Every wait in a header that may come several times; a line is tried whole first, for dates have commas in them. */
export function readResets(value: HeaderValue, nowMs: number, unit?: DeltaUnit): number[] {
  return listLines(value).flatMap((line) => {
    const whole = parseWait(line, nowMs, unit);
    if (whole !== undefined) return [whole];
    return parseListField(line).flatMap(({ item }) => parseWait(item, nowMs, unit) ?? []);
  });
}

const usedOfLimit = /^(?:([\w-]{1,60})=)?(\d{1,15})\/(\d{1,15})(?:\(.*)?$/;

/** `39/40`, `api-usage=18/5000`: used and limit in one (Shopify, Recharge, Salesforce). */
function readUsedOfLimit(value: HeaderValue): QuotaWindow[] {
  return parseListField(value).flatMap(({ item }) => {
    const [, name = "", used, limit] = usedOfLimit.exec(item) ?? [];
    return used === undefined ? [] : toWindow(name, { limit: Number(limit), used: Number(used) });
  });
}
