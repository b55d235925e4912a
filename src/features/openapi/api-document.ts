/** A description as the package has it in memory: its operations, and what its references lead to, also in files beside it. */

import { isPlainObject } from "../../core/base/input.js";
import type { HttpMethod } from "../../core/record/api-source.js";

/** No operation has more parameters; a document that does must not keep a call. */
export const maxParameters = 1_000;

export type Plain = Readonly<Record<string, unknown>>;

/** One operation, before anything but its place is read. */
export interface Route {
  readonly method: HttpMethod;
  /** As a call has it, below the base URL; without a query. */
  readonly path: string;
  /** The key of the path in the document. */
  readonly key: string;
  readonly isDeprecated: boolean;
}

/** One operation with all that its path says of it. */
export interface RawOperation {
  /** OpenAPI 3's operation object. */
  readonly operation: Plain;
  /** Parameters of the path, then the operation's own. */
  readonly parameters: readonly unknown[];
  /** As `readServers` gives them. */
  readonly servers?: readonly unknown[];
}

/** A document in one form, whatever it is written in: OpenAPI 3's. */
export interface ApiDocument {
  /** The members of the document but for its paths, and the `securitySchemes`. */
  readonly head: Plain;
  /** Every operation, in the document's order, by its own path. */
  readonly operations: readonly Route[];
  /** References that are not followed so far as is known: to other addresses, out of the folder, and to files that could not be read. */
  readonly unfollowed: ReadonlySet<string>;
  readOperation(route: Pick<Route, "key" | "method">): RawOperation;
  /** The servers of an operation, else those of its path; undefined where the document's hold. */
  readServers(route: Pick<Route, "key" | "method">): readonly unknown[] | undefined;
  /** The object itself, or the one that its `$ref` leads to; an empty one where that leads nowhere. */
  follow(value: unknown): Plain;
  /**
   * The same document for one question, a part of this one: beyond so many steps of about a microsecond `follow` and `readOperation` give empty
   * objects.
   */
  limitSteps(most: number): LimitedDocument;
}

export interface LimitedDocument extends ApiDocument {
  /** The parts that this question was led to and that were not read, such as `gone.yaml (does not exist)`. */
  readonly missing: ReadonlySet<string>;
}

/** The value as an object; an empty one for everything else, so that a malformed document reads as an empty one. */
export function asObject(value: unknown): Plain {
  return isPlainObject(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
