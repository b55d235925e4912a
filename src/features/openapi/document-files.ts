/** The files of one document: the document itself, and those beside it, each read when the first reference to it is followed. */

import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ApiSourceError } from "../../core/base/errors.js";
import { clipText, decodePercent } from "../../core/base/text.js";
import { describeFileError } from "../../core/record/load-sources.js";
import { asObject, type Plain } from "./api-document.js";
import { type DocumentParser, maxDepth, unreadable } from "./parse-document.js";

/** The most bytes that all files of a document may have: a web of references must not read a whole disk. */
export const maxBytes = 200_000_000;
/** How many references are remembered by name. */
const maxUnread = 20;
/** A longer reference leads nowhere: each of its names is decoded. */
const maxReferenceLength = 2_000;
/** The member of a document that has the values of other files, by their names. A reader of references leaves those in an extension as they are. */
export const filesMember = "x-files";
/** The beginning of a reference that leads to nothing, in memory and in a document that was bundled. */
export const unreadMark = "unread:";

/** The value that a reference leads to; `unread` names a reference that leads to nothing, with the reason. */
export interface Found {
  readonly value: Plain;
  readonly unread?: string;
}

export interface DocumentFiles {
  /** The document itself, in which every reference to another file leads below `#/x-files`. */
  readonly top: Plain;
  /** References that are known to lead to nothing: to other addresses, out of the folder, and to files that could not be read. */
  readonly unread: ReadonlySet<string>;
  /** Whether it refers to files beside it. */
  readonly hasOthers: boolean;
  /** Takes the reader of the files beside it; without one they are not read. */
  setParser(parser: DocumentParser): void;
  /** Finds the value that a `$ref` leads to. */
  read(reference: string): Found;
  /** Whether what a `$ref` leads to may contain a word: a cheap look at a file that was not parsed yet. */
  mayContain(reference: string, word: string): boolean;
  /** The name, below the document's folder, of the other file that a `$ref` leads to. */
  findName(reference: string): string | undefined;
}

/** A file that a reference names. */
interface DocumentFile {
  readonly path: string;
  /** Below the document's folder. */
  readonly name: string;
  /** Absent until the file is read, and once it is parsed. */
  text?: string | undefined;
  /** Absent until the first reference to it is followed. */
  value?: unknown;
  unread?: string;
}

/** The state that the files of one document share while they are read. */
interface Reading {
  readonly top: DocumentFile;
  /** The document's folder: what it refers to is in it, or below. Absent for a text, which has no files beside it. */
  readonly root?: string;
  /** The other files, by their names. */
  readonly others: Map<string, DocumentFile>;
  readonly unread: Set<string>;
  parser?: DocumentParser;
  bytesLeft: number;
}

/**
 * @param top - Is changed: its references are written anew, each with the name of its file.
 * @param file - Where it is; absent for a text, which has no files beside it.
 */
export function openFiles(top: Plain, file?: string): DocumentFiles {
  const path = file === undefined ? "" : resolve(file);
  const own: DocumentFile = { path, name: file ?? "", value: top };
  const reading: Reading = {
    top: own,
    root: file === undefined ? undefined : dirname(path),
    others: new Map(),
    unread: new Set(),
    bytesLeft: maxBytes,
  };
  const known = new Map<string, Found>();
  rewriteReferences(top, (reference) => rewriteReference(reading, reference, own), file);
  return {
    top,
    unread: reading.unread,
    hasOthers: reading.others.size > 0,
    setParser(parser) {
      reading.parser = parser;
    },
    read(reference) {
      const found = known.get(reference) ?? find(reading, reference);
      known.set(reference, found);
      return found;
    },
    mayContain(reference, word) {
      const { file } = findPlace(reading, reference);
      if (file.value !== undefined) return true;
      return readText(reading, file)?.includes(word) ?? false;
    },
    findName(reference) {
      const { file } = findPlace(reading, reference);
      return file === own ? undefined : file.name;
    },
  };
}

function find(reading: Reading, reference: string): Found {
  if (reference.length > maxReferenceLength) return { value: {} };
  if (reference.startsWith(unreadMark))
    return { value: {}, unread: reference.slice(unreadMark.length) };
  const { file, steps } = findPlace(reading, reference);
  if (file.value === undefined && file.unread === undefined) loadFile(reading, file);
  if (file.unread !== undefined) return { value: {}, unread: file.unread };
  const value = walk(file.value, steps);
  if (value === undefined) return { value: {}, unread: `${reference} (does not exist)` };
  return { value: asObject(value) };
}

/** The file that a reference leads to, and the names that lead to a value of it. */
interface Place {
  readonly file: DocumentFile;
  readonly steps: readonly string[];
}

function findPlace({ top, others }: Reading, reference: string): Place {
  const steps = readSteps(reference);
  const [first, name = "", ...inner] = steps;
  const file = first === filesMember ? others.get(name) : undefined;
  return file === undefined ? { file: top, steps } : { file, steps: inner };
}

/** Reads a file without waiting: a reader of schemas follows thousands of references, each of which may be the first to its file. */
function readText(reading: Reading, file: DocumentFile): string | undefined {
  if (file.text !== undefined || file.unread !== undefined) return file.text;
  try {
    const bytes = readBytes(file.path, reading.root ?? "", reading.bytesLeft);
    reading.bytesLeft -= bytes.length;
    file.text = decodeUtf8(bytes);
  } catch (error) {
    refuseFile(reading, file, error);
  }
  return file.text;
}

function loadFile(reading: Reading, file: DocumentFile): void {
  const text = readText(reading, file);
  if (text === undefined) return;
  try {
    if (reading.parser === undefined) throw new NotReadError("is not read");
    const value = reading.parser(text, file.name);
    const rewrite = (reference: string): string => rewriteReference(reading, reference, file);
    rewriteReferences(Object(value), rewrite, file.name);
    file.value = value;
  } catch (error) {
    refuseFile(reading, file, error);
  }
  file.text = undefined;
}

function refuseFile(reading: Reading, file: DocumentFile, error: unknown): void {
  file.unread = `${file.name} (${describeProblem(error, file.name)})`;
  leaveOut(reading, file.unread);
}

/** @throws Error for what is no file of a document, or is out of the folder once all links are followed. */
function readBytes(path: string, root: string, most: number): Uint8Array {
  const real = realpathSync(path);
  const realRoot = realpathSync(root);
  if (!isBelow(real, realRoot)) throw new NotReadError("is out of the document's folder");
  const segments = relative(realRoot, real).split(sep);
  // A stranger's document may name any file of the folder: `.env`, `.aws/config.json`, a key.
  if (segments.some((segment) => segment.startsWith(".")) || !/\.(?:json|ya?ml)$/i.test(real))
    throw new NotReadError(
      "is not read: only .json, .yaml and .yml files are, without a dot before a name",
    );
  const { size, isFile } = readState(real);
  if (!isFile) throw new NotReadError("is no file");
  if (size > most) throw new NotReadError(`would make the document longer than ${maxBytes} bytes`);
  return readFileSync(real);
}

function readState(path: string): { readonly size: number; readonly isFile: boolean } {
  const state = statSync(path);
  return { size: state.size, isFile: state.isFile() };
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(join(root, sep));
}

/** @throws TypeError for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** Why a file was not read: the message of an error of ours begins with the file's name, one of the system has a code. */
function describeProblem(error: unknown, name: string): string {
  if (error instanceof ApiSourceError) return error.message.slice(name.length).trim();
  return error instanceof NotReadError ? error.message : describeFileError(error).message;
}

/** A file that a document names and may not have read. */
class NotReadError extends Error {}

/** A reference that is not followed keeps its name behind a mark; `#/a` of another file becomes `#/x-files/NAME/a`. */
function rewriteReference(reading: Reading, reference: string, from: DocumentFile): string {
  const { root, top } = reading;
  // A document that was bundled before has such marks already.
  if (reference.startsWith(unreadMark))
    return unreadMark + leaveOut(reading, reference.slice(unreadMark.length));
  const isAddress = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference);
  // A name in a pointer may have this sign, too.
  const [name = "", fragment = ""] = reference.split(/#(.*)/s);
  if (name === "" && reference !== "") return writePlace(reading, from, fragment);
  if (root === undefined || isAddress) return unreadMark + leaveOut(reading, reference);
  const path = resolve(dirname(from.path), decodePercent(name));
  if (path === top.path) return writePlace(reading, top, fragment);
  if (!isBelow(path, root)) return unreadMark + leaveOut(reading, reference);
  const own = relative(root, path);
  const file = reading.others.get(own) ?? { path, name: own };
  reading.others.set(own, file);
  return writePlace(reading, file, fragment);
}

function writePlace({ top }: Reading, file: DocumentFile, fragment: string): string {
  if (file === top) return `#${fragment}`;
  const step = encodeURIComponent(file.name.replaceAll("~", "~0").replaceAll("/", "~1"));
  // An anchor is no way to a value: it leads to the whole file.
  return `#/${filesMember}/${step}${fragment.startsWith("/") ? fragment : ""}`;
}

function leaveOut({ unread }: Reading, reference: string): string {
  const name = clipText(reference, 200);
  if (unread.size < maxUnread) unread.add(name);
  return name;
}

/** Has every `$ref` name its file. One in an extension may name anything: there it stays as it is. */
export function rewriteReferences(
  value: object,
  rewrite: (reference: string) => string,
  file?: string,
  depth: number = 0,
): void {
  if (depth > maxDepth) throw unreadable(file, "is nested too deeply", "Nest it less.");
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) {
    const member = object[name];
    if (typeof member === "object" && member !== null) {
      const change = name.startsWith("x-") ? keepReference : rewrite;
      rewriteReferences(member, change, file, depth + 1);
    } else if (name === "$ref" && typeof member === "string") object[name] = rewrite(member);
  }
}

function keepReference(reference: string): string {
  return reference;
}

/** The names of a JSON pointer (RFC 6901) behind `#`; it may be percent-encoded, as it is a URL's fragment. */
export function readSteps(reference: string): readonly string[] {
  const given = reference.split("/").slice(1);
  return given.map((step) => decodePercent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function walk(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) return /^\d{1,6}$/.test(step) ? at[Number(step)] : undefined;
    const object = asObject(at);
    return Object.hasOwn(object, step) ? object[step] : undefined;
  }, value);
}
