/** What an API's document knows about a call that was refused, in one pass over its operation: names, types and values; whatever else a schema asks for is left to the API. */

import { isPlainObject, readPlainJson } from "../../core/base/input.js";
import { hasSecretName } from "../../core/base/secret-name.js";
import { quoteText } from "../../core/base/text.js";
import { type Advice, adviseRoute } from "./advise-route.js";
import type { ApiDocument } from "./api-document.js";
import type { Description } from "./knowledge.js";
import { findNearestName } from "./nearest.js";
import { findJson, isJsonType, type Operation, type Parameter } from "./operation.js";
import { asList, asObject, type Plain } from "./parse-document.js";
import { listBranches, listMembers, listTypes, listValues, type Members } from "./schema.js";

/** A call as it was sent. */
export interface RefusedCall {
  readonly method: string;
  /** Below the base URL, encoded as it is sent, without a query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  readonly contentType?: string;
  /** Parameters that are allowed although they are not described: constant ones, the credential's, those that the API itself named. */
  readonly freeQuery: ReadonlySet<string>;
}

/** More is not listed: the first ones lead to the others. */
const maxAdvice = 6;
/** A larger body would take longer to look at than a mistake in it costs. */
const maxBodyBytes = 1_000_000;
/** What reading one operation may cost, in steps of a reader; so many values or members cost as much as one. */
const maxSteps = 25_000;
const perStep = 50;
const maxDepth = 24;
/** Of longer lists of values or names no more are compared or shown. */
const maxCompared = 300;
const maxShown = 20;
const maxMembers = 1_000;

interface Walk {
  readonly document: ApiDocument;
  readonly found: Advice[];
  readonly members: Map<Plain, Members>;
}

/** @returns none for a call that may be right. */
export function adviseCall(description: Description, call: RefusedCall): Advice[] {
  const fitting = description.match(call.path).flatMap(({ routes, values }) => {
    const route = routes.find(({ method }) => method === call.method);
    if (route === undefined) return [];
    const document = description.document.limitSteps(maxSteps);
    const walk: Walk = { document, found: [], members: new Map() };
    compare(walk, description.readOperation(route), values, call);
    return [walk.found];
  });
  const [best] = fitting.sort((one, other) => one.length - other.length);
  return best?.slice(0, maxAdvice) ?? [adviseRoute(description, call)];
}

function compare(
  walk: Walk,
  { parameters, body }: Operation,
  values: ReadonlyMap<string, string>,
  call: RefusedCall,
): void {
  for (const [name, value] of values) {
    const parameter = parameters.find((each) => each.place === "path" && each.name === name);
    if (isPlaceholder(value))
      add(walk, {
        kind: "placeholder",
        at: `{${name}}`,
        message: `The path contains a placeholder: ${quoteText(value, 80)}.`,
        hint: `Replace it by the value of \`${name}\`.`,
      });
    else if (parameter !== undefined && !parameter.isEncoded)
      compareText(walk, parameter.schema, value, `{${name}}`, `${showName(name)} in the path`);
  }
  compareQuery(walk, parameters, call);
  if (body !== undefined) compareBody(walk, body, call);
}

/** What documentation writes where a value belongs: `{id}`, `{{id}}`, `<id>`, `[id]`, `:id`, `$ID`, `YOUR_ID`. */
function isPlaceholder(value: string): boolean {
  return /^(?:\{{1,2}[\w .-]{1,60}\}{1,2}|<[\w .-]{1,60}>|\[[a-z][\w -]{0,60}\]|:[a-z_]\w{0,60}|\$\{?[a-z_]\w{0,60}\}?|your[_-][\w-]{1,60})$/i.test(
    value,
  );
}

function add({ found }: Walk, advice: Advice): void {
  if (found.length < maxAdvice) found.push(advice);
}

function compareQuery(walk: Walk, all: readonly Parameter[], { query, freeQuery }: RefusedCall): void {
  const { document } = walk;
  const parameters = all.filter(({ place }) => place === "query");
  const typesOf = (parameter: Parameter): string[] => listTypes(document.follow(parameter.schema));
  // The members of such an object are parameters themselves; of a free-form one any name is.
  const spread = parameters.filter(
    (each) => each.isExploded && !each.isEncoded && typesOf(each).includes("object"),
  );
  const members = spread.map(({ schema }) => readMembers(walk, document.follow(schema)).names);
  const names = [...parameters.map(({ name }) => name), ...members.flatMap((each) => [...each.keys()])];
  const isFree = (name: string): boolean =>
    /^x[-_]/i.test(name) || freeQuery.has(name) || members.some((each) => each.size === 0 || each.has(name));
  const given = new Set(freeQuery);
  for (const [name, value] of query) {
    const parameter = parameters.find((each) => each.name === name || isPartOf(name, each.name));
    if (parameter !== undefined) {
      given.add(parameter.name);
      if (parameter.name === name && !parameter.isEncoded && !spread.includes(parameter))
        compareText(walk, parameter.schema, value, name, `The query parameter ${showName(name)}`);
    } else if (!isFree(name))
      add(walk, describeUnknownName(name, `query parameter ${showName(name)}`, names, name));
  }
  for (const parameter of parameters) {
    const { name, isRequired } = parameter;
    // The record may send the credential otherwise than as the description's parameter.
    if (!isRequired || given.has(name) || spread.includes(parameter) || hasSecretName(name, "query"))
      continue;
    add(walk, describeMissing(name, `The query parameter ${showName(name)}`, typesOf(parameter)));
  }
}

/** `ids[]`, `ids[0]` and `filter[state]` are written for `ids` and `filter`. */
function isPartOf(given: string, name: string): boolean {
  const bracket = given.indexOf("[");
  return bracket > 0 && given.slice(0, bracket) === name.replace(/\[\d*\]$/, "");
}

/** Bodies of other kinds than JSON are the API's to judge. */
function compareBody(walk: Walk, body: NonNullable<Operation["body"]>, call: RefusedCall): void {
  const { document } = walk;
  const json = findJson(body.media);
  if (call.body === undefined) {
    if (!body.isRequired) return;
    const required = [...readMembers(walk, document.follow(json?.schema)).required].map(
      (name) => `\`${name}\``,
    );
    const members = required.length === 0 ? "" : ` with ${required.join(", ")}`;
    add(walk, {
      kind: "missing",
      at: "body",
      message: "The body is missing.",
      hint: `Send a body${members}.`,
    });
    return;
  }
  const isJson = call.contentType === undefined || isJsonType(call.contentType);
  if (json === undefined || !isJson || call.body.length > maxBodyBytes) return;
  compareValue(walk, json.schema, readPlainJson(new TextDecoder().decode(call.body)), {
    at: "body",
    depth: 0,
  });
}

interface ValuePlace {
  readonly at: string;
  readonly depth: number;
  /** Members that the schemas around this one know: where several are joined, only the outermost knows all the names. */
  readonly known?: Members | undefined;
}

function compareValue(walk: Walk, given: unknown, value: unknown, { at, depth, known }: ValuePlace): void {
  const { document, found } = walk;
  // Documents forget `nullable` more often than not.
  if (value === null || value === undefined || !isPlainObject(given)) return;
  if (found.length >= maxAdvice || depth > maxDepth || !document.spend(1)) return;
  const schema = document.follow(given);
  const types = listTypes(schema);
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    const message = `${showName(at)} is ${withArticle(nameType(value))}.`;
    add(walk, { kind: "type", at, message, hint: `It must be ${types.map(withArticle).join(" or ")}.` });
    return;
  }
  const own = isPlainObject(value) ? (known ?? readMembers(walk, schema)) : undefined;
  for (const branch of [...listBranches(document, schema["allOf"]), ...listOnlyAlternative(walk, schema)])
    compareValue(walk, branch, value, { at, depth: depth + 1, known: own });
  if (typeof value !== "object") compareChoice(walk, schema, value, at, showName(at));
  else if (Array.isArray(value))
    for (const [index, item] of value.slice(0, maxMembers).entries())
      compareValue(walk, schema["items"], item, { at: `${at}[${index}]`, depth: depth + 1 });
  else if (own !== undefined && isPlainObject(value))
    compareMembers(walk, schema, value, { at, depth, known }, own);
}

function compareMembers(walk: Walk, schema: Plain, value: Plain, here: ValuePlace, own: Members): void {
  const { document } = walk;
  const { at, depth } = here;
  for (const name of asList(schema["required"]).slice(0, maxMembers).map(String)) {
    const member = document.follow(own.names.get(name));
    const isMissing = !Object.hasOwn(value, name) && member["readOnly"] !== true;
    if (isMissing && document.spend(0))
      add(walk, describeMissing(`${at}.${name}`, showName(`${at}.${name}`), listTypes(member)));
  }
  const properties = asObject(schema["properties"]);
  const names = Object.keys(value).slice(0, maxMembers);
  if (!document.spend(names.length / perStep)) return;
  for (const name of names) {
    const place = `${at}.${name}`;
    if (Object.hasOwn(properties, name))
      compareValue(walk, properties[name], value[name], { at: place, depth: depth + 1 });
    else if (!own.names.has(name) && here.known === undefined && own.isClosed)
      add(walk, describeUnknownName(place, showName(place), [...own.names.keys()], name));
  }
}

/** The branch of `anyOf` or `oneOf` where the other one is `null`; between real alternatives the API decides. */
function listOnlyAlternative({ document }: Walk, schema: Plain): readonly unknown[] {
  return ["anyOf", "oneOf"].flatMap((name) => {
    const branches = listBranches(document, schema[name]).filter(
      (branch) => asObject(branch)["type"] !== "null",
    );
    return branches.length === 1 ? branches : [];
  });
}

function readMembers({ document, members }: Walk, schema: Plain): Members {
  const known = members.get(schema) ?? listMembers(document, schema);
  members.set(schema, known);
  return known;
}

/** A parameter travels as text: `5` is an integer there, and `a,b` a list; the values of a list are not divided again. */
function compareText(walk: Walk, given: unknown, text: string, at: string, subject: string): void {
  const schema = walk.document.follow(given);
  const types = listTypes(schema);
  if (text === "" || types.includes("object")) return;
  if (types.includes("array")) {
    if (listTypes(walk.document.follow(schema["items"])).includes("array")) return;
    for (const part of text
      .split(/[,|\s]+/)
      .filter(Boolean)
      .slice(0, 100))
      compareText(walk, schema["items"], part, at, subject);
    return;
  }
  if (types.length > 0 && !types.some((type) => isTextOf(type, text))) {
    const hint = `It must be ${types.map(withArticle).join(" or ")}.`;
    add(walk, { kind: "type", at, message: `${subject} is ${quoteText(text, 80)}.`, hint });
    return;
  }
  compareChoice(walk, schema, text, at, subject);
}

function compareChoice(walk: Walk, schema: Plain, value: unknown, at: string, subject: string): void {
  // Before they are listed: that looks for the default among them.
  if (!walk.document.spend(asList(schema["enum"]).length / perStep)) return;
  const values = listValues(schema);
  if (values === undefined) return;
  const text = String(value);
  // `True` is `true` to a reader of text; a word in another case is another word.
  if (values.some((each) => String(each) === (typeof each === "boolean" ? text.toLowerCase() : text))) return;
  const names = values.filter((each) => each !== null).map(String);
  const nearest = names.length > 1 ? findNearestName(text, names.slice(0, maxCompared)) : undefined;
  const likeliest = nearest === undefined ? "" : `; the nearest is ${quoteText(nearest, 40)}`;
  const shown = names.slice(0, maxShown).map((each) => quoteText(each, 40));
  const more = names.length > maxShown ? ` and ${names.length - maxShown} more` : "";
  const choices = `${shown.join(", ")}${more}${likeliest}`;
  add(walk, {
    kind: "enum",
    at,
    message: `${subject} is ${quoteText(text, 80)}.`,
    hint: `It is one of ${choices}.`,
  });
}

function describeMissing(at: string, subject: string, types: readonly string[]): Advice {
  const type = types.length === 0 ? "" : `, of type ${types.join(" or ")}`;
  return { kind: "missing", at, message: `${subject} is missing.`, hint: `Add ${showName(at)}${type}.` };
}

function describeUnknownName(at: string, subject: string, names: readonly string[], given: string): Advice {
  const nearest = findNearestName(given, names.slice(0, maxCompared));
  const likeliest = nearest === undefined ? "" : `The nearest to ${quoteText(given, 80)} is \`${nearest}\`. `;
  const others = names.length === 0 ? "It takes none." : `There are ${names.slice(0, 30).join(", ")}.`;
  return { kind: "unknown", at, message: `There is no ${subject}.`, hint: `${likeliest}${others}` };
}

function isTextOf(type: string, text: string): boolean {
  if (type === "integer") return /^[+-]?\d{1,40}$/.test(text);
  if (type === "number") return Number.isFinite(Number(text));
  return type !== "boolean" || /^(?:true|false|0|1)$/i.test(text);
}

function isOf(type: string, value: unknown): boolean {
  return nameType(value) === type || (type === "number" && typeof value === "number");
}

function nameType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** A name in code marks, whatever characters it has. */
export function showName(name: string): string {
  return `\`${quoteText(name, 200).slice(1, -1)}\``;
}
