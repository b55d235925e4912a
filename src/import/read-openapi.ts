/** Reads an OpenAPI 3.0 or 3.1 document, or Swagger 2, into a record. Only what a record needs is looked at, nothing is dereferenced whole. */

import { asList, asObject, asString, type Plain } from "../map/parse-document.js";
import { type EndpointExample, httpMethods } from "../source/api-source.js";
import { clipText } from "../text.js";
import { type ImportChoice, type Imported, type ImportedRecord, importError, nameHost } from "./imported.js";
import { applySecurity, follow } from "./read-security.js";
import { rankTestPath } from "./sample-request.js";

const maxPaths = 10_000;
const maxEndpoints = 6;

/** @throws ApiSourceError `invalid_input` for a server or a scheme that the document doesn't have. */
export function readOpenApi(document: Plain, choice: ImportChoice): Imported {
  const notes: string[] = [];
  const servers = listServers(document);
  const server = servers[(choice.server ?? 1) - 1];
  if (choice.server !== undefined && server === undefined) {
    throw importError(
      `There is no server ${choice.server}.`,
      `There are ${servers.length}: ${servers.map(({ url }) => url).join(", ")}.`,
    );
  }
  const isAbsolute = /^https?:\/\//i.test(server?.url ?? "");
  if (!isAbsolute) notes.push("The document has no absolute server URL: give the base URL (--base-url).");
  const info = asObject(document["info"]);
  const title = asString(info["title"])
    ?.replace(/^the\s+|\s*\b(?:rest )?api\b\s*(?:v?\d[\d.]*)?$/gi, "")
    .replace(/[\s:–-]+$/, "");
  const tagline = asString(info["summary"]) ?? asString(info["description"]);
  const host = isAbsolute ? (server?.url.split("/")[2] ?? "") : "";
  const record: ImportedRecord = {
    type: "api",
    ...(title ? { name: clipText(title, 60) } : host === "" ? {} : { name: nameHost(host) }),
    ...(tagline === undefined ? {} : { tagline: clipText(tagline.split(/\n|(?<=\.)\s/)[0] ?? tagline, 160) }),
    api: { baseUrl: isAbsolute ? (server?.url ?? "").replace(/\/+$/, "") : "" },
  };
  if (server !== undefined && Object.keys(server.variables).length > 0)
    record.api.variables = server.variables;
  const operations = listOperations(document, notes);
  const { all, usable } = applySecurity(document, operations, choice, record, notes);
  if (all.length === 0) notes.push("The document doesn't say how the credential is sent (--auth).");
  addConstantHeaders(record, operations);
  addTestEndpoint(record, operations, notes);
  const endpoints = pickEndpoints(operations);
  if (endpoints.length > 0) record.api.endpoints = endpoints;
  return {
    record,
    knowsAuth: all.length > 0,
    secrets: {},
    servers: servers.map(({ url }) => url),
    schemes: usable,
    notes,
  };
}

interface Server {
  readonly url: string;
  readonly variables: Readonly<Record<string, string>>;
}

function listServers(document: Plain): Server[] {
  if (asString(document["swagger"]) !== undefined) {
    const host = asString(document["host"]);
    const schemes = asList(document["schemes"])
      .map(asString)
      .filter((each) => each === "https" || each === "http");
    const path = asString(document["basePath"]) ?? "";
    const wanted = schemes.includes("https") || schemes.length === 0 ? "https" : "http";
    return host === undefined
      ? []
      : [{ url: `${wanted}://${host}${path === "/" ? "" : path}`, variables: {} }];
  }
  return asList(document["servers"]).flatMap((each) => {
    const server = asObject(each);
    const given = asObject(server["variables"]);
    const url = asString(server["url"])?.replace(/^\{(\w+)\}(?=:\/\/)/, (_whole, name: string) =>
      pickScheme(given[name]),
    );
    if (url === undefined) return [];
    const variables = Object.entries(given).flatMap(([name, value]) => {
      const preset = asObject(value)["default"];
      return preset === undefined || !url.includes(`{${name}}`) ? [] : [[name, String(preset)]];
    });
    return [{ url, variables: Object.fromEntries(variables) }];
  });
}

/** A base URL begins with its scheme: a variable there is filled in, with https where that may be had. */
function pickScheme(variable: unknown): string {
  const { enum: values, default: preset } = asObject(variable);
  return asList(values).includes("https") ? "https" : (asString(preset) ?? "https");
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly about: string;
  readonly security: readonly unknown[] | undefined;
  readonly requiresParameters: boolean;
  /** A query parameter that makes a list short. */
  readonly limitName: string | undefined;
  readonly isDeprecated: boolean;
  /** Headers that each call must carry, with the value that is given for them. */
  readonly constants: Readonly<Record<string, string>>;
}

function listOperations(document: Plain, notes: string[]): Operation[] {
  const paths = Object.entries(asObject(document["paths"]));
  if (paths.length > maxPaths) notes.push(`Of ${paths.length} paths the first ${maxPaths} were read.`);
  return paths.slice(0, maxPaths).flatMap(([path, value]) => {
    const item = follow(document, value, notes);
    return httpMethods.flatMap((method): Operation[] => {
      const operation = item[method.toLowerCase()];
      if (operation === undefined || !path.startsWith("/")) return [];
      return [readOperation(document, { method, path, item, operation: asObject(operation) }, notes)];
    });
  });
}

function readOperation(
  document: Plain,
  { method, path, item, operation }: { method: string; path: string; item: Plain; operation: Plain },
  notes: string[],
): Operation {
  const parameters = [...asList(item["parameters"]), ...asList(operation["parameters"])]
    .slice(0, 200)
    .map((each) => follow(document, each, notes));
  const needed = parameters.filter((each) => each["required"] === true && !isOwnHeader(each));
  const constants = needed.flatMap((each): [string, string][] => {
    const name = asString(each["name"]);
    const value = asString(readPreset(each));
    return each["in"] !== "header" || name === undefined || value === undefined ? [] : [[name, value]];
  });
  const required = needed.filter(({ in: place }) => place !== "path").length - constants.length;
  const limit = parameters.find(
    ({ in: place, name }) =>
      place === "query" &&
      /^(?:limit|per_?page|page_?size|max_?results|count|first|top|size)$/i.test(String(name)),
  );
  const words =
    asString(operation["summary"]) ??
    asString(operation["description"]) ??
    asString(operation["operationId"]);
  return {
    method,
    path,
    about: clipText(words ?? path, 100),
    security: Array.isArray(operation["security"]) ? operation["security"] : undefined,
    requiresParameters: path.includes("{") || required > 0,
    limitName: asString(limit?.["name"]),
    isDeprecated: operation["deprecated"] === true,
    constants: Object.fromEntries(constants),
  };
}

/** What the package writes by itself: the body's type, and the credential where it is described as a parameter, too. */
function isOwnHeader({ in: place, name }: Plain): boolean {
  return (
    place === "header" && /^(?:content-type|authorization|token|x-api-key|api-?key)$/i.test(String(name))
  );
}

/** The value of a parameter that has only one, or names one that is taken when none is given. */
function readPreset(parameter: Plain): unknown {
  const schema = { ...asObject(parameter["schema"]), ...parameter };
  const { default: preset, const: only, enum: values } = schema as Plain;
  return preset ?? only ?? (asList(values).length === 1 ? asList(values)[0] : undefined);
}

/** A header that most operations ask for with the same value, such as a version, is set once for all. */
function addConstantHeaders({ api }: ImportedRecord, operations: readonly Operation[]): void {
  const counts = new Map<string, number>();
  for (const { constants } of operations)
    for (const pair of Object.entries(constants)) {
      const key = JSON.stringify(pair);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  for (const [key, count] of counts) {
    const [name, value]: [string, string] = JSON.parse(key);
    const isThere = Object.keys({ ...api.headers, [api.headerName ?? ""]: "" }).some(
      (each) => each.toLowerCase() === name.toLowerCase(),
    );
    if (count * 2 > operations.length && !isThere) api.headers = { ...api.headers, [name]: value };
  }
}

/** A light GET without required parameters that only a valid credential may read, as the specification wants it. */
function addTestEndpoint(record: ImportedRecord, operations: readonly Operation[], notes: string[]): void {
  const usable = operations.filter(
    ({ method, requiresParameters, isDeprecated }) =>
      method === "GET" && !requiresParameters && !isDeprecated,
  );
  const isOpen = ({ security }: Operation): boolean =>
    security !== undefined &&
    (security.length === 0 || security.some((each) => Object.keys(asObject(each)).length === 0));
  const secured = usable.filter((operation) => !isOpen(operation));
  const [best] = [...(secured.length > 0 ? secured : usable)].sort(
    (one, other) => rankTestPath(one.path) - rankTestPath(other.path),
  );
  if (best === undefined) {
    notes.push("No GET can be called without parameters, so there is no `testEndpoint`.");
    return;
  }
  record.api.testEndpoint =
    best.limitName === undefined ? best.path : `${best.path}?${encodeURIComponent(best.limitName)}=1`;
  if (secured.length === 0 && record.api.authType !== undefined) {
    notes.push("The test endpoint may answer without a credential: no other GET is without parameters.");
  }
}

/** Reads before writes, short paths before long ones: the resources that the others hang on. */
function pickEndpoints(operations: readonly Operation[]): EndpointExample[] {
  const rank = ({ method, path, isDeprecated }: Operation): number =>
    (isDeprecated ? 10_000 : 0) +
    (method === "GET" ? 0 : method === "POST" ? 60 : 500) +
    path.split("/").length * 50 +
    path.length;
  const [...ranked] = operations;
  ranked.sort((one, other) => rank(one) - rank(other));
  return ranked.slice(0, maxEndpoints).flatMap(({ method, path, about }) => {
    const known = httpMethods.find((each) => each === method);
    return known === undefined ? [] : [{ method: known, path, about }];
  });
}
