/** `call`: one request through the tool's own path, printed as the model would see it, whole, or as a curl line. */

import { createSourceClient } from "../client/create-source-client.js";
import { isJsonObject } from "../json/exact-number.js";
import { parseJson } from "../json/parse-json.js";
import { writeJson } from "../json/write-json.js";
import type { ApiSource } from "../source/api-source.js";
import { cleanLine, createUsageError, exitCodeOf, readTextFile, type Terminal } from "./terminal.js";
import { type CommonFlags, createCredentialOptions, findSource } from "./workspace.js";

export interface CallFlags extends CommonFlags {
  readonly query: readonly string[];
  readonly header: readonly string[];
  readonly body?: string;
  readonly select?: string;
  readonly pages?: string;
  readonly full?: boolean;
  readonly curl?: boolean;
}

export interface CallTarget {
  readonly slug: string;
  readonly method: string;
  readonly path: string;
}

/** The largest budget that a record may set: no body within `limits.maxBytes` is larger. */
const wholeTokens = 10_000_000;

/** @returns 0, or the exit code of the failure's kind. */
export async function callSource(target: CallTarget, flags: CallFlags, terminal: Terminal): Promise<number> {
  const { slug, method, path } = target;
  const source = await findSource(slug, flags, "call", ` ${method} ${path}`);
  const input = await readInput(target, flags, terminal);
  if (flags.curl === true) {
    const { writeCallCurl } = await import("./write-call-curl.js");
    const curl = await writeCallCurl(source, input);
    terminal.printResult(flags, { curl }, curl);
    return 0;
  }
  const client = createSourceClient(flags.full === true ? withoutBudget(source) : source, {
    ...createCredentialOptions(),
    readApiResponse: false,
  });
  const { ok, content, artifact } = await client.call(input, {
    signal: terminal.signal,
    onProgress: ({ page, rows, total }) =>
      terminal.showProgress(`page ${page}, ${rows} rows${total === undefined ? "" : ` of ${total}`}`),
  });
  if (flags.pages !== undefined) terminal.showProgress("");
  if (flags.full === true) printWhole(content, terminal);
  else terminal.print(content);
  return ok ? 0 : exitCodeOf(artifact.category, artifact.status);
}

/** The input of the tool, as a model would give it. */
async function readInput(
  { method, path }: CallTarget,
  { query, header, body, select, pages }: CallFlags,
  terminal: Terminal,
): Promise<Record<string, unknown>> {
  return {
    method,
    path,
    query: query.map((pair) => splitAt(pair, "=", `--query ${pair}`)),
    headers: header.map((line) => splitAt(line, ":", "--header")),
    ...(body === undefined ? {} : { body: await readBody(body, terminal) }),
    select,
    pages,
  };
}

function splitAt(text: string, mark: "=" | ":", flag: string): { name: string; value: string } {
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

function withoutBudget(source: ApiSource): ApiSource {
  const limits = { ...source.api.limits, maxTokens: wholeTokens };
  return { ...source, api: { ...source.api, limits } };
}

/** The body alone, its digits as the API sent them; what the answer says besides goes to stderr. */
function printWhole(content: string, terminal: Terminal): void {
  const answer = parseJson(content);
  if (!isJsonObject(answer)) return;
  const { data } = answer;
  if (data !== undefined) terminal.print(typeof data === "string" ? data : writeJson(data));
  for (const part of ["error", "notes", "pages", "partial", "next"]) {
    const value = answer[part];
    if (value !== undefined) terminal.tell(`${part}: ${cleanLine(writeJson(value))}`);
  }
}
