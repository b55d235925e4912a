/** Finds every stretch of bytes that gives away one of the secrets. */

import { type Anchor, createByteTable, createScanner, isAt } from "./anchors.js";
import { createNeedles, type Encoded, listEncoded, listTexts, type Needle } from "./secret-forms.js";
import { findOrigins, type Interval, resolveEscapes, selectEscaped } from "./unescape.js";

/** What is found: stretches in order, apart from each other. */
export type SecretFinder = (bytes: Buffer) => readonly Interval[];

/** Longer anchors are not found faster. The last bytes of a secret are the ones that differ from another's. */
const longestAnchor = 16;

const equals = 0x3d;
const isBase64 = createByteTable(/[\w+/-]/);
const isHex = createByteTable(/[0-9a-f]/i);

/**
 * Each text is searched three times, each time in one pass: as it is; with its escapes undone; and, in what looks like
 * base64 or hexadecimal around an anchor, what that encodes.
 */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const all = [...new Set(secrets.flatMap(listTexts))].flatMap(createNeedles);
  const findAnywhere = createPlainSearch(all, false);
  const findJudged = createPlainSearch(all, true);
  const findPlain: PlainSearch = (bytes, resolved) => [
    ...findAnywhere(bytes, resolved),
    ...findJudged(bytes),
  ];
  const findEncoded = createEncodedSearch(all.flatMap(listEncoded), findPlain);
  const search = (bytes: Buffer, resolved: Buffer): readonly Interval[] =>
    mergeIntervals([...findPlain(bytes, resolved), ...toOrigins(bytes, resolved, findEncoded(resolved))]);
  const areBetweenBarriers = all.every(({ raw, resolved }) => !/[\0"'{}[\],<>]/.test(`${raw}${resolved}`));
  return (bytes) => {
    // Nearly every text holds no secret, and few of its bytes belong to an escape.
    if (areBetweenBarriers && search(bytes, bytes).length === 0) {
      const escaped = selectEscaped(bytes);
      if (escaped.length === 0 || search(escaped, resolveEscapes(escaped, false)).length === 0) return [];
    }
    // A DEL is a character, or what an escape makes of a held backslash: both readings are searched.
    const unread = bytes.includes(0x7f) ? search(bytes, bytes) : [];
    return mergeIntervals([...unread, ...search(bytes, resolveEscapes(bytes, false))]);
  };
}

/** From the bytes with escapes undone to the bytes themselves. */
function toOrigins(
  bytes: Buffer,
  resolved: Buffer,
  found: readonly Interval[],
  keepLines = false,
): readonly Interval[] {
  if (found.length === 0 || resolved === bytes) return found;
  return findOrigins(bytes, mergeIntervals(found), keepLines);
}

type PlainSearch = (bytes: Buffer, resolved?: Buffer) => readonly Interval[];

/** @param isJudged - Only short secrets and numbers, by their surroundings: so line breaks are kept. */
function createPlainSearch(all: readonly Needle[], isJudged: boolean): PlainSearch {
  const needles = all.filter(({ isShort, isNumber }) => (isShort || isNumber) === isJudged);
  if (needles.length === 0) return () => [];
  const findRaw = createLiteralSearch(needles, ({ raw }) => raw);
  const findResolved = createLiteralSearch(needles, ({ resolved }) => resolved);
  return (bytes, resolved = resolveEscapes(bytes, isJudged)) => [
    ...(resolved === bytes ? [] : findRaw(bytes)),
    ...toOrigins(bytes, resolved, findResolved(resolved), isJudged),
  ];
}

function createLiteralSearch(
  needles: readonly Needle[],
  pick: (needle: Needle) => Buffer | undefined,
): (bytes: Buffer) => readonly Interval[] {
  const literals = new Map<string, Anchor<{ readonly literal: Buffer; readonly needle: Needle }>>();
  for (const needle of needles) {
    const literal = pick(needle) ?? Buffer.alloc(0);
    const anchor = { bytes: literal.subarray(-longestAnchor), meaning: { literal, needle } };
    literals.set(literal.toString("latin1"), anchor);
  }
  const scan = createScanner([...literals.values()]);
  return (bytes) => {
    const found: Interval[] = [];
    scan(bytes, ({ literal, needle }, at) => {
      const from = at - Math.max(0, literal.length - longestAnchor);
      const match = { from, to: from + literal.length };
      if (isAt(bytes, literal, from) && hasBoundaries(bytes, match, needle)) found.push(match);
    });
    return found;
  };
}

interface Run {
  readonly bits: 6 | 4;
  readonly from: number;
  readonly to: number;
  /** Which of its readings were searched already. */
  readonly done: Set<number>;
}

/** Around each anchor what is base64 or hexadecimal is read once for each way in which its bytes can fall, and searched. */
function createEncodedSearch(
  anchors: readonly Anchor<Encoded>[],
  findPlain: PlainSearch,
): (bytes: Buffer) => readonly Interval[] {
  const scan = createScanner(anchors);
  return (bytes) => {
    const found: (readonly Interval[])[] = [];
    const runs: { [bits in 6 | 4]?: Run } = {};
    scan(bytes, ({ bits, phase }, at) => {
      const known = runs[bits];
      const run =
        known !== undefined && at >= known.from && at < known.to ? known : runAround(bytes, at, bits);
      runs[bits] = run;
      const group = bits === 6 ? 4 : 2;
      const skipped = (((at - phase - run.from) % group) + group) % group;
      if (run.done.has(skipped)) return;
      run.done.add(skipped);
      const start = run.from + skipped;
      const matches = findPlain(decode(bytes, start, run.to, bits));
      found.push(matches.map((match) => toEncoded(bytes, match, start, bits)));
    });
    return found.flat();
  };
}

function runAround(bytes: Buffer, at: number, bits: 6 | 4): Run {
  const isPart = bits === 6 ? isBase64 : isHex;
  let from = at;
  let to = at;
  while (from > 0 && isPart[bytes[from - 1] ?? 0] === 1) from--;
  while (to < bytes.length && isPart[bytes[to] ?? 0] === 1) to++;
  return { bits, from, to, done: new Set() };
}

function decode(bytes: Buffer, from: number, to: number, bits: 6 | 4): Buffer {
  return Buffer.from(bytes.toString("latin1", from, to), bits === 6 ? "base64" : "hex");
}

/** The place of the encoded form of a match, the padding behind it included. */
function toEncoded(bytes: Buffer, { from, to }: Interval, start: number, bits: 6 | 4): Interval {
  let end = start + Math.ceil((to * 8) / bits);
  while (bits === 6 && bytes[end] === equals) end++;
  return { from: start + Math.floor((from * 8) / bits), to: end };
}

/** The stretches in order, joined where they overlap or touch: the end of one secret can't be left inside another. */
export function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...intervals].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last === undefined || from > last.to) merged.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return merged;
}

const longestFieldName = 40;

/** Separates two values that are searched together. */
const separator = 0;

/** Schemes before a credential in a header. */
const schemes = new Set(["bearer", "basic", "token", "apikey", "api-key", "key", "digest"]);

/** Fields whose values are ordinary words; a short password such as `admin` is one of these by coincidence. */
const ordinaryFields = new Set(
  "state status type kind role roles level name title label tag category group scope mode user username login".split(
    " ",
  ),
);

const isQuote = createByteTable(/["'`]/);
const isEnding = createByteTable(/["'`&;,)}\]#@<\r\n\t \0]/);
const isBeforeName = createByteTable(/[\\"'`:= \t[<>]/);
const isAroundKey = createByteTable(/[\\"' ]/);
const isName = createByteTable(/[\w-]/);
const isDigit = createByteTable(/\d/);

/**
 * Whether the match is where its needle may be. All digits: not next to another digit. Short: only as
 * the exact whole value of a field, header or parameter, or as the whole text; see `createRedactor`.
 */
function hasBoundaries(bytes: Buffer, { from, to }: Interval, needle: Needle): boolean {
  const [before, after] = [bytes[from - 1] ?? separator, bytes[to] ?? separator];
  if (needle.isNumber && (isDigit[before] === 1 || isDigit[after] === 1)) return false;
  if (!needle.isShort) return true;
  if (before === separator) return after === separator;
  const isOrdinary = (): boolean => needle.isWord && ordinaryFields.has(readName(bytes, from - 1));
  const followsName = (): boolean => /[a-z]/.test(readName(bytes, from - 1)) && !isOrdinary();
  if (isQuote[before] === 1) return after === before && !isKey(bytes, to) && !isOrdinary();
  if (before === 0x3e) return after === 0x3c && !isOrdinary();
  if (isEnding[after] === 0) return false;
  if (before === 0x3d) return !isOrdinary();
  // The password in a URL, or a name before the colon; `12:34` has neither.
  if (before === 0x3a) return after === 0x40 || followsName();
  if (before !== 0x20) return false;
  return bytes[from - 2] === 0x3a ? followsName() : schemes.has(readName(bytes, from - 1));
}

/** Whether the quoted text is a key: a field's name is never a short secret. */
function isKey(bytes: Buffer, end: number): boolean {
  let at = end;
  while (at < end + longestFieldName && isAroundKey[bytes[at] ?? separator] === 1) at++;
  return bytes[at] === 0x3a;
}

/** The name before a value: over quotes, colons, brackets and spaces, then letters, digits, `-` and `_`. */
function readName(bytes: Buffer, end: number): string {
  let last = end;
  while (last > end - longestFieldName && isBeforeName[bytes[last - 1] ?? separator] === 1) last--;
  let first = last;
  while (first > last - longestFieldName && isName[bytes[first - 1] ?? separator] === 1) first--;
  return bytes.toString("latin1", first, last).toLowerCase();
}
