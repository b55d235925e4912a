/**
 * The quota and the wait that a response reports: `Retry-After`, `X-RateLimit-*`, `X-Rate-Limit-*` and `RateLimit-*` with a word for limit,
 * remaining or reset, and `RateLimit` with `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers); and the wait in the body of a 429.
 */

import type { JsonValue } from "../../base/exact-number.js";
import { dropUndefined } from "../../base/input.js";
import type { RateLimitHeaders } from "../../record/api-source.js";
import {
  findBodyWait,
  isInMilliseconds,
  maxWaitSeconds,
  readStatedWait,
  waitName,
  waitWords,
} from "./stated-wait.js";

/** Response headers: names in lower case; repeated headers as an array. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>;

/** The first value of a header; undefined when it is absent or blank. @param name - In lower case. */
export function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return (typeof value === "string" ? value : value?.[0])?.trim() || undefined;
}

export interface RateLimit {
  /** How many requests the window allows. */
  readonly limit?: number;
  /** How many are left in it. */
  readonly remaining?: number;
  /** Seconds until the window starts anew. */
  readonly resetInSeconds?: number;
  /** The server's name of the policy, such as `tokens`. */
  readonly policy?: string;
  /** Seconds the server asks to wait before the next request, 1 or more. */
  readonly retryAfterSeconds?: number;
}

/**
 * Whether the request was refused for its rate: 429 (RFC 6585) and the old 420 always; 403 (GitHub, Google) and 400 (Linear) when
 * nothing remains or the server asks to wait.
 */
export function isLimited(status: number, rateLimit: RateLimit | undefined): boolean {
  if (status === 429 || status === 420) return true;
  if ((status !== 403 && status !== 400) || rateLimit === undefined) return false;
  return rateLimit.remaining === 0 || (rateLimit.retryAfterSeconds ?? 0) > 0;
}

/** Whether a fifth or less of the quota is left. */
export function isNearlySpent({ limit = 0, remaining }: RateLimit = {}): boolean {
  return remaining !== undefined && remaining <= limit / 5;
}

/** The headers of a response, and the time when it came. */
export interface ResponseHead {
  /** 100 to 599. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The time the response arrived, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** The record's names of the headers. */
  readonly names?: RateLimitHeaders | undefined;
  /** The body, where it was read and is JSON. */
  readonly document?: JsonValue | undefined;
}

/**
 * Reads the rate limit of a response; undefined when it reports neither a quota nor a wait.
 *
 * Returns the tightest of several quotas, with its name as the `policy`. A value that can't be read is absent. Every number is
 * finite, whole and not negative; no time is longer than 366 days. `retryAfterSeconds` is what the server asks for; on a limit error
 * that asks for nothing it is the reset, unless requests are left (then the reset is not what refused the call). It is never 0.
 */
export function readRateLimit(head: ResponseHead): RateLimit | undefined {
  const { status, headers: all, nowMs, names, document } = head;
  const headers = names === undefined ? all : renameHeaders(all, names);
  const [quota = {}] = readQuotas(headers, nowMs).sort(compareTightness);
  const isRefused = isLimited(status, quota);
  const reset = isRefused && !quota.remaining ? quota.resetInSeconds : undefined;
  // The longest of repeated values counts; without one it is -Infinity.
  const asked = Math.max(...listAskedWaits(headers, nowMs));
  const isInBody = asked <= 0 && statesWaitInBody(status);
  const inBody = isInBody ? findBodyWait(document, nowMs) : undefined;
  const stated = inBody ?? asked;
  const wait = stated > 0 ? stated : (reset ?? stated);
  // A limit error whose only time is now: one second, because "before 0 seconds" means nothing.
  const least = isRefused && wait === 0 ? 1 : undefined;
  const retryAfterSeconds = wait > 0 ? wait : least;
  const rateLimit = dropUndefined({ ...quota, retryAfterSeconds });
  return Object.keys(rateLimit).length === 0 ? undefined : rateLimit;
}

/** Whether a response asks for a wait by a header or member for that: a reset only says when a window starts anew. */
export function asksToWait({
  status,
  headers: all,
  nowMs,
  names,
  document,
}: ResponseHead): boolean {
  const headers = names === undefined ? all : renameHeaders(all, names);
  if (listAskedWaits(headers, nowMs).length > 0) return true;
  return statesWaitInBody(status) && findBodyWait(document, nowMs) !== undefined;
}

/** Whether the body of a response with this status may state a wait (RFC 6585, section 4; RFC 9110, section 15.6.4). */
export function statesWaitInBody(status: number): boolean {
  return status === 429 || status === 503;
}

/** The waits that headers ask for, in whole seconds. */
function listAskedWaits(headers: ResponseHeaders, nowMs: number): number[] {
  return Object.entries(headers)
    .slice(0, maxHeaders)
    .filter(([name]) => waitName.test(name.slice(0, 128)))
    .flatMap(([name, value]) => readWaits(name, value, nowMs));
}

const commonNames = {
  limit: "x-ratelimit-limit",
  remaining: "x-ratelimit-remaining",
  reset: "x-ratelimit-reset",
  retryAfter: "retry-after",
} as const;

/** The headers that a record names, under the names that they have elsewhere; one that counts milliseconds still says so. */
function renameHeaders(headers: ResponseHeaders, names: RateLimitHeaders): ResponseHeaders {
  const own = new Map<string, string>();
  for (const [field, common] of Object.entries(commonNames)) {
    const name = names[field as keyof RateLimitHeaders]?.toLowerCase();
    if (name !== undefined) own.set(name, isInMilliseconds(name) ? `${common}-ms` : common);
  }
  const renamed = Object.entries(headers).map(([name, value]) => [own.get(name) ?? name, value]);
  return Object.fromEntries(renamed);
}

type Field = "limit" | "remaining" | "reset";
/** The words in the name of every header of a quota. */
const quotaWords = "rate-?limit";
/** RateLimit of the IETF and of X-, also with the name of an API before it: `anthropic-ratelimit-tokens-reset`, `X-HubSpot-RateLimit-Remaining`. */
const family = new RegExp(`^(?:x-)?(?:([a-z]{2,20})-)?${quotaWords}(?:-(.{1,80}))?$`);
/** Whether one of these names may be that of a quota or a wait: by the words of both. */
export const signOfLimit: RegExp = new RegExp(`${quotaWords}|${waitWords}`, "i");
const fields: readonly Field[] = ["reset", "remaining", "limit"];
/** A value under a name with one of these is a window's length, the price of a call or a wait: no count of the quota. */
const otherWord = /^(?:window|interval|period|cost|retry|policy)$/;
/** More headers, characters and members than this are not read: a hostile response is not worth the time. */
const maxHeaders = 512;
const maxCharacters = 8_192;
const maxMembers = 64;
/** A policy's text is shown to a model; it has to be short. */
const maxPolicyLength = 200;

function readQuotas(headers: ResponseHeaders, nowMs: number): RateLimit[] {
  const quotas = new Map<string, Partial<Record<Field, number>>>();
  const ofVendors = new Set<string>();
  const set = (name: string, field: Field, [value]: readonly number[]): void => {
    const quota = quotas.get(name) ?? {};
    // The first counts: a reset also comes as a delta (`reset-after`).
    quotas.set(name, { ...quota, [field]: quota[field] ?? value });
  };
  for (const [header, value] of Object.entries(headers).slice(0, maxHeaders)) {
    const [whole, vendor = "", rest = "policy"] =
      family.exec(header.slice(0, 128).toLowerCase()) ?? [];
    if (whole === undefined) continue;
    if (rest === "policy")
      for (const [name, field, text] of listStructured(value))
        set(name, field, field === "reset" ? readResets(field, text, nowMs) : readCounts(text));
    const words = rest.split("-");
    const field = fields.find((each) => words.includes(each));
    if (field === undefined || words.some((word) => otherWord.test(word))) continue;
    const kept = words.filter((word) => word !== field && !/^(?:after|ms)$/.test(word));
    const name = [vendor, ...kept].filter(Boolean).join("-");
    if (vendor !== "") ofVendors.add(name);
    const isReset = field === "reset";
    set(name, field, isReset ? readResets(header, value, nowMs) : readCounts(value));
  }
  // Under a name of its own an API may state a rate instead: Amazon's `limit` is requests a second.
  const counted = [...quotas].filter(
    ([name, { remaining }]) => remaining !== undefined || !ofVendors.has(name),
  );
  return counted.map(([name, { limit, remaining, reset: resetInSeconds }]) => {
    const policy = name === "" ? undefined : name.slice(0, maxPolicyLength);
    return dropUndefined({ limit, remaining, resetInSeconds, policy });
  });
}

const parameters: Readonly<Record<string, Field>> = {
  ...{ q: "limit", r: "remaining", t: "reset" },
  ...{ limit: "limit", remaining: "remaining", reset: "reset" },
};

/** `"name";r=50;t=30` and its policy `"name";q=100;w=60` (draft 08 and later), or `limit=100, remaining=50, reset=30` (07). */
function listStructured(
  value: string | readonly string[],
): (readonly [name: string, field: Field, text: string])[] {
  return listElements(value).flatMap((member) => {
    const parts = member.split(";");
    const name = /[=]/.test(parts[0] ?? "")
      ? ""
      : (parts[0] ?? "").trim().replace(/^"(.*)"$/, "$1");
    return parts.flatMap((part) => {
      const [key = "", text = ""] = part.split("=");
      const field = Object.hasOwn(parameters, key.trim()) ? parameters[key.trim()] : undefined;
      return field === undefined ? [] : [[name, field, text] as const];
    });
  });
}

/** The lines of a header, whether it came once or several times. */
function listLines(value: string | readonly string[]): string[] {
  return [value].flat().map((line) => line.slice(0, maxCharacters));
}

function listElements(value: string | readonly string[]): string[] {
  return listLines(value)
    .flatMap((line) => line.split(","))
    .slice(0, maxMembers);
}

/** Fifteen digits stay exact in a double; a longer "count" is not one, nor is the `000` of a grouped `1,000`. Reddit counts in floats. */
const count = /^(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;

/** Every item of a list as a count; none when one is not: what the others mean would be a guess. */
function readCounts(value: string | readonly string[]): number[] {
  const items = listElements(value).map((member) => (member.split(";")[0] ?? "").trim());
  return items.every((item) => count.test(item))
    ? items.map((item) => Math.floor(Number(item)))
    : [];
}

/** The quota that will stop the caller first: that with the smallest share left, of several at zero the one that stays there longest. */
function compareTightness(one: RateLimit, other: RateLimit): number {
  const share = ({ limit, remaining = Infinity }: RateLimit): number =>
    remaining && remaining / (limit || 0);
  return share(one) - share(other) || (other.resetInSeconds ?? -1) - (one.resetInSeconds ?? -1);
}

/** A window of a year or more is none: its number has a unit that is not known. */
function readResets(name: string, value: string | readonly string[], nowMs: number): number[] {
  return readWaits(name, value, nowMs).filter((seconds) => seconds < maxWaitSeconds);
}

/** Every wait of a header in whole seconds; a line is tried whole first, for dates have commas in them. */
function readWaits(name: string, value: string | readonly string[], nowMs: number): number[] {
  return listLines(value).flatMap((line) => {
    const whole = readStatedWait(name, line, nowMs);
    if (whole !== undefined) return [whole];
    return listElements(line).flatMap((member) => readStatedWait(name, member, nowMs) ?? []);
  });
}
