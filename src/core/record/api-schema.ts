/** The zod schema of `api`, a rule per field; what spans several fields is in `rules.ts`. */

import { z } from "zod";
import { type ApiSettings, authTypes, bodyFormats, httpMethods } from "./api-source.js";
import { findBaseUrlProblem, secretInAddressProblem } from "./base-url.js";
import { loginSchema, oauth2Schema } from "./oauth-schema.js";
import { pagingSchema, readsSchema } from "./paging-schema.js";
import { apiRules, writeRules } from "./rules.js";
import {
  createFilledList,
  createOptional,
  createParametersSchema,
  createRule,
  credentialEnvSchema,
  findFramingProblem,
  headerNameSchema,
  headersSchema,
  ownHeaderNameSchema,
  secretStringSchema,
  shownHeaderNameSchema,
  wordsSchema,
} from "./schema-parts.js";
import { endpointsSchema, jobsSchema, limitsSchema, networkSchema, pathsSchema } from "./settings-schema.js";

const address = {
  baseUrl: z
    .string()
    .superRefine(createRule(findBaseUrlProblem))
    .meta({
      description:
        "The API's absolute http(s) URL without query, fragment or user name. {name} in host, port or path is filled from `variables`.",
      examples: ["https://api.example.com/v1", "https://{tenant}.example.com/api"],
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s\\\\]+(/[^?#\\s\\\\]*)?$",
      fix: 'Write the API\'s whole address, such as "baseUrl": "https://api.example.com/v1".',
    }),
  testEndpoint: createOptional(
    z.string().superRefine(createRule((text) => (text.includes("${") ? secretInAddressProblem : undefined))),
    {
      description: "A path that GET answers only to a valid credential; the connection test calls it.",
      examples: ["/user"],
    },
  ),
  variables: createParametersSchema(
    z.union([secretStringSchema, z.int()]),
    "Write a string or a whole number",
    /^[A-Za-z_][A-Za-z0-9_.-]*$/,
  )
    .default({})
    .meta({
      description: 'Values for {name} in `baseUrl` and `testEndpoint`; "${NAME}" is read as a secret.',
      examples: [{ tenant: "acme" }],
    }),
};

const authentication = {
  authType: createOptional(z.enum(authTypes), {
    description: "How the credential is sent; left out: no authentication.",
    fix: 'Write "bearer" (an access token), "header" or "query" (an API key; add `headerName` or `queryParam`) or "basic", in lower case; leave `authType` out when the API needs no credential.',
  }),
  headerName: createOptional(z.string().superRefine(createRule(findFramingProblem)), {
    description: "The header that carries the credential, with authType `header`.",
    examples: ["X-Api-Key"],
  }),
  queryParam: createOptional(z.string(), {
    description: "The query parameter that carries it, with authType `query`.",
    examples: ["api_key"],
  }),
  authScheme: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/, { error: "is not a scheme (one word, RFC 9110 section 11.1)" })
    .default("Bearer")
    .meta({
      description: 'The word before a bearer token; "" sends the bare token.',
      fix: 'Write one word, such as "Bearer" or "Token", or "" for the bare token.',
    }),
  credentialEnv: createOptional(credentialEnvSchema, {
    description:
      "The environment variable(s) that hold the credential, instead of those named after the tool. Never the credential itself.",
    examples: ["GITHUB_TOKEN", { username: "SHOP_USER", password: "SHOP_PASSWORD" }],
    fix: 'Name the variable, such as "SHOP_TOKEN"; several as a list; for basic { "username": "SHOP_USER", "password": "SHOP_PASSWORD" }.',
  }),
  oauth2: createOptional(oauth2Schema, {
    description: "Gets the token from an authorization server, and gets another when it expires.",
    fix: 'Give an object, such as { "grant": "client_credentials", "tokenUrl": "https://login.example.com/oauth/token", "clientId": "…", "clientSecret": "${NAME}" }.',
  }),
  login: createOptional(loginSchema, {
    description: "Gets the token by a login call to the API, and by another one when it expires.",
    fix: 'Give an object, such as { "path": "/login", "body": { "user": "${SHOP_USER}", "password": "${SHOP_PASSWORD}" }, "tokenAt": "token" }.',
  }),
};

const extras = {
  headers: headersSchema.default({}).meta({
    description: 'Constant headers; "${NAME}" in a value is read as a secret.',
    examples: [{ Accept: "application/json" }],
  }),
  query: createParametersSchema(
    z.union([secretStringSchema, z.int(), z.boolean()]),
    "Write a string, a whole number, true or false",
  )
    .default({})
    .meta({
      description: 'Constant query parameters; "${NAME}" in a value is read as a secret.',
      examples: [{ version: "2" }],
    }),
  bodyFormat: createOptional(z.enum(bodyFormats), {
    description:
      "How every body is written: JSON, urlencoded with bracketed nesting, or multipart/form-data. Left out: JSON, or what a call's Content-Type names.",
  }),
  idempotencyHeader: createOptional(ownHeaderNameSchema, {
    description: "The header that takes an idempotency key: writes then carry one and may be retried.",
    examples: ["Idempotency-Key"],
  }),
  errorWhen: createOptional(wordsSchema, {
    description: "A JMESPath that is true when a 2xx body means failure.",
    examples: ["ok == `false`"],
  }),
  expiredWhen: createOptional(wordsSchema, {
    description:
      "A JMESPath that is true when a 2xx body reports an expired token: the token is renewed once, as after a 401.",
    examples: ["code == 'token_expired'"],
  }),
  paging: createOptional(pagingSchema, {
    description:
      'How this API pages: one rule, or a list of which the first whose `paths` match applies; "none": it does not page.',
    examples: [{ next: "meta.continuation", send: "query:skipToken" }, { page: "query:p" }, "none"],
  }),
  reads: createOptional(readsSchema, {
    description:
      'Requests that change nothing although they are not GET: not held by `approve: "writes"`, and they may be paged and retried.',
    examples: [["POST /search/**"]],
    fix: 'List at least one, such as ["POST /search/**"].',
  }),
  jobs: createOptional(jobsSchema, {
    description: "How jobs of this API report their state; left out: by the words that many APIs share.",
    fix: 'Give an object, such as { "status": "state", "done": ["done"], "failed": ["failed"] }.',
  }),
};

/** Documents are read from disk: an address that answers something else tomorrow would change what an agent may do. */
const documentSchema = wordsSchema.regex(/^(?![A-Za-z][A-Za-z0-9+.-]+:\/\/)/, {
  error: "is an address, and documents are not fetched: save it beside the record",
});

/** What is known of an API besides its record, and what is made of it. */
const knowledge = {
  openapi: createOptional(documentSchema, {
    description:
      "The path, relative to this file, of the API's OpenAPI 3 or Swagger 2 document (JSON or YAML).",
    examples: ["shop.openapi.json"],
  }),
  guide: createOptional(documentSchema, {
    description: "The path, relative to this file, of a Markdown file that describes how this API is used.",
    examples: ["shop.md"],
  }),
};

const permissions = {
  confidential: createOptional(z.boolean(), {
    description:
      "Whether its content must not reach other sources unless a person approves it (the option `flow`). Left out: false.",
    fix: 'Write "confidential": true, or leave it out.',
  }),
  sharesWith: createOptional(z.array(wordsSchema), {
    description: "The slugs of the sources that the content of this confidential one may reach.",
    examples: [["hr"]],
    fix: 'List the slugs, such as ["hr"].',
  }),
  methods: createFilledList(z.enum(httpMethods))
    .default([...httpMethods])
    .meta({
      description: "Which methods the agent may use; left out: all five.",
      fix: 'List at least one of "GET", "POST", "PUT", "DELETE", "PATCH"; left out, all five are allowed.',
    }),
  paths: pathsSchema.default({}).meta({
    description: "Which paths the agent may call: `*` is one segment, `**` any number of them.",
    examples: [{ allow: ["/issues/**"], deny: ["/issues/*/lock"] }],
  }),
  methodParameter: createOptional(z.literal("allow"), {
    description:
      "`allow` when a parameter such as `method` means something else in this API than the request's method.",
  }),
  allowedHeaders: createOptional(z.array(headerNameSchema), {
    description:
      "The only extra headers the agent may send; headers that identify, route or override must be named here.",
    examples: [["If-Match"]],
  }),
  responseHeaders: createOptional(z.array(shownHeaderNameSchema), {
    description: "Headers of a response that its answer shows, besides those that it always shows.",
    examples: [["X-Api-Version"]],
  }),
  endpoints: endpointsSchema.default([]).meta({
    description: "A few calls shown to the model as examples.",
    examples: [[{ method: "GET", path: "/issues", about: "open issues" }]],
  }),
};

export const apiSchema: z.ZodType<ApiSettings> = z
  .looseObject({
    ...address,
    ...authentication,
    ...extras,
    ...knowledge,
    ...permissions,
    network: networkSchema.prefault({}).meta({
      description: "How this source is reached.",
      examples: [{ proxy: "http://proxy.example.com:3128" }],
    }),
    limits: limitsSchema.prefault({}).meta({
      description: "Limits on time, size and rate.",
      examples: [{ timeoutMs: 30_000 }],
    }),
  })
  .meta({
    ...writeRules(apiRules),
    description: "The API itself.",
    fix: 'Give an object such as "api": { "baseUrl": "https://api.example.com", "authType": "bearer" }.',
  });
