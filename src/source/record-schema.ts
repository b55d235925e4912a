/** The zod schema of a whole record, and the keys that each level of it knows. */

import { z } from "zod";
import { apiKeys, apiSchema } from "./api-schema.js";
import type { ApiSourceRecord } from "./api-source-record.js";
import { credentialEnvKeys } from "./credential-env-schema.js";
import { endpointKeys, pathsKeys } from "./endpoints-schema.js";
import { limitsKeys } from "./limits-schema.js";
import { networkKeys } from "./network-schema.js";
import { reportFlaw } from "./report-flaw.js";
import { findSlugFlaw, reservedToolName, toolNamePattern } from "./tool-name.js";

const shape = {
  $schema: z.string().exactOptional().meta({ description: "The address of this schema, for editors." }),
  type: z.literal("api").exactOptional().meta({ description: "The kind of source." }),
  name: z
    .string()
    .regex(/\S/, { error: "is empty" })
    .max(1_000)
    .exactOptional()
    .meta({ description: "What people call the API; left out: its host.", examples: ["GitHub"] }),
  slug: z
    .string()
    .superRefine(reportFlaw(findSlugFlaw))
    .exactOptional()
    .meta({
      description: "The tool's name, when the one made from `name` is not wanted or collides with another.",
      pattern: toolNamePattern.source,
      not: { const: reservedToolName },
    }),
  tagline: z
    .string()
    .exactOptional()
    .meta({
      description: "What the API is good for, in one line; the model reads it.",
      examples: ["Issues, pull requests and repositories"],
    }),
  icon: z.string().exactOptional().meta({ description: "The URL of a picture, for user interfaces." }),
  api: apiSchema,
};

export const recordSchema: z.ZodType<ApiSourceRecord> = z.looseObject(shape).meta({
  title: "API source",
  description:
    "One HTTP API that becomes one tool of an agent. The credential is never in this file: it comes from the environment, a store or a function. Keys that begin with `x-` are free for your own notes.",
});

/** Levels of a record by their path; each element of a list is on the level `[]`. */
export const knownKeys: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(shape),
  api: apiKeys,
  "api.credentialEnv": credentialEnvKeys,
  "api.endpoints[]": endpointKeys,
  "api.limits": limitsKeys,
  "api.network": networkKeys,
  "api.paths": pathsKeys,
};
