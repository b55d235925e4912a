/** Puts a response, or a note, into a store and finds it again; a text that is too large for an entry is kept in parts. */

import { randomInt } from "node:crypto";
import type { JsonValue } from "../base/exact-number.js";
import { readPlainJson } from "../base/input.js";
import { hashText } from "../base/text.js";
import { describeBinary } from "../body/describe-binary.js";
import { type FileContent, hashBytes } from "../body/files/file.js";
import { readAs } from "../body/interpret-text.js";
import { parseMediaType } from "../body/read-media-type.js";
import type { BodyKind } from "../body/response-body.js";
import { type KeepInput, type KeptResponse, parseEscaped, parseKept, readParts } from "./kept-response.js";
import { type NamespacedStore, writeEntry } from "./response-store.js";

export type { KeepInput, KeptResponse, PageScope } from "./kept-response.js";

/** PostgreSQL's and Redis' stores take entries of this size without complaint; larger texts are kept in parts. */
const maxPartCharacters = 4_000_000;
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
/** 36^16 is about 2^82: an id cannot be guessed. */
const idLength = 16;

/** `r_` and sixteen letters or digits. */
function createId(): string {
  return `r_${Array.from({ length: idLength }, () => alphabet[randomInt(alphabet.length)]).join("")}`;
}

/**
 * Keeps a response until its `expiresAt`. Rejects when the store does.
 *
 * @param key - Of the entry that names the parts; by default the new id.
 * @returns the id, and the keys of all entries, the one that names the others first.
 */
export async function keepResponse(
  namespaced: NamespacedStore,
  { text, content, ...rest }: KeepInput,
  nowMs: number,
  key?: string,
): Promise<{ readonly id: string; readonly keys: readonly string[] }> {
  const id = createId();
  const { expiresAt } = rest;
  const isEscaped = !isStorable(text);
  const [first, ...others] = splitText(isEscaped ? JSON.stringify(text) : text);
  const parts = others.map((_, index) => `${id}_${index + 1}`);
  const head = key ?? id;
  const isInText = content === undefined || toBytes(text, rest.kind).equals(content);
  const chunks = isInText ? [] : splitText(Buffer.from(content).toString("base64"));
  const contentParts = chunks.map((_, index) => `${id}_b${index}`);
  const entries: [string, object][] = [
    ...others.map((part, index): [string, object] => [parts[index] ?? "", { text: part }]),
    ...chunks.map((part, index): [string, object] => [contentParts[index] ?? "", { text: part }]),
    // The entry that names the parts comes last: a reader that finds it finds them all.
    [head, { ...rest, text: first, parts, contentParts, isEscaped }],
  ];
  for (const [name, value] of entries)
    await writeEntry(namespaced, name, { ...value, expiresAt }, expiresAt - nowMs);
  return { id, keys: [head, ...parts, ...contentParts] };
}

/** The bytes that a kept text is made of, unless a secret was redacted in it, or it came in another charset. */
function toBytes(text: string, kind: BodyKind): Buffer {
  return Buffer.from(text, kind === "binary" ? "base64" : "utf8");
}

/** PostgreSQL's `jsonb` refuses a NUL and half a pair of surrogates (its documentation, section 8.14): such a text is kept as JSON. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Splits between characters: a store that keeps UTF-8 would lose half of a pair. */
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

/** The entry that names the parts goes first: a reader in between finds nothing rather than a half. Rejects when the store does. */
export async function applyExpiry(
  { store, namespace }: NamespacedStore,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await store.delete(namespace, key);
}

/** @returns undefined when it does not exist, has expired, or a part of it is gone. Rejects when the store does. */
export async function loadKeptResponse(
  namespaced: NamespacedStore,
  id: string,
  nowMs: number,
): Promise<KeptResponse | undefined> {
  return /^r_[0-9a-z]{1,64}$/.test(id) ? loadEntry(namespaced, id, nowMs) : undefined;
}

/**
 * The file that was kept with a response.
 *
 * @returns undefined when it does not exist, has expired, or its bytes are not the ones that were kept. Rejects when the store does.
 */
export async function loadKeptFile(
  namespaced: NamespacedStore,
  id: string,
  nowMs: number,
): Promise<(FileContent & { readonly kept: KeptResponse }) | undefined> {
  const kept = await loadKeptResponse(namespaced, id, nowMs);
  if (kept?.file === undefined) return undefined;
  const { name, type, sha256 } = kept.file;
  const value = (await namespaced.store.get(namespaced.namespace, id))?.value;
  const contentParts = readParts(value, "contentParts");
  const content = contentParts.length === 0 ? undefined : await joinParts(namespaced, contentParts);
  const bytes = content === undefined ? toBytes(kept.text, kept.kind) : Buffer.from(content, "base64");
  return hashBytes(bytes) === sha256 ? { name, type, bytes, kept } : undefined;
}

/** Deletes a kept response and its file. Rejects when the store does. */
async function deleteKept(namespaced: NamespacedStore, id: string): Promise<void> {
  const value = (await namespaced.store.get(namespaced.namespace, id))?.value;
  await applyExpiry(namespaced, [id, ...readParts(value), ...readParts(value, "contentParts")]);
}

async function joinParts(
  { store, namespace }: NamespacedStore,
  keys: readonly string[],
): Promise<string | undefined> {
  let text = "";
  for (const key of keys) {
    const more = (await store.get(namespace, key))?.value["text"];
    if (typeof more !== "string") return undefined;
    text += more;
  }
  return text;
}

async function loadEntry(
  namespaced: NamespacedStore,
  key: string,
  nowMs: number,
): Promise<KeptResponse | undefined> {
  const value = (await namespaced.store.get(namespaced.namespace, key))?.value;
  const response = parseKept(value);
  const parts = readParts(value);
  if (response === undefined) return undefined;
  if (response.expiresAt <= nowMs) {
    await applyExpiry(namespaced, [key, ...parts, ...readParts(value, "contentParts")]);
    return undefined;
  }
  const rest = await joinParts(namespaced, parts);
  if (rest === undefined) return undefined;
  const text = response.text + rest;
  return { ...response, text: value?.["isEscaped"] === true ? parseEscaped(text) : text };
}

/**
 * Reads the text of a kept response again: the same document as the first reading, `null` when there was no body. `contentType` gives
 * the type of bytes, and values between tabs. Never throws.
 */
export async function parseKeptText(text: string, kind: BodyKind, contentType?: string): Promise<JsonValue> {
  if (kind === "binary") return describeBinary(Buffer.from(text, "base64"), parseMediaType(contentType));
  if (kind === "empty") return null;
  return (await readAs(kind, text, parseMediaType(contentType))).document;
}

/**
 * Replaces the text that is kept under a name; undefined removes it. A reader in between finds the old text, and
 * never half of either. Rejects when the store does.
 */
export async function writeNote(
  namespaced: NamespacedStore,
  name: string,
  text: string | undefined,
  {
    nowMs,
    ttlMs,
    ...marked
  }: { readonly nowMs: number; readonly ttlMs: number } & Pick<KeptResponse, "marks">,
): Promise<void> {
  const key = toKey(name);
  const before = readParts((await namespaced.store.get(namespaced.namespace, key))?.value);
  const note = { kind: "text", status: 0, source: "", request: "", expiresAt: nowMs + ttlMs } as const;
  if (text === undefined) await namespaced.store.delete(namespaced.namespace, key);
  else await keepResponse(namespaced, { ...note, ...marked, text }, nowMs, key);
  await applyExpiry(namespaced, before);
}

/** @returns undefined when nothing is noted, or it has expired. Rejects when the store does. */
export async function loadNote(
  namespaced: NamespacedStore,
  name: string,
  nowMs: number,
): Promise<KeptResponse | undefined> {
  return loadEntry(namespaced, toKey(name), nowMs);
}

function toKey(name: string): string {
  return `note-${hashText(name)}`;
}

/** The most bytes of files that one thread keeps. */
export const maxThreadBytes = 100_000_000;

/** The entry that lists the files of a thread, the oldest first: a store need not be able to list. */
const listKey = "files";

interface ListedFile {
  readonly id: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

/**
 * Adds a file to the list of its thread, and deletes the oldest ones until they are within the limit. Rejects when the store does. Two
 * processes that do this at the same moment may each miss the other's file: it is then not counted, and ends by its time.
 */
export async function applyFileLimit(
  namespaced: NamespacedStore,
  added: ListedFile,
  nowMs: number,
): Promise<void> {
  const value = (await namespaced.store.get(namespaced.namespace, listKey))?.value;
  const files = [...readList(value).filter(({ expiresAt }) => expiresAt > nowMs), added];
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  while (bytes > maxThreadBytes && files.length > 1) {
    const oldest = files.shift();
    if (oldest === undefined) break;
    bytes -= oldest.bytes;
    await deleteKept(namespaced, oldest.id);
  }
  const { expiresAt } = added;
  await writeEntry(namespaced, listKey, { files: JSON.stringify(files), expiresAt }, expiresAt - nowMs);
}

/** A store is outside: what comes back is checked, not trusted. */
function readList({ files }: Record<string, unknown> = {}): ListedFile[] {
  const listed = typeof files === "string" ? readPlainJson(files) : undefined;
  return Array.isArray(listed) ? listed.filter(isListed) : [];
}

function isListed(value: unknown): value is ListedFile {
  const { id, bytes, expiresAt } = (value ?? {}) as Record<string, unknown>;
  return typeof id === "string" && typeof bytes === "number" && typeof expiresAt === "number";
}
