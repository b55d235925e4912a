/**
 * The parts of the schemas of a record. Each field carries metadata: JSON Schema's words, and four of our own. `fix` is shown when a value is wrong
 * (made of the values that it can have, or of an example, when left out); `secret`: a value may be one, and is not shown; `page`: where the documentation
 * has more; `conditions`: what `addConditions` added.
 */

import { z } from "zod";
import { hasDotSegment } from "../base/path-readings.js";
import {
  fillSecrets,
  headerNamePattern,
  headerValuePattern,
  isFramingHeader,
} from "./field-syntax.js";
import { findInlineSecrets, type PlacedProblem, type Problem } from "./problem.js";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * An object of a record. The schema keeps unknown keys, since notes (`x-…`) stay and `unknown-keys` has better words for the rest; JSON
 * Schema refuses them, and its type has the known ones alone.
 */
export const createLevel = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strip> =>
  z.looseObject(shape).meta({
    additionalProperties: false,
    patternProperties: { "^(?:[xX]-|\\$schema$)": {} },
  });

/** A field that may be left out and has no default. */
export const createOptional = <Schema extends z.ZodType>(
  schema: Schema,
  meta: JsonSchema,
): z.ZodOptional<Schema> => schema.optional().meta(meta);

/** For a check of an object that also runs where a member of it is wrong: all problems are reported at once. */
export const always: { readonly when: () => boolean } = { when: () => true };

/** For `.superRefine`: reports the problem of a value, or problems of places in it. */
export const createRule =
  <Value>(findProblems: (value: Value) => Problem | readonly PlacedProblem[] | undefined) =>
  (value: Value, context: z.RefinementCtx<Value>): void => {
    for (const problem of [findProblems(value) ?? []].flat()) {
      const { message, fix } = problem;
      const path = "path" in problem ? [...problem.path] : [];
      context.addIssue({ code: "custom", path, message, params: { fix } });
    }
  };

/** Members of an object that a condition is about; others are as they may be. */
type Members = Readonly<Record<string, z.ZodType>>;

export interface Condition {
  /** Absent: it is always needed. */
  readonly when?: Members;
  /** One of them, where it is a list. */
  readonly needs: Members | readonly Members[];
  /** The field that has the problem. */
  readonly field: string;
  readonly message: string;
  /** Absent where the field's own words say what to write. */
  readonly fix?: string;
}

export const given: z.ZodUnknown = z.unknown();
export const absent: z.ZodOptional<z.ZodNever> = z.never().optional();

/** Where some fields are so, others must be so; the problem is that of the first of these. */
export const requires = (
  when: Members,
  needs: Members,
  message: string,
  fix?: string,
): Condition => {
  const [field = ""] = Object.keys(needs);
  return { when, needs, field, message, fix };
};

/** Beside one field another is needed: beside any value of it, or beside this word. */
export const needs = (one: string, other: string, word?: string): Condition =>
  requires(
    { [one]: word === undefined ? given : z.literal(word) },
    { [other]: given },
    `is missing: \`${one}\`${word === undefined ? "" : ` "${word}"`} needs it`,
  );

export const excludes = (one: string, other: string): Condition =>
  requires(
    { [one]: given },
    { [other]: absent },
    `is set beside \`${one}\``,
    "Keep one of the two.",
  );

export const sendsNoBody = (field: string): Condition =>
  requires(
    { method: z.literal("GET") },
    { [field]: absent },
    "is a body for GET, which sends none",
    "Remove it, or write another `method`.",
  );

/** The problem is that of the first field. */
export const needsOneOf = (fields: readonly string[], when: Members = {}): Condition => {
  const [field = "", ...others] = fields;
  const message = `is missing, and so is ${others.map((other) => `\`${other}\``).join(" or ")}`;
  return { when, needs: fields.map((each) => ({ [each]: given })), field, message };
};

/** Adds conditions that JSON Schema and the parser both judge: each condition is two schemas, which are checked here, and written into the JSON Schema. */
export function addConditions<Schema extends z.ZodType>(
  schema: Schema,
  conditions: readonly Condition[],
): Schema {
  const judged = conditions.map(({ when = {}, needs, ...problem }) => ({
    ...problem,
    when: z.looseObject(when),
    needs: z.union([needs].flat().map((members) => z.looseObject(members))),
  }));
  const fits = (one: z.ZodType, value: unknown) => one.safeParse(value, { jitless: true }).success;
  const find = (value: unknown): PlacedProblem[] =>
    judged
      .filter(({ when, needs }) => fits(when, value) && !fits(needs, value))
      .map(({ field, ...problem }) => ({ ...problem, path: [field] }));
  return schema
    .superRefine(createRule(find), always)
    .meta({ conditions: judged.map(({ when, needs }) => [when, needs]) });
}

/** A `${` that begins no `${NAME}`, such as `${}`, `${my-key}` or an unclosed one. */
export const findBrokenSecret = (text: string): Problem | undefined =>
  fillSecrets(text, () => "").includes("${")
    ? {
        message: "holds a `${` that begins no variable",
        fix: "Write ${NAME}, where NAME is letters, digits and `_` and doesn't begin with a digit.",
      }
    : undefined;

/** Zod's own `int` ends a check of the whole record, so that other problems of it would not be found. */
export const createWholeNumber = (
  from: number = Number.MIN_SAFE_INTEGER,
  to: number = Number.MAX_SAFE_INTEGER,
): z.ZodNumber =>
  z
    .number()
    .refine(Number.isInteger, { error: "must be a whole number" })
    .min(from)
    .max(to)
    .meta({ type: "integer" });

/** A string that isn't empty or all spaces. */
export const wordsSchema: z.ZodString = z.string().regex(/\S/, { error: "is empty" });

/** A JMESPath over a body. */
export const bodyExpressionSchema: z.ZodString = wordsSchema
  .regex(/^(?!header:)/, { error: "names a header, and this is read from the body" })
  .meta({ fix: "Write a JMESPath over the body." });

/** A value that may hold `${NAME}`. */
export const secretStringSchema: z.ZodString = z.string().superRefine(createRule(findBrokenSecret));

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

/** A path below the base URL, and nothing that could be read as another host. */
export const pathSchema: z.ZodString = z
  .string()
  .regex(/^\/(?!\/)[^\s\\#\p{Cc}]*$/u, { error: "is not a path below the base URL" });

/** A pattern is a path from the base URL on; a whole segment may be `*` (any one) or `**` (any number). */
export const patternSchema: z.ZodString = z
  .string()
  .regex(/^\//, { error: "does not begin with `/`" })
  .regex(/^[^?#{}\\\s\p{Cc}]*$/u, {
    error:
      "holds `?`, `#`, a brace, a backslash, a space or a control character, which no path has",
  })
  .regex(/^(?:\/(?:\*{1,2}|[^*/]*))*$/, { error: "has a `*` that is part of a segment" })
  .refine((pattern) => !hasDotSegment(pattern), "has a `.` or `..` segment, which no request has")
  .meta({
    fix: 'Write a path such as "/users/*/repos/**": `*` is one whole segment (also where a {name} varies), `**` any number; a space is %20.',
  });

export const headerNameSchema: z.ZodString = z.string().regex(headerNamePattern, {
  error: "is not a header name (letters, digits and !#$%&'*+.^_`|~-)",
});

/** Refuses what no record may set. */
export const findFramingProblem = (name: string): Problem | undefined =>
  isFramingHeader(name)
    ? {
        message: "belongs to the connection and can't be set",
        fix: "Remove it, or name the API's own header.",
      }
    : undefined;

/** The name of a header that a record may set. */
export const ownHeaderNameSchema: z.ZodString = headerNameSchema.superRefine(
  createRule(findFramingProblem),
);

export const parameterNameSchema: z.ZodString = z
  .string()
  .regex(/^[^\s\p{Cc}]+$/u, { error: "is not a name that a parameter can have" });

/** A name that a shell can export (POSIX XBD 8.1, lower case allowed too). */
const environmentNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "is not the name of an environment variable" });

/** Names of variables, in one of three forms. */
export const credentialEnvSchema = z.union([
  environmentNameSchema,
  createFilledList(environmentNameSchema),
  createLevel({
    username: environmentNameSchema
      .optional()
      .meta({ description: "The variable of the username." }),
    password: environmentNameSchema
      .optional()
      .meta({ description: "The variable of the password." }),
  })
    .refine((pair) => Object.keys(pair).length > 0, {
      error: "does not say which variable holds the username and which the password",
    })
    .meta({ minProperties: 1 }),
]);

/** A schema of members whose names may show that their values are credentials. */
export const withoutSecrets = <Schema extends z.ZodType>(schema: Schema): Schema =>
  schema.superRefine(createRule(findInlineSecrets), always).meta({ secret: true });

export const headersSchema = withoutSecrets(
  z.record(
    ownHeaderNameSchema,
    secretStringSchema
      .regex(headerValuePattern, {
        error:
          "holds a line break, another control character, or a character that no header can carry",
      })
      .meta({ fix: 'Write one line of text in quotes, and a secret as "${NAME}".' }),
  ),
);

/** The members of a query or a form; other types than strings mean their text. */
export const createParametersSchema = <Value extends z.ZodType<string | number | boolean>>(
  value: Value,
  fix: string,
  name: z.ZodString = parameterNameSchema,
) =>
  withoutSecrets(
    z.record(name, value.transform(String).meta({ fix: `${fix}; write a secret as "\${NAME}".` })),
  );
