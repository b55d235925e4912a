/** `call`: one request through the tool's own path, printed as the model would see it, whole, or as a curl line. `program` declares its flags. */

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "../core/base/disk.js";
import { isJsonObject, writeJson } from "../core/base/exact-number.js";
import { parseJson } from "../core/base/parse-json.js";
import { quoteWord } from "../core/base/shell-word.js";
import type { BytesOutcome, ClientOptions, SourceClient } from "../index.js";
import { type CallFlags, readForm, readInput } from "./call-input.js";
import { cleanLine, createUsageError, exitCodeOf, type Terminal } from "./terminal.js";
import { createCredentialOptions, findSource } from "./workspace.js";

/** The largest budget that a record may set: no body within `limits.maxBytes` is larger. */
const wholeTokens = 10_000_000;

/** @returns 0, or the exit code of the failure's kind. */
export async function runCall(
  flags: CallFlags,
  terminal: Terminal,
  slug: string,
  method: string,
  path: string,
): Promise<number> {
  const source = await findSource(slug, flags, "call", ` ${method} ${path}`);
  checkFlags(flags);
  const { output, force = false, full = false } = flags;
  const isDirectory = output !== undefined && (await checkOutput(output, force));
  const form = flags.form && (await readForm(flags.form));
  const input = await readInput(method, path, flags, terminal);
  const { createSourceClient } = await import("../index.js");
  if (flags.curl === true) {
    const { curl: line, notes } = await createSourceClient(source, createCredentialOptions()).preview(input);
    const curl = [line, ...(form?.curl ?? [])].join(" ");
    terminal.printResult(flags, { curl, notes }, curl);
    for (const note of notes) terminal.note(note);
    return 0;
  }
  const limits = { ...source.api.limits, maxTokens: wholeTokens };
  const used = full ? { ...source, api: { ...source.api, limits } } : source;
  const client = createSourceClient(used, {
    ...createCredentialOptions(),
    ...(await readTransport(flags)),
    readFile: form?.readFile,
    readApiResponse: false,
  });
  let job: unknown;
  const onProgress = (progress: Progress): void => {
    ({ job } = progress);
    terminal.showProgress(cleanLine(writeProgress(progress)));
  };
  const context = { signal: terminal.signal, onProgress };
  const call = async <Result>(sent: Promise<Result>): Promise<Result> => {
    let seconds = 0;
    const timer = setInterval(() => {
      seconds += 1;
      // A pipe has one line of it; a terminal counts, until something better is known.
      if (job === undefined && (terminal.canAsk || seconds === 1))
        terminal.showProgress(cleanLine(`${method} ${path}: waiting, ${seconds} s`));
    }, 1_000);
    const stop = (): void => {
      clearInterval(timer);
      terminal.showProgress("");
    };
    return sent.finally(stop).catch((error: unknown) => {
      if (job !== undefined)
        terminal.note(
          `The job goes on. api-sources call ${slug} GET ${quoteWord(cleanLine(String(job)))} --wait 45`,
        );
      throw error;
    });
  };
  const multipart = { name: "Content-Type", value: "multipart/form-data" };
  const others = input.headers.filter(({ name }) => !/^content-type$/i.test(name));
  const request = form === undefined ? input : { ...input, body: form.body, headers: [...others, multipart] };
  if (output !== undefined) {
    const outcome = await call(client.fetchBytes(request, context));
    const kept = await readKept(client, outcome.artifact.file?.id);
    return saveResponse(outcome, kept, output, isDirectory, flags, terminal);
  }
  const { ok, content, artifact } = await call(client.call(request, context));
  if (full) printWhole(content, await readKept(client, artifact.file?.id), terminal);
  else terminal.print(content);
  return ok ? 0 : exitCodeOf(artifact.category, artifact.status);
}

/** @throws CommandError 2 for flags that exclude each other. */
function checkFlags({ body, form, output, select, pages, full, curl }: CallFlags): void {
  if (form !== undefined && body !== undefined)
    throw createUsageError(
      "--form and --body exclude each other.",
      "api-sources call SLUG POST /path --form file=@report.pdf",
    );
  if (output !== undefined && (select ?? pages ?? full ?? curl) !== undefined)
    throw createUsageError(
      "--output saves the body as it is: it excludes --select, --pages, --full and --curl.",
      "api-sources call SLUG GET /path --output report.pdf",
    );
}

const rightOutput = "api-sources call SLUG GET /path --output report.pdf";

/** @returns whether it is a directory. @throws CommandError 2, before anything is sent, for a file that exists, and for a directory that does not. */
async function checkOutput(path: string, force: boolean): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return true;
  if (found !== undefined && !force) throw refuseExisting(path);
  const folder = dirname(path);
  if (found === undefined && (await stat(folder).catch(() => undefined))?.isDirectory() !== true)
    throw createUsageError(`The directory ${cleanLine(folder)} does not exist.`, rightOutput);
  if (found === undefined && /[/\\]$/.test(path))
    throw createUsageError(`The directory ${cleanLine(path)} does not exist.`, rightOutput);
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
  { ok, status, error, bytes = new Uint8Array(), contentType, name = "download", artifact }: BytesOutcome,
  kept: Uint8Array | undefined,
  path: string,
  isDirectory: boolean,
  flags: CallFlags,
  terminal: Terminal,
): Promise<number> {
  if (!ok) {
    terminal.print(JSON.stringify({ status, error }));
    return exitCodeOf(artifact.category, artifact.status);
  }
  const output = isDirectory ? join(path, name) : path;
  const type = artifact.file?.type ?? contentType ?? "application/octet-stream";
  const content = kept ?? bytes;
  const sha256 = createHash("sha256").update(content).digest("hex");
  if (!(await writeFileAtomically(output, content, { exclusive: flags.force !== true })))
    throw refuseExisting(output);
  const size = `${content.byteLength} bytes, SHA-256 ${sha256}`;
  const line = `Saved ${cleanLine(output)}: ${cleanLine(type)}, ${size}.`;
  terminal.printResult(flags, { output, name, type, bytes: content.byteLength, sha256 }, line);
  return 0;
}

function refuseExisting(path: string): Error {
  return createUsageError(
    `${cleanLine(path)} exists already; --force overwrites it.`,
    `${rightOutput} --force`,
  );
}

/** A file of this call as it was received; undefined where the response is not kept as a file. */
async function readKept(client: SourceClient, id: string | undefined): Promise<Uint8Array | undefined> {
  return id === undefined ? undefined : client.readFile(id);
}

/** @throws CommandError for both at once; ApiSourceError for a directory without recordings. */
async function readTransport({ record, replay }: CallFlags): Promise<Pick<ClientOptions, "transport">> {
  if (record === undefined && replay === undefined) return {};
  if (record !== undefined && replay !== undefined)
    throw createUsageError(
      "--record and --replay exclude each other.",
      "api-sources call SLUG GET /path --replay DIR",
    );
  const { recordTo, replayFrom } = await import("../extras/testing/testing.js");
  return { transport: replay === undefined ? recordTo(record ?? "") : replayFrom(replay) };
}

type Progress = Readonly<Record<string, unknown>>;

/** A page that was read, or the state of a job. */
function writeProgress({ page, rows, total, job, state, waitedMs }: Progress): string {
  if (job === undefined) return `page ${page}, ${rows} rows${total === undefined ? "" : ` of ${total}`}`;
  return `GET ${job}: ${state ?? "waiting"}, ${Math.round(Number(waitedMs) / 1_000)} s`;
}

/** The body alone, its digits as the API sent them; the rest of the answer goes to stderr. */
function printWhole(content: string, kept: Uint8Array | undefined, terminal: Terminal): void {
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
