/** The JSON Schema of a record, so that editors complete and check the files. */

import { z } from "zod";
import type { JsonSchema } from "./implies.js";
import { recordSchema } from "./record-schema.js";

/**
 * Generated from the schema that `parseSource` checks by; draft-07, which every editor knows. Unknown keys are
 * allowed, as the parser allows them. What only the parser judges: keys that are nearly a known one, credentials that
 * stand in a record, and headers or parameters that contradict each other.
 */
export const apiSourceJsonSchema: JsonSchema = toJsonSchema();

function toJsonSchema(): JsonSchema {
  return { ...z.toJSONSchema(recordSchema, { target: "draft-7", io: "input" }) };
}
