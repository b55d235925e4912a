/** One document of a document and the files beside it: it has the values that its references lead to, and nothing else of those files. */

import { isPlainObject } from "../../core/base/input.js";
import type { Plain } from "./api-document.js";
import { type DocumentFiles, readSteps, unreadMark } from "./document-files.js";
import { isDataWord, isObjectWord } from "./object-words.js";

/** The member that has the values of other files, by the files' numbers. A reader of references leaves those in an extension as they are. */
const filesMember = "x-files";

/** A document as it is kept elsewhere. */
export interface Bundle {
  /** Undefined for a document that refers to nothing but itself: it stays as it is. */
  readonly document: Plain | undefined;
  /** The names of the files that values were taken from. */
  readonly files: readonly string[];
}

/** A value of another file that goes into the document. */
interface Part {
  readonly number: string;
  readonly steps: readonly string[];
  readonly value: unknown;
}

/** The settings of a program have a `url` as a server of a document has, with a user and a password before the host (RFC 3986, section 3.2.1). */
const urlWithPassword = /:\/\/[^\s/:@]{0,200}:[^\s/@]{1,200}@/;

/** Takes the files of a document, whose references name files by their numbers. */
export function bundleDocument(files: DocumentFiles): Bundle {
  if (!files.hasOthers && files.unread.size === 0) return { document: undefined, files: [] };
  const found = new Set<string>();
  const top = copyAll(files.top, (reference) => placeReference(reference, files, found));
  const parts: Part[] = [];
  // A part may refer to others, which are then at the end of the set.
  for (const reference of found) {
    const place = (each: string): string => placeReference(each, files, found);
    const value = copyObject(files.read(reference).value, place);
    const [number = "", fragment = ""] = reference.split(/#(.*)/s);
    parts.push({ number, steps: readSteps(fragment), value });
  }
  const names = new Set(parts.map(({ number }) => files.nameOf(Number(number))));
  const added = parts.length === 0 ? {} : { [filesMember]: joinParts(parts) };
  return { document: { ...Object(top), ...added }, files: [...names] };
}

/** Writes where a reference leads in the one document, `2#/a` as `#/x-files/2/a`, and remembers what it leads to. What is not read keeps its name behind a mark, so that it is not read later either. */
function placeReference(reference: string, files: DocumentFiles, found: Set<string>): string {
  const [, number, fragment = ""] = /^(\d+)#(.*)$/s.exec(reference) ?? [];
  if (number === undefined) return reference;
  const { unread } = files.read(reference);
  if (unread !== undefined) return `${unreadMark}${unread}`;
  if (number === "0") return `#${fragment}`;
  found.add(reference);
  return `#/${filesMember}/${number}${fragment}`;
}

/** Copies plain data; a `$ref` outside of extensions is written anew. The depth of a document is capped where it is read. */
function copyAll(value: unknown, place: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => copyAll(item, place));
  if (!isPlainObject(value)) return value;
  return copyMembers(value, (name, member) => {
    if (name.startsWith("x-")) return member;
    return name === "$ref" && typeof member === "string" ? place(member) : copyAll(member, place);
  });
}

/**
 * Copies what may be an object of a document, or a map of such objects: a reference may lead to a file that has other things, such as a key. A
 * text, number or list under a name that no object of OpenAPI has is left out, and an extension and a text with a password in a URL, too.
 */
function copyObject(value: unknown, place: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => copyObject(item, place));
  if (typeof value === "string") return urlWithPassword.test(value) ? undefined : value;
  if (!isPlainObject(value)) return value;
  const isObject = Object.keys(value).some(isObjectWord);
  return copyMembers(value, (name, member) => {
    if (name === "$ref" && typeof member === "string") return place(member);
    if (isDataWord(name, isObject)) return copyAll(member, place);
    return isPlainObject(member) || isObjectWord(name) ? copyObject(member, place) : undefined;
  });
}

/** @param copy - Undefined leaves the member out. */
function copyMembers(value: Plain, copy: (name: string, member: unknown) => unknown): Plain {
  const copies = Object.entries(value).map(([name, member]) => [name, copy(name, member)] as const);
  return Object.fromEntries(copies.filter(([, member]) => member !== undefined));
}

/** Puts each part where its reference leads; a part of a part is there already. */
function joinParts(parts: readonly Part[]): Plain {
  const shortestFirst = parts.toSorted((one, other) => one.steps.length - other.steps.length);
  const joined: Record<string, unknown> = Object.create(null);
  for (const { number, steps, value } of shortestFirst) {
    const way = [number, ...steps];
    const last = way.pop() ?? "";
    let at = joined;
    for (const step of way) at = openMember(at, step);
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
