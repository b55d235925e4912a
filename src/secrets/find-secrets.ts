/** Finds every stretch of bytes that gives away one of the secrets. */

import { type Anchor, createByteTable, createScanner, isAt } from "./anchors.js";
import { createNeedles, type Encoded, listEncoded, listTexts, type Needle } from "./secret-forms.js";
import { findOrigins, type Interval, resolveEscapes, selectEscaped } from "./unescape.js";
import { hasBoundaries } from "./whole-value.js";

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
      if (search(escaped, resolveEscapes(escaped, false)).length === 0) return [];
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
    const runs = new Map<number, Run>();
    scan(bytes, ({ bits, phase }, at) => {
      const known = runs.get(bits);
      const run =
        known !== undefined && at >= known.from && at < known.to ? known : runAround(bytes, at, bits);
      runs.set(bits, run);
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
