/** Reads an OpenAPI 3.0 or 3.1 document, or Swagger 2, into a record. Only what a record needs is looked at, nothing is dereferenced whole. */

import { type EndpointExample, httpMethods } from "../source/api-source.js";
import { clipText } from "../text.js";
import {
  asList,
  asObject,
  asString,
  type ImportChoice,
  type Imported,
  type ImportedRecord,
  importError,
  nameHost,
  type Plain,
} from "./imported.js";
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
  const title = asString(info["title"])?.replace(/\s*\b(?:rest )?api\b\s*(?:v?\d[\d.]*)?$/i, "");
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
  const schemes = applySecurity(document, operations, choice, record, notes);
  addTestEndpoint(record, operations, notes);
  const endpoints = pickEndpoints(operations);
  if (endpoints.length > 0) record.api.endpoints = endpoints;
  return { record, knowsAuth: true, secrets: {}, servers: servers.map(({ url }) => url), schemes, notes };
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
    const url = asString(server["url"]);
    if (url === undefined) return [];
    const variables = Object.entries(asObject(server["variables"])).flatMap(([name, value]) => {
      const preset = asObject(value)["default"];
      return preset === undefined || !url.includes(`{${name}}`) ? [] : [[name, String(preset)]];
    });
    return [{ url, variables: Object.fromEntries(variables) }];
  });
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
  const required = parameters.filter((each) => each["required"] === true && each["in"] !== "path");
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
    requiresParameters: path.includes("{") || required.length > 0,
    limitName: asString(limit?.["name"]),
    isDeprecated: operation["deprecated"] === true,
  };
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
