/** The forms of a secret that are redacted: its parts, and each as plain text, base64 and hexadecimal. */

import { hasLength } from "./secret.js";

/** A text to look for, and what may be around it. */
export interface Form {
  readonly text: string;
  /** The characters of which one must come before it, or after it; it is a part of the secret, too. */
  readonly before?: string;
  readonly after?: string;
  /** The characters that may not be next to it. */
  readonly notBeside?: RegExp;
}

const letterOrDigit = /[a-z0-9]/i;
const digit = /[0-9]/;

/** The scheme of a whole header value such as `Bearer sk-live-…`: APIs echo the token alone. A phrase of words is not a token. */
const schemeStart = /^[A-Za-z][A-Za-z-]{0,20} +(?=\S{16,}$)/;

/**
 * The texts that give a secret away. A short one is only itself. A longer one is also what is sent of it (trimmed, unquoted, with `+` for
 * spaces), each line of a PEM and each string of a JSON document from 8 characters on, the token behind a scheme, and a hexadecimal one
 * or a UUID in the other case. An empty or blank secret gives none.
 */
export function listTexts(secret: string): readonly string[] {
  const trimmed = secret.trim();
  if (trimmed === "") return [];
  if (!hasLength(trimmed)) return [trimmed];
  const unquoted = trimmed.replace(/^(["'])(.*)\1$/s, "$2");
  const parts = [trimmed, unquoted, unquoted.replace(schemeStart, ""), ...readLeaves(trimmed)];
  const lines = parts.flatMap((part) => part.split(/[\r\n]+/).map((line) => line.trim()));
  return [...new Set([...parts, ...lines].filter(hasLength).flatMap(listSpellings))];
}

function listSpellings(text: string): readonly string[] {
  return [
    text,
    text.replaceAll(" ", "+"),
    // Node.js reads the bytes of a header so, and bytes are searched so.
    Buffer.from(text, "utf8").toString("latin1"),
    // A server that sends Latin-1 under the name of UTF-8.
    Buffer.from(text, "latin1").toString("utf8"),
    ...(/^[0-9a-f-]+$/i.test(text) ? [text.toLowerCase(), text.toUpperCase()] : []),
  ];
}

/** The strings in a JSON document such as a service account; none when the text isn't one. */
function readLeaves(text: string): string[] {
  if (!/^[{[]/.test(text)) return [];
  const leaves: string[] = [];
  try {
    // A reviver is given all values, innermost first.
    JSON.parse(text, (_key, value: unknown) => {
      if (typeof value === "string") leaves.push(value);
      return null;
    });
  } catch {
    return [];
  }
  return leaves;
}

/** Encodings of a shorter one are ordinary words and numbers. */
const shortestEncoded = 4;

/** The forms of one of these texts. A short one is only found between characters that are neither letters nor digits. */
export function listForms(text: string): readonly Form[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString("hex");
  if (!hasLength(text)) {
    const base64 = bytes.toString("base64").replace(/=+$/, "");
    const encoded =
      text.length < shortestEncoded ? [] : [hex, hex.toUpperCase(), base64, toUrl(base64)];
    return [text, ...encoded].map((form) => ({ text: form, notBeside: letterOrDigit }));
  }
  const plain = /^[0-9]+$/.test(text) ? { text, notBeside: digit } : { text };
  return [
    plain,
    { text: hex },
    { text: hex.toUpperCase() },
    ...[0, 1, 2].flatMap((at) => inBase64(bytes, at)),
  ];
}

/** RFC 4648, sections 4 and 5: the two alphabets differ in the last two characters. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const bitsOfCharacter = 6;

/** For each character those of both alphabets that are like it in some of their bits. */
type AlikeCharacters = ReadonlyMap<string, string>;

function groupCharacters(toBits: (value: number) => number): AlikeCharacters {
  const groups: string[] = [];
  for (const [value, character] of [...alphabet].entries()) {
    const bits = toBits(value);
    groups[bits] = `${groups[bits] ?? ""}${character}${toUrl(character)}`;
  }
  return new Map(groups.flatMap((group) => [...group].map((character) => [character, group])));
}

/** Characters whose last bits are those of a secret, by how many: a secret begins inside of the character. */
const byLastBits = new Map(
  [2, 4].map((count) => [count, groupCharacters((value) => value % 2 ** count)]),
);
/** Characters whose first bits are those of a secret, by how many: it ends inside of the character. */
const byFirstBits = new Map(
  [2, 4].map((count) => [count, groupCharacters((value) => value >> (bitsOfCharacter - count))]),
);

/** The secret in base64 when `skipped` bytes of its first group of three come before it: a character that it shares has other bits, too. */
function inBase64(secret: Buffer, skipped: number): readonly Form[] {
  const whole = Buffer.concat([Buffer.alloc(skipped), secret, Buffer.alloc(2)]).toString("base64");
  const firstBit = skipped * 8;
  const endBit = firstBit + secret.length * 8;
  const first = Math.ceil(firstBit / bitsOfCharacter);
  const last = Math.floor(endBit / bitsOfCharacter);
  // Undefined where the secret begins, or ends, with a whole character.
  const before = byLastBits.get(first * bitsOfCharacter - firstBit)?.get(whole.charAt(first - 1));
  const after = byFirstBits.get(endBit - last * bitsOfCharacter)?.get(whole.charAt(last));
  const text = whole.slice(first, last);
  return [...new Set([text, toUrl(text)])].map((form) => ({ text: form, before, after }));
}

function toUrl(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_");
}
