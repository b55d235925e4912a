/** Writes a document as compact JSON with every number as on the wire, and stops when it grows past a limit. */

import { type JsonDocument, type JsonValue, toLiteral } from "../json/json-document.js";

/** Tells, for each further piece of text, whether it still fits. */
export type TakePiece = (piece: string) => boolean;

/** Characters gathered before a piece is handed on. */
const pieceLength = 4_096;

/** One array or object under way. */
interface Level {
  readonly rows?: readonly JsonValue[];
  readonly keys?: readonly string[];
  readonly record?: { readonly [key: string]: JsonValue };
  next: number;
}

/**
 * Writes the whole document, or returns undefined as soon as `takePiece` refuses a piece. Any depth: there is no
 * recursion. Strings are judged before they are written.
 */
export function writeWhole(document: JsonDocument, takePiece: TakePiece): string | undefined {
  const writer = { done: "", piece: "" };
  const levels: Level[] = [];
  const flush = (): boolean => {
    const fits = takePiece(writer.piece);
    writer.done += writer.piece;
    writer.piece = "";
    return fits;
  };
  let value: JsonValue | undefined = document.value;
  for (;;) {
    if (typeof value === "string" && value.length > pieceLength) {
      if (!flush() || !takeString(value, takePiece)) return undefined;
      writer.done += writeScalar(value, document.numberMark);
    } else if (value !== undefined) writer.piece += open(value, levels, document.numberMark);
    if (writer.piece.length > pieceLength && !flush()) return undefined;
    const level = levels.at(-1);
    if (level === undefined) return flush() ? writer.done : undefined;
    value = step(level, levels, writer);
  }
}

/** Whether a long string fits, judged piece by piece before it is written. */
function takeString(value: string, takePiece: TakePiece): boolean {
  for (let start = 0; start < value.length; start += pieceLength) {
    if (!takePiece(value.slice(start, start + pieceLength))) return false;
  }
  return true;
}

/** The text of a scalar, or the opening bracket of what was put on the levels. */
function open(value: JsonValue, levels: Level[], numberMark: string): string {
  if (typeof value !== "object" || value === null) return writeScalar(value, numberMark);
  if (Array.isArray(value)) {
    levels.push({ rows: value, next: 0 });
    return "[";
  }
  levels.push({ record: value, keys: Object.keys(value), next: 0 });
  return "{";
}

/** Moves on within the innermost level; undefined when it is closed. */
function step(level: Level, levels: Level[], writer: { piece: string }): JsonValue | undefined {
  const { rows, keys, record } = level;
  const length = rows?.length ?? keys?.length ?? 0;
  if (level.next >= length) {
    writer.piece += rows === undefined ? "}" : "]";
    levels.pop();
    return undefined;
  }
  if (level.next > 0) writer.piece += ",";
  const index = level.next;
  level.next += 1;
  if (rows !== undefined) return rows[index] ?? null;
  const key = keys?.[index] ?? "";
  writer.piece += `${JSON.stringify(key)}:`;
  return record?.[key] ?? null;
}

/** A scalar as JSON; a marked literal as the wire had it. */
export function writeScalar(value: string | number | boolean | null, numberMark: string): string {
  if (typeof value !== "string") return String(value);
  return numberMark !== "" && value.startsWith(numberMark) ? toLiteral(value) : JSON.stringify(value);
}
