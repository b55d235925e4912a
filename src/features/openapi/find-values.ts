/** Finds the values of a request's long enumerations by words: `currency eur`. */

import { clipText } from "../../core/base/text.js";
import { type ApiDocument, asObject, type Plain } from "./api-document.js";
import { listValues, maxShown, readMeanings } from "./enumerations.js";
import type { Operation } from "./operation.js";
import { findMembers, listBranches, simplify } from "./schema.js";
import { readSearchWords } from "./search-words.js";

/** An enumeration that is too long to be shown with its operation. */
export interface LongEnumeration {
  /** The name of the parameter or member that has it. */
  readonly name: string;
  /** The operation where it was met first: `POST /prices`. */
  readonly operation: string;
  readonly values: readonly unknown[];
  /** The schema with the meanings of the values. */
  readonly schema: Plain;
}

const maxDepth = 4;
/** More enumerations of a document are not kept. */
const maxEnumerations = 2_000;

/** Collects the long enumerations of requests; one that several operations share is kept once for each name. */
export class EnumerationIndex {
  readonly #found = new Map<string, LongEnumeration>();

  /** Reads the parameters and the bodies of an operation. */
  add(document: ApiDocument, { method, path, parameters, body }: Operation): void {
    const operation = `${method} ${path}`;
    for (const { name, schema } of parameters)
      this.#read(document, operation, name, schema, maxDepth);
    for (const { schema } of body?.media.slice(0, 2) ?? [])
      this.#read(document, operation, "body", schema, maxDepth);
  }

  #read(
    document: ApiDocument,
    operation: string,
    name: string,
    given: unknown,
    depth: number,
  ): void {
    if (depth < 0 || this.#found.size >= maxEnumerations) return;
    const schema = simplify(document, document.follow(given));
    const values = listValues(schema);
    if (values !== undefined) {
      if (values.length > maxShown) this.#keep({ name, operation, values, schema });
      return;
    }
    const read = (inner: unknown, key: string): void =>
      this.#read(document, operation, key, inner, depth - 1);
    if (schema["items"] !== undefined) read(schema["items"], name);
    for (const branch of [...listBranches(schema["oneOf"]), ...listBranches(schema["anyOf"])])
      read(branch, name);
    if (schema["properties"] === undefined && schema["allOf"] === undefined) return;
    for (const [key, member] of findMembers(document, schema).names)
      if (asObject(document.follow(member))["readOnly"] !== true) read(member, key);
  }

  #keep(enumeration: LongEnumeration): void {
    const { name, values } = enumeration;
    const key = JSON.stringify([name, values.length, values[0], values.at(-1)]);
    if (!this.#found.has(key)) this.#found.set(key, enumeration);
  }

  /**
   * Finds the values that some words name: the words of an enumeration's name and of a value, or the value alone.
   *
   * @returns `currency of POST /prices` with the values, each with its meaning; nothing for words that name operations.
   */
  find(given: string): Record<string, string> | undefined {
    const words = new Set(readSearchWords(given));
    const raw = given.toLowerCase().split(/[\s,;]+/);
    const found: [key: string, values: string][] = [];
    let compared = 0;
    for (const enumeration of this.#found.values()) {
      if (found.length >= maxFoundLists || compared >= maxCompared) break;
      const own = readSearchWords(enumeration.name);
      const isNamed = own.length > 0 && own.every((word) => words.has(word));
      if (!isNamed && raw.length > 1) continue;
      compared += 1;
      const asked = isNamed ? [...words].filter((word) => !own.includes(word)) : [];
      const hits = findHits(enumeration, raw, asked);
      if (hits.length === 0) continue;
      const key = `${clipText(enumeration.name, 80)} of ${clipText(enumeration.operation, 200)}`;
      found.push([key, writeHits(enumeration, hits)]);
    }
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }
}

/** Comparing one costs up to milliseconds. */
const maxCompared = 200;
const maxFoundLists = 3;
const maxFoundValues = 12;

/**
 * The values that are one of the given words, or that have one in themselves or in their meaning.
 *
 * @param raw - The words as they were given.
 * @param asked - The words besides the enumeration's name; none where it is not named.
 */
function findHits(
  { values, schema }: LongEnumeration,
  raw: readonly string[],
  asked: readonly string[],
): readonly unknown[] {
  const isGiven = (value: unknown): boolean => raw.includes(String(value).toLowerCase());
  if (asked.length === 0) return values.filter(isGiven);
  const meanings = readMeanings(schema, values);
  return values.filter((value) => {
    const having = readSearchWords(`${value} ${meanings.get(String(value)) ?? ""}`);
    return isGiven(value) || asked.some((word) => having.includes(word));
  });
}

/** Writes the first values, each with its meaning, and how many more there are. */
function writeHits({ values, schema }: LongEnumeration, hits: readonly unknown[]): string {
  const first = hits.slice(0, maxFoundValues);
  const meanings = readMeanings(schema, values);
  const shown = first.map((value) => {
    const meaning = meanings.get(String(value));
    const word = meaning === undefined ? String(value) : `${value}=${clipText(meaning, 60)}`;
    return clipText(word, 120);
  });
  const more = hits.length - first.length;
  return shown.join(", ") + (more === 0 ? "" : `, … ${more} more`);
}
