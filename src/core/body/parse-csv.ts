/** Reads CSV (RFC 4180, and what is sent under its name) as rows. */

import { type JsonObject, writeMember } from "../base/exact-number.js";
import { clipText, plural } from "../base/text.js";
import { checkTreeSize, type Reading, toNextTurn } from "./response-body.js";

const delimitersToGuess = [",", ";", "\t", "|"];
const sampleLength = 20_000;
/** Cells after which others have their turn: those of wide rows take longest, some milliseconds. */
const cellsPerStep = 20_000;

/** The first line that Excel writes and reads: it names the separator, and is no row. */
const separatorLine = /^\ufeff?(?:sep=(.)|"sep=(.)")[ \t]*(?:\r\n|\n|\r)/i;

/** The first lines that may be comments. */
const linesOfComment = /^(?:#[^\r\n]*[\r\n]+)+(?=[^#\r\n])/;

/** Whether a text begins with that line. */
export function hasSeparatorLine(text: string): boolean {
  return separatorLine.test(text.slice(0, 20));
}

/**
 * Takes CSV text. Returns its rows as objects named by the header row, all values as text, as written. The delimiter
 * (`,` `;` tab `|`) is the one that a first line such as `sep=;` names, else the one that splits the first lines most evenly. A name that is empty or repeated becomes `column3` or
 * `name_3`; a cell beyond the header `column5`; a cell that a row lacks is absent. A first row of numbers only is not a header.
 *
 * @param isTabbed - Whether it was declared as values between tabs.
 * @returns undefined where a quote is not closed correctly.
 * @throws TooLargeError for what is larger than `treeLimits`
 */
export async function parseCsv(
  given: string,
  isTabbed: boolean = false,
): Promise<Reading | undefined> {
  const { default: library } = await import("papaparse");
  const [line = "", plain, quoted] = separatorLine.exec(given) ?? [];
  const text = given.slice(line.length);
  const named = plain ?? quoted ?? (isTabbed ? "\t" : undefined);
  const guess = { delimitersToGuess, preview: 10, skipEmptyLines: true };
  // Lines of one cell would change the guess.
  const sample = text.slice(0, sampleLength).replace(linesOfComment, "");
  const delimiter = named ?? library.parse(sample, guess).meta.delimiter;
  checkSize(text, delimiter);
  // The library takes one kind of line end for the whole text.
  const isMixed = /(?:^|[^\r])\n|\r(?!\n)/.test(text);
  const lines = isMixed && text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const newline = isMixed ? "\n" : "\r\n";
  const { data, errors } = library.parse<string[]>(lines, {
    delimiter,
    newline,
    skipEmptyLines: true,
  });
  if (errors.some(({ type }) => type === "Quotes")) return undefined;
  const comments = countComments(data);
  const reading = await nameRows(comments === 0 ? data : data.slice(comments));
  const warnings = [...describeComments(data.slice(0, comments)), ...(reading.warnings ?? [])];
  const mayLackRows = data[comments]?.length === 1 && emptyLine.test(lines.trim());
  const doubt = mayLackRows ? { doubt: "an empty line of a page may be a row" } : {};
  return { ...reading, warnings, ...doubt };
}

/** How many lines before the header are comments: RFC 4180 has none, so each of them begins with `#` and is one cell, and what follows has several. */
function countComments(table: readonly (readonly string[])[]): number {
  const header = table.findIndex(([first = ""]) => !first.startsWith("#"));
  const isTable = header > 0 && (table[header]?.length ?? 0) > 1;
  return isTable && table.slice(0, header).every(({ length }) => length === 1) ? header : 0;
}

function describeComments(comments: readonly (readonly string[])[]): string[] {
  if (comments.length === 0) return [];
  const text = clipText(comments.flat().join(" "), 300);
  return [`The CSV has ${plural(comments.length, "line")} of comment before its rows: ${text}`];
}

/** In one column an empty line may be an empty cell. */
const emptyLine = /\n\r?\n/;

/** Counted before anything is built, delimiters and line ends within quotes, too. The columns are counted once the rows are known. */
function checkSize(text: string, delimiter: string): void {
  const unit = delimiter.charCodeAt(0);
  // The first line is the header and no row.
  let [containers, values] = [-1, 0];
  for (let index = 0; index < text.length; index += 1) {
    const at = text.charCodeAt(index);
    // A carriage return ends a line by itself, too.
    const isEnd = at === 10 || (at === 13 && text.charCodeAt(index + 1) !== 10);
    if (at === unit || isEnd) values += 1;
    if (isEnd) containers += 1;
  }
  checkTreeSize({ containers, values });
}

/** The first row gives the names, unless it holds numbers only. */
async function nameRows(table: readonly (readonly string[])[]): Promise<Reading> {
  checkTreeSize({ columns: table.reduce((most, { length }) => Math.max(most, length), 0) });
  const [first = []] = table;
  const isHeader = !first.every((cell) => cell.trim() !== "" && Number.isFinite(Number(cell)));
  const names = isHeader ? nameColumns(first) : [];
  const document: JsonObject[] = [];
  let left = cellsPerStep;
  const lines = isHeader ? table.slice(1) : table;
  for (const cells of lines) {
    const row: JsonObject = {};
    for (const [index, cell] of cells.entries())
      writeMember(row, names[index] ?? `column${index + 1}`, cell);
    document.push(row);
    left -= cells.length;
    if (left > 0) continue;
    await toNextTurn();
    left = cellsPerStep;
  }
  const unnamed = "The CSV has no header row, so its columns are named by their position.";
  if (!isHeader) return { document, warnings: [unnamed, ...describeCells(lines)] };
  const bare = `The CSV has a header (${clipText(names.join(", "), 300)}) and no rows.`;
  return { document, warnings: document.length > 0 ? describeCells(lines) : [bare] };
}

/** Bounded: V8 compiles patterns without optimization in a process that has many, and an unbounded one runs out of stack on a cell of ten million digits. */
const numberCell = /^\s{0,40}[-+]?\d{1,40}(?:[.,]\d{1,40})?\s{0,40}$/;

/** A reader takes a cell such as 12 for a number; it is the string "12". */
function describeCells([first = []]: readonly (readonly string[])[]): string[] {
  const hasNumber = first.some((cell) => numberCell.test(cell));
  return hasNumber ? ["The cells of a CSV are strings, numbers included."] : [];
}

function nameColumns(header: readonly string[]): string[] {
  const taken = new Set<string>();
  for (const [index, cell] of header.entries()) {
    let name = cell.trim() === "" ? `column${index + 1}` : cell.trim();
    if (taken.has(name)) name = `${name}_${index + 1}`;
    while (taken.has(name)) name += "_";
    taken.add(name);
  }
  return [...taken];
}
