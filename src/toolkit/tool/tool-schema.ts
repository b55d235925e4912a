/** The input of the tools as models are shown it: a shape that every provider's converter passes through intact. */

import { z } from "zod";
import type { HttpMethod } from "../../core/record/api-source.js";

/**
 * What a member looks like to a model. Validation is left to the client, whose refusals are answers: a schema that refuses
 * would throw, and an agent with any middleware dies of a throw.
 */
function required(jsonSchema: Record<string, unknown>): z.ZodOptional<z.ZodUnknown> {
  return z.unknown().meta(jsonSchema).optional();
}

/**
 * "May be left out" as strict modes want it: the member is required, and null means absent. The description is inside:
 * zod writes `anyOf` of bare types as `type: ["string", "null"]`, which Google's API does not take.
 */
function optional(
  schema: string | Record<string, unknown>,
  description: string,
): z.ZodOptional<z.ZodUnknown> {
  const shape = typeof schema === "string" ? { type: schema } : schema;
  return required({ anyOf: [{ ...shape, description }, { type: "null" }] });
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
 * Marks every member as required, and others as not allowed, in the JSON Schema only: the client reports what is wrong with an
 * input better than a schema error would.
 */
function toSchema<Name extends string>(shape: Record<Name, z.ZodOptional<z.ZodUnknown>>): Members<Name> {
  return z
    .looseObject(shape)
    .meta({ $schema: undefined, required: Object.keys(shape), additionalProperties: false });
}

export type CallSchema = Members<
  "method" | "path" | "query" | "body" | "headers" | "select" | "pages" | "wait" | "until"
>;

/** The input of a source's tool, with the methods its record allows; `more` is what else the description of `path` contains. */
export function createCallSchema(methods: readonly HttpMethod[], more: string): CallSchema {
  return toSchema({
    method: required({ type: "string", enum: [...methods] }),
    path: required({
      type: "string",
      description: `Below the base URL, such as /items/42.${more === "" ? "" : ` ${more}`}`,
    }),
    query: optional(nameValuePairs, "A name may be repeated."),
    body: optional("string", 'JSON text, or {"$file":"r_…"} to send a kept file.'),
    headers: optional(nameValuePairs, "Rarely needed."),
    select: optional(
      "string",
      "JMESPath over the body: items[?state=='open'].{id:id}, items(group_by(items,&state))[*].[[0],length([1])]. " +
        "Names may be guessed: a wrong one is answered with the existing ones.",
    ),
    pages: optional("integer", "How many pages to follow at most; data and select have the rows of all."),
    wait: optional(
      "integer",
      "Seconds this call may wait for unfinished work, polling the job or repeating this GET; usually 45, at most 600. Null: answer at once.",
    ),
    until: optional(
      "string",
      "JMESPath over the polled response, true when the work is finished, such as status=='done'. Null: decided by its reported state.",
    ),
  });
}

export type CodeSchema = Members<"code">;

/** The input of `run_api_code`. */
export function createCodeSchema(): CodeSchema {
  return toSchema({
    code: required({
      type: "string",
      description: "JavaScript: the body of an async function. Its return value is the answer.",
    }),
  });
}

export type ReadSchema = Members<"id" | "select" | "find" | "offset" | "limit">;

/** The input of `read_api_response`. */
export function createReadSchema(): ReadSchema {
  return toSchema({
    id: required({ type: "string", description: "From shortened.id or kept." }),
    select: optional("string", "JMESPath over all of it."),
    find: optional("string", "Text to search for; gives the path and the row of each match."),
    offset: optional("integer", "First element or character, from 0."),
    limit: optional("integer", "How many from offset on."),
  });
}

export type DescribeSchema = Members<"source" | "path" | "method" | "find" | "guide">;

/** The input of `describe_api`. */
export function createDescribeSchema(slugs: readonly string[]): DescribeSchema {
  const isShort = slugs.length <= 50;
  return toSchema({
    source: required({ type: "string", ...(isShort ? { enum: [...slugs] } : {}), description: "Which API." }),
    path: optional("string", "A path of the map, such as /items or /items/{id}; left out: all of it."),
    method: optional("string", "With path: the HTTP method of one operation, to get all of it."),
    find: optional("string", "Words to find operations by, such as refund order."),
    guide: optional("string", "A heading of the API's guide."),
  });
}
