/** The questions of a command: asked on stderr, left with Ctrl-C or the end of input, which answers none of them. */

import { Writable } from "node:stream";
import { Interrupted, type Terminal } from "./terminal.js";
import { isSet } from "./workspace.js";

/** "Select Graphic Rendition" of ECMA-48, section 8.3.117. */
const colourSequence = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

export interface TextQuestion {
  /** Shown as the answer that Enter takes. */
  readonly proposal?: string;
  /** What is wrong with an answer; undefined when nothing is. */
  readonly check?: (answer: string) => string | undefined;
}

/** Every question throws `Interrupted` when it is left. */
export class Prompts {
  readonly #clack: typeof import("@clack/prompts");
  readonly #io: { input: NodeJS.ReadStream; output: Writable; signal: AbortSignal };

  private constructor(clack: typeof import("@clack/prompts"), { signal }: Terminal) {
    this.#clack = clack;
    this.#io = { input: process.stdin, output: openOutput(), signal };
  }

  static async load(terminal: Terminal): Promise<Prompts> {
    return new Prompts(await import("@clack/prompts"), terminal);
  }

  async askText(
    message: string,
    { proposal = "", check = () => undefined }: TextQuestion = {},
  ): Promise<string> {
    const answer = await this.#clack.text({
      ...this.#io,
      message,
      ...(proposal === "" ? {} : { placeholder: proposal, defaultValue: proposal }),
      validate: (typed = "") => check(typed.trim() || proposal),
    });
    return this.#finish(answer).trim();
  }

  /** What is typed is shown nowhere. */
  async askSecret(message: string): Promise<string> {
    return this.#finish((await this.#clack.password({ ...this.#io, message, mask: "" })) ?? "");
  }

  async askChoice<Value extends string>(message: string, choices: readonly Choice<Value>[]): Promise<Value> {
    const options = choices.map((each) => ({ ...each }));
    const chosen = this.#finish(await this.#clack.select<string>({ ...this.#io, message, options }));
    const found = choices.find(({ value }) => value === chosen);
    if (found === undefined) throw new Interrupted();
    return found.value;
  }

  async askYesNo(message: string): Promise<boolean> {
    return this.#finish(await this.#clack.confirm({ ...this.#io, message, initialValue: false }));
  }

  #finish<Value>(answer: Value): Exclude<Value, symbol> {
    if (typeof answer === "symbol") throw new Interrupted();
    return answer as Exclude<Value, symbol>;
  }
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
