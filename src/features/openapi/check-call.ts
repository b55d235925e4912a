/** Checks a call against the description before it is sent: what is certainly wrong with it, and what is described instead. */

import { readPlainJson } from "../../core/base/input.js";
import { hasSecretName } from "../../core/base/secret-name.js";
import { plural, quoteText } from "../../core/base/text.js";
import type { ApiDocument, Route } from "./api-document.js";
import { findProblemsUnlike } from "./check-value.js";
import type { Description } from "./knowledge.js";
import { createMistake, describeProblem, type Mistake } from "./mistake.js";
import { findNearestRoutes } from "./nearest.js";
import { findJson, isJsonType, type Operation, type Parameter } from "./operation.js";
import { listMembers, listTypes } from "./schema.js";

/** A call as it would be sent. */
export interface CheckedCall {
  readonly method: string;
  /** Below the base URL, encoded as it is sent, without a query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  readonly contentType?: string;
  /** Parameters that are allowed although they are not described: constant ones, the credential's, those that the API itself named. */
  readonly freeQuery: ReadonlySet<string>;
}

/** More of them are not listed: the first ones lead to the others. */
const maxMistakes = 6;
/** A larger body would take longer to look at than a mistake in it costs. */
const maxBodyBytes = 1_000_000;

/**
 * What is wrong, in words that are written when it is shown: a nearest name is looked for only then. A hostile description and a large
 * body can have thousands of mistakes together.
 */
type Found = () => Mistake;

/** @returns what is wrong; none for a call that may be right. */
export function checkCall(description: Description, call: CheckedCall): Mistake[] {
  const found = description.match(call.path).flatMap(({ routes, values }) => {
    const route = routes.find(({ method }) => method === call.method);
    return route === undefined ? [] : [checkOperation(description, route, values, call)];
  });
  const [best] = found.sort((one, other) => one.length - other.length);
  return best?.slice(0, maxMistakes).map((describe) => describe()) ?? [describeUnknown(description, call)];
}

/** What is described instead of an operation that is not. */
export function describeUnknown(
  { match, listed }: Description,
  { method, path }: Pick<CheckedCall, "method" | "path">,
): Mistake {
  const shown = quoteText(path, 200);
  const own = match(path)
    .flatMap(({ routes }) => routes)
    .filter((route) => listed.includes(route));
  const [first] = own;
  if (first === undefined) {
    const near = findNearestRoutes(listed, path, method).map((route) => `${route.method} ${route.path}`);
    return createMistake({
      kind: "unknown_path",
      at: "path",
      message: `${shown} is not in the API's OpenAPI document (${plural(listed.length, "operation")}).`,
      hint: near.length === 0 ? "Choose a described path." : `Nearest: ${near.join(", ")}.`,
      given: path,
      expected: near,
    });
  }
  const methods = [...new Set(own.map((each) => each.method))];
  const others = listed.filter((route) => route.method === method && route.path !== first.path);
  const near = findNearestRoutes(others, path, method).map((route) => route.path);
  const instead = near.length === 0 ? "" : ` ${method} is described for ${near.join(" and ")}.`;
  return createMistake({
    kind: "wrong_method",
    at: "method",
    message: `${shown} does not have ${method}.`,
    hint: `${first.path} has ${methods.join(", ")}.${instead}`,
    given: method,
    expected: methods,
  });
}

function checkOperation(
  { document, readOperation }: Description,
  route: Route,
  values: ReadonlyMap<string, string>,
  call: CheckedCall,
): Found[] {
  const { parameters, body } = readOperation(route);
  const inPath = [...values].flatMap(([name, value]) => {
    const parameter = parameters.find((each) => each.place === "path" && each.name === name);
    // A parameter that the document uses without saying what it is can still be left in.
    if (parameter !== undefined) return checkParameter(document, parameter, value);
    return isPlaceholder(value) ? [() => describePlaceholder("path", name, value)] : [];
  });
  const query = parameters.filter(({ place }) => place === "query");
  return [...inPath, ...checkQuery(document, query, call), ...checkBody(document, body, call)];
}

function checkParameter(document: ApiDocument, parameter: Parameter, value: string): Found[] {
  const { name, place, schema, examples, isEncoded } = parameter;
  if (examples.some((example) => String(example) === value)) return [];
  // A document in a parameter is the API's to read.
  const problems = isEncoded ? [] : findProblemsUnlike(examples, { document, schema, isText: true }, value);
  const isNamed = value.toLowerCase().includes(name.toLowerCase()) || /^(?:\{|<|your)/i.test(value);
  if (isPlaceholder(value) && (place === "path" || problems.length > 0 || isNamed))
    return [() => describePlaceholder(place, name, value)];
  return problems
    .slice(0, 1)
    .map((problem) => () => describeProblem(place === "path" ? "path" : "parameter", name, problem));
}

/** What documentation writes where a value belongs: `{id}`, `{{id}}`, `<id>`, `[id]`, `:id`, `$ID`, `YOUR_ID`. */
function isPlaceholder(value: string): boolean {
  return /^(?:\{{1,2}[\w .-]{1,60}\}{1,2}|<[\w .-]{1,60}>|\[[a-z][\w -]{0,60}\]|:[a-z_]\w{0,60}|\$\{?[a-z_]\w{0,60}\}?|your[_-][\w-]{1,60})$/i.test(
    value,
  );
}

function describePlaceholder(place: string, name: string, given: string): Mistake {
  return createMistake({
    kind: "placeholder",
    at: place === "path" ? `{${name}}` : name,
    message: `The ${place} contains a placeholder: ${quoteText(given, 80)}.`,
    hint: `Replace it by the value of \`${name}\`.`,
    given,
    expected: [name],
  });
}

function checkQuery(
  document: ApiDocument,
  parameters: readonly Parameter[],
  { query, freeQuery }: CheckedCall,
): Found[] {
  const types = new Map(parameters.map((each) => [each, listTypes(document.follow(each.schema))]));
  const typesOf = (parameter: Parameter): readonly string[] => types.get(parameter) ?? [];
  // The members of such an object are parameters themselves; of a free-form one any name is.
  const spread = parameters.filter(
    (each) => each.isExploded && !each.isEncoded && typesOf(each).includes("object"),
  );
  const members = spread.map(({ schema }) => listMembers(document, document.follow(schema)).names);
  const names = [...parameters.map(({ name }) => name), ...members.flatMap((each) => [...each.keys()])];
  const isFree = (name: string): boolean =>
    /^x[-_]/i.test(name) || freeQuery.has(name) || members.some((each) => each.size === 0 || each.has(name));
  const given = new Set(freeQuery);
  const wrong = query.flatMap(([name, value]): Found[] => {
    const parameter = parameters.find(
      (each) => each.name === name || isPartOf(name, each.name, typesOf(each)),
    );
    if (parameter === undefined)
      return isFree(name)
        ? []
        : [() => describeProblem("parameter", name, { kind: "unknown", given: name, expected: names })];
    given.add(parameter.name);
    return parameter.name === name && !spread.includes(parameter)
      ? checkParameter(document, parameter, value)
      : [];
  });
  // The record may send the credential otherwise than as the description's parameter.
  const missing = parameters
    .filter((each) => each.isRequired && !given.has(each.name) && !spread.includes(each))
    .filter(({ name }) => !hasSecretName(name, "query"));
  const describeMissing = (each: Parameter): Mistake =>
    describeProblem("parameter", each.name, { kind: "missing", given: "", expected: typesOf(each) });
  return [...wrong, ...missing.map((each) => () => describeMissing(each))];
}

/** `ids[]`, `ids[0]` and `filter[state]` are written for `ids` and `filter`, where these are lists or objects. */
function isPartOf(given: string, name: string, types: readonly string[]): boolean {
  const bracket = given.indexOf("[");
  if (bracket <= 0 || given.slice(0, bracket) !== name.replace(/\[\d*\]$/, "")) return false;
  return types.length === 0 || types.includes("array") || types.includes("object");
}

/** Bodies of other kinds than JSON are the API's to judge. */
function checkBody(document: ApiDocument, body: Operation["body"], call: CheckedCall): Found[] {
  if (body === undefined) return [];
  const json = findJson(body.media);
  if (call.body === undefined)
    return body.isRequired ? [() => describeMissingBody(document, json?.schema)] : [];
  const isJson = call.contentType === undefined || isJsonType(call.contentType);
  if (json === undefined || !isJson || call.body.length > maxBodyBytes) return [];
  const value = readPlainJson(new TextDecoder().decode(call.body));
  return findProblemsUnlike(json.examples, { document, schema: json.schema }, value).map((problem) => {
    const at = problem.at === "" || problem.at.startsWith("[") ? `body${problem.at}` : `body.${problem.at}`;
    return () => describeProblem("member", at, problem);
  });
}

function describeMissingBody(document: ApiDocument, schema: unknown): Mistake {
  const required = [...listMembers(document, document.follow(schema)).required];
  const names = required.map((name) => `\`${name}\``).join(", ");
  return createMistake({
    kind: "missing_body",
    at: "body",
    message: "The body is missing.",
    hint: `Send a body${names === "" ? "" : ` with ${names}`}.`,
    given: "",
    expected: names === "" ? ["body"] : required,
  });
}
