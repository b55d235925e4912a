/** Reads `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, all drafts), and vendors' fields of the same form. */

import { type ListMember, parseCount, parseListField, parsePair } from "./parse-list-field.js";
import { parseWait } from "./parse-wait.js";
import { presentRateLimit, type QuotaWindow } from "./rate-limit.js";

export interface QuotaPolicy {
  /** The policy's name; absent in the form of drafts up to 07. */
  readonly name?: string;
  /** How many requests it allows in its window. */
  readonly quota: number;
  /** The policy as the server wrote it. */
  readonly text: string;
}

/** Reads policies, `100;w=60` (drafts up to 07) or `"name";q=100;w=60` (later); members that are none are left out. */
export function readPolicies(value: string | readonly string[]): QuotaPolicy[] {
  return parseListField(value).flatMap(({ item, parameters, text }) => {
    const named = parseCount(parameters.get("q"));
    if (named !== undefined) return [{ name: item, quota: named, text }];
    const quota = parseCount(item);
    return quota === undefined ? [] : [{ quota, text }];
  });
}

/** The text to show beside a limit: that of the one policy with this quota, else of all. */
export function describePolicies(
  policies: readonly QuotaPolicy[],
  limit: number | undefined,
): string | undefined {
  const matching = policies.filter(({ quota }) => quota === limit);
  const shown = matching.length === 1 ? matching : policies;
  return shown.length === 0 ? undefined : shown.map(({ text }) => text).join(", ");
}

/**
 * Reads `"name";r=50;t=30` (draft 08 and later, several members), `limit=100, remaining=50, reset=30` (draft 07) or the
 * same pairs separated by `;`.
 *
 * @param policies - Those of the same family's policy header; from draft 08 on they hold the limit.
 * @returns one window for each member that says what remains; none when the value is of neither form.
 */
export function readWholeField(
  value: string | readonly string[],
  policies: readonly QuotaPolicy[],
  nowMs: number,
): QuotaWindow[] {
  const members = parseListField(value);
  const isDictionary = members.some(({ item, parameters }) => item.includes("=") && !parameters.has("r"));
  if (isDictionary) return [readDictionary(members, policies, nowMs)];
  return members.flatMap(({ item: name, parameters }) => {
    const remaining = parseCount(parameters.get("r"));
    if (remaining === undefined) return [];
    const own = policies.find((policy) => policy.name === name);
    const limit = own?.quota ?? parseCount(parameters.get("q"));
    const resetInSeconds = parseWait(parameters.get("t") ?? "", nowMs);
    const policy = own?.text ?? (name || undefined);
    return [{ name, ...presentRateLimit({ limit, remaining, resetInSeconds, policy }) }];
  });
}

function readDictionary(
  members: readonly ListMember[],
  policies: readonly QuotaPolicy[],
  nowMs: number,
): QuotaWindow {
  const pairs = new Map(
    members.flatMap(({ item, parameters }) => [parsePair(item), ...parameters]).reverse(),
  );
  const pick = (...keys: readonly string[]): string =>
    keys.map((key) => pairs.get(key)).find((text) => text !== undefined) ?? "";
  const limit = parseCount(pick("limit", "total", "q"));
  const remaining = parseCount(pick("remaining", "r"));
  const resetInSeconds = parseWait(pick("reset", "resets", "t"), nowMs);
  const policy = describePolicies(policies, limit);
  return { name: "", ...presentRateLimit({ limit, remaining, resetInSeconds, policy }) };
}
