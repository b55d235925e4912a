/** Reads from a document how one operation is sent, for the one builder of requests. */

import {
  type BodyForm,
  type OperationForm,
  type PartTypes,
  readBodyForm,
  readPartType,
} from "../../core/request/operation-form.js";
import type { QueryStyle, QueryStyles } from "../../core/request/query-style.js";
import { type ApiDocument, asObject, asString, type Plain } from "./api-document.js";
import { type Media, type Operation, readStyle } from "./operation.js";
import type { PlacedRoute } from "./paths.js";
import { findMembers, readTypes } from "./schema.js";

export function toOperationForm(
  document: ApiDocument,
  { parameters, body }: Operation,
  { path, prefix, elsewhere }: PlacedRoute,
): OperationForm {
  const query = parameters.filter(({ place }) => place === "query");
  const styles = query.flatMap(({ name, style }) =>
    style === undefined ? [] : [[name, style] as const],
  );
  return {
    path,
    queryStyles: new Map(styles),
    bodies: (body?.media ?? []).flatMap((each) => toBodyForm(document, each)),
    prefix,
    elsewhere,
  };
}

function toBodyForm(document: ApiDocument, { type, schema, encoding }: Media): BodyForm[] {
  const types = readTypes(document, document.follow(schema));
  const isString = types.length === 1 && types[0] === "string";
  const isForm = /form/.test(type);
  const styles: QueryStyles = isForm ? listStyles(document, schema, encoding) : new Map();
  const partTypes = type.startsWith("multipart/") ? listPartTypes(encoding) : undefined;
  const form = readBodyForm(type, { isString, styles, ...(partTypes && { partTypes }) });
  return form === undefined ? [] : [form];
}

function listPartTypes(encoding: Plain): PartTypes {
  const types = Object.entries(encoding).flatMap(([name, each]) => {
    const type = readPartType(asString(asObject(each)["contentType"]) ?? "");
    return type === undefined ? [] : [[name, type] as const];
  });
  return new Map(types);
}

/** How the members of a form that are lists or objects are written. */
function listStyles(document: ApiDocument, schema: unknown, encoding: Plain): QueryStyles {
  const { names } = findMembers(document, document.follow(schema));
  const found = new Map<string, QueryStyle>();
  for (const [name, member] of names) {
    const types = readTypes(document, document.follow(member));
    const isList = types.includes("array");
    if (!isList && !types.includes("object")) continue;
    found.set(name, findFormStyle(asObject(encoding[name]), isList));
  }
  return found;
}

/** A list without an encoding repeats its name, and an object is JSON text (OpenAPI 3.0.3, section 4.7.15.1). */
function findFormStyle({ style, explode, contentType }: Plain, isList: boolean): QueryStyle {
  const isStyled = style !== undefined || explode !== undefined;
  // JSON has no brackets: this style says more than the type (OpenAPI 3.1.0, section 4.8.15.1.2).
  const isJson = style !== "deepObject" && /[/+]json\b/.test(asString(contentType) ?? "");
  if (isJson || (!isList && !isStyled)) return "json";
  return readStyle(style ?? "form", explode, isList);
}
