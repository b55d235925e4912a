/** Reads the bytes of a response: text by its charset, secrets out of it, and the document in it. */

import { writeJson } from "../json/write-json.js";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import type { Redactor } from "../secrets/redactor.js";
import { type Charset, decodeText, findCharset, listDecodingWarnings } from "./decode-text.js";
import { describeBinary, findMediaType, isBinary } from "./describe-binary.js";
import { interpretText } from "./interpret-text.js";
import { type MediaType, parseMediaType } from "./read-media-type.js";
import type { ResponseBody, TextReading } from "./response-body.js";

export interface ResponseBytes {
  /** What arrived, decompressed. */
  readonly bytes: Uint8Array;
  readonly headers: ResponseHeaders;
  /** A response to HEAD has no body. */
  readonly method?: string;
  /** Set when the body did not arrive whole. */
  readonly cut?: { readonly why: string };
  readonly redactor: Redactor;
}

/**
 * Takes what arrived. Returns its kind, its document, and its redacted text; secrets are out before anything is parsed or clipped.
 * What is declared decides unless the body plainly is something else (HTML under a JSON type, JSON under `text/html` or none); a warning
 * then says so. Broken or truncated JSON becomes what is complete in it (`partial`). Never throws for any bytes.
 */
export async function readResponseBody(input: ResponseBytes): Promise<ResponseBody> {
  const { bytes, headers, cut, redactor } = input;
  const truncated = cut !== undefined;
  const type = parseMediaType([headers["content-type"] ?? ""].flat()[0]);
  const about = { ...(type.name === undefined ? {} : { contentType: type.name }), bytes: bytes.length };
  const partial = cut === undefined ? {} : { partial: { bytes: bytes.length, why: cut.why } };
  if (bytes.length === 0 || input.method?.toUpperCase() === "HEAD")
    return { kind: "empty", text: "", ...about, ...partial };
  const charset = findCharset(bytes, type);
  if (holdsBinary(bytes, type, charset)) return { ...readBinary(input, type), ...about, ...partial };
  const text = redactor.redact(decodeText(bytes, charset), { truncated });
  if (text.trim() === "") return { kind: "empty", text: "", ...about, ...partial };
  const reading = await interpretText({ text, type, isTruncated: truncated });
  if (type.promises === "binary" && reading.kind !== "json")
    return { ...readBinary(input, type), ...about, ...partial };
  const { missing, warnings, ...clean } = redactReading(reading, text, input);
  const lost =
    truncated || missing === undefined ? partial : { partial: { bytes: bytes.length, why: missing } };
  const told = [...warnings, ...listDecodingWarnings(bytes, charset, truncated)];
  return { ...clean, ...about, ...lost, ...listed(told) };
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
  { redactor, cut }: ResponseBytes,
): TextReading & { readonly text: string } {
  // A text is its own value, and JSON without escapes is read as it stands.
  const isLiteral =
    reading.kind === "text" || (reading.kind === "json" && /^\s*[[{]/.test(text) && !text.includes("\\"));
  if (isLiteral) return { ...reading, text };
  const document = redactor.redactValue(reading.document, { truncated: cut !== undefined });
  if (document === reading.document) return { ...reading, text };
  const warning = "A credential stood in it in pieces and was taken out; it is kept as it was read.";
  return {
    ...reading,
    kind: "json",
    document,
    text: writeJson(document),
    warnings: [...reading.warnings, warning],
  };
}

/** A declared binary type is believed, unless the body begins like JSON; a declared text is not when its bytes are none. */
function holdsBinary(bytes: Uint8Array, type: MediaType, charset: Charset): boolean {
  if (type.promises === "binary") return !beginsLikeJson(bytes) || isBinary(bytes);
  return charset.isKnown ? false : findMediaType(bytes) !== undefined || isBinary(bytes);
}

function beginsLikeJson(bytes: Uint8Array): boolean {
  return /^\s*[[{]/.test(Buffer.from(bytes.subarray(0, 64)).toString("latin1"));
}

/** Secrets are looked for in the bytes: base64 would hide them. What is described and kept is what is left. */
function readBinary(
  input: ResponseBytes,
  type: MediaType,
): Pick<ResponseBody, "kind" | "document" | "text" | "warnings"> {
  const kept = input.redactor.redactBytes(input.bytes, { truncated: input.cut !== undefined });
  const isExpected = type.promises === undefined || type.promises === "binary";
  const warnings = isExpected ? [] : [`Declared ${type.name ?? "nothing"} but is binary.`];
  if (kept !== input.bytes) warnings.push("A credential stood in these bytes and was taken out of them.");
  const document = describeBinary(kept, type);
  const text = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString("base64");
  return { kind: "binary", document, text, ...listed(warnings) };
}
