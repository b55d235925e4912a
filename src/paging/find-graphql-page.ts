/** Finds the next page of a GraphQL connection, by the variable that the query itself uses. */

import { isJsonObject } from "../json/exact-number.js";
import { isBlank } from "../json/shape.js";
import { clipText } from "../text.js";
import { changeParameters } from "./change-parameters.js";
import type { AnsweredPage, WayFound } from "./paging.js";

const maxQueryLength = 20_000;

/** A GraphQL connection (Relay): `pageInfo { hasNextPage endCursor }`. It finds nothing where the answer has no connection outside of its rows. */
export function findGraphqlPage({ envelope: { members }, sent }: AnsweredPage): WayFound {
  const { body } = sent;
  const query = String(body?.["query"] ?? "").slice(0, maxQueryLength);
  const variables = isJsonObject(body?.["variables"]) ? body["variables"] : {};
  const infos = [...members.values()].flatMap(({ name, value }) =>
    name === "pageinfo" && isJsonObject(value) ? [value] : [],
  );
  const [, name, literal]: readonly (string | undefined)[] =
    /\b(?:after|cursor)\s{0,20}:\s{0,20}(?:\$(\w{1,60})|"([^"]{1,500})")/.exec(query) ?? [];
  const start = literal ?? (name === undefined ? undefined : variables[name]);
  const startsAt = isBlank(start) ? undefined : `after=${clipText(String(start), 40)}`;
  const open = infos.filter((info) => info["hasNextPage"] === true);
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
  const change = { set: { variables: { ...variables, [name]: cursor } }, isNamed: true };
  return { startsAt, ...changeParameters([change], "cursor", sent) };
}
