/** Finds every stretch of bytes that gives away one of the secrets. */

import { type Anchor, createByteTable, createScanner, standsAt } from "./anchors.js";
import { createNeedles, type Encoded, listEncoded, listTexts, type Needle } from "./needle.js";
import { findOrigins, type Interval, resolveEscapes } from "./unescape.js";
import { hasBoundaries } from "./whole-value.js";

/** What is found: stretches in order, apart from each other. */
export type SecretFinder = (bytes: Buffer, isTruncated: boolean) => readonly Interval[];

/** Longer anchors are not found faster. The last bytes of a secret are the ones that differ from another's. */
const longestAnchor = 16;

/** From so many bytes on, the beginning of a secret at the end of a truncated text is one. */
const shortestBeginning = 4;

/** An escape at the end of a text whose rest did not arrive, and what is left of a character in UTF-8. */
const openEscape = /(?:%[0-9a-f]?|[\\\x7f](?:u[0-9a-f]{0,3})?|&#?[0-9a-z]{0,32}|(?:\xef\xbf\xbd)+)$/i;

const equals = 0x3d;
const isBase64 = createByteTable(/[\w+/-]/);
const isHex = createByteTable(/[0-9a-f]/i);

/**
 * Each text is searched three times, each time in one pass: as it is; with its escapes undone; and, in what looks like
 * base64 or hexadecimal around an anchor, what that stands for. Where a text was truncated, an end of it that is the
 * beginning of a secret is found, too.
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
  const findBeginning = createBeginningSearch(all.flatMap(({ resolved }) => resolved ?? []));
  return (bytes, isTruncated) => {
    const resolved = resolveEscapes(bytes, false);
    const inside = [...findEncoded(resolved), ...(isTruncated ? findBeginning(resolved) : [])];
    return mergeIntervals([...findPlain(bytes, resolved), ...toOrigins(bytes, inside)]);
  };
}

/** From the bytes with escapes undone to the bytes themselves. */
function toOrigins(bytes: Buffer, found: readonly Interval[], keepLines = false): readonly Interval[] {
  return found.length === 0 ? found : findOrigins(bytes, mergeIntervals(found), keepLines);
}

type PlainSearch = (bytes: Buffer, resolved?: Buffer) => readonly Interval[];

/** @param isJudged - Only short secrets and numbers, by what stands around them: so line breaks are kept. */
function createPlainSearch(all: readonly Needle[], isJudged: boolean): PlainSearch {
  const needles = all.filter(({ isShort, isNumber }) => (isShort || isNumber) === isJudged);
  if (needles.length === 0) return () => [];
  const findRaw = createLiteralSearch(needles, ({ raw }) => raw);
  const findResolved = createLiteralSearch(needles, ({ resolved }) => resolved);
  return (bytes, resolved = resolveEscapes(bytes, isJudged)) => [
    ...(resolved === bytes ? [] : findRaw(bytes)),
    ...toOrigins(bytes, findResolved(resolved), isJudged),
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
      if (standsAt(bytes, literal, from) && hasBoundaries(bytes, match, needle)) found.push(match);
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

/** Where the encoded form of a match stands, the padding behind it included. */
function toEncoded(bytes: Buffer, { from, to }: Interval, start: number, bits: 6 | 4): Interval {
  let end = start + Math.ceil((to * 8) / bits);
  while (bits === 6 && bytes[end] === equals) end++;
  return { from: start + Math.floor((from * 8) / bits), to: end };
}

/** The end of a truncated text that is the beginning of a secret: as it is, in base64, or in hexadecimal. */
function createBeginningSearch(secrets: readonly Buffer[]): (bytes: Buffer) => readonly Interval[] {
  // In base64 of an escaped secret a byte takes at most eight characters.
  const reach = 8 * Math.max(0, ...secrets.map((secret) => secret.length)) + 64;
  return (bytes) => {
    const starts = [findBeginning(bytes, secrets)];
    for (const end of listEnds(bytes)) {
      for (const bits of [6, 4] as const) {
        const isPart = bits === 6 ? isBase64 : isHex;
        let from = end;
        while (from > 0 && end - from < reach && isPart[bytes[from - 1] ?? 0] === 1) from--;
        for (let start = from; start < Math.min(end, from + (bits === 6 ? 4 : 2)); start++) {
          const decoded = decode(bytes, start, end, bits);
          const resolved = resolveEscapes(decoded, false);
          const at = findBeginning(resolved, secrets);
          const [match] = toOrigins(decoded, at === undefined ? [] : [{ from: at, to: resolved.length }]);
          if (match !== undefined) starts.push(toEncoded(bytes, match, start, bits).from);
        }
      }
    }
    const from = Math.min(...starts.map((start) => start ?? bytes.length));
    return from < bytes.length ? [{ from, to: bytes.length }] : [];
  };
}

/** Where the text ends, and where without an escape or a character that did not arrive whole: two, where one is of the secret itself. */
function listEnds(bytes: Buffer): readonly number[] {
  const ends = [bytes.length];
  for (const end of ends) {
    const open = openEscape.exec(bytes.toString("latin1", Math.max(0, end - 40), end))?.[0].length ?? 0;
    if (open > 0 && ends.length < 3) ends.push(end - open);
  }
  return ends;
}

function findBeginning(bytes: Buffer, secrets: readonly Buffer[]): number | undefined {
  const starts = listEnds(bytes).flatMap((end) =>
    secrets.flatMap((secret) => {
      let length = Math.min(end, secret.length);
      while (length >= shortestBeginning && !standsAt(bytes, secret.subarray(0, length), end - length))
        length--;
      return length >= shortestBeginning ? [end - length] : [];
    }),
  );
  return starts.length === 0 ? undefined : Math.min(...starts);
}

/** The stretches in order, joined where they overlap or touch: the end of one secret can't survive inside another. */
function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...intervals].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last === undefined || from > last.to) merged.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return merged;
}
