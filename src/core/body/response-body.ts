/** A response body after reading: redacted text and, where it has structure, the document in it. */

import type { JsonValue } from "../base/exact-number.js";

export const bodyKinds = ["empty", "json", "xml", "html", "csv", "text", "binary"] as const;
export type BodyKind = (typeof bodyKinds)[number];

export interface ResponseBody {
  readonly kind: BodyKind;
  /**
   * What `data` of the answer is made of: the JSON itself; an XML document as JSON; `{title, text}` of HTML; CSV rows as
   * objects; a text as one string; `{type, bytes}` of binary. Absent when there was no body.
   */
  readonly document?: JsonValue;
  /** The redacted text (base64 for binary): what is kept and read again. `""` when there was no body. */
  readonly text: string;
  /** The declared media type without parameters, in lower case; absent when none was declared. */
  readonly contentType?: string;
  /** Size in bytes of what arrived, decompressed. */
  readonly bytes: number;
  /** Set when the document does not hold the whole body: the body was truncated, or was broken JSON that could be salvaged. */
  readonly partial?: { readonly bytes: number; readonly why: string };
  /** What is odd about it and worth telling, in sentences, such as `Declared application/json but is HTML.` */
  readonly warnings?: readonly string[];
  /** Whether its structure is larger than the limits of a document: then it is shown as text, with a warning. */
  readonly isTooLarge?: true;
  /** Whether the document is what a gzip file contains. */
  readonly isOpened?: true;
}

/** What one way of reading makes of a text. */
export interface TextReading {
  readonly kind: BodyKind;
  readonly document: JsonValue;
  /** Why the document does not hold the whole text. */
  readonly missing?: string;
  readonly warnings: readonly string[];
  readonly isTooLarge?: true;
}
