/** How an API pages, where its responses do not show it: the rules of a record, and the rule of a path. */

/** One way of paging; exactly one of `next`, `page` and `offset` is given. */
export interface PagingRule {
  /** The paths that the rule is for, as patterns. @default every path */
  readonly paths?: readonly string[];
  /** Member names, joined by dots, that lead to the rows; `@` when the body is the list. @default found in the body */
  readonly rows?: string;
  /** A JMESPath that finds how many rows there are in all. */
  readonly total?: string;
  /** A JMESPath that finds the cursor, URL or path of the next page; null, empty or false on the last page. */
  readonly next?: string;
  /** Where the value of `next` is sent: `query:NAME`, `body:NAME` or `header:NAME`. Absent when it is a URL or a path. */
  readonly send?: string;
  /** Where the page number is sent: `query:NAME` or `body:NAME`. */
  readonly page?: string;
  /** The number of the first page. @default 1 */
  readonly first?: number;
  /** Where the number of rows to skip is sent: `query:NAME` or `body:NAME`. */
  readonly offset?: string;
}

/** What `api.paging` may be: one rule, a list of rules, or the statement that the API does not page. */
export type PagingSetting = "none" | PagingRule | readonly PagingRule[];

/** The rules of a setting, none where the API does not page or the record does not say. */
export function listPagingRules(paging: PagingSetting | undefined): readonly PagingRule[] {
  if (paging === undefined || paging === "none") return [];
  return isList(paging) ? paging : [paging];
}

function isList(paging: PagingRule | readonly PagingRule[]): paging is readonly PagingRule[] {
  return Array.isArray(paging);
}
