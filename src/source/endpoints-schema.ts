/** The zod schema of `api.endpoints` and of `api.paths`: what may be called, and what is shown as an example. */

import { z } from "zod";
import { type EndpointExample, httpMethods } from "./api-source.js";
import { findPatternFlaw } from "./find-pattern-flaw.js";
import type { Flaw } from "./flaw.js";
import { implies } from "./implies.js";
import { reportFlaw } from "./report-flaw.js";

const endpointShape = {
  method: z.enum(httpMethods).meta({ description: "The method in capitals." }),
  path: z
    .string()
    .superRefine(reportFlaw(findEndpointPathFlaw))
    .meta({ description: "The path below the base URL; {name} for what varies.", pattern: "^/[^\\s]*$" }),
  about: z
    .string()
    .regex(/\S/, { error: "is empty" })
    .meta({ description: "What it is for, in a few words." }),
  query: z.unknown().exactOptional().meta({ description: "Example query parameters." }),
  body: z.unknown().exactOptional().meta({ description: "An example body; not with GET." }),
};

export const endpointKeys: readonly string[] = Object.keys(endpointShape);

export const endpointsSchema: z.ZodType<EndpointExample[]> = z.array(
  z.looseObject(endpointShape).meta({
    allOf: [implies({ properties: { method: { const: "GET" } } }, { not: { required: ["body"] } })],
  }),
);

const pattern = z
  .string()
  .superRefine(reportFlaw(findPatternFlaw))
  .meta({ pattern: "^(/(\\*{1,2}|[^*/?#\\\\\\s{}]*))+$" });

const pathsShape = {
  allow: z.array(pattern).min(1).exactOptional().meta({ description: "The only paths that may be called." }),
  deny: z
    .array(pattern)
    .exactOptional()
    .meta({ description: "Paths that may not be called; wins over `allow`." }),
};

export const pathsKeys: readonly string[] = Object.keys(pathsShape);

export const pathsSchema: z.ZodType<{ allow?: string[]; deny?: string[] }> = z.looseObject(pathsShape).meta({
  description: "Which paths the agent may call: `*` is one segment, `**` any number of them.",
});

function findEndpointPathFlaw(path: string): Flaw | undefined {
  if (path.startsWith("/") && !path.startsWith("//") && !/[\s\\\p{Cc}]/u.test(path)) return undefined;
  return {
    message: "is no path below the base URL",
    fix: 'Begin it with one slash, such as "/issues"; write a space as %20.',
  };
}
