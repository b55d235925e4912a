/** What `call` sends, from its flags: the input of the tool, and the parts of `--form`. */

import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { quoteWord } from "../core/base/shell-word.js";
import type { CallRequest, ClientOptions } from "../index.js";
import { cleanLine, createUsageError, readTextFile, type Terminal } from "./terminal.js";
import type { CommonFlags } from "./workspace.js";

export interface CallFlags extends CommonFlags {
  readonly query: readonly string[];
  readonly header: readonly string[];
  readonly body?: string;
  readonly form?: readonly string[];
  readonly select?: string;
  readonly pages?: string;
  readonly wait?: string;
  readonly until?: string;
  readonly full?: boolean;
  readonly output?: string;
  readonly force?: boolean;
  readonly curl?: boolean;
  readonly record?: string;
  readonly replay?: string;
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The input of the tool, as a model would give it. */
export async function readInput(
  method: string,
  path: string,
  { query, header, body, select, pages, wait, until }: CallFlags,
  terminal: Terminal,
): Promise<CallRequest & { readonly headers: readonly Pair[] }> {
  // Numbers are texts here: the call validates them, as it does what a model wrote.
  return Object({
    method,
    path,
    query: query.map((pair) => splitAt(pair, "=", `--query ${pair}`)),
    headers: header.map((line) => splitAt(line, ":", "--header")),
    body: body === undefined ? undefined : await readBody(body, terminal),
    select,
    pages,
    wait,
    until,
  });
}

function splitAt(text: string, mark: "=" | ":", flag: string): Pair {
  const place = text.indexOf(mark);
  if (place < 1)
    throw createUsageError(
      `${flag} has no "${mark}" between a name and a value.`,
      "api-sources call SLUG GET /path --query name=value --header 'Name: value'",
    );
  const value = text.slice(place + 1);
  return { name: text.slice(0, place).trim(), value: mark === ":" ? value.trim() : value };
}

async function readBody(given: string, terminal: Terminal): Promise<string> {
  if (given === "-") return terminal.readInput();
  if (!given.startsWith("@")) return given;
  return readTextFile(given.slice(1), "api-sources call SLUG POST /path --body @order.json");
}

/** The multipart body of `--form`. */
export interface Form {
  /** The body as the tool takes it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Gives the files that the body names. */
  readonly readFile: NonNullable<ClientOptions["readFile"]>;
  /** The same parts as options of curl. */
  readonly curl: readonly string[];
}

/**
 * Reads `label=x`, a text, and `label=@PATH`, a file. A label that is given again is another part.
 *
 * @throws CommandError 2 for a part without a label, and for a file that can't be read.
 */
export async function readForm(parts: readonly string[]): Promise<Form> {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly name: string }>();
  const body = new Map<string, unknown[]>();
  const curl: string[] = [];
  for (const part of parts) {
    const [, label, mark, value = ""] = /^([^=]+)=(@?)(.*)$/s.exec(part) ?? [];
    if (label === undefined)
      throw createUsageError(`--form ${cleanLine(part)} has no "=" after a label.`, rightForm);
    const own = body.get(label) ?? [];
    body.set(label, own);
    if (mark === "@") {
      const id = `form-${files.size + 1}`;
      files.set(id, { bytes: await readBytes(value), name: basename(value) });
      own.push({ $file: id });
      curl.push(`-F ${quoteWord(`${label}=@"${value.replace(/["\\]/g, "\\$&")}"`)}`);
    } else {
      own.push(value);
      curl.push(`--form-string ${quoteWord(part)}`);
    }
  }
  return { body: Object.fromEntries(body), readFile: (id) => files.get(id), curl };
}

const rightForm = "api-sources call SLUG POST /path --form title=Report --form file=@report.pdf";

async function readBytes(path: string): Promise<Uint8Array> {
  // A device or a pipe may have no end.
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true)
    throw createUsageError(`The file ${cleanLine(path)} can't be read.`, rightForm);
  return readFile(path);
}
