/** The JSON Schema of a record. A file of its own: a list of sources starts sooner without it. */

import { z } from "zod";
import { recordSchema } from "./record-schema.js";
import type { JsonSchema } from "./schema-parts.js";

type Written = z.core.JSONSchema.BaseSchema;

/** @param keepsOwn - Whether `fix`, `secret` and `page` stay: strict validators refuse keywords that they don't know. */
export function writeJsonSchema(schema: z.ZodType, keepsOwn: boolean = false): Written {
  const own = keepsOwn ? ["conditions"] : ["conditions", "fix", "secret", "page"];
  const override = ({ jsonSchema }: { readonly jsonSchema: Written }): void => {
    const { conditions } = jsonSchema;
    if (Array.isArray(conditions))
      jsonSchema.allOf = conditions.map(([when, needs]) => {
        const { anyOf = [] } = writeJsonSchema(needs);
        const { $schema: _, ...not } = writeJsonSchema(when);
        return { anyOf: [{ not }, ...anyOf] };
      });
    // The same as nothing.
    if (JSON.stringify(jsonSchema.additionalProperties) === "{}")
      delete jsonSchema.additionalProperties;
    for (const keyword of own) delete jsonSchema[keyword];
  };
  return { ...z.toJSONSchema(schema, { target: "draft-7", io: "input", override }) };
}

/**
 * The JSON Schema of a record, so that editors complete and check the files; draft-07, which every editor knows. Unknown keys are
 * refused, as the parser refuses them; those that begin with `x-` are free. What only the parser judges: credentials in a record, and headers
 * or parameters that contradict each other.
 */
export const apiSourceJsonSchema: JsonSchema = writeJsonSchema(recordSchema);
