/** Puts a response, or a note, into a store and finds it again; a text that is too large for an entry is kept in parts. */

import { randomInt } from "node:crypto";
import { describeBinary } from "../body/describe-binary.js";
import { readAs } from "../body/interpret-text.js";
import { parseMediaType } from "../body/read-media-type.js";
import { type BodyKind, bodyKinds } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";
import { hashText } from "../text.js";
import { type Shelf, writeEntry } from "./response-store.js";

/** What is kept of a response: redacted text, never a tree (about a fifth of the memory) and never a credential. */
export interface KeptResponse {
  /** `ResponseBody.text`: redacted text, base64 for binary. */
  readonly text: string;
  readonly kind: BodyKind;
  readonly status: number;
  readonly contentType?: string;
  /** The tool that got it and what it asked for, such as `GET /issues?page=2`. */
  readonly source: string;
  readonly request: string;
  /** Set when the body did not arrive whole. */
  readonly partial?: { readonly bytes: number; readonly why: string };
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** PostgreSQL's and Redis' stores take entries of this size without complaint; larger texts are kept in parts. */
const maxPartCharacters = 4_000_000;
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
/** 36^16 is about 2^82: nobody guesses one. */
const idLength = 16;

/** `r_` and sixteen letters or digits. */
function createId(): string {
  return `r_${Array.from({ length: idLength }, () => alphabet[randomInt(alphabet.length)]).join("")}`;
}

/**
 * Keeps a response until its `expiresAt`. Rejects when the store does.
 *
 * @param key - Of the entry that names the parts; by default the new id.
 * @returns the id, and under which keys something stands, the one that names the others first.
 */
export async function keepResponse(
  shelf: Shelf,
  { text, ...rest }: KeptResponse,
  nowMs: number,
  key?: string,
): Promise<{ readonly id: string; readonly keys: readonly string[] }> {
  const id = createId();
  const { expiresAt } = rest;
  const isEscaped = !isStorable(text);
  const [first, ...others] = splitText(isEscaped ? JSON.stringify(text) : text);
  const parts = others.map((_, index) => `${id}_${index + 1}`);
  const head = key ?? id;
  const entries: [string, object][] = others.map((part, index) => [parts[index] ?? "", { text: part }]);
  // The entry that names the parts comes last: whoever finds it finds them all.
  for (const [name, value] of [...entries, [head, { ...rest, text: first, parts, isEscaped }] as const])
    await writeEntry(shelf, name, { ...value, expiresAt }, expiresAt - nowMs);
  return { id, keys: [head, ...parts] };
}

/** PostgreSQL's `jsonb` refuses a NUL and half a pair of surrogates (its documentation, section 8.14): such a text is kept as JSON. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Cuts between characters: a store that keeps UTF-8 would lose half of a pair. */
function splitText(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  do {
    const isPair = (text.codePointAt(start + maxPartCharacters - 1) ?? 0) > 0xffff;
    const end = start + maxPartCharacters - (isPair ? 1 : 0);
    parts.push(text.slice(start, end));
    start = end;
  } while (start < text.length);
  return parts;
}

/** The entry that names the parts goes first: whoever looks in between finds nothing, and no half. Rejects when the store does. */
export async function applyExpiry({ store, namespace }: Shelf, keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.delete(namespace, key);
}

/** @returns undefined when there is none, it has expired, or a part of it is gone. Rejects when the store does. */
export async function loadKeptResponse(
  shelf: Shelf,
  id: string,
  nowMs: number,
): Promise<KeptResponse | undefined> {
  return /^r_[0-9a-z]{1,64}$/.test(id) ? loadEntry(shelf, id, nowMs) : undefined;
}

async function loadEntry(shelf: Shelf, key: string, nowMs: number): Promise<KeptResponse | undefined> {
  const { store, namespace } = shelf;
  const value = (await store.get(namespace, key))?.value;
  const response = parseKept(value);
  const parts = readParts(value);
  if (response === undefined) return undefined;
  if (response.expiresAt <= nowMs) {
    await applyExpiry(shelf, [key, ...parts]);
    return undefined;
  }
  let { text } = response;
  for (const part of parts) {
    const more = (await store.get(namespace, part))?.value["text"];
    if (typeof more !== "string") return undefined;
    text += more;
  }
  return { ...response, text: value?.["isEscaped"] === true ? parseEscaped(text) : text };
}

/** A store is outside: what is no JSON of a string is shown as it came back. */
function parseEscaped(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "string" ? parsed : text;
  } catch {
    return text;
  }
}

/** A store is outside: what comes back is checked, not trusted. */
function parseKept(value: Record<string, unknown> = {}): KeptResponse | undefined {
  const { text, kind, status, source, request, expiresAt, contentType, partial } = value;
  const known = bodyKinds.find((each) => each === kind);
  const hasTexts = typeof text === "string" && typeof source === "string" && typeof request === "string";
  if (!hasTexts || known === undefined || typeof status !== "number" || typeof expiresAt !== "number")
    return undefined;
  const { bytes, why }: Record<string, unknown> = { ...Object(partial) };
  return {
    ...{ text, kind: known, status, source, request, expiresAt },
    ...(typeof contentType === "string" ? { contentType } : {}),
    ...(typeof bytes === "number" && typeof why === "string" ? { partial: { bytes, why } } : {}),
  };
}

/** The keys of the further parts, of an entry that may be anything. */
function readParts({ parts }: Record<string, unknown> = {}): string[] {
  return Array.isArray(parts) ? parts.filter((part) => typeof part === "string") : [];
}

/**
 * Reads the text of a kept response again (its `contentType` is needed by binary alone, for its `type`): the same document as the
 * first reading, `null` when there was no body. Never throws.
 */
export async function parseKeptText(text: string, kind: BodyKind, contentType?: string): Promise<JsonValue> {
  if (kind === "binary") return describeBinary(Buffer.from(text, "base64"), parseMediaType(contentType));
  if (kind === "empty") return null;
  return (await readAs(kind, text)).document;
}

/**
 * Puts a text in the place of what was noted under a name; undefined removes it. Whoever looks in between finds the old text, and
 * never half of either. Rejects when the store does.
 */
export async function writeNote(
  shelf: Shelf,
  name: string,
  text: string | undefined,
  { nowMs, ttlMs }: { readonly nowMs: number; readonly ttlMs: number },
): Promise<void> {
  const key = toKey(name);
  const before = readParts((await shelf.store.get(shelf.namespace, key))?.value);
  const note = { kind: "text", status: 0, source: "", request: "", expiresAt: nowMs + ttlMs } as const;
  if (text === undefined) await shelf.store.delete(shelf.namespace, key);
  else await keepResponse(shelf, { ...note, text }, nowMs, key);
  await applyExpiry(shelf, before);
}

/** @returns undefined when nothing is noted, or it has expired. Rejects when the store does. */
export async function loadNote(shelf: Shelf, name: string, nowMs: number): Promise<string | undefined> {
  return (await loadEntry(shelf, toKey(name), nowMs))?.text;
}

function toKey(name: string): string {
  return `note-${hashText(name)}`;
}
