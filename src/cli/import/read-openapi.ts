/** From an OpenAPI 3.0 or 3.1 document, or Swagger 2, to a record. */

import { hasSecretName } from "../../core/base/secret-name.js";
import { clipText } from "../../core/base/text.js";
import { asList, asObject, asString, type Plain } from "../../features/openapi/api-document.js";
import { readApiDocument } from "../../features/openapi/load-document.js";
import { type Operation, type Parameter, readOperation } from "../../features/openapi/operation.js";
import { listServers } from "../../features/openapi/servers.js";
import { hasSecretLooks } from "./find-auth.js";
import {
  countEach,
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  nameUrl,
  noteServers,
  rankTestPath,
} from "./imported.js";
import { applySecurity } from "./read-security.js";

export function readOpenApi(value: Plain, choice: ImportChoice): Imported {
  const document = readApiDocument(value);
  const servers = listServers(document);
  const urls = servers.map(({ url }) => url.replace(/\/+$/, ""));
  const [first = ""] = urls;
  const baseUrl = choice.baseUrl ?? (/^https?:\/\//i.test(first) ? first : "");
  const { variables = {} } = servers[urls.indexOf(baseUrl)] ?? {};
  const info = asObject(document.head["info"]);
  const name = choice.name ?? readTitle(info) ?? (baseUrl === "" ? undefined : nameUrl(baseUrl));
  const tagline = asString(info["summary"]) ?? asString(info["description"]);
  const record: ImportedRecord = {
    type: "api",
    name,
    tagline: tagline && clipText(tagline.split(/\n|(?<=\.)\s/)[0] ?? tagline, 160),
    api: { baseUrl, ...(Object.keys(variables).length === 0 ? {} : { variables }) },
  };
  const notes = noteServers(urls, choice);
  if (document.unfollowed.size > 0)
    notes.push("It refers to other documents, which are not followed.");
  if (baseUrl === "")
    notes.push("The document has no absolute server URL: give the base URL (--base-url).");
  // A fragment separates operations that are one for a server; no call can have it.
  const operations = document.operations
    .filter(({ path }) => !path.includes("#"))
    .map((route) => readOperation(document, route));
  const knowsAuth = applySecurity(document, operations, record, notes);
  addConstantHeaders(record, operations);
  addTestEndpoint(record, operations, notes);
  return { record, knowsAuth, secrets: {}, notes };
}

/** `The Shop REST API v2` is called `Shop`. */
function readTitle(info: Plain): string | undefined {
  const title = (asString(info["title"]) ?? "")
    .replace(/^the\s+|\s*\b(?:rest )?api\b\s*(?:v?\d[\d.]*)?$/gi, "")
    .replace(/[\s:–-]+$/, "");
  return title === "" ? undefined : clipText(title, 60);
}

/** Lists the required parameters that the package does not write by itself, as it does the body's type and the credential. */
function listNeeded({ parameters }: Operation): Parameter[] {
  const isOwn = (name: string): boolean =>
    /^content-type$/i.test(name) || hasSecretName(name, "header");
  return parameters.filter(
    ({ name, place, isRequired }) =>
      isRequired && place !== "path" && !(place === "header" && isOwn(name)),
  );
}

/** The value of a header that has only one, or names one that is taken by default. */
function findHeaderValue({ place, schema }: Parameter): string | undefined {
  const { default: preset, const: only, enum: values } = asObject(schema);
  const [first, ...others] = asList(values);
  return place === "header"
    ? asString(preset ?? only ?? (others.length === 0 ? first : undefined))
    : undefined;
}

/** A header that most operations ask for with the same value, such as a version, is set once for all. */
function addConstantHeaders({ api }: ImportedRecord, operations: readonly Operation[]): void {
  const needed = operations
    .flatMap(listNeeded)
    .filter((each) => findHeaderValue(each) !== undefined);
  const lines = needed.map((each) => JSON.stringify([each.name, findHeaderValue(each)]));
  for (const [line, count] of countEach(lines)) {
    const [name, value]: [string, string] = JSON.parse(line);
    const known = [...Object.keys(api.headers ?? {}), api.headerName ?? ""].map((each) =>
      each.toLowerCase(),
    );
    if (
      !hasSecretLooks(value) &&
      count * 2 > operations.length &&
      !known.includes(name.toLowerCase())
    )
      api.headers = { ...api.headers, [name]: value };
  }
}

/** A light GET without required parameters that only a valid credential may read, as the specification wants it. */
function addTestEndpoint(
  { api }: ImportedRecord,
  operations: readonly Operation[],
  notes: string[],
): void {
  const usable = operations
    .filter(
      ({ method, path, isDeprecated }) => method === "GET" && !isDeprecated && !path.includes("{"),
    )
    .filter((each) =>
      listNeeded(each).every((parameter) => findHeaderValue(parameter) !== undefined),
    )
    .sort((one, other) => rankTestPath(one.path) - rankTestPath(other.path));
  const secured = usable.find(
    ({ security }) =>
      security === undefined ||
      (security.length > 0 && security.every((each) => Object.keys(asObject(each)).length > 0)),
  );
  const best = secured ?? usable[0];
  if (best === undefined) {
    notes.push("No GET can be called without parameters, so `testEndpoint` is not set.");
    return;
  }
  const limit = best.parameters.find(
    ({ place, name }) =>
      place === "query" &&
      /^(?:limit|per_?page|page_?size|max_?results|count|first|top|size)$/i.test(name),
  );
  api.testEndpoint =
    limit === undefined ? best.path : `${best.path}?${encodeURIComponent(limit.name)}=1`;
  if (secured === undefined && api.authType !== undefined)
    notes.push(
      "The test endpoint may answer without a credential: no other GET is without parameters.",
    );
}
