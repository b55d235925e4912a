/** Holds a call against the description before it is sent: what is certainly wrong with it, and what there is instead. */

import { plural, quoteText } from "../text.js";
import { checkBody } from "./check-body.js";
import { contradictsItself, findTextFlaw } from "./check-text.js";
import { listTypes } from "./check-value.js";
import type { Description } from "./description.js";
import { listMembers } from "./list-members.js";
import { type CheckedCall, createMistake, describeExpected, type Mistake } from "./mistake.js";
import { findNearestName } from "./nearest.js";
import { findNearestRoutes } from "./nearest-route.js";
import type { Operation, Parameter } from "./operation.js";
import { toCallPath, toDocumentPaths } from "./place-paths.js";
import type { Route, RouteMatch } from "./routes.js";

/** At most this many are told: the first ones lead to the others. */
const maxMistakes = 6;

/** @returns what is wrong; none for a call that may be right. */
export function checkCall(description: Description, call: CheckedCall): Mistake[] {
  const paths = toDocumentPaths(description.placement, call.path);
  const matches = paths.flatMap((path) => description.routes.match(path));
  const candidates = matches.flatMap((match) =>
    match.routes.filter(({ method }) => method === call.method).map((route) => ({ route, match })),
  );
  if (candidates.length === 0) return [describeUnknown(description, call, matches)];
  let best: Mistake[] | undefined;
  for (const { route, match } of candidates) {
    const found = checkOperation(description, description.readOperation(route), match, call);
    if (found.length === 0) return [];
    if (best === undefined || found.length < best.length) best = found;
  }
  return (best ?? []).slice(0, maxMistakes);
}

function describeUnknown(
  description: Description,
  call: CheckedCall,
  matches: readonly RouteMatch[],
): Mistake {
  const shown = quoteText(call.path, 200);
  const own = matches.flatMap(({ routes }) => routes);
  const [first] = own;
  if (first !== undefined) {
    const methods = [...new Set(own.map(({ method }) => method))];
    const near = findNearestRoutes(description, { ...call, onlyMethod: true }).filter(
      ({ template }) => template !== first.template,
    );
    const instead =
      near.length === 0
        ? ""
        : ` ${call.method} is there for ${near.map((route) => nameRoute(description, route)).join(" and ")}.`;
    return createMistake("wrong_method", "method", {
      message: `${call.method} ${shown}: the path is there, but not with ${call.method}.`,
      hint: `${toCallPath(description.placement, first.template) ?? first.template} has ${methods.join(", ")}.${instead}`,
      given: call.method,
      expected: methods,
    });
  }
  const near = findNearestRoutes(description, call);
  const names = near.map((route) => `${route.method} ${nameRoute(description, route)}`);
  return createMistake("unknown_path", "path", {
    message: `${shown} is no path of this API, by its description of ${plural(description.routes.all.length, "operation")}.`,
    hint: names.length === 0 ? "Look for the path that is meant." : `The nearest: ${names.join(", ")}.`,
    given: call.path,
    expected: names,
  });
}

function nameRoute({ placement }: Description, { template }: Route): string {
  return toCallPath(placement, template) ?? template;
}

function checkOperation(
  description: Description,
  operation: Operation,
  { values }: RouteMatch,
  call: CheckedCall,
): Mistake[] {
  const inPath = operation.parameters.flatMap((parameter) => {
    const value = parameter.place === "path" ? values.get(parameter.name) : undefined;
    return value === undefined ? [] : checkParameter(description, parameter, value);
  });
  // A parameter that the document uses without saying what it is can still be left in.
  const undescribed = [...values].flatMap(([name, value]) => {
    const isDescribed = operation.parameters.some((each) => each.place === "path" && each.name === name);
    return !isDescribed && isPlaceholder(value) ? [describePlaceholder("path", name, value)] : [];
  });
  return [
    ...inPath,
    ...undescribed,
    ...checkQuery(description, operation, call),
    ...checkBody(description, operation, call),
  ];
}

function checkParameter(description: Description, parameter: Parameter, value: string): Mistake[] {
  const { document } = description;
  const { name, place } = parameter;
  const at = place === "path" ? `{${name}}` : name;
  if (parameter.examples.some((example) => String(example) === value)) return [];
  const flaw = findTextFlaw(document, parameter, value);
  const isLeftIn = isPlaceholder(value) && (place === "path" || flaw !== undefined || isNameOf(value, name));
  if (isLeftIn) return [describePlaceholder(place, name, value)];
  if (flaw === undefined || contradictsItself(document, parameter)) return [];
  const prefix = place === "path" ? "path" : "parameter";
  const noun = place === "path" ? `\`${name}\` in the path` : `The query parameter \`${name}\``;
  return [
    createMistake(`${prefix}_${flaw.kind}`, at, {
      message: `${noun} is ${quoteText(value, 80)}.`,
      hint: `\`${name}\` ${describeExpected(flaw.kind, flaw.expected, value)}.`,
      given: value,
      expected: flaw.expected,
    }),
  ];
}

/** What documentation writes where a value belongs: `{id}`, `{{id}}`, `<id>`, `:id`, `YOUR_ID`. */
export function isPlaceholder(value: string): boolean {
  return /^(?:\{{1,2}[^{}]{1,60}\}{1,2}|<[^<>]{1,60}>|\[[a-z][\w -]{0,60}\]|:[a-z_]\w{0,60}|\$\{?[a-z_]\w{0,60}\}?|your[_-][\w-]{1,60})$/i.test(
    value,
  );
}

function isNameOf(value: string, name: string): boolean {
  return value.toLowerCase().includes(name.toLowerCase()) || /^(?:\{|<|your)/i.test(value);
}

function describePlaceholder(place: string, name: string, value: string): Mistake {
  return createMistake("placeholder", place === "path" ? `{${name}}` : name, {
    message: `A placeholder was left in the ${place}: ${quoteText(value, 80)}.`,
    hint: `Put the value of \`${name}\` there.`,
    given: value,
    expected: [name],
  });
}

function checkQuery(description: Description, operation: Operation, call: CheckedCall): Mistake[] {
  const own = operation.parameters.filter(({ place }) => place === "query");
  const spread = own.filter((parameter) => isSpread(description, parameter));
  const members = spread.map(
    ({ schema }) => listMembers(description.document, description.document.follow(schema)).names,
  );
  // A free-form object whose members stand there each for itself lets any name pass.
  const takesAny = members.some((names) => names.size === 0);
  const found: Mistake[] = [];
  const given = new Set<string>();
  for (const [name, value] of call.query) {
    const parameter = own.find((each) => isMeant(description, each, name));
    if (parameter !== undefined) {
      given.add(parameter.name);
      if (parameter.name === name && !spread.includes(parameter))
        found.push(...checkParameter(description, parameter, value));
      continue;
    }
    const isFree =
      takesAny ||
      /^x[-_]/i.test(name) ||
      call.freeQuery.has(name) ||
      members.some((names) => names.has(name));
    if (!isFree)
      found.push(
        describeUnknownParameter(name, [
          ...own.map((each) => each.name),
          ...members.flatMap((names) => [...names.keys()]),
        ]),
      );
  }
  for (const parameter of own) {
    const { name, isRequired } = parameter;
    const isThere =
      given.has(name) || call.freeQuery.has(name) || spread.includes(parameter) || isCredentialName(name);
    if (isRequired && !isThere) found.push(describeMissing(description, parameter));
  }
  return found;
}

/** The record may send the credential otherwise than as the description's parameter. */
function isCredentialName(name: string): boolean {
  return /^(?:api[-_]?key|access[-_]?token|key|token|auth(?:orization)?|client[-_]?secret|app[-_]?id|app[-_]?key)$/i.test(
    name,
  );
}

/** Whether an object's members are parameters themselves. */
function isSpread({ document }: Description, { schema, isExploded, isEncoded }: Parameter): boolean {
  return isExploded && !isEncoded && listTypes(document.follow(schema)).includes("object");
}

/** `ids[]`, `ids[0]` and `filter[state]` are written for `ids` and `filter`, where these are no plain values. */
function isMeant({ document }: Description, { name, schema }: Parameter, given: string): boolean {
  if (name === given) return true;
  const bracket = given.indexOf("[");
  if (bracket <= 0 || given.slice(0, bracket) !== name.replace(/\[\d*\]$/, "")) return false;
  const types = listTypes(document.follow(schema));
  return types.length === 0 || types.includes("array") || types.includes("object");
}

function describeUnknownParameter(name: string, names: readonly string[]): Mistake {
  const nearest = findNearestName(name, names);
  const all = names.length === 0 ? "It takes none." : `It takes ${names.slice(0, 30).join(", ")}.`;
  return createMistake("unknown_parameter", name, {
    message: `The query parameter ${quoteText(name, 80)} isn't one of this operation.`,
    hint: nearest === undefined ? all : `The nearest is \`${nearest}\`. ${all}`,
    given: name,
    expected: nearest === undefined ? names.slice(0, 30) : [nearest],
  });
}

function describeMissing({ document }: Description, { name, schema, description }: Parameter): Mistake {
  const types = listTypes(document.follow(schema));
  const about = description === undefined ? "" : ` (its description: ${quoteText(description, 80)})`;
  return createMistake("missing_parameter", name, {
    message: `The query parameter \`${name}\` is missing.`,
    hint: `Add \`${name}\`${types.length === 0 ? "" : `, of type ${types.join(" or ")}`}${about}.`,
    given: "",
    expected: [name],
  });
}
