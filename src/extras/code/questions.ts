/** Reads the questions of code from the text that the sandbox wrote, checks them, and answers those that need no request. */

import { ApiSourceError } from "../../core/base/errors.js";
import { isPlainObject } from "../../core/base/input.js";
import type { CallContext } from "../../core/base/runtime.js";
import { quoteText } from "../../core/base/text.js";
import { holdsSecret, type Redactor } from "../../core/secrets/redactor.js";
import type { KeptResponse } from "../../core/store/keep-response.js";
import type { DescribeInput } from "../../features/openapi/describe-api.js";
import { writeKeptWhole } from "../../toolkit/client/call-for-code.js";
import { type RunningCode, RunProblem } from "./running-code.js";
import type { CodeReply } from "./sandbox-messages.js";

/** One question of the code. */
export type Question =
  | { readonly is: "sleep"; readonly ms: number }
  | { readonly is: "kept"; readonly id: string }
  | { readonly is: "file"; readonly id: string; readonly as: "text" | "base64" | undefined }
  | { readonly is: "describe"; readonly source: string; readonly input: DescribeInput }
  | {
      readonly is: "call";
      readonly source: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

/** Whether it is a sleep, which is not counted as a call. */
export function isSleep(text: string): boolean {
  return text.startsWith('{"sleep":');
}

/** @throws RunProblem for what the prelude never writes. */
export function readQuestion(text: string): Question {
  const given: unknown = JSON.parse(text);
  const { sleep, kept, file, as, source, describe, input }: Record<string, unknown> = isPlainObject(
    given,
  )
    ? given
    : {};
  if (isSleep(text)) {
    if (typeof sleep === "number" && sleep >= 0) return { is: "sleep", ms: sleep };
  } else if (typeof kept === "string") return { is: "kept", id: kept };
  else if (typeof file === "string")
    return { is: "file", id: file, as: as === "text" || as === "base64" ? as : undefined };
  else if (typeof source === "string") {
    if (isPlainObject(describe)) return { is: "describe", source, input: describe };
    if (isPlainObject(input)) return { is: "call", source, input };
  }
  throw new RunProblem(
    "the code requested something that does not exist: it replaced a built-in of JavaScript",
  );
}

/** A call as the code wrote it, such as `api.shop.post("/orders")`. */
export function writeQuestion(question: Question): string {
  if (question.is === "kept" || question.is === "file")
    return `${question.is}(${quoteText(question.id, 40)})`;
  if (question.is === "sleep") return "sleep";
  const { source, input } = question;
  const name = question.is === "call" ? String(question.input["method"]).toLowerCase() : "describe";
  return `${writeApi(source)}.${name}(${input.path === undefined ? "" : quoteText(String(input.path), 80)})`;
}

/** How code names a source. */
export function writeApi(slug: string): string {
  return /^\w+$/.test(slug) ? `api.${slug}` : `api["${slug}"]`;
}

/** A larger file is sent by its id: to write it as text, or to search it for secrets, would block the process. */
const maxFileBytes = 10_000_000;

/** A reply that is an error in the code. */
export function refuse(text: string): CodeReply {
  return { text, isRefused: true };
}

const reply = (value: unknown): CodeReply => ({ text: JSON.stringify(value), isRefused: false });

/** Reads a kept response, a file, or what is known of an API: none of them is a request. An error of the package is one in the code. */
export async function readForCode(
  question: Exclude<Question, { readonly is: "call" | "sleep" }>,
  running: RunningCode,
  redactor: Redactor,
  context: CallContext,
): Promise<CodeReply> {
  const { clients, runtime, madeOf } = running;
  try {
    if (question.is === "file") return await loadFile(question, running, redactor, context);
    if (question.is === "describe") {
      const client = clients.find(({ source }) => source.slug === question.source);
      if (client === undefined) return refuseSource(question);
      const described = reply(await client.describe(question.input));
      madeOf.add(question.source);
      return described;
    }
    const kept = await runtime.kept.load(question.id, context);
    if (kept === undefined)
      return refuse(`there is no kept response ${quoteText(question.id, 40)} here`);
    noteKept(kept, madeOf);
    return { text: await writeKeptWhole(kept), isRefused: false };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    return refuse(redactor.redact(`${error.message} ${error.hint}`));
  }
}

export function refuseSource({ source }: { readonly source: string }): CodeReply {
  return refuse(`there is no source ${quoteText(source, 64)}`);
}

/** Notes the sources that a kept response came of. */
function noteKept({ source, madeOf: sources = [source] }: KeptResponse, madeOf: Set<string>): void {
  for (const slug of sources) madeOf.add(slug);
}

/** The facts of a file, its text, which was redacted when it was received, or its bytes in base64: these only where they contain no secret. */
async function loadFile(
  { id, as }: Extract<Question, { readonly is: "file" }>,
  { runtime, madeOf }: Pick<RunningCode, "runtime" | "madeOf">,
  redactor: Redactor,
  context: CallContext,
): Promise<CodeReply> {
  const file = await runtime.kept.loadFile(id, context);
  if (file === undefined) return refuse(`there is no file ${quoteText(id, 40)} here`);
  const { name, type, bytes, kept } = file;
  noteKept(kept, madeOf);
  if (as === undefined)
    return reply({ name, type, bytes: bytes.length, sha256: kept.file?.sha256 });
  if (bytes.length > maxFileBytes)
    return refuse(
      `this file has more than ${maxFileBytes / 1e6} MB${kept.file?.hasSecret === false ? ": send it by { $file: id }" : ""}`,
    );
  if (as === "text" && kept.kind === "binary") return refuse("this file is not text: use base64()");
  if (as === "text") return reply(kept.text);
  return holdsSecret(file, redactor)
    ? refuse("this file contains a credential, so its bytes are not given: use text()")
    : reply(Buffer.from(bytes).toString("base64"));
}
