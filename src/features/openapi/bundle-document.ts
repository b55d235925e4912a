/** One document of a document and the files beside it: it has the values that its references lead to, and nothing else of those files. */

import { isPlainObject } from "../../core/base/input.js";
import { asObject, type Plain } from "./api-document.js";
import {
  type DocumentFiles,
  filesMember,
  readSteps,
  rewriteReferences,
  unreadMark,
} from "./document-files.js";
import { isDataWord, isObjectWord } from "./object-words.js";

/** A document as it is kept elsewhere. */
export interface Bundle {
  /** Undefined for a document that refers to nothing but itself: it stays as it is. */
  readonly document: Plain | undefined;
  /** The names of the files that values were taken from. */
  readonly files: readonly string[];
}

/** A value of another file that goes into the document, and the names that lead to it. */
interface Part {
  readonly steps: readonly string[];
  readonly value: unknown;
}

/** The settings of a program have a `url` as a server of a document has, with a user and a password before the host (RFC 3986, section 3.2.1). */
const urlWithPassword = /:\/\/[^\s/:@]{0,200}:[^\s/@]{1,200}@/;

export function bundleDocument(files: DocumentFiles): Bundle {
  const { top } = files;
  const isAlone = !files.hasOthers && files.unread.size === 0;
  if (isAlone) return { document: undefined, files: [] };
  const names = new Set<string>();
  const found = new Set<string>();
  // A part that is not read keeps its name behind a mark, so that it is not read later either.
  const place = (reference: string): string => {
    const name = files.findName(reference);
    const { unread } = files.read(reference);
    if (unread !== undefined) return unreadMark + unread;
    if (name === undefined) return reference;
    names.add(name);
    found.add(reference);
    return reference;
  };
  rewriteReferences(top, place);
  const parts: Part[] = [];
  // A part may refer to others, which are then at the end of the set.
  for (const reference of found) {
    const value = copyObject(files.read(reference).value);
    rewriteReferences(Object(value), place);
    parts.push({ steps: readSteps(reference), value });
  }
  if (parts.length === 0) return { document: top, files: [] };
  const before = asObject(top[filesMember]);
  const joined = asObject(joinParts(parts)[filesMember]);
  const others = { ...before, ...joined };
  const document = { ...top, [filesMember]: others };
  return { document, files: [...names] };
}

/**
 * Copies what may be an object of a document, or a map of such objects: a reference may lead to a file that has other things, such as a key. A
 * text, number or list under a name that no object of OpenAPI has is left out, and an extension and a text with a password in a URL, too.
 */
function copyObject(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyObject);
  if (typeof value === "string") return urlWithPassword.test(value) ? undefined : value;
  if (!isPlainObject(value)) return value;
  const isObject = Object.keys(value).some(isObjectWord);
  const copies = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    const isData = name === "$ref" || isDataWord(name, isObject);
    const isKept = isPlainObject(member) || isObjectWord(name);
    const own = isKept ? copyObject(member) : undefined;
    const copy = isData ? structuredClone(member) : own;
    if (copy !== undefined) copies.set(name, copy);
  }
  // Not by assignment: `__proto__` is a name like others.
  return Object.fromEntries(copies);
}

/** Puts each part where its reference leads; a part of a part is there already. */
function joinParts(parts: readonly Part[]): Plain {
  const shortestFirst = parts.toSorted((one, other) => one.steps.length - other.steps.length);
  const joined: Record<string, unknown> = Object.create(null);
  for (const { steps, value } of shortestFirst) {
    let at = joined;
    for (const step of steps.slice(0, -1)) at = openMember(at, step);
    const last = steps.at(-1) ?? "";
    if (!Object.hasOwn(at, last)) at[last] = value;
  }
  return joined;
}

/** Its member of a name, which is made where it is missing. */
function openMember(object: Record<string, unknown>, name: string): Record<string, unknown> {
  const own = Object.hasOwn(object, name) ? object[name] : undefined;
  if (typeof own === "object" && own !== null) return own as Record<string, unknown>;
  // An object without a prototype can have a member named `__proto__`.
  const made: Record<string, unknown> = Object.create(null);
  object[name] = made;
  return made;
}
