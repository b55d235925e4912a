/** Reads the kept text of a response again. */

import { describeBinary } from "../body/describe-binary.js";
import { readAs } from "../body/interpret-text.js";
import { parseMediaType } from "../body/read-media-type.js";
import type { BodyKind } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";

/**
 * Takes `text` and `kind` of a `ResponseBody` (and its `contentType`, which only binary needs for its `type`). Returns the same
 * document as the first reading; `null` as value when there was no body. Never throws.
 */
export async function parseKeptText(text: string, kind: BodyKind, contentType?: string): Promise<JsonValue> {
  if (kind === "binary") return describeBinary(Buffer.from(text, "base64"), parseMediaType(contentType));
  if (kind === "empty") return null;
  return (await readAs(kind, text)).document;
}
