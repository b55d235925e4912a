/** Turns UTF-8 bytes into text, one byte for each character where that is enough. */

import { isAscii, isUtf8, transcode } from "node:buffer";

/** Up to this size the faster decoder is worth its second copy of the text. */
const copiedBytes = 4_000_000;
const blockBytes = 4096;
/** The first byte of U+0100 and all that follows. */
const firstWide = 0xc4;

/** Takes UTF-8 bytes without a byte order mark. Returns their text; what is not valid UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString("latin1");
  if (!isUtf8(buffer)) return buffer.toString("utf8");
  if (!hasWide(buffer)) return decodeLatin1(buffer);
  if (buffer.length > copiedBytes) return buffer.toString("utf8");
  return transcode(buffer, "utf8", "utf16le").toString("utf16le");
}

/** Whether a character of valid UTF-8 is beyond U+00FF. */
function hasWide(buffer: Buffer): boolean {
  for (let start = 0; start < buffer.length; start += blockBytes) {
    const block = buffer.subarray(start, start + blockBytes);
    if (isAscii(block)) continue;
    for (let index = 0; index < block.length; index += 1) if ((block[index] ?? 0) >= firstWide) return true;
  }
  return false;
}

/** Takes valid UTF-8 of characters up to U+00FF: two bytes, of which the first gives one bit, become one. */
function decodeLatin1(buffer: Buffer): string {
  const narrow = Buffer.allocUnsafeSlow(buffer.length);
  let written = 0;
  for (let start = 0; start < buffer.length; start += blockBytes) {
    const block = buffer.subarray(start, start + blockBytes);
    if (isAscii(block)) {
      narrow.set(block, written);
      written += block.length;
      continue;
    }
    for (let index = 0; index < block.length; index += 1) {
      const byte = block[index] ?? 0;
      // A lead byte is written as it is, and replaced by the byte that completes it, also over the end of a block.
      const isRest = (byte & 0xc0) === 0x80;
      if (isRest) written -= 1;
      narrow[written] = isRest ? (((narrow[written] ?? 0) & 3) << 6) | (byte & 0x3f) : byte;
      written += 1;
    }
  }
  return narrow.toString("latin1", 0, written);
}
