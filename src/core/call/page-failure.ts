/** Why a page could not be read, or is not the next page of the list. */

import type { NextWay } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import { isJsonObject } from "../base/exact-number.js";
import { readNoFurther } from "../paging/paging.js";
import { findRowsAt } from "../paging/read-envelope.js";
import type { Page } from "./running-call.js";

export interface Failure {
  readonly text: string;
  /**
   * Whether it shows that the name is wrong, which is tried under another one then; `unproven`: an empty page, which shows nothing; `other`
   * is reported as it came.
   */
  readonly kind: "wrong" | "unproven" | "other";
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;
}

/**
 * Why a page that an API answers without a list shows nothing about the rows: it may report a failure with status 200. Some APIs leave
 * out an empty list; nothing new is beside it then.
 */
export function findMissingList(
  first: Page | undefined,
  { body, exchange }: Page,
  path: readonly string[],
): string | undefined {
  const [known, document] = [first?.body.document, body.document ?? null];
  if (body.bytes === 0 || first?.rows === undefined) return undefined;
  const where = path.length === 0 ? "" : ` at \`${path.join(".")}\``;
  const why = `the next page has no list of rows${where}`;
  // One line of NDJSON is a value and no list.
  const isLines = /nd-?json|json-?l/.test(String(exchange.headers["content-type"]));
  if (path.length === 0) return Array.isArray(document) || isLines ? undefined : why;
  if (findRowsAt(document, path) !== undefined) return undefined;
  const isSubset =
    isJsonObject(document) &&
    isJsonObject(known) &&
    Object.keys(document).every((name) => Object.hasOwn(known, name));
  return isSubset ? undefined : why;
}

export function describePageFailure(error: unknown): string {
  if (error instanceof ApiSourceError && error.category !== "cancelled")
    return `the next page failed: ${error.message}`;
  throw error;
}

const wrongStatuses: ReadonlySet<number> = new Set([400, 404, 422]);
const wrongCategories: ReadonlySet<string> = new Set(["bad_request", "validation"]);

export function describeError({ exchange: { status }, error }: Page, { kind, isGuess }: NextWay): Failure {
  const text = `the next page failed: ${status}: ${error?.message}`;
  const isWrong = wrongStatuses.has(status) || (status < 300 && wrongCategories.has(error?.category ?? ""));
  if (isGuess) return { text, kind: isWrong ? "wrong" : "other", isRetryable: !isWrong };
  const isExpired = status === 410 || (status === 400 && kind === "cursor");
  if (!isExpired) return { text, kind: "other", isRetryable: true };
  const expired = `${text}; the cursor may have expired: start again from the first page`;
  return { text: expired, kind: "other", isRetryable: false };
}

/** @param isWhole - Whether no row of the page is new. */
export function describeRepeat(way: NextWay, pageCount: number, isWhole: boolean): string {
  const again = pageCount === 1 && isWhole ? "the first page" : "rows that were read before,";
  return `${nameWay(way)} returned ${again} again`;
}

/** What was sent: `?cursor=abc`, `cursor` in the body, or the link. */
export function nameWay({ parameter, call, kind }: NextWay): string {
  if (parameter === undefined) return kind === "link" ? "the API's link" : "the next page";
  if (parameter.startsWith("header:")) return `the header \`${parameter.slice("header:".length)}\``;
  const value = [...new URLSearchParams(call.path.split("?")[1] ?? "")].find(
    ([name]) => name === parameter || name.endsWith(`[${parameter}]`),
  );
  if (value !== undefined) return `\`?${value[0]}=${value[1].slice(0, 40)}\``;
  return call.body === undefined ? `\`${parameter}\`` : `\`${parameter}\` in the body`;
}

/** No name worked: the answer to the first, and what else was tried. */
export function describeNoWay(first: Failure, tried: readonly NextWay[]): string {
  const others = tried.slice(1).map(nameWay);
  const also = others.length === 0 ? "" : ` (also tried: ${others.join(", ")})`;
  const name =
    tried[0] === undefined || first.text.includes(nameWay(tried[0])) ? "" : ` by ${nameWay(tried[0])}`;
  return `the API does not name the parameter of its next page, and a usual way failed${name}: ${first.text}${also}; ${readNoFurther}`;
}
