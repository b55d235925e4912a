/** Finds the values of a request's long enumerations by words: `currency eur`. */

import { clipText } from "../../core/base/text.js";
import type { ApiDocument } from "./api-document.js";
import { maxShown, type NamedValues, readMeanings } from "./enumerations.js";
import type { Operation } from "./operation.js";
import { writeType } from "./schema.js";
import { readSearchWords } from "./search-words.js";

/** An enumeration that is too long to be shown with its operation. */
interface LongEnumeration extends NamedValues {
  /** The operation where it was met first: `POST /prices`. */
  readonly operation: string;
}

/** The bounds of what is read of a request: more than is shown of it. */
const bounds = { depth: 4, members: 2_000, direction: "request" } as const;
/** More enumerations of a document are not kept. */
const maxEnumerations = 2_000;

/** Collects the long enumerations of requests; one that several operations share is kept once for each name. */
export class EnumerationIndex {
  readonly #found = new Map<string, LongEnumeration>();

  /** Reads the parameters and the bodies of an operation. */
  add(document: ApiDocument, { method, path, parameters, body }: Operation): void {
    const operation = `${method} ${path}`;
    const onValues = (found: NamedValues): void => this.#keep({ ...found, operation });
    // An enumeration that is shown shortened is one that is met where types are written.
    const read = (schema: unknown, name: string): void => {
      writeType(document, schema, { ...bounds, name, onValues });
    };
    for (const { name, schema } of parameters) read(schema, name);
    for (const { schema } of body?.media.slice(0, 2) ?? []) read(schema, "body");
  }

  #keep(enumeration: LongEnumeration): void {
    const { name, values } = enumeration;
    if (values.length <= maxShown || this.#found.size >= maxEnumerations) return;
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
 * The values that are one of the given words, or that have the most of them in themselves or in their meaning.
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
  const counts = values.map((value) => {
    const having = readSearchWords(`${value} ${meanings.get(String(value)) ?? ""}`);
    return isGiven(value) ? asked.length + 1 : asked.filter((word) => having.includes(word)).length;
  });
  const most = Math.max(...counts);
  return most === 0 ? [] : values.filter((_value, at) => counts[at] === most);
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
