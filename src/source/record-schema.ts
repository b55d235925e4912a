/** The zod schema of a whole record, the JSON Schema made of it, and what it knows of each place in a record. */

import { z } from "zod";
import { apiSchema } from "./api-schema.js";
import type { ApiSource } from "./api-source.js";
import { createRule } from "./flaw.js";
import { createOptional, wordsSchema } from "./schema-parts.js";
import { findSlugFlaw, reservedToolNames, toolNamePattern } from "./tool-name.js";

/** A record with every default but those that are made of other fields. */
export type FilledRecord = Omit<ApiSource, "name" | "slug"> & Partial<Pick<ApiSource, "name" | "slug">>;

export const recordSchema: z.ZodType<FilledRecord> = z
  .looseObject({
    $schema: createOptional(z.string(), {
      description: "The address of this schema, for editors.",
      fix: "Give the schema's address as a string, or leave it out.",
    }),
    type: z.literal("api").default("api").meta({
      description: "The kind of source.",
      fix: 'Write "api", or leave it out.',
    }),
    name: createOptional(wordsSchema.max(1_000), {
      description: "What people call the API; left out: its host.",
      examples: ["GitHub"],
      fix: 'Write what people call the API, such as "GitHub", in at most 1,000 characters; or leave it out.',
    }),
    slug: createOptional(z.string().superRefine(createRule(findSlugFlaw)), {
      description: "The tool's name, when the one made from `name` is not wanted or collides with another.",
      pattern: toolNamePattern.source,
      not: { enum: [...reservedToolNames] },
      fix: 'Write a name such as "github", or leave it out.',
    }),
    tagline: createOptional(z.string(), {
      description: "What the API is good for, in one line; the model reads it.",
      examples: ["Issues, pull requests and repositories"],
      fix: "Write one line of text, or leave it out.",
    }),
    icon: createOptional(z.string(), {
      description: "The URL of a picture, for user interfaces.",
      fix: "Write the URL of a picture, or leave it out.",
    }),
    api: apiSchema,
  })
  .meta({
    title: "API source",
    description:
      "One HTTP API that becomes one tool of an agent. The credential is never in this file: it comes from the environment, a store or a function. Keys that begin with `x-` are free for your own notes.",
    fix: 'Give an object with `api` in it, such as { "name": "GitHub", "api": { "baseUrl": "https://api.github.com" } }.',
  });

/** The keys that an object at this place may have; undefined where any key is as good as another. */
export function listKnownKeys(path: readonly PropertyKey[]): readonly string[] | undefined {
  const object = findObject(listSchemasOnTheWay(path).at(-1));
  return object && Object.keys(object.shape);
}

/** What would fix the value at this place: the field's own words, else those of the field it stands in. */
export function findFix(path: readonly PropertyKey[], value: unknown): string {
  const fixes = listSchemasOnTheWay(path).map((schema) => schema?.meta()?.["fix"]);
  const fix = fixes.findLast((one) => one !== undefined);
  return typeof fix === "function" ? fix(value) : String(fix);
}

/** The schemas from the record down to a place; undefined from where no schema is. */
function listSchemasOnTheWay(path: readonly PropertyKey[]): (z.ZodType | undefined)[] {
  const schemas: (z.ZodType | undefined)[] = [recordSchema];
  for (const step of path) {
    const schema = unwrap(schemas.at(-1));
    const options: readonly unknown[] = schema instanceof z.ZodUnion ? schema.options : [schema];
    schemas.push(options.map((option) => findMember(option, step)).find((member) => member !== undefined));
  }
  return schemas;
}

function findMember(schema: unknown, step: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) {
    return toType(Object.hasOwn(schema.shape, step) && schema.shape[String(step)]);
  }
  if (schema instanceof z.ZodRecord) return toType(schema.valueType);
  return schema instanceof z.ZodArray && typeof step === "number" ? toType(schema.element) : undefined;
}

function findObject(schema: z.ZodType | undefined): z.ZodObject | undefined {
  const inner = unwrap(schema);
  const options: readonly unknown[] = inner instanceof z.ZodUnion ? inner.options : [inner];
  return options.find((option) => option instanceof z.ZodObject);
}

/** Without what only says that a value may be missing, or is changed after it was checked. */
function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodPipe) return unwrap(toType(schema.in));
  const isWrapped =
    schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return isWrapped ? unwrap(toType(schema.unwrap())) : schema;
}

function toType(schema: unknown): z.ZodType | undefined {
  return schema instanceof z.ZodType ? schema : undefined;
}
