/** Puts a response, or a note, into a store and finds it again; a text that is too large for an entry is kept in parts. */

import { randomInt } from "node:crypto";
import { describeBinary } from "../body/describe-binary.js";
import { readAs } from "../body/interpret-text.js";
import { parseMediaType } from "../body/read-media-type.js";
import { type BodyKind, bodyKinds } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";
import { hashText } from "../text.js";
import { type ResponseStore, writeEntry } from "./response-store.js";

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

/** What was kept, under which keys, the one that names the others first. */
export interface KeptKeys {
  /** `r_` and sixteen letters or digits. */
  readonly id: string;
  readonly keys: readonly string[];
}

/** Keeps a response until its `expiresAt`. Rejects when the store does. */
export async function keepResponse(
  store: ResponseStore,
  namespace: string[],
  response: KeptResponse,
  nowMs: number,
): Promise<KeptKeys> {
  const id = `r_${Array.from({ length: idLength }, () => alphabet[randomInt(alphabet.length)]).join("")}`;
  const { text, ...rest } = response;
  const isEscaped = !isStorable(text);
  const [first = "", ...others] = splitText(isEscaped ? JSON.stringify(text) : text);
  const keys = listKeys(id, others.length + 1);
  const { expiresAt } = response;
  const write = (key: string, value: Record<string, unknown>): Promise<void> =>
    writeEntry(store, { namespace, key, value, ttlMs: expiresAt - nowMs });
  // The entry that names the parts comes last: whoever finds it finds them all.
  for (const [index, part] of others.entries()) {
    await write(keys[index + 1] ?? id, { text: part, expiresAt });
  }
  await write(id, { ...rest, text: first, parts: keys.length, ...(isEscaped ? { isEscaped } : {}) });
  return { id, keys };
}

function listKeys(id: string, parts: number): string[] {
  return Array.from({ length: parts }, (_, index) => (index === 0 ? id : `${id}_${index}`));
}

/** PostgreSQL's `jsonb` refuses a NUL and half a pair of surrogates (its documentation, section 8.14): such a text is kept as JSON. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The entry that names the parts goes first: whoever looks in between finds nothing, and no half. Rejects when the store does. */
export async function applyExpiry(
  store: ResponseStore,
  namespace: string[],
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await store.delete(namespace, key);
}

/** @returns undefined when there is none, it has expired, or a part of it is gone. Rejects when the store does. */
export async function loadKeptResponse(
  store: ResponseStore,
  namespace: string[],
  id: string,
  nowMs: number,
): Promise<KeptResponse | undefined> {
  if (!/^r_[0-9a-z]{1,64}$/.test(id)) return undefined;
  const entry = await store.get(namespace, id);
  const kept = parseKept(entry?.value);
  if (kept === undefined) return undefined;
  if (kept.response.expiresAt <= nowMs) {
    await applyExpiry(store, namespace, listKeys(id, kept.parts));
    return undefined;
  }
  const texts = [kept.response.text];
  for (const key of listKeys(id, kept.parts).slice(1)) {
    const part = (await store.get(namespace, key))?.value["text"];
    if (typeof part !== "string") return undefined;
    texts.push(part);
  }
  const text = texts.join("");
  return { ...kept.response, text: kept.isEscaped ? parseEscaped(text) : text };
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

/** Cuts between characters: a store that keeps UTF-8 would lose half of a pair. */
function splitText(text: string): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + maxPartCharacters, text.length);
    if (end < text.length && isLeadSurrogate(text.charCodeAt(end - 1))) end -= 1;
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

function isLeadSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** A store is outside: what comes back is checked, not trusted. */
function parseKept(
  value: Record<string, unknown> | undefined,
): { response: KeptResponse; parts: number; isEscaped: boolean } | undefined {
  const { text, kind, status, source, request, expiresAt, contentType, partial, parts, isEscaped } =
    value ?? {};
  const known = bodyKinds.find((each) => each === kind);
  const hasTexts = typeof text === "string" && typeof source === "string" && typeof request === "string";
  if (!hasTexts || known === undefined || typeof status !== "number" || typeof expiresAt !== "number")
    return undefined;
  const { bytes, why }: Record<string, unknown> = { ...Object(partial) };
  const response: KeptResponse = {
    text,
    kind: known,
    status,
    source,
    request,
    expiresAt,
    ...(typeof contentType === "string" ? { contentType } : {}),
    ...(typeof bytes === "number" && typeof why === "string" ? { partial: { bytes, why } } : {}),
  };
  return { response, parts: typeof parts === "number" ? parts : 1, isEscaped: isEscaped === true };
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

export interface Note {
  readonly namespace: string[];
  readonly name: string;
  /** Undefined removes what is noted. */
  readonly text: string | undefined;
  readonly nowMs: number;
  readonly ttlMs: number;
}

/** Puts a text in the place of what was noted. Rejects when the store does. */
export async function writeNote(
  store: ResponseStore,
  { namespace, name, text, nowMs, ttlMs }: Note,
): Promise<void> {
  const key = toKey(name);
  const before = readKeys((await store.get(namespace, key))?.value);
  if (text === undefined) {
    await store.delete(namespace, key);
  } else {
    const expiresAt = nowMs + ttlMs;
    const kept = { text, kind: "text" as const, status: 0, source: "", request: "", expiresAt };
    // The new text first: whoever looks in between finds the old one, and never half of either.
    const { keys } = await keepResponse(store, namespace, kept, nowMs);
    await writeEntry(store, { namespace, key, value: { keys: [...keys], expiresAt }, ttlMs });
  }
  await applyExpiry(store, namespace, before);
}

/** @returns undefined when nothing is noted, or it has expired. Rejects when the store does. */
export async function loadNote(
  store: ResponseStore,
  namespace: string[],
  name: string,
  nowMs: number,
): Promise<string | undefined> {
  const [id] = readKeys((await store.get(namespace, toKey(name)))?.value);
  return id === undefined ? undefined : (await loadKeptResponse(store, namespace, id, nowMs))?.text;
}

/** A store is outside: what comes back is checked. */
function readKeys(value: unknown): string[] {
  const keys = typeof value === "object" && value !== null && "keys" in value ? value.keys : undefined;
  return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
}

function toKey(name: string): string {
  return `note-${hashText(name)}`;
}
