/** What a terminal shows after a stream of text and control sequences (ECMA-48), as far as the command's prompts use them. */

interface Screen {
  readonly lines: string[][];
  row: number;
  column: number;
}

const sequence = new RegExp(`${String.fromCharCode(27)}\\[([?0-9;]*)([A-Za-z])|[\\s\\S]`, "gu");

/** The lines that are on the screen at the end, without trailing spaces. */
export function renderScreen(raw: string): string {
  const screen: Screen = { lines: [[]], row: 0, column: 0 };
  for (const [text, parameters = "", command] of raw.matchAll(sequence)) {
    if (command === undefined) type(screen, text);
    else control(screen, command, Number(parameters) || 0);
  }
  return screen.lines
    .map((line) => line.join("").trimEnd())
    .join("\n")
    .trimEnd();
}

function lineOf(screen: Screen): string[] {
  while (screen.lines.length <= screen.row) screen.lines.push([]);
  return screen.lines[screen.row] ?? [];
}

function type(screen: Screen, character: string): void {
  if (character === "\r") screen.column = 0;
  else if (character === "\n") screen.row += 1;
  else if (character === "\b") screen.column = Math.max(0, screen.column - 1);
  else if (character >= " ") {
    const line = lineOf(screen);
    while (line.length < screen.column) line.push(" ");
    line[screen.column] = character;
    screen.column += 1;
  }
}

function control(screen: Screen, command: string, parameter: number): void {
  const count = parameter || 1;
  const line = lineOf(screen);
  if (command === "A") screen.row = Math.max(0, screen.row - count);
  if (command === "B") screen.row += count;
  if (command === "C") screen.column += count;
  if (command === "D") screen.column = Math.max(0, screen.column - count);
  if (command === "G") screen.column = count - 1;
  if (command === "K") line.splice(parameter === 2 ? 0 : screen.column);
  if (command === "J") {
    line.splice(screen.column);
    screen.lines.splice(screen.row + 1);
  }
}
