/** The two ends of a command: results on stdout, everything else on stderr, and whether a person is there to be asked. */

import { createReadStream } from "node:fs";
import { readProcessEnvironment } from "../credentials/environment.js";

/** The most that is read from standard input or a file, in bytes: far above any description of an API. */
export const maxInputBytes = 50_000_000;

export interface Terminal {
  /** Writes a result to stdout; a line break is added where there is none. On a terminal nothing in it can steer the terminal. */
  print(text: string): void;
  /** Writes to stderr. */
  tell(text: string): void;
  /** Shows one line on stderr that the next one replaces; without a terminal it is a line of its own. `""` takes it away. */
  showProgress(line: string): void;
  /** Whether questions may be asked: stdin and stderr are terminals. */
  readonly canAsk: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Whether standard input is a keyboard, whose keys are shown while they are typed. */
  readonly isTyped: boolean;
  /** Reads standard input to its end, or until Ctrl-C. @throws CommandError when it is larger than `maxInputBytes`. */
  readInput(): Promise<string>;
}

/** A command ends with this exit code; the message goes to stderr. */
export class CommandError extends Error {
  readonly exitCode: number;
  /** The line that would have been right. */
  readonly right: string | undefined;

  constructor(exitCode: number, message: string, right?: string) {
    super(message);
    this.exitCode = exitCode;
    this.right = right;
  }
}

/** Wrong usage: exit code 2, with the line that would have been right. */
export function createUsageError(message: string, right?: string): CommandError {
  return new CommandError(2, message, right);
}

/** The terminal of this process. */
export function createTerminal(signal: AbortSignal): Terminal {
  const { stdin, stdout, stderr } = process;
  const hasTerminal = stderr.isTTY === true;
  return {
    print: (text) => {
      const shown = stdout.isTTY === true ? escapeControls(text) : text;
      stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
    },
    tell: (text) => {
      stderr.write(text.endsWith("\n") ? text : `${text}\n`);
    },
    showProgress: (line) => {
      if (hasTerminal) stderr.write(`\r\u001b[K${line.slice(0, Math.max(20, (stderr.columns ?? 80) - 1))}`);
      else if (line !== "") stderr.write(`${line}\n`);
    },
    canAsk: stdin.isTTY === true && hasTerminal,
    signal,
    isTyped: stdin.isTTY === true,
    readInput: () => {
      const stop = (): void => void stdin.destroy(new Error("interrupted"));
      signal.addEventListener("abort", stop, { once: true });
      if (stdin.isTTY === true) stderr.write("Reading what you type; Ctrl-D ends it.\n");
      return readStream(stdin, "Standard input").finally(() => signal.removeEventListener("abort", stop));
    },
  };
}

/** Reads a file that may be anything a path leads to. @throws CommandError 2 when it is larger than `maxInputBytes`. */
export async function readTextFile(path: string, right: string): Promise<string> {
  try {
    return await readStream(createReadStream(path), `The file ${cleanLine(path)}`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw createUsageError(`The file ${cleanLine(path)} can't be read.`, right);
  }
}

async function readStream(stream: AsyncIterable<unknown>, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += part.length;
    if (bytes > maxInputBytes) throw createUsageError(`${name} is larger than ${maxInputBytes} bytes.`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Whether colour may be used at all (https://no-color.org). */
export function hasColour(): boolean {
  return (readProcessEnvironment("NO_COLOR") ?? "") === "" && process.stderr.isTTY === true;
}

/** Other people's text without what could steer a terminal: control, format and private characters become `?`. */
export function cleanLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu, (found) =>
    /^[\r\n\t]+$/.test(found) ? " " : "?",
  );
}

/** Control characters that JSON lets stand, and those that turn the direction of writing, as escapes; lines and tabs stay. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (found) =>
    /[\n\t]/.test(found) ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Columns with two spaces between them; the last one keeps its length. */
export function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cleaned = [head, ...rows].map((row) => row.map(cleanLine));
  const widths = head.map((_, column) => Math.max(...cleaned.map((row) => (row[column] ?? "").length)));
  return cleaned
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
