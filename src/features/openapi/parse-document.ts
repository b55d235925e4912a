/**
 * Reads the text of a document, JSON or YAML, into plain data without invisible characters, or names the place where it can't be read and the
 * reason.
 */

import { isPlainObject, readPlainJson } from "../../core/base/input.js";

export type Plain = Readonly<Record<string, unknown>>;

/** The most characters a YAML document may have: it is read a hundred times more slowly than JSON. */
const maxYamlCharacters = 10_000_000;
/** More aliases than this are a bomb, not a document ("billion laughs"). */
const maxAliasCount = 200;
/** What anchors may make of a document, as JSON: each of them may occur in 200 places, and is an object of its own in each. */
const maxUnfolded = 10;
const maxDepth = 500;

export interface ParsedDocument {
  readonly value?: unknown;
  /** Why it can't be read; absent when it was. Never quotes the text, which may contain a secret. */
  readonly why?: string;
  /** What would help. */
  readonly fix?: string;
}

/** @param text - Without a byte order mark. Never throws. */
export async function parseDocument(text: string): Promise<ParsedDocument> {
  const json = readPlainJson(text);
  // YAML otherwise, of which JSON is a part: its parser names the place of an error in either.
  if (json !== undefined) return cleanDocument(json, text);
  if (text.length > maxYamlCharacters) {
    return {
      why: `is not JSON, and at most ${maxYamlCharacters} characters of YAML are read`,
      fix: "Convert it to JSON.",
    };
  }
  if (isTooDeep(text)) return tooDeep;
  try {
    const { parseDocument: parseYaml } = await import("yaml");
    const read = parseYaml(text, { logLevel: "error", uniqueKeys: false, prettyErrors: false });
    const [error] = read.errors;
    // Only the place is passed on: the words may quote a secret of the document.
    if (error !== undefined) {
      return {
        why: `is neither JSON nor YAML (${describePlace(text, error.pos[0])})`,
        fix: "Correct the file at that place.",
      };
    }
    // An anchor that is used in many places becomes an object of its own in each; one that contains itself can't be written.
    const json = JSON.stringify(read.toJS({ maxAliasCount }));
    if (json.length > maxUnfolded * (text.length + 1)) throw new RangeError("multiplied");
    return cleanDocument(JSON.parse(json), json);
  } catch {
    return {
      why: "has an anchor that is missing, or contains or multiplies itself",
      fix: "Use `$ref` instead.",
    };
  }
}

const tooDeep: ParsedDocument = { why: "is nested too deeply", fix: "Nest it less." };

/** What no reader sees, and what turns the direction of writing, can hide an order to a model from a person who reviews a document. */
const invisible = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu;
const hasInvisible: RegExp = new RegExp(invisible, "u");
/** What a JSON text with one contains: it, or an escape. */
const sign = /\\u|[^\P{C}\n\t\r]|\p{Default_Ignorable_Code_Point}/u;

export function dropInvisible(text: string): string {
  return text.replace(invisible, "");
}

/**
 * @param document - Is changed: a large one is not copied.
 * @param json - The text that it was read from.
 */
function cleanDocument(document: unknown, json: string): ParsedDocument {
  try {
    return { value: sign.test(json) ? cleanValue(document, "", 0) : document };
  } catch {
    return tooDeep;
  }
}

function cleanValue(value: unknown, name: string, depth: number): unknown {
  if (typeof value === "string") return hasInvisible.test(value) ? cleanText(value, name) : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) throw new RangeError("nested too deeply");
  const members = value as Record<string, unknown>;
  const keys = Object.keys(members);
  const isList = Array.isArray(value);
  for (const key of keys) members[key] = cleanValue(members[key], isList ? name : key, depth + 1);
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

/** `at line 2, column 13`, both from 1. */
function describePlace(text: string, at: number): string {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return `at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** The parser recurses: a document that is only brackets or dashes would take all memory. Brackets in prose come in pairs. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= maxDepth; at += 1) {
    const character = text[at];
    if (character === "[" || character === "{") depth += 1;
    else if ((character === "]" || character === "}") && depth > 0) depth -= 1;
  }
  return depth > maxDepth || text.includes("- ".repeat(maxDepth)) || text.includes("? ".repeat(maxDepth));
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
