/** The input of the tools as models are shown it: a shape that every provider's converter passes through intact. */

import { z } from "zod";
import type { HttpMethod } from "../../core/record/api-source.js";

/** A member of an input: its JSON Schema, and whether it may be left out. */
interface Member {
  readonly schema: Record<string, unknown>;
  readonly isOptional: boolean;
}

const required = (schema: Record<string, unknown>): Member => ({ schema, isOptional: false });

function optional(schema: string | Record<string, unknown>, description?: string): Member {
  const shape = typeof schema === "string" ? { type: schema } : schema;
  return { schema: { ...shape, description }, isOptional: true };
}

const nameValuePairs = {
  type: "array",
  items: {
    type: "object",
    properties: { name: { type: "string" }, value: { type: "string" } },
    required: ["name", "value"],
    additionalProperties: false,
  },
};

type Members<Name extends string> = z.ZodObject<Record<Name, z.ZodOptional<z.ZodUnknown>>, z.core.$loose>;

/**
 * Describes each member in the JSON Schema only. Validation is left to the client, whose refusals are answers: a schema that refuses
 * would throw, and an agent with any middleware dies of a throw.
 *
 * @param isStrict - "May be left out" as strict modes want it: the member is required, and null means absent. The description is inside:
 * zod writes `anyOf` of bare types as `type: ["string", "null"]`, which Google's API does not take.
 */
function toSchema<Name extends string>(members: Record<Name, Member>, isStrict: boolean): Members<Name> {
  const entries = Object.entries<Member>(members);
  const shape: Record<string, z.ZodOptional<z.ZodUnknown>> = {};
  for (const [name, { schema, isOptional }] of entries) {
    const shown = isOptional && isStrict ? { anyOf: [schema, { type: "null" }] } : schema;
    shape[name] = z.unknown().meta(shown).optional();
  }
  const needed = entries.filter(([, { isOptional }]) => isStrict || !isOptional).map(([name]) => name);
  return z
    .looseObject(shape as Record<Name, z.ZodOptional<z.ZodUnknown>>)
    .meta({ $schema: undefined, required: needed, additionalProperties: false });
}

export type CallSchema = Members<
  "method" | "path" | "query" | "body" | "headers" | "select" | "pages" | "wait" | "until"
>;

/**
 * The input of a source's tool.
 *
 * @param methods - Those that its record allows.
 * @param more - What else the description of `path` contains.
 * @param isStrict - Whether every member is required, and null means absent; else only `method` and `path` are.
 */
export function createCallSchema(
  methods: readonly HttpMethod[],
  more: string,
  isStrict: boolean,
): CallSchema {
  return toSchema(
    {
      method: required({ type: "string", enum: [...methods], description: "HTTP method." }),
      path: required({
        type: "string",
        description: `Such as /items/42.${more === "" ? "" : ` ${more}`}`,
      }),
      query: optional(nameValuePairs),
      body: optional(
        "string",
        'JSON text. Kept file: {"$file":"r_1"}. Multipart: {"file":{"$file":"r_1"}} or {"file":{"$text":"…","name":"a.txt"}}.',
      ),
      headers: optional(nameValuePairs, "Rare."),
      select: optional(
        "string",
        "JMESPath: items[?state=='open'].id, items(group_by(items,&state))[*].[[0],length([1])]. A wrong name lists the right ones.",
      ),
      pages: optional("integer", "Most pages; data has all rows."),
      wait: optional("integer", "Seconds to wait for a job or rate limit, usually 45."),
      until: optional("string", "JMESPath, true when finished."),
    },
    isStrict,
  );
}

export type CodeSchema = Members<"code">;

/** The input of `run_api_code`. */
export function createCodeSchema(): CodeSchema {
  const description = "JavaScript: the body of an async function. Its return value is the answer.";
  return toSchema({ code: required({ type: "string", description }) }, true);
}

export type ReadSchema = Members<"id" | "select" | "find" | "offset" | "limit">;

/** The input of `read_api_response`. */
export function createReadSchema(isStrict: boolean): ReadSchema {
  return toSchema(
    {
      id: required({ type: "string" }),
      select: optional("string", "JMESPath."),
      find: optional("string", "Text to search for."),
      offset: optional("integer"),
      limit: optional("integer"),
    },
    isStrict,
  );
}

export type DescribeSchema = Members<"source" | "path" | "method" | "find" | "guide">;

/** The input of `describe_api`. */
export function createDescribeSchema(slugs: readonly string[], isStrict: boolean): DescribeSchema {
  const named = slugs.length <= 50 ? { enum: [...slugs] } : {};
  return toSchema(
    {
      source: required({ type: "string", ...named, description: "Which API." }),
      path: optional("string", "A path of the map, such as /items or /items/{id}; left out: all of it."),
      method: optional("string", "With path: the HTTP method of one operation, to get all of it."),
      find: optional("string", "Words to find operations by, such as refund order."),
      guide: optional("string", "A heading of the API's guide."),
    },
    isStrict,
  );
}
