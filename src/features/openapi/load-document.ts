/** Loads a description, JSON or YAML, as plain data without invisible characters, with the files beside it that it refers to. */

import { readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ApiSourceError } from "../../core/base/errors.js";
import { readPlainJson } from "../../core/base/input.js";
import { decodePercent, quoteText } from "../../core/base/text.js";
import { describeFileError } from "../../core/record/load-sources.js";
import { type ApiDocument, asObject, createApiDocument, type Plain } from "./api-document.js";

/** No description needs more: a web of references must not read a whole disk. */
const maxFiles = 500;
const maxBytes = 200_000_000;
const maxDepth = 500;
/** The most characters a YAML document may have: it is read a hundred times more slowly than JSON. */
const maxYamlCharacters = 10_000_000;
/** More aliases than this are a bomb, not a document ("billion laughs"). */
const maxAliasCount = 200;
/** What anchors may make of a document, as JSON: each of them may occur in 200 places, and is an object of its own in each. */
const maxUnfolded = 10;
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
  const loading: Loading = {
    root: dirname(main),
    files: [main],
    values: [],
    unfollowed: new Set(),
  };
  const top = asObject(await parseDocument(await readText(main), main));
  const { openapi, swagger } = top;
  if (!/^3\./.test(String(openapi)) && !/^2/.test(String(swagger))) {
    const version = openapi ?? swagger;
    const what =
      version === undefined
        ? "it has neither `openapi` nor `swagger`"
        : quoteText(String(version), 20);
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
  const [real, realRoot] = await Promise.all(
    [file, root].map((path) => realpath(path).catch(() => "")),
  );
  if (!real || !realRoot || !real.startsWith(join(realRoot, sep))) {
    leaveOut(loading, relative(root, file));
    return;
  }
  keep(loading, index, await parseDocument(await readText(file), file));
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

/**
 * @param file - Absent for a text that somebody gave.
 * @throws ApiSourceError that names place and reason, and quotes nothing: the text may contain a secret.
 */
export async function parseDocument(text: string, file?: string): Promise<unknown> {
  const json = readPlainJson(text);
  try {
    if (json !== undefined) return sign.test(text) ? cleanValue(json) : json;
    // JSON is a part of YAML, whose parser names the place of an error in either.
    return cleanValue(await parseYaml(text, file));
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    throw unreadable(
      file,
      "is nested too deeply, or has an anchor that is missing, or contains or multiplies itself",
      "Nest it less, and use `$ref` in the place of anchors.",
    );
  }
}

async function parseYaml(text: string, file: string | undefined): Promise<unknown> {
  if (text.length > maxYamlCharacters) {
    const why = `is not JSON, and at most ${maxYamlCharacters} characters of YAML are read`;
    throw unreadable(file, why, "Convert it to JSON.");
  }
  if (isTooDeep(text)) throw new RangeError("nested too deeply");
  const { parseDocument: parse } = await import("yaml");
  const read = parse(text, { logLevel: "error", uniqueKeys: false });
  const [error] = read.errors;
  if (error !== undefined) {
    // The parser's own message quotes the text.
    const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? [];
    const why = `is neither JSON nor YAML (at line ${line}, column ${col})`;
    throw unreadable(file, why, "Correct the file at that place.");
  }
  // An anchor that is used in many places becomes an object of its own in each; one that contains itself can't be written.
  const json = JSON.stringify(read.toJS({ maxAliasCount }));
  if (json.length > maxUnfolded * (text.length + 1)) throw new RangeError("multiplied");
  return JSON.parse(json);
}

/** @param file - Absent for a text that somebody gave. */
function unreadable(file: string | undefined, why: string, fix: string): ApiSourceError {
  return new ApiSourceError({
    message: file === undefined ? `The document ${why}.` : `${file} ${why}`,
    category: file === undefined ? "invalid_input" : "not_configured",
    code: "unreadable_file",
    hint: fix,
  });
}

/** Has every `$ref` name its file by number: `#/a` of the second file becomes `1#/a`. One in an extension may name anything. */
function rewriteReferences(
  loading: Loading,
  index: number,
  value: object,
  depth: number = 0,
  isExtension: boolean = false,
): void {
  if (depth > maxDepth)
    throw unreadable(loading.files[index], "is nested too deeply", "Nest it less.");
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

/** What no reader sees, and what turns the direction of writing, can hide an order to a model from a person who reviews a document. */
const invisible = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu;
const hasInvisible: RegExp = new RegExp(invisible, "u");
/** What a JSON text with one contains: it, or an escape. */
const sign = /\\u|[^\P{C}\n\t\r]|\p{Default_Ignorable_Code_Point}/u;

export function dropInvisible(text: string): string {
  return text.replace(invisible, "");
}

/** @param value - Is changed: a large document is not copied. */
function cleanValue(value: unknown, name: string = ""): unknown {
  if (typeof value === "string") return hasInvisible.test(value) ? cleanText(value, name) : value;
  if (typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members);
  const isList = Array.isArray(value);
  for (const key of keys) members[key] = cleanValue(members[key], isList ? name : key);
  if (isList || !keys.some((key) => hasInvisible.test(key))) return members;
  return Object.fromEntries(keys.map((key) => [cleanText(key), members[key]]));
}

/** A path or URL without such a character would be another one: there it is percent-encoded, as it is sent, but in the name of a parameter. */
function cleanText(text: string, name: string = ""): string {
  const isAddress = /^\/|^[a-z][\w+.-]*:\/\//i.test(text) || /^(?:raw|url|path|host)$/.test(name);
  if (!isAddress) return dropInvisible(text);
  return text
    .toWellFormed()
    .replace(/\{[^{}]*\}/g, dropInvisible)
    .replace(invisible, encodeURIComponent);
}

/** The parser recurses: a document that is only brackets or dashes would take all memory. Brackets in prose come in pairs. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= maxDepth; at += 1) {
    const character = text[at];
    if (character === "[" || character === "{") depth += 1;
    else if ((character === "]" || character === "}") && depth > 0) depth -= 1;
  }
  return (
    depth > maxDepth || text.includes("- ".repeat(maxDepth)) || text.includes("? ".repeat(maxDepth))
  );
}
