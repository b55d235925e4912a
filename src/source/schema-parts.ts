/** What the schemas of a record are made of. Each field carries its description, its default and its fix as metadata. */

import { z } from "zod";
import type { CredentialEnv } from "./api-source.js";
import {
  environmentNamePattern,
  hasBrokenSecret,
  headerNamePattern,
  headerValuePattern,
} from "./field-syntax.js";
import { createRule, type Flaw } from "./flaw.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Metadata of a field: JSON Schema's words, and `fix`, which is told when the value is wrong. */
interface FieldMeta {
  readonly description: string;
  readonly fix?: string | ((value: unknown) => string);
  readonly [keyword: string]: unknown;
}

/** A field that may be left out and has no default. */
export function createOptional<Schema extends z.ZodType>(
  schema: Schema,
  meta: FieldMeta,
): z.ZodExactOptional<Schema> {
  return schema.exactOptional().meta(meta);
}

/**
 * States in JSON Schema a rule that spans several fields: whatever fits `condition` must fit `consequence` too. zod has no word
 * for it that its generator understands; every draft knows these.
 */
export function createImplication(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}

export const brokenSecretFlaw: Flaw = {
  message: "holds a `${` that begins no variable",
  fix: "Write ${NAME}, where NAME is letters, digits and `_` and doesn't begin with a digit.",
};

/** A string that isn't empty or all spaces. */
export const wordsSchema: z.ZodString = z.string().regex(/\S/, { error: "is empty" });

/** A value that may hold `${NAME}`. */
export const secretStringSchema: z.ZodString = z
  .string()
  .superRefine(createRule((text) => (hasBrokenSecret(text) ? brokenSecretFlaw : undefined)));

export const headerNameSchema: z.ZodString = z
  .string()
  .regex(headerNamePattern, { error: "is not a header name (letters, digits and !#$%&'*+.^_`|~-)" });

export const parameterNamePattern: RegExp = /^[^\s\p{Cc}]+$/u;

const environmentNameSchema = z
  .string()
  .regex(environmentNamePattern, { error: "is not the name of an environment variable" });

/** Names of variables, in one of three forms. */
export const credentialEnvSchema: z.ZodType<CredentialEnv> = z.union([
  environmentNameSchema,
  z.array(environmentNameSchema).min(1),
  z
    .strictObject({
      username: createOptional(environmentNameSchema, { description: "Names the variable of the username." }),
      password: createOptional(environmentNameSchema, { description: "Names the variable of the password." }),
    })
    .meta({ minProperties: 1 }),
]);

export const headersSchema: z.ZodType<Record<string, string>> = z.record(
  headerNameSchema,
  secretStringSchema
    .regex(headerValuePattern, {
      error: "holds a line break, another control character, or a character that no header can carry",
    })
    .meta({ fix: 'Write one line of text in quotes; "${NAME}" stands for a secret.' }),
);

const asString = (value: string | number | boolean): string => String(value);

/** A number or a boolean means its text. */
export const constantQuerySchema: z.ZodType<Record<string, string>> = z.record(
  z.string().regex(parameterNamePattern, { error: "is not the name of a query parameter" }),
  z
    .union([secretStringSchema, z.int(), z.boolean()])
    .transform(asString)
    .meta({ fix: 'Write a string, a whole number, true or false; "${NAME}" stands for a secret.' }),
);

/** A number means its text. */
export const variablesSchema: z.ZodType<Record<string, string>> = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, { error: "is not a name that can stand in {name}" }),
  z
    .union([secretStringSchema, z.int()])
    .transform(asString)
    .meta({ fix: 'Write a string or a whole number; "${NAME}" stands for a secret.' }),
);
