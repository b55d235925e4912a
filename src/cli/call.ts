/** `call`: one request through the tool's own path, printed as the model would see it, whole, or as a curl line. `program` declares its flags. */

import type { BytesOutcome } from "../client/call-for-code.js";
import type { ClientOptions } from "../client/client-options.js";
import { joinSourceClient, type SharedRuntime, shareClientRuntime } from "../client/create-source-client.js";
import { isJsonObject } from "../json/exact-number.js";
import { parseJson } from "../json/parse-json.js";
import { writeJson } from "../json/write-json.js";
import type { ApiSource } from "../source/api-source.js";
import {
  type Form,
  findOutputPlace,
  type OutputFlags,
  type OutputPlace,
  readForm,
  saveResponse,
} from "./call-files.js";
import { cleanLine, createUsageError, exitCodeOf, readTextFile, type Terminal } from "./terminal.js";
import { type CommonFlags, createCredentialOptions, findSource } from "./workspace.js";

export interface CallFlags extends CommonFlags, OutputFlags {
  readonly query: readonly string[];
  readonly header: readonly string[];
  readonly body?: string;
  readonly form?: readonly string[];
  readonly select?: string;
  readonly pages?: string;
  readonly wait?: string;
  readonly until?: string;
  readonly full?: boolean;
  readonly curl?: boolean;
  readonly record?: string;
  readonly replay?: string;
}

export interface CallTarget {
  readonly slug: string;
  readonly method: string;
  readonly path: string;
}

/** The largest budget that a record may set: no body within `limits.maxBytes` is larger. */
const wholeTokens = 10_000_000;

/** @returns 0, or the exit code of the failure's kind. */
export async function runCall(target: CallTarget, flags: CallFlags, terminal: Terminal): Promise<number> {
  const { slug, method, path } = target;
  const source = await findSource(slug, flags, "call", ` ${method} ${path}`);
  checkFlags(flags);
  const place =
    flags.output === undefined ? undefined : await findOutputPlace(flags.output, flags.force === true);
  const form = flags.form === undefined ? undefined : await readForm(flags.form);
  const input = await readInput(target, flags, terminal);
  if (flags.curl === true) {
    const { writeCallCurl } = await import("./write-call-curl.js");
    const curl = await writeCallCurl(source, input, form?.curl);
    terminal.printResult(flags, { curl }, curl);
    return 0;
  }
  const used = flags.full === true ? withoutBudget(source) : source;
  const shared = shareClientRuntime([used], {
    ...createCredentialOptions(),
    ...(await readTransport(flags)),
    ...(form === undefined ? {} : { readFile: form.readFile }),
    readApiResponse: false,
  });
  const client = joinSourceClient(used, shared);
  let job: unknown;
  const onProgress = (progress: Progress): void => {
    ({ job } = progress);
    terminal.showProgress(cleanLine(writeProgress(progress)));
  };
  const context = { signal: terminal.signal, onProgress };
  let seconds = 0;
  const call = async <Result>(sent: Promise<Result>): Promise<Result> => {
    const timer = setInterval(() => {
      seconds += 1;
      // A pipe has one line of it; a terminal counts, until something better is known.
      if (job === undefined && (terminal.canAsk || seconds === 1))
        terminal.showProgress(cleanLine(`${method} ${path}: waiting, ${seconds} s`));
    }, 1_000);
    const result = await sent
      .finally(() => clearInterval(timer))
      .catch((error: unknown) => {
        terminal.showProgress("");
        if (job !== undefined)
          terminal.note(`The job goes on. api-sources call ${slug} GET ${cleanLine(String(job))} --wait 45`);
        throw error;
      });
    terminal.showProgress("");
    return result;
  };
  const request = form === undefined ? input : addForm(input, form);
  if (place !== undefined) {
    const outcome = await call(client.fetchBytes(request, context));
    return printOutcome(outcome, await readKept(shared, outcome.artifact.file?.id), {
      place,
      flags,
      terminal,
    });
  }
  const { ok, content, artifact } = await call(client.call(request, context));
  if (flags.full === true) await printWhole(content, terminal, () => readKept(shared, artifact.file?.id));
  else terminal.print(content);
  return ok ? 0 : exitCodeOf(artifact.category, artifact.status);
}

/** Saves a response, or prints its error. @returns the exit code. */
async function printOutcome(
  outcome: BytesOutcome,
  kept: Uint8Array | undefined,
  {
    place,
    flags,
    terminal,
  }: { readonly place: OutputPlace; readonly flags: CallFlags; readonly terminal: Terminal },
): Promise<number> {
  const { ok, status, error, artifact } = outcome;
  if (!ok) {
    terminal.print(JSON.stringify({ status, error }));
    return exitCodeOf(artifact.category, artifact.status);
  }
  const saved = await saveResponse(outcome, kept, place);
  const { output, type, bytes, sha256 } = saved;
  terminal.printResult(
    flags,
    saved,
    `Saved ${cleanLine(output)}: ${cleanLine(type)}, ${bytes} bytes, SHA-256 ${sha256}.`,
  );
  return 0;
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

/** The parts, always as multipart. */
function addForm(
  input: Record<string, unknown> & { readonly headers: readonly Pair[] },
  { body }: Form,
): object {
  const type = { name: "Content-Type", value: "multipart/form-data" };
  return {
    ...input,
    body,
    headers: [...input.headers.filter(({ name }) => !/^content-type$/i.test(name)), type],
  };
}

/** A file of this call as it was received; undefined where the response is not kept as a file. */
async function readKept(shared: SharedRuntime, id: string | undefined): Promise<Uint8Array | undefined> {
  if (id === undefined) return undefined;
  const runtime = await shared.open();
  return (await runtime.keptResponses.loadFile(id, {}))?.bytes;
}

/** @throws CommandError for both at once; ApiSourceError for a directory without recordings. */
async function readTransport({ record, replay }: CallFlags): Promise<Pick<ClientOptions, "transport">> {
  if (record === undefined && replay === undefined) return {};
  if (record !== undefined && replay !== undefined)
    throw createUsageError(
      "--record and --replay exclude each other.",
      "api-sources call SLUG GET /path --replay DIR",
    );
  const { recordTo, replayFrom } = await import("../recording/testing.js");
  return { transport: replay === undefined ? recordTo(record ?? "") : replayFrom(replay) };
}

/** The input of the tool, as a model would give it. */
async function readInput(
  { method, path }: CallTarget,
  { query, header, body, select, pages, wait, until }: CallFlags,
  terminal: Terminal,
): Promise<Record<string, unknown> & { readonly headers: readonly Pair[] }> {
  return {
    method,
    path,
    query: query.map((pair) => splitAt(pair, "=", `--query ${pair}`)),
    headers: header.map((line) => splitAt(line, ":", "--header")),
    ...(body === undefined ? {} : { body: await readBody(body, terminal) }),
    select,
    pages,
    wait,
    until,
  };
}

type Progress = Readonly<Record<string, unknown>>;

/** A page that was read, or the state of a job. */
function writeProgress({ page, rows, total, job, state, waitedMs }: Progress): string {
  if (job === undefined) return `page ${page}, ${rows} rows${total === undefined ? "" : ` of ${total}`}`;
  return `GET ${job}: ${state ?? "waiting"}, ${Math.round(Number(waitedMs) / 1_000)} s`;
}

interface Pair {
  readonly name: string;
  readonly value: string;
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

function withoutBudget(source: ApiSource): ApiSource {
  const limits = { ...source.api.limits, maxTokens: wholeTokens };
  return { ...source, api: { ...source.api, limits } };
}

/** The body alone, its digits as the API sent them; the rest of the answer goes to stderr. */
async function printWhole(
  content: string,
  terminal: Terminal,
  readFile: () => Promise<Uint8Array | undefined>,
): Promise<void> {
  const answer = parseJson(content);
  if (!isJsonObject(answer)) return;
  const { data, file } = answer;
  const isBinary = isJsonObject(data) && isJsonObject(file) && data["sha256"] === file["sha256"];
  const bytes = isBinary ? await readFile() : undefined;
  if (bytes !== undefined) terminal.printBytes(bytes);
  else if (data !== undefined) terminal.print(typeof data === "string" ? data : writeJson(data));
  for (const part of ["error", "notes", "pages", "partial", "next", "job"]) {
    const value = answer[part];
    if (value !== undefined) terminal.note(`${part}: ${cleanLine(writeJson(value))}`);
  }
}
