/** The two ends of a command: results on stdout, everything else and questions on stderr; and how an error becomes words and an exit code. */

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { CommonOptions, Option } from "@clack/prompts";
import { ApiSourceError, type RecordProblem, SourceRecordError } from "../core/base/errors.js";
import { plural } from "../core/base/text.js";

/** The most that is read from standard input or a file, in bytes: far above any description of an API. */
const maxInputBytes = 50_000_000;

class Terminal {
  readonly interrupt = new AbortController();
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal = this.interrupt.signal;
  /** Whether standard input is a keyboard, whose keys are shown while they are typed. */
  readonly isTyped: boolean = process.stdin.isTTY === true;
  /** Whether questions may be asked: stdin and stderr are terminals. */
  readonly canAsk: boolean = process.stdin.isTTY === true && process.stderr.isTTY === true;

  /** Whether a command asks what its flags leave open: not with `--yes`. */
  asks({ yes }: { readonly yes?: boolean }): boolean {
    return this.canAsk && yes !== true;
  }

  /** Writes a result to stdout; a line break is added at its end. On a terminal nothing in it can steer the terminal. */
  print(text: string): void {
    const shown = process.stdout.isTTY === true ? escapeControls(text) : text;
    process.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }

  /** Writes bytes to stdout as they are. @throws CommandError on a terminal, which bytes can steer. */
  printBytes(bytes: Uint8Array): void {
    if (process.stdout.isTTY === true)
      throw createUsageError(
        "The body is binary, and standard output is a terminal.",
        "api-sources call SLUG GET /path --output FILE",
      );
    process.stdout.write(bytes);
  }

  /** Prints the value with `--json`, else the text. */
  printResult({ json }: { readonly json?: boolean }, value: unknown, text: string): void {
    this.print(json === true ? JSON.stringify(value, null, 2) : text);
  }

  /** Writes to stderr; nothing in it, such as the name of a file, can steer a terminal. */
  note(text: string): void {
    const shown = escapeControls(text);
    process.stderr.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }

  /** Shows one line on stderr that the next one replaces; without a terminal it is a line of its own. `""` takes it away. */
  showProgress(progress: string): void {
    const { stderr } = process;
    const line = escapeControls(progress);
    if (stderr.isTTY === true)
      stderr.write(`\r\u001b[K${line.slice(0, Math.max(20, stderr.columns - 1))}`);
    else if (line !== "") stderr.write(`${line}\n`);
  }

  /**
   * Reads standard input to its end, or until Ctrl-C.
   *
   * @param isWhole - Whether what was typed so far is all: the keyboard then stays open for questions.
   * @throws CommandError when it is larger than `maxInputBytes`.
   */
  async readInput(isWhole?: (text: string) => boolean): Promise<string> {
    const { stdin } = process;
    if (this.isTyped) {
      this.note(
        isWhole === undefined
          ? "Paste or type it; Ctrl-D ends it."
          : "Paste a curl line and press Enter, or paste a document and press Ctrl-D.",
      );
      let text = "";
      for await (const line of createInterface({ input: stdin, signal: this.signal })) {
        text += `${line}\n`;
        if (isWhole?.(text) === true) break;
      }
      this.signal.throwIfAborted();
      return text;
    }
    const stop = (): void => void stdin.destroy(new Error("interrupted"));
    this.signal.addEventListener("abort", stop, { once: true });
    // Once read to its end it is left alone: its errors have no listener any more.
    return readStream(stdin, "Standard input").finally(() =>
      this.signal.removeEventListener("abort", stop),
    );
  }
}

/** The terminal of this process. */
export const terminal: Terminal = new Terminal();

/** Asks one question. @throws CommandError 130 when it is left with Ctrl-C or the end of input, which answers none. */
async function ask<Answer>(
  question: (clack: typeof import("@clack/prompts"), ends: CommonOptions) => Promise<Answer>,
): Promise<Exclude<Answer, symbol>> {
  const ends = { input: process.stdin, output: process.stderr, signal: terminal.signal };
  const answer = await question(await import("@clack/prompts"), ends);
  if (typeof answer === "symbol") throw new CommandError(130, "Interrupted.");
  return answer as Exclude<Answer, symbol>;
}

/**
 * @param proposal - Shown as the answer that Enter takes.
 * @param check - What is wrong with an answer; undefined when nothing is.
 */
export async function askText(
  message: string,
  check: (answer: string) => string | undefined = () => undefined,
  proposal: string = "",
): Promise<string> {
  const proposed = proposal === "" ? {} : { placeholder: proposal, defaultValue: proposal };
  const validate = (typed = ""): string | undefined => check(typed.trim() || proposal);
  const answer = await ask(({ text }, ends) => text({ ...ends, ...proposed, message, validate }));
  return answer.trim();
}

/** Shows nothing of what is typed. */
export async function askSecret(message: string): Promise<string> {
  return (await ask(({ password }, ends) => password({ ...ends, message, mask: "" }))) ?? "";
}

export async function askChoice(message: string, options: Option<string>[]): Promise<string> {
  return ask(({ select }, ends) => select({ ...ends, message, options }));
}

export async function askYesNo(message: string): Promise<boolean> {
  return ask(({ confirm }, ends) => confirm({ ...ends, message, initialValue: false }));
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
    if (bytes > maxInputBytes)
      throw createUsageError(`${name} is larger than ${maxInputBytes} bytes.`);
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Other people's text without what could steer a terminal: control, format and private characters become `?`. */
export function cleanLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu, (found) =>
    /^[\r\n\t]+$/.test(found) ? " " : "?",
  );
}

/** Control characters that JSON does not escape, and those that turn the direction of writing, as escapes; lines and tabs stay. */
function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (found) =>
    /[\n\t]/.test(found) ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Columns with two spaces between them; the last one keeps its length. */
export function writeTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cleaned = [head, ...rows].map((row) => row.map(cleanLine));
  const widths = head.map((_, column) =>
    Math.max(...cleaned.map((row) => (row[column] ?? "").length)),
  );
  const lines = cleaned.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "),
  );
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** A command ends with this exit code; the message goes to stderr. */
export class CommandError extends Error {
  /** @param right - The line that would have been right. */
  constructor(
    readonly exitCode: number,
    message: string,
    readonly right?: string,
  ) {
    super(message);
  }
}

/** Wrong usage: exit code 2, with the line that would have been right. */
export function createUsageError(message: string, right?: string): CommandError {
  return new CommandError(2, message, right);
}

/** A wrong record, as an error of exit code 2 that lists every problem. */
export function createRecordError(slug: string, problems: readonly RecordProblem[]): CommandError {
  const lines = problems.map(writeProblem).join("\n");
  return new CommandError(
    2,
    `The record of "${slug}" has ${plural(problems.length, "problem")}:\n${lines}`,
  );
}

/** One problem of a record as a line. A value that may be a secret is never part of a problem. */
export function writeProblem({ file, path, given, message, fix }: RecordProblem): string {
  const where = path === "" ? (file ?? "the record") : path;
  return `  ${where} ${message}${given === undefined ? "" : ` (given: ${given})`}. ${fix}`;
}

/** Writes what went wrong. @returns the exit code: 130 interrupted, 2 a wrong record or usage, 6 refused by policy, else 1. */
export function presentError(error: unknown): number {
  terminal.showProgress("");
  if (terminal.signal.aborted) {
    terminal.note("Interrupted.");
    return 130;
  }
  if (error instanceof CommandError) {
    terminal.note(error.message);
    if (error.right !== undefined) terminal.note(`Try: ${error.right}`);
    return error.exitCode;
  }
  if (error instanceof SourceRecordError) {
    terminal.note(`The record is wrong:\n${error.problems.map(writeProblem).join("\n")}`);
    return 2;
  }
  if (error instanceof ApiSourceError) {
    terminal.note(`${cleanLine(error.message)}\n${cleanLine(error.hint)}`);
    return exitCodeOf(error.category, undefined);
  }
  // The message of an unknown error may hold anything; a system error's code and path are safe and help.
  const { name = "unknown", code, path } = Object(error);
  const place = typeof path === "string" ? ` (${cleanLine(path)})` : "";
  terminal.note(
    code === undefined ? `The command failed (${name}).` : `The command failed: ${code}${place}.`,
  );
  return 1;
}

/** @param status - The API's status, where there was an answer. */
export function exitCodeOf(category: string | undefined, status: number | undefined): number {
  if (category === "refused_by_policy") return 6;
  if (category === "invalid_input") return 2;
  if (category === "cancelled") return 130;
  const family = Math.floor((status ?? 0) / 100);
  return family === 4 || family === 5 ? family : 1;
}
