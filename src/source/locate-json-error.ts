/**
 * Where a text stops being JSON (RFC 8259). V8's own message quotes the text around that place, where a secret may
 * stand, and gives no position for some errors.
 */

export interface JsonErrorPlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly message: string;
}

/** A number or a word, whole. */
const plainPattern = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))/;
/** Longer than any number that makes sense; keeps the search for one out of the rest of the text. */
const maxNumberLength = 1_000;

type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end" | "end";

/** Undefined when the text is JSON. Doesn't recurse, so that any depth is read. */
export function locateJsonError(text: string): JsonErrorPlace | undefined {
  const open: ("[" | "{")[] = [];
  let expected: Expected = "value";
  let offset = skipSpace(text, 0);
  while (offset < text.length) {
    const next = readToken(text, offset, expected, open);
    if (!next) return toPlace(text, offset, describe(text, offset, expected));
    expected = next.expected;
    offset = skipSpace(text, next.offset);
  }
  if (expected === "end") return undefined;
  return toPlace(text, offset, text.trim() === "" ? "the file is empty" : "the text ends too early");
}

interface Step {
  readonly offset: number;
  readonly expected: Expected;
}

function readToken(text: string, offset: number, expected: Expected, open: ("[" | "{")[]): Step | undefined {
  const character = text[offset];
  const isIn = (bracket: "[" | "{"): boolean => open.at(-1) === bracket;
  if (expected === "colon") return character === ":" ? { offset: offset + 1, expected: "value" } : undefined;
  if (expected === "comma or end" && character === ",") {
    return { offset: offset + 1, expected: isIn("[") ? "value" : "key" };
  }
  const closes =
    (character === "]" && isIn("[") && (expected === "value or ]" || expected === "comma or end")) ||
    (character === "}" && isIn("{") && (expected === "key or }" || expected === "comma or end"));
  if (closes) {
    open.pop();
    return { offset: offset + 1, expected: afterValue(open) };
  }
  const isValue = expected === "value" || expected === "value or ]";
  if (isValue && (character === "[" || character === "{")) {
    open.push(character);
    return { offset: offset + 1, expected: character === "[" ? "value or ]" : "key or }" };
  }
  const isKey = expected === "key" || expected === "key or }";
  if (!isValue && !(isKey && character === '"')) return undefined;
  const end = character === '"' ? findStringEnd(text, offset) : findPlainEnd(text, offset);
  return end === undefined ? undefined : { offset: end, expected: isKey ? "colon" : afterValue(open) };
}

/** The offset after the closing quote; undefined for a wrong escape, a control character, or no closing quote. */
function findStringEnd(text: string, offset: number): number | undefined {
  for (let index = offset + 1; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character === '"') return index + 1;
    if (character < " ") return undefined;
    if (character !== "\\") continue;
    index += 1;
    const isUnicode = text[index] === "u" && /^[\da-f]{4}$/i.test(text.slice(index + 1, index + 5));
    if (!isUnicode && !'"\\/bfnrt'.includes(text[index] ?? "none")) return undefined;
  }
  return undefined;
}

function findPlainEnd(text: string, offset: number): number | undefined {
  const match = plainPattern.exec(text.slice(offset, offset + maxNumberLength));
  return match ? offset + match[0].length : undefined;
}

function afterValue(open: readonly string[]): Expected {
  return open.length > 0 ? "comma or end" : "end";
}

function skipSpace(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && " \t\n\r".includes(text[end] ?? "")) end += 1;
  return end;
}

function describe(text: string, offset: number, expected: Expected): string {
  if (text.startsWith("//", offset) || text.startsWith("/*", offset))
    return "comments are not allowed in JSON";
  const character = text[offset];
  if (character === "'") return "texts stand in double quotes";
  if (character === '"' && (expected === "value" || expected === "key" || expected.includes("or"))) {
    return expected === "comma or end"
      ? "a comma is missing"
      : "a text is not closed, or holds a wrong escape or a line break";
  }
  if ((character === "}" && expected === "key") || (character === "]" && expected === "value")) {
    return "the comma before it is one too many";
  }
  const wanted: Readonly<Record<Expected, string>> = {
    value: "a value",
    "value or ]": "a value or `]`",
    key: "a key in double quotes",
    "key or }": "a key in double quotes or `}`",
    colon: "`:`",
    "comma or end": "a comma or the closing bracket",
    end: "the end of the file",
  };
  return `${wanted[expected]} is expected here`;
}

function toPlace(text: string, offset: number, message: string): JsonErrorPlace {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
