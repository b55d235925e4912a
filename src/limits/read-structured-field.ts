/** Reads a header that holds a whole quota: the `RateLimit` field of the IETF drafts, and vendors' `total=100; remaining=99`. */

import { parseCount } from "./parse-count.js";
import { type ListMember, parseListField, splitPair } from "./parse-list-field.js";
import { parseReset } from "./parse-reset.js";
import { type QuotaWindow, toWindow } from "./quota-window.js";
import { describePolicy, type QuotaPolicy } from "./read-policies.js";

/**
 * Reads `"name";r=50;t=30` (draft 08 and later, several members), `limit=100, remaining=50, reset=30` (draft 07) or the same
 * pairs separated by `;`.
 *
 * @param policies those of the same family's policy header; in draft 08 and later they hold the limit.
 * @returns one window for each member that says what remains; none when the value is of neither form.
 */
export function readStructuredField(
  value: string | readonly string[],
  name: string,
  policies: readonly QuotaPolicy[],
  nowMs: number,
): QuotaWindow[] {
  const members = parseListField(value);
  const isDictionary = members.some(({ item, parameters }) => item.includes("=") && !parameters.has("r"));
  if (isDictionary) return readDictionary(members, name, policies, nowMs);
  return members.flatMap((member) => readMember(member, policies, nowMs) ?? []);
}

function readMember(
  { item, parameters }: ListMember,
  policies: readonly QuotaPolicy[],
  nowMs: number,
): QuotaWindow | undefined {
  const remaining = parseCount(parameters.get("r") ?? "");
  if (remaining === undefined) return undefined;
  const policy = policies.find((candidate) => candidate.name === item);
  return toWindow(item, {
    limit: policy?.quota ?? parseCount(parameters.get("q") ?? ""),
    remaining,
    resetInSeconds: parseReset(parameters.get("t") ?? "", nowMs),
    policy: policy?.text ?? (item === "" ? undefined : item),
  });
}

function readDictionary(
  members: readonly ListMember[],
  name: string,
  policies: readonly QuotaPolicy[],
  nowMs: number,
): QuotaWindow[] {
  const pairs = new Map<string, string>();
  for (const { item, parameters } of members) {
    for (const [key, text] of [splitPair(item), ...parameters]) if (!pairs.has(key)) pairs.set(key, text);
  }
  const pick = (...keys: readonly string[]): string =>
    keys.map((key) => pairs.get(key)).find((text) => text !== undefined) ?? "";
  const limit = parseCount(pick("limit", "total", "max", "q"));
  const window = toWindow(name, {
    limit,
    remaining: parseCount(pick("remaining", "left", "r")),
    used: parseCount(pick("used")),
    resetInSeconds: parseReset(pick("reset", "resets", "t"), nowMs),
    policy: describePolicy(policies, limit),
  });
  return window === undefined ? [] : [window];
}
