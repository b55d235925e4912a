/** Reads the quotas that two well-known APIs report in the body of every answer instead of in a header. */

import { parseBodyText } from "./parse-body-text.js";
import { parseCount } from "./parse-count.js";
import { type QuotaWindow, toWindow } from "./quota-window.js";
import { toNumberOrSelf } from "./walk-body.js";

/** https://shopify.dev/docs/api/usage/limits#graphql-admin-api-rate-limits */
const shopifyPath = ["extensions", "cost", "throttleStatus"];

/** A body text without one of these is not parsed. */
const telltale = /"(?:throttleStatus|quota_remaining)"/;

/** Reads Shopify's `extensions.cost.throttleStatus` and Stack Exchange's `quota_max` with `quota_remaining`. */
export function readBodyWindows(body: unknown, bodyText: string | undefined): QuotaWindow[] {
  const content =
    body ?? (bodyText !== undefined && telltale.test(bodyText) ? parseBodyText(bodyText) : undefined);
  const shopify = shopifyPath.reduce<unknown>(readMember, content);
  return [
    ...readPair("cost", readMember(shopify, "maximumAvailable"), readMember(shopify, "currentlyAvailable")),
    ...readPair("", readMember(content, "quota_max"), readMember(content, "quota_remaining")),
  ];
}

function readPair(name: string, limitValue: unknown, remainingValue: unknown): QuotaWindow[] {
  // Shopify writes `1000.0`.
  const [given, left] = [limitValue, remainingValue].map(toNumberOrSelf);
  if (typeof given !== "number" || typeof left !== "number") return [];
  const limit = parseCount(String(given));
  const remaining = parseCount(String(left));
  if (limit === undefined || remaining === undefined) return [];
  return [toWindow(name, { limit, remaining }) ?? []].flat();
}

function readMember(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
