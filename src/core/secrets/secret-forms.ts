/** The forms of a secret that are redacted: its parts, its spellings and its encodings, as bytes to look for. */

import type { Anchor } from "./anchors.js";
import { hasLength } from "./secret.js";
import { resolveEscapes } from "./unescape.js";

/** A byte string that is redacted wherever it occurs. */
export interface Needle {
  readonly text: string;
  /** As it is. */
  readonly raw: Buffer;
  /** With escapes undone, as they are undone in the text; absent when too little would be left of it. */
  readonly resolved?: Buffer;
  /** Whether only an exact whole value counts, because it is so short that it occurs inside ordinary words. */
  readonly isShort: boolean;
  /** Whether it is all digits, and so must not be found inside a longer number. */
  readonly isNumber: boolean;
  /** Whether it is all letters, as ordinary words are. */
  readonly isWord: boolean;
}

/** A stretch that occurs wherever a secret occurs in base64 (6 bits a character) or hexadecimal (4). */
export interface Encoded {
  readonly bits: 6 | 4;
  /** How many characters before it its group begins, which decides how the bytes fall. */
  readonly phase: number;
}

/** Fewer bytes occur in ordinary text by chance. */
const shortestResolved = 6;
/** From a shorter run base64 gives anchors that occur in ordinary text by chance. */
const shortestSeed = 6;
const shortestAnchor = 4;
const longestAnchor = 24;
const longestSeed = 24;

/** The scheme of a whole header value such as `Bearer sk-live-…`: APIs echo the token alone. A phrase of words is not a token. */
const schemeStart = /^[A-Za-z][A-Za-z-]{0,20} +(?=\S{16,}$)/;

/**
 * The texts that give a secret away. A short one is only itself. A longer one is also what is sent of it (trimmed,
 * unquoted, with `+` for spaces, UTF-8 as Latin-1), each line of a PEM and each string of a JSON document from 8 characters on, the token
 * behind a scheme, its other Unicode normal form, and a hexadecimal one or a UUID in the other case. An empty or blank secret gives none.
 */
export function listTexts(secret: string): readonly string[] {
  const trimmed = secret.trim();
  if (trimmed === "") return [];
  const unquoted = trimmed.replace(/^(["'])(.*)\1$/s, "$2");
  const parts = [secret, trimmed, unquoted, unquoted.replace(schemeStart, ""), ...readLeaves(trimmed)];
  const lines = parts.flatMap((part) => part.split(/[\r\n]+/).map((line) => line.trim()));
  const long = [...parts, ...lines].filter(hasLength).flatMap(listSpellings);
  return [...new Set(hasLength(trimmed) ? long : [trimmed, ...long])];
}

function listSpellings(text: string): readonly string[] {
  return [
    text,
    text.normalize("NFC"),
    text.normalize("NFD"),
    text.replaceAll(" ", "+"),
    // Node.js reads headers so.
    Buffer.from(text, "utf8").toString("latin1"),
    ...(/^[0-9a-f-]+$/i.test(text) ? [text.toLowerCase(), text.toUpperCase()] : []),
  ];
}

/** The strings in a JSON document such as a service account; none when the text isn't one. */
function readLeaves(text: string): string[] {
  if (!/^[{[]/.test(text)) return [];
  const leaves: string[] = [];
  try {
    // What a reviver is given are all values, innermost first.
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === "string") leaves.push(value);
      return null;
    });
  } catch {
    return [];
  }
  return leaves;
}

/**
 * A needle for each way in which the text becomes bytes. Of a secret that is itself full of escapes nearly nothing may be
 * left when they are undone: then its usual spellings are needles, too.
 */
export function createNeedles(text: string): readonly Needle[] {
  const isShort = !hasLength(text);
  const kind = { text, isShort, isNumber: /^[0-9]+$/.test(text), isWord: /^[a-z]+$/i.test(text) };
  const forms = listBytes(text).map((raw) => ({
    ...kind,
    raw,
    resolved: trimEnd(resolveEscapes(raw, false)),
  }));
  if (isShort || (forms[0]?.resolved.length ?? 0) >= shortestResolved) return forms;
  return [text, ...listEscaped(text)].map((spelling) => ({ ...kind, raw: Buffer.from(spelling) }));
}

/** UTF-8, and Latin-1 where that is different. */
function listBytes(text: string): readonly Buffer[] {
  const utf8 = Buffer.from(text, "utf8");
  const isLatin = utf8.length !== text.length && !/[^\0-\u00ff]/.test(text);
  return isLatin ? [utf8, Buffer.from(text, "latin1")] : [utf8];
}

/** In a text the last backslash belongs to what follows the secret. */
function trimEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0x5c || bytes[end - 1] === 0x7f)) end--;
  return bytes.subarray(0, end);
}

/** What a text contains where it contains the needle in base64, by where its bytes fall, or in hexadecimal. */
export function listEncoded(needle: Needle): readonly Anchor<Encoded>[] {
  return listSeeds(needle).flatMap((seed) => [
    ...[0, 1, 2].flatMap((offset) => inBase64(seed, offset)),
    ...[seed.toString("hex"), seed.toString("hex").toUpperCase()].map((text) => toAnchor(text, 4, 0)),
  ]);
}

/**
 * The longest run of letters, digits and `-._`, which no encoder inside of base64 changes; without such a run, the bytes
 * as they are and as JSON, URLs and markup write them.
 */
function listSeeds({ text, raw }: Needle): readonly Buffer[] {
  const runs = (text.match(/[\w.-]+/g) ?? []).sort((one, other) => other.length - one.length);
  const run = runs[0] ?? "";
  if (run.length >= shortestSeed) return [Buffer.from(run.slice(0, longestSeed))];
  const seeds = [raw, ...listEscaped(text).map((spelling) => Buffer.from(spelling))];
  return seeds.map((seed) => seed.subarray(0, longestSeed));
}

/** The text as JSON, URLs and markup write it. */
function listEscaped(text: string): readonly string[] {
  const sound = text.toWellFormed();
  return [
    JSON.stringify(sound).slice(1, -1),
    encodeURIComponent(sound),
    new URLSearchParams([["", sound]]).toString().slice(1),
    sound.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  ];
}

/** The base64 characters that the seed alone decides when `offset` bytes of its first group of three come before it. */
function inBase64(seed: Buffer, offset: number): readonly Anchor<Encoded>[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), seed]);
  const first = Math.ceil((offset * 8) / 6);
  const text = bytes.toString("base64").slice(first, Math.floor((bytes.length * 8) / 6));
  const url = text.replaceAll("+", "-").replaceAll("/", "_");
  return [...new Set([text, url])]
    .filter((one) => one.length >= shortestAnchor)
    .map((one) => toAnchor(one, 6, first));
}

function toAnchor(text: string, bits: 6 | 4, phase: number): Anchor<Encoded> {
  return { bytes: Buffer.from(text.slice(0, longestAnchor)), meaning: { bits, phase } };
}
