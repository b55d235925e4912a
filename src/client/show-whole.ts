/** An answer for code rather than for a model: its document whole, without a budget. */

import { applyErrorBounds } from "../diagnosis/call-error.js";
import { applyToScalars, ExactNumber, type JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import type { CallContext } from "../runtime.js";
import { parseKeptText } from "../store/parse-kept-text.js";
import type { Answer } from "./answer.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import type { ShowAnswerInput } from "./show-answer.js";

/** Puts the whole document into the frame. Any depth. */
export function showWhole({ frame, picked }: ShowAnswerInput): Answer {
  const { error } = frame;
  return {
    ...frame,
    ...(error === undefined ? {} : { error: applyErrorBounds(error) }),
    ...(picked.document === undefined ? {} : { data: writeForCode(picked.document) }),
  };
}

/** A kept body as JSON text for code; undefined for an id that is unknown, expired, or another scope's. */
export async function loadKeptWhole(
  runtime: ClientRuntime,
  id: string,
  context: CallContext,
): Promise<string | undefined> {
  const kept = await runtime.archive.load(id, context);
  if (kept === undefined) return undefined;
  return writeForCode(await parseKeptText(kept.text, kept.kind, kept.contentType));
}

/** As `JSON.parse` can read it without losing a number: an integer beyond 2^53 is a string. Changes the document. */
function writeForCode(document: JsonValue): string {
  return writeJson(
    applyToScalars(document, (scalar) => (scalar instanceof ExactNumber ? scalar.toJSON() : scalar)),
  );
}
