/** What a reader of an answer has seen of the API, as documents: the body as it was shown, and the rest. */

import type { JsonValue } from "../json/exact-number.js";
import { parseJson } from "../json/parse-json.js";
import type { Answer } from "./answer.js";

export function listShownParts({
  data,
  error,
  notes,
  headers,
  next,
  file,
  shortened,
  summary,
}: Answer): readonly JsonValue[] {
  const name = typeof file === "object" ? file.name : undefined;
  const { try: queries } = { ...shortened };
  const rest: JsonValue = JSON.parse(
    JSON.stringify({ error, notes, headers, next, file: name, summary, queries }),
  );
  return data === undefined ? [rest] : [parseJson(data), rest];
}
