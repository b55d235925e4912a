/** The zod schema of `api`, a rule per field; what spans several fields is in `find-cross-field-flaws.ts`. */

import { z } from "zod";
import { authTypes, bodyFormats, httpMethods } from "./api-source.js";
import type { ApiSettingsRecord } from "./api-source-record.js";
import { authConditions } from "./auth-conditions.js";
import { credentialEnvSchema } from "./credential-env-schema.js";
import { endpointsSchema, pathsSchema } from "./endpoints-schema.js";
import { findBaseUrlFlaw } from "./find-base-url-flaw.js";
import type { Flaw } from "./flaw.js";
import { limitsSchema } from "./limits-schema.js";
import { networkSchema } from "./network-schema.js";
import { reportFlaw } from "./report-flaw.js";
import { constantQuerySchema, headerNameSchema, headersSchema, variablesSchema } from "./text-schema.js";

const address = {
  baseUrl: z
    .string()
    .superRefine(reportFlaw(findBaseUrlFlaw))
    .meta({
      description:
        "The API's absolute http(s) URL without query, fragment or user name. {name} in host, port or path is filled from `variables`.",
      examples: ["https://api.example.com/v1", "https://{tenant}.example.com/api"],
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s\\\\]+(/[^?#\\s\\\\]*)?$",
    }),
  testEndpoint: z
    .string()
    .superRefine(reportFlaw(findTestEndpointFlaw))
    .exactOptional()
    .meta({
      description: "A path that GET answers only to a valid credential; the connection test calls it.",
      examples: ["/user"],
    }),
  variables: variablesSchema.exactOptional().meta({
    description: 'Values for {name} in `baseUrl` and `testEndpoint`; "${NAME}" is read as a secret.',
  }),
};

const authentication = {
  authType: z
    .enum(authTypes)
    .exactOptional()
    .meta({ description: "How the credential is carried; left out: no authentication." }),
  headerName: z
    .string()
    .exactOptional()
    .meta({
      description: "The header that carries the credential, with authType `header`.",
      examples: ["X-Api-Key"],
    }),
  queryParam: z
    .string()
    .exactOptional()
    .meta({
      description: "The query parameter that carries it, with authType `query`.",
      examples: ["api_key"],
    }),
  authScheme: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/, { error: "is not a scheme (one word, RFC 9110 section 11.1)" })
    .exactOptional()
    .meta({ description: 'The word before a bearer token; "" sends the bare token.', default: "Bearer" }),
  credentialEnv: credentialEnvSchema.exactOptional().meta({
    description:
      "The environment variable(s) that hold the credential, instead of those named after the tool. Never the credential itself.",
    examples: ["GITHUB_TOKEN", { username: "SHOP_USER", password: "SHOP_PASSWORD" }],
  }),
};

const extras = {
  headers: headersSchema
    .exactOptional()
    .meta({ description: 'Constant headers; "${NAME}" in a value is read as a secret.' }),
  query: constantQuerySchema
    .exactOptional()
    .meta({ description: 'Constant query parameters; "${NAME}" in a value is read as a secret.' }),
  bodyFormat: z.enum(bodyFormats).exactOptional().meta({
    description: "How a body is written: JSON, or urlencoded with bracketed nesting.",
    default: "json",
  }),
  idempotencyHeader: headerNameSchema.exactOptional().meta({
    description: "The header that takes an idempotency key: writes then carry one and may be retried.",
    examples: ["Idempotency-Key"],
  }),
  errorWhen: z
    .string()
    .regex(/\S/, { error: "is empty" })
    .exactOptional()
    .meta({
      description: "A JMESPath that is true when a 2xx body means failure.",
      examples: ["ok == `false`"],
    }),
};

const permissions = {
  methods: z
    .array(z.enum(httpMethods))
    .min(1)
    .exactOptional()
    .meta({ description: "Which methods the agent may use; left out: all five." }),
  paths: pathsSchema.exactOptional(),
  methodParameter: z.literal("allow").exactOptional().meta({
    description:
      "`allow` when a parameter such as `method` means something else in this API than the request's method.",
  }),
  allowedHeaders: z.array(headerNameSchema).exactOptional().meta({
    description:
      "The only extra headers the agent may send; those that say who asks, route or override only when named here.",
  }),
  endpoints: endpointsSchema
    .exactOptional()
    .meta({ description: "A few calls shown to the model as examples." }),
};

const shape = {
  ...address,
  ...authentication,
  ...extras,
  ...permissions,
  network: networkSchema.exactOptional(),
  limits: limitsSchema.exactOptional(),
};

export const apiKeys: readonly string[] = Object.keys(shape);

export const apiSchema: z.ZodType<ApiSettingsRecord> = z
  .looseObject(shape)
  .meta({ description: "The API itself.", allOf: authConditions });

function findTestEndpointFlaw(text: string): Flaw | undefined {
  if (!text.includes("${")) return undefined;
  return {
    message: "holds `${…}`, which is for headers, query and variables",
    fix: 'Write {name} here and add "variables": { "name": "${NAME}" } under `api`.',
  };
}
