/** Knows how a rule of the record leads to the next page, and where a list that it numbers ends. */

import { isJsonNumber, type JsonValue } from "../base/exact-number.js";
import { isBlank, toText } from "../base/shape.js";
import { clipText } from "../base/text.js";
import { followLink, isUrlLike } from "./find-next-link.js";
import { findRowsAt } from "./find-rows.js";
import type { NextKind } from "./judge-complete.js";
import { type AnsweredPage, type AppliedRule, changeParameters, type WayFound } from "./paging.js";
import { sentSizeNames } from "./paging-names.js";
import { parseCount } from "./read-envelope.js";

/** The member names of a rule's `rows`; none for `@`, the document itself. */
export function readRowsPath(rows: string): readonly string[] {
  if (rows === "@") return [];
  return [...rows.matchAll(/"([^"]+)"|([^."]+)/g)].map(([, quoted, plain = ""]) => quoted ?? plain);
}

const memberPath = /^(?:\w+|"[^"\\]+")(?:\.(?:\w+|"[^"\\]+"))*$/;

/**
 * Whether a document has the member that an expression names. False for any other expression: its null does not show whether it fits the
 * answer.
 */
export function hasMember(document: JsonValue, expression: string): boolean {
  return (
    memberPath.test(expression) && findRowsAt(document, readRowsPath(expression)) !== undefined
  );
}

/** Whether the count of rows shows that a page of a rule with numbers is the last one. */
function isCountedEnd(
  { rule: { page, offset, first = 1 } }: AppliedRule,
  { sent, rowCount, before }: AnsweredPage,
  total: number | undefined,
): boolean {
  const sentSize = sent.findCount(sentSizeNames)?.count;
  const start = parseCount(sent.read(page ?? offset ?? ""));
  const index = Math.max(0, (start ?? first) - first);
  const ofPage = index === 0 ? 0 : sentSize === undefined ? undefined : index * sentSize;
  const skipped = before?.rows ?? (page === undefined ? (start ?? 0) : ofPage);
  if (rowCount === 0) return true;
  if (total !== undefined) return skipped !== undefined && skipped + rowCount >= total;
  return rowCount < Math.max(before?.largest ?? 0, sentSize ?? 0);
}

/** @param total - How many rows the API reports. */
export function findRuledPage(
  applied: AppliedRule,
  answered: AnsweredPage,
  total: number | undefined,
): WayFound {
  const { rule, next, hasNext = false } = applied;
  const { page, offset, send, first = 1 } = rule;
  const { sent, rowCount } = answered;
  const place = page ?? offset ?? send ?? "";
  const start = sent.read(place);
  // No row comes before the number 0, whatever is counted.
  const isFirst = isBlank(start) || (parseCount(start) ?? 1) <= (page === undefined ? 0 : first);
  const startsAt = isFirst
    ? undefined
    : `${place.replace(/^\w+:/, "")}=${clipText(toText(start) ?? "{…}", 40)}`;
  const goOn = (kind: NextKind, value: JsonValue): WayFound => ({
    startsAt,
    ...changeParameters([{ set: { [place]: value }, isAlone: rule.alone }], kind, sent),
  });
  if (page !== undefined || offset !== undefined) {
    if (answered.envelope.more === false) return { candidates: [], startsAt, isEnd: true };
    if (isCountedEnd(applied, answered, total)) return { candidates: [], startsAt };
    return goOn(
      "number",
      page === undefined ? (parseCount(start) ?? 0) + rowCount : (parseCount(start) ?? first) + 1,
    );
  }
  // A member that the answer lacks may be one that this API never has; `has_more && last_id` that finds false states the end.
  if (isBlank(next)) return { candidates: [], startsAt, isEnd: hasNext || next === false };
  const value: JsonValue = isJsonNumber(next) ? String(next) : (next ?? "");
  if (send !== undefined) return goOn("cursor", value);
  if (typeof value === "string" && isUrlLike(value))
    return { ...followLink(value, answered), startsAt };
  const unreachable =
    "`paging.next` of the record is not a URL or a path, and `paging.send` does not name where it is sent";
  return { candidates: [], startsAt, unreachable };
}
