/** Reads the documents of an API that its record names, read once in a process, when it is first needed, and shared by all who ask. */

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ApiSourceError, type RecordProblem } from "../../core/base/errors.js";
import type { DescribedResponse } from "../../core/call/slots.js";
import { findCredentialHeader } from "../../core/credentials/create-auth-interceptor.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { isPathAllowed } from "../../core/record/path-rules.js";
import { mayCallSet } from "../../core/request/check-headers.js";
import type { DescribedParameter, OperationForm } from "../../core/request/operation-form.js";
import type { QueryPair } from "../../core/request/query-style.js";
import { listReservedQueryNames } from "../../core/request/wire-request.js";
import type { ApiDocument, Route } from "./api-document.js";
import { listDescribed } from "./described-parameters.js";
import { type Guide, parseGuide } from "./guide.js";
import { loadApiDocument, readText } from "./load-document.js";
import { type Operation, type Parameter, readOperation } from "./operation.js";
import { toOperationForm } from "./operation-form.js";
import { listResources } from "./path-tree.js";
import { matchRoutes, type PlacedRoute, placeRoutes, type RouteMatch } from "./paths.js";
import { createSearch, type Found } from "./search.js";
import { findPlacement, toCallPath } from "./servers.js";
import { listStatedTypes, listStatedValues } from "./stated-values.js";

export interface Knowledge {
  readonly description?: Description | undefined;
  readonly guide?: Guide | undefined;
  /** The reasons why documents can't be read, as problems of the record; and the same for a model. */
  readonly problems: readonly RecordProblem[];
  readonly unread?: string | undefined;
}

/** Reads what the record's `api.openapi` and `api.guide` name and was not read yet; nothing for a record with neither. */
export async function loadKnowledge(source: ApiSource): Promise<Knowledge> {
  const { name, api } = source;
  const problems: RecordProblem[] = [];
  const read = async <Value>(
    field: "openapi" | "guide",
    load: (file: string) => Promise<Value>,
  ): Promise<Value | undefined> => {
    const file = api[field];
    try {
      return file === undefined ? undefined : await load(file);
    } catch (error) {
      if (!(error instanceof ApiSourceError)) throw error;
      const message = `can't be read: ${error.message}.`;
      const given = JSON.stringify(file);
      problems.push({ source: name, path: `api.${field}`, given, message, fix: error.hint });
      return undefined;
    }
  };
  const document = await read("openapi", loadDocument);
  const guide = await read("guide", loadGuide);
  // Which folder it is in is not for a model.
  const texts = problems.map(
    ({ path, message, fix }) =>
      `${path} ${message.replace(/(?<=: ).*[\\/](?=[^\\/]* )/, "")} ${fix}`,
  );
  const unread = texts.join(" ") || undefined;
  return { description: document && createDescription(document, source), guide, problems, unread };
}

/** Reads a file once, and again when it has changed. Toolkits of one process share it: a large description is kept once. */
function createFileCache<Value>(
  read: (file: string) => Promise<Value>,
): (path: string) => Promise<Value> {
  const kept = new Map<string, { readonly state: string; readonly value: Promise<Value> }>();
  return async (path) => {
    const file = resolve(path);
    const found = await stat(file).catch(() => undefined);
    const state = `${found?.mtimeMs} ${found?.size}`;
    const known = kept.get(file);
    if (known?.state === state) return known.value;
    const value = read(file);
    kept.set(file, { state, value });
    // A file that is corrected is read again without a new process.
    value.catch(() => kept.delete(file));
    return value;
  };
}

const loadDocument = createFileCache(loadApiDocument);
const loadGuide = createFileCache(async (file) => parseGuide(await readText(file)));

const maxResources = 12;

/** The overview of an API in a tool's description. */
export interface Overview {
  /** How many it has; undefined for an API that has only a guide. */
  readonly operations: number | undefined;
  /** The names that its paths begin with, the most frequent first. */
  readonly resources: readonly string[];
}

export function readOverview({ description }: Knowledge): Overview {
  const listed = description?.listed;
  return { operations: listed?.length, resources: listResources(listed ?? [], maxResources) };
}

/** The steps of a reader that one operation may cost. */
const maxSteps = 25_000;

/** A document below the base URL of a record. */
export interface Description {
  readonly document: ApiDocument;
  /** The operations below the base URL that the record lets a call make, by the paths of calls. */
  readonly listed: readonly PlacedRoute[];
  /** The operations that a call's path may mean. */
  match(path: string, query?: readonly QueryPair[]): RouteMatch[];
  /** The operations that a path of the document may mean, where a call has it otherwise. */
  matchOwnPath(path: string): RouteMatch[];
  /** Finds among `listed`; the index is made when it is first asked. */
  search(words: string, most: number): Promise<Found>;
  /** How the operation that a call means is sent. */
  findForm(method: string, path: string, query?: readonly QueryPair[]): OperationForm | undefined;
  /** Whether a call may set the parameter: the policy lets it, and neither the package nor the record writes it. */
  mayBeSent(parameter: Pick<Parameter, "place" | "name">): boolean;
  readOperation<Given extends Route>(route: Given): Given & Operation;
  /** The parameters of the operation that a request means. */
  listParameters(method: string, path: string): readonly DescribedParameter[] | undefined;
  /** The values that an answer's member may have, by the keys that lead to it; undefined where none are stated. */
  listValues(answered: DescribedResponse, at: readonly string[]): readonly string[] | undefined;
  /** The media types of an answer; none where the description has no such answer. */
  listTypes(answered: DescribedResponse): readonly string[];
}

/** A model calls what it is shown: operations that the record refuses are left out. */
function isCallable(route: PlacedRoute, api: ApiSource["api"]): boolean {
  const { method, segments, prefix, elsewhere } = route;
  const path = `/${segments.join("/").replace(/\{[^{}]*\}/g, "x")}`;
  const isHere = prefix === undefined && elsewhere === undefined;
  return isHere && api.methods.includes(method) && isPathAllowed(path, api.paths);
}

/** Lists the parameters of an operation once: each page of a list asks for the same ones. */
function createParameterLists(
  document: ApiDocument,
): (route: PlacedRoute) => readonly DescribedParameter[] {
  const lists = new Map<PlacedRoute, readonly DescribedParameter[]>();
  return (route) => {
    const known = lists.get(route);
    if (known !== undefined) return known;
    const limited = document.limitSteps(maxSteps);
    const listed = listDescribed(limited, readOperation(limited, route));
    lists.set(route, listed);
    return listed;
  };
}

function createDescription(document: ApiDocument, source: ApiSource): Description {
  const { api } = source;
  const credentialHeader = findCredentialHeader(source);
  const reserved = listReservedQueryNames(api);
  const placement = findPlacement(document, api);
  const routes = placeRoutes(document, api);
  const match: Description["match"] = (path, query) => matchRoutes(routes, path, query);
  const findRoute = (
    method: string,
    path: string,
    query?: readonly QueryPair[],
  ): PlacedRoute | undefined =>
    match(path, query).find(({ route }) => route.method === method)?.route;
  const listed = routes.filter((route) => isCallable(route, api));
  const listParameters = createParameterLists(document);
  return {
    document,
    listed,
    match,
    matchOwnPath(path) {
      const called = toCallPath(path, placement);
      return called === undefined ? [] : match(called);
    },
    search: createSearch(document, listed),
    findForm(method, path, query) {
      const route = findRoute(method, path, query);
      const limited = document.limitSteps(maxSteps);
      return route && toOperationForm(limited, readOperation(limited, route), route);
    },
    mayBeSent({ place, name }) {
      if (place === "header") return mayCallSet(name, api, credentialHeader);
      if (place === "cookie") return false;
      return place !== "query" || !reserved.includes(name);
    },
    readOperation: (route) => readOperation(document, route),
    listParameters(method, path) {
      const route = findRoute(method, path);
      return route && listParameters(route);
    },
    listValues({ method, path, status }, at) {
      const route = findRoute(method, path);
      return route && listStatedValues(document, readOperation(document, route), status, at);
    },
    listTypes({ method, path, status }) {
      const route = findRoute(method, path);
      return route === undefined ? [] : listStatedTypes(readOperation(document, route), status);
    },
  };
}
