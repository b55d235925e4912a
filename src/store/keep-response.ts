/** Puts a response into a store and finds it again; one that is too large for an entry is kept in parts. */

import { randomInt } from "node:crypto";
import { bodyKinds } from "../body/response-body.js";
import type { KeptResponse } from "./kept-response.js";
import type { ResponseStore } from "./response-store.js";

/** PostgreSQL's and Redis' stores take entries of this size without complaint; larger texts are kept in parts. */
const maxPartCharacters = 4_000_000;
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
/** 36^16 is about 2^82: nobody guesses one. */
const idLength = 16;

/** @returns The id: `r_` and sixteen letters or digits. Rejects when the store does. */
export async function keepResponse(
  store: ResponseStore,
  namespace: string[],
  response: KeptResponse,
): Promise<string> {
  const id = `r_${Array.from({ length: idLength }, () => alphabet[randomInt(alphabet.length)]).join("")}`;
  const { text, ...rest } = response;
  const [first = "", ...others] = splitText(text);
  // The entry that names the parts comes last: whoever finds it finds them all.
  for (const [index, part] of others.entries()) {
    await store.put(namespace, `${id}_${index + 1}`, { text: part, expiresAt: response.expiresAt });
  }
  await store.put(namespace, id, { ...rest, text: first, parts: others.length + 1 });
  return id;
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
  if (kept === undefined || kept.response.expiresAt <= nowMs) return undefined;
  const texts = [kept.response.text];
  for (let index = 1; index < kept.parts; index += 1) {
    const part = (await store.get(namespace, `${id}_${index}`))?.value["text"];
    if (typeof part !== "string") return undefined;
    texts.push(part);
  }
  return { ...kept.response, text: texts.join("") };
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
function parseKept(value: unknown): { response: KeptResponse; parts: number } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const {
    text,
    kind,
    status,
    source,
    request,
    expiresAt,
    contentType,
    partial,
    parts,
  }: Record<string, unknown> = {
    ...value,
  };
  const knownKind = bodyKinds.find((each) => each === kind);
  if (typeof text !== "string" || knownKind === undefined || typeof status !== "number") return undefined;
  if (typeof source !== "string" || typeof request !== "string" || typeof expiresAt !== "number")
    return undefined;
  const known = parsePartial(partial);
  const response: KeptResponse = {
    text,
    kind: knownKind,
    status,
    source,
    request,
    expiresAt,
    ...(typeof contentType === "string" ? { contentType } : {}),
    ...(known === undefined ? {} : { partial: known }),
  };
  return { response, parts: typeof parts === "number" ? parts : 1 };
}

function parsePartial(value: unknown): KeptResponse["partial"] {
  if (typeof value !== "object" || value === null) return undefined;
  const { bytes, why }: Record<string, unknown> = { ...value };
  return typeof bytes === "number" && typeof why === "string" ? { bytes, why } : undefined;
}
