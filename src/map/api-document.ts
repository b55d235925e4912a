/** A description as it is kept: its parts as JSON text, parsed when they are asked for, so that a large one costs little memory. */

import { type HttpMethod, httpMethods } from "../source/api-source.js";
import { asObject, asString, isObject, type Plain } from "./parse-document.js";

/** How many characters of parts are kept parsed at a time. */
const maxParsedCharacters = 2_000_000;
const maxReferences = 20;

export interface ApiDocument {
  /** The file, and those beside it that it refers to, as absolute paths. */
  readonly files: readonly string[];
  readonly isSwagger2: boolean;
  /** Everything but `paths` and what is referred to: title, servers, security. */
  readonly head: Plain;
  readonly paths: readonly PathEntry[];
  /** References that are not followed: to other addresses, out of the folder, and to files that are not there. */
  readonly unfollowed: readonly string[];
  /** The path item of a path, its `$ref` followed. */
  readPath(path: string): Plain;
  /** What stands at a place, such as `#/components/schemas/Pet`; undefined where nothing does. */
  read(reference: string): unknown;
  /** The object itself, or the one that its `$ref` leads to; an empty one where that leads nowhere. */
  follow(value: unknown): Plain;
}

/** A path of the document as it stands there, and which methods it has. */
export interface PathEntry {
  readonly path: string;
  readonly methods: readonly HttpMethod[];
  readonly deprecated: readonly HttpMethod[];
  /** Whether its operations stand elsewhere. */
  readonly isReference: boolean;
}

export function readPathEntry(path: string, item: Plain): PathEntry {
  const methods = httpMethods.filter((method) => isObject(item[method.toLowerCase()]));
  return {
    path,
    methods,
    deprecated: methods.filter((method) => asObject(item[method.toLowerCase()])["deprecated"] === true),
    isReference: item["$ref"] !== undefined,
  };
}

/** A part of a document: by file and place, such as `0#/paths/~1pets`. */
export type Parts = ReadonlyMap<string, string>;

export interface DocumentParts extends Pick<ApiDocument, "files" | "isSwagger2" | "head" | "paths"> {
  readonly parts: Parts;
  readonly unfollowed: readonly string[];
}

export function createApiDocument({ parts, ...rest }: DocumentParts): ApiDocument {
  const readPart = createPartReader(parts);
  const read = (reference: string): unknown => {
    const [file, fragment = ""] = splitReference(reference);
    const steps = fragment.split("/").slice(1).map(decodePointer);
    // The longest beginning that is a part, then on from there.
    for (let length = Math.min(3, steps.length); length >= 0; length -= 1) {
      const key = writePartKey(file, steps.slice(0, length));
      if (parts.has(key)) return walk(readPart(key), steps.slice(length));
    }
    return file === "0" ? walk(rest.head, steps) : undefined;
  };
  const follow = (value: unknown): Plain => {
    let found = asObject(value);
    for (let steps = 0; steps < maxReferences; steps += 1) {
      const reference = asString(found["$ref"]);
      if (reference === undefined) return found;
      found = asObject(read(reference));
    }
    return {};
  };
  const readPath = (path: string): Plain => follow(readPart(writePartKey(0, ["paths", path])));
  return { ...rest, read, readPath, follow };
}

/** Parsed parts, the least recently used of which go first. The same part is the same object while it is kept. */
function createPartReader(parts: Parts): (key: string) => unknown {
  const parsed = new Map<string, unknown>();
  let characters = 0;
  return (key) => {
    const known = parsed.get(key);
    if (known !== undefined) {
      parsed.delete(key);
      parsed.set(key, known);
      return known;
    }
    const text = parts.get(key) ?? "null";
    const value: unknown = JSON.parse(text);
    parsed.set(key, value);
    characters += text.length;
    for (const oldest of parsed.keys()) {
      if (characters <= maxParsedCharacters || oldest === key) break;
      parsed.delete(oldest);
      characters -= parts.get(oldest)?.length ?? 0;
    }
    return value;
  };
}

/** The file's number and the place in it. */
function splitReference(reference: string): [file: string, fragment: string] {
  const hash = reference.indexOf("#");
  return hash === -1 ? [reference, ""] : [reference.slice(0, hash) || "0", reference.slice(hash + 1)];
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
export function writePartKey(file: string | number, names: readonly string[]): string {
  return `${file}#${names.map((name) => `/${encodePointer(name)}`).join("")}`;
}

function encodePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function decodePointer(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // A literal percent sign.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
