/** Secrets in compressed bytes: an answer shows what gzip opens to, so each other reader of the bytes is to know what is in it. */

import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Redactor } from "./redactor.js";

/** More than this is not opened: a bomb must not keep a call. */
const maxOpenedBytes = 300_000_000;
/** How many times the length that may be the beginning of a secret two pieces share: a spelling is longer than its secret. */
const overlaps = 8;

/**
 * Whether gzip content opens to a secret, or can't be examined: because it is broken, longer than 300 MB, or compressed twice. Other bytes are none of
 * its business.
 */
export async function mayOpenToSecret(bytes: Uint8Array, redactor: Redactor): Promise<boolean> {
  const shared = overlaps * redactor.measureEnd();
  if (!isGzip(bytes) || shared === 0) return false;
  let opened = 0;
  let end = Buffer.alloc(0);
  try {
    const pieces: AsyncIterable<Buffer> = Readable.from([bytes]).pipe(
      createGunzip({ chunkSize: 1_000_000 }),
    );
    for await (const piece of pieces) {
      const isNested = opened === 0 && isGzip(piece);
      opened += piece.length;
      const searched = Buffer.concat([end, piece]);
      const isFound = redactor.redactBody(searched) !== searched;
      if (isNested || isFound || opened > maxOpenedBytes) return true;
      end = searched.subarray(-shared);
    }
    return false;
  } catch {
    return true;
  }
}

/** RFC 1952, section 2.3.1. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
