/** Reads the kept text of a response again. */

import { describeBinary } from "../body/describe-binary.js";
import { readAs } from "../body/interpret-text.js";
import { parseMediaType } from "../body/read-media-type.js";
import type { BodyKind } from "../body/response-body.js";
import type { JsonDocument } from "../json/json-document.js";

/**
 * Takes `text` and `kind` of a `ResponseBody` (and its `contentType`, which only binary needs for its `type`). Returns the same
 * document as the first reading; `null` as value when there was no body. With `exact` a large JSON text is parsed once, for a query
 * that needs all numbers as they are. Never throws.
 */
export async function parseKeptText(
  text: string,
  kind: BodyKind,
  contentType?: string,
  { exact = false }: { readonly exact?: boolean } = {},
): Promise<JsonDocument> {
  if (kind === "binary") return describeBinary(Buffer.from(text, "base64"), parseMediaType(contentType));
  if (kind === "empty") return { value: null, numberMark: "" };
  const reading = await readAs(kind, text, [], exact);
  return reading.document ?? { value: text, numberMark: "" };
}
