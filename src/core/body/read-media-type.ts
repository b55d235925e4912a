/** Reads the type that a Content-Type header declares, and the type that the bytes show. */

import { isUtf8 } from "node:buffer";
import type { JsonObject } from "../base/exact-number.js";
import type { BodyKind, MediaType } from "./response-body.js";

const jsonTypes =
  /^(?:application|text)\/(?:(?:[\w.+-]+\+)?json|x-json|x-amz-json-1\.[01]|(?:x-)?(?:nd-?json|jsonl|jsonlines|json-lines)|json-seq|json5|stream\+json|event-stream)$/;
const otherTypes: readonly (readonly [RegExp, Exclude<BodyKind, "empty">])[] = [
  [/\+(?:json|json-seq|ndjson)$/, "json"],
  [/^(?:text\/html|application\/xhtml\+xml|application\/vnd\.wap\.xhtml\+xml)$/, "html"],
  [/^(?:application|text)\/xml(?:-.*)?$|\+xml$/, "xml"],
  [/^(?:text|application)\/(?:x-)?(?:csv|tab-separated-values|comma-separated-values|tsv)$/, "csv"],
  [/^text\/|^message\//, "text"],
  [
    /^application\/(?:x-)?(?:javascript|ecmascript|yaml|toml|graphql|sql|sh|www-form-urlencoded|pem-file)$|\+yaml$/,
    "text",
  ],
  [/^(?:image|audio|video|font|model)\//, "binary"],
  [
    /^application\/(?:octet-stream|pdf|zip|gzip|x-gzip|x-tar|x-7z-compressed|x-bzip2?|zstd|wasm|msword|vnd\.ms-.*|vnd\.openxmlformats-.*|vnd\.oasis\..*|x-protobuf|protobuf|grpc.*|x-msgpack|msgpack|cbor|vnd\.apache\..*|java-archive|x-shockwave-flash|rtf|epub\+zip)$|\+(?:zip|gzip|cbor|protobuf)$/,
    "binary",
  ],
];

/** Takes the text of a Content-Type header. */
export function parseMediaType(header: string | undefined): MediaType {
  const [first = "", ...parameters] = (header ?? "").slice(0, 1000).split(";");
  const name = first.trim().toLowerCase();
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(name)) return {};
  const charset = parameters
    .map((part) => /^\s*charset\s*=\s*["']?([^"'\s]+)/i.exec(part)?.[1])
    .find((label) => label !== undefined);
  const promises = jsonTypes.test(name)
    ? "json"
    : otherTypes.find(([pattern]) => pattern.test(name))?.[1];
  return { name, charset, promises };
}

/** Whether a charset is UTF-8, as it is usually written. */
export function isUtf8Label(charset: string): boolean {
  return /^utf-?8$/i.test(charset);
}

/** Beginnings of files, in hex; `.` is any half-byte. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^89504e470d0a1a0a/, "image/png"],
  [/^ffd8ff/, "image/jpeg"],
  [/^474946383[79]61/, "image/gif"],
  [/^52494646.{8}57454250/, "image/webp"],
  [/^52494646.{8}57415645/, "audio/wav"],
  [/^255044462d/, "application/pdf"],
  [/^504b0(?:304|506|708)/, "application/zip"],
  [/^1f8b08/, "application/gzip"],
  [/^28b52ffd/, "application/zstd"],
  [/^494433|^fff[b3]/, "audio/mpeg"],
  [/^4f676753/, "audio/ogg"],
  [/^.{8}66747970/, "video/mp4"],
];
/** `{`, `[`, `<` and spaces begin no file of these. */
const textBeginnings: ReadonlySet<number> = new Set([0x7b, 0x5b, 0x3c, 0x20, 0x0a, 0x0d]);
const sampleBytes = 8192;

/** Takes bytes. Returns the media type that their beginning gives away; `undefined` when it gives none. */
export function findMediaType(bytes: Uint8Array): string | undefined {
  if (textBeginnings.has(bytes[0] ?? 0)) return undefined;
  const head = Buffer.from(bytes.subarray(0, 16)).toString("hex");
  return beginnings.find(([pattern]) => pattern.test(head))?.[1];
}

/** How many control characters are in it that no text has. */
function countControls(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes)
    if (byte < 32 && (byte < 7 || (byte > 13 && byte !== 27 && byte !== 30))) count += 1;
  return count;
}

/**
 * Takes bytes that no byte order mark or charset calls text. Returns whether they are binary: over one in a hundred of the
 * first 8,192 is a control character, or over a third is beyond ASCII and they are not valid UTF-8.
 *
 * @param isDeclared - Whether a type declares them as text: then letters beyond ASCII are those of an older charset.
 */
export function isBinary(bytes: Uint8Array, isDeclared: boolean): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  if (countControls(sample) * 100 > sample.length) return true;
  if (isDeclared) return false;
  // The end of the sample may be half a character.
  const isText = [0, 1, 2, 3].some((missing) =>
    isUtf8(sample.subarray(0, Math.max(0, sample.length - missing))),
  );
  return !isText && sample.filter((byte) => byte > 127).length * 3 > sample.length;
}

/** Takes bytes that were declared as binary. Returns whether they are text all the same: UTF-8 without control characters. */
export function isPlainText(bytes: Uint8Array): boolean {
  return countControls(bytes.subarray(0, sampleBytes)) === 0 && isUtf8(bytes);
}

/** Takes bytes and what was declared. Returns `{type, bytes}`. */
export function describeBinary(bytes: Uint8Array, declared: MediaType): JsonObject {
  return { type: findBinaryType(bytes, declared), bytes: bytes.length };
}

/**
 * The media type of bytes that are not text: by their first bytes where the declared type is missing, `application/octet-stream`, or
 * promises text.
 */
export function findBinaryType(bytes: Uint8Array, { name, promises }: MediaType): string {
  const isDeclared =
    name !== "application/octet-stream" && (promises === undefined || promises === "binary");
  return (isDeclared ? name : undefined) ?? findMediaType(bytes) ?? "application/octet-stream";
}
