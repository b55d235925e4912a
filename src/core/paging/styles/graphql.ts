/** A GraphQL connection (Relay), or a cursor that the query takes by a variable. */

import { isJsonObject, type JsonObject } from "../../base/exact-number.js";
import { isBlank, toText } from "../../base/shape.js";
import { clipText } from "../../base/text.js";
import { findStatedCursor } from "../find-stated-cursor.js";
import type { PagedRequest } from "../paged-request.js";
import { type AnsweredPage, changeParameters, type Found } from "../paging.js";

const maxQueryLength = 20_000;

/** A query language has braces; a search's `query` has words. */
function isGraphql({ body }: PagedRequest): boolean {
  return isJsonObject(body) && typeof body["query"] === "string" && body["query"].includes("{");
}

const queryAgain =
  "`hasNextPage` is true: query one connection alone, select `endCursor` in its `pageInfo`, and pass `$after` (`after: $after`) in `variables`";
/** A mutation that is sent again does its work again. */
const queryApart =
  "`hasNextPage` is true: read the rest by a query. This request may change something, so it is not to be sent again for it";

/** The argument of a query that takes the cursor. */
interface CursorArgument {
  readonly variables: JsonObject;
  /** The variable that is passed in it. */
  readonly name: string | undefined;
  /** Where the query begins, if not at the first row. */
  readonly startsAt: string | undefined;
}

function readArgument({ sent: { body } }: AnsweredPage): CursorArgument {
  const query = String(body?.["query"] ?? "").slice(0, maxQueryLength);
  const variables = isJsonObject(body?.["variables"]) ? body["variables"] : {};
  const [, name, literal]: readonly (string | undefined)[] =
    /\b(?:after|cursor)\s{0,20}:\s{0,20}(?:\$(\w{1,60})|"([^"]{1,500})")/.exec(query) ?? [];
  const start = literal ?? (name === undefined ? undefined : variables[name]);
  const startsAt = isBlank(start) ? undefined : `after=${clipText(toText(start) ?? "{…}", 40)}`;
  return { variables, name, startsAt };
}

/** Finds the end of nothing where the answer has neither a connection nor a cursor: it is of this style all the same. */
export function findGraphqlPage(page: AnsweredPage): Found | undefined {
  if (!isGraphql(page.request)) return undefined;
  const argument = readArgument(page);
  const infos = [...page.envelope.members.values()].flatMap(({ name, value }) =>
    name === "pageinfo" && isJsonObject(value) ? [value] : [],
  );
  const found =
    infos.length === 0 ? findByVariable(page, argument) : findOpen(page, infos, argument);
  return { ...found, evidence: { ...found.evidence, startsAt: argument.startsAt } };
}

const none: Found = { next: [], evidence: {} };

function findByVariable(page: AnsweredPage, argument: CursorArgument): Found {
  const cursor = argument.name === undefined ? undefined : findStatedCursor(page);
  if (cursor === undefined) return none;
  if (isBlank(cursor.value)) return { next: [], evidence: { isEnd: true } };
  return goOn(String(cursor.value), argument, page);
}

/** The connection that has more rows. Of two, no variable is known to be that of the one. */
function findOpen(
  page: AnsweredPage,
  infos: readonly JsonObject[],
  argument: CursorArgument,
): Found {
  const [open, ...others] = infos.filter((info) => info["hasNextPage"] === true);
  if (open === undefined) {
    const isEnd = infos.every(
      (info) => info["hasNextPage"] === false || info["endCursor"] === null,
    );
    return { next: [], evidence: { isEnd } };
  }
  const cursor = open["endCursor"];
  const isKnown = others.length === 0 && typeof cursor === "string" && cursor !== "";
  if (isKnown && argument.name !== undefined) return goOn(cursor, argument, page);
  const unreachable = page.isRead === true ? queryAgain : queryApart;
  return { next: [], evidence: { unreachable } };
}

function goOn(cursor: string, { variables, name = "" }: CursorArgument, page: AnsweredPage): Found {
  const set = { variables: { ...variables, [name]: cursor } };
  return changeParameters([{ set }], "cursor", page.sent);
}
