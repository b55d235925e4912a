/** The words of a request, which may be a search for them: texts of an answer that have one of them are shown first. */

import { isJsonObject, type JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";

/** Shorter words are in every text. */
const word = /[\p{L}\p{N}]{3,40}/gu;
const number = /^\p{N}+$/u;
const mostWords = 20;
/** A search is short: only the beginning of a longer value is read, and nothing of a longer body. */
const longestValue = 500;
const longestBody = 20_000;
/** How much of a text is searched. */
const longestText = 4_000;

/** The parts of a request besides its path. */
export interface SearchedRequest {
  /** The agent's own parameters, without the credential. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly wire: { readonly body?: Uint8Array };
}

/** Takes a request that was built. Returns the values of its query and its body. */
export function listSearchedTexts({ query, wire: { body } }: SearchedRequest): string[] {
  return [...query.map(([, value]) => value), ...listBodyTexts(body)];
}

/** Returns the words of some texts, each once, at most twenty. */
export function listWords(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => text.slice(0, longestValue).match(word) ?? []);
  return [...new Set(found)].filter((each) => !number.test(each)).slice(0, mostWords);
}

/** The texts of a JSON object, and the values of a form. */
function listBodyTexts(body: Uint8Array | undefined): string[] {
  if (body === undefined || body.length > longestBody) return [];
  const text = Buffer.from(body).toString("utf8");
  try {
    return listTexts(parseJson(text));
  } catch {
    return text.includes("=") ? [...new URLSearchParams(text).values()] : [];
  }
}

function listTexts(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return isJsonObject(value) ? Object.values(value).flatMap(listTexts) : [];
}

/** Where the first of the words ends in a text. */
export interface WordFinder {
  /** @returns -1 where the beginning of the text has none of them. */
  findEnd(text: string): number;
}

/** @returns undefined where there are no words. */
export function createWordFinder(words: readonly string[]): WordFinder | undefined {
  if (words.length === 0) return undefined;
  const pattern = new RegExp(words.join("|"), "iu");
  return {
    findEnd(text) {
      const match = pattern.exec(text.slice(0, longestText));
      return match === null ? -1 : match.index + match[0].length;
    },
  };
}
