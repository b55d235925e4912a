/** The files of a call: a body that is a file or multipart, opened and written once, so that each attempt sends the same bytes; and a response that is kept as a file. */

import { ApiSourceError, invalidInput, refusedByPolicy } from "../base/errors.js";
import { isJsonObject } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
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
import { findBinaryType, parseMediaType } from "../body/read-media-type.js";
import type { ResponseBody } from "../body/response-body.js";
import type { ApiSource } from "../record/api-source.js";
import { readContentType } from "../request/check-headers.js";
import type { QueryStyles } from "../request/parse-query.js";
import { readScalar } from "../request/read-scalar.js";
import { serializeBody } from "../request/serialize-body.js";
import type { EncodedBody, SentFile } from "../request/wire-request.js";
import { holdsSecret } from "../secrets/redactor.js";
import { redactedMarker } from "../secrets/secret.js";
import { buildRequest } from "./build-request.js";
import type { ParsedCall } from "./call-request.js";
import type { Page, RunningCall } from "./running-call.js";

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
  queryStyles?: QueryStyles | undefined,
): Promise<EncodedBody | undefined> {
  const { source, prepared } = call;
  const contentType = readContentType(request.headers);
  const body = readBody(request.body);
  const reference = readRawReference(body);
  const { bodyFormat, openapi } = source.api;
  const isForm = isMultipart(contentType, bodyFormat);
  const mayBeForm = contentType === undefined && bodyFormat === undefined && openapi !== undefined;
  if (reference === undefined && !isForm && !mayBeForm) return undefined;
  const { url } = buildRequest(
    source,
    prepared.resolved,
    { ...request, body: undefined },
    { body: unopened, queryStyles },
  );
  const { document } = call.services.slots;
  const operation = mayBeForm ? await document?.findOperation(source, request.method, url.path) : undefined;
  if (isForm || operation?.takesMultipart) return encodeParts(call, body);
  return reference && encodeRaw(call, reference, contentType);
}

/** What the reader of a failure must know of a multipart body without a file: mostly a file was meant, and was written otherwise. */
export function describeMissingFile(body: EncodedBody | undefined): string[] {
  if (body?.fields === undefined || body.files.length > 0) return [];
  return [`No part of this multipart body was sent as a file. Write a file as ${filePart}.`];
}

/** Whether the body is a file, or multipart: known without a file or a document. */
export function hasFiles({ api }: ApiSource, { headers, body }: ParsedCall): boolean {
  return (
    isMultipart(readContentType(headers), api.bodyFormat) || readRawReference(readBody(body)) !== undefined
  );
}

function isMultipart(contentType: string | undefined, format: string | undefined): boolean {
  return contentType === undefined
    ? format === "multipart"
    : /^multipart\/form-data *(?:;|$)/i.test(contentType);
}

/** JSON text is read where it is an object: numbers keep their digits. */
function readBody(body: unknown): unknown {
  if (typeof body !== "string" || !/^\s*\{/.test(body)) return body;
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

async function encodeRaw(
  call: RunningCall,
  reference: FileReference | MadeFile,
  contentType: string | undefined,
): Promise<EncodedBody> {
  const content = await openFile(call, reference);
  checkSize(call, [content]);
  const { bytes } = content;
  const type = contentType ?? content.type;
  const file = describeFile({ ...content, type });
  const text = readSentText(bytes, type);
  return { bytes, contentType: type, files: [file], shown: writeFile(file, text), text };
}

async function encodeParts(call: RunningCall, body: unknown): Promise<EncodedBody> {
  if (!isJsonObject(body) || readRawReference(body) !== undefined)
    throw invalidInput(
      "A multipart body is an object whose members are the parts.",
      `Name each part of the multipart body: {"title":"Report","file":{"$file":"r_…"}}. A file is ${filePart}.`,
    );
  const files: SentFile[] = [];
  const opened: FileContent[] = [];
  const fields: [string, string][] = [];
  const shown: string[] = [];
  const addPart = async (name: string, value: unknown): Promise<Part> => {
    const file = readFilePart(value);
    if (file !== undefined) {
      const content = await openFile(call, file);
      opened.push(content);
      checkSize(call, opened);
      const facts = { part: name, ...describeFile(content) };
      const text = readSentText(content.bytes, content.type);
      files.push(facts);
      // Some servers read a part with a file name as a parameter.
      fields.push([name, text?.slice(0, maxFieldCharacters) ?? "…"]);
      const words = text === undefined ? "" : `: ${escapeLines(text)}`;
      shown.push(`${escapeLines(name)} = ${writeFile(facts, text)}${words}`);
      return { name, bytes: content.bytes, type: content.type, fileName: content.name };
    }
    const text = value === null ? "" : readScalar(value, `The part ${quoteText(name, 40)}`);
    const json = text === undefined ? serializeBody(value, "POST", "json") : undefined;
    const bytes = json?.bytes ?? new TextEncoder().encode(text);
    fields.push([name, text ?? "…"]);
    shown.push(`${escapeLines(name)} = ${escapeLines(new TextDecoder().decode(bytes))}`);
    return { name, bytes, type: json?.contentType };
  };
  const parts: Part[] = [];
  for (const [name, value] of Object.entries(body))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) parts.push(await addPart(name, item));
  const written = writeMultipart(parts);
  return { ...written, files, fields, shown: shown.join("\n") };
}

function writeFile({ name, type, bytes, sha256 }: SentFile, text: string | undefined): string {
  const kind = text === undefined ? `${type}, binary` : type;
  return `file ${escapeLines(name)} (${kind}, ${bytes} bytes, SHA-256 ${sha256})`;
}

/** What was made for this request, a kept file of this scope, or one of the application's. */
async function openFile(
  { services, context, deadline, prepared, isFromModel }: RunningCall,
  given: FileReference | MadeFile,
): Promise<FileContent> {
  if (!("file" in given)) {
    if (given.text !== undefined || isFromModel !== true) return given;
    throw refusedByPolicy(
      "`$base64` is accepted only from code and from the application. Nothing was sent.",
      `Write ${filePart}: in a multipart body, or a kept file as the whole body.`,
    );
  }
  const { file, name, type } = given;
  const found = await services.kept.loadFile(file, context);
  if (found !== undefined) {
    if (holdsSecret(found, prepared.redactor.join(services.secrets.redactor())))
      throw refusedByPolicy(
        `The file ${quoteText(file, 80)} contains a credential, so it is sent to no source. Nothing was sent.`,
        "The agent can't change this. The text that its answer showed has no credential, and may be sent as a text.",
      );
    return { name: name ?? found.name, type: type ?? found.type, bytes: found.bytes };
  }
  const { readFile } = services;
  if (readFile !== undefined) {
    checkFileName(file);
    const own = await deadline.race(Promise.resolve(readFile(file, context)));
    if (own !== undefined && own !== null) {
      if (!(own.bytes instanceof Uint8Array))
        throw new TypeError("readFile must return a Uint8Array as bytes.");
      const known = { name: name ?? own.name ?? toFileName(file), type: type ?? own.type };
      return { name: known.name, type: known.type ?? "application/octet-stream", bytes: own.bytes };
    }
  }
  throw new ApiSourceError({
    message: `There is no file ${quoteText(file, 80)} here. Nothing was sent.`,
    category: "not_found",
    hint: "File ids belong to this conversation and expire after an hour. Download the file again to get a new one.",
  });
}

function checkSize({ source }: RunningCall, files: readonly FileContent[]): void {
  const most = source.api.limits.maxFileBytes;
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= most) return;
  throw new ApiSourceError({
    message: `The files of this request are larger than ${most} bytes. Nothing was sent.`,
    category: "too_large",
    hint: "Send a smaller file; the user can raise `api.limits.maxFileBytes`.",
  });
}

/** Keeps the file of a response, but of JSON, of one without a body, and of an error. Rejects only when the call is cancelled. */
export async function keepFile(
  { source, services, prepared, context, progress }: RunningCall,
  { exchange, body, built, line, error }: Page,
): Promise<{ readonly file?: ShownFile; readonly notes: readonly string[] }> {
  const { status, headers, body: bytes, incomplete } = exchange;
  if (error !== undefined || !isFile(body)) return { notes: [] };
  if (incomplete !== undefined)
    return { notes: [`The body is incomplete, so it is not kept as a file: ${incomplete.why}.`] };
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
