/** The files that a call sends: a body that is a file or multipart, opened and written once, so that each attempt sends the same bytes. */

import { ApiSourceError, invalidInput } from "../base/errors.js";
import { isJsonObject } from "../base/exact-number.js";
import { readPlainJson } from "../base/input.js";
import { escapeLines, quoteText } from "../base/text.js";
import { readSentText } from "../body/decode-text.js";
import { describeFile } from "../body/files/file.js";
import {
  type FileReference,
  filePart,
  hasFileMember,
  type MadeFile,
  type Part,
  readFilePart,
  writeMultipart,
} from "../body/files/file-reference.js";
import type { ApiSource } from "../record/api-source.js";
import { readContentType } from "../request/check-headers.js";
import { isMethodName } from "../request/check-parameters.js";
import {
  type BodyForm,
  chooseBody,
  isJsonType,
  type PartTypes,
} from "../request/operation-form.js";
import { readScalar } from "../request/parse-query.js";
import type { QueryStyle, QueryStyles } from "../request/query-style.js";
import { serializeBody } from "../request/serialize-body.js";
import type { EncodedBody, SentFile } from "../request/wire-request.js";
import { listStyled } from "../request/write-form.js";
import { buildRequest, parseSentBody } from "./build-request.js";
import type { ParsedCall } from "./call-request.js";
import { chooseType, openFile } from "./open-file.js";
import type { RunningCall } from "./running-call.js";
import type { DescribedOperation } from "./slots.js";

/** A body in the place of the real one: the request policy judges the call before a file is opened. */
const unopened: EncodedBody = {
  bytes: new Uint8Array(),
  contentType: "text/plain",
  files: [],
  fields: [],
  shown: "",
};

/** How many media types a message names. */
const maxTypes = 10;

/** The most characters of a file part that could be the name of a method. */
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
  const found = readFiles(source, request, operation);
  if (found === undefined) return undefined;
  const bare = { ...request, body: undefined };
  buildRequest(source, prepared.resolved, bare, { body: unopened, operation });
  if (found.kind === "parts") return encodeParts(call, found);
  return encodeRaw(call, found, operation);
}

/** Whether the body is a file, or multipart. */
export function hasFiles(
  source: ApiSource,
  request: ParsedCall,
  operation: DescribedOperation | undefined,
): boolean {
  return readFiles(source, request, operation) !== undefined;
}

/** A body that is one file. */
interface RawFile {
  readonly kind: "raw";
  readonly reference: FileReference | MadeFile;
  /** The type that the call gives. */
  readonly contentType: string | undefined;
}

/** A body that is sent in parts. */
interface PartsBody {
  readonly kind: "parts";
  readonly body: unknown;
  /** How the operation takes lists and objects. */
  readonly styles: QueryStyles | undefined;
  /** The media types that the operation states for its parts. */
  readonly types: PartTypes | undefined;
}

/**
 * The Content-Type of the call decides, then the record's `bodyFormat`, then the operation of the document, and then the body itself.
 *
 * @throws ApiSourceError `invalid_input` for a file where the operation takes no multipart body
 */
function readFiles(
  { api: { bodyFormat } }: ApiSource,
  { headers, body: given }: ParsedCall,
  operation: DescribedOperation | undefined,
): RawFile | PartsBody | undefined {
  const contentType = readContentType(headers);
  const isMultipartType = contentType !== undefined && multipartType.test(contentType);
  const bodies = operation?.bodies ?? [];
  const needsMembers = isMultipartType || bodyFormat === "multipart" || bodies.length > 0;
  const body = needsMembers || mayHoldFile(given) ? readValue(given) : given;
  const reference = readFilePart(body);
  const multipart = bodies.find(({ format }) => format === "multipart");
  const forms = { styles: multipart?.styles, types: multipart?.partTypes };
  const parts: PartsBody = { kind: "parts", body, ...forms };
  const raw: RawFile | undefined = reference && { kind: "raw", reference, contentType };
  if (isMultipartType) return parts;
  const isDataAlone = bodyFormat !== undefined || (bodies.length > 0 && multipart === undefined);
  if (contentType !== undefined && !isDataAlone && raw === undefined && hasFileMember(body))
    throw refuseTyped(contentType);
  if (contentType !== undefined) return raw;
  if (bodyFormat !== undefined) return bodyFormat === "multipart" ? parts : raw;
  if (chooseBody(bodies, body)?.format === "multipart") return parts;
  if (raw !== undefined || !hasFileMember(body)) return raw;
  if (bodies.length > 0 && multipart === undefined) throw refuseFile(bodies);
  return parts;
}

const multipartType = /^multipart\/form-data *(?:;|$)/i;

/** Whether a body may have a file object: the names of its members begin with `$`, which a JSON string may also write as an escape. */
function mayHoldFile(body: unknown): boolean {
  return typeof body !== "string" || /[$\\]/.test(body);
}

/** The value of a body that is JSON text; every other body as it is. */
function readValue(body: unknown): unknown {
  return typeof body === "string" ? (parseSentBody(body).body ?? body) : body;
}

function refuseFile(bodies: readonly BodyForm[]): Error {
  const types = bodies.slice(0, maxTypes).map(({ type }) => quoteText(type, 60));
  return invalidInput(
    `A member of the body is a file, and the operation takes no multipart body: it takes ${types.join(", ")}. Nothing was sent.`,
    "Send the content in the form that the operation describes. If the member is data and no file, give the Content-Type among the headers.",
  );
}

function refuseTyped(contentType: string): Error {
  return invalidInput(
    `A member of the body is a file, and the Content-Type is ${quoteText(contentType, 60)}. Nothing was sent.`,
    'Leave the Content-Type out: then the body is multipart, with the file as a part. If the member is data and no file, the person who set up the source can write "bodyFormat": "json" into its record.',
  );
}

async function encodeRaw(
  call: RunningCall,
  { reference, contentType }: RawFile,
  operation: DescribedOperation | undefined,
): Promise<EncodedBody> {
  const content = await openFile(call, reference);
  const { bytes } = content;
  const type = chooseType(
    content,
    contentType ?? findRawType(call.source, content.type, operation),
  );
  const file = describeFile({ ...content, type });
  checkSize(call, [file]);
  const text = readSentText(bytes, type);
  return { bytes, contentType: type, files: [file], shown: writeFile(file, text), text };
}

/** The file's own type where the operation takes it, else the one type of the operation that any file can have. */
function findRawType(
  { api: { bodyFormat } }: ApiSource,
  own: string,
  operation: DescribedOperation | undefined,
): string {
  const bodies = operation?.bodies ?? [];
  if (bodies.length === 0 || bodyFormat !== undefined) return own;
  const nameOf = (type: string): string => type.replace(/;.*/s, "").trim().toLowerCase();
  if (bodies.some(({ type }) => nameOf(type) === nameOf(own))) return own;
  const [other] = bodies.filter(({ format }) => format === "bytes" || format === "text");
  if (other !== undefined) return other.type;
  throw refuseFile(bodies);
}

async function encodeParts(
  call: RunningCall,
  { body, styles, types }: PartsBody,
): Promise<EncodedBody> {
  if (!isJsonObject(body) || readFilePart(body) !== undefined)
    throw invalidInput(
      "A multipart body is an object whose members are the parts.",
      `Name each part of the multipart body: {"title":"Report","file":{"$file":"r_…"}}. A file is ${filePart}.`,
    );
  const parts: ShownPart[] = [];
  const files: SentFile[] = [];
  for (const [name, value] of Object.entries(body))
    for (const item of listItems(name, value, styles?.get(name))) {
      if (item === undefined) continue;
      const part = await encodePart(call, name, item, types?.get(name));
      parts.push(part);
      if (part.file !== undefined) files.push(part.file);
      checkSize(call, files);
    }
  // JavaScript puts a member named `0` before all others: a GraphQL upload, which has such names, needs its files last.
  const isReordered = parts.some(({ name }) => /^\d+$/.test(name));
  const isFile = ({ file }: ShownPart): number => Number(file !== undefined);
  if (isReordered) parts.sort((one, other) => isFile(one) - isFile(other));
  return {
    ...writeMultipart(parts),
    files,
    fields: parts.map(({ name, field }) => [name, field]),
    shown: parts.map(({ shown }) => shown).join("\n"),
  };
}

/** A list repeats its part, or is one part where the operation joins it. */
function listItems(name: string, value: unknown, style: QueryStyle | undefined): unknown[] {
  if (!Array.isArray(value)) return [value];
  const isJoined = style !== undefined && style !== "repeat" && style !== "brackets";
  if (!isJoined || value.some((item) => readFilePart(item) !== undefined)) return value;
  return listStyled(name, value, style).map(([, text]) => text);
}

/** One part, and what a person is shown of it. */
interface ShownPart extends Part {
  /** The text that could be the name of a method, or a GraphQL document. */
  readonly field: string;
  readonly shown: string;
  readonly file?: SentFile;
}

/** @param stated - The media type that the operation states for the part. */
async function encodePart(
  call: RunningCall,
  name: string,
  value: unknown,
  stated: string | undefined,
): Promise<ShownPart> {
  const given = readFilePart(value);
  if (given !== undefined) {
    const content = await openFile(call, given);
    const { bytes, name: fileName } = content;
    const hasOwnType = isJsonObject(value) && value["type"] !== undefined;
    const type = chooseType(content, hasOwnType ? undefined : stated);
    const file = { part: name, ...describeFile({ bytes, type, name: fileName }) };
    const text = readSentText(bytes, type);
    const words = text === undefined ? "" : `: ${escapeLines(text)}`;
    const shown = `${escapeLines(name)} = ${writeFile(file, text)}${words}`;
    // Some servers read a part with a file name as a parameter.
    const field = isMethodName(name) ? text?.slice(0, maxFieldCharacters) : text;
    return { name, bytes, type, fileName, field: field ?? "…", shown, file };
  }
  const text = value === null ? "" : readScalar(value, `The part ${quoteText(name, 40)}`);
  const { bytes, type } = writeValue(value, text, stated);
  const shown = `${escapeLines(name)} = ${escapeLines(new TextDecoder().decode(bytes))}`;
  return { name, bytes, type, field: text ?? "…", shown };
}

/** The bytes of a part that is no file, and their type: the one that the operation states, else JSON's for an object, and none for a text. */
function writeValue(
  value: unknown,
  text: string | undefined,
  stated: string | undefined,
): Pick<Part, "bytes" | "type"> {
  const isStatedJson = stated !== undefined && isJsonType(stated);
  // A list that the operation takes as JSON was written before.
  const isWritten = typeof value === "string" && readPlainJson(value) !== undefined;
  const isText = text !== undefined && (!isStatedJson || isWritten);
  const writing = { format: "json", isString: typeof value === "string" } as const;
  const json = isText ? undefined : serializeBody(value, "POST", writing);
  if (json === undefined) return { bytes: new TextEncoder().encode(text), type: stated };
  return { bytes: json.bytes, type: isStatedJson ? stated : json.contentType };
}

function writeFile({ name, type, bytes, sha256 }: SentFile, text: string | undefined): string {
  const kind = text === undefined ? `${type}, binary` : type;
  return `file ${escapeLines(name)} (${kind}, ${bytes} bytes, SHA-256 ${sha256})`;
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
