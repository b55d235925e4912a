/** Turns UTF-8 bytes into text, one byte for each character where that is enough. */

import { isAscii, isUtf8, transcode } from "node:buffer";

/** Pieces of this size are decoded in memory that is at hand: memory for a whole text is new to the process, and slow. */
const pieceBytes = 16_384;
/** From this size on the pieces weigh as much as they save, unless more than one in so many holds anything but ASCII. */
const largeBytes = 4_000_000;
const sparseShare = 8;
const beyondLatin1 = /[\u0100-\uffff]/;

/** Takes UTF-8 bytes without a byte order mark. Returns their text; what is not valid UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString("latin1");
  if (!isUtf8(buffer)) return buffer.toString("utf8");
  const pieces = cutPieces(buffer);
  const foreign = pieces.filter((piece) => !isAscii(piece));
  if (!foreign.some((piece) => beyondLatin1.test(decodePiece(piece)))) return decodeLatin1(buffer, pieces);
  const isSparse = foreign.length * sparseShare <= pieces.length;
  if (isSparse && buffer.length > largeBytes) return buffer.toString("utf8");
  // Joined, and not added up: the engine reads a text that is a chain of others more slowly.
  return pieces.map((piece) => (isAscii(piece) ? piece.toString("latin1") : decodePiece(piece))).join("");
}

/** No character lies in two pieces. */
function cutPieces(buffer: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let start = 0; start < buffer.length; ) {
    let end = Math.min(buffer.length, start + pieceBytes);
    while (end < buffer.length && ((buffer[end] ?? 0) & 0xc0) === 0x80) end += 1;
    pieces.push(buffer.subarray(start, end));
    start = end;
  }
  return pieces;
}

function decodePiece(piece: Buffer): string {
  return transcode(piece, "utf8", "utf16le").toString("utf16le");
}

/** Takes the pieces of valid UTF-8 whose characters are up to U+00FF: two bytes become one. */
function decodeLatin1(buffer: Buffer, pieces: readonly Buffer[]): string {
  const narrow = Buffer.allocUnsafeSlow(buffer.length);
  let written = 0;
  for (const piece of pieces) {
    if (isAscii(piece)) {
      narrow.set(piece, written);
      written += piece.length;
    } else {
      written += narrow.write(decodePiece(piece), written, "latin1");
    }
  }
  return narrow.toString("latin1", 0, written);
}
