/** Reads every quota that the headers of a response speak of. */

import { collectFamilies, type HeaderFamily, type QuotaHeaders } from "./collect-families.js";
import type { QuotaWindow } from "./quota-window.js";
import type { ResponseHeaders } from "./rate-limit.js";
import { readCountedFields } from "./read-counted-fields.js";
import { type QuotaPolicy, readPolicies } from "./read-policies.js";
import { readStructuredField } from "./read-structured-field.js";
import { readVendorQuotas } from "./read-vendor-quotas.js";

/** All windows, each header family's parts joined; in the order of the headers. */
export function readHeaderWindows(headers: ResponseHeaders, nowMs: number): QuotaWindow[] {
  const families = collectFamilies(headers).flatMap((family) => readFamily(family, nowMs));
  return joinParts([...families, ...readVendorQuotas(headers)]);
}

function readFamily({ quotas }: HeaderFamily, nowMs: number): QuotaWindow[] {
  const policies = quotas.flatMap(({ fields }) => readPolicies(fields.get("policy")?.value ?? []));
  const windows = quotas.flatMap((quota) => readQuota(quota, policies, nowMs));
  return windows.length > 0 ? windows : policies.map(toPolicyWindow);
}

function readQuota(quota: QuotaHeaders, policies: readonly QuotaPolicy[], nowMs: number): QuotaWindow[] {
  const whole = quota.fields.get("whole");
  const structured = whole === undefined ? [] : readStructuredField(whole.value, quota.name, policies, nowMs);
  return [...structured, ...readCountedFields(quota, policies, nowMs)];
}

function toPolicyWindow({ name, quota, text }: QuotaPolicy): QuotaWindow {
  return { name: name ?? "", limit: quota, policy: text };
}

/**
 * Some APIs name the parts of one quota differently (`X-Contentful-RateLimit-Second-Remaining` with
 * `X-Contentful-RateLimit-Reset`, Yelp's `RateLimit-DailyLimit` with `RateLimit-Remaining`). A part that stands alone is given
 * to the windows that lack it only where there is exactly one such part.
 */
function joinParts(windows: readonly QuotaWindow[]): QuotaWindow[] {
  const [reset, ...otherResets] = windows.filter(isResetOnly);
  const counted = windows.filter((window) => !isResetOnly(window));
  if (counted.length === 0 || reset?.resetInSeconds === undefined || otherResets.length > 0) {
    return joinLimit(counted.length === 0 ? windows : counted);
  }
  const { resetInSeconds } = reset;
  return joinLimit(counted.map((window) => ({ resetInSeconds, ...window })));
}

function joinLimit(windows: readonly QuotaWindow[]): QuotaWindow[] {
  const limitOnly = windows.filter(({ limit, remaining }) => limit !== undefined && remaining === undefined);
  const limitless = windows.filter(({ limit, remaining }) => limit === undefined && remaining !== undefined);
  const [limit] = limitOnly;
  const [remaining] = limitless;
  if (limit === undefined || remaining === undefined || limitOnly.length + limitless.length > 2) {
    return [...windows];
  }
  const others = windows.filter((window) => window !== limit && window !== remaining);
  return [{ ...limit, ...remaining }, ...others];
}

function isResetOnly({ limit, remaining, resetInSeconds }: QuotaWindow): boolean {
  return limit === undefined && remaining === undefined && resetInSeconds !== undefined;
}
