/**
 * Reads the quotas that the headers of a response name: `X-RateLimit-*`, `X-Rate-Limit-*` and `RateLimit-*` with a word for limit, remaining, used or reset, and
 * `RateLimit` with `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, all drafts).
 */

import { listLines, parseCount, parseCounts, parseListField, parsePair } from "./list-fields.js";
import { type DeltaUnit, parseWait } from "./parse-wait.js";
import { presentRateLimit, type QuotaWindow, type ResponseHeaders } from "./rate-limit.js";

type HeaderValue = string | readonly string[];
type CountField = "limit" | "remaining" | "used" | "reset";

/** Several values of a field are several windows, in the same order (Brave, Strava). */
interface Quota extends Partial<Record<CountField, readonly number[]>> {
  /** The text of its policy, or its name. */
  policy?: string;
}

/** `100;w=60` (drafts up to 07, without a name), or `"name";q=100;w=60`. */
interface QuotaPolicy {
  readonly name: string;
  readonly quota: number;
  readonly text: string;
}

const familyPattern = /^(?:x-)?rate-?limit(?:-(.{1,80}))?$/;
const fieldWords: readonly (readonly [CountField, RegExp])[] = [
  ["reset", /^reset$/],
  ["remaining", /^remaining$/],
  ["used", /^(?:used|usage)$/],
  ["limit", /^limit$/],
];
/** A value under a name with one of these is a window's length or the price of a call: no count of the quota. */
const otherWord = /^(?:window|interval|period|cost)$/;
const unitWord = /^(?:after|at|ms|milliseconds|seconds|time)$/;

/** More headers than this are not read: a hostile response is not worth the time. */
const maxHeaders = 512;

/** All quotas, in the order of the headers. */
export function readQuotaHeaders(headers: ResponseHeaders, nowMs: number): QuotaWindow[] {
  const quotas = new Map<string, Quota>();
  const policies: QuotaPolicy[] = [];
  const open = (name: string): Quota => {
    const quota = quotas.get(name) ?? {};
    quotas.set(name, quota);
    return quota;
  };
  for (const [header, value] of Object.entries(headers).slice(0, maxHeaders)) {
    const [whole, rest] = familyPattern.exec(header.slice(0, 128).toLowerCase()) ?? [];
    if (whole === undefined || rest?.includes("retry")) continue;
    if (rest === undefined) readStructured(value, nowMs, open);
    else if (rest === "policy") policies.push(...readPolicies(value));
    else readNamed(rest.split("-"), value, { nowMs, open, policies });
  }
  const windows = [...quotas].flatMap(([name, quota]) => readQuota(name, quota, policies));
  if (windows.length > 0) return windows;
  return policies.map(({ name, quota, text }) => ({ name, limit: quota, policy: text }));
}

interface Reading {
  readonly nowMs: number;
  readonly open: (name: string) => Quota;
  readonly policies: QuotaPolicy[];
}

/** A header for one field, such as `x-ratelimit-remaining-tokens`: the other words are the name of the quota. */
function readNamed(words: readonly string[], value: HeaderValue, { nowMs, open, policies }: Reading): void {
  const field = fieldWords.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0];
  if (field === undefined || words.some((word) => otherWord.test(word))) return;
  const isName = (word: string): boolean => word !== "" && word !== field && !/^(?:used|usage)$/.test(word);
  const quota = open(words.filter((word) => isName(word) && !unitWord.test(word)).join("-"));
  // A reset given as a delta (`reset-after`) needs no agreement of clocks.
  if (quota[field] !== undefined && !words.includes("after")) return;
  const unit = words.some((word) => /^(?:ms|milliseconds)$/.test(word)) ? "milliseconds" : "seconds";
  if (field === "reset") quota.reset = readResets(value, nowMs, unit);
  else if (field !== "limit") quota[field] = parseCounts(value);
  else {
    // `100, 100;w=60` is a limit and its policy (drafts up to 06); `100;w=21600` (Docker Hub) is both in one.
    const members = parseListField(value);
    const own = readPolicies(members.flatMap(({ parameters, text }) => (parameters.size > 0 ? [text] : [])));
    const plain = members.flatMap(({ parameters, text }) => (parameters.size > 0 ? [] : [text]));
    quota.limit = plain.length > 0 ? parseCounts(plain) : own.map((policy) => policy.quota);
    policies.push(...own);
  }
}

/** `RateLimit`: `"name";r=50;t=30` with several members (draft 08 and later), or `limit=100, remaining=50, reset=30` (07). */
function readStructured(value: HeaderValue, nowMs: number, open: (name: string) => Quota): void {
  for (const { item, parameters, text } of parseListField(value)) {
    const remaining = parameters.get("r");
    if (remaining !== undefined) {
      const reset = readResets(parameters.get("t") ?? "", nowMs);
      Object.assign(open(item), {
        policy: item === "" ? text : item,
        remaining: parseCounts(remaining),
        reset,
      });
    } else if (item.includes("="))
      for (const [key, given] of [...parameters, parsePair(item)]) {
        if (key === "reset") open("").reset = readResets(given, nowMs);
        else if (key === "limit" || key === "remaining") open("")[key] = parseCounts(given);
      }
  }
}

function readPolicies(value: HeaderValue): QuotaPolicy[] {
  return parseListField(value).flatMap(({ item, parameters, text }) => {
    const named = parseCount(parameters.get("q"));
    const quota = named ?? parseCount(item);
    return quota === undefined ? [] : [{ name: named === undefined ? "" : item, quota, text }];
  });
}

/** Where the numbers of values differ no pairing is sure, and what binds most is taken of each. */
function readQuota(name: string, quota: Quota, policies: readonly QuotaPolicy[]): QuotaWindow[] {
  const { remaining = [], used = [], reset = [] } = quota;
  const named = policies.find((policy) => policy.name === name && name !== "");
  const limits = quota.limit ?? (named === undefined ? [] : [named.quota]);
  const counts = remaining.length > 0 ? remaining : used;
  const rows = limits.length > 1 && limits.length === counts.length ? limits.length : 1;
  const pick = (values: readonly number[], row: number, choose: typeof Math.max): number | undefined =>
    values.length === rows || values.length === 0 ? values[row] : choose(...values);
  return Array.from({ length: rows }, (_, row) => {
    const fitting = policies.filter((policy) => policy.name === "" && policy.quota === limits[row]);
    const nameless = fitting.length === 1 ? fitting[0]?.text : undefined;
    return toWindow(name, {
      limit: limits[row],
      remaining: pick(remaining, row, Math.min),
      used: pick(used, row, Math.max),
      resetInSeconds: pick(reset, row, Math.max),
      policy: named?.text ?? (name === "" ? nameless : quota.policy),
    });
  }).flat();
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
