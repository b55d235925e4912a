/** The next page by the record's own rule. */

import { isJsonNumber, type JsonValue } from "../base/exact-number.js";
import { isBlank } from "../base/shape.js";
import { clipText } from "../base/text.js";
import type { PagingRule } from "../record/paging-rule.js";
import { checkLength } from "./change-parameters.js";
import { findNextCursor } from "./find-next-cursor.js";
import { findLink, followLink } from "./find-next-link.js";
import type { Parameters } from "./paged-request.js";
import type { AnsweredPage, AppliedRule, WayFound } from "./paging.js";
import { findRowsAt, parseCount } from "./read-envelope.js";
import { isUrlLike } from "./resolve-link.js";

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
  return memberPath.test(expression) && findRowsAt(document, readRowsPath(expression)) !== undefined;
}

/** The parameter of a rule by which a request begins after the beginning of the list, as `p=3`. */
function findStart({ page, offset, first = 1, send }: PagingRule, sent: Parameters): string | undefined {
  const place = page ?? offset ?? send ?? "";
  const value = sent.read(place);
  // No row comes before the number 0, whatever is counted.
  const isFirst =
    isBlank(value) || (parseCount(value) ?? (send === undefined ? 0 : 1)) <= (page === undefined ? 0 : first);
  return isFirst ? undefined : `${place.slice(place.indexOf(":") + 1)}=${clipText(String(value), 40)}`;
}

/** @param total - How many rows the API reports. */
export function findRuledPage(
  applied: AppliedRule,
  answered: AnsweredPage,
  total: number | undefined,
): WayFound {
  const { rule, next, hasNext = false } = applied;
  const { sent, rowCount, before } = answered;
  const startsAt = findStart(rule, sent);
  const numbered = rule.page ?? rule.offset;
  // An empty page, and a last row that is not there, are not the end where the answer names a next page.
  const end = (isEnd: boolean): WayFound =>
    !isEnd && hasOtherNext(answered)
      ? {
          candidates: [],
          startsAt,
          unreachable: "`api.paging` found no next page, but this answer seems to name one",
        }
      : { candidates: [], startsAt, isEnd };
  if (numbered !== undefined) {
    if (rowCount === 0) return end(false);
    const isAll = before !== undefined && before.rows + rowCount === total;
    if (isAll || (before !== undefined && rowCount < before.largest)) return { candidates: [], startsAt };
    const current = parseCount(sent.read(numbered)) ?? (rule.page === undefined ? 0 : (rule.first ?? 1));
    return send("number", numbered, current + (rule.page === undefined ? rowCount : 1));
  }
  // A member that the answer lacks may be one that this API never has; `has_more && last_id` that finds false states the end.
  if (isBlank(next)) return end(hasNext || next === false);
  const value: JsonValue = isJsonNumber(next) ? String(next) : (next ?? "");
  if (rule.send !== undefined) return send("cursor", rule.send, value);
  if (typeof value === "string" && isUrlLike(value)) return { ...followLink(value, answered), startsAt };
  const unreachable =
    "`paging.next` of the record is not a URL or a path, and `paging.send` does not name where it is sent";
  return { candidates: [], startsAt, unreachable };

  function send(kind: "cursor" | "number", place: string, sentValue: JsonValue): WayFound {
    const parameter = place.replace(/^\w+:/, "");
    const candidates = [{ next: sent.send(place, sentValue), kind, isGuess: false, parameter }];
    return { startsAt, ...checkLength(sentValue, { candidates }) };
  }
}

function hasOtherNext(answered: AnsweredPage): boolean {
  const found = [findLink(answered), findNextCursor(answered)];
  return found.some((way) => (way?.candidates.length ?? 0) > 0);
}
