/** Knows every string that some server may make of a path, and whether one of them climbs out of its place. */

import { decodeStrictly } from "./text.js";

/** More layers of percent-encoding, or more readings, than these have no honest use. */
const maxLayers = 8;
const maxReadings = 64;

/**
 * Replaces, in a reading, a slash that was encoded, or that normalising made: a separator to some servers, part of a name to
 * others. A character for private use, which no path has in good faith.
 */
export const encodedSlash = "\ue02f";

/** Characters that are not a slash or a dot after normalising either, but that some servers map to one. */
const slashLookalikes = /[\\\u00a5\u20a9\u2044\u2215\u2216\u2571\u2572\u29f5\u29f8\u29f9]/g;
const dotLookalikes = /[\u06d4\u0701\u0702\u3002\ua4f8\uff61]/g;

const marks = /[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The text itself and all that decoding its escapes once more, and normalising it without its accents and invisible characters,
 * can make of it, in any order and as often as something changes. Normalising can hide an escape from the next decoding
 * (`%2f` before a combining dot) or make one, so no single order is enough. What composed forms (NFKC) could add is in these.
 *
 * @param text a path, or a part of a query
 * @returns at least one text; `undefined` when there are more than eight layers of escapes, or 64 readings
 */
export function listReadings(text: string): readonly string[] | undefined {
  if (!/[^\0-\u0024\u0026-\u007f]/.test(text)) return [text];
  const layers = new Map([[text, 0]]);
  // A map hands out what is added while it is walked.
  for (const [reading, layer] of layers) {
    const further = [
      [toDecoded(reading), layer + 1],
      [inSegments(reading, toBare), layer],
    ] as const;
    for (const [next, nextLayer] of further) {
      if (layers.has(next)) continue;
      if (nextLayer > maxLayers || layers.size >= maxReadings) return undefined;
      layers.set(next, nextLayer);
    }
  }
  return [...layers.keys()];
}

/**
 * A reading with lookalikes of `/` and `.` made plain, and without what lax servers drop: accents, spaces (`+` is one in forms),
 * controls, invisible characters.
 */
export function toFolded(reading: string): string {
  return toPlain(reading).replace(/[\s+]/g, "");
}

function toPlain(reading: string): string {
  const plain = reading.replace(slashLookalikes, encodedSlash).replace(dotLookalikes, ".");
  return inSegments(plain, toBare);
}

/**
 * Compatibility forms made plain (NFKD), so that accents are separate, and these dropped with invisible characters and with escapes
 * of bytes that are not UTF-8: some decoders leave them out (`errors="ignore"` in Python).
 */
function toBare(text: string): string {
  return text
    .normalize("NFKD")
    .replace(marks, "")
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      decodeStrictly(run) === undefined
        ? writePieces(run, (escapes, character) => (character === undefined ? "" : escapes))
        : run,
    );
}

/** The text without one layer of escapes, `%u002e` (IIS) included. What isn't valid stays as it is, as lenient decoders do. */
export function toDecoded(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
      const decoded =
        decodeStrictly(run) ?? writePieces(run, (escapes, character) => character ?? escapes);
      return decoded.replaceAll("/", encodedSlash);
    })
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      return character === "/" ? encodedSlash : character;
    });
}

/** Whether a path has a `.` or `..` segment on any server, however leniently that server reads it. */
export function hasDotSegment(path: string): boolean {
  const readings = listReadings(path);
  return (
    readings === undefined ||
    readings.some((each) => hasOverlongEscape(each) || hasPlainDotSegment(each))
  );
}

/** Whether this one reading has one: also before path parameters (`..;x`) and before what a second parse removes (`..?`). */
export function hasPlainDotSegment(reading: string): boolean {
  return toPlain(reading)
    .split(/[/\ue02f]/)
    .some((segment) => {
      // Windows drops dots and spaces at the end of a name: ".. ." is ".." there.
      if (/^[.\s+]*$/.test(segment) && /\.[\s+]|[\s+]\./.test(segment)) return true;
      const [name = ""] = segment.replace(/[\s+]/g, "").split(/[;?#]/, 1);
      // Three dots and more lead up on some old systems (CWE-32 and CWE-33).
      return /^\.+$/.test(name);
    });
}

/**
 * Whether the text holds escapes of bytes that no UTF-8 has and that lax decoders read as an ASCII character:
 * `%c0%ae` is a dot to them (RFC 3629 section 10).
 */
export function hasOverlongEscape(text: string): boolean {
  return /%(?:c[01]|f[5-9a-f]|e0(?!%[ab])|f0(?!%[9ab]))/i.test(text);
}

function inSegments(text: string, change: (part: string) => string): string {
  return text
    .split("/")
    .map((part) => change(part).replaceAll("/", encodedSlash))
    .join("/");
}

/** How many bytes a UTF-8 sequence with this first byte has (RFC 3629). */
function countBytes(lead: number): number {
  if (lead < 0xc2) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** The pieces of a run of escapes that are one character each, or one byte that is part of none, written anew. */
function writePieces(
  run: string,
  write: (escapes: string, text: string | undefined) => string,
): string {
  let written = "";
  for (let index = 0; index < run.length; ) {
    const lead = Number.parseInt(run.slice(index + 1, index + 3), 16);
    const piece = run.slice(index, index + 3 * countBytes(lead));
    const text = decodeStrictly(piece);
    written += write(text === undefined ? piece.slice(0, 3) : piece, text);
    index += text === undefined ? 3 : piece.length;
  }
  return written;
}
