/** Gathers the quota headers of a response by family and quota, before any number is read. */

import { classifyHeader, type QuotaField } from "./classify-header.js";
import type { DeltaUnit } from "./parse-reset.js";
import type { ResponseHeaders } from "./rate-limit.js";

export interface QuotaValue {
  readonly value: string | readonly string[];
  readonly unit: DeltaUnit;
}

/** The headers of one quota of a family, by field. */
export interface QuotaHeaders {
  readonly name: string;
  readonly fields: ReadonlyMap<QuotaField, QuotaValue>;
}

export interface HeaderFamily {
  readonly family: string;
  readonly quotas: readonly QuotaHeaders[];
}

/** More headers than this are not read: a hostile response is not worth the time. */
const maxHeaders = 512;

/** Groups the headers that speak of quotas; families and quotas in the order in which they came. */
export function collectFamilies(headers: ResponseHeaders): HeaderFamily[] {
  const families = new Map<string, Map<string, Map<QuotaField, QuotaValue>>>();
  for (const [header, value] of Object.entries(headers).slice(0, maxHeaders)) {
    const kind = classifyHeader(header.toLowerCase());
    if (kind === undefined) continue;
    const quotas = getOrAdd(families, kind.family, () => new Map());
    const fields = getOrAdd(quotas, kind.name, () => new Map());
    if (!fields.has(kind.field)) fields.set(kind.field, { value, unit: kind.unit });
  }
  return [...families].map(([family, quotas]) => ({
    family,
    quotas: [...quotas].map(([name, fields]) => ({ name, fields })),
  }));
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
