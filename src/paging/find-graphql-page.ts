/** Finds the next page of a GraphQL connection, by the variable that the query itself uses. */

import { isJsonObject, type JsonObject } from "../json/exact-number.js";
import { isBlank } from "../json/shape.js";
import { clipText } from "../text.js";
import type { Parameters } from "./paged-request.js";
import type { Envelope } from "./read-envelope.js";

const maxQueryLength = 20_000;

export interface GraphqlPage {
  /** The cursor that the request itself began at. */
  readonly startsAt?: string | undefined;
  /** The variables for the next page. */
  readonly variables?: JsonObject;
  readonly isEnd: boolean;
  /** Why a page that exists can't be requested. */
  readonly why?: string;
}

/** A GraphQL connection (Relay): `pageInfo { hasNextPage endCursor }`. Undefined when the answer has no connection outside of its rows. */
export function findGraphqlPage({ members }: Envelope, { body }: Parameters): GraphqlPage | undefined {
  const query = String(body?.["query"] ?? "").slice(0, maxQueryLength);
  const variables = isJsonObject(body?.["variables"]) ? body["variables"] : {};
  const infos = [...members.values()].flatMap(({ name, value }) =>
    name === "pageinfo" && isJsonObject(value) ? [value] : [],
  );
  if (infos.length === 0) return undefined;
  const [, name, literal]: readonly (string | undefined)[] =
    /\b(?:after|cursor)\s{0,20}:\s{0,20}(?:\$(\w{1,60})|"([^"]{1,500})")/.exec(query) ?? [];
  const start = literal ?? (name === undefined ? undefined : variables[name]);
  const startsAt = isBlank(start) ? undefined : `after=${clipText(String(start), 40)}`;
  const open = infos.filter((info) => info["hasNextPage"] === true);
  if (open.length === 0)
    return {
      startsAt,
      isEnd: infos.every((info) => info["hasNextPage"] === false || info["endCursor"] === null),
    };
  const why = (text: string): GraphqlPage => ({ isEnd: false, why: text });
  if (open.length > 1)
    return why(`${open.length} connections of the query have more rows: query each of them alone`);
  const cursor = open[0]?.["endCursor"];
  if (typeof cursor !== "string" || cursor === "")
    return why("`hasNextPage` is true, and the query does not select `endCursor`: add it to `pageInfo`");
  if (name === undefined)
    return why(
      "`hasNextPage` is true: add `$after` to the query (`after: $after`) and pass it in `variables`",
    );
  return { startsAt, variables: { ...variables, [name]: cursor }, isEnd: false };
}
