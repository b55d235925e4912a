/** Reads a PowerShell command into the request that it would send: `Invoke-RestMethod` or `Invoke-WebRequest`, as browsers and documentations write them. */

import { invalidInput } from "../../core/base/errors.js";
import { findContentType, readSentFormat, type SentFormat } from "./body-format.js";
import type { SentRequest } from "./imported.js";
import { readAddress } from "./read-address.js";
import { checkTypographic } from "./shell-words.js";

/** A word of a command: a text, a table `@{ name = value }`, or a word without quotes. */
type Value = string | ReadonlyMap<string, string>;

const commandName = /\b(?:Invoke-RestMethod|Invoke-WebRequest|irm|iwr)\b/i;

export function isPowerShell(text: string): boolean {
  // The short names are also words: only at the beginning of a line are they commands.
  return (
    /(?:^|[\s;|=({])Invoke-(?:RestMethod|WebRequest)\b/i.test(text) ||
    /^\s*(?:irm|iwr)\s/i.test(text)
  );
}

/** A line break, a table's ends, `=`, a comment, a text in double or in single quotes, a word, and anything else alone. */
const token =
  /(\r?\n|;)|(@\{|\})|(=)|(#[^\n]*)|"((?:[^"`]|`[\s\S]|"")*)"|'((?:[^']|'')*)'|([^\s"'=;{}]+)|\s+|./g;

interface Token {
  readonly kind: "end" | "open" | "close" | "equals" | "text" | "word";
  readonly text: string;
}

function splitPowerShell(text: string): Token[] {
  // A backtick at the end of a line continues it.
  const source = text.replace(/`\r?\n/g, " ");
  return [...source.matchAll(token)].flatMap(
    ([whole, end, brace, equals, comment, double, single, word]): Token[] => {
      if (end !== undefined) return [{ kind: "end", text: "" }];
      if (brace !== undefined) return [{ kind: brace === "}" ? "close" : "open", text: brace }];
      if (equals !== undefined) return [{ kind: "equals", text: equals }];
      if (double !== undefined) return [{ kind: "text", text: readDouble(double) }];
      if (single !== undefined) return [{ kind: "text", text: single.replaceAll("''", "'") }];
      if (word !== undefined) checkTypographic(word);
      if (word !== undefined) return [{ kind: "word", text: word }];
      if (comment !== undefined || whole.trim() === "") return [];
      if (/["']/.test(whole)) throw openQuote();
      return [];
    },
  );
}

function openQuote(): Error {
  return invalidInput(
    "A quote of the PowerShell command isn't closed.",
    "Paste the whole command, from its first word to its end.",
  );
}

/** Undoes the escapes of a text in double quotes. Variables in it stay as they are written. */
function readDouble(text: string): string {
  return text
    .replaceAll('""', '"')
    .replace(/`([\s\S])/g, (_whole, character: string) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "" };

/** Walks over the tokens once. */
class PowerShellReader {
  /** The values that the lines before the command assign, such as `$headers = @{ … }`, by their names in lower case. */
  readonly variables = new Map<string, Value>();
  /** The parameters of the command, by their names in lower case. */
  readonly parameters = new Map<string, Value>();
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): void {
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at];
      if (token?.kind === "word" && commandName.test(token.text)) {
        this.#readCommand();
        return;
      }
      this.#readAssignment();
    }
  }

  /** `$name = VALUE`, and `$headers["name"] = VALUE` as a member of a table; anything else is passed over. */
  #readAssignment(): void {
    const name = this.#take();
    if (name?.kind !== "word" || this.#peek()?.kind !== "equals") return;
    const [, variable] = /^\$(\w+)$/.exec(name.text) ?? [];
    if (variable === undefined) return;
    this.#at += 1;
    // The result of the command itself may be assigned: `$response = Invoke-RestMethod …`.
    if (commandName.test(this.#peek()?.text ?? "")) return;
    this.variables.set(variable.toLowerCase(), this.#readValue());
  }

  #readCommand(): void {
    this.#at += 1;
    while (this.#peek() !== undefined && this.#peek()?.kind !== "end") {
      const token = this.#take();
      const [, name] = token?.kind === "word" ? (/^-([A-Za-z]+):?$/.exec(token.text) ?? []) : [];
      const next = this.#peek();
      const isSwitch = next === undefined || next.kind === "end" || /^-[A-Za-z]/.test(next.text);
      if (name !== undefined && !isSwitch)
        this.parameters.set(name.toLowerCase(), this.#readValue());
      // The address needs no name.
      else if (name === undefined && token !== undefined && !this.parameters.has("uri"))
        this.parameters.set("uri", this.#resolve(token));
    }
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #take(): Token | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token;
  }

  #readValue(): Value {
    const first = this.#take();
    if (first === undefined) return "";
    if (first.kind === "open") return this.#readTable();
    if (first.kind === "text") return first.text;
    // `([System.Text.Encoding]::UTF8.GetBytes("…"))` and `(@{ … } | ConvertTo-Json)` are what they contain.
    if (first.text.startsWith("(")) return this.#readGroup(first.text);
    return this.#resolve(first);
  }

  #readGroup(opening: string): Value {
    let depth = countParentheses(opening);
    let found: Value | undefined;
    while (depth > 0 && this.#peek() !== undefined) {
      const token = this.#take();
      if (token?.kind === "open") found ??= this.#readTable();
      else if (token?.kind === "text") found ??= token.text;
      else if (token?.kind === "word") depth += countParentheses(token.text);
    }
    return found ?? "";
  }

  #readTable(): ReadonlyMap<string, string> {
    const table = new Map<string, string>();
    while (this.#peek() !== undefined && this.#peek()?.kind !== "close") {
      const name = this.#take();
      if (name === undefined || this.#peek()?.kind !== "equals") continue;
      this.#at += 1;
      const value = this.#readValue();
      if (typeof value === "string") table.set(name.text, value);
    }
    this.#at += 1;
    return table;
  }

  /** The value of a variable; a text may contain one. */
  #resolve({ text }: Token): Value {
    const [, name] = /^\$(\w+)$/.exec(text) ?? [];
    return (name === undefined ? undefined : this.variables.get(name.toLowerCase())) ?? text;
  }
}

function countParentheses(text: string): number {
  return text.split("(").length - text.split(")").length;
}

/**
 * @param baseUrl - The value of a variable that the address begins with.
 * @throws ApiSourceError `invalid_input` for a command without an http(s) URL, or with an open quote.
 */
export function readPowerShell(text: string, baseUrl?: string): SentRequest {
  const reader = new PowerShellReader(splitPowerShell(text));
  reader.read();
  const { parameters, variables } = reader;
  const fill = (value: string): string => fillVariables(value, variables);
  const readText = (...names: readonly string[]): string | undefined => {
    const value = names.map((name) => parameters.get(name)).find((each) => each !== undefined);
    return typeof value === "string" ? fill(value) : undefined;
  };
  const given = parameters.get("headers");
  const headers =
    typeof given === "object"
      ? [...given].map(([name, value]) => [name, fill(value)] as const)
      : [];
  const contentType = readText("contenttype");
  const all =
    contentType === undefined ? headers : [...headers, ["Content-Type", contentType] as const];
  const token = readText("token");
  return {
    method: (readText("method", "custommethod") ?? "GET").toUpperCase(),
    url: readAddress(readText("uri") ?? "", "", baseUrl),
    headers: token === undefined ? all : [...all, ["Authorization", `Bearer ${token}`]],
    bodyFormat: findFormat(parameters, all),
    notes: listNotes(text, parameters),
  };
}

/** Fills `$name` in a text; a variable without a value stays as it is written. */
function fillVariables(text: string, variables: ReadonlyMap<string, Value>): string {
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    const value = variables.get((braced ?? bare ?? "").toLowerCase());
    return typeof value === "string" ? value : whole;
  });
}

/** How the body is written: the Content-Type states it; else PowerShell's own, but for JSON text. */
function findFormat(
  parameters: ReadonlyMap<string, Value>,
  headers: readonly (readonly [string, string])[],
): SentFormat | undefined {
  const body = parameters.get("body");
  const isMultipart = parameters.has("form");
  if (body === undefined && !isMultipart && !parameters.has("infile")) return undefined;
  const stated = readSentFormat(findContentType(headers));
  if (stated !== undefined) return stated;
  if (isMultipart) return "multipart";
  if (body === undefined) return "other";
  if (typeof body !== "string") return "form";
  if (/^\s*[[{]/.test(body)) return "json";
  return body.startsWith("$") ? undefined : "form";
}

function listNotes(text: string, parameters: ReadonlyMap<string, Value>): string[] {
  const notes: string[] = [];
  if (/\.Cookies\.Add\(/i.test(text))
    notes.push(
      "It sends cookies: a record sends them as the header Cookie with a variable, in `api.headers`.",
    );
  if (parameters.has("credential"))
    notes.push("Its credential is in a PowerShell object: --auth basic asks for it.");
  if (parameters.has("certificate"))
    notes.push("A client certificate: put it into `api.network.cert` and `api.network.key`.");
  if (parameters.has("proxy")) notes.push("A proxy: put it into `api.network.proxy`.");
  return notes;
}
