/** The zod schema of a whole record, and what it knows of each place in one: the keys it may have, what would fix a value, and whether that may be a secret. */

import { z } from "zod";
import { apiSchema } from "./api-schema.js";
import { findHostName } from "./base-url.js";
import type { Path } from "./problem.js";
import { createLevel, createOptional, createRule, createShortWords } from "./schema-parts.js";
import {
  createToolName,
  findNameProblem,
  findSlugProblem,
  reservedToolNames,
  toolNamePattern,
} from "./tool-name.js";

const fields = createLevel({
  $schema: createOptional(z.string(), {
    description: "The address of this schema, for editors.",
    fix: "Give the schema's address as a string, or leave it out.",
    page: "#completion-in-an-editor",
  }),
  type: z.literal("api").default("api").meta({ description: "The kind of source." }),
  name: createOptional(createShortWords(1_000), {
    description:
      "The API's name for people; the tool's name is made from it: `\"GitHub Issues\"` gives `github_issues`. Left out: the host.",
    examples: ["GitHub"],
  }),
  slug: createOptional(z.string().superRefine(createRule(findSlugProblem)), {
    description: "The tool's name, when the one made from `name` is not wanted or collides with another.",
    pattern: toolNamePattern.source,
    not: { enum: [...reservedToolNames] },
    examples: ["github"],
    fix: "Write a letter or `_`, then letters, digits, `_` or `-`, 64 characters at most; or leave it out.",
  }),
  tagline: createOptional(z.string(), {
    description: "The API's purpose in one line; the model reads it.",
    examples: ["Issues, pull requests and repositories"],
  }),
  icon: createOptional(z.string(), {
    description: "The URL of a picture, for user interfaces.",
    fix: "Write the URL of a picture, or leave it out.",
  }),
  api: apiSchema,
});

type Fields = z.output<typeof fields>;
/** Undefined where the base URL, which names the API in place of `name`, is wrong. */
const readName = ({ name, api }: Fields): string | undefined => name?.trim() ?? findHostName(api.baseUrl);

/** A record, and what it means with every default filled in. */
export const recordSchema = fields
  .superRefine(
    createRule((record) => {
      const name = record.slug === undefined ? readName(record) : undefined;
      const problem = name === undefined ? undefined : findNameProblem(name);
      return problem && [{ ...problem, path: ["name"] }];
    }),
  )
  .transform((record) => {
    const name = readName(record) ?? "";
    return { ...record, name, slug: record.slug ?? createToolName(name) };
  })
  .meta({
    title: "API source",
    description:
      "One HTTP API that becomes one tool of an agent. The credential is never in this file: it comes from the environment, a store or a function. Keys that begin with `x-` are free for your own notes.",
    fix: 'Give an object with `api` in it, such as { "name": "GitHub", "api": { "baseUrl": "https://api.github.com" } }.',
  });

/** The keys that an object at this place may have, besides `$schema`; undefined where any key is as good as another. */
export function listKnownKeys(path: Path): readonly string[] | undefined {
  const object = listLevels(path)
    .at(-1)
    ?.find((schema) => schema instanceof z.ZodObject);
  return object && Object.keys(object.shape).filter((key) => key !== "$schema");
}

/** Whether a value at this place may be a secret, or is where people paste one by mistake. */
export const isSecretPlace = (path: Path): boolean =>
  listLevels(path).some((level) => level.some((schema) => schema.meta()?.["secret"] === true));

/** The fix for the value at this place: the field's own words, else those of the field around it. */
export function findFix(path: Path): string {
  return listLevels(path).reduce((fix, level) => writeFix(level) ?? fix, "Correct it.");
}

function writeFix(level: readonly z.ZodType[]): string | undefined {
  const { fix, examples } = Object.assign({}, ...level.map((schema) => schema.meta()).reverse());
  if (typeof fix === "string") return fix;
  if (level.some((schema) => schema instanceof z.ZodBoolean)) return "Write true or false, without quotes.";
  const values = [...(level[0]?._zod.values ?? [])]
    .filter((value) => value !== undefined)
    .map((value) => JSON.stringify(value))
    .join(" or ");
  const example = Array.isArray(examples) ? `a value such as ${JSON.stringify(examples[0])}` : "";
  return values || example ? `Write ${values || example}.` : undefined;
}

/** For each step from the record down to a place, the schemas that a value there may be of; none from where no schema is. */
function listLevels(path: Path): z.ZodType[][] {
  const levels = [open(recordSchema)];
  for (const step of path) {
    levels.push((levels.at(-1) ?? []).flatMap((schema) => open(findMember(schema, step))));
  }
  return levels;
}

function findMember(schema: z.ZodType, step: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, step) && schema.shape[String(step)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray && typeof step === "number" && schema.element;
}

/** A schema and what is in it: what a value is that may be missing, or is changed after it was checked, and what of a union. */
function open(schema: unknown): z.ZodType[] {
  if (!(schema instanceof z.ZodType)) return [];
  if (schema instanceof z.ZodUnion) return [schema, ...schema.options.flatMap(open)];
  if (schema instanceof z.ZodPipe) return [schema, ...open(schema.in)];
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
  return isWrapper ? [schema, ...open(schema.unwrap())] : [schema];
}
