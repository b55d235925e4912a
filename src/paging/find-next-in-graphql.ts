/** Finds the next page of a GraphQL connection (Relay cursor connections): `pageInfo { hasNextPage endCursor }`. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, type JsonObject } from "../json/shape.js";
import type { NextPage, PagePlace } from "./page-place.js";

const maxDepth = 8;
const maxVisits = 500;

/** Undefined unless the query takes a cursor variable and exactly one connection has more: of several it can't be told whose it is. */
export function findNextInGraphql(
  root: JsonValue | undefined,
  { body, change }: PagePlace,
): NextPage | undefined {
  const query = body?.["query"];
  if (typeof query !== "string" || !isObject(root) || !isObject(root["data"])) return undefined;
  const variables = isObject(body?.["variables"]) ? body["variables"] : {};
  const name = nameVariable(query, variables);
  const open = listPageInfos(root["data"]).filter((info) => info["hasNextPage"] === true);
  const cursor = open.length === 1 ? open[0]?.["endCursor"] : undefined;
  if (name === undefined || typeof cursor !== "string" || cursor === "" || variables[name] === cursor)
    return undefined;
  return change({ variables: { ...variables, [name]: cursor } });
}

function nameVariable(query: string, variables: JsonObject): string | undefined {
  const declared = [...query.slice(0, 20_000).matchAll(/\$(\w{1,60})\s*:/g)].map((match) => match[1] ?? "");
  const names = [...declared, ...Object.keys(variables)];
  return (
    names.find((name) => /^after$/i.test(name)) ??
    names.find((name) => /after|cursor/i.test(name) && !/before/i.test(name))
  );
}

function listPageInfos(data: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  let level: JsonValue[] = [data];
  let visits = 0;
  for (let depth = 0; depth < maxDepth && level.length > 0; depth++) {
    const below: JsonValue[] = [];
    for (const value of level) {
      if (!isObject(value) || visits++ > maxVisits) continue;
      const info = value["pageInfo"];
      if (isObject(info)) found.push(info);
      below.push(...Object.values(value).slice(0, 50).filter(isObject));
    }
    level = below;
  }
  return found;
}
