/** The JSON Schema of a record. A file of its own: a list of sources starts sooner without it. */

import { z } from "zod";
import { recordSchema } from "./record-schema.js";
import type { JsonSchema } from "./schema-parts.js";

/**
 * The JSON Schema of a record, so that editors complete and check the files; draft-07, which every editor knows. Unknown keys are
 * allowed, as the parser allows them. What only the parser judges: keys that are nearly a known one, credentials in
 * a record, and headers or parameters that contradict each other.
 */
export const apiSourceJsonSchema: JsonSchema = {
  ...z.toJSONSchema(recordSchema, {
    target: "draft-7",
    io: "input",
    // Ours alone: strict validators refuse keywords that they don't know.
    override: ({ jsonSchema }) => void delete jsonSchema["fix"],
  }),
};
