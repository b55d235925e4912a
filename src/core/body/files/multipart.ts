/** Writes a multipart/form-data body (RFC 7578): known length, parts in their order, names that cannot break out of a header. */

import { createHash, randomBytes } from "node:crypto";
import { hashBytes } from "./file.js";

export interface Part {
  /** The field's name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** A media type; absent for a plain text field. */
  readonly type?: string | undefined;
  /** Set for a file. */
  readonly fileName?: string;
}

export interface MultipartBody {
  readonly bytes: Uint8Array;
  /** With the boundary, which is new each time. */
  readonly contentType: string;
  /** SHA-256 over the parts, without the boundary: the same for the same parts in the same order. */
  readonly digest: string;
}

export function writeMultipart(parts: readonly Part[]): MultipartBody {
  // 144 random bits: no content can be made to contain it.
  const boundary = `form-${randomBytes(18).toString("hex")}`;
  const heads = parts.map(writeHead);
  const pieces = parts.flatMap(({ bytes }, index) => [
    Buffer.from(`--${boundary}\r\n${heads[index]}\r\n`, "utf8"),
    bytes,
    Buffer.from("\r\n"),
  ]);
  const hashed = parts.map(({ bytes }, index) => [heads[index], hashBytes(bytes)]);
  return {
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
    digest: createHash("sha256").update(JSON.stringify(hashed)).digest("hex"),
  };
}

function writeHead({ name, type, fileName }: Part): string {
  const disposition = `Content-Disposition: form-data; name="${escapeName(name)}"`;
  const file = fileName === undefined ? "" : `; filename="${escapeName(fileName)}"${writeExtended(fileName)}`;
  return `${disposition}${file}\r\n${type === undefined ? "" : `Content-Type: ${type}\r\n`}`;
}

/** As browsers write it (WHATWG HTML, multipart form data): a quote or a line break would end the value or the header. */
function escapeName(name: string): string {
  return name.toWellFormed().replace(/["\p{Cc}]/gu, encodeURIComponent);
}

/** RFC 8187, for servers that do not read UTF-8 in `filename`. */
function writeExtended(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return "";
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `; filename*=UTF-8''${encoded}`;
}
