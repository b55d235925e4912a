/** The questions of a command: asked on stderr, left with Ctrl-C or the end of input, which answers none of them. */

import { Writable } from "node:stream";
import type { CommonOptions } from "@clack/prompts";
import { CommandError, type Terminal } from "./terminal.js";
import { isSet } from "./workspace.js";

/** "Select Graphic Rendition" of ECMA-48, section 8.3.117. */
const colourSequence = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

export interface Choice<Value extends string> {
  readonly value: Value;
  /** @default the value */
  readonly label?: string;
  readonly hint?: string;
}

/** Asks one question. @throws CommandError 130 when it is left. */
async function ask<Answer>(
  { signal }: Terminal,
  question: (clack: typeof import("@clack/prompts"), ends: CommonOptions) => Promise<Answer>,
): Promise<Exclude<Answer, symbol>> {
  const ends = { input: process.stdin, output: openOutput(), signal };
  const answer = await question(await import("@clack/prompts"), ends);
  if (typeof answer === "symbol") throw new CommandError(130, "Interrupted.");
  return answer as Exclude<Answer, symbol>;
}

/**
 * @param proposal - Shown as the answer that Enter takes.
 * @param check - What is wrong with an answer; undefined when nothing is.
 */
export async function askText(
  terminal: Terminal,
  message: string,
  check: (answer: string) => string | undefined = () => undefined,
  proposal: string = "",
): Promise<string> {
  const proposed = proposal === "" ? {} : { placeholder: proposal, defaultValue: proposal };
  const validate = (typed = ""): string | undefined => check(typed.trim() || proposal);
  const answer = await ask(terminal, ({ text }, ends) => text({ ...ends, ...proposed, message, validate }));
  return answer.trim();
}

/** What is typed is shown nowhere. */
export async function askSecret(terminal: Terminal, message: string): Promise<string> {
  return (await ask(terminal, ({ password }, ends) => password({ ...ends, message, mask: "" }))) ?? "";
}

export async function askChoice<Value extends string>(
  terminal: Terminal,
  message: string,
  choices: readonly Choice<Value>[],
): Promise<Value> {
  const options = choices.map((each) => ({ ...each }));
  return ask(terminal, ({ select }, ends) => select<string>({ ...ends, message, options }) as Promise<Value>);
}

export async function askYesNo(terminal: Terminal, message: string): Promise<boolean> {
  return ask(terminal, ({ confirm }, ends) => confirm({ ...ends, message, initialValue: false }));
}

/** stderr, without colours where they are not wanted (https://no-color.org): the prompts set them unasked. */
function openOutput(): Writable {
  const { stderr } = process;
  if (!isSet("NO_COLOR")) return stderr;
  const plain = new Writable({
    decodeStrings: false,
    write: (chunk: unknown, _encoding, done) => {
      stderr.write(String(chunk).replace(colourSequence, ""), () => done());
    },
  });
  return Object.assign(plain, { isTTY: true, columns: stderr.columns, rows: stderr.rows });
}
