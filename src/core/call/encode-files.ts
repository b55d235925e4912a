/** The files of a call: a body that is a file or multipart, opened and written once, so that each attempt sends the same bytes; and a response that is kept as a file. */

import { ApiSourceError, invalidInput, refusedByPolicy } from "../base/errors.js";
import { isJsonObject } from "../base/exact-number.js";
import { escapeLines, quoteText } from "../base/text.js";
import { readSentText } from "../body/decode-text.js";
import {
  describeFile,
  type FileContent,
  findFileName,
  type ShownFile,
  toFileName,
} from "../body/files/file.js";
import {
  checkFileName,
  type FileReference,
  filePart,
  type MadeFile,
  type Part,
  readFilePart,
  readRawReference,
  writeMultipart,
} from "../body/files/file-reference.js";
import { findBinaryType, isUtf8Label, parseMediaType } from "../body/read-media-type.js";
import type { ResponseBody } from "../body/response-body.js";
import { type ResponseHeaders, readHeader } from "../http/limits/rate-limit.js";
import type { ApiSource } from "../record/api-source.js";
import { readContentType } from "../request/check-headers.js";
import { readScalar } from "../request/parse-query.js";
import { serializeBody } from "../request/serialize-body.js";
import type { EncodedBody, SentFile } from "../request/wire-request.js";
import { holdsSecret } from "../secrets/redactor.js";
import { redactedMarker } from "../secrets/secret.js";
import type { KeptResponse } from "../store/keep-response.js";
import { buildRequest, parseSentBody } from "./build-request.js";
import type { ParsedCall } from "./call-request.js";
import type { Page, RunningCall } from "./running-call.js";
import type { DescribedOperation } from "./slots.js";

/** What the request policy judges before a file is opened. */
const unopened: EncodedBody = {
  bytes: new Uint8Array(),
  contentType: "text/plain",
  files: [],
  fields: [],
  shown: "",
};

/** Of a part that is a file: as much of its text as could be the name of a method. */
const maxFieldCharacters = 100;

/**
 * Encodes the body of a request that has one.
 *
 * @returns undefined for a body that names no file and is not multipart.
 * @throws ApiSourceError `refused_by_policy` as `buildRequest` does, before a file is opened; `invalid_input`, `not_found` or `too_large`
 *   for a file that cannot be sent.
 */
export async function encodeFiles(
  call: RunningCall,
  request: ParsedCall,
  operation: DescribedOperation | undefined,
): Promise<EncodedBody | undefined> {
  const { source, prepared } = call;
  const { contentType, body, reference, isForm } = readFiles(source, request, operation);
  if (reference === undefined && !isForm) return undefined;
  const bare = { ...request, body: undefined };
  buildRequest(source, prepared.resolved, bare, {
    body: unopened,
    queryStyles: operation?.queryStyles,
  });
  return reference === undefined || isForm
    ? encodeParts(call, body)
    : encodeRaw(call, reference, contentType);
}

/** What the reader of a failure must know of a multipart body without a file: mostly a file was meant, and was written otherwise. */
export function describeMissingFile(body: EncodedBody | undefined): string[] {
  if (body?.fields === undefined || body.files.length > 0) return [];
  return [`No part of this multipart body was sent as a file. Write a file as ${filePart}.`];
}

/** Whether the body is a file, or multipart. */
export function hasFiles(...call: Parameters<typeof readFiles>): boolean {
  const { reference, isForm } = readFiles(...call);
  return isForm || reference !== undefined;
}

function readFiles(
  { api: { bodyFormat } }: ApiSource,
  { headers, body: given }: ParsedCall,
  operation: DescribedOperation | undefined,
) {
  const contentType = readContentType(headers);
  const body = typeof given === "string" ? (parseSentBody(given).body ?? given) : given;
  const format = bodyFormat ?? (operation?.takesMultipart ? "multipart" : undefined);
  const isForm =
    contentType === undefined
      ? format === "multipart"
      : /^multipart\/form-data *(?:;|$)/i.test(contentType);
  return { contentType, body, reference: readRawReference(body), isForm };
}

async function encodeRaw(
  call: RunningCall,
  reference: FileReference | MadeFile,
  contentType: string | undefined,
): Promise<EncodedBody> {
  const content = await openFile(call, reference);
  const { bytes } = content;
  const type = chooseType(content, contentType);
  const file = describeFile({ ...content, type });
  checkSize(call, [file]);
  const text = readSentText(bytes, type);
  return { bytes, contentType: type, files: [file], shown: writeFile(file, text), text };
}

async function encodeParts(call: RunningCall, body: unknown): Promise<EncodedBody> {
  if (!isJsonObject(body) || readRawReference(body) !== undefined)
    throw invalidInput(
      "A multipart body is an object whose members are the parts.",
      `Name each part of the multipart body: {"title":"Report","file":{"$file":"r_…"}}. A file is ${filePart}.`,
    );
  const parts: ShownPart[] = [];
  const files: SentFile[] = [];
  for (const [name, value] of Object.entries(body))
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined) continue;
      const part = await encodePart(call, name, item);
      parts.push(part);
      if (part.file !== undefined) files.push(part.file);
      checkSize(call, files);
    }
  return {
    ...writeMultipart(parts),
    files,
    fields: parts.map(({ name, field }) => [name, field]),
    shown: parts.map(({ shown }) => shown).join("\n"),
  };
}

/** One part, and what a person is shown of it. */
interface ShownPart extends Part {
  /** What could be the name of a method. */
  readonly field: string;
  readonly shown: string;
  readonly file?: SentFile;
}

async function encodePart(call: RunningCall, name: string, value: unknown): Promise<ShownPart> {
  const given = readFilePart(value);
  if (given !== undefined) {
    const content = await openFile(call, given);
    const { bytes, name: fileName } = content;
    const type = chooseType(content);
    const file = { part: name, ...describeFile({ bytes, type, name: fileName }) };
    const text = readSentText(bytes, type);
    const words = text === undefined ? "" : `: ${escapeLines(text)}`;
    const shown = `${escapeLines(name)} = ${writeFile(file, text)}${words}`;
    // Some servers read a part with a file name as a parameter.
    return {
      name,
      bytes,
      type,
      fileName,
      field: text?.slice(0, maxFieldCharacters) ?? "…",
      shown,
      file,
    };
  }
  const text = value === null ? "" : readScalar(value, `The part ${quoteText(name, 40)}`);
  const json = text === undefined ? serializeBody(value, "POST", "json") : undefined;
  const bytes = json?.bytes ?? new TextEncoder().encode(text);
  const shown = `${escapeLines(name)} = ${escapeLines(new TextDecoder().decode(bytes))}`;
  return { name, bytes, type: json?.contentType, field: text ?? "…", shown };
}

function writeFile({ name, type, bytes, sha256 }: SentFile, text: string | undefined): string {
  const kind = text === undefined ? `${type}, binary` : type;
  return `file ${escapeLines(name)} (${kind}, ${bytes} bytes, SHA-256 ${sha256})`;
}

interface OpenedFile extends FileContent {
  /** The response that a kept file came with. */
  readonly kept?: KeptResponse | undefined;
}

/**
 * The type that a file is sent with. A kept file has the charset of its response: with another one a person who approves would be shown
 * another text than a receiver reads who knows better.
 *
 * @throws ApiSourceError `invalid_input` for a type with a charset that the kept file does not have.
 */
function chooseType({ type, kept }: OpenedFile, written: string = type): string {
  if (kept === undefined || kept.kind === "binary") return written;
  const { charset } = parseMediaType(written);
  const own = kept.file?.charset ?? "utf-8";
  if (charset === undefined) return isUtf8Label(own) ? written : `${written}; charset=${own}`;
  const isOwn = isUtf8Label(own) ? isUtf8Label(charset) : charset.toLowerCase() === own;
  if (isOwn) return written;
  throw invalidInput(
    `The type ${quoteText(written, 80)} has another charset than the file, which is ${own}. Nothing was sent.`,
    "Leave the charset out of the type: the file's own is sent with it.",
  );
}

/** What was made for this request, a kept file of this scope, or one of the application's. */
async function openFile(call: RunningCall, given: FileReference | MadeFile): Promise<OpenedFile> {
  const { services, context, prepared, isFromModel } = call;
  if (!("file" in given)) {
    if (given.text !== undefined || isFromModel !== true) return given;
    throw refusedByPolicy(
      "`$base64` is accepted only from code and from the application. Nothing was sent.",
      `Write ${filePart}: in a multipart body, or a kept file as the whole body.`,
    );
  }
  const { file } = given;
  const kept = await services.kept.loadFile(file, context);
  if (kept !== undefined && holdsSecret(kept, prepared.redactor.join(services.secrets.whole())))
    throw refusedByPolicy(
      `The file ${quoteText(file, 80)} contains a credential, so it is sent to no source. Nothing was sent.`,
      "The agent can't change this. The text that its answer showed has no credential, and may be sent as a text.",
    );
  const found = kept ?? (await readOwnFile(call, file));
  if (found !== undefined) {
    const {
      name = found.name ?? toFileName(file),
      type = found.type ?? "application/octet-stream",
    } = given;
    return { name, type, bytes: found.bytes, kept: kept?.kept };
  }
  throw new ApiSourceError({
    message: `There is no file ${quoteText(file, 80)} here. Nothing was sent.`,
    category: "not_found",
    hint: "File ids belong to this conversation and expire after an hour. Download the file again to get a new one.",
  });
}

async function readOwnFile({ source, services, context, deadline }: RunningCall, name: string) {
  const { readFile } = services;
  if (readFile === undefined) return undefined;
  checkFileName(name);
  const read = async () => {
    const own = await readFile(name, context);
    if (own && !(own.bytes instanceof Uint8Array))
      throw new TypeError("readFile must return a Uint8Array as bytes.");
    return own ?? undefined;
  };
  const asked = { what: "The application's readFile", source: source.slug };
  return services.host.application.ask(asked, read, deadline.race);
}

function checkSize({ source }: RunningCall, files: readonly SentFile[]): void {
  const most = source.api.limits.maxFileBytes;
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) <= most) return;
  throw new ApiSourceError({
    message: `The files of this request are larger than ${most} bytes. Nothing was sent.`,
    category: "too_large",
    hint: "Send a smaller file; the user can raise `api.limits.maxFileBytes`.",
  });
}

/** Keeps the body of a response as a file. Rejects only when the call is cancelled. */
export async function keepFile(
  { source, services, prepared, context, progress }: RunningCall,
  { exchange, body, built, line }: Page,
): Promise<{ readonly file?: ShownFile; readonly notes: readonly string[] }> {
  const { status, headers, body: bytes, incomplete } = exchange;
  if (incomplete !== undefined)
    return { notes: [`The body is incomplete, so it is not kept as a file: ${incomplete}.`] };
  const { redactor } = prepared;
  // A server may repeat a credential in a name; the name goes into the answer and into later requests.
  const name = redactor.redact(findFileName(headers, built.url.path));
  const facts = describeFile({ name, type: findType(body, bytes), bytes });
  const { text, kind, contentType } = body;
  const hasSecret = redactor.redactBody(bytes) !== bytes || text.includes(redactedMarker);
  const kept = await services.kept.keep(
    {
      ...{ text, kind, contentType, source: source.slug, status },
      request: line,
      file: { ...facts, hasSecret, charset: findCharsetName(body, headers) },
      content: bytes,
    },
    context,
  );
  const file = { id: kept.id, ...facts };
  progress.file = file;
  // A hash is for programs and for a person who approves.
  const { sha256: _sha256, ...shown } = file;
  return { file: shown, notes: kept.why === undefined ? [] : [kept.why] };
}

/** The charset that was declared for a text; absent for UTF-8. */
function findCharsetName(
  { kind, isOpened }: ResponseBody,
  headers: ResponseHeaders,
): string | undefined {
  if (kind === "binary" || isOpened === true) return undefined;
  const { charset } = parseMediaType(readHeader(headers, "content-type"));
  const isUsual = charset !== undefined && /^[\w.:-]{1,40}$/.test(charset);
  return isUsual && !isUtf8Label(charset) ? charset.toLowerCase() : undefined;
}

/** The declared type, or that of the bytes where none was declared. */
function findType({ kind, contentType, isOpened }: ResponseBody, bytes: Uint8Array): string {
  const declared = parseMediaType(contentType);
  if (kind === "binary" || isOpened === true) return findBinaryType(bytes, declared);
  const { name = "application/octet-stream" } = declared;
  if (name !== "application/octet-stream") return name;
  return kind === "json" ? "application/json" : "text/plain";
}
