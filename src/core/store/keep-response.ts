/** Puts a response, or a note, into a store as one entry, and finds it again; and what a read of it asks for. */

import { randomInt } from "node:crypto";
import { z } from "zod";
import { invalidInput } from "../base/errors.js";
import type { JsonValue } from "../base/exact-number.js";
import { parseCount, parseString, readMembers, readPlainJson } from "../base/input.js";
import { hashText, quoteText } from "../base/text.js";
import { type FileContent, hashBytes } from "../body/files/file.js";
import { readAs } from "../body/interpret-text.js";
import { describeBinary, parseMediaType } from "../body/read-media-type.js";
import { type BodyKind, bodyKinds } from "../body/response-body.js";
import { type NamespacedStore, writeEntry } from "./response-store.js";

/** A member that is dropped where a store gives back something else. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

const pageScope = z.object({
  rows: z.number(),
  /** How many pages they come from. */
  pages: z.number(),
  /** How many rows the list has; absent where the API doesn't report it. */
  total: optional(z.number()),
});

/** The entry of a kept response: redacted text, never a tree (about a fifth of the memory) and never a credential. */
const keptResponse = z.object({
  /** `ResponseBody.text`: redacted text, base64 for binary. */
  text: z.string(),
  kind: z.enum(bodyKinds),
  status: z.number(),
  contentType: optional(z.string()),
  /** The tool and its request, such as `GET /issues?page=2`. */
  source: z.string(),
  /** The slugs that code read to make it. */
  madeOf: optional(z.array(z.string())),
  request: z.string(),
  /** Set when the body did not arrive whole. */
  partial: optional(z.object({ bytes: z.number(), why: z.string() })),
  /** Set when the API has more rows. */
  scope: optional(pageScope),
  /** Marks of the confidential sources that it may have content of: the thread that receives it has them, too. */
  marks: optional(z.array(z.string())),
  /** Milliseconds since the Unix epoch. */
  expiresAt: z.number(),
  /** Set when it is kept as a file, too. */
  file: optional(
    z.object({
      name: z.string(),
      type: z.string(),
      bytes: z.number(),
      sha256: z.string(),
      /** The charset that its response declared; absent for UTF-8, and where none was declared. */
      charset: optional(z.string()),
      /** Whether its bytes hold a secret: `text` does not. */
      hasSecret: z.boolean().catch(true),
    }),
  ),
});

/** A store is outside: what comes back is checked, not trusted. */
const entrySchema = keptResponse.extend({
  /** The bytes of the file in base64, where `text` is not made of them. */
  content: optional(z.string()),
  /** Whether `text` is written as JSON. */
  isEscaped: optional(z.boolean()),
});

/** The rows of an answer that is a part of a longer list. */
export type PageScope = Readonly<z.infer<typeof pageScope>>;

export type KeptResponse = Readonly<z.infer<typeof keptResponse>>;

/** A kept file with its bytes. */
export type KeptFileContent = FileContent & { readonly kept: KeptResponse };

/** A response to be kept. */
export interface KeepInput extends KeptResponse {
  /** The bytes of its file as they were received; `text` is redacted. */
  readonly content?: Uint8Array;
}

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
 * @returns its key: by default a new id.
 */
export async function keepResponse(
  namespaced: NamespacedStore,
  { text, content, ...rest }: KeepInput,
  nowMs: number,
  key: string = createId(),
): Promise<string> {
  const isInText = content === undefined || toBytes(text, rest.kind).equals(content);
  // PostgreSQL's `jsonb` refuses a NUL and half a pair of surrogates (its documentation, section 8.14): such a text is kept as JSON.
  const isEscaped = !text.isWellFormed() || text.includes("\0");
  const entry = {
    ...rest,
    text: isEscaped ? JSON.stringify(text) : text,
    isEscaped,
    ...(isInText ? {} : { content: Buffer.from(content).toString("base64") }),
  };
  await writeEntry(namespaced, key, entry, rest.expiresAt - nowMs);
  return key;
}

/** The bytes that a kept text is made of, unless a secret was redacted in it, or it came in another charset. */
function toBytes(text: string, kind: BodyKind): Buffer {
  return Buffer.from(text, kind === "binary" ? "base64" : "utf8");
}

/** A kept response, and the bytes of its file where its text is not made of them. */
export interface KeptEntry {
  readonly response: KeptResponse;
  /** In base64. */
  readonly content: string | undefined;
}

/** @returns undefined when it does not exist, or has expired. Rejects when the store does. */
export async function loadKept(
  namespaced: NamespacedStore,
  id: string,
  nowMs: number,
): Promise<KeptEntry | undefined> {
  // A note has a key that can be computed, and is not a response.
  return /^r_[0-9a-z]{1,64}$/.test(id) ? loadEntry(namespaced, id, nowMs) : undefined;
}

/** The file that was kept with a response; undefined without a file, and where its bytes are not the ones that were kept. */
export function toFile({ response: kept, content }: KeptEntry): KeptFileContent | undefined {
  if (kept.file === undefined) return undefined;
  const { name, type, sha256 } = kept.file;
  const bytes =
    content === undefined ? toBytes(kept.text, kept.kind) : Buffer.from(content, "base64");
  return hashBytes(bytes) === sha256 ? { name, type, bytes, kept } : undefined;
}

/** Loads a response, or a note, by its key. @returns undefined when it does not exist, or has expired. Rejects when the store does. */
export async function loadEntry(
  { store, namespace }: NamespacedStore,
  key: string,
  nowMs: number,
): Promise<KeptEntry | undefined> {
  const { data } = entrySchema.safeParse((await store.get(namespace, key))?.value);
  if (data === undefined) return undefined;
  if (data.expiresAt <= nowMs) {
    await store.delete(namespace, key);
    return undefined;
  }
  const { isEscaped = false, content, ...response } = data;
  const text = isEscaped ? readPlainJson(response.text) : response.text;
  const kept: KeptResponse = { ...response, text: typeof text === "string" ? text : response.text };
  return { response: kept, content };
}

/**
 * Reads the text of a kept response again: the same document as the first reading, `null` when there was no body. `contentType` gives
 * the type of bytes, and values between tabs. Never throws.
 */
export async function parseKeptText(
  text: string,
  kind: BodyKind,
  contentType?: string,
): Promise<JsonValue> {
  if (kind === "binary")
    return describeBinary(Buffer.from(text, "base64"), parseMediaType(contentType));
  if (kind === "empty") return null;
  return (await readAs(kind, text, parseMediaType(contentType))).document;
}

/** The key of what is kept under a name. */
export function toNoteKey(name: string): string {
  return `note-${hashText(name)}`;
}

/** The input of a read of a kept response. */
export interface ReadRequest {
  readonly id: string;
  /** A JMESPath over the whole kept body. */
  readonly select?: string | undefined;
  /** A string to search for. */
  readonly find?: string | undefined;
  /** The first element, member or character (or match) to show, from 0. */
  readonly offset?: number | undefined;
  /** How many of them. */
  readonly limit?: number | undefined;
  /** Whether a model is shown the image itself. */
  readonly as?: "image" | undefined;
}

const partMembers = ["id", "select", "find", "offset", "limit", "as"] as const;

/** @throws ApiSourceError `invalid_input` that names the member and what would be right. */
export function parseReadRequest(input: unknown): ReadRequest {
  const given = readMembers(input, partMembers, { example: '{"id":"r_7f3ak2"}' });
  const id = typeof given.id === "string" ? given.id.trim() : "";
  if (id === "")
    throw invalidInput("id is missing.", "Give the id from shortened.id of an earlier answer.");
  return {
    id,
    select: parseString("select", given.select),
    find: parseString("find", given.find),
    offset: parseCount("offset", given.offset, 0),
    limit: parseCount("limit", given.limit, 0) || undefined,
    as: parseForm(given.as),
  };
}

function parseForm(given: unknown): "image" | undefined {
  const form = parseString("as", given);
  if (form === "image") return form;
  if (form === undefined || form === "data") return undefined;
  throw invalidInput(
    `as is ${quoteText(form, 40)}.`,
    'Write "image" to see an image; leave it out to read data.',
  );
}
