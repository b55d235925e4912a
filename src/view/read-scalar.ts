/** Adds one scalar to the statistics of its place: its size, its kind, and whether it was seen before. */

import { estimateTokens } from "./count-tokens.js";
import { longestShort } from "./is-short.js";
import { maxDistinct, type ScalarStats } from "./shape.js";

/** Longer strings are weighed by their beginning. */
const weighed = 160;
const timePattern =
  /^(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)|\d\d:\d\d(?::\d\d)?$|[A-Z][a-z]{2},? (?:\d\d? )?[A-Z][a-z]{2} \d)/;
/** An amount that is sent as text. */
const decimalPattern = /^-?\d+\.\d+$/;
const linkPattern = /^(?:[a-z][a-z+.-]{1,11}:\/\/|\/[\w.-]+\/[\w./{-]|www\.)/i;
const wordPattern = /[A-Za-z]{3}|[\u0080-\uffff]/;
const opaquePattern = /^[\w+/=.:-]+$/;
/** Seconds and milliseconds between the years 2001 and 2050. */
const epochSeconds = [1e9, 2.5e9] as const;

/** `value` without its number mark; `isLiteral` says that it had one. */
export function readScalar(
  stats: ScalarStats,
  value: string | number | boolean,
  isLiteral: boolean,
  baseUrl: string,
): void {
  const text = typeof value === "string" ? value : String(value);
  stats.count += 1;
  stats.length += text.length;
  stats.longest = Math.max(stats.longest, text.length);
  stats.tokens += weigh(text) + (typeof value === "string" && !isLiteral ? 0.3 : 0);
  if (stats.distinct.size < maxDistinct) {
    const end = text.length <= longestShort ? text : text.slice(-longestShort);
    stats.distinct.set(end, (stats.distinct.get(end) ?? 0) + 1);
  }
  if (typeof value === "boolean") stats.booleans += 1;
  else if (typeof value === "number" || isLiteral) readNumber(stats, Number(value), text);
  else readString(stats, text, baseUrl);
}

function weigh(text: string): number {
  if (text.length <= weighed) return estimateTokens(text);
  return (estimateTokens(text.slice(0, weighed)) * text.length) / weighed;
}

function readNumber(stats: ScalarStats, value: number, text: string): void {
  stats.numbers += 1;
  if (!Number.isInteger(value) || text.includes(".")) stats.fractions += 1;
  const seconds = value > 1e12 ? value / 1000 : value;
  if (seconds > epochSeconds[0] && seconds < epochSeconds[1] && (value < 1e10 || value > 1e12))
    stats.times += 1;
}

function readString(stats: ScalarStats, text: string, baseUrl: string): void {
  stats.strings += 1;
  if (text.length <= 40 && timePattern.test(text)) stats.times += 1;
  else if (text.length <= 20 && decimalPattern.test(text)) stats.fractions += 1;
  else if (linkPattern.test(text)) {
    stats.links += 1;
    if (baseUrl !== "" && text.startsWith(baseUrl)) stats.ownLinks += 1;
  } else if (isOpaque(text)) stats.opaque += 1;
  else if (isWorded(text)) stats.worded += 1;
}

/** Whether a person would read a text out as words: three letters in a row, or one of another script, and few digits. */
function isWorded(text: string): boolean {
  const head = text.slice(0, weighed);
  if (!wordPattern.test(head)) return false;
  return text.length > 24 || (head.match(/\d/g)?.length ?? 0) * 3 <= head.length;
}

/** Whether a text is a hash, a token, a UUID or a blob: long, without a blank, and no word. */
function isOpaque(text: string): boolean {
  if (text.length < 16) return false;
  const head = text.slice(0, weighed);
  if (!opaquePattern.test(head)) return false;
  const digits = head.replace(/[^0-9]/g, "").length;
  const turns = head.match(/[a-z][A-Z0-9]|[A-Z][0-9]|[0-9][A-Za-z]/g)?.length ?? 0;
  return digits === head.length
    ? head.length > 24
    : turns * 5 >= head.length || (digits * 3 >= head.length && turns > 2);
}
