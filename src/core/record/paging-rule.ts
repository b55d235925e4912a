/** How an API pages, where its responses do not show it: the rules of a record. */

import type { z } from "zod";
import type { ApiSettings, Frozen } from "./api-source.js";
import type { pagingRuleSchema } from "./paging-schema.js";

/** One way of paging; exactly one of `next`, `page` and `offset` is given. */
export type PagingRule = Frozen<z.output<typeof pagingRuleSchema>>;

/** The rules of a setting, none where the API does not page or the record does not say. */
export function listPagingRules(paging: ApiSettings["paging"]): readonly PagingRule[] {
  return paging === undefined || paging === "none" ? [] : [paging].flat();
}
