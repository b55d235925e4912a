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
  const text = new TextDecoder(charset.label, { ignoreBOM: true }).decode(content);
  return charset.label === "windows-1252" ? mendWindows1252(text) : text;
}

/** What windows-1252 has at 0x80 to 0x9f; a blank where it has nothing. */
const windows1252 =
  "\u20ac \u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152 \u017d  \u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153 \u017e\u0178";

/** Some Node releases (20 and 22 among them) read windows-1252 as Latin-1; on a right reading this changes nothing. */
function mendWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (control) => {
    const character = windows1252.charAt(control.charCodeAt(0) - 0x80);
    return character === " " ? control : character;
  });
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
