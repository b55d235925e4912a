/** Knows how a quota policy is written: `100;w=60` (drafts up to 07) and `"name";q=100;w=60` (draft 08 and later). */

import { parseCount } from "./parse-count.js";
import { type ListMember, parseListField } from "./parse-list-field.js";

export interface QuotaPolicy {
  /** The policy's name; absent in the old form. */
  readonly name?: string;
  /** How many requests it allows in its window. */
  readonly quota: number;
  /** The policy as the server wrote it. */
  readonly text: string;
}

/** Reads a policy header (draft-ietf-httpapi-ratelimit-headers); members that are none are left out. */
export function readPolicies(value: string | readonly string[]): QuotaPolicy[] {
  return parseListField(value).flatMap((member) => toPolicy(member) ?? []);
}

/** Reads one member as a policy; undefined when it has no quota. */
export function toPolicy({ item, parameters, text }: ListMember): QuotaPolicy | undefined {
  const named = parseCount(parameters.get("q") ?? "");
  if (named !== undefined) return { name: item, quota: named, text };
  const quota = parseCount(item);
  return quota === undefined ? undefined : { quota, text };
}

/** The text to show beside a limit: that of the one policy with this quota, else of all. */
export function describePolicy(
  policies: readonly QuotaPolicy[],
  limit: number | undefined,
): string | undefined {
  if (policies.length === 0) return undefined;
  const matching = policies.filter(({ quota }) => quota === limit);
  const shown = matching.length === 1 ? matching : policies;
  return shown.map(({ text }) => text).join(", ");
}
