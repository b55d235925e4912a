/** Compares a call with an API's document, in one pass over its operation: names, types and values. */

import { isPlainObject } from "../../core/base/input.js";
import { hasSecretName } from "../../core/base/secret-name.js";
import type { QueryPair } from "../../core/request/query-style.js";
import { type Advice, compareNames, describeMissing, findBase, showName } from "./advice.js";
import { add, compareText, compareValue, type Walk } from "./compare-schema.js";
import type { Description } from "./knowledge.js";
import { findSentMedia } from "./make-example.js";
import type { Parameter } from "./operation.js";
import { listFixed, type RouteMatch } from "./paths.js";
import { findMembers, type Members, readTypes } from "./schema.js";

/** A call as it is compared. */
export interface ComparedCall {
  readonly method: string;
  /** Below the base URL, encoded as it is sent, without a query. */
  readonly path: string;
  readonly query: readonly QueryPair[];
  /** The value of a JSON body; null for another body, and undefined without one. */
  readonly body?: unknown;
  /** The fields of a form or a multipart body, as text. */
  readonly fields?: readonly QueryPair[];
  /** The names of the headers that are sent besides the credential. */
  readonly headers: readonly string[];
  /** Names that are right although they are not described: those that the record adds, and those that the API itself named. */
  readonly known: ReadonlySet<string>;
}

/** The steps of a reader that one operation may cost. */
const maxSteps = 25_000;

/** Unknown names first. @returns none for a call that may be right. */
export function compareCall(
  { document, mayBeSent, readOperation }: Description,
  { route, values }: RouteMatch,
  call: ComparedCall,
): readonly Advice[] {
  const walk: Walk = {
    document: document.limitSteps(maxSteps),
    found: [],
    isText: false,
    isExact: false,
  };
  const { parameters, body } = readOperation(route);
  const query = parameters.filter(({ place }) => place === "query");
  const schema = walk.document.follow(findSentMedia(body?.media ?? [])?.schema);
  const members = findMembers(walk.document, schema);
  const fixed = listFixed(route).map(([name]) => ({ name }));
  // The members of an exploded object are parameters themselves.
  if (!query.some(({ style }) => style === "members")) {
    const sent = call.query.map(([name]) => name);
    const given = sent.filter((name) => !/^x[-_]/i.test(name));
    const described = [...query, ...fixed].map(({ name }) => name);
    const place = { kind: "unknown_parameter", known: call.known } as const;
    walk.found.push(...compareNames(place, given, described));
  }
  if (isPlainObject(call.body) && !members.isOpen) {
    const place = { kind: "unknown_member", at: "body", known: call.known } as const;
    const given = Object.keys(call.body);
    const described = [...members.names.keys()];
    walk.found.push(...compareNames(place, given, described));
  }
  for (const { name, place, schema } of parameters) {
    const value = values.get(name);
    if (place === "path" && value !== undefined)
      compareText(walk, schema, value, {
        at: `{${name}}`,
        subject: `${showName(name)} in the path`,
      });
  }
  for (const parameter of query) {
    walk.found.push(...compareInBrackets(walk, parameter, call));
    compareParameter(walk, parameter, call);
  }
  const inHeader = parameters.filter(({ place }) => place === "header");
  for (const parameter of inHeader.filter(mayBeSent)) compareHeader(walk, parameter, call);
  for (const [name, value] of call.fields ?? [])
    compareText(walk, members.names.get(name), value, { at: `body.${name}` });
  // Bodies of other kinds than JSON and forms are the API's to judge.
  compareValue(walk, schema, call.body, { at: "body", depth: 0, known: members });
  if (body?.isRequired === true && call.body === undefined) add(walk, describeMissingBody(members));
  return walk.found;
}

/** The names inside of an object in brackets, `filter[state]`, are names of parameters. */
function compareInBrackets(
  { document }: Walk,
  { name, schema, style }: Parameter,
  { query, known }: ComparedCall,
): Advice[] {
  const sent = query.map(([given]) => given).filter((given) => given.startsWith(`${name}[`));
  if (style !== "brackets" || sent.length === 0) return [];
  const { names, isOpen } = findMembers(document, document.follow(schema));
  if (isOpen) return [];
  const inside = sent.map((given) => /^\[([^[\]]*)/.exec(given.slice(name.length))?.[1] ?? "");
  const write = (member: string | undefined): string | undefined =>
    member === undefined ? undefined : `${name}[${member}]`;
  const unknown = inside.filter((each) => !known.has(`${name}[${each}]`));
  const place = { kind: "unknown_parameter", at: name } as const;
  return compareNames(place, unknown, [...names.keys()]).map((advice) => ({
    ...advice,
    at: write(advice.name) ?? advice.at,
    name: write(advice.name),
    nearest: write(advice.nearest),
    instead: write(advice.instead),
  }));
}

function compareParameter(
  walk: Walk,
  { name, schema, style, isRequired }: Parameter,
  { query, known }: ComparedCall,
): void {
  const subject = `The query parameter ${showName(name)}`;
  const place = { at: name, subject };
  for (const [given, value] of query)
    if (given === name && style !== "json") compareText(walk, schema, value, place);
  const isGiven = [...query.map(([given]) => given), ...known].some(
    (given) => findBase(given) === findBase(name),
  );
  // The record may send the credential otherwise than as the description's parameter.
  if (isRequired && !isGiven && style !== "members" && !hasSecretName(name, "query"))
    add(
      walk,
      describeMissing(name, subject, readTypes(walk.document, walk.document.follow(schema))),
    );
}

/** The value of a header is the API's to judge. */
function compareHeader(
  walk: Walk,
  { name, schema, isRequired }: Parameter,
  { headers }: ComparedCall,
): void {
  const isGiven = headers.some((header) => header.toLowerCase() === name.toLowerCase());
  if (!isRequired || isGiven) return;
  const subject = `The header ${showName(name)}`;
  const types = readTypes(walk.document, walk.document.follow(schema));
  add(walk, describeMissing(name, subject, types));
}

function describeMissingBody({ required }: Members): Advice {
  const names = [...required].map((name) => `\`${name}\``).join(", ");
  const hint = `Send a body${names === "" ? "" : ` with ${names}`}.`;
  return { kind: "missing", at: "body", message: "The body is missing.", hint };
}
