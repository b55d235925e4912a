/** Reads the bytes of a response: text by its charset, secrets out of it, and the document in it. */

import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readPlainJson } from "../base/input.js";
import { skipString } from "../base/scan-json.js";
import { writeJson } from "../base/write-json.js";
import type { ResponseHeaders } from "../http/limits/rate-limit.js";
import type { Redactor } from "../secrets/redactor.js";
import { type Charset, decodeText, findCharset, listDecodingWarnings } from "./decode-text.js";
import { describeBinary, findMediaType, isBinary, isPlainText } from "./describe-binary.js";
import { interpretText } from "./interpret-text.js";
import { type MediaType, parseMediaType } from "./read-media-type.js";
import type { ResponseBody, TextReading } from "./response-body.js";
import { stepLength, toNextTurn } from "./tree-limits.js";

export interface ResponseBytes {
  /** What arrived, decompressed. */
  readonly bytes: Uint8Array;
  readonly headers: ResponseHeaders;
  /** A response to HEAD has no body. */
  readonly method?: string;
  /** Set when the body did not arrive whole. */
  readonly incomplete?: { readonly why: string };
  readonly redactor: Redactor;
  /** The most bytes that gzip content is opened to. @default 10000000 */
  readonly maxOpenedBytes?: number;
}

/**
 * Takes what arrived. Returns its kind, its document, and its redacted text; secrets are redacted before anything is parsed or truncated.
 * What is declared decides unless the body plainly is something else (HTML under a JSON type, JSON under `text/html` or none); a warning
 * then reports that. Broken or truncated JSON becomes what is complete in it (`partial`). Never throws for any bytes.
 */
export async function readResponseBody(input: ResponseBytes): Promise<ResponseBody> {
  const { bytes, headers, incomplete, redactor } = input;
  const truncated = incomplete !== undefined;
  const type = parseMediaType([headers["content-type"] ?? ""].flat()[0]);
  const about = { ...(type.name === undefined ? {} : { contentType: type.name }), bytes: bytes.length };
  const partial = incomplete === undefined ? {} : { partial: { bytes: bytes.length, why: incomplete.why } };
  if (bytes.length === 0 || input.method?.toUpperCase() === "HEAD")
    return { kind: "empty", text: "", ...about, ...partial };
  const charset = findCharset(bytes, type);
  if (holdsBinary(bytes, type, charset)) {
    const opened = incomplete === undefined ? await readGzip(input, type) : undefined;
    return { ...(opened ?? readBinary(input, type)), ...about, ...partial };
  }
  const isTheText = charset.label === "utf-8" && isUtf8(bytes);
  const utf8 = isTheText ? toBuffer(bytes).subarray(charset.markBytes) : undefined;
  const text = redactor.redact(decodeText(bytes, charset), { truncated, utf8 });
  if (text.trim() === "") return { kind: "empty", text: "", ...about, ...partial };
  const reading = await interpretText({ text, type, isTruncated: truncated });
  if (text.length > stepLength) await toNextTurn();
  const { missing, warnings, ...clean } = redactReading(reading, text, input);
  const lost =
    truncated || missing === undefined ? partial : { partial: { bytes: bytes.length, why: missing } };
  const all = [...warnings, ...listDecodingWarnings(bytes, charset, truncated)];
  return { ...clean, ...about, ...lost, ...listed(all) };
}

/** What a gzip file contains, where that is text: a `.json.gz` is shown as JSON. */
async function readGzip(input: ResponseBytes, type: MediaType): Promise<ResponseBody | undefined> {
  const bytes = await openGzip(input.bytes, input.maxOpenedBytes);
  if (bytes === undefined) return undefined;
  // A type that names the compression does not describe the content.
  const isInner = type.promises !== undefined && type.promises !== "binary";
  const headers = { "content-type": isInner ? (input.headers["content-type"] ?? "") : "" };
  const body = await readResponseBody({ ...input, bytes, headers });
  return body.kind === "binary" || body.kind === "empty" ? undefined : { ...body, isOpened: true };
}

function listed(warnings: readonly string[]): Pick<ResponseBody, "warnings"> {
  return warnings.length === 0 ? {} : { warnings };
}

/**
 * Reading joins what markup, quoting and references kept apart in the text, so the values are redacted as well. Where that
 * finds a secret, what was read is kept instead of the text: that would be read to the same values again.
 */
function redactReading(
  reading: TextReading,
  text: string,
  { redactor }: ResponseBytes,
): TextReading & { readonly text: string } {
  // A text is its own value, and a string of JSON without escapes is read unchanged.
  const isLiteral =
    reading.kind === "text" ||
    (reading.kind === "json" && /^\s*[[{]/.test(text) && !hidesSecret(text, redactor));
  if (isLiteral) return { ...reading, text };
  const document = redactor.redactValue(reading.document);
  if (document === reading.document) return { ...reading, text };
  const warning = "A credential split across the body was redacted.";
  return {
    ...reading,
    kind: "json",
    document,
    text: writeJson(document),
    warnings: [...reading.warnings, warning],
  };
}

/** Where more strings hold an escape, the whole document is searched sooner. */
const mostEscaped = 50_000;

/** Whether a string of JSON that holds an escape is a secret when it is read; `true` where that is not known. */
function hidesSecret(text: string, redactor: Redactor): boolean {
  const strings: string[] = [];
  for (let at = text.indexOf("\\"); at >= 0; ) {
    // No quote is between the one that begins a string and its first backslash.
    const start = text.lastIndexOf('"', at);
    const end = skipString(text, start);
    strings.push(text.slice(start, end));
    if (strings.length > mostEscaped) return true;
    at = text.indexOf("\\", end);
  }
  const values = readPlainJson(`[${strings.join(",")}]`);
  return values === undefined || redactor.redactValue(values) !== values;
}

/** The bytes decide: text sent under a binary type is text, and a declared text is not when its bytes are not text. */
function holdsBinary(bytes: Uint8Array, type: MediaType, charset: Charset): boolean {
  if (type.promises === "binary") return findMediaType(bytes) !== undefined || !isPlainText(bytes);
  return charset.isKnown ? false : findMediaType(bytes) !== undefined || isBinary(bytes);
}

/** Secrets are looked for in the bytes: base64 would hide them. What is described and kept is what is left. */
function readBinary(
  input: ResponseBytes,
  type: MediaType,
): Pick<ResponseBody, "kind" | "document" | "text" | "warnings"> {
  const kept = input.redactor.redactBytes(input.bytes, { truncated: input.incomplete !== undefined });
  const isExpected = type.promises === undefined || type.promises === "binary";
  const warnings = isExpected ? [] : [`Declared ${type.name ?? "nothing"} but is binary.`];
  // The end of a truncated body is dropped whatever it contains: only a changed byte before it is a redaction.
  if (kept !== input.bytes && Buffer.compare(kept, input.bytes.subarray(0, kept.length)) !== 0)
    warnings.push("A credential in these bytes was redacted.");
  const document = describeBinary(kept, type);
  return { kind: "binary", document, text: toBuffer(kept).toString("base64"), ...listed(warnings) };
}

/** The same bytes, not a copy. */
function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const gunzipAsync = promisify(gunzip);

/**
 * Opens gzip content up to a limit, so that a bomb costs no more than any other body.
 *
 * @param maxBytes The most bytes it may be opened to. 10,000,000 by default.
 * @returns undefined for what is not gzip, is broken, or is larger.
 */
async function openGzip(bytes: Uint8Array, maxBytes: number = 10_000_000): Promise<Uint8Array | undefined> {
  if (findMediaType(bytes) !== "application/gzip") return undefined;
  return gunzipAsync(bytes, { maxOutputLength: maxBytes }).catch(() => undefined);
}
