/** A table for a terminal: columns of given shares, long texts wrapped within them. */

export interface Column {
  readonly title: string;
  /** How much of the width it gets, against the other columns. */
  readonly share: number;
  /** The fewest characters it needs. */
  readonly least: number;
}

/** One text of several lines; every line has at most `width` characters. */
export function wrapTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const room = width - 3 * (columns.length - 1);
  const widths = columns.map(({ share, least }) =>
    Math.max(least, Math.floor((room * share) / shares)),
  );
  const rule = widths.map((columnWidth) => "─".repeat(columnWidth)).join("─┼─");
  const lines = rows.map((row) => writeRow(row, widths));
  return [
    writeRow(
      columns.map(({ title }) => title),
      widths,
    ),
    ...lines,
  ].join(`\n${rule}\n`);
}

function writeRow(cells: readonly string[], widths: readonly number[]): string {
  const wrapped = cells.map((cell, index) => wrapText(cell, widths[index] ?? 8));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((cell, index) => (cell[line] ?? "").padEnd(widths[index] ?? 8))
      .join(" │ ")
      .trimEnd(),
  ).join("\n");
}

/** Breaks at blanks, and within a word only where it is wider than the column. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(" ").flatMap((each) => splitWord(each, width))) {
      if (line !== "" && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

function splitWord(word: string, width: number): string[] {
  const pieces = Math.max(1, Math.ceil(word.length / width));
  return Array.from({ length: pieces }, (_, index) =>
    word.slice(index * width, (index + 1) * width),
  );
}
