/** Finds the number literals of a sound JSON text by where they stand, reading no more of the text than leads there. */

import { isNumberUnit } from "./number-literal.js";
import { skipRest, skipSpaces, skipSpacesBack, skipString, skipValue, skipValueBack } from "./skip-value.js";

/** Where a value begins, and the index behind its end; -1 when that is not known. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its position among the keys of the parsed object, which mostly is that in the text. */
export interface MemberKey {
  readonly key: string;
  readonly index: number;
  /** How many keys the object has. */
  readonly count: number;
}

export interface LiteralFinder {
  readonly root: Place;
  element(array: Place, index: number): Place;
  /** Of members with the same key, the one at this position; `lastMember` gives the one that counts. */
  member(object: Place, wanted: MemberKey): Place;
  lastMember(object: Place, key: string): Place;
  /** The number at a place as it is written, when it is this number. */
  literal(place: Place, value: number): string | undefined;
}

/** The elements or members that were found so far, from the first one on. */
interface Elements {
  readonly starts: number[];
}

interface Member extends Place {
  /** Index of the quote before the key. */
  readonly keyStart: number;
}

interface Members {
  readonly head: Member[];
  /** From the last one back, as far as they are near the end. */
  readonly tail: readonly Member[];
  /** The end of the one before those. */
  readonly endBeforeTail: number;
  /**
   * By key, the last of equal ones. Made when keys don't stand in the parsed order: JavaScript moves numbers to the front, and keeps
   * one of several.
   */
  byKey: Map<string, Place> | undefined;
}

/** The index behind a value. */
type EndOf = (start: number) => number;

/** How far back from an object's end its last members are looked for: behind a large list, mostly counts and cursors. */
const reachBack = 32_768;
const nowhere: Place = { start: -1, end: -1 };

/** Takes sound JSON text. What was found once is remembered, so that asking in order reads each part once. */
export function createLiteralFinder(text: string): LiteralFinder {
  const lists = new Map<number, Elements>();
  const objects = new Map<number, Members>();
  // What is known of a value's beginning is not passed over again.
  const endOf: EndOf = (start) => {
    const inner = lists.get(start)?.starts.at(-1) ?? objects.get(start)?.head.at(-1)?.start;
    return inner === undefined ? skipValue(text, start) : skipRest(text, endOf(inner));
  };

  const membersOf = (object: Place): Members => {
    let members = objects.get(object.start);
    if (members === undefined) {
      const { tail, endBeforeTail } = object.end < 0 ? noTail : readTail(text, object);
      members = { head: [], tail, endBeforeTail, byKey: undefined };
      objects.set(object.start, members);
    }
    return members;
  };

  return {
    root: { start: skipSpaces(text, 0), end: skipSpacesBack(text, text.length) },
    element({ start }, index) {
      if (start < 0) return nowhere;
      const known = lists.get(start);
      const starts = known?.starts ?? [];
      if (known === undefined) lists.set(start, { starts });
      while (starts.length <= index) {
        const next = nextElement(text, start, starts.at(-1), endOf);
        if (next === undefined) return nowhere;
        starts.push(next);
      }
      return { start: starts[index] ?? -1, end: -1 };
    },
    member(object, { key, index, count }) {
      if (object.start < 0) return nowhere;
      const members = membersOf(object);
      const fromEnd = count - 1 - index;
      const last = members.tail[fromEnd];
      if (last !== undefined && hasKey(text, last, key)) return last;
      while (members.head.length <= index && readMember(text, object.start, members.head, endOf));
      const found = members.head[index];
      if (found === undefined || !hasKey(text, found, key)) return this.lastMember(object, key);
      return fromEnd === members.tail.length ? { start: found.start, end: members.endBeforeTail } : found;
    },
    lastMember(object, key) {
      if (object.start < 0) return nowhere;
      const members = membersOf(object);
      if (members.byKey === undefined) {
        while (readMember(text, object.start, members.head, endOf));
        members.byKey = mapByKey(text, members.head);
      }
      return members.byKey.get(key) ?? nowhere;
    },
    literal({ start }, value) {
      let end = start;
      while (isNumberUnit(text.charCodeAt(end))) end += 1;
      const literal = text.slice(start, end);
      return end > start && Number(literal) === value ? literal : undefined;
    },
  };
}

/** The start of the element behind another, or of the first. */
function nextElement(
  text: string,
  arrayStart: number,
  last: number | undefined,
  endOf: EndOf,
): number | undefined {
  const before = last === undefined ? arrayStart : skipSpaces(text, endOf(last));
  if (last !== undefined && text.charCodeAt(before) !== 44) return undefined;
  const start = skipSpaces(text, before + 1);
  return text.charCodeAt(start) === 93 ? undefined : start;
}

/** Reads the key behind the last member that is known; false at the object's end. */
function readMember(text: string, objectStart: number, head: Member[], endOf: EndOf): boolean {
  const last = head.at(-1);
  const before = last === undefined ? objectStart : skipSpaces(text, endOf(last.start));
  if (last !== undefined && text.charCodeAt(before) !== 44) return false;
  const keyStart = skipSpaces(text, before + 1);
  if (text.charCodeAt(keyStart) !== 34) return false;
  const start = skipSpaces(text, skipSpaces(text, skipString(text, keyStart)) + 1);
  head.push({ keyStart, start, end: -1 });
  return true;
}

const noTail: Pick<Members, "tail" | "endBeforeTail"> = { tail: [], endBeforeTail: -1 };

/** The last members of a long object, the very last first. */
function readTail(text: string, { start, end }: Place): Pick<Members, "tail" | "endBeforeTail"> {
  const tail: Member[] = [];
  if (end - start < 2 * reachBack) return noTail;
  const least = end - reachBack;
  let position = skipSpacesBack(text, end - 1);
  while (position > least) {
    const valueStart = skipValueBack(text, position, least);
    if (valueStart === undefined) break;
    const keyEnd = skipSpacesBack(text, skipSpacesBack(text, valueStart) - 1);
    const keyStart = skipValueBack(text, keyEnd, least);
    if (keyStart === undefined) break;
    tail.push({ keyStart, start: valueStart, end: position });
    position = skipSpacesBack(text, skipSpacesBack(text, keyStart) - 1);
  }
  return { tail, endBeforeTail: position };
}

/** Whether a member has this key, written without escapes. */
function hasKey(text: string, { keyStart }: Member, key: string): boolean {
  const end = keyStart + 1 + key.length;
  return text.charCodeAt(end) === 34 && text.startsWith(key, keyStart + 1) && !key.includes("\\");
}

function mapByKey(text: string, head: readonly Member[]): Map<string, Place> {
  const byKey = new Map<string, Place>();
  for (const member of head) {
    const written = text.slice(member.keyStart, skipString(text, member.keyStart));
    byKey.set(written.includes("\\") ? String(JSON.parse(written)) : written.slice(1, -1), member);
  }
  return byKey;
}
