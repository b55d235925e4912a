/** Knows how one page leads to the next: which ways are tried, what shows that a way was right, and why none was. */

import type { NextCall, NextWay } from "../answer/answer.js";
import { ApiSourceError } from "../base/errors.js";
import type { JsonValue } from "../base/exact-number.js";
import { isNearlySpent } from "../http/limits/rate-limit.js";
import { rowsAt } from "../paging/find-rows.js";
import type { PageShown } from "../paging/judge-complete.js";
import type { RowsBefore } from "../paging/paging.js";
import type { RowsRead } from "../paging/rows-read.js";
import { describeUntold, nameWay, reportsMore } from "./find-next-call.js";
import { findMissingList } from "./missing-list.js";
import type { Page } from "./running-call.js";

/** Sends the request of one page, through every step of a call. */
export type ReadPage = (input: NextCall, before: RowsBefore) => Promise<Page>;

/** The pages that were read so far. */
export interface Progress {
  readonly first: Page;
  readonly pages: Page[];
  /** The member names that lead to the rows. */
  readonly path: readonly string[];
  readonly read: RowsRead;
  /** The rows of all pages. */
  readonly rows: JsonValue[];
  /** The calls that were sent for pages, as JSON. */
  readonly sent: Set<string>;
  /** The guesses that a page of this reading has shown to be right. */
  readonly verified: Set<string>;
  bytes: number;
  repeated: number;
  changed: number;
  equal: number;
  /** Why reading ended before the last page. */
  stopped?: string | undefined;
  /** Why the pages do not show that the list is whole. */
  doubt?: string | undefined;
  /** The way that was not followed, where the API gives it. */
  next?: NextCall | undefined;
}

export function listRows({ body }: Page, path: readonly string[]): readonly JsonValue[] {
  return rowsAt(body.document ?? null, path);
}

/** Whether neither the API nor a page of this reading has shown that a way is right. */
export function isUnverified({ verified }: Progress, { guessOf }: NextWay): boolean {
  return guessOf !== undefined && !verified.has(guessOf);
}

/** Why a way did not lead to the next page. */
interface Failure {
  readonly way: NextWay;
  readonly text: string;
  /**
   * `wrong`: the name is, so another one is tried; `unproven`: an empty page, which shows nothing. The others are reported as they came: after
   * `broken` the same request may succeed later, after `ended` it can't.
   */
  readonly kind: "wrong" | "unproven" | "broken" | "ended";
}

/** Reads the next page by the first way that leads to it. */
export async function followPage(
  progress: Progress,
  { ways = [], rateLimit, paging }: Page,
  readPage: ReadPage,
): Promise<void> {
  const isQuotaLow = isNearlySpent(rateLimit);
  const failures: Failure[] = [];
  for (const way of ways) {
    if (isQuotaLow && isUnverified(progress, way)) {
      progress.stopped = `${describeUntold(way)}, and too little of its quota is left to try ${nameWay(way)}`;
      return;
    }
    const failure = await tryWay(progress, way, readPage);
    if (failure === undefined) {
      if (way.guessOf !== undefined) progress.verified.add(way.guessOf);
      if (way.insteadOf !== undefined)
        progress.doubt ??= `${describeUntold(way)}; ${nameWay(way)} at the base URL was read in its place`;
      const isSecondNumber = failures.some((failed) => failed.way.parameter === way.parameter);
      if (isSecondNumber && paging?.shown.total === undefined) progress.doubt ??= uncounted;
      return;
    }
    failures.push({ way, ...failure });
    if (isFinal(failure)) break;
  }
  describeFailures(progress, failures, paging?.shown);
}

/** Page 1 was no next page, and page 2 was: an API that repeats or leaves out a page looks the same as one that counts from 1. */
const uncounted = "the API does not show how its pages are counted";

function isFinal({ kind }: Pick<Failure, "kind">): boolean {
  return kind === "broken" || kind === "ended";
}

function describeFailures(
  progress: Progress,
  failures: readonly Failure[],
  shown: PageShown | undefined,
): void {
  const [first] = failures;
  const final = failures.find(isFinal);
  if (final?.kind !== "broken") progress.next = undefined;
  if (first === undefined) return;
  const ways = failures.map(({ way }) => way);
  const noWay = `${describeUntold(first.way)}, and the usual ways failed (${ways.map(nameWay).join(", ")}): ${first.text}; ${shown?.ownWay}`;
  const isGuessed = ways.some(({ guessOf }) => guessOf !== undefined);
  const text = final?.text ?? (isGuessed ? noWay : first.text);
  const isStated =
    shown === undefined || reportsMore(first.way, { ...shown, rows: progress.rows.length });
  // An empty page agrees with "all rows were read"; "there are more" contradicts it.
  const isUnproven = failures.some(({ kind }) => kind === "unproven");
  const isAll = progress.rows.length === shown?.total;
  const isOnlyTried = ways.every((way) => !isOfRequest(progress.first, way));
  if (final !== undefined || isStated || !(isUnproven || isOnlyTried)) progress.stopped = text;
  else if (!(isUnproven && isAll)) progress.doubt = text;
}

/** Adds the page to those that were read. @returns why it can't be added */
async function tryWay(
  progress: Progress,
  way: NextWay,
  readPage: ReadPage,
): Promise<Omit<Failure, "way"> | undefined> {
  const { first, pages, path, read } = progress;
  const largest = Math.max(...pages.map((page) => listRows(page, path).length));
  const before: RowsBefore = {
    rows: progress.rows.length,
    largest,
    rowsPath: path,
    by: way.kind,
    total: pages.at(-1)?.total,
  };
  const page = await readPage(way.call, before).catch((error: unknown) => {
    if (error instanceof ApiSourceError && error.category !== "cancelled") return error.message;
    throw error;
  });
  if (typeof page === "string") return { text: `the next page failed: ${page}`, kind: "broken" };
  if (page.error !== undefined) return describeError(page, way);
  const noList = findMissingList(first, page, path);
  if (noList !== undefined) return { text: noList, kind: "broken" };
  const rows = listRows(page, path);
  const isGuess = isUnverified(progress, way);
  if (isGuess && rows.length === 0 && !isOfRequest(first, way) && !leadsOn(progress, page, way)) {
    const text = `${nameWay(way)} returned no rows, which does not show that the name is right`;
    return { text, kind: "unproven" };
  }
  if ((isGuess || way.kind === "number") && read.isRepeat(rows))
    return { text: `${nameWay(way)} returned rows that were read before`, kind: "wrong" };
  addPage(progress, page, rows);
  return undefined;
}

/** Whether the first request has the parameter of a way: an API that does not read it answers with rows again. */
function isOfRequest({ built }: Page, { parameter }: NextWay): boolean {
  return built.query.some(([name]) => name === parameter);
}

/** Whether an empty page brings a way on that was not sent before: then the API understood its parameter. */
function leadsOn({ sent }: Progress, { ways: [next] = [] }: Page, way: NextWay): boolean {
  if (next === undefined) return false;
  const text = JSON.stringify(next.call);
  return text !== JSON.stringify(way.call) && !sent.has(text);
}

function addPage(progress: Progress, page: Page, rows: readonly JsonValue[]): void {
  const compared = progress.read.add(rows);
  progress.repeated += compared.repeated;
  progress.changed += compared.changed;
  progress.equal += compared.equal;
  for (const row of compared.fresh) progress.rows.push(row);
  progress.pages.push(page);
}

const wrongStatuses: ReadonlySet<number> = new Set([400, 404, 422]);
/** How an API answers a page beyond its last one, or beyond the most rows that it gives: the same request is never answered otherwise. */
const beyondStatuses: ReadonlySet<number> = new Set([400, 404, 416, 422]);
const wrongCategories: ReadonlySet<string> = new Set(["bad_request", "validation"]);

function describeError(
  { exchange: { status }, error }: Page,
  { kind, guessOf }: NextWay,
): Omit<Failure, "way"> {
  const text = `the next page failed: ${status}: ${error?.message}`;
  const isWrong =
    wrongStatuses.has(status) || (status < 300 && wrongCategories.has(error?.category ?? ""));
  if (guessOf !== undefined) return { text, kind: isWrong ? "wrong" : "broken" };
  const isExpired = status === 410 || (status === 400 && kind === "cursor");
  if (isExpired)
    return {
      text: `${text}; the cursor may have expired: start again from the first page`,
      kind: "ended",
    };
  return { text, kind: beyondStatuses.has(status) ? "ended" : "broken" };
}
