/** Loads a description from disk, with the files beside it that it refers to, and takes it apart. */

import { readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ApiSourceError } from "../errors.js";
import { describeFileError } from "../source/load-sources.js";
import { quoteText } from "../text.js";
import { type ApiDocument, createApiDocument, readPathEntry, writePartKey } from "./api-document.js";
import { asObject, asString, type Plain, parseDocument } from "./parse-document.js";

/** No description needs more: a web of references must not read a whole disk. */
const maxFiles = 500;
const maxBytes = 200_000_000;
const maxDepth = 500;
/** How many references are remembered by name. */
const maxUnfollowed = 20;
const unfollowedMark = "unfollowed:";

/** @throws ApiSourceError `not_configured` that names file, place and reason. */
export async function loadApiDocument(file: string): Promise<ApiDocument> {
  const loading: Loading = {
    root: dirname(resolve(file)),
    files: [resolve(file)],
    parts: new Map(),
    unfollowed: new Set(),
  };
  const top = await readPlain(resolve(file));
  const isSwagger2 = asString(top.value["swagger"])?.startsWith("2") === true || top.value["swagger"] === 2;
  if (!isSwagger2 && !/^3\./.test(String(top.value["openapi"] ?? ""))) throw describeOther(file, top.value);
  rewriteReferences(loading, 0, top);
  const paths = Object.entries(asObject(top.value["paths"])).map(([path, item]) =>
    readPathEntry(path, asObject(item)),
  );
  const head = takeApart(loading, top.value);
  for (let index = 1; index < loading.files.length; index += 1) await loadBeside(loading, index);
  return createApiDocument({
    files: loading.files,
    isSwagger2,
    head,
    paths,
    parts: loading.parts,
    unfollowed: [...loading.unfollowed],
  });
}

interface Loading {
  /** The document's folder: what it refers to stands in it, or below. */
  readonly root: string;
  readonly files: string[];
  readonly parts: Map<string, string>;
  /** References to other addresses, out of the folder, and to files that are not there. */
  readonly unfollowed: Set<string>;
}

async function loadBeside(loading: Loading, index: number): Promise<void> {
  const file = loading.files[index] ?? "";
  if (!(await isReadable(loading.root, file))) {
    leaveOut(loading, relative(loading.root, file));
    return;
  }
  const read = await readPlain(file, true);
  rewriteReferences(loading, index, read);
  loading.parts.set(writePartKey(index, []), writePart(file, read.value));
}

/** Whether the file is there, and in the folder with all links followed. */
async function isReadable(root: string, file: string): Promise<boolean> {
  try {
    return isBelow(await realpath(root), await realpath(file));
  } catch {
    return false;
  }
}

interface ReadFile {
  readonly value: Plain;
  readonly isYaml: boolean;
}

/** @param isPart - Whether it is a file beside the document, which may hold anything. */
async function readPlain(file: string, isPart = false): Promise<ReadFile> {
  const text = await readText(file);
  const { value, why, fix, isYaml = false } = await parseDocument(text);
  if (why !== undefined) throw unreadable(file, why, fix ?? "Correct the file.");
  if (typeof value !== "object" || value === null || (Array.isArray(value) && !isPart))
    throw unreadable(file, "holds no object", "Give an OpenAPI 3 or Swagger 2 document.");
  return { value: value as Plain, isYaml };
}

/** @throws ApiSourceError `not_configured` for a file that can't be read as UTF-8. */
export async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.length > maxBytes)
      throw unreadable(file, `has more than ${maxBytes} bytes`, "Give a smaller one.");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    if (error instanceof TypeError) throw unreadable(file, "is not UTF-8 text", "Save the file as UTF-8.");
    const { message, fix } = describeFileError(error);
    throw unreadable(file, message, fix);
  }
}

function unreadable(file: string, why: string, fix: string): ApiSourceError {
  return new ApiSourceError({
    message: `${file} ${why}`,
    category: "not_configured",
    code: "unreadable_file",
    hint: fix,
  });
}

function describeOther(file: string, value: Plain): ApiSourceError {
  const version = value["openapi"] ?? value["swagger"] ?? value["swaggerVersion"];
  return unreadable(
    file,
    version === undefined
      ? "is no OpenAPI or Swagger document: it has neither `openapi` nor `swagger`"
      : `is of a version that is not read: ${quoteText(String(version), 20)}`,
    "Give an OpenAPI 3.0 or 3.1 document, or Swagger 2.0.",
  );
}

/**
 * Has every `$ref` name its file by number: `#/a` of the second file becomes `1#/a`. Iterative: a document may be nested
 * as deep as it likes. In YAML one object can stand in many places, and is rewritten once.
 */
function rewriteReferences(loading: Loading, index: number, { value, isYaml }: ReadFile): void {
  const seen = isYaml ? new Set<unknown>() : undefined;
  const open: unknown[] = [value];
  const depths: number[] = [0];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const depth = (depths.pop() ?? 0) + 1;
    if (depth > maxDepth)
      throw unreadable(loading.files[index] ?? "", "is nested too deeply", "Nest it less.");
    if (seen?.has(next)) continue;
    seen?.add(next);
    const object = next as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      // Extensions say nothing that is read here.
      if (name.startsWith("x-")) continue;
      const member = object[name];
      if (typeof member === "object" && member !== null) {
        open.push(member);
        depths.push(depth);
      } else if (name === "$ref" && typeof member === "string")
        object[name] = rewriteReference(loading, index, member);
    }
  }
}

function rewriteReference(loading: Loading, index: number, reference: string): string {
  if (reference.startsWith("#")) return index === 0 ? reference : `${index}${reference}`;
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference)) return leaveOut(loading, reference);
  const [path = "", fragment = ""] = reference.split("#", 2);
  // A bare name is how old documents refer to one of their own schemas.
  if (/^[\w-]+$/.test(path)) return `#/components/schemas/${path}`;
  const from = loading.files[index] ?? "";
  const file = resolve(dirname(from), decodePath(path));
  const known = loading.files.indexOf(file);
  if (!isBelow(loading.root, file) || (known === -1 && loading.files.length >= maxFiles))
    return leaveOut(loading, reference);
  const number = known === -1 ? loading.files.push(file) - 1 : known;
  return `${number}#${fragment}`;
}

function leaveOut({ unfollowed }: Loading, reference: string): string {
  if (unfollowed.size < maxUnfollowed) unfollowed.add(reference);
  return unfollowedMark;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isBelow(root: string, file: string): boolean {
  const way = relative(root, file);
  return way !== "" && !way.startsWith(`..${sep}`) && way !== ".." && join(root, way) === resolve(file);
}

/** Members that are referred to by name: each member of theirs becomes a part. */
const sections = ["paths", "definitions", "parameters", "responses"];

/** @returns what stays as it is. */
function takeApart({ parts, files }: Loading, top: Plain): Plain {
  const head: Record<string, unknown> = {};
  const split = (names: readonly string[], section: unknown): void => {
    for (const [name, part] of Object.entries(asObject(section)))
      parts.set(writePartKey(0, [...names, name]), writePart(files[0] ?? "", part));
  };
  for (const [name, value] of Object.entries(top)) {
    if (sections.includes(name)) split([name], value);
    else if (name === "components") {
      const { securitySchemes, ...others } = asObject(value);
      head[name] = { securitySchemes };
      for (const [section, members] of Object.entries(others)) split([name, section], members);
    } else if (name !== "webhooks" && name !== "__proto__") head[name] = value;
  }
  return head;
}

function writePart(file: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // An anchor of YAML stands within itself.
    throw unreadable(file, "holds a part that contains itself", "Write it with `$ref`.");
  }
}
