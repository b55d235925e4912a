/** The zod schema of a whole record, how its tool is named, and what it knows of each place in one: the keys it may have, what would fix a value, and whether that may be a secret. */

import { z } from "zod";
import { apiSchema } from "./api-schema.js";
import { findHostName } from "./base-url.js";
import type { Path, Problem } from "./problem.js";
import { createLevel, createOptional, createRule, wordsSchema } from "./schema-parts.js";

/** A name that every provider takes: OpenAI `[a-zA-Z0-9_-]{1,64}`, Gemini wants a letter or `_` in front. */
export const toolNamePattern: RegExp = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** The package's own tools have these names, so that no source can: they read kept responses, describe endpoints, call any source, and run code. */
export const reservedToolNames: readonly string[] = [
  "read_api_response",
  "describe_api",
  "call_api",
  "run_api_code",
];

/** The longest name that every provider takes. */
const maxLength = 64;

/** Letters of Latin alphabets that Unicode does not take apart, in the spelling that their readers know. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ŋ: "n",
};

/**
 * Makes a tool's name of an API's: compatibility forms and accents undone (Unicode NFKD), in lower case, everything
 * but ASCII letters and digits to one `_`, `api_` in front of a leading digit, at most 64 characters.
 * `""` when nothing is left, as of a name in Chinese: such a source needs a `slug`.
 */
export function createToolName(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => plainLetters[letter] ?? letter)
    .match(/[a-z0-9]+/g);
  if (!words) return "";
  const joined = words.join("_");
  const named = /^[0-9]/.test(joined) ? `api_${joined}` : joined;
  return named.slice(0, maxLength).replace(/_$/, "");
}

/** Slugs of one key read the same environment variables: case, and `-` against `_`, make no difference. */
export const keyOf = (slug: string): string => slug.toLowerCase().replaceAll("-", "_");

/** Judges a `slug` that a record gives. */
function findSlugProblem(slug: string): Problem | undefined {
  if (!toolNamePattern.test(slug))
    return { message: "is not a tool name that every model provider accepts" };
  if (!reservedToolNames.includes(slug)) return undefined;
  return { message: "is the name of a tool of the toolkit itself", fix: "Choose another `slug`." };
}

/** Judges the `name` of a record that gives no `slug`. */
export function findNameProblem(name: string): Problem | undefined {
  const toolName = createToolName(name);
  const fix = 'Add a `slug` to the record, such as "slug": "my_api".';
  if (toolName === "") return { message: "leaves nothing to name the tool by", fix };
  if (reservedToolNames.includes(toolName)) {
    return {
      message: `makes the tool's name "${toolName}", which a tool of the toolkit itself has`,
      fix,
    };
  }
  return undefined;
}

const fields = createLevel({
  $schema: createOptional(z.string(), {
    description: "The address of this schema, for editors.",
    fix: "Give the schema's address as a string, or leave it out.",
    page: "#completion-in-an-editor",
  }),
  type: z.literal("api").default("api").meta({ description: "The kind of source." }),
  name: createOptional(wordsSchema, {
    description:
      "The API's name; the tool's name is made from it: `\"GitHub Issues\"` gives `github_issues`. Left out: the host.",
    examples: ["GitHub"],
  }),
  slug: createOptional(z.string().superRefine(createRule(findSlugProblem)), {
    description: "The tool's name, where the one made from `name` does not fit.",
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
const readName = ({ name, api }: Fields): string | undefined =>
  name?.trim() ?? findHostName(api.baseUrl);

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
  if (level.some((schema) => schema instanceof z.ZodBoolean))
    return "Write true or false, without quotes.";
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
  if (schema instanceof z.ZodObject)
    return Object.hasOwn(schema.shape, step) && schema.shape[String(step)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray && typeof step === "number" && schema.element;
}

/** Where zod keeps what a schema is made of. */
type Definition = z.core.$ZodTypeDef & {
  in?: unknown;
  innerType?: unknown;
  options?: readonly unknown[];
};

/** A schema and what is in it: what a value is that may be missing, or is changed after it was checked, and what of a union. */
function open(schema: unknown): z.ZodType[] {
  if (!(schema instanceof z.ZodType)) return [];
  const { in: before, innerType, options = [] }: Definition = schema.def;
  return [schema, ...[before, innerType, ...options].flatMap(open)];
}
