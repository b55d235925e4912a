/** A description as one source uses it: its operations, where they stand below the base URL, and what was read of them. */

import { checkPathRules } from "../policy/check-path-rules.js";
import type { ApiSettings } from "../source/api-source.js";
import { type ApiDocument, createMemory, type Route } from "./api-document.js";
import { type Operation, readOperation } from "./operation.js";
import { findPlacement, listReadings, placeRoutes, type Server } from "./place-paths.js";
import { growTree, matchPath, type RouteMatch } from "./routes.js";
import { createSearch, type Search } from "./search.js";

export interface Description {
  readonly document: ApiDocument;
  /** The document's servers, where none of them is the record's. */
  readonly otherServers: readonly Server[];
  /** Every operation below the base URL, by the paths of calls. */
  readonly routes: readonly Route[];
  /** Those that the record lets a call make. */
  readonly listed: readonly Route[];
  /** What a call's path may mean. */
  match(path: string): RouteMatch[];
  /** Finds among `listed`; the index is made when it is first asked. */
  readonly search: Search;
  /** One operation, read when it is first asked for. */
  readOperation(route: Route): Operation;
}

/** How many operations are remembered as they were read. */
const maxKept = 200;

export function createDescription(document: ApiDocument, api: ApiSettings): Description {
  const placement = findPlacement(document, api);
  const routes = placeRoutes(document, placement);
  const tree = growTree(routes);
  const listed = routes.filter((route) => isAllowed(route, api));
  const operations = createMemory<Operation>(maxKept);
  let search: Search | undefined;
  return {
    document,
    otherServers: placement.otherServers,
    routes,
    listed,
    match: (path) => listReadings(placement, path).flatMap((each) => matchPath(tree, each)),
    search: (words, most) => {
      search ??= createSearch(document, listed);
      return search(words, most);
    },
    readOperation: (route) =>
      operations(`${route.method} ${route.key}`, () => readOperation(document, route)),
  };
}

/** Without what the record's `methods` and `paths` refuse: a model that is shown an endpoint calls it. */
function isAllowed({ method, path }: Route, { methods, paths }: ApiSettings): boolean {
  if (!methods.includes(method)) return false;
  if (paths.allow === undefined && paths.deny === undefined) return true;
  try {
    checkPathRules(path.replace(/\{[^{}]*\}/g, "x"), paths);
    return true;
  } catch {
    return false;
  }
}
