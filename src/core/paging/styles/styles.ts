/** The styles of paging, in the order in which they decide: what is told, then what is guessed, then what shows that nothing follows. */

import type { AnsweredPage, Found, Style } from "../paging.js";
import { findCursor } from "./cursor.js";
import {
  findBackLink,
  findCountedEnd,
  findFlaggedEnd,
  findLastNumber,
  findLostLink,
  findNullLink,
} from "./end.js";
import { findGraphqlPage } from "./graphql.js";
import { findLink } from "./link.js";
import { findByNames, findUnshown } from "./names.js";
import { findNumber } from "./number.js";
import { findByRule } from "./rule.js";

const styles: readonly Style[] = [
  // The record's rule for this path.
  findByRule,
  // No rows, and `total: 9` after nine rows.
  findCountedEnd,
  // `Link: </orders?page=2>; rel="next"`, `next: "/orders?page=2"`.
  findLink,
  // `pageInfo { hasNextPage endCursor }`, under the variable of the query.
  findGraphqlPage,
  // `has_more: false`.
  findFlaggedEnd,
  // `next_cursor: "b7"`, under a name that the document, the request, a link or the answer gives.
  findCursor,
  // `next: null`.
  findNullLink,
  // `page: 1, total_pages: 3`, under a name that the document, the request or a link gives.
  findNumber,
  // A cursor or a number, under a usual name: a guess, which only `pages` tries.
  findByNames,
  // Page 3 of 3.
  findLastNumber,
  // A link that leads outside of the base URL.
  findLostLink,
  // `links: { self, prev }` without a `next`.
  findBackLink,
  // `?page=1`, or as many rows as were requested: a guess.
  findUnshown,
];

/** The first style that finds something decides. */
export function findWay(page: AnsweredPage): Found | undefined {
  for (const find of styles) {
    const found = find(page);
    if (found !== undefined) return found;
  }
  return undefined;
}
