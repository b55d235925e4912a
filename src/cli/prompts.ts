/** The questions of a command: asked on stderr, left with Ctrl-C or the end of input, which answers none of them. */

import { Writable } from "node:stream";
import { Interrupted } from "./present-error.js";
import { hasColour, type Terminal } from "./terminal.js";

/** "Select Graphic Rendition" of ECMA-48, section 8.3.117. */
const colourSequence = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

export interface TextQuestion {
  readonly message: string;
  /** Shown as the answer that Enter takes. */
  readonly proposal?: string;
  /** What is wrong with an answer; undefined when nothing is. */
  readonly check?: (answer: string) => string | undefined;
}

export interface Prompts {
  askText(question: TextQuestion): Promise<string>;
  /** What is typed is shown nowhere. */
  askSecret(message: string): Promise<string>;
  askChoice<Value extends string>(message: string, choices: readonly Choice<Value>[]): Promise<Value>;
  askYesNo(message: string, proposal: boolean): Promise<boolean>;
}

/** Loads the prompts. Every question throws `Interrupted` when it is left. */
export async function loadPrompts(terminal: Terminal): Promise<Prompts> {
  const clack = await import("@clack/prompts");
  const io = { input: process.stdin, output: openOutput(), signal: terminal.signal };
  const finish = <Value>(answer: Value | symbol): Value => {
    if (typeof answer === "symbol" || clack.isCancel(answer)) throw new Interrupted();
    return answer;
  };
  return {
    askText: async ({ message, proposal = "", check = () => undefined }) => {
      const answer = await clack.text({
        ...io,
        message,
        ...(proposal === "" ? {} : { placeholder: proposal, defaultValue: proposal }),
        validate: (typed) => check((typed ?? "").trim() === "" ? proposal : (typed ?? "").trim()),
      });
      return finish<string>(answer).trim();
    },
    askSecret: async (message) => finish<string>((await clack.password({ ...io, message, mask: "" })) ?? ""),
    askChoice: async <Value extends string>(message: string, choices: readonly Choice<Value>[]) => {
      const answer = await clack.select<string>({
        ...io,
        message,
        options: choices.map((each) => ({ ...each })),
      });
      const chosen = finish<string>(answer);
      const found = choices.find(({ value }) => value === chosen);
      if (found === undefined) throw new Interrupted();
      return found.value;
    },
    askYesNo: async (message, proposal) =>
      finish<boolean>(await clack.confirm({ ...io, message, initialValue: proposal })),
  };
}

/** stderr, without colours where they are not wanted: the prompts set them unasked. */
function openOutput(): Writable {
  const { stderr } = process;
  if (hasColour()) return stderr;
  const plain = new Writable({
    decodeStrings: false,
    write: (chunk: unknown, _encoding, done) => {
      stderr.write(String(chunk).replace(colourSequence, ""), () => done());
    },
  });
  return Object.assign(plain, { isTTY: true, columns: stderr.columns, rows: stderr.rows });
}
