/** Gives the code units of a text as an array: as a string they are read up to five times slower when it is a slice or a chain of others. */

/** Most texts are keys and short values: memory of its own for each would cost more than the rest of the work. */
const sharedLength = 4_096;
const sharedBytes: Buffer = Buffer.allocUnsafeSlow(2 * sharedLength);
const shared = new Uint16Array(sharedBytes.buffer, sharedBytes.byteOffset, sharedLength);
/** Shorter texts are read sooner than copied natively. */
const shortText = 48;

/** Takes a text. Returns its UTF-16 code units, and behind them anything; they are good until the next text is read. */
export function readCodes(text: string): Uint16Array {
  const { length } = text;
  if (length > sharedLength) {
    const bytes = Buffer.allocUnsafeSlow(2 * length);
    bytes.write(text, "utf16le");
    return new Uint16Array(bytes.buffer, bytes.byteOffset, length);
  }
  if (length >= shortText) sharedBytes.write(text, "utf16le");
  else for (let index = 0; index < length; index += 1) shared[index] = text.charCodeAt(index);
  return shared;
}
