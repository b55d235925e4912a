/** Which Content-Encoding can be undone, and the stream that does it. */

import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { ResponseHeaders } from "../limits/rate-limit.js";

/** A single content coding that can be undone, `identity` for none, or `unsupported`. */
export type ContentCoding = "identity" | "gzip" | "deflate" | "br" | "unsupported";

const codings: ReadonlyMap<string, ContentCoding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
]);

/**
 * Reads `Content-Encoding` (RFC 9110 section 8.4). Two codings on top of each other are unsupported: no honest API
 * sends them, and each multiplies a bomb.
 */
export function readContentCoding(headers: ResponseHeaders): ContentCoding {
  const names = [headers["content-encoding"] ?? []]
    .flat()
    .flatMap((value) => value.split(","))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  const [name, ...more] = names;
  if (name === undefined) return "identity";
  return more.length > 0 ? "unsupported" : (codings.get(name) ?? "unsupported");
}

/**
 * Creates the stream that undoes a coding. Node's defaults are kept, so that data that ends too early is an error
 * (axios flushes it away).
 *
 * @param firstByte of the encoded data: `deflate` means zlib data, but some servers send it without the zlib header.
 */
export function createDecoder(coding: "gzip" | "deflate" | "br", firstByte: number): Transform {
  if (coding === "gzip") return createGunzip();
  if (coding === "br") return createBrotliDecompress();
  const hasZlibHeader = (firstByte & 0x0f) === 8;
  return hasZlibHeader ? createInflate() : createInflateRaw();
}
