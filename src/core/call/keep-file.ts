/** A response that is kept as a file. */

import { describeFile, findFileName, type ShownFile } from "../body/files/file.js";
import { findBinaryType, isUtf8Label } from "../body/read-media-type.js";
import type { ResponseBody } from "../body/response-body.js";
import { mayOpenToSecret } from "../secrets/open-compressed.js";
import { redactedMarker } from "../secrets/secret.js";
import type { Page, RunningCall } from "./running-call.js";

/** The members of an answer about a body that is kept as a file. */
export interface KeptAsFile {
  /** Absent where it could not be kept. */
  readonly file?: ShownFile;
  readonly notes: readonly string[];
}

/** Keeps the body of a response as a file. Rejects only when the call is cancelled. */
export async function keepFile(
  { source, services, prepared, context, log }: RunningCall,
  { exchange, body, built, line }: Page,
): Promise<KeptAsFile> {
  const { status, headers, body: bytes, incomplete } = exchange;
  if (incomplete !== undefined)
    return { notes: [`The body is incomplete, so it is not kept as a file: ${incomplete}.`] };
  const { redactor } = prepared;
  // A server may repeat a credential in a name; the name goes into the answer and into later requests.
  const name = redactor.redact(findFileName(headers, built.url.path));
  const facts = describeFile({ name, type: findType(body, bytes), bytes });
  const { text, kind, contentType } = body;
  const hasSecret =
    redactor.redactBody(bytes) !== bytes ||
    text.includes(redactedMarker) ||
    (await mayOpenToSecret(bytes, redactor));
  const kept = await services.kept.keep(
    {
      ...{ text, kind, contentType, source: source.slug, status },
      request: line,
      file: { ...facts, hasSecret, charset: findCharsetName(body) },
      content: bytes,
    },
    context,
  );
  const file = { id: kept.id, ...facts };
  log.facts.push({ kind: "kept", file });
  // A hash is for programs and for a person who approves.
  const { sha256: _sha256, ...shown } = file;
  return { file: shown, notes: kept.why === undefined ? [] : [kept.why] };
}

/** The charset that was declared for a text; absent for UTF-8. */
function findCharsetName({ kind, declared, isOpened }: ResponseBody): string | undefined {
  if (kind === "binary" || isOpened === true) return undefined;
  const charset = declared?.charset;
  const isUsual = charset !== undefined && /^[\w.:-]{1,40}$/.test(charset);
  return isUsual && !isUtf8Label(charset) ? charset.toLowerCase() : undefined;
}

/** The declared type, or that of the bytes where none was declared. */
function findType({ kind, declared = {}, isOpened }: ResponseBody, bytes: Uint8Array): string {
  if (kind === "binary" || isOpened === true) return findBinaryType(bytes, declared);
  const { name = "application/octet-stream" } = declared;
  if (name !== "application/octet-stream") return name;
  return kind === "json" ? "application/json" : "text/plain";
}
