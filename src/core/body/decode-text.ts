/** Turns the bytes of a body into text: by the encoding that was declared or that the bytes give away. */

import { isAscii } from "node:buffer";
import { isPlainText, type MediaType, parseMediaType } from "./read-media-type.js";

const marks: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];
/** How far a declaration within the document is looked for (WHATWG HTML, section 13.2.3.2). */
const prescanBytes = 1024;

export type Charset = ReturnType<typeof findCharset>;

/**
 * Takes bytes and what their Content-Type declares. Returns the encoding, as TextDecoder calls it, by byte
 * order mark (of so many bytes), else by the parameter, else by the pattern of zero bytes (RFC 4627 section 3), else by `<meta charset>` or
 * the XML declaration, else UTF-8, the default: it is not known then. An unknown label is ignored.
 */
export function findCharset(bytes: Uint8Array, { charset: declared, promises }: MediaType) {
  const mark = marks.find(([, units]) => units.every((unit, index) => bytes[index] === unit));
  if (mark !== undefined) return { label: mark[0], markBytes: mark[1].length, isKnown: true };
  const named = declared === undefined ? undefined : toKnownLabel(declared);
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

function toKnownLabel(label: string): string | undefined {
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
  const label = found?.[1] === undefined ? undefined : toKnownLabel(found[1]);
  // It was just read as ASCII: it can't be UTF-16.
  return label?.startsWith("utf-16") ? "utf-8" : label;
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

/** What windows-1252 has at 0x80 to 0x9f (https://encoding.spec.whatwg.org/#index-windows-1252). */
const upper =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Some Node releases (20 and 22 among them) read windows-1252 as Latin-1. */
function decodeWindows1252(bytes: Uint8Array): string {
  const units = Uint16Array.from(bytes, (byte) =>
    byte >> 5 === 4 ? upper.charCodeAt(byte - 0x80) : byte,
  );
  return Buffer.from(units.buffer).toString("utf16le");
}
