/** Reads a document's text, JSON or YAML, as plain data without invisible characters. */

import type { Document, visit as visitNodes, YAMLMap } from "yaml";
import { ApiSourceError } from "../../core/base/errors.js";
import { readPlainJson } from "../../core/base/input.js";
import { cleanValue, mayHaveInvisible } from "./invisible.js";

/** The parser of YAML, which is loaded where a document needs it. */
type Yaml = typeof import("yaml");

/** The most levels that a document may have. */
export const maxDepth = 500;
/** The most characters a YAML document may have: it is read a hundred times more slowly than JSON. */
const maxYamlCharacters = 10_000_000;
/** More aliases than this are a bomb, not a document ("billion laughs"). */
const maxAliasCount = 200;
/** How many times longer a document may be once its anchors are unfolded: each may occur in 200 places, and is an object of its own in each. */
const maxUnfolded = 10;

/**
 * @param file - Absent for a text that somebody gave.
 * @throws ApiSourceError that names place and reason, and quotes nothing: the text may contain a secret.
 */
export async function parseDocument(text: string, file?: string): Promise<unknown> {
  const json = readPlainJson(text);
  if (json === undefined) return (await loadParser())(text, file);
  return guard(file, () => cleanJson(json, text));
}

/** Reads one text as `parseDocument` does, without waiting for anything. */
export type DocumentParser = (text: string, file?: string) => unknown;

/** Loads what reads a document beside another one: JSON or YAML. */
export async function loadParser(): Promise<DocumentParser> {
  const yaml = await import("yaml");
  return (text, file) =>
    guard(file, () => {
      const json = readPlainJson(text);
      // JSON is a part of YAML, whose parser names the place of an error in either.
      return json === undefined ? cleanValue(parseYaml(yaml, text, file)) : cleanJson(json, text);
    });
}

function cleanJson(json: unknown, text: string): unknown {
  return mayHaveInvisible(text) ? cleanValue(json) : json;
}

function guard(file: string | undefined, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiSourceError) throw error;
    throw unreadable(
      file,
      "is nested too deeply, or has an anchor that is missing, or contains or multiplies itself",
      "Nest it less, and use `$ref` in the place of anchors.",
    );
  }
}

function parseYaml({ parseDocument: parse, visit }: Yaml, text: string, file?: string): unknown {
  if (text.length > maxYamlCharacters) {
    const why = `is not JSON, and at most ${maxYamlCharacters} characters of YAML are read`;
    throw unreadable(file, why, "Convert it to JSON.");
  }
  if (isTooDeep(text)) throw new RangeError("nested too deeply");
  // `<<` belongs to YAML 1.1, and is written in documents all the same.
  const read = parse(text, { logLevel: "error", uniqueKeys: false, merge: true });
  const [error] = read.errors;
  if (error !== undefined) {
    // The parser's own message quotes the text.
    const [{ line, col } = { line: 1, col: 1 }] = error.linePos ?? [];
    const why = `is neither JSON nor YAML (at line ${line}, column ${col})`;
    throw unreadable(file, why, "Correct the file at that place.");
  }
  if (text.includes("<<") && countMerged(read, visit) > text.length)
    throw new RangeError("multiplied");
  // An anchor that is used in many places becomes an object of its own in each; one that contains itself can't be written.
  const json = JSON.stringify(read.toJS({ maxAliasCount }));
  if (json.length > maxUnfolded * (text.length + 1)) throw new RangeError("multiplied");
  return JSON.parse(json);
}

/** How many members all objects with a merge key (`<<: *base`) have once it is merged: each source is copied into each of them. */
function countMerged(document: Document.Parsed, visit: typeof visitNodes): number {
  const sizes = new Map<string, number>();
  let merged = 0;
  visit(document, {
    Map: (_key, map) => {
      // An anchor is written before its aliases.
      const sources = listMerged(map).map((name) => sizes.get(name) ?? 0);
      const copied = sources.reduce((sum, size) => sum + size, 0);
      const size = map.items.length + copied;
      if (copied > 0) merged += size;
      if (map.anchor !== undefined) sizes.set(map.anchor, size);
    },
  });
  return merged;
}

/** The anchors that an object merges. */
function listMerged(map: YAMLMap): string[] {
  const merges = map.items.filter(({ key }) => isMergeKey(key));
  const values = merges.map(({ value }) => value);
  return values
    .flatMap((value): unknown[] => Object(value).items ?? [value])
    .map((each) => Object(each).source)
    .filter((source) => typeof source === "string");
}

/** The parser reads a merge key as a symbol of this name. */
function isMergeKey(key: unknown): boolean {
  return ["<<", "Symbol(<<)"].includes(String(Object(key).value));
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

/** @param file - Absent for a text that somebody gave. */
export function unreadable(file: string | undefined, why: string, fix: string): ApiSourceError {
  return new ApiSourceError({
    message: file === undefined ? `The document ${why}.` : `${file} ${why}`,
    category: file === undefined ? "invalid_input" : "not_configured",
    code: "unreadable_file",
    hint: fix,
  });
}
