/** Turns UTF-8 bytes into text; ASCII stretches as one-byte characters, which is several times faster. */

import { isAscii, isUtf8, transcode } from "node:buffer";

const blockBytes = 2048;
/** Longer stretches are worth a check that they are valid, for the faster decoder. */
const longStretch = 4096;

/** Takes UTF-8 bytes without a byte order mark. Returns their text; what is not valid UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString("latin1");
  const pieces: string[] = [];
  let start = 0;
  let wasAscii = true;
  for (let position = 0; position < buffer.length; ) {
    // A character that a block's end splits is in two blocks that are not ASCII, so in one stretch.
    const end = Math.min(buffer.length, position + blockBytes);
    const ascii = isAscii(buffer.subarray(position, end));
    if (ascii !== wasAscii) {
      if (position > start) pieces.push(decodeStretch(buffer.subarray(start, position), wasAscii));
      start = position;
      wasAscii = ascii;
    }
    position = end;
  }
  pieces.push(decodeStretch(buffer.subarray(start), wasAscii));
  return pieces.join("");
}

function decodeStretch(stretch: Buffer, ascii: boolean): string {
  if (ascii) return stretch.toString("latin1");
  if (stretch.length > longStretch && isUtf8(stretch)) {
    return transcode(stretch, "utf8", "utf16le").toString("utf16le");
  }
  return stretch.toString("utf8");
}
