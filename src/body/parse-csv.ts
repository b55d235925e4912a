/** Reads CSV (RFC 4180, and what is sent under its name) as rows. */

import { type JsonObject, writeMember } from "../json/exact-number.js";
import { clipText } from "../text.js";
import { stepLength, TooLargeError, toNextTurn } from "./read-markup.js";
import { findExcess } from "./tree-limits.js";

export interface CsvReading {
  readonly document: JsonObject[];
  readonly warnings: readonly string[];
}

const delimiters = [",", ";", "\t", "|"];
const sampleLength = 20_000;

/**
 * Takes CSV text. Returns its rows as objects named by the header row, all values as text, as written. The delimiter
 * (`,` `;` tab `|`) is the one that splits the first lines most evenly. A name that is empty or repeated becomes `column3` or
 * `name_2`; a cell beyond the header `column5`; a cell that a row lacks is absent. A first row of numbers only is no header.
 *
 * @throws TooLargeError for what is larger than `treeLimits`
 */
export async function parseCsv(text: string): Promise<CsvReading> {
  const delimiter = await findDelimiter(text);
  const table = createTable();
  if (await readRows(text, { delimiter, isQuoted: true }, table.add))
    return { document: table.rows, warnings: table.warnings() };
  const plain = createTable();
  await readRows(text, { delimiter, isQuoted: false }, plain.add);
  const warning = "A quote in the CSV never ends, so quotes were read as ordinary characters.";
  return { document: plain.rows, warnings: [...plain.warnings(), warning] };
}

interface Dialect {
  readonly delimiter: string;
  /** Whether a cell may stand in quotes. */
  readonly isQuoted: boolean;
}

/** Hands on the cells of each line that is not empty; false when a quote never ends. */
async function readRows(
  text: string,
  { delimiter, isQuoted }: Dialect,
  add: (cells: readonly string[]) => void,
): Promise<boolean> {
  let row: string[] = [];
  let nextTurn = stepLength;
  // The header is no row.
  let [containers, values] = [-1, 0];
  for (let position = text.charCodeAt(0) === 0xfeff ? 1 : 0; position <= text.length; ) {
    const quote = isQuoted && text.charCodeAt(position) === 34 ? findClosingQuote(text, position) : position;
    if (quote < 0) return false;
    const end = findCellEnd(text, quote, delimiter);
    row.push(readCell(text, position, quote, end));
    values += 1;
    const excess = findExcess({ containers, values, columns: row.length });
    if (excess !== undefined) throw new TooLargeError(excess);
    const isRowEnd = text[end] !== delimiter;
    // A line without anything in it is no row.
    if (isRowEnd && (row.length > 1 || end > position)) {
      containers += 1;
      add(row);
    }
    if (isRowEnd) row = [];
    if (position > nextTurn) {
      await toNextTurn();
      nextTurn = position + stepLength;
    }
    position = end + (isRowEnd && text.startsWith("\r\n", end) ? 2 : 1);
  }
  return true;
}

/** The index behind the closing quote; two quotes are one within the cell. -1 when there is none. */
function findClosingQuote(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position += 1) {
    if (text.charCodeAt(position) !== 34) continue;
    if (text.charCodeAt(position + 1) !== 34) return position + 1;
    position += 1;
  }
  return -1;
}

function findCellEnd(text: string, start: number, delimiter: string): number {
  const unit = delimiter.charCodeAt(0);
  let end = start;
  while (end < text.length) {
    const at = text.charCodeAt(end);
    if (at === unit || at === 10 || at === 13) break;
    end += 1;
  }
  return end;
}

/** What stands behind the closing quote of a cell belongs to it all the same. */
function readCell(text: string, start: number, quoteEnd: number, end: number): string {
  if (quoteEnd === start) return text.slice(start, end);
  return text.slice(start + 1, quoteEnd - 1).replaceAll('""', '"') + text.slice(quoteEnd, end);
}

interface Table {
  readonly rows: JsonObject[];
  add(cells: readonly string[]): void;
  warnings(): string[];
}

/** The first row gives the names, unless it holds numbers only. */
function createTable(): Table {
  const rows: JsonObject[] = [];
  let names: readonly string[] | undefined;
  const add = (cells: readonly string[]): void => {
    if (names === undefined) {
      const isHeader = !cells.every((cell) => cell.trim() !== "" && Number.isFinite(Number(cell)));
      names = isHeader ? nameColumns(cells) : [];
      if (isHeader) return;
    }
    const row: JsonObject = {};
    for (let index = 0; index < cells.length; index += 1)
      writeMember(row, names[index] ?? `column${index + 1}`, cells[index] ?? "");
    rows.push(row);
  };
  const warnings = (): string[] => {
    if (names?.length === 0)
      return ["The CSV has no header row, so its columns are named by their position."];
    if (rows.length > 0) return [];
    return [`The CSV has a header (${clipText((names ?? []).join(", "), 300)}) and no rows.`];
  };
  return { rows, add, warnings };
}

function nameColumns(header: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return header.map((cell, index) => {
    const name = cell.trim() === "" ? `column${index + 1}` : cell.trim();
    let count = counts.get(name) ?? 1;
    let unique = name;
    // Where the count of a name goes on, not from 2 again: headers of 10,000 equal names are sent.
    for (; taken.has(unique); unique = `${name}_${count}`) count += 1;
    counts.set(name, count);
    taken.add(unique);
    return unique;
  });
}

/** The delimiter that gives most of the first lines as many cells as the first one has; more columns decide between equals. */
async function findDelimiter(text: string): Promise<string> {
  const sample = text.slice(0, sampleLength);
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of delimiters) {
    const counts: number[] = [];
    await readRows(sample, { delimiter, isQuoted: true }, (cells) => counts.push(cells.length));
    // The last line of a sample may be truncated.
    if (sample.length < text.length && counts.length > 1) counts.pop();
    const [first = 1] = counts;
    const even = counts.filter((count) => count === first).length / Math.max(1, counts.length);
    const score = first === 1 ? 0 : even * 10 + Math.min(first, 10) / 10;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}
