/** What the schemas of a record are made of. Each field carries its description, its default and its fix as metadata. */

import { z } from "zod";
import type { CredentialEnv } from "./api-source.js";
import {
  environmentNamePattern,
  hasBrokenSecret,
  headerNamePattern,
  headerValuePattern,
  isFramingHeader,
  parameterNamePattern,
} from "./field-syntax.js";
import type { Problem } from "./plain-data.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A field that may be left out and has no default. Beside JSON Schema's words its metadata has `fix`, which is shown when the value is
 * wrong: made of the values that it can have, or of an example, when left out.
 */
export function createOptional<Schema extends z.ZodType>(
  schema: Schema,
  meta: JsonSchema,
): z.ZodExactOptional<Schema> {
  return schema.exactOptional().meta(meta);
}

/** Lets a zod schema carry a rule that finds at most one problem in a value, for `.superRefine`: its message, and its fix if it has one. */
export function createRule<Value>(
  findProblem: (value: Value) => Problem | undefined,
): (value: Value, context: z.RefinementCtx<Value>) => void {
  return (value, context) => {
    const problem = findProblem(value);
    if (problem) context.addIssue({ code: "custom", message: problem.message, params: { fix: problem.fix } });
  };
}

export const brokenSecretProblem: Problem = {
  message: "holds a `${` that begins no variable",
  fix: "Write ${NAME}, where NAME is letters, digits and `_` and doesn't begin with a digit.",
};

/** A string that isn't empty or all spaces. */
export const wordsSchema: z.ZodString = z.string().regex(/\S/, { error: "is empty" });

/** A value that may hold `${NAME}`. */
export const secretStringSchema: z.ZodString = z
  .string()
  .superRefine(createRule((text) => (hasBrokenSecret(text) ? brokenSecretProblem : undefined)));

/**
 * Takes the schema of a member; returns the schema of a list that is not empty. Zod's own `min` and `max` also compare the `length`
 * of a value that is not a list, and throw where that can't be compared.
 *
 * @example createFilledList(z.string()).safeParse([]).success // false
 */
export const createFilledList = <Item extends z.ZodType>(item: Item): z.ZodArray<Item> =>
  z
    .array(item)
    .refine((items) => items.length > 0, { error: "is empty" })
    .meta({ minItems: 1 });

/** Text that is not blank, of at most so many characters. */
export const createShortWords = (maxCharacters: number): z.ZodString =>
  wordsSchema
    .refine((text) => text.length <= maxCharacters, { error: `must be at most ${maxCharacters} characters` })
    .meta({ maxLength: maxCharacters });

/** A path below the base URL, and nothing that could be read as another host. */
export const pathSchema: z.ZodString = z
  .string()
  .regex(/^\/(?!\/)[^\s\\#\p{Cc}]*$/u, { error: "is not a path below the base URL" });

export const headerNameSchema: z.ZodString = z
  .string()
  .regex(headerNamePattern, { error: "is not a header name (letters, digits and !#$%&'*+.^_`|~-)" });

/** Refuses what no record may set. */
export const findFramingProblem = (name: string): Problem | undefined =>
  isFramingHeader(name)
    ? {
        message: "belongs to the connection and can't be set",
        fix: "Remove it, or name the API's own header.",
      }
    : undefined;

/** The name of a header that a record may set. */
export const ownHeaderNameSchema: z.ZodString = headerNameSchema.superRefine(createRule(findFramingProblem));

/** The name of a response's header that an answer may show. */
export const shownHeaderNameSchema: z.ZodString = headerNameSchema
  .superRefine(
    createRule((name) =>
      /^set-cookie2?$/i.test(name)
        ? { message: "may hold a session, so that it is never shown", fix: "Remove it." }
        : undefined,
    ),
  )
  .meta({ not: { pattern: "^[Ss][Ee][Tt]-[Cc][Oo][Oo][Kk][Ii][Ee]2?$" } });

const environmentNameSchema = z
  .string()
  .regex(environmentNamePattern, { error: "is not the name of an environment variable" });

/** Names of variables, in one of three forms. */
export const credentialEnvSchema: z.ZodType<CredentialEnv> = z.union([
  environmentNameSchema,
  createFilledList(environmentNameSchema),
  z
    .looseObject({
      username: createOptional(environmentNameSchema, { description: "Names the variable of the username." }),
      password: createOptional(environmentNameSchema, { description: "Names the variable of the password." }),
    })
    .refine((pair) => Object.keys(pair).length > 0, {
      error: "does not say which variable holds the username and which the password",
    })
    .meta({ minProperties: 1, additionalProperties: false }),
]);

export const headersSchema: z.ZodType<Record<string, string>> = z.record(
  ownHeaderNameSchema,
  secretStringSchema
    .regex(headerValuePattern, {
      error: "holds a line break, another control character, or a character that no header can carry",
    })
    .meta({ fix: 'Write one line of text in quotes, and a secret as "${NAME}".' }),
);

/** What a query or a form is made of; other types than strings mean their text. */
export const createParametersSchema = <Value extends z.ZodType<string | number | boolean>>(
  value: Value,
  fix: string,
  name: RegExp = parameterNamePattern,
): z.ZodType<Record<string, string>> =>
  z.record(
    z.string().regex(name, { error: "is not a name that a parameter can have" }),
    value.transform(String).meta({ fix: `${fix}; write a secret as "\${NAME}".` }),
  );
