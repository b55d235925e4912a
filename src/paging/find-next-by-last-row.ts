/** Finds the next page where an API continues after the last row: Stripe, OpenAI, Anthropic, Elasticsearch. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, toText } from "../json/shape.js";
import type { NextPage, PagePlace } from "./page-place.js";
import { type PagingFacts, toPlainJson } from "./paging-facts.js";

/** Undefined unless the response says that there is more, or a search sorted for `search_after` filled its page. */
export function findNextByLastRow(facts: PagingFacts, place: PagePlace): NextPage | undefined {
  const { rows, members } = facts;
  if (rows === undefined || rows.length === 0) return undefined;
  if (facts.more !== true) return findSearchAfter(rows, place);
  const isList = members.get("object")?.value === "list";
  const lastId = toText(members.get("lastid")?.value);
  if (lastId !== undefined) return continueAfter(place, isList ? "after" : "after_id", lastId);
  if (!isList) return undefined;
  // Read backwards, a page's first row is where the next one ends.
  const isBackward = place.find(["endingbefore"]) !== undefined;
  const id = idOf(isBackward ? rows[0] : rows.at(-1));
  return id === undefined
    ? undefined
    : continueAfter(place, isBackward ? "ending_before" : "starting_after", id);
}

function continueAfter(place: PagePlace, name: string, id: string): NextPage | undefined {
  return place.find([name.replaceAll("_", "")])?.value === id ? undefined : place.change({ [name]: id });
}

function idOf(row: JsonValue | undefined): string | undefined {
  return isObject(row) ? toText(row["id"]) : undefined;
}

/** Elasticsearch: a sorted search without `from` continues after the `sort` values of its last hit. */
function findSearchAfter(rows: readonly JsonValue[], { body, change }: PagePlace): NextPage | undefined {
  const last = rows.at(-1);
  if (body === undefined || body["sort"] === undefined || body["from"] !== undefined) return undefined;
  if (rows.length !== body["size"] || !isObject(last)) return undefined;
  const sort = last["sort"];
  return Array.isArray(sort) && sort.length > 0 ? change({ search_after: toPlainJson(sort) }) : undefined;
}
