/** The names of a call that its operation doesn't have: the path, query parameters, top-level members of the body; and which name each nearly is. */

import { decodePercent, findDistance } from "../../core/base/text.js";
import { showName } from "./advise-call.js";
import type { ApiDocument } from "./api-document.js";
import type { Description } from "./knowledge.js";
import { findNearestName } from "./nearest.js";
import type { Operation } from "./operation.js";
import { isParameter, splitPath } from "./routes.js";
import { listMembers, listTypes } from "./schema.js";

/** The names of a call, as a model or code wrote them. */
export interface CallNames {
  readonly method: string;
  /** Below the base URL, encoded as it is sent, without a query. */
  readonly path: string;
  readonly query: readonly string[];
  /** The top-level members of the body. */
  readonly members: readonly string[];
  /** Names that are right although they are not described, and names that the record adds to the call. */
  readonly known: ReadonlySet<string>;
}

export interface UnknownName {
  readonly kind: "unknown_path" | "unknown_parameter" | "unknown_member";
  readonly name: string;
  /** All names of the operation that the call lacks; of a path none. */
  readonly others: readonly string[];
  /** The name that it nearly is, and that the call lacks. */
  readonly instead?: string | undefined;
}

export interface MisspeltName extends UnknownName {
  readonly instead: string;
}

export interface NamedOperation {
  /** Names it, such as `GET /orders/{id}`. */
  readonly operation: string;
  readonly unknown: readonly UnknownName[];
}

/** What reading the names of one operation may cost, in steps of a reader. */
const maxSteps = 25_000;
/** Of a hostile document or call no more names are compared. */
const maxDescribed = 500;
const maxGiven = 20;
const maxNameLength = 60;

/** Of several templates that the path fits, the one with the fewest unknown names. */
export function findUnknownNames(description: Description, call: CallNames): NamedOperation {
  const { method, path, known } = call;
  const fitting = description.match(path).flatMap(({ routes }) => routes);
  if (fitting.length === 0)
    return known.has(path) ? { operation: "", unknown: [] } : findMisspeltPath(description, call);
  const [best] = fitting
    .filter((route) => route.method === method)
    .map((route) => ({
      operation: `${method} ${route.path}`,
      unknown: compare(description.document.limitSteps(maxSteps), description.readOperation(route), call),
    }))
    .sort((one, other) => one.unknown.length - other.unknown.length);
  return best ?? { operation: "", unknown: [] };
}

/** The template that is the same but for one segment, which is nearly the same. */
function findMisspeltPath({ listed }: Description, { method, path }: CallNames): NamedOperation {
  const given = splitPath(path).map(decodePercent);
  const near = findNear(listed, ({ path: template }) => {
    const own = splitPath(template);
    const isWrong = (segment: string, index: number): boolean =>
      segment !== own[index] && !isParameter(own[index] ?? "");
    const first = own.length === given.length ? given.findIndex(isWrong) : -1;
    if (first === -1 || given.some((segment, index) => index > first && isWrong(segment, index)))
      return undefined;
    return [given[first] ?? "", own[first] ?? ""];
  });
  if (near === undefined) return { operation: "", unknown: [] };
  const { path: instead } = near.of;
  return {
    // Another value in the place of a parameter does not make it another operation.
    operation: `${method} ${instead} ${near.given}`,
    unknown: [{ kind: "unknown_path", name: path, others: [], instead }],
  };
}

function compare(document: ApiDocument, { parameters, body }: Operation, call: CallNames): UnknownName[] {
  const query = parameters.filter(({ place }) => place === "query");
  // The members of an exploded object are parameters themselves.
  const takesAny = query.some(({ isExploded, schema }) => {
    const { properties, ...rest } = document.follow(schema);
    return isExploded && (properties !== undefined || listTypes(rest).includes("object"));
  });
  const names = takesAny ? undefined : query.map(({ name }) => name);
  const members = listBodyMembers(document, body);
  return [
    ...findUnknown("unknown_parameter", names, call.query, call.known).filter(
      ({ name }) => !/^x[-_]/i.test(name),
    ),
    ...findUnknown("unknown_member", members, call.members, call.known),
  ];
}

/** Of all its media types; undefined where the body may have members of any name. */
function listBodyMembers(document: ApiDocument, body: Operation["body"]): string[] | undefined {
  const all = body?.media.map(({ schema }) => listMembers(document, document.follow(schema))) ?? [];
  const takesAny = all.some(({ names, isOpen }) => isOpen || names.size === 0);
  return takesAny || all.length === 0 ? undefined : all.flatMap(({ names }) => [...names.keys()]);
}

function findUnknown(
  kind: UnknownName["kind"],
  described: readonly string[] | undefined,
  given: readonly string[],
  known: ReadonlySet<string>,
): UnknownName[] {
  if (described === undefined) return [];
  const bases = new Set(given.map(findBase));
  const right = new Set([...described, ...known].map(findBase));
  const others = described
    .filter((name) => !bases.has(findBase(name)) && !known.has(name))
    .slice(0, maxDescribed);
  const unknown = [...bases].filter((name) => !right.has(name)).slice(0, maxGiven);
  return unknown.map((name) => {
    const instead = findNear(others, (other) => [name, findBase(other)])?.of;
    return { kind, name, others, instead };
  });
}

/** `ids[]`, `ids[0]` and `filter[state]` are written for `ids` and `filter`. */
function findBase(name: string): string {
  const bracket = name.indexOf("[");
  return bracket > 0 ? name.slice(0, bracket) : name;
}

/** @param pair - What of the call is compared with what of each; undefined where nothing is. */
function findNear<Each>(
  all: readonly Each[],
  pair: (each: Each) => readonly [given: string, name: string] | undefined,
): { readonly of: Each; readonly given: string } | undefined {
  let nearest: ReturnType<typeof findNear<Each>>;
  let least = Number.POSITIVE_INFINITY;
  for (const each of all) {
    const [given, name] = pair(each) ?? ["", ""];
    const distance = measure(given, name);
    if (distance < least) [nearest, least] = [{ of: each, given }, distance];
  }
  return nearest;
}

/**
 * How many letters are wrong, infinitely many where that is another name: one may be in a name of 4 to 7 characters, two in a longer one.
 * Case, `-` and `_` don't count, whatever the length.
 */
function measure(given: string, name: string): number {
  const shortest = Math.min(given.length, name.length);
  const most = shortest < 4 ? 0 : shortest < 8 ? 1 : 2;
  if (Math.max(given.length, name.length) > maxNameLength) return Number.POSITIVE_INFINITY;
  const [one = "", other = ""] = [given, name].map((text) => text.toLowerCase().replace(/[-_]/g, ""));
  const isOther = one === "" || Math.abs(one.length - other.length) > most;
  const distance = isOther ? Number.POSITIVE_INFINITY : findDistance(one, other);
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

/**
 * The note on a query parameter that was sent although the operation doesn't have it.
 *
 * @param request - Method and path, such as `GET /employees`.
 */
export function writeNote({ name, others }: UnknownName, request: string): string {
  const nearest = findNearestName(name, others);
  const near = nearest === undefined ? "" : ` Nearest: ${showName(nearest)}.`;
  return `${request} has no query parameter ${showName(name)}; the API may have ignored it.${near}`;
}
