/** Turns the bytes of a body into text. */

import { isUtf8 } from "node:buffer";
import { decodeUtf8 } from "./decode-utf8.js";
import { decodeUtf32 } from "./decode-utf32.js";
import type { Charset } from "./find-charset.js";

/** Takes bytes and their encoding. Returns their text without the byte order mark; never throws. */
export function decodeText(bytes: Uint8Array, charset: Charset): string {
  const content = bytes.subarray(charset.markBytes);
  if (charset.label === "utf-8") return decodeUtf8(content);
  if (charset.label.startsWith("utf-32")) return decodeUtf32(content, charset.label === "utf-32le");
  return new TextDecoder(charset.label, { ignoreBOM: true }).decode(content);
}

/** Says what went wrong in decoding; `undefined` when nothing did. */
export function describeDecoding(bytes: Uint8Array, charset: Charset, wasCut: boolean): string | undefined {
  // A cut can leave half a character at the end.
  const whole = wasCut ? bytes.subarray(0, Math.max(0, bytes.length - 4)) : bytes;
  const isBroken = charset.label === "utf-8" && !isUtf8(whole) && !endsWithinCharacter(whole, wasCut);
  const asked =
    charset.unknown === undefined
      ? ""
      : `The charset ${JSON.stringify(charset.unknown)} is unknown, so it was read as ${charset.label}.`;
  const broken = isBroken ? "Some bytes are not valid UTF-8; they show as \ufffd." : "";
  return [asked, broken].filter((sentence) => sentence !== "").join(" ") || undefined;
}

function endsWithinCharacter(bytes: Uint8Array, wasCut: boolean): boolean {
  if (!wasCut) return false;
  return [1, 2, 3].some((count) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - count))));
}
