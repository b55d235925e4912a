/** What the pages of this process have shown: which parameter brought new rows, and which guess was offered for which rows. */

import { createHash } from "node:crypto";
import type { JsonValue } from "../base/exact-number.js";
import { writeJson } from "../base/write-json.js";

export interface PageMemory {
  /** The parameter that brought new rows for this source and path. */
  findVerified(place: string): string | undefined;
  verify(place: string, parameter: string): void;
  /** Whether a second way to the next page may still be tried for this source and path; true once. */
  takeSecondTry(place: string): boolean;
  /** Remembers the rows that a guessed next page was offered for. Only a hash of both is kept. */
  noteGuess(request: JsonValue, rows: readonly JsonValue[]): void;
  /** Whether this request is a guess that was offered, and brings the very rows that it was offered for. */
  isSameAgain(request: JsonValue, rows: readonly JsonValue[]): boolean;
}

/** The oldest go. */
const maxEntries = 500;

export function createPageMemory(): PageMemory {
  const verified = new Map<string, string>();
  const tried = new Map<string, true>();
  const guesses = new Map<string, string>();
  return {
    findVerified: (place) => verified.get(place),
    verify: (place, parameter) => addLast(verified, place, parameter),
    takeSecondTry(place) {
      if (tried.has(place)) return false;
      addLast(tried, place, true);
      return true;
    },
    noteGuess: (request, rows) => addLast(guesses, hash(request), hash([...rows])),
    isSameAgain(request, rows) {
      // Few requests are guesses: the rows of the others, which may be megabytes, are not read for it.
      const offeredFor = guesses.size === 0 ? undefined : guesses.get(hash(request));
      return offeredFor !== undefined && rows.length > 0 && offeredFor === hash([...rows]);
    },
  };
}

function addLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxEntries && oldest !== undefined) map.delete(oldest);
}

function hash(value: JsonValue): string {
  return createHash("sha256").update(writeJson(value)).digest("base64");
}
