/** Turns UTF-32 bytes into text; TextDecoder doesn't know them. */

/** Takes UTF-32 bytes without a byte order mark. What is no Unicode scalar value becomes U+FFFD. */
export function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: string[] = [];
  for (let position = 0; position + 4 <= bytes.length; position += 4) {
    const code = view.getUint32(position, littleEndian);
    const isScalar = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    pieces.push(isScalar ? String.fromCodePoint(code) : "\ufffd");
  }
  if (bytes.length % 4 !== 0) pieces.push("\ufffd");
  return pieces.join("");
}
