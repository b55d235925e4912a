/** A response body after reading: redacted text and, where it has structure, the document in it; and how large that may be. */

import type { JsonValue } from "../base/exact-number.js";

export const bodyKinds = ["empty", "json", "xml", "html", "csv", "text", "binary"] as const;
export type BodyKind = (typeof bodyKinds)[number];

/** The type that a Content-Type header declares. */
export interface MediaType {
  /** The type without parameters, in lower case; absent when none or nonsense was declared. */
  readonly name?: string;
  readonly charset?: string;
  /** The kind that it declares; absent when it declares nothing (`application/octet-stream` declares bytes). */
  readonly promises?: Exclude<BodyKind, "empty">;
}

export interface ResponseBody {
  readonly kind: BodyKind;
  /**
   * The source of `data` in the answer: the JSON itself; an XML document as JSON; `{title, text}` of HTML; CSV rows as
   * objects; a text as one string; `{type, bytes}` of binary. Absent when there was no body.
   */
  readonly document?: JsonValue;
  /** The redacted text (base64 for binary): what is kept and read again. `""` when there was no body. */
  readonly text: string;
  /** The declared media type without parameters, in lower case; absent when none was declared. */
  readonly contentType?: string;
  /** The type that the redacted header declares; absent for a body that was not read from a response. */
  readonly declared?: MediaType;
  /** Size in bytes of what arrived, decompressed. */
  readonly bytes: number;
  /** Set when the document does not hold the whole body: the body was truncated, or was broken JSON that could be salvaged. */
  readonly partial?: { readonly bytes: number; readonly why: string };
  /** Why rows of the body may not be in the document, or not whole. */
  readonly doubt?: string;
  /** Notes about oddities of the body, in sentences. */
  readonly warnings?: readonly string[];
  /** Whether its structure is larger than the limits of a document: then it is shown as text, with a warning. */
  readonly isTooLarge?: true;
  /** Whether reading joined the parts of a secret, which was redacted: the bytes that arrived still have it. */
  readonly hidSecret?: true;
  /** Whether the document is what a gzip file contains. */
  readonly isOpened?: true;
}

/** The result of reading a text. */
export interface Reading {
  readonly document: JsonValue;
  /** Why the document does not hold the whole text. */
  readonly missing?: string;
  /** Why rows of the body may not be in the document, or not whole. */
  readonly doubt?: string;
  readonly warnings?: readonly string[];
}

/** As which kind a text was read. */
export interface TextReading extends Reading {
  readonly kind: BodyKind;
  readonly isTooLarge?: true;
  /** Whether it joined the parts of a secret, which was redacted. */
  readonly hidSecret?: true;
}

/**
 * Rows of 20 characters fill 10 MB within these limits, tables of any API do by far. Ten million brackets would take seconds and
 * gigabytes.
 */
export const treeLimits = {
  /** Containers within containers. */
  depth: 1_000,
  /** Objects and lists; elements of markup; rows of CSV. */
  containers: 500_000,
  /** Members, elements and cells. */
  values: 2_000_000,
  /** Columns of CSV, attributes of one element. */
  columns: 10_000,
} as const;

type Limit = keyof typeof treeLimits;

const words: Record<Limit, (limit: string) => string> = {
  depth: (limit) => `nested deeper than ${limit} levels`,
  containers: (limit) => `made of more than ${limit} objects, lists, elements or rows`,
  values: (limit) => `made of more than ${limit} values`,
  columns: (limit) => `made of rows with more than ${limit} columns`,
};

/** The end of the reading: `message` names the limit, such as `nested deeper than 1,000 levels`. */
export class TooLargeError extends Error {}

/**
 * Takes what a document would be made of.
 *
 * @throws TooLargeError when it is not within the limits
 */
export function checkTreeSize(size: Partial<Readonly<Record<Limit, number>>>): void {
  for (const name of Object.keys(treeLimits) as Limit[])
    if ((size[name] ?? 0) > treeLimits[name])
      throw new TooLargeError(words[name](treeLimits[name].toLocaleString("en-US")));
}

/** Characters of one step: some milliseconds. */
export const stepLength = 262_144;

/** Resolves when others had their turn: a large body is read in steps. */
export function toNextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
