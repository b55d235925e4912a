/** Reads the few headers whose value has a form of its own: used/limit pairs, Azure's counts per policy, Meta's percentages. */

import { parseCount } from "./parse-count.js";
import { parseListField, splitPair, toLines } from "./parse-list-field.js";
import { type QuotaWindow, toWindow } from "./quota-window.js";
import type { ResponseHeaders } from "./rate-limit.js";

type ReadQuota = (value: string | readonly string[]) => QuotaWindow[];

const vendorHeaders: readonly (readonly [header: string, read: ReadQuota])[] = [
  // https://shopify.dev/docs/api/usage/limits and https://docs.getrecharge.com/docs/api-rate-limits: used/limit.
  ["x-shopify-shop-api-call-limit", readUsedOfLimit],
  ["x-recharge-limit", readUsedOfLimit],
  // Salesforce: api-usage=18/5000, per-app-api-usage=17/250(appName=sample)
  ["sforce-limit-info", readUsedOfLimit],
  // https://learn.microsoft.com/azure/virtual-machines/troubleshooting/troubleshooting-throttling-errors: policy;remaining
  ["x-ms-ratelimit-remaining-resource", readRemainingPerPolicy],
  // https://developers.facebook.com/docs/graph-api/overview/rate-limiting: percentages as JSON
  ["x-app-usage", readPercentages],
  ["x-page-usage", readPercentages],
  ["x-ad-account-usage", readPercentages],
  ["x-business-use-case-usage", readPercentages],
];

const usedOfLimit = /^(\d{1,15})\/(\d{1,15})(?:\([^()]{0,100}\))?$/;

/** Reads the vendor headers of a response. */
export function readVendorQuotas(headers: ResponseHeaders): QuotaWindow[] {
  return vendorHeaders.flatMap(([header, read]) => {
    const value = headers[header];
    return value === undefined ? [] : read(value);
  });
}

function readUsedOfLimit(value: string | readonly string[]): QuotaWindow[] {
  return parseListField(value).flatMap(({ item }) => {
    const [name, figures] = item.includes("=") ? splitPair(item) : ["", item];
    const [, used, limit] = usedOfLimit.exec(figures) ?? [];
    if (used === undefined || limit === undefined) return [];
    return toWindow(name, { used: Number(used), limit: Number(limit) }) ?? [];
  });
}

function readRemainingPerPolicy(value: string | readonly string[]): QuotaWindow[] {
  return parseListField(value).flatMap(({ item, parameters }) => {
    const remaining = parseCount([...parameters.keys()][0] ?? "");
    return remaining === undefined ? [] : (toWindow(item, { remaining, policy: item }) ?? []);
  });
}

/** The largest of the percentages is the one that throttles. */
function readPercentages(value: string | readonly string[]): QuotaWindow[] {
  const used = toLines(value)
    .flatMap((line) => [
      ...line.matchAll(/"(?:call_count|total_time|total_cputime|acc_id_util_pct)"\s?:\s?(\d{1,6})/g),
    ])
    .map((match) => Number(match[1]));
  if (used.length === 0) return [];
  const window = toWindow("usage", { limit: 100, used: Math.max(...used), policy: "percent of usage" });
  return window === undefined ? [] : [window];
}
