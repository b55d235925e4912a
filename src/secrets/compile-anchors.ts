/** Which stretches of text to scan for, so that every form of a needle holds one of them. */

import type { Anchor, Layer } from "./anchor.js";
import { chooseWindow } from "./choose-window.js";
import type { Needle } from "./needle.js";

/** A known text and the layers it is wrapped in. */
interface Wrapped {
  readonly text: string;
  readonly anyCase: boolean;
  readonly layers: readonly Layer[];
}

/** Fewer base64 or hexadecimal characters than this stand by chance in ordinary text all the time. */
const shortestWrapped = 4;

/** From a shorter run base64 gives anchors that are slow to search for. */
const shortestSeed = 6;

/** A longer run gives no better anchors, only longer ones to compute. */
const longestRun = 48;

/** The scan steps by nearly the length of the shortest anchor; beyond this a step gains little. */
const longestWindow = 24;

/**
 * All anchors of a needle. Encoders that work character by character leave letters, digits and `-._` alone, so
 * that the longest run of these stands in all of their forms; base64 shows it in one of three ways, by where its
 * bytes fall, hexadecimal in one. A needle without a long run gives these for its bytes in the usual spellings; one
 * without any plain character (only symbols, or no Latin script) gives none for itself.
 */
export function compileAnchors(needle: Needle): readonly Anchor[] {
  const run = chooseWindow(needle.text, longestRun);
  const index = [...needle.text.slice(0, run.index)].length;
  const plain: Wrapped = { text: run.text, anyCase: false, layers: [] };
  const wraps = run.text.length >= shortestSeed;
  const seeds = wraps ? [run.text] : listSpellings(needle.text);
  const wrapped = seeds.flatMap((text) => wrapTwice({ ...plain, text }));
  return [
    ...toAnchor(plain, needle, index),
    ...wrapped.flatMap((form) => toAnchor(form, needle, wraps ? index : 0)),
  ];
}

/** The bytes that stand in base64 and hex for a needle without a long run: its own, and those of its usual spellings. */
function listSpellings(text: string): readonly string[] {
  const wellFormed = Buffer.from(text, "utf8").toString("utf8");
  const spellings = [
    wellFormed,
    JSON.stringify(wellFormed).slice(1, -1),
    encodeURIComponent(wellFormed),
    new URLSearchParams([["", wellFormed]]).toString().slice(1),
    wellFormed.replace(/[&<>"']/g, (character) => htmlEscapes[character] ?? character),
  ];
  const bytes = spellings.map((spelling) => Buffer.from(spelling, "utf8").toString("latin1"));
  return [...new Set(/[^\0-\u00ff]/.test(text) ? bytes : [...bytes, text])];
}

const htmlEscapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function toAnchor(wrapped: Wrapped, needle: Needle, index: number): readonly Anchor[] {
  const [outer, ...inner] = wrapped.layers;
  const window = chooseWindow(wrapped.text, longestWindow);
  if (window.text === "") return [];
  const { anyCase } = wrapped;
  if (outer === undefined)
    return [{ text: window.text, anyCase, needle, index: index + window.index, layers: [] }];
  const layers = [{ ...outer, firstSymbol: outer.firstSymbol + window.index }, ...inner];
  return [{ text: window.text, anyCase, needle, index, layers }];
}

/** Base64 in base64 is how Kubernetes shows a secret that was encoded before it was stored; hex of base64 is as easily made. */
function wrapTwice(plain: Wrapped): readonly Wrapped[] {
  const once = [...wrapInBase64(plain), wrapInHex(plain)];
  const again = once.flatMap((inner) => [
    ...wrapInBase64(inner),
    ...(inner.anyCase ? [] : [wrapInHex(inner)]),
  ]);
  return [...once, ...again].filter(({ text }) => text.length >= shortestWrapped);
}

/** In base64 the case of hexadecimal digits matters, so that there are two texts for it. */
function wrapInBase64(inner: Wrapped): readonly Wrapped[] {
  const texts = inner.anyCase ? [inner.text, inner.text.toUpperCase()] : [inner.text];
  return texts.flatMap((text) => [0, 1, 2].map((offset) => wrapAtOffset({ ...inner, text }, offset)));
}

/** The base64 characters that the text alone decides when `offset` bytes of its first group of three stand before it. */
function wrapAtOffset(inner: Wrapped, offset: number): Wrapped {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(inner.text, "latin1")]);
  const firstSymbol = Math.ceil((offset * 8) / 6);
  const layer: Layer = { bits: 6, firstSymbol, firstByte: offset };
  const end = Math.floor((bytes.length * 8) / 6);
  return {
    text: bytes.toString("base64").slice(firstSymbol, end),
    anyCase: false,
    layers: [layer, ...inner.layers],
  };
}

function wrapInHex(inner: Wrapped): Wrapped {
  const layer: Layer = { bits: 4, firstSymbol: 0, firstByte: 0 };
  const text = Buffer.from(inner.text, "latin1").toString("hex");
  return { text, anyCase: true, layers: [layer, ...inner.layers] };
}
