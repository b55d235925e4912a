/** The input of the tools as models are shown it: a shape that every provider's converter passes through intact. */

import { z } from "zod";
import type { HttpMethod } from "../../core/record/api-source.js";

const nameValuePairs = {
  type: "array",
  items: {
    type: "object",
    properties: { name: { type: "string" }, value: { type: "string" } },
    required: ["name", "value"],
    additionalProperties: false,
  },
};

type Members<Name extends string> = z.ZodObject<
  Record<Name, z.ZodOptional<z.ZodUnknown>>,
  z.core.$loose
>;

/**
 * Describes each member in the JSON Schema only. Validation is left to the client, whose refusals are answers: a schema that refuses
 * would throw, and an agent with any middleware dies of a throw.
 *
 * @param needed - The members that may not be left out.
 * @param isStrict - "May be left out" as strict modes want it: the member is required, and null means absent. The description is inside:
 * zod writes `anyOf` of bare types as `type: ["string", "null"]`, which Google's API does not take.
 */
function toSchema<Name extends string>(
  members: Record<Name, object>,
  needed: readonly string[],
  isStrict: boolean,
): Members<Name> {
  const shape: Record<string, z.ZodOptional<z.ZodUnknown>> = {};
  for (const [name, member] of Object.entries<object>(members)) {
    const mayBeNull = isStrict && !needed.includes(name);
    shape[name] = z
      .unknown()
      .meta(mayBeNull ? { anyOf: [member, { type: "null" }] } : { ...member })
      .optional();
  }
  const required = isStrict ? Object.keys(members) : [...needed];
  return z
    .looseObject(shape as Record<Name, z.ZodOptional<z.ZodUnknown>>)
    .meta({ $schema: undefined, required, additionalProperties: false });
}

/** A schema with the member `description`, be it undefined: zod would write one without it beside null as `type: ["integer", "null"]`. */
const plain = (type: "string" | "integer", description?: string) => ({ type, description });

const callNames = [
  "method",
  "path",
  "query",
  "body",
  "headers",
  "select",
  "pages",
  "wait",
  "until",
] as const;
type CallName = (typeof callNames)[number];

export type CallSchema = Members<CallName>;

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
  return toSchema(describeMembers(methods, more), ["method", "path"], isStrict);
}

export type CombinedSchema = Members<"source" | CallName>;

/** The input of the tool of many sources. @param isStrict - As `createCallSchema` takes it. */
export function createCombinedSchema(
  slugs: readonly string[],
  methods: readonly HttpMethod[],
  isStrict: boolean,
): CombinedSchema {
  const source = { type: "string", enum: [...slugs] };
  const members = { source, ...describeMembers(methods, "") };
  return toSchema(members, ["source", "method", "path"], isStrict);
}

function describeMembers(methods: readonly HttpMethod[], more: string): Record<CallName, object> {
  return {
    method: { type: "string", enum: [...methods] },
    path: plain("string", `Such as /items/42.${more === "" ? "" : ` ${more}`}`),
    query: nameValuePairs,
    body: plain(
      "string",
      'JSON text. Kept file: {"$file":"r_1"}; new: {"$text":"…","name":…,"type":…}. Multipart: {"file":{"$file":"r_1"}}.',
    ),
    headers: nameValuePairs,
    select: plain(
      "string",
      "JMESPath: items[?state=='open'].id, items(group_by(items,&state))[*].[[0],length([1])].",
    ),
    pages: plain("integer", "Most pages; data has all rows."),
    wait: plain("integer", "Seconds to wait for a job or rate limit, usually 45."),
    until: plain("string", "JMESPath, true when finished."),
  };
}

export type CodeSchema = Members<"code">;

/** The input of `run_api_code`. */
export function createCodeSchema(): CodeSchema {
  const code = plain(
    "string",
    "JavaScript: the body of an async function. Its return value is the answer.",
  );
  return toSchema({ code }, ["code"], true);
}

export type ReadSchema = Members<"id" | "select" | "find" | "offset" | "limit" | "as">;

/**
 * The input of `read_api_response`.
 *
 * @param isStrict - Whether every member is required: `""`, 0 and "data" mean absent, which is a third shorter than members that may be null.
 */
export function createReadSchema(isStrict: boolean): ReadSchema {
  const members = {
    id: plain("string"),
    select: plain("string", "JMESPath"),
    find: plain("string"),
    offset: plain("integer"),
    limit: plain("integer"),
    as: { type: "string", enum: ["data", "image"] },
  };
  return toSchema(members, isStrict ? Object.keys(members) : ["id"], isStrict);
}

export type DescribeSchema = Members<"source" | "path" | "method" | "find" | "guide">;

/** The input of `describe_api`. */
export function createDescribeSchema(slugs: readonly string[], isStrict: boolean): DescribeSchema {
  const named = slugs.length <= 50 ? { enum: [...slugs] } : {};
  return toSchema(
    {
      source: { type: "string", ...named, description: "Which API." },
      path: plain(
        "string",
        "A path of the map, such as /items or /items/{id}; left out: all of it.",
      ),
      method: plain("string", "With path: the HTTP method of one operation, to get all of it."),
      find: plain("string", "Words to find operations by, such as refund order."),
      guide: plain("string", "A heading of the API's guide."),
    },
    ["source"],
    isStrict,
  );
}
