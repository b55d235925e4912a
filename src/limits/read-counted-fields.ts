/** Reads a quota that is spread over several headers: a limit, what remains, what was used, and when it starts anew. */

import type { QuotaField } from "./classify-header.js";
import type { QuotaHeaders, QuotaValue } from "./collect-families.js";
import { parseCounts } from "./parse-count.js";
import { parseListField } from "./parse-list-field.js";
import { parseResets } from "./parse-resets.js";
import { type QuotaWindow, toWindow } from "./quota-window.js";
import { describePolicy, type QuotaPolicy, toPolicy } from "./read-policies.js";

interface Columns {
  readonly limit: readonly number[];
  readonly remaining: readonly number[];
  readonly used: readonly number[];
  readonly reset: readonly number[];
  readonly policies: readonly QuotaPolicy[];
}

/**
 * Reads one quota's headers.
 *
 * Several values in each of them are several windows, in the same order (`X-RateLimit-Limit: 1, 15000` with
 * `X-RateLimit-Remaining: 1, 1000`). Where their numbers differ no pairing is sure, and the least that
 * remains, the first limit and the latest reset are taken.
 *
 * @param policies those of the family's policy header.
 */
export function readCountedFields(
  { name, fields }: QuotaHeaders,
  policies: readonly QuotaPolicy[],
  nowMs: number,
): QuotaWindow[] {
  // A number under a name without a field word is the limit where its sibling says what remains, as in HubSpot's
  // `x-hubspot-ratelimit-daily`; alone it could be anything.
  const isNamedByRest = fields.has("remaining") || fields.has("used");
  const limits = readLimits(fields.get("limit") ?? (isNamedByRest ? fields.get("whole") : undefined));
  const columns: Columns = {
    limit: limits.limit,
    remaining: readCounts(fields.get("remaining")),
    used: readCounts(fields.get("used")),
    reset: readResets(fields, nowMs),
    policies: policies.length > 0 ? policies : limits.policies,
  };
  const windows = isPaired(columns) ? readRows(columns, name) : [readSingle(columns, name)];
  return windows.filter((window) => window !== undefined);
}

/** `100, 100;w=60` is a limit and its policy (drafts up to 06); `100;w=21600` is both in one. */
function readLimits(source: QuotaValue | undefined): Pick<Columns, "limit" | "policies"> {
  const members = source === undefined ? [] : parseListField(source.value);
  const policies = members
    .filter(({ parameters }) => parameters.size > 0)
    .flatMap((member) => toPolicy(member) ?? []);
  const plain = members.filter(({ parameters }) => parameters.size === 0);
  const limit = parseCounts(plain.map(({ item }) => item));
  return { limit: limit.length > 0 ? limit : policies.slice(0, 1).map(({ quota }) => quota), policies };
}

function readCounts(source: QuotaValue | undefined): number[] {
  if (source === undefined) return [];
  return parseCounts(parseListField(source.value).map(({ item }) => item));
}

/** A reset given as a delta (`reset-after`) comes first: it needs no agreement of clocks. */
function readResets(fields: ReadonlyMap<QuotaField, QuotaValue>, nowMs: number): number[] {
  for (const field of ["resetAfter", "reset"] as const) {
    const source = fields.get(field);
    if (source === undefined) continue;
    const resets = parseResets(source.value, nowMs, source.unit);
    if (resets.length > 0) return resets;
  }
  return [];
}

function isPaired({ limit, remaining, used }: Columns): boolean {
  const lengths = [limit, remaining, used].map((column) => column.length).filter((length) => length > 0);
  return lengths.length > 1 && lengths.every((length) => length === lengths[0] && length > 1);
}

function readRows(
  { limit, remaining, used, reset, policies }: Columns,
  name: string,
): (QuotaWindow | undefined)[] {
  const rows = Math.max(limit.length, remaining.length);
  return Array.from({ length: rows }, (_, row) =>
    toWindow(name, {
      limit: limit[row],
      remaining: remaining[row],
      used: used[row],
      resetInSeconds: reset.length === rows ? reset[row] : latest(reset),
      policy: policies.length === rows ? policies[row]?.text : describePolicy(policies, limit[row]),
    }),
  );
}

function readSingle(
  { limit, remaining, used, reset, policies }: Columns,
  name: string,
): QuotaWindow | undefined {
  return toWindow(name, {
    limit: limit[0],
    remaining: remaining.length === 0 ? undefined : Math.min(...remaining),
    used: latest(used),
    resetInSeconds: latest(reset),
    policy: name === "" ? describePolicy(policies, limit[0]) : undefined,
  });
}

function latest(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values);
}
