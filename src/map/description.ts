/** A description as one source uses it: its operations, where they stand below the base URL, and what was read of them. */

import type { ApiSettings } from "../source/api-source.js";
import type { ApiDocument } from "./api-document.js";
import { findBrokenRules } from "./check-value.js";
import { listMembers } from "./list-members.js";
import { type Media, type Operation, readOperation } from "./operation.js";
import { findPlacement, type Placement } from "./place-paths.js";
import type { Route, Routes } from "./routes.js";

export interface Description {
  readonly document: ApiDocument;
  readonly routes: Routes;
  readonly placement: Placement;
  /** One operation, read when it is first asked for. */
  readOperation(route: Route): Operation;
  /** The rules of a body that the document's own examples break. */
  listBrokenRules(operation: Operation, media: Media): ReadonlySet<string>;
  /** The members that an object must have. */
  listRequired(schema: unknown): string[];
}

/** How many operations are remembered as they were read. */
const maxKept = 200;

export function createDescription(document: ApiDocument, routes: Routes, api: ApiSettings): Description {
  const operations = createMemory<Operation>();
  const broken = createMemory<ReadonlySet<string>>();
  return {
    document,
    routes,
    placement: findPlacement(document, routes, api),
    readOperation: (route) =>
      operations(`${route.method} ${route.path}`, () => readOperation(document, route)),
    listBrokenRules: ({ method, path }, media) =>
      broken(`${method} ${path}`, () => findBrokenRules(document, media.schema, media.examples)),
    listRequired: (schema) => [...listMembers(document, document.follow(schema)).required],
  };
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
