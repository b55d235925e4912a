/** Step 9 of a call: what a `select` takes from a body, and which part of a list it ran on: a count over one page of several is not a count of the list. */

import { ApiSourceError, type CallError } from "../base/errors.js";
import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { plural } from "../base/text.js";
import type { BodyKind, ResponseBody } from "../body/response-body.js";
import type { Page } from "../call/running-call.js";
import { rowsAt } from "../paging/find-rows.js";
import { readEnvelope } from "../paging/read-envelope.js";
import { loadQueryEngine } from "../query/query-engine.js";
import type { PageScope } from "../store/keep-response.js";
import type { Answer } from "./answer.js";

/**
 * The list of a document: the member names that lead to it, none where the document is the list; and whether the document is an envelope around
 * it, neither the list itself nor a record with an id.
 *
 * @param path - Of the request: its last segment may name the list. @returns undefined for a document without a list.
 */
export function findList(document: JsonValue, path: string) {
  const keys = readEnvelope(document, path).rows?.path;
  if (keys === undefined) return undefined;
  const isRecord =
    isJsonObject(document) && (Object.hasOwn(document, "id") || Object.hasOwn(document, "_id"));
  return { keys, list: [...rowsAt(document, keys)], isInEnvelope: keys.length > 0 && !isRecord };
}

/** Describes the rows that a list lacks. @returns undefined where no row is known to be missing. */
export function findScope(
  { rows: path = [], total, ways = [], paging }: Pick<Page, "rows" | "total" | "ways" | "paging">,
  { document = null }: ResponseBody,
  { next, pages }: Pick<Answer, "next" | "pages">,
): PageScope | undefined {
  const rows = rowsAt(document, path).length;
  const { hasMore, unreachable } = paging?.shown ?? {};
  // A next page that is stated and not offered: of a write, without a name for its cursor, or at another host.
  const isStated =
    hasMore === true || unreachable !== undefined || ways.some(({ kind }) => kind !== "number");
  const isPart =
    next !== undefined ||
    (pages === undefined ? isStated : pages.complete === false) ||
    (total !== undefined && rows < total);
  if (!isPart) return undefined;
  // A total that is not larger is not the number of all rows.
  return {
    rows,
    pages: pages?.read ?? 1,
    ...(total !== undefined && total > rows ? { total } : {}),
  };
}

/** @param advice - How to read all rows. @default none */
export function describeScope({ rows, total, pages }: PageScope, advice = ""): string {
  const of = total === undefined ? plural(rows, "row") : `${rows} of ${plural(total, "row")}`;
  const more = total === undefined ? "; the list has more" : "";
  return `\`select\` ran on ${of} (${pages === 1 ? "one page" : `${pages} pages`})${more}.${advice && ` ${advice}`}`;
}

/** The part of a body that is shown. */
export interface Selection {
  readonly document?: JsonValue;
  /** Whether a `select` selected it. @default false */
  readonly isPart?: boolean;
  readonly error?: CallError;
  /** Whether a note reports a mistake in the `select`. */
  readonly hasMistake?: boolean;
  readonly notes?: readonly string[];
}

/** Runs the `select` of a call over a body. One that can't be run is an error of the input: the request itself was answered. */
export async function applySelect(
  { request: { select = "@", pages }, built, ways = [], mayWrite }: Page,
  { document = null, kind, partial }: ResponseBody,
  scope: PageScope | undefined,
): Promise<Selection> {
  try {
    const { value, notes } = await runSelect(document, select, { kind, path: built.url.path });
    const part =
      partial === undefined ? [] : ["The body is incomplete: `select` ran on a part of it."];
    const canPage = pages === undefined && ways.length > 0 && mayWrite !== true;
    const advice = canPage ? "Add `pages` to read all." : "";
    const page = scope === undefined ? [] : [describeScope(scope, advice)];
    const hasMistake = part.length + notes.length > 0;
    return { document: value, isPart: true, hasMistake, notes: [...part, ...page, ...notes] };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    const { hint, ...rest } = error.toCallError();
    const next = `The request itself succeeded; do not send it again: read the kept answer. ${hint}`;
    return { document, error: { ...rest, hint: next } };
  }
}

/** Runs a JMESPath over the document that a path was answered with. @throws ApiSourceError `invalid_input` */
export async function runSelect(
  document: JsonValue,
  select: string,
  { kind, path }: { readonly kind: BodyKind; readonly path: string },
): Promise<{ readonly value: JsonValue; readonly notes: readonly string[] }> {
  const found = findList(document, path);
  const rows = found?.isInEnvelope === true ? found.keys : undefined;
  // `/orders` answers with `[…]` or `{"data":[…]}`, and a model that has not seen the answer writes `orders[]`.
  const name = /([^/.]+)(?:\.\w{1,5})?\/*$/.exec(path.slice(-200))?.[1];
  const called = name === undefined || found === undefined ? undefined : { name, list: found.list };
  return (await loadQueryEngine()).run(document, select, {
    kind,
    rows,
    called,
    isOfAnswer: true,
  });
}
