/** Finds the values of a request's long enumerations by words: `currency eur`. */

import { clipText } from "../../core/base/text.js";
import { type ApiDocument, asObject, type Plain } from "./api-document.js";
import { listValues, maxShown, readMeanings } from "./enumerations.js";
import type { Operation } from "./operation.js";
import { listBranches, listMembers, simplify } from "./schema.js";

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
    for (const [key, member] of listMembers(document, schema).names)
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
   * @param splitWords - How texts are taken apart into words that are compared.
   * @returns `currency of POST /prices` with the values, each with its meaning; nothing for words that name operations.
   */
  find(given: string, splitWords: (text: string) => string[]): Record<string, string> | undefined {
    const words = new Set(splitWords(given));
    const raw = given.toLowerCase().split(/[\s,;]+/);
    const found: [key: string, values: string][] = [];
    let compared = 0;
    for (const { name, operation, values, schema } of this.#found.values()) {
      if (found.length >= maxFoundLists || compared >= maxCompared) break;
      const own = splitWords(name);
      const isNamed = own.length > 0 && own.every((word) => words.has(word));
      if (!isNamed && raw.length > 1) continue;
      compared += 1;
      const asked = isNamed ? [...words].filter((word) => !own.includes(word)) : [];
      const meanings = readMeanings(schema, values);
      const isMeant = (value: unknown): boolean => {
        const text = String(value);
        if (raw.includes(text.toLowerCase())) return true;
        const having = splitWords(`${text} ${meanings.get(text) ?? ""}`);
        return asked.some((word) => having.includes(word));
      };
      const hits = values.filter(isMeant).slice(0, maxFoundValues);
      if (hits.length === 0) continue;
      const shown = hits.map((value) => {
        const meaning = meanings.get(String(value));
        return meaning === undefined ? String(value) : `${value}=${clipText(meaning, 60)}`;
      });
      found.push([
        `${clipText(name, 80)} of ${clipText(operation, 200)}`,
        shown.map((each) => clipText(each, 120)).join(", "),
      ]);
    }
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }
}

/** Comparing one costs up to milliseconds. */
const maxCompared = 200;
const maxFoundLists = 3;
const maxFoundValues = 12;
