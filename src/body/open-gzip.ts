/** Opens gzip content up to a cap, so that a bomb costs no more than any other body. */

import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { findMediaType } from "./describe-binary.js";

const gunzipAsync = promisify(gunzip);

/**
 * @param maxBytes The most bytes it may be opened to. 10,000,000 by default.
 * @returns undefined for what is not gzip, is broken, or is larger.
 */
export async function openGzip(
  bytes: Uint8Array,
  maxBytes: number = 10_000_000,
): Promise<Uint8Array | undefined> {
  if (findMediaType(bytes) !== "application/gzip") return undefined;
  return gunzipAsync(bytes, { maxOutputLength: maxBytes }).catch(() => undefined);
}
