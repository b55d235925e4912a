/** Why a page could not be read, or is not the next page of the list. */

import type { NextWay } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import { isJsonObject } from "../base/exact-number.js";
import { findRowsAt } from "../paging/read-envelope.js";
import type { Page } from "./running-call.js";

export interface Failure {
  readonly text: string;
  /** Whether the API answered, and the page is not the next one. */
  readonly isOfPage: boolean;
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;
}

/**
 * Why a page that an API answers without a list shows nothing about the rows: it may report a failure with status 200. Some APIs leave
 * out an empty list; nothing new is beside it then.
 */
export function findMissingList(
  first: Page | undefined,
  { body }: Page,
  path: readonly string[],
): string | undefined {
  const [known, document] = [first?.body.document, body.document ?? null];
  if (body.bytes === 0 || first?.rows === undefined) return undefined;
  const where = path.length === 0 ? "" : ` at \`${path.join(".")}\``;
  const why = `the next page has no list of rows${where}`;
  if (path.length === 0) return Array.isArray(document) ? undefined : why;
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

export function describeError({ exchange: { status }, error }: Page, { kind, isGuess }: NextWay): Failure {
  const isExpired = status === 410 || (status === 400 && kind === "cursor" && !isGuess);
  const text = `the next page failed: ${status}: ${error?.message}`;
  if (!isExpired) return { text, isOfPage: status >= 400 && status < 500, isRetryable: true };
  const expired = `${text}; the cursor may have expired: start again from the first page`;
  return { text: expired, isOfPage: true, isRetryable: false };
}

export function describeRepeat({ parameter, call, isGuess }: NextWay, pageCount: number): string {
  const value = new URLSearchParams(call.path.split("?")[1] ?? "").get(parameter ?? "");
  const shown =
    parameter === undefined ? "the next page" : `\`?${parameter}=${(value ?? "…").slice(0, 40)}\``;
  const again = pageCount === 1 ? "the first page" : "rows that were read before";
  const advice = isGuess || parameter !== undefined ? "; the API ignores it. Set `api.paging`" : "";
  return `${shown} returned ${again} again${advice}`;
}
