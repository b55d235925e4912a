/** A description as it is read: its operations, and what its references lead to, also in files beside it. */

import { isPlainObject } from "../../core/base/input.js";
import { decodePercent } from "../../core/base/text.js";
import { type HttpMethod, httpMethods } from "../../core/record/api-source.js";

const maxReferences = 20;
/** A longer reference leads nowhere: each of its names is decoded. */
const maxReferenceLength = 2_000;

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

export interface ApiDocument {
  /** The document itself: title, servers, security; and `securitySchemes`. */
  readonly head: Plain;
  /** Every operation, in the document's order, by its own path. */
  readonly operations: readonly Route[];
  /** References that are not followed: to other addresses, out of the folder, and to files that are not there. */
  readonly unfollowed: readonly string[];
  /** The path item of a path, its `$ref` followed. */
  readPath(path: string): Plain;
  /** The object itself, or the one that its `$ref` leads to; an empty one where that leads nowhere. */
  follow(value: unknown): Plain;
  /** The same document for one question, a part of this one: beyond so many steps of about a microsecond `follow` and `readPath` return empty objects. */
  limitSteps(most: number): ApiDocument;
}

/**
 * @param files - The document, and those that it refers to by their place in this list: `1#/a` is a member of the second.
 * @param unfollowed - As the document's member.
 */
export function createApiDocument(
  files: readonly unknown[],
  unfollowed: readonly string[],
): ApiDocument {
  /** Counts a step for a reader. @returns whether more are left */
  type Spend = () => boolean;
  const top = asObject(files[0]);
  const { paths, components, securityDefinitions } = top;
  const { securitySchemes = securityDefinitions } = asObject(components);
  const resolved = new Map<string, Plain>();
  const read = (reference: string): Plain => {
    const known = resolved.get(reference);
    if (known !== undefined) return known;
    const [file, fragment = ""] = reference.split(/#(.*)/s);
    const found = asObject(walk(files[Number(file)], fragment.split("/").slice(1)));
    resolved.set(reference, found);
    return found;
  };
  const open = (spend: Spend): Pick<ApiDocument, "follow" | "readPath" | "limitSteps"> => {
    const follow = (value: unknown): Plain => {
      let found = asObject(value);
      for (let steps = 0; steps < maxReferences && spend(); steps += 1) {
        const reference = asString(found["$ref"]);
        if (reference === undefined) return found;
        if (reference.length > maxReferenceLength) return {};
        found = read(reference);
      }
      return {};
    };
    const limitSteps = (most: number): ApiDocument => {
      let left = most;
      const spendBoth: Spend = () => {
        left -= 1;
        return spend() && left >= 0;
      };
      return { ...own, ...open(spendBoth) };
    };
    return { follow, readPath: (path) => follow(asObject(paths)[path]), limitSteps };
  };
  const whole = open(() => true);
  const operations = Object.entries(asObject(paths)).flatMap(([path, given]): Route[] => {
    const item = asObject(given)["$ref"] === undefined ? asObject(given) : whole.readPath(path);
    return httpMethods.flatMap((method) => {
      const operation = item[method.toLowerCase()];
      const isDeprecated = asObject(operation)["deprecated"] === true;
      return isPlainObject(operation) && path.startsWith("/")
        ? [{ method, path, key: path, isDeprecated }]
        : [];
    });
  });
  const own = { head: { ...top, securitySchemes }, unfollowed, operations };
  return { ...own, ...whole };
}

/** Follows a JSON pointer (RFC 6901); it may be percent-encoded, as it is a URL's fragment. */
function walk(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, given) => {
    const step = decodePercent(given).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) return /^\d{1,6}$/.test(step) ? at[Number(step)] : undefined;
    const object = asObject(at);
    return Object.hasOwn(object, step) ? object[step] : undefined;
  }, value);
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
