/** A description as one source uses it: its operations, and their paths below the base URL. */

import { checkPathRules } from "../policy/check-path-rules.js";
import type { ApiSettings } from "../source/api-source.js";
import type { ApiDocument, Route } from "./api-document.js";
import { type Operation, readOperation } from "./operation.js";
import { findPlacement, listReadings, placeRoutes } from "./place-paths.js";
import { growTree, matchPath, type RouteMatch } from "./routes.js";
import { createSearch, type Search } from "./search.js";

export interface Description {
  readonly document: ApiDocument;
  /** The operations below the base URL that the record lets a call make, by the paths of calls. */
  readonly listed: readonly Route[];
  /** What a call's path may mean, of all operations. */
  match(path: string): RouteMatch[];
  /** Finds among `listed`; the index is made when it is first asked. */
  readonly search: Search;
  readOperation(route: Route): Operation;
}

export function createDescription(document: ApiDocument, api: ApiSettings): Description {
  const placement = findPlacement(document, api);
  const routes = placeRoutes(document, placement);
  const tree = growTree(routes);
  const listed = routes.filter((route) => isAllowed(route, api));
  let search: Search | undefined;
  return {
    document,
    listed,
    match: (path) => listReadings(placement, path).flatMap((each) => matchPath(tree, each)),
    search: (words, most) => {
      search ??= createSearch(document, listed);
      return search(words, most);
    },
    readOperation: (route) => readOperation(document, route),
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
