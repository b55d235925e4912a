/** The next page by the record's own rule. */

import { isJsonNumber, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { isBlank } from "../json/shape.js";
import type { PagingRule } from "../source/paging-rule.js";
import { clipText } from "../text.js";
import { isUrlLike } from "./find-next-link.js";
import type { NextPage, Parameters } from "./paged-request.js";
import { parseCount } from "./read-envelope.js";

/** A rule, and what its expressions found in the answer. */
export interface AppliedRule {
  readonly rule: PagingRule;
  readonly next?: JsonValue | undefined;
  /** Whether the answer has the member that `next` names, be it null. */
  readonly hasNext?: boolean | undefined;
  readonly total?: JsonValue | undefined;
}

export interface RuledPage {
  readonly kind: "cursor" | "number";
  readonly next?: NextPage;
  /** A URL or a path, to be resolved. */
  readonly link?: string;
  readonly isEnd: boolean;
  readonly why?: string;
}

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
  if (!memberPath.test(expression)) return false;
  let at = document;
  for (const name of readRowsPath(expression)) {
    if (!isJsonObject(at) || !Object.hasOwn(at, name)) return false;
    at = at[name] ?? null;
  }
  return true;
}

/** The parameter of a rule by which a request begins after the beginning of the list, as `p=3`. */
export function findRuledStart(
  { page, offset, first = 1, send }: PagingRule,
  sent: Parameters,
): string | undefined {
  const place = page ?? offset ?? send ?? "";
  const value = sent.read(place);
  const isFirst =
    isBlank(value) || (send === undefined && (parseCount(value) ?? 0) <= (page === undefined ? 0 : first));
  return isFirst ? undefined : `${place.slice(place.indexOf(":") + 1)}=${clipText(String(value), 40)}`;
}

/** @param rowCount - How many rows this page has; a numbered list ends with a page that has none. */
export function applyRule(
  { rule, next, hasNext = false }: AppliedRule,
  sent: Parameters,
  rowCount: number,
): RuledPage {
  const { page, offset, first = 1, send } = rule;
  const numbered = page ?? offset;
  if (numbered !== undefined) {
    if (rowCount === 0) return { kind: "number", isEnd: false };
    const current = parseCount(sent.read(numbered)) ?? (page === undefined ? 0 : first);
    const value = current + (page === undefined ? rowCount : 1);
    return { kind: "number", isEnd: false, next: sent.send(numbered, value) };
  }
  // A member that the answer lacks may be one that this API never has.
  if (isBlank(next)) return { kind: "cursor", isEnd: hasNext };
  const value: JsonValue = isJsonNumber(next) ? String(next) : (next ?? "");
  if (send !== undefined) return { kind: "cursor", isEnd: false, next: sent.send(send, value) };
  if (typeof value === "string" && isUrlLike(value)) return { kind: "cursor", isEnd: false, link: value };
  const why =
    "`paging.next` of the record is not a URL or a path, and `paging.send` does not say where it is sent";
  return { kind: "cursor", isEnd: false, why };
}
