/** A description as it is kept: its parts as JSON text, parsed when they are asked for, so that a large one costs little memory. */

import { isPlainObject } from "../../core/base/input.js";
import { decodePercent } from "../../core/base/text.js";
import { type HttpMethod, httpMethods } from "../../core/record/api-source.js";
import { asObject, asString, type Plain } from "./parse-document.js";

const maxParsed = 500;
const maxReferences = 20;
/** A longer reference leads nowhere: each of its names is decoded. */
const maxReferenceLength = 2_000;

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
  /** Everything but `paths` and what is referred to: title, servers, security; and `securitySchemes`. */
  readonly head: Plain;
  /** Every operation, in the document's order, by its own path. */
  readonly operations: readonly Route[];
  /** References that are not followed: to other addresses, out of the folder, and to files that are not there. */
  readonly unfollowed: readonly string[];
  /** The path item of a path, its `$ref` followed. */
  readPath(path: string): Plain;
  /** The object itself, or the one that its `$ref` leads to; an empty one where that leads nowhere. */
  follow(value: unknown): Plain;
  /** The same document for one question: beyond so many steps of about a microsecond `follow` and `readPath` return empty objects. */
  limitSteps(most: number): ApiDocument;
}

/** How many characters of JSON are parsed in the time of a step. */
const charactersPerStep = 100;

export interface DocumentParts extends Pick<ApiDocument, "head" | "unfollowed"> {
  /** By file and place, such as `0#/paths/~1pets`. */
  readonly parts: ReadonlyMap<string, string>;
  readonly paths: Plain;
}

export function createApiDocument({ parts, paths, head, unfollowed }: DocumentParts): ApiDocument {
  /** Counts the work for a reader. @returns false when no more is left */
  type Spend = (steps: number) => boolean;
  const parsed = new Map<string, unknown>();
  const readPart = (key: string, spend: Spend): unknown => {
    const text = parts.get(key) ?? "null";
    if (!parsed.has(key) && !spend(text.length / charactersPerStep)) return undefined;
    const value: unknown = parsed.get(key) ?? JSON.parse(text);
    // Of more than these the least recently asked goes first.
    parsed.delete(key);
    parsed.set(key, value);
    const [oldest = key] = parsed.keys();
    if (parsed.size > maxParsed) parsed.delete(oldest);
    return value;
  };
  const read = (reference: string, spend: Spend): unknown => {
    const [name, fragment = ""] = reference.split(/#(.*)/s);
    const file = name || "0";
    const steps = fragment.split("/").slice(1).map(decodePointer);
    // The longest beginning that is a part, then on from there.
    for (let length = Math.min(3, steps.length); length >= 0; length -= 1) {
      const key = writePartKey(file, steps.slice(0, length));
      if (parts.has(key)) return walk(readPart(key, spend), steps.slice(length));
    }
    return file === "0" ? walk(head, steps) : undefined;
  };
  const open = (spend: Spend): Pick<ApiDocument, "follow" | "readPath"> => {
    const follow = (value: unknown): Plain => {
      let found = asObject(value);
      for (let steps = 0; steps < maxReferences && spend(1); steps += 1) {
        const reference = asString(found["$ref"]);
        if (reference === undefined) return found;
        if (reference.length > maxReferenceLength) return {};
        found = asObject(read(reference, spend));
      }
      return {};
    };
    return { follow, readPath: (path) => follow(readPart(writePartKey("0", ["paths", path]), spend)) };
  };
  const whole = open(() => true);
  const operations = Object.entries(paths).flatMap(([path, given]): Route[] => {
    const item = asObject(given)["$ref"] === undefined ? asObject(given) : whole.readPath(path);
    return httpMethods.flatMap((method) => {
      const operation = item[method.toLowerCase()];
      const isDeprecated = asObject(operation)["deprecated"] === true;
      return isPlainObject(operation) && path.startsWith("/")
        ? [{ method, path, key: path, isDeprecated }]
        : [];
    });
  });
  const own = { head, unfollowed, operations };
  const limitSteps = (most: number): ApiDocument => {
    let left = most;
    const spend: Spend = (steps) => {
      left -= steps;
      return left >= 0;
    };
    return { ...own, ...open(spend), limitSteps };
  };
  return { ...own, ...whole, limitSteps };
}

/** Follows a JSON pointer (RFC 6901); it may be percent-encoded, as it is a URL's fragment. */
function walk(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return /^\d{1,6}$/.test(step) ? at[Number(step)] : undefined;
    const object = asObject(at);
    return Object.hasOwn(object, step) ? object[step] : undefined;
  }, value);
}

/** The key of a part: the file's number and the names that lead to it. */
export function writePartKey(file: string, names: readonly string[]): string {
  return `${file}#${names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")}`;
}

function decodePointer(step: string): string {
  return decodePercent(step).replaceAll("~1", "/").replaceAll("~0", "~");
}
