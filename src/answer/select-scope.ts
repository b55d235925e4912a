/** Which part of a list a `select` ran on: a count over one page of several is not a count of the list. */

import type { ResponseBody } from "../body/response-body.js";
import type { Page } from "../call/running-call.js";
import type { PageScope } from "../store/keep-response.js";
import { plural } from "../text.js";
import type { Answer } from "./answer.js";
import { valueAt } from "./find-list.js";

/** @returns undefined where no row is known to be missing, and for an answer without a list. */
export function findScope(
  { rows: path, total, body: first }: Pick<Page, "rows" | "total" | "body">,
  { document }: ResponseBody,
  { next, pages }: Pick<Answer, "next" | "pages">,
): PageScope | undefined {
  if (path === undefined && !Array.isArray(first.document)) return undefined;
  const list = valueAt(document, path ?? []) ?? [];
  // XML has no lists: one row is an object.
  const rows = Array.isArray(list) ? list.length : 1;
  const isPart = next !== undefined || pages?.complete === false || (total !== undefined && rows < total);
  if (!isPart) return undefined;
  // A total that is not larger is not the number of all rows.
  return { rows, pages: pages?.read ?? 1, ...(total !== undefined && total > rows ? { total } : {}) };
}

/** @param advice - How to read all rows. @default none */
export function describeScope({ rows, total, pages }: PageScope, advice = ""): string {
  const of = total === undefined ? plural(rows, "row") : `${rows} of ${plural(total, "row")}`;
  const more = total === undefined ? "; the list has more" : "";
  return `\`select\` ran on ${of} (${pages === 1 ? "one page" : `${pages} pages`})${more}.${advice && ` ${advice}`}`;
}
