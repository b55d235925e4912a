/** Reads CSV as rows. */

import type { JsonValue } from "../json/exact-number.js";

export interface CsvReading {
  readonly document: JsonValue;
  readonly oddity?: string;
}

const delimiters = [",", ";", "\t", "|"];
const sampleLength = 20_000;

/**
 * Takes CSV text. Returns its rows as objects named by the header row, all values as text, as written. The delimiter
 * (`,` `;` tab `|`) is the one that splits the first lines most evenly. A name that is empty or repeated becomes `column3` or
 * `name_2`; a cell beyond the header `column5`; a cell that a row lacks is absent. A first row of numbers only is no header.
 * `undefined` when it can't be read as CSV.
 */
export async function parseCsv(text: string): Promise<CsvReading | undefined> {
  const { parse } = await import("csv-parse/sync");
  const delimiter = guessDelimiter(text);
  const read = (isQuoted: boolean): string[][] =>
    parse(text, {
      bom: true,
      delimiter,
      quote: isQuoted ? '"' : false,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    });
  try {
    return toRows(read(true));
  } catch {
    // An opening quote without its end: quotes mean nothing then.
  }
  try {
    return {
      ...toRows(read(false)),
      oddity: "A quote in the CSV never ends, so quotes were read as ordinary characters.",
    };
  } catch {
    return undefined;
  }
}

function toRows(table: readonly (readonly string[])[]): CsvReading {
  const [first = [], ...others] = table;
  const hasHeader = !first.every((cell) => cell.trim() !== "" && Number.isFinite(Number(cell)));
  const names = hasHeader ? nameColumns(first) : [];
  const rows = hasHeader ? others : table;
  const value = rows.map((row) => toRow(row, names));
  const document = value;
  if (!hasHeader)
    return { document, oddity: "The CSV has no header row, so its columns are named by their position." };
  return rows.length > 0
    ? { document }
    : { document, oddity: `The CSV has a header (${names.join(", ").slice(0, 300)}) and no rows.` };
}

function toRow(cells: readonly string[], names: readonly string[]): JsonValue {
  return Object.fromEntries(cells.map((cell, index) => [names[index] ?? `column${index + 1}`, cell]));
}

function nameColumns(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, index) => {
    const name = cell.trim() === "" ? `column${index + 1}` : cell.trim();
    let unique = name;
    for (let count = 2; taken.has(unique); count += 1) unique = `${name}_${count}`;
    taken.add(unique);
    return unique;
  });
}

function guessDelimiter(text: string): string {
  const counts = countPerLine(text.slice(0, sampleLength));
  let best = ",";
  let bestScore = 0;
  for (const delimiter of delimiters) {
    const perLine = counts.map((line) => line.get(delimiter) ?? 0);
    const first = perLine[0] ?? 0;
    const even = perLine.filter((count) => count === first).length / Math.max(1, perLine.length);
    // Evenness first; more columns decide between equals.
    const score = first === 0 ? 0 : even * 10 + Math.min(first, 9) / 10;
    if (score > bestScore) {
      best = delimiter;
      bestScore = score;
    }
  }
  return best;
}

/** Delimiters outside of quotes in each of the first lines. */
function countPerLine(sample: string): Map<string, number>[] {
  const lines: Map<string, number>[] = [];
  let line = new Map<string, number>();
  let isQuoted = false;
  let isEmpty = true;
  for (const character of sample) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === "\n" && !isQuoted) {
      if (!isEmpty) lines.push(line);
      line = new Map();
      isEmpty = true;
      continue;
    }
    if (character > " ") isEmpty = false;
    if (!isQuoted && delimiters.includes(character)) line.set(character, (line.get(character) ?? 0) + 1);
  }
  // The last line of a sample may be cut.
  if (lines.length === 0 || (sample.length < sampleLength && !isEmpty)) lines.push(line);
  return lines;
}
