/** Keeps a response that is not JSON as a file, so that it can be sent again by its id. */

import { findBinaryType } from "../body/describe-binary.js";
import { describeFile, type ShownFile } from "../body/files/file.js";
import { findFileName } from "../body/files/file-name.js";
import { parseMediaType } from "../body/read-media-type.js";
import type { ResponseBody } from "../body/response-body.js";
import { redactedMarker } from "../secrets/secret.js";
import type { Page, RunningCall } from "./running-call.js";

/** Keeps the file of a response, but of JSON, of one without a body, and of an error. Rejects only when the call is cancelled. */
export async function keepFile(
  { source, services, prepared, context, progress }: RunningCall,
  { exchange, body, built, line, error }: Page,
): Promise<{ readonly file?: ShownFile; readonly notes: readonly string[] }> {
  const { status, headers, body: bytes, incomplete } = exchange;
  const disposition = [headers["content-disposition"] ?? ""].flat()[0];
  if (error !== undefined || !isFile(body)) return { notes: [] };
  if (incomplete !== undefined)
    return { notes: [`The body is incomplete, so it is not kept as a file: ${incomplete.why}.`] };
  const { redactor } = prepared;
  // A server may repeat a credential in a name; the name goes into the answer and into later requests.
  const name = redactor.redact(findFileName(disposition, built.url.path));
  const facts = describeFile({ name, type: findType(body, bytes), bytes });
  const { text, kind, contentType } = body;
  const hasSecret = redactor.redactBytes(bytes) !== bytes || text.includes(redactedMarker);
  const kept = await services.kept.keep(
    {
      ...{ text, kind, contentType, source: source.slug, status },
      request: line,
      file: { ...facts, hasSecret },
      content: bytes,
    },
    context,
  );
  const file = { id: kept.id, ...facts };
  progress.file = file;
  // A hash is for programs and for a person who approves.
  const { sha256: _sha256, ...shown } = file;
  return {
    file: shown,
    notes: kept.why === undefined ? [] : [kept.why],
  };
}

/** JSON is a file where it was sent as bytes, or compressed. */
function isFile({ kind, contentType, isOpened }: ResponseBody): boolean {
  if (kind !== "json") return kind !== "empty";
  return isOpened === true || parseMediaType(contentType).promises === "binary";
}

/** The declared type, or that of the bytes where none was declared. */
function findType({ kind, contentType, isOpened }: ResponseBody, bytes: Uint8Array): string {
  const declared = parseMediaType(contentType);
  if (kind === "binary" || isOpened === true) return findBinaryType(bytes, declared);
  const { name = "application/octet-stream" } = declared;
  if (name !== "application/octet-stream") return name;
  return kind === "json" ? "application/json" : "text/plain";
}
