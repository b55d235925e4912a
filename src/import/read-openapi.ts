/** From an OpenAPI 3.0 or 3.1 document, or Swagger 2, to a record. */

import { readApiDocument } from "../map/load-document.js";
import { type Operation, type Parameter, readOperation } from "../map/operation.js";
import { asList, asObject, asString, type Plain } from "../map/parse-document.js";
import { listServers } from "../map/place-paths.js";
import { clipText } from "../text.js";
import {
  countEach,
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  importError,
  nameHost,
} from "./imported.js";
import { applySecurity } from "./read-security.js";
import { rankTestPath } from "./sample-request.js";

const maxEndpoints = 6;

/** @throws ApiSourceError `invalid_input` for a server or a scheme that the document doesn't have. */
export function readOpenApi(value: Plain, choice: ImportChoice): Imported {
  const document = readApiDocument(value);
  const servers = listServers(document);
  const server = servers[(choice.server ?? 1) - 1];
  if (choice.server !== undefined && server === undefined) {
    const urls = servers.map(({ url }) => url).join(", ");
    throw importError(`There is no server ${choice.server}.`, `There are ${servers.length}: ${urls}.`);
  }
  const notes =
    document.unfollowed.length > 0 ? ["It refers to other documents, which are not followed."] : [];
  const baseUrl = /^https?:\/\//i.test(server?.url ?? "") ? (server?.url ?? "").replace(/\/+$/, "") : "";
  if (baseUrl === "") notes.push("The document has no absolute server URL: give the base URL (--base-url).");
  const info = asObject(document.head["info"]);
  const name = readTitle(info) ?? (baseUrl === "" ? undefined : nameHost(baseUrl.split("/")[2] ?? ""));
  const tagline = asString(info["summary"]) ?? asString(info["description"]);
  const record: ImportedRecord = {
    type: "api",
    ...(name === undefined ? {} : { name }),
    ...(tagline === undefined ? {} : { tagline: clipText(tagline.split(/\n|(?<=\.)\s/)[0] ?? tagline, 160) }),
    api: { baseUrl },
  };
  if (server !== undefined && Object.keys(server.variables).length > 0)
    record.api.variables = server.variables;
  const operations = document.operations.map((route) => readOperation(document, route));
  const { all, usable } = applySecurity(document, operations, choice, record, notes);
  if (all.length === 0) notes.push("The document doesn't say how the credential is sent (--auth).");
  addConstantHeaders(record, operations);
  addTestEndpoint(record, operations, notes);
  addEndpoints(record, operations);
  const urls = servers.map(({ url }) => url);
  return { record, knowsAuth: all.length > 0, secrets: {}, servers: urls, schemes: usable, notes };
}

/** `The Shop REST API v2` is called `Shop`. */
function readTitle(info: Plain): string | undefined {
  const title = (asString(info["title"]) ?? "")
    .replace(/^the\s+|\s*\b(?:rest )?api\b\s*(?:v?\d[\d.]*)?$/gi, "")
    .replace(/[\s:–-]+$/, "");
  return title === "" ? undefined : clipText(title, 60);
}

/** The headers that each call must carry, and the value of those that have only one, or name one that is taken when none is given. */
function listHeaders({ parameters }: Operation): [name: string, value: string | undefined][] {
  return parameters.filter(isNeeded).flatMap((parameter): [string, string | undefined][] => {
    if (parameter.place !== "header") return [];
    const { default: preset, const: only, enum: values } = asObject(parameter.schema);
    const [first] = asList(values).length === 1 ? asList(values) : [];
    return [[parameter.name, asString(preset ?? only ?? first)]];
  });
}

/** Without what the package writes by itself: the body's type, and the credential where it is described as a parameter, too. */
function isNeeded({ name, place, isRequired }: Parameter): boolean {
  const isOwn = /^(?:content-type|authorization|token|x-api-key|api-?key)$/i.test(name);
  return isRequired && place !== "path" && !(place === "header" && isOwn);
}

/** A header that most operations ask for with the same value, such as a version, is set once for all. */
function addConstantHeaders({ api }: ImportedRecord, operations: readonly Operation[]): void {
  const lines = operations.flatMap((each) => listHeaders(each).map((pair) => JSON.stringify(pair)));
  for (const [line, count] of countEach(lines)) {
    const [name, value]: [string, string | null] = JSON.parse(line);
    const known = [...Object.keys(api.headers ?? {}), api.headerName ?? ""].map((each) => each.toLowerCase());
    if (value !== null && count * 2 > operations.length && !known.includes(name.toLowerCase()))
      api.headers = { ...api.headers, [name]: value };
  }
}

/** A light GET without required parameters that only a valid credential may read, as the specification wants it. */
function addTestEndpoint({ api }: ImportedRecord, operations: readonly Operation[], notes: string[]): void {
  const usable = operations.filter((each) => {
    const hasValues = listHeaders(each).every(([, value]) => value !== undefined);
    const others = each.parameters.filter((parameter) => isNeeded(parameter) && parameter.place !== "header");
    return (
      each.method === "GET" &&
      !each.isDeprecated &&
      !each.path.includes("{") &&
      others.length === 0 &&
      hasValues
    );
  });
  const isSecured = ({ security }: Operation): boolean =>
    security === undefined ||
    (security.length > 0 && security.every((each) => Object.keys(asObject(each)).length > 0));
  const secured = usable.filter(isSecured);
  const [best] = (secured.length > 0 ? secured : usable).sort(
    (one, other) => rankTestPath(one.path) - rankTestPath(other.path),
  );
  if (best === undefined) {
    notes.push("No GET can be called without parameters, so there is no `testEndpoint`.");
    return;
  }
  const limit = best.parameters.find(
    ({ place, name }) =>
      place === "query" && /^(?:limit|per_?page|page_?size|max_?results|count|first|top|size)$/i.test(name),
  );
  api.testEndpoint = limit === undefined ? best.path : `${best.path}?${encodeURIComponent(limit.name)}=1`;
  if (secured.length === 0 && api.authType !== undefined)
    notes.push("The test endpoint may answer without a credential: no other GET is without parameters.");
}

/** Reads before writes, short paths before long ones: the resources that the others hang on. */
function addEndpoints({ api }: ImportedRecord, operations: readonly Operation[]): void {
  const rank = ({ method, path, isDeprecated }: Operation): number =>
    (isDeprecated ? 10_000 : 0) +
    (method === "GET" ? 0 : method === "POST" ? 60 : 500) +
    path.split("/").length * 50 +
    path.length;
  const ranked = [...operations].sort((one, other) => rank(one) - rank(other));
  if (ranked.length > 0)
    api.endpoints = ranked.slice(0, maxEndpoints).map(({ method, path, summary, description }) => ({
      method,
      path,
      about: clipText(summary ?? description ?? path, 100),
    }));
}
