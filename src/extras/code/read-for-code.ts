/** What code reads without a request: kept responses, files, and what is known of an API. */

import { ApiSourceError } from "../../core/base/errors.js";
import type { CallContext } from "../../core/base/runtime.js";
import { quoteText } from "../../core/base/text.js";
import { holdsSecret, type Redactor } from "../../core/secrets/redactor.js";
import type { DescribeInput } from "../../features/openapi/describe-api.js";
import { loadKeptWhole } from "../../toolkit/client/call-for-code.js";
import type { ToolkitServices } from "../../toolkit/client/create-services.js";
import type { SourceClient } from "../../toolkit/client/create-source-client.js";
import type { Question } from "./question.js";
import type { CodeReply } from "./sandbox-messages.js";

/** A larger file is sent by its id: to write it as text, or to search it for secrets, would block the process. */
const maxFileBytes = 10_000_000;

/** A reply that is an error in the code. */
export function refuse(text: string): CodeReply {
  return { text, isRefused: true };
}

export async function loadKept(
  runtime: ToolkitServices,
  id: string,
  context: CallContext,
): Promise<CodeReply> {
  const text = await loadKeptWhole(runtime, id, context);
  return text === undefined
    ? refuse(`there is no kept response ${quoteText(id, 40)} here`)
    : { text, isRefused: false };
}

/** The facts of a file, its redacted text, or its bytes in base64: these only where they contain no secret. */
export async function loadFile(
  { kept: responses }: Pick<ToolkitServices, "kept">,
  redactor: Redactor,
  { id, as }: Extract<Question, { readonly is: "file" }>,
  context: CallContext,
): Promise<CodeReply> {
  const file = await responses.loadFile(id, context);
  if (file === undefined) return refuse(`there is no file ${quoteText(id, 40)} here`);
  const { name, type, bytes, kept } = file;
  const reply = (value: unknown): CodeReply => ({ text: JSON.stringify(value), isRefused: false });
  if (as === undefined)
    return reply({ name: redactor.redact(name), type, bytes: bytes.length, sha256: kept.file?.sha256 });
  if (bytes.length > maxFileBytes)
    return refuse(
      `this file has more than ${maxFileBytes / 1e6} MB${kept.file?.hasSecret === false ? ": send it by { $file: id }" : ""}`,
    );
  if (as === "text" && kept.kind === "binary") return refuse("this file is not text: use base64()");
  if (as === "text") return reply(redactor.redact(kept.text));
  return holdsSecret(file, redactor)
    ? refuse("this file contains a credential, so its bytes are not given: use text()")
    : reply(Buffer.from(bytes).toString("base64"));
}

export async function describeForCode(client: SourceClient, input: DescribeInput): Promise<CodeReply> {
  return { text: JSON.stringify(await client.describe(input)), isRefused: false };
}

/** An error of the package is one in the code. */
export async function readOrRefuse(
  read: () => Promise<CodeReply>,
  redact: (text: string) => string,
): Promise<CodeReply> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    return refuse(redact(`${error.message} ${error.hint}`));
  }
}
