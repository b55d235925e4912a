/** A description as one source uses it: its operations, where they stand below the base URL, and what was read of them. */

import { checkPathRules } from "../policy/check-path-rules.js";
import type { ApiSettings } from "../source/api-source.js";
import type { ApiDocument } from "./api-document.js";
import { findBrokenRules } from "./check-value.js";
import { listMembers } from "./list-members.js";
import { type Media, type Operation, readOperation } from "./operation.js";
import type { Listed } from "./path-tree.js";
import { findPlacement, type Placement, toCallPath } from "./place-paths.js";
import type { Route, Routes } from "./routes.js";
import { createSearchIndex, type SearchIndex } from "./search.js";

export interface Description {
  readonly document: ApiDocument;
  readonly routes: Routes;
  readonly placement: Placement;
  /** The operations that the record lets a call make, by the path of a call. */
  readonly listed: readonly ListedRoute[];
  /** Finds among `listed`; the index is made when it is first asked. */
  search(words: string, most: number): ListedRoute[];
  /** One operation, read when it is first asked for. */
  readOperation(route: Route): Operation;
  /** The rules of a body that the document's own examples break. */
  listBrokenRules(operation: Operation, media: Media): ReadonlySet<string>;
  /** The members that an object must have. */
  listRequired(schema: unknown): string[];
}

export interface ListedRoute extends Listed {
  readonly route: Route;
}

/** How many operations are remembered as they were read. */
const maxKept = 200;

export function createDescription(document: ApiDocument, routes: Routes, api: ApiSettings): Description {
  const placement = findPlacement(document, routes, api);
  const listed = listRoutes(routes, placement, api);
  const operations = createMemory<Operation>();
  let index: SearchIndex | undefined;
  const broken = createMemory<ReadonlySet<string>>();
  return {
    document,
    routes,
    placement,
    listed,
    search: (words, most) => {
      index ??= createSearchIndex(
        document,
        listed.map(({ route }) => route),
      );
      return index.find(words, most).flatMap((at) => listed[at] ?? []);
    },
    readOperation: (route) =>
      operations(`${route.method} ${route.path}`, () => readOperation(document, route)),
    listBrokenRules: ({ method, path }, media) =>
      broken(`${method} ${path}`, () => findBrokenRules(document, media.schema, media.examples)),
    listRequired: (schema) => [...listMembers(document, document.follow(schema)).required],
  };
}

/** Without what the record's `methods` and `paths` refuse: a model that is shown an endpoint calls it. */
function listRoutes(routes: Routes, placement: Placement, { methods, paths }: ApiSettings): ListedRoute[] {
  const hasRules = paths.allow !== undefined || paths.deny !== undefined;
  return routes.all.flatMap((route): ListedRoute[] => {
    const path = toCallPath(placement, route.template);
    if (path === undefined || !methods.includes(route.method)) return [];
    if (hasRules && !isAllowed(path, paths)) return [];
    return [{ route, path, method: route.method, isDeprecated: route.isDeprecated }];
  });
}

function isAllowed(path: string, rules: ApiSettings["paths"]): boolean {
  try {
    checkPathRules(path.replace(/\{[^{}]*\}/g, "x"), rules);
    return true;
  } catch {
    return false;
  }
}

function createMemory<Value>(): (key: string, make: () => Value) => Value {
  const kept = new Map<string, Value>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = make();
    if (kept.size >= maxKept) kept.delete([...kept.keys()][0] ?? "");
    kept.set(key, value);
    return value;
  };
}
