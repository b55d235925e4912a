/** Parts of a document that are found without a query: the places of a string (paths for a query, offsets in a text), and a part by position. */

import { invalidInput } from "../base/errors.js";
import {
  isJsonContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../base/exact-number.js";
import { plural } from "../base/text.js";

/** How many to pass over, by default none, and how many to take. */
interface Range {
  readonly offset?: number;
  readonly limit?: number;
}

const excerptCharacters = 80;
/** More are not described at once, whatever the limit: they are more than an answer shows. */
const mostShown = 1_000;
/** Members that identify a row to a further call; and those that only name it, where nothing around it has one. */
const identityNames = [
  ["id", "_id", "uuid", "guid", "key", "slug", "sha"],
  ["code", "sku", "number", "ref", "name"],
];
/** Deeper than this a path is of no use to anyone. */
const maxDepth = 200;

/** A container on the way to a place, and where the way leaves it. */
interface Step {
  readonly container: JsonValue[] | JsonObject;
  key: string | number;
  /** Whether a place in it was found: of a row, not of one inside it. */
  isFound?: boolean;
}

/** Receives each place; the description is made only for those that are shown. */
type Add = (describe: () => JsonValue) => void;

/**
 * Finds keys and values that hold a string, whatever its case, in document order and in one pass.
 *
 * @returns `matches` that are `{path, value, row: {path, id}}`, of a text `{offset, value}`, by default 20; a long value is an excerpt around
 * the string, and `row` the record of a list or map around it, by what identifies that. A row of a list is found once, by its first place.
 * `found` counts all, `shown` the matches.
 */
export function findInDocument(
  root: JsonValue,
  text: string,
  { offset = 0, limit = 20 }: Range = {},
) {
  const matches: JsonValue[] = [];
  let found = 0;
  const most = Math.min(limit, mostShown);
  const add: Add = (describe) => {
    if (found >= offset && matches.length < most) matches.push(describe());
    found += 1;
  };
  const wanted = fold(text);
  if (typeof root === "string") findLines(root, wanted, add);
  else findPlaces(root, wanted, [], add);
  return { found, shown: matches.length, matches };
}

/** In lower case, each letter at its place: `İ` alone would become two. */
function fold(text: string): string {
  return text.replaceAll("\u0130", "i").toLowerCase();
}

/** Every line once, and a long line again after each excerpt. `offset` is where reading on shows the excerpt. */
function findLines(text: string, wanted: string, add: Add): void {
  const lower = fold(text);
  for (let at = lower.indexOf(wanted); at !== -1; ) {
    const behind = at + wanted.length;
    const before = lower.slice(Math.max(0, at - excerptCharacters), at);
    const start = at - before.length + before.lastIndexOf("\n") + 1;
    const [rest = ""] = lower.slice(behind, behind + excerptCharacters).split("\n");
    const end = behind + rest.length;
    add(() => ({ offset: start, value: text.slice(start, end).toWellFormed() }));
    at = lower.indexOf(wanted, Math.max(end, at + 1));
  }
}

function findPlaces(value: JsonValue, wanted: string, path: Step[], addPlace: Add): void {
  const add: Add = (describe) => {
    const at = path.findLastIndex(({ container }, index) => {
      return !Array.isArray(container) && Array.isArray(path[index - 1]?.container);
    });
    const row = path[at];
    if (row?.isFound !== true) addPlace(describe);
    if (row !== undefined) row.isFound = true;
  };
  if (!isJsonContainer(value)) {
    const at = fold(String(value)).indexOf(wanted);
    if (at !== -1)
      add(() => describePlace(path, typeof value === "string" ? excerpt(value, at) : value));
    return;
  }
  if (path.length === maxDepth) return;
  const step: Step = { container: value, key: "" };
  path.push(step);
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    step.key = key;
    if (typeof key === "string" && fold(key).includes(wanted))
      add(() => describePlace(path, "(the key)"));
    findPlaces((value as Record<string | number, JsonValue>)[key] ?? null, wanted, path, addPlace);
  }
  path.pop();
}

function describePlace(path: readonly Step[], value: JsonValue): JsonValue {
  const row = findRow(path);
  return { path: writePath(path), value, ...(row !== undefined && { row }) };
}

/** The innermost record around a place that has an identity: what a further call about the place needs. */
function findRow(path: readonly Step[]): JsonValue | undefined {
  for (const names of identityNames) {
    for (let depth = path.length - 1; depth > 0; depth -= 1) {
      const record = path[depth]?.container;
      if (record === undefined || Array.isArray(record)) continue;
      const name = names.find((each) => Object.hasOwn(record, each) && isIdentity(record[each]));
      if (name !== undefined)
        return { path: writePath(path.slice(0, depth)), [name]: record[name] ?? null };
    }
  }
  return undefined;
}

function isIdentity(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !isJsonContainer(value);
}

/** As JMESPath. */
function writePath(path: readonly Step[]): string {
  const written = path
    .map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${writeKey(key)}`))
    .join("");
  return written === "" ? "@" : written.replace(/^\./, "");
}

/** A key as JMESPath: bare where it is an identifier and no word that a parser could take for its own, else in double quotes. */
export function writeKey(key: string): string {
  return /^(?!(?:let|in|true|false|null)$)[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}

function excerpt(text: string, at: number): string {
  if (text.length <= 2 * excerptCharacters) return text;
  const start = Math.max(0, at - excerptCharacters);
  const end = Math.min(text.length, at + excerptCharacters);
  return `${start > 0 ? "…" : ""}${text.slice(start, end).toWellFormed()}${end < text.length ? "…" : ""}`;
}

/** A part of a document by position: elements of a list, members of an object, or characters of a string. */
export interface DocumentPart {
  readonly value: JsonValue;
  /** How many elements, members or characters there are in all. */
  readonly total: number;
  /** The position after the last one taken. */
  readonly end: number;
}

/** @throws ApiSourceError `invalid_input` for a value that has no parts, or an offset beyond the end. */
export function readPart(value: JsonValue, { offset = 0, limit }: Range): DocumentPart {
  const members = isJsonObject(value) ? Object.entries(value) : undefined;
  const parts = members ?? value;
  if (typeof parts !== "string" && !Array.isArray(parts))
    throw invalidInput(
      "offset and limit take a part of a list, an object or a string; this is a single value.",
      "Leave offset and limit out, or select a list.",
    );
  const total = parts.length;
  if (offset > 0 && offset >= total) {
    const part = members === undefined ? "element" : "member";
    const counted = plural(total, typeof parts === "string" ? "character" : part);
    throw invalidInput(
      `offset ${offset} is beyond the end: there are ${counted}.`,
      `Take an offset below ${total}.`,
    );
  }
  const end = limit === undefined ? total : Math.min(total, offset + limit);
  if (typeof parts === "string")
    return { value: parts.slice(offset, end).toWellFormed(), total, end };
  const taken = parts.slice(offset, end);
  return {
    value: members === undefined ? taken : Object.fromEntries(members.slice(offset, end)),
    total,
    end,
  };
}
