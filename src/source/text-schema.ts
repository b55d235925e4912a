/** The zod schemas of texts, and of lists and maps of texts, that more than one field of a record is made of. */

import { z } from "zod";
import { environmentNamePattern, hasBrokenSecret } from "./find-placeholders.js";
import type { Flaw } from "./flaw.js";
import { headerNamePattern, headerValuePattern } from "./header-rules.js";
import { reportFlaw } from "./report-flaw.js";

export const brokenSecretFlaw: Flaw = {
  message: "holds a `${` that begins no variable",
  fix: "Write ${NAME}, where NAME is letters, digits and `_` and doesn't begin with a digit.",
};

export const environmentNameSchema: z.ZodString = z
  .string()
  .regex(environmentNamePattern, { error: "is not the name of an environment variable" });

export const headerNameSchema: z.ZodString = z
  .string()
  .regex(headerNamePattern, { error: "is not a header name (letters, digits and !#$%&'*+.^_`|~-)" });

export const parameterNamePattern: RegExp = /^[^\s\p{Cc}]+$/u;

export const parameterNameSchema: z.ZodString = z
  .string()
  .regex(parameterNamePattern, { error: "is not the name of a query parameter" });

/** A value that may hold `${NAME}`. */
const secretTextSchema = z
  .string()
  .superRefine(reportFlaw((text) => (hasBrokenSecret(text) ? brokenSecretFlaw : undefined)));

export const headersSchema: z.ZodType<Record<string, string>> = z.record(
  headerNameSchema,
  secretTextSchema.regex(headerValuePattern, {
    error: "holds a line break, another control character, or a character that no header can carry",
  }),
);

export const constantQuerySchema: z.ZodType<Record<string, string | number | boolean>> = z.record(
  parameterNameSchema,
  z.union([secretTextSchema, z.int(), z.boolean()]),
);

export const variablesSchema: z.ZodType<Record<string, string | number>> = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, { error: "is not a name that can stand in {name}" }),
  z.union([secretTextSchema, z.int()]),
);
