/** The zod schema of a whole record, and what it knows of each place in one: the keys it may have, and what would fix a value. */

import { z } from "zod";
import { apiSchema } from "./api-schema.js";
import type { ApiSource } from "./api-source.js";
import { createOptional, createRule, wordsSchema } from "./schema-parts.js";
import { findSlugFlaw, reservedToolNames, toolNamePattern } from "./tool-name.js";

/** A record with every default but those that are made of other fields. */
export type FilledRecord = Omit<ApiSource, "name" | "slug"> & Partial<Pick<ApiSource, "name" | "slug">>;

export const recordSchema: z.ZodType<FilledRecord> = z
  .looseObject({
    $schema: createOptional(z.string(), {
      description: "The address of this schema, for editors.",
      fix: "Give the schema's address as a string, or leave it out.",
    }),
    type: z.literal("api").default("api").meta({ description: "The kind of source." }),
    name: createOptional(wordsSchema.max(1_000), {
      description: "What people call the API; left out: its host.",
      examples: ["GitHub"],
    }),
    slug: createOptional(z.string().superRefine(createRule(findSlugFlaw)), {
      description: "The tool's name, when the one made from `name` is not wanted or collides with another.",
      pattern: toolNamePattern.source,
      not: { enum: [...reservedToolNames] },
      examples: ["github"],
      fix: "Write a letter or `_`, then letters, digits, `_` or `-`, 64 characters at most; or leave it out.",
    }),
    tagline: createOptional(z.string(), {
      description: "What the API is good for, in one line; the model reads it.",
      examples: ["Issues, pull requests and repositories"],
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
  const object = listOptions(listSchemasOnTheWay(path).at(-1)).find(
    (option) => option instanceof z.ZodObject,
  );
  return object && Object.keys(object.shape);
}

/** What would fix the value at this place: the field's own words, else those of the field it stands in. */
export function findFix(path: readonly PropertyKey[], value: unknown): string {
  const fixes = listSchemasOnTheWay(path).map((schema) => schema && writeFix(schema, value));
  return fixes.findLast((fix) => fix !== undefined) ?? "Correct it.";
}

function writeFix(schema: z.ZodType, value: unknown): string | undefined {
  const inner = unwrap(schema);
  const { fix, examples } = { ...inner.meta(), ...schema.meta() };
  if (typeof fix === "function") return fix(value);
  if (typeof fix === "string") return fix;
  const orNothing = inner === schema ? "." : ", or leave it out.";
  if (inner instanceof z.ZodEnum || inner instanceof z.ZodLiteral) {
    const values = (inner instanceof z.ZodEnum ? inner.options : [...inner.values]).map((one) =>
      JSON.stringify(one),
    );
    return `Write ${values.join(" or ")}${orNothing}`;
  }
  return Array.isArray(examples)
    ? `Write a value such as ${JSON.stringify(examples[0])}${orNothing}`
    : undefined;
}

/** The schemas from the record down to a place; undefined from where no schema is. */
function listSchemasOnTheWay(path: readonly PropertyKey[]): (z.ZodType | undefined)[] {
  const schemas: (z.ZodType | undefined)[] = [recordSchema];
  for (const step of path) {
    const members = listOptions(schemas.at(-1)).map((option) => findMember(option, step));
    schemas.push(members.find((member) => member instanceof z.ZodType));
  }
  return schemas;
}

function findMember(schema: unknown, step: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, step) && schema.shape[String(step)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray && typeof step === "number" ? schema.element : undefined;
}

/** What a schema may be: the options of a union, else itself alone. */
function listOptions(schema: z.ZodType | undefined): readonly unknown[] {
  const inner = schema && unwrap(schema);
  return inner instanceof z.ZodUnion ? inner.options : [inner];
}

/** Without what only says that a value may be missing, or is changed after it was checked. */
function unwrap(schema: z.ZodType): z.ZodType {
  const inner =
    schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
      ? schema.unwrap()
      : schema instanceof z.ZodPipe && schema.in;
  return inner instanceof z.ZodType ? unwrap(inner) : schema;
}
