/** Reads JSON text up to its end or its first error, and remembers where it could be closed. */

import { jsonNumber, matchAt, skipSpaces } from "./scan-json.js";

/** A container that is open where reading stopped. */
export interface OpenContainer {
  readonly isArray: boolean;
  /** Index of its bracket. */
  readonly start: number;
  /** Complete elements or members so far. */
  count: number;
  /** Index behind the last complete one; behind the bracket when no value is complete. */
  end: number;
}

/** A small thing that JSON does not allow but whose meaning is plain. */
export interface Repair {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface JsonOutline {
  /** Whether the text is one whole document (once repaired). */
  readonly complete: boolean;
  /** Index where reading stopped: the end of the text or the first character that fits nowhere. */
  readonly stop: number;
  /** What is still open there, outermost first. */
  readonly open: readonly OpenContainer[];
  /** The string value that the text ends in, and where it could be closed: not within an escape, not between two surrogates. */
  readonly openString?: { readonly start: number; readonly end: number };
  readonly repairs: readonly Repair[];
}

type Expected = "value" | "valueOrEnd" | "keyOrEnd" | "key" | "colon" | "commaOrEnd" | "nothing";

/** More are not made: each of them is remembered. */
const maxRepairs = 10_000;
/** What Python, JavaScript and others write although JSON has no such number. */
const notNumber = /^(?:NaN|-?Infinity)$/;
/** What the beginning of a number or a word looks like at the end of the text. */
const wordStart = /^-?[A-Za-z]{0,8}$|^-?\d[\d.eE+-]*$/;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** The beginning of an escape, or nothing, at the end of the text. */
const escapeStart = /(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/y;
const highSurrogate = /[\ud800-\udbff]$|^\\u[dD][89abAB]/;

/** Takes a text that should be one JSON document. Never throws; any depth; one pass. */
export function outlineJson(text: string): JsonOutline {
  const reader = new OutlineReader(text);
  while (reader.readOne()) {
    // Goes on until the end or the first error.
  }
  const { open, repairs, expected, position, openString } = reader;
  const complete = expected === "nothing" && position === text.length;
  return { complete, stop: position, open, repairs, openString };
}

class OutlineReader {
  readonly open: OpenContainer[] = [];
  readonly repairs: Repair[] = [];
  expected: Expected = "value";
  position = 0;
  openString: JsonOutline["openString"];

  constructor(private readonly text: string) {}

  /** Reads one token; false at the end of the text or at an error. */
  readOne(): boolean {
    const { text, expected } = this;
    this.position = skipSpaces(text, this.position);
    const character = text.charAt(this.position);
    if (character === "" || expected === "nothing") return false;
    if (expected === "colon") return character === ":" && this.step("value");
    if (expected.endsWith("End") && (character === "]" || character === "}")) return this.close(character);
    if (expected === "commaOrEnd") return character === "," && this.readComma();
    if (expected !== "key" && expected !== "keyOrEnd") return this.readValue(character);
    const isRead = character === '"' && this.readString(false);
    this.expected = isRead ? "colon" : expected;
    return isRead;
  }

  private step(expected: Expected): true {
    this.position += 1;
    this.expected = expected;
    return true;
  }

  /** False when there were too many already for JSON with small mistakes. */
  private repair(start: number, end: number, text: string): boolean {
    return this.repairs.length < maxRepairs && this.repairs.push({ start, end, text }) > 0;
  }

  /** A comma before the closing bracket is repaired away. */
  private readComma(): boolean {
    const { text, position: comma } = this;
    const isArray = this.open.at(-1)?.isArray === true;
    const after = skipSpaces(text, comma + 1);
    if (text.charAt(after) !== (isArray ? "]" : "}")) return this.step(isArray ? "value" : "key");
    if (!this.repair(comma, comma + 1, "")) return false;
    this.position = after;
    return this.close(text.charAt(after));
  }

  private close(bracket: string): boolean {
    const container = this.open.at(-1);
    if (container === undefined || bracket !== (container.isArray ? "]" : "}")) return false;
    this.open.pop();
    this.position += 1;
    return this.finishValue();
  }

  private finishValue(): true {
    const parent = this.open.at(-1);
    this.expected = parent === undefined ? "nothing" : "commaOrEnd";
    if (parent === undefined) return true;
    parent.count += 1;
    parent.end = this.position;
    return true;
  }

  private readValue(character: string): boolean {
    const { position: start } = this;
    const isArray = character === "[";
    if (isArray || character === "{") {
      this.open.push({ isArray, start, count: 0, end: start + 1 });
      return this.step(isArray ? "valueOrEnd" : "keyOrEnd");
    }
    return (character === '"' ? this.readString(true) : this.readWord()) && this.finishValue();
  }

  /** What the text ends with may have lost its last characters. */
  private readWord(): boolean {
    const { text, position: start } = this;
    let end = start;
    while (end < text.length && !' \t\r\n,:[]{}"'.includes(text.charAt(end))) end += 1;
    const word = text.slice(start, end);
    const isTruncated = end === text.length && this.open.length > 0 && wordStart.test(word);
    if (isTruncated) this.position = end;
    if (isTruncated || end === start) return false;
    const isSound = jsonNumber.test(word) || word === "true" || word === "false" || word === "null";
    if (!isSound && !(notNumber.test(word) && this.repair(start, end, JSON.stringify(word)))) return false;
    this.position = end;
    return true;
  }

  /** Moves behind a string; at its error or the end of the text false, the position where the sound part ends. */
  private readString(isValue: boolean): boolean {
    const { text, position: start } = this;
    let position = start + 1;
    let before = position;
    for (;;) {
      const from = position;
      let unit = text.charCodeAt(position);
      while (unit >= 32 && unit !== 34 && unit !== 92) unit = text.charCodeAt(++position);
      if (position > from) before = position - 1;
      if (unit === 34) break;
      const end = unit === 92 ? matchAt(escapePattern, text, position) : position + 1;
      const isRaw = unit < 32 && this.repair(position, position + 1, escapeRaw(text.charAt(position)));
      if (end === undefined || (unit !== 92 && !isRaw)) {
        const isEnd = matchAt(escapeStart, text, position) !== undefined;
        this.position = isEnd ? text.length : position;
        const isSplit = highSurrogate.test(text.slice(before, position));
        if (isValue && isEnd) this.openString = { start, end: isSplit ? before : position };
        return false;
      }
      before = position;
      position = end;
    }
    this.position = position + 1;
    return true;
  }
}

function escapeRaw(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}
