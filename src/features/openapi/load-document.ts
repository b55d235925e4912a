/** Loads a description from disk, with the files beside it that it refers to. */

import { readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ApiSourceError } from "../../core/base/errors.js";
import { decodePercent, quoteText } from "../../core/base/text.js";
import { describeFileError } from "../../core/record/load-sources.js";
import { type ApiDocument, createApiDocument } from "./api-document.js";
import { asObject, type Plain, parseDocument } from "./parse-document.js";

/** No description needs more: a web of references must not read a whole disk. */
const maxFiles = 500;
const maxBytes = 200_000_000;
const maxDepth = 500;
/** How many references are remembered by name. */
const maxUnfollowed = 20;
const unfollowedMark = "unfollowed:";

interface Loading {
  /** The document's folder: what it refers to is in it, or below. Absent for a text, which has no files beside it. */
  readonly root?: string;
  readonly files: string[];
  readonly values: unknown[];
  readonly unfollowed: Set<string>;
}

/** @throws ApiSourceError `not_configured` that names file, place and reason. */
export async function loadApiDocument(file: string): Promise<ApiDocument> {
  const main = resolve(file);
  const loading: Loading = { root: dirname(main), files: [main], values: [], unfollowed: new Set() };
  const top = asObject(await readJson(main));
  const { openapi, swagger } = top;
  if (!/^3\./.test(String(openapi)) && !/^2/.test(String(swagger))) {
    const version = openapi ?? swagger;
    const what =
      version === undefined ? "it has neither `openapi` nor `swagger`" : quoteText(String(version), 20);
    throw unreadable(
      file,
      `is not an OpenAPI 3 or Swagger 2 document: ${what}`,
      "Give one of these versions.",
    );
  }
  keep(loading, 0, top);
  for (let index = 1; index < loading.files.length; index += 1) await loadBeside(loading, index);
  return createApiDocument(loading.values, [...loading.unfollowed]);
}

/** The same for a document without a file: nothing is read beside it. Its references are rewritten in place. */
export function readApiDocument(top: Plain): ApiDocument {
  const loading: Loading = { files: [], values: [], unfollowed: new Set() };
  keep(loading, 0, top);
  return createApiDocument(loading.values, [...loading.unfollowed]);
}

function keep(loading: Loading, index: number, value: unknown): void {
  rewriteReferences(loading, index, Object(value));
  loading.values[index] = value;
}

async function loadBeside(loading: Loading, index: number): Promise<void> {
  const { root = "", files } = loading;
  const file = files[index] ?? "";
  // With all links followed; one of a file that isn't there leads nowhere.
  const [real, realRoot] = await Promise.all([file, root].map((path) => realpath(path).catch(() => "")));
  if (!real || !realRoot || !real.startsWith(join(realRoot, sep))) {
    leaveOut(loading, relative(root, file));
    return;
  }
  keep(loading, index, await readJson(file));
}

async function readJson(file: string): Promise<unknown> {
  const { value, why, fix } = await parseDocument(await readText(file));
  if (why !== undefined) throw unreadable(file, why, fix ?? "Correct the file.");
  return value;
}

/** @throws ApiSourceError `not_configured` for a file that can't be read as UTF-8. */
export async function readText(file: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    if (bytes.length <= maxBytes) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const { message, fix } = describeFileError(error);
    throw unreadable(file, message, fix);
  }
  throw unreadable(file, `has more than ${maxBytes} bytes`, "Give a smaller one.");
}

/** @param file - Absent for a text that somebody gave. */
function unreadable(file: string | undefined, why: string, fix: string): ApiSourceError {
  return new ApiSourceError({
    message: `${file ?? "The document"} ${why}`,
    category: file === undefined ? "invalid_input" : "not_configured",
    code: "unreadable_file",
    hint: fix,
  });
}

/** Has every `$ref` name its file by number: `#/a` of the second file becomes `1#/a`. Extensions say nothing that is read here. */
function rewriteReferences(
  loading: Loading,
  index: number,
  value: object,
  depth: number = 0,
  isExtension: boolean = false,
): void {
  if (depth > maxDepth) throw unreadable(loading.files[index], "is nested too deeply", "Nest it less.");
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) {
    const member = object[name];
    if (typeof member === "object" && member !== null)
      rewriteReferences(loading, index, member, depth + 1, isExtension || name.startsWith("x-"));
    else if (name === "$ref" && typeof member === "string" && !isExtension)
      object[name] = rewriteReference(loading, index, member);
  }
}

function rewriteReference(loading: Loading, index: number, reference: string): string {
  const { root, files } = loading;
  if (reference.startsWith("#")) return index === 0 ? reference : `${index}${reference}`;
  if (root === undefined || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(reference))
    return leaveOut(loading, reference);
  const [path = "", fragment = ""] = reference.split("#", 2);
  const file = resolve(dirname(files[index] ?? ""), decodePercent(path));
  const known = files.indexOf(file);
  if (known === -1 && files.length >= maxFiles) return leaveOut(loading, reference);
  return `${known === -1 ? files.push(file) - 1 : known}#${fragment}`;
}

function leaveOut({ unfollowed }: Loading, reference: string): string {
  if (unfollowed.size < maxUnfollowed) unfollowed.add(reference);
  return unfollowedMark;
}
