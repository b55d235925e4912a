/** The thread's side of what leaves a sandbox: questions, lines of the log, the result and the state, each within its limits. */

import type * as QuickJs from "quickjs-emscripten";
import type { Asked, FromSandbox, RunEnd, SandboxLimits } from "./sandbox-messages.js";

/**
 * The way out of a sandbox. Code may have replaced everything that the prelude uses: each part is measured before it is read.
 *
 * As `Sandbox`, it is started by its text: it may use nothing of this module but types.
 */
export class SandboxExit {
  /** The time of the run's clock; undefined for the real time. */
  frozenMs: number | undefined;
  end: RunEnd | undefined;
  readonly #vm: QuickJs.QuickJSContext;
  readonly #limits: SandboxLimits;
  readonly #post: (message: FromSandbox) => void;
  #asked: Asked[] = [];
  #questions = 0;
  /** Questions without a reply, each with its length, and when a sleep ends on the frozen clock. */
  readonly #open = new Map<number, { readonly characters: number; readonly wakesMs: number }>();
  #openCharacters = 0;
  #logCharacters = 0;

  constructor(
    vm: QuickJs.QuickJSContext,
    limits: SandboxLimits,
    post: (message: FromSandbox) => void,
    frozenMs: number | undefined,
  ) {
    [this.#vm, this.#limits, this.#post, this.frozenMs] = [vm, limits, post, frozenMs];
  }

  /** How many questions have no reply. */
  get waiting(): number {
    return this.#open.size;
  }

  /** The questions that have not left; they leave now. */
  takeAsked(): Asked[] {
    const asked = this.#asked.filter(({ id }) => this.#open.has(id));
    this.#asked = [];
    return asked;
  }

  /** Whether the code has asked this, and it has not left. */
  hasAsked({ id, asked }: Asked): boolean {
    return this.#asked.some((each) => each.id === id && each.asked === asked);
  }

  /** Takes the id of a question that has its reply. A sleep advances the frozen clock. */
  settle(id: number): void {
    const { characters = 0, wakesMs = 0 } = this.#open.get(id) ?? {};
    this.#openCharacters -= characters;
    this.#open.delete(id);
    if (this.frozenMs !== undefined) this.frozenMs = Math.max(this.frozenMs, wakesMs);
  }

  /** Takes what the prelude hands over: a kind, and one or two values. Returns the id of a question, or why it can't be asked. */
  hear([kindOf, first, second]: readonly (QuickJs.QuickJSHandle | undefined)[]):
    | number
    | string
    | undefined {
    const kind = this.#read(kindOf, 10);
    if (kind === "call") return this.#ask(this.#measure(first), () => this.#read(first) ?? "");
    if (kind === "sleep") return this.#sleep(first === undefined ? 0 : this.#vm.getNumber(first));
    if (kind === "log") this.#log(this.#measure(first), () => this.#read(first) ?? "");
    else if (kind === "value" || kind === "thrown") {
      const how =
        kind === "value" ? this.#finish(first) : this.#fail(this.#read(first, 100_000) ?? "{}");
      const state = this.#read(second, this.#limits.maxStateCharacters) ?? "";
      this.end ??= { ...how, state };
    }
    return undefined;
  }

  #ask(characters: number, read: () => string, sleepMs = 0): number | string {
    const { maxQuestions, maxQuestionCharacters, maxOpenCharacters } = this.#limits;
    if (this.#questions >= maxQuestions)
      return `this run has requested far more than maxCalls: ${maxQuestions} times`;
    if (characters > maxQuestionCharacters)
      return `a call may hold ${maxQuestionCharacters / 1e6} MB at most: send less at once`;
    if (characters + this.#openCharacters > maxOpenCharacters)
      return `the calls under way hold more than ${maxOpenCharacters / 1e6} MB: await some before the next`;
    this.#questions += 1;
    this.#openCharacters += characters;
    this.#open.set(this.#questions, { characters, wakesMs: (this.frozenMs ?? 0) + sleepMs });
    this.#asked.push({ id: this.#questions, asked: read() });
    return this.#questions;
  }

  #sleep(ms: number): number | string {
    if (!(ms >= 0 && ms <= 600_000)) return "sleep takes milliseconds: 600000 at most";
    const asked = JSON.stringify({ sleep: ms });
    return this.#ask(asked.length, () => asked, ms);
  }

  /** After the first line that has no space the log ends: a flood of them costs the host nothing. */
  #log(characters: number, read: () => string): void {
    const { maxLogCharacters, lineCharacters } = this.#limits;
    if (this.#logCharacters > maxLogCharacters) return;
    this.#logCharacters += characters + lineCharacters;
    const fits = this.#logCharacters <= maxLogCharacters;
    this.#post({ line: fits ? read() : "(later lines are left out)" });
  }

  #finish(given: QuickJs.QuickJSHandle | undefined): RunEnd {
    const { maxResultCharacters, maxResultMembers } = this.#limits;
    const fail = (message: string): RunEnd => ({ thrown: { name: "RangeError", message } });
    const characters = this.#measure(given);
    if (characters > maxResultCharacters)
      return fail(
        `the returned value has ${Math.round(characters / 1e5) / 10} MB as JSON; at most ${maxResultCharacters / 1e6} MB are allowed: return less`,
      );
    const value = this.#read(given);
    if (value !== undefined && this.#countMembers(value) > maxResultMembers)
      return fail(
        `the returned value has an object with more than ${maxResultMembers} members: return a list, or less`,
      );
    return { value };
  }

  /** Returns how many members the largest object of a JSON text has. */
  #countMembers(text: string): number {
    const open: number[] = [];
    let most = 0;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at];
      if (sign === "{" || sign === "[") open.push(0);
      else if (sign === "}" || sign === "]") most = Math.max(most, open.pop() ?? 0);
      else if (sign === ":") open.push((open.pop() ?? 0) + 1);
      else if (sign === '"')
        for (at += 1; at < text.length && text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
    }
    return most;
  }

  #fail(text: string): RunEnd {
    // By its own text alone: the name of the class may be another one in a bundle.
    return (this.constructor as typeof SandboxExit).describeThrown(Object(JSON.parse(text)));
  }

  /** An error as the prelude, or QuickJS, describes it. */
  static describeThrown({ name = "", message = "", stack }: Record<string, unknown>): RunEnd {
    if (name === "InternalError" && message === "out of memory") return { limit: "memoryBytes" };
    const [, line] = /\bcode\.js:(\d+)/.exec(String(stack).slice(0, 4_000)) ?? [];
    const thrown = { name: String(name).slice(0, 100), message: String(message).slice(0, 2_000) };
    return { thrown: { ...thrown, line: line === undefined ? undefined : Number(line) } };
  }

  #measure(given: QuickJs.QuickJSHandle | undefined): number {
    if (given === undefined || this.#vm.typeof(given) !== "string") return 0;
    return this.#vm.getProp(given, "length").consume((each) => this.#vm.getNumber(each));
  }

  /** Undefined for what is not a string, or is longer than `most`. */
  #read(
    given: QuickJs.QuickJSHandle | undefined,
    most = Number.POSITIVE_INFINITY,
  ): string | undefined {
    if (given === undefined || this.#vm.typeof(given) !== "string") return undefined;
    return this.#measure(given) <= most ? this.#vm.getString(given) : undefined;
  }
}
