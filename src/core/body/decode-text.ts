/** Turns the bytes of a body into text: by the charset that is declared or that the bytes show, else by what they can be. */

import { isAscii, isUtf8 } from "node:buffer";
import { isPlainText, parseMediaType } from "./read-media-type.js";
import type { MediaType } from "./response-body.js";

const marks: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** How far a declaration within the document is looked for (WHATWG HTML, section 13.2.3.2). */
const prescanBytes = 1024;

/** The charset of a text. */
export interface Charset {
  /** As TextDecoder calls it. */
  readonly label: string;
  /** How long the byte order mark is that precedes the text. */
  readonly markBytes: number;
  /** Whether something names it: a mark, a declaration, or the pattern of zero bytes. */
  readonly isKnown: boolean;
  /** Whether a charset is declared that is unknown here. @default false */
  readonly isUnknown?: boolean;
}

/**
 * Takes bytes and what their Content-Type declares. Returns the charset: by byte order mark (it precedes a declaration, RFC 7303 section 3.3),
 * else by the parameter, else by the pattern of zero bytes (RFC 4627 section 3), else by `<meta charset>` or the XML declaration, else UTF-8,
 * the default: it is not known then. An unknown label counts as none.
 */
export function findCharset(
  bytes: Uint8Array,
  { charset: declared, promises }: MediaType,
): Charset {
  // No byte order mark begins with an ASCII character.
  const mark = (bytes[0] ?? 0) > 0x7f ? findMark(bytes) : undefined;
  if (mark !== undefined) return { label: mark[0], markBytes: mark[1].length, isKnown: true };
  const named = declared === undefined ? undefined : findLabel(declared);
  if (named !== undefined) return { label: named, markBytes: 0, isKnown: true };
  const mayBeMarkup = promises === undefined || promises === "html" || promises === "xml";
  const sniffed = sniffZeroBytes(bytes) ?? (mayBeMarkup ? findInMarkup(bytes) : undefined);
  return {
    label: sniffed ?? "utf-8",
    markBytes: 0,
    isKnown: sniffed !== undefined,
    isUnknown: declared !== undefined,
  };
}

function startsWith(bytes: Uint8Array, units: readonly number[]): boolean {
  return units.every((unit, index) => bytes[index] === unit);
}

/** UTF-32, which no browser reads, begins with the mark of UTF-16: read as that, it would hide a secret between zeros. */
function isUtf32(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0xff, 0xfe, 0, 0]);
}

function findMark(bytes: Uint8Array): (typeof marks)[number] | undefined {
  return isUtf32(bytes) ? undefined : marks.find(([, units]) => startsWith(bytes, units));
}

/** The charset of a label as TextDecoder calls it; `undefined` for one that is unknown here. */
export function findLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/** The first two characters of JSON, XML and most text are ASCII: their zero bytes give the order away. Unread, they would hide a secret. */
function sniffZeroBytes(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  if (/^(?:[\t\n\r -~]\0){2}$/.test(head)) return "utf-16le";
  return /^(?:\0[\t\n\r -~]){2}$/.test(head) ? "utf-16be" : undefined;
}

function findInMarkup(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, prescanBytes)).toString("latin1");
  const found =
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    /<meta\s[^>]{0,300}?charset\s*=\s*["']?([\w.:-]+)/i.exec(head);
  const label = found?.[1] === undefined ? undefined : findLabel(found[1]);
  // It was just read as ASCII: it can't be UTF-16.
  return label?.startsWith("utf-16") ? "utf-8" : label;
}

/** The text of a body. */
export interface DecodedText {
  readonly text: string;
  /** The note about characters that may be wrong. */
  readonly note?: string;
}

/**
 * Takes the bytes of a response whose body is text. Without a known charset JSON and event streams are UTF-8 (RFC 8259 section 8.1, WHATWG HTML
 * section 9.2.6), and other text is UTF-8 where it can be, else windows-1252 where nothing in it looks like UTF-8.
 *
 * @param isTruncated - Whether the bytes may end within a character, which is left out then.
 */
export function decodeBody(
  bytes: Uint8Array,
  charset: Charset,
  { promises }: MediaType,
  isTruncated: boolean,
): DecodedText {
  const isUtf = charset.label === "utf-8";
  const end = isTruncated && isUtf ? findCharacterEnd(bytes) : bytes.length;
  const whole = bytes.subarray(0, end);
  if (isUtf && isUtf8(whole)) return { text: decodeText(whole, charset) };
  if (isUtf && !charset.isKnown && promises !== "json" && !hasUtf8Sequence(whole)) {
    const named = charset.isUnknown === true ? "no known charset" : "no charset";
    const note = `The body names ${named} and is not UTF-8: it was read as windows-1252, so letters may be wrong.`;
    return { text: decodeText(whole, { ...charset, label: "windows-1252" }), note };
  }
  const text = decodeText(whole, charset);
  if (charset.label === "windows-1252" && isUtf8(whole) && !isAscii(whole))
    return { text, note: readAsDeclared };
  if (!text.includes("\ufffd")) return { text };
  const name = charset.label.toUpperCase();
  return { text, note: `Some bytes of the body are not valid ${name}: U+FFFD stands for them.` };
}

/** The declared charset decides, but hardly a text of it has all its letters as characters of UTF-8. */
const readAsDeclared =
  "The body was read in the charset that it declares, but all of it is valid UTF-8: letters may be wrong.";

/** The index behind the last complete character of UTF-8. */
function findCharacterEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    // 10xxxxxx continues a character.
    if (byte >> 6 === 0b10) continue;
    return countBytes(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How many bytes a character has that begins with this one (RFC 3629, section 3). */
function countBytes(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

/** Whether a character of two or more bytes in valid UTF-8 is in it: a text in another charset hardly ever has one. */
function hasUtf8Sequence(bytes: Uint8Array): boolean {
  return /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/.test(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1"),
  );
}

/** Takes bytes and their encoding. Returns their text without the byte order mark; never throws. */
export function decodeText(bytes: Uint8Array, { label, markBytes }: Charset): string {
  const content = bytes.subarray(markBytes);
  // The same characters, copied without a look at each.
  if (label === "utf-8" && isAscii(content))
    return Buffer.from(content.buffer, content.byteOffset, content.length).toString("latin1");
  const text = new TextDecoder(label, { ignoreBOM: true }).decode(content);
  return label === "windows-1252" && /[\u0080-\u009f]/.test(text)
    ? decodeWindows1252(content)
    : text;
}

/**
 * The text of bytes as the receiver of this Content-Type reads it. Undefined where neither the type nor the bytes are text, and for a charset
 * that is unknown here: the receiver may know it and read another text.
 */
export function readSentText(bytes: Uint8Array, contentType: string): string | undefined {
  const type = parseMediaType(contentType);
  const isDeclared = type.promises !== undefined && type.promises !== "binary";
  const charset = findCharset(bytes, type);
  const isText = isDeclared || charset.isKnown || isPlainText(bytes);
  return isText && charset.isUnknown !== true ? decodeText(bytes, charset) : undefined;
}

/** The characters of windows-1252 at 0x80 to 0x9f (https://encoding.spec.whatwg.org/#index-windows-1252). */
const upper =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Some Node releases (20 and 22 among them) read windows-1252 as Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  const units = Uint16Array.from(bytes, (byte) =>
    byte >> 5 === 4 ? upper.charCodeAt(byte - 0x80) : byte,
  );
  return Buffer.from(units.buffer).toString("utf16le");
}
