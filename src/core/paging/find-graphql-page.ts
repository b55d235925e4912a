/** The next page of a GraphQL query: a connection (Relay), or a cursor that the query takes by a variable. */

import { isJsonObject } from "../base/exact-number.js";
import { isBlank } from "../base/shape.js";
import { clipText } from "../base/text.js";
import { changeParameters } from "./change-parameters.js";
import { findCursor } from "./find-next-cursor.js";
import type { PagedRequest } from "./paged-request.js";
import type { AnsweredPage, WayFound } from "./paging.js";

const maxQueryLength = 20_000;

/** A query language has braces; a search's `query` has words. */
export function isGraphql({ body }: PagedRequest): boolean {
  return isJsonObject(body) && typeof body["query"] === "string" && body["query"].includes("{");
}

/** Finds nothing where the answer has no connection and no cursor outside of its rows. */
export function findGraphqlPage({ envelope, sent }: AnsweredPage): WayFound {
  const { body } = sent;
  const query = String(body?.["query"] ?? "").slice(0, maxQueryLength);
  const variables = isJsonObject(body?.["variables"]) ? body["variables"] : {};
  const infos = [...envelope.members.values()].flatMap(({ name, value }) =>
    name === "pageinfo" && isJsonObject(value) ? [value] : [],
  );
  const [, name, literal]: readonly (string | undefined)[] =
    /\b(?:after|cursor)\s{0,20}:\s{0,20}(?:\$(\w{1,60})|"([^"]{1,500})")/.exec(query) ?? [];
  const start = literal ?? (name === undefined ? undefined : variables[name]);
  const startsAt = isBlank(start) ? undefined : `after=${clipText(String(start), 40)}`;
  const goOn = (cursor: string, variable: string): WayFound => {
    const set = { variables: { ...variables, [variable]: cursor } };
    return { startsAt, ...changeParameters([{ set, isNamed: true, stated: "variables" }], "cursor", sent) };
  };
  const open = infos.filter((info) => info["hasNextPage"] === true);
  if (infos.length === 0 && name !== undefined) {
    const cursor = findCursor(envelope);
    if (cursor === undefined) return { startsAt, candidates: [] };
    return isBlank(cursor.value)
      ? { startsAt, candidates: [], isEnd: true }
      : goOn(String(cursor.value), name);
  }
  if (open.length === 0) {
    const isEnd = infos.every((info) => info["hasNextPage"] === false || info["endCursor"] === null);
    return { startsAt, candidates: [], isEnd: infos.length > 0 && isEnd };
  }
  const why = (unreachable: string): WayFound => ({ candidates: [], unreachable });
  if (open.length > 1)
    return why(`${open.length} connections of the query have more rows: query each of them alone`);
  const cursor = open[0]?.["endCursor"];
  if (typeof cursor !== "string" || cursor === "")
    return why("`hasNextPage` is true, and the query does not select `endCursor`: add it to `pageInfo`");
  if (name === undefined)
    return why(
      "`hasNextPage` is true: add `$after` to the query (`after: $after`) and pass it in `variables`",
    );
  return goOn(cursor, name);
}
