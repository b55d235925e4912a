/** `call`: one request through the tool's own path, printed as the model would see it, whole, or as a curl line. `program` declares its flags. */

import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeFileAtomically } from "../core/base/disk.js";
import { isJsonObject, writeJson } from "../core/base/exact-number.js";
import { parseJson } from "../core/base/parse-json.js";
import { quoteWord } from "../core/base/shell-word.js";
import type {
  ApiSource,
  BytesOutcome,
  CallRequest,
  ClientOptions,
  Outcome,
  SourceClient,
} from "../index.js";
import { cleanLine, createUsageError, exitCodeOf, readTextFile, terminal } from "./terminal.js";
import { type CommonFlags, createCredentialOptions, findSource } from "./workspace.js";

interface CallFlags extends CommonFlags {
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

/** The largest budget that a record may set: no body within `limits.maxBytes` is larger. */
const wholeTokens = 10_000_000;

/** The input of the tool, as the flags give it. */
type Input = CallRequest & { readonly headers: readonly Pair[] };

/** @returns 0, or the exit code of the failure's kind. */
export async function runCall(
  flags: CallFlags,
  slug: string,
  method: string,
  path: string,
): Promise<number> {
  const source = await findSource(slug, flags);
  const { output, force = false, form } = flags;
  if (form !== undefined && method.toUpperCase() === "GET")
    throw createUsageError(
      "A GET has no body, so --form has no effect with it.",
      `api-sources call ${slug} POST ${quoteWord(path)} --form LABEL=VALUE`,
    );
  const isDirectory = output !== undefined && (await checkOutput(output, force));
  const parts = form && (await readForm(form));
  const input = await readInput(method, path, flags);
  if (flags.curl === true) return printCurl(source, input, flags);
  const { createSourceClient } = await import("../index.js");
  const client = createSourceClient(flags.full === true ? liftBudget(source) : source, {
    ...createCredentialOptions(),
    ...(await readTransport(flags)),
    readApiResponse: false,
  });
  const outcome = await sendInput(
    client,
    parts === undefined ? input : addParts(input, parts),
    flags,
  );
  const { ok, artifact } = outcome;
  // The bytes as they were received, where the response is kept as a file.
  const isWhole = flags.full === true || output !== undefined;
  const kept = isWhole ? await client.readFile(artifact.file?.id ?? "") : undefined;
  if (output !== undefined) return saveResponse(outcome, kept, output, isDirectory, flags);
  const content = "content" in outcome ? outcome.content : "";
  if (flags.full === true) printWhole(content, kept);
  else terminal.print(content);
  return ok ? 0 : exitCodeOf(artifact.category, artifact.status);
}

/** Prints the request as a curl line; nothing is sent. */
async function printCurl(source: ApiSource, input: Input, flags: CallFlags): Promise<number> {
  const { createSourceClient } = await import("../index.js");
  const client = createSourceClient(source, createCredentialOptions());
  const { curl, notes } = await client.preview(input);
  terminal.printResult(flags, { curl, notes }, curl);
  for (const note of notes) terminal.note(note);
  return 0;
}

function liftBudget(source: ApiSource): ApiSource {
  const limits = { ...source.api.limits, maxTokens: wholeTokens };
  return { ...source, api: { ...source.api, limits } };
}

/** The body of `--form` in place of `--body`. */
function addParts(input: Input, body: Record<string, unknown>): Input {
  const others = input.headers.filter(({ name }) => !/^content-type$/i.test(name));
  const multipart = { name: "Content-Type", value: "multipart/form-data" };
  return { ...input, body, headers: [...others, multipart] };
}

/** Sends a request, and shows how it goes on. A job that is left is named with the line that reads it. */
async function sendInput(
  client: SourceClient,
  input: Input,
  { output }: CallFlags,
): Promise<Outcome | BytesOutcome> {
  let job: unknown;
  const onProgress = (progress: Progress): void => {
    ({ job } = progress);
    terminal.showProgress(cleanLine(writeProgress(progress)));
  };
  const context = { signal: terminal.signal, onProgress };
  try {
    return await (output === undefined
      ? client.call(input, context)
      : client.fetchBytes(input, context));
  } catch (error) {
    if (job !== undefined) {
      const path = quoteWord(cleanLine(String(job)));
      terminal.note(
        `The job goes on. api-sources call ${client.source.slug} GET ${path} --wait 45`,
      );
    }
    const { method = "GET" } = input;
    if (terminal.signal.aborted && method.toUpperCase() !== "GET" && job === undefined)
      terminal.note(
        `The ${method.toUpperCase()} may have been carried out. Look at its effect before you send it again.`,
      );
    throw error;
  } finally {
    terminal.showProgress("");
  }
}

const rightOutput = "api-sources call SLUG GET /path --output report.pdf";

/** @returns whether it is a directory. @throws CommandError 2, before anything is sent, for a file that exists, and for a directory that does not. */
async function checkOutput(path: string, force: boolean): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return true;
  if (found !== undefined && !force) throw refuseExisting(path);
  const folder = /[/\\]$/.test(path) ? path : dirname(path);
  if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true)
    throw createUsageError(`The directory ${cleanLine(folder)} does not exist.`, rightOutput);
  return false;
}

/**
 * Saves a response whole or not at all, under its own name in a directory; or prints its error.
 *
 * @param kept - The bytes as they were received, where the response is kept as a file.
 * @returns the exit code.
 * @throws CommandError 2 for a name in the directory that is taken.
 */
async function saveResponse(
  {
    ok,
    status,
    error,
    bytes = new Uint8Array(),
    contentType,
    name = "download",
    artifact,
  }: BytesOutcome,
  kept: Uint8Array | undefined,
  path: string,
  isDirectory: boolean,
  flags: CallFlags,
): Promise<number> {
  if (!ok) {
    terminal.print(JSON.stringify({ status, error }));
    return exitCodeOf(artifact.category, artifact.status);
  }
  const output = isDirectory ? join(path, name) : path;
  const type = artifact.file?.type ?? contentType ?? "application/octet-stream";
  const content = kept ?? bytes;
  if (!(await writeFileAtomically(output, content, { exclusive: flags.force !== true })))
    throw refuseExisting(output);
  const line = `Saved ${cleanLine(output)}: ${cleanLine(type)}, ${content.byteLength} bytes.`;
  terminal.printResult(flags, { output, name, type, bytes: content.byteLength }, line);
  return 0;
}

function refuseExisting(path: string): Error {
  return createUsageError(
    `${cleanLine(path)} exists already; --force overwrites it.`,
    `${rightOutput} --force`,
  );
}

/** @throws ApiSourceError for a directory without recordings. */
async function readTransport({
  record,
  replay,
}: CallFlags): Promise<Pick<ClientOptions, "transport">> {
  if (record === undefined && replay === undefined) return {};
  const { recordTo, replayFrom } = await import("../extras/testing/testing.js");
  return { transport: replay === undefined ? recordTo(record ?? "") : replayFrom(replay) };
}

type Progress = Readonly<Record<string, unknown>>;

/** A page that was read, or the state of a job. */
function writeProgress({ page, rows, total, job, state, waitedMs }: Progress): string {
  if (job === undefined)
    return `page ${page}, ${rows} rows${total === undefined ? "" : ` of ${total}`}`;
  return `GET ${job}: ${state ?? "waiting"}, ${Math.round(Number(waitedMs) / 1_000)} s`;
}

/** The body alone, its digits as the API sent them; the rest of the answer goes to stderr. */
function printWhole(content: string, kept: Uint8Array | undefined): void {
  const answer = parseJson(content);
  if (!isJsonObject(answer)) return;
  const { data, file } = answer;
  const isBinary =
    isJsonObject(data) &&
    isJsonObject(file) &&
    data["type"] === file["type"] &&
    data["bytes"] === file["bytes"];
  if (isBinary && kept !== undefined) terminal.printBytes(kept);
  else if (data !== undefined) terminal.print(typeof data === "string" ? data : writeJson(data));
  for (const part of ["error", "notes", "pages", "partial", "next", "job"]) {
    const value = answer[part];
    if (value !== undefined) terminal.note(`${part}: ${cleanLine(writeJson(value))}`);
  }
}

/** A header, or a parameter of a query. */
type Pair = Record<"name" | "value", string>;

/** The input of the tool, as a model would give it. */
async function readInput(
  method: string,
  path: string,
  { query, header, body, select, pages, wait, until }: CallFlags,
): Promise<Input> {
  // Numbers are texts here: the call validates them, as it does what a model wrote.
  return Object({
    method,
    path,
    query: query.map((pair) => splitAt(pair, "=", `--query ${pair}`)),
    headers: header.map((line) => splitAt(line, ":", "--header")),
    body: body === undefined ? undefined : await readBody(body),
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

async function readBody(given: string): Promise<string> {
  if (given === "-") return terminal.readInput();
  if (!given.startsWith("@")) return given;
  return readTextFile(given.slice(1), "api-sources call SLUG POST /path --body @order.json");
}

/**
 * Reads the multipart body of `--form`: `label=x`, a text, and `label=@PATH`, a file. A label that is given again is another part.
 *
 * @throws CommandError 2 for a part without a label, and for a file that can't be read.
 */
async function readForm(parts: readonly string[]): Promise<Record<string, unknown[]>> {
  const body = new Map<string, unknown[]>();
  for (const part of parts) {
    const [, label, mark, value = ""] = /^([^=]+)=(@?)(.*)$/s.exec(part) ?? [];
    if (label === undefined)
      throw createUsageError(`--form ${cleanLine(part)} has no "=" after a label.`, rightForm);
    const own = mark === "@" ? await readPart(value) : value;
    body.set(label, [...(body.get(label) ?? []), own]);
  }
  return Object.fromEntries(body);
}

const rightForm = "api-sources call SLUG POST /path --form title=Report --form file=@report.pdf";

async function readPart(path: string): Promise<{ $base64: string; name: string }> {
  // A device or a pipe may have no end.
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true)
    throw createUsageError(`The file ${cleanLine(path)} can't be read.`, rightForm);
  return { $base64: await readFile(path, "base64"), name: basename(path) };
}
