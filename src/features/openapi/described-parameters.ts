/** Lists the parameters of an operation by which a request may name a page: those of the query, and the members of a body. */

import { isPlainObject } from "../../core/base/input.js";
import type { DescribedParameter } from "../../core/request/operation-form.js";
import { type ApiDocument, asString, type Plain } from "./api-document.js";
import { listValues } from "./enumerations.js";
import { findSentMedia } from "./make-example.js";
import type { Operation, Parameter } from "./operation.js";
import { findMembers, readTypes } from "./schema.js";

/** One that holds a plain value, or an object of them. */
interface Described extends DescribedParameter {
  readonly schema: Plain;
}

export function listDescribed(
  document: ApiDocument,
  { method, parameters, body }: Operation,
): DescribedParameter[] {
  const query = parameters
    .filter(({ place }) => place === "query")
    .flatMap((parameter) => listOfQuery(document, parameter));
  const sent = method === "GET" ? undefined : findSentMedia(body?.media ?? []);
  const members =
    sent === undefined ? [] : listMembers(document, document.follow(sent.schema), "body");
  const inner = members
    .filter(({ schema }) => readTypes(document, schema).includes("object"))
    .flatMap(({ name, schema }) =>
      listMembers(document, schema, "body", (each) => `${name}.${each}`),
    );
  const found = [...query, ...members, ...inner];
  return found.filter(({ schema }) => mayNamePage(document, schema));
}

/** The members of an object in brackets, and those of an exploded one, are parameters of their own. */
function listOfQuery(document: ApiDocument, parameter: Parameter): Described[] {
  const { name, isRequired, description, style } = parameter;
  const schema = document.follow(parameter.schema);
  const isObject = readTypes(document, schema).includes("object");
  if (isObject && style === "brackets")
    return listMembers(document, schema, "query", (each) => `${name}[${each}]`);
  if (isObject && style === "members") return listMembers(document, schema, "query");
  return [{ place: "query", name, isRequired, description, schema }];
}

function listMembers(
  document: ApiDocument,
  object: Plain,
  place: Described["place"],
  write: (name: string) => string = (name) => name,
): Described[] {
  const { names, required } = findMembers(document, object);
  return [...names].map(([name, member]) => {
    const schema = document.follow(member);
    const description = asString(schema["description"]) ?? describeReference(member);
    return { place, name: write(name), isRequired: required.has(name), description, schema };
  });
}

/** OpenAPI 3.1 lets a reference have a description beside it. */
function describeReference(member: unknown): string | undefined {
  return isPlainObject(member) ? asString(member["description"]) : undefined;
}

/** A cursor is a text or a number, and a page is a number: not one of a few values, nor a date. */
function mayNamePage(document: ApiDocument, schema: Plain): boolean {
  const types = readTypes(document, schema);
  const isPlain =
    types.length === 0 || types.some((type) => /^(?:string|integer|number)$/.test(type));
  const isDate = /^date(?:-time)?$/.test(asString(schema["format"]) ?? "");
  return isPlain && !isDate && listValues(schema) === undefined;
}
