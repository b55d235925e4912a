/** Reads the bytes of a response: text by its charset, secrets out of it, and the document in it. */

import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { applyWhenReady } from "../base/apply-when-ready.js";
import { writeJson } from "../base/exact-number.js";
import { plural, quoteText } from "../base/text.js";
import { readCodings } from "../http/content-encoding.js";
import { type ResponseHeaders, readHeader } from "../http/limits/rate-limit.js";
import { type Redactor, redactHeaders } from "../secrets/redactor.js";
import { type Charset, decodeBody, findCharset } from "./decode-text.js";
import { interpretText } from "./interpret-text.js";
import {
  describeBinary,
  findMediaType,
  isBinary,
  isPlainText,
  parseMediaType,
} from "./read-media-type.js";
import type { MediaType, ResponseBody, TextReading } from "./response-body.js";

export interface ResponseBytes {
  /** The bytes that arrived, decompressed. */
  readonly bytes: Uint8Array;
  readonly headers: ResponseHeaders;
  /** Why the body did not arrive whole. */
  readonly incomplete?: string;
  readonly redactor: Redactor;
  /** The most bytes that gzip content is opened to. @default 10000000 */
  readonly maxOpenedBytes?: number;
}

/**
 * Takes a response that has arrived. Returns its headers and its body without a secret: the one place where they are taken out of what an API
 * gave, and it may echo what it was sent in any header.
 */
export function readResponse<Headers extends ResponseHeaders>(
  input: ResponseBytes & { readonly headers: Headers },
): ReadResponse<Headers> | Promise<ReadResponse<Headers>> {
  const headers = redactHeaders(input.headers, input.redactor);
  return applyWhenReady(readResponseBody({ ...input, headers }), (body) => ({ headers, body }));
}

/** A response without a secret. */
interface ReadResponse<Headers> {
  readonly headers: Headers;
  readonly body: ResponseBody;
}

/**
 * Takes what arrived. Returns its kind, its document, and its redacted text; secrets are redacted before anything is parsed or truncated.
 * The declared type decides unless the body plainly is something else (HTML under a JSON type, JSON under `text/html` or none). Broken or truncated JSON becomes what is complete in it (`partial`). Never throws for any bytes.
 */
export function readResponseBody(input: ResponseBytes): ResponseBody | Promise<ResponseBody> {
  const body = readBytes(input);
  if (input.headers["content-encoding"] === undefined) return body;
  return applyWhenReady(body, (read) => addNote(read, describeCodings(input.headers)));
}

function readBytes(input: ResponseBytes): ResponseBody | Promise<ResponseBody> {
  const { bytes, headers, incomplete, redactor } = input;
  const truncated = incomplete !== undefined;
  const type = parseMediaType(readHeader(headers, "content-type"));
  const about = { contentType: type.name, declared: type, bytes: bytes.length };
  const charset = findCharset(bytes, type);
  if (bytes.length > 0 && holdsBinary(bytes, type, charset)) {
    const partial = truncated ? describeHiddenPart(input, bytes.length, "byte") : {};
    const gzip = truncated ? undefined : readGzip(input, type);
    return applyWhenReady(gzip, (opened) => ({
      ...(opened ?? readBinary(input, type)),
      ...about,
      ...partial,
    }));
  }
  const clear = redactUndecoded(input, charset);
  const { text: decoded, note } = decodeBody(clear, charset, type, truncated);
  const end = truncated ? findCompleteEnd(decoded, type) : undefined;
  const text = redactor.redactBody(decoded, { truncated: truncated && (end ?? true) });
  const partial = truncated ? describeTextPart(input, decoded.length, end, type) : {};
  if (text.trim() === "") return { kind: "empty", text: "", ...about, ...partial };
  return applyWhenReady(interpretText(text, type), (reading) => {
    const { missing, ...clean } = addNote(redactReading(reading, text, input), note);
    const isLost = !truncated && missing !== undefined;
    const lost = isLost ? { partial: { bytes: bytes.length, why: missing } } : partial;
    return Object.assign({}, clean, about, lost);
  });
}

/**
 * The bytes without the secrets in them, where decoding may spoil characters: a server may declare another charset than it sends, and a secret
 * with other characters would be shown.
 */
function redactUndecoded({ bytes, redactor }: ResponseBytes, { label }: Charset): Uint8Array {
  if (label === "utf-8" && isUtf8(bytes)) return bytes;
  if (label === "utf-16le" || label === "utf-16be") return redactSwapped(bytes, label, redactor);
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const kept = redactor.redactBody(raw);
  return kept === raw ? bytes : Buffer.from(kept, "latin1");
}

/** UTF-16 of the other byte order than the declared one: the declared one is what is decoded, and redacted then. */
function redactSwapped(
  bytes: Uint8Array,
  label: "utf-16le" | "utf-16be",
  redactor: Redactor,
): Uint8Array {
  // A copy: swapping changes the bytes themselves.
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  const swap = (given: Buffer): Buffer => (label === "utf-16le" ? given.swap16() : given);
  const text = swap(even).toString("utf16le");
  const kept = redactor.redactBody(text);
  return kept === text ? bytes : swap(Buffer.from(kept, "utf16le"));
}

type Part = Required<Pick<ResponseBody, "partial">>;

/** The end of a truncated text that is not shown: with `end`, the event or line behind that place, which has no end. */
function describeTextPart(
  input: ResponseBytes,
  length: number,
  end: number | undefined,
  type: MediaType,
): Part {
  if (end === undefined) return describeHiddenPart(input, length, "character");
  const kind = isEventStream(type) ? "event" : "line";
  return describePart(input, `as an incomplete ${kind}`, length - end, "character");
}

/** The end that is not shown since it may hold a part of a credential, whether it does or not. */
function describeHiddenPart(input: ResponseBytes, length: number, unit: string): Part {
  const count = Math.min(length, input.redactor.measureEnd());
  return describePart(input, "for secrecy", count, unit);
}

function describePart(
  { bytes, incomplete }: ResponseBytes,
  why: string,
  count: number,
  unit: string,
): Part {
  const end = `; left out ${why}: the last ${plural(count, unit)} of what arrived`;
  const leftOut = count === 0 ? "" : end;
  return { partial: { bytes: bytes.length, why: `${incomplete}${leftOut}` } };
}

/** The note comes first: it is about all of the text. */
function addNote<Read extends { readonly warnings?: readonly string[] }>(
  reading: Read,
  note: string | undefined,
): Read {
  if (note === undefined) return reading;
  return { ...reading, warnings: [note, ...(reading.warnings ?? [])] };
}

/** The note about a coding that is unknown here; undefined where all were undone. */
function describeCodings(headers: ResponseHeaders): string | undefined {
  const { left } = readCodings(headers);
  if (left.length === 0) return undefined;
  const names = quoteText(left.toReversed().join(", "), 60);
  return `The Content-Encoding ${names} is unknown here: these are the bytes as they arrived.`;
}

const gunzipAsync = promisify(gunzip);

/**
 * The content of a gzip file, where that is text: a `.json.gz` is shown as JSON. It is opened up to a limit, so that a bomb costs no more than
 * any other body.
 */
async function readGzip(input: ResponseBytes, type: MediaType): Promise<ResponseBody | undefined> {
  if (findMediaType(input.bytes) !== "application/gzip") return undefined;
  const { maxOpenedBytes: maxOutputLength = 10_000_000 } = input;
  const bytes = await gunzipAsync(input.bytes, { maxOutputLength }).catch(() => undefined);
  if (bytes === undefined) return undefined;
  // A type that names the compression does not describe the content.
  const isInner = type.promises !== undefined && type.promises !== "binary";
  const headers = { "content-type": isInner ? (input.headers["content-type"] ?? "") : "" };
  const body = await readResponseBody({ ...input, bytes, headers });
  return body.kind === "binary" || body.kind === "empty" ? undefined : { ...body, isOpened: true };
}

function isEventStream({ name }: MediaType): boolean {
  return name === "text/event-stream";
}

/** The place behind the last complete event or line of a truncated body, of a kind that is read by events or lines; undefined where nothing is complete. */
function findCompleteEnd(text: string, type: MediaType): number | undefined {
  const { name = "" } = type;
  const isEvents = isEventStream(type);
  const isPlain = name === "text/plain";
  if (!isEvents && !isPlain && !/csv|tab-separated|nd-?json|json-?lines|jsonl|json-seq/.test(name))
    return undefined;
  const ends = isEvents ? ["\n\n", "\r\n\r\n", "\r\r"] : ["\n", "\r"];
  const end = Math.max(
    0,
    ...ends.map((mark) => text.lastIndexOf(mark) + mark.length * Number(text.includes(mark))),
  );
  const isOneLine = isPlain && text.indexOf("\n") + 1 === end;
  return end <= 0 || isOneLine ? undefined : end;
}

/** The signs that a character may be spelt in another way: in JSON a backslash that is escaped itself, as in JSON inside of JSON. */
const signs: { readonly [kind in ResponseBody["kind"]]?: RegExp } = {
  json: /\\\\|\\u005c/i,
  csv: /"/,
  html: /[&<]/,
  xml: /[&<]/,
};

/**
 * Reading joins what markup and quoting kept apart in the text, so these values are redacted as well. Where that finds a secret,
 * what was read is kept instead of the text: that would be read to the same values again.
 */
function redactReading(
  reading: TextReading,
  text: string,
  { redactor }: ResponseBytes,
): TextReading & { readonly text: string } {
  // A pattern would cost more for a large JSON text without a backslash.
  const hasSign =
    (reading.kind !== "json" || text.includes("\\")) && signs[reading.kind]?.test(text) === true;
  const document = hasSign ? redactor.redact(reading.document) : reading.document;
  if (document === reading.document) return { text, ...reading };
  const warning = "A credential split across the body was redacted.";
  return {
    ...reading,
    kind: "json",
    document,
    text: writeJson(document),
    hidSecret: true,
    warnings: [...(reading.warnings ?? []), warning],
  };
}

/** The bytes decide: text sent under a binary type is text (with a byte order mark always), and a declared text is not when its bytes are not text. */
function holdsBinary(bytes: Uint8Array, type: MediaType, charset: Charset): boolean {
  if (charset.markBytes > 0) return false;
  if (type.promises === "binary") return findMediaType(bytes) !== undefined || !isPlainText(bytes);
  if (charset.isKnown) return false;
  return findMediaType(bytes) !== undefined || isBinary(bytes, type.promises !== undefined);
}

/** Secrets are looked for in the bytes: base64 would hide them. What is described and kept is what is left. */
function readBinary(
  input: ResponseBytes,
  type: MediaType,
): Pick<ResponseBody, "kind" | "document" | "text" | "warnings"> {
  const kept = input.redactor.redactBody(input.bytes, {
    truncated: input.incomplete !== undefined,
  });
  // The end of a truncated body is dropped whatever it contains: only a changed byte before it is a redaction.
  const isRedacted =
    kept !== input.bytes && Buffer.compare(kept, input.bytes.subarray(0, kept.length)) !== 0;
  return {
    kind: "binary",
    document: describeBinary(kept, type),
    // The same bytes, not a copy.
    text: Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString("base64"),
    ...(isRedacted ? { warnings: ["A credential in these bytes was redacted."] } : {}),
  };
}
