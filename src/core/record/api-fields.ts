/** The fields of `api`, each with its zod schema. */

import { z } from "zod";
import { findBaseUrlProblem, secretInAddressProblem } from "./base-url.js";
import { errorWhenSchema } from "./error-when-schema.js";
import { authTypes, bodyFormats, httpMethods } from "./field-syntax.js";
import { loginSchema, oauth2Schema } from "./oauth-schema.js";
import { pagingSchema, readsSchema } from "./paging-schema.js";
import {
  bodyExpressionSchema,
  createFilledList,
  createLevel,
  createOptional,
  createParametersSchema,
  createRule,
  createWholeNumber,
  credentialEnvSchema,
  headerNameSchema,
  headersSchema,
  ownHeaderNameSchema,
  parameterNameSchema,
  secretStringSchema,
  wordsSchema,
} from "./schema-parts.js";
import {
  endpointsSchema,
  jobsSchema,
  limitsSchema,
  networkSchema,
  pathsSchema,
} from "./settings-schema.js";

const address = {
  baseUrl: z
    .string()
    .superRefine(createRule(findBaseUrlProblem))
    .meta({
      description:
        "The absolute http(s) URL that every request stays under, without query, fragment or user name. {name} in it is filled from `variables`.",
      examples: ["https://api.example.com/v1", "https://{tenant}.example.com/api"],
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s\\\\]+(/[^?#\\s\\\\]*)?$",
      fix: 'Write the API\'s whole address, such as "baseUrl": "https://api.example.com/v1".',
    }),
  testEndpoint: createOptional(
    z
      .string()
      .superRefine(
        createRule((text) => (text.includes("${") ? secretInAddressProblem : undefined)),
      ),
    {
      description:
        "A path that GET answers only to a valid credential; the connection test calls it.",
      examples: ["/user"],
    },
  ),
};

const authentication = {
  authType: createOptional(z.enum(authTypes), {
    description: "How the credential is sent. Left out: no authentication.",
    fix: 'Write "bearer" (an access token), "header" or "query" (an API key; add `headerName` or `queryParam`) or "basic", in lower case; leave `authType` out when the API needs no credential.',
    page: "credentials.md",
  }),
  headerName: createOptional(ownHeaderNameSchema, {
    description: "The header of authType `header`.",
    examples: ["X-Api-Key"],
    secret: true,
  }),
  queryParam: createOptional(parameterNameSchema, {
    description: "The query parameter of authType `query`.",
    examples: ["api_key"],
    secret: true,
  }),
  authScheme: createOptional(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]*$/, {
      error: "is not a scheme (one word, RFC 9110 section 11.1)",
    }),
    {
      description: 'The word before a bearer token; `""` sends the bare token.',
      default: "Bearer",
      fix: 'Write one word, such as "Bearer" or "Token", or "" for the bare token.',
      secret: true,
    },
  ),
  credentialEnv: createOptional(credentialEnvSchema, {
    description:
      'The environment variable(s) of the credential, instead of those named after the tool: a name, a list that is tried in order, or for basic `{ "username": …, "password": … }`. Never the credential itself.',
    examples: ["GITHUB_TOKEN", { username: "SHOP_USER", password: "SHOP_PASSWORD" }],
    fix: 'Name the variable, such as "SHOP_TOKEN"; several as a list; for basic { "username": "SHOP_USER", "password": "SHOP_PASSWORD" }.',
    secret: true,
  }),
  oauth2: createOptional(oauth2Schema, {
    description:
      "Gets the token from an authorization server and renews it; with authType bearer, header or query.",
    fix: 'Give an object, such as { "grant": "client_credentials", "tokenUrl": "https://login.example.com/oauth/token", "clientId": "…", "clientSecret": "${NAME}" }.',
    page: "credentials.md",
  }),
  login: createOptional(loginSchema, {
    description:
      "Gets the token by a login call, and another when it expires or the API answers 401.",
    fix: 'Give an object, such as { "path": "/login", "body": { "user": "${SHOP_USER}", "password": "${SHOP_PASSWORD}" }, "tokenAt": "token" }.',
    page: "credentials.md",
    secret: true,
  }),
};

const constants = {
  headers: headersSchema.default({}).meta({
    description:
      'Headers of every request, such as an API version or a second key; may contain "${NAME}".',
    examples: [{ Accept: "application/json" }],
  }),
  query: createParametersSchema(
    z.union([secretStringSchema, createWholeNumber(), z.boolean()]),
    "Write a string, a whole number, true or false",
  )
    .default({})
    .meta({
      description: 'Query parameters of every request; may contain "${NAME}".',
      examples: [{ version: "2" }],
    }),
  variables: createParametersSchema(
    z.union([secretStringSchema, createWholeNumber()]),
    "Write a string or a whole number",
    z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_.-]*$/, { error: "is not a name that a placeholder can have" }),
  )
    .default({})
    .meta({
      description:
        "Values for {name} in `baseUrl` and `testEndpoint`: a tenant's host, an account's id; may contain \"${NAME}\". With basic, {username} is the username.",
      examples: [{ tenant: "acme" }],
    }),
  bodyFormat: createOptional(z.enum(bodyFormats), {
    description:
      "How a body is written whose call names no Content-Type (JSON, a form, plain text, XML, CSV, NDJSON or YAML); a form has bracketed nesting, unless the operation's document has another. Left out: what the operation of the document takes, else JSON.",
    page: "files.md",
  }),
};

const permissions = {
  methods: createFilledList(z.enum(httpMethods))
    .default([...httpMethods])
    .meta({
      description: "The methods that the agent may use. Left out: all five.",
      fix: 'List at least one of "GET", "POST", "PUT", "DELETE", "PATCH"; left out, all five are allowed.',
    }),
  paths: pathsSchema.default({}).meta({
    description: "The paths that the agent may call: `*` is one segment, `**` any number of them.",
    examples: [{ allow: ["/issues/**"], deny: ["/issues/*/lock"] }],
  }),
  methodParameter: createOptional(z.literal("allow"), {
    description: "`allow` where a parameter such as `method` does not mean the request's method.",
    page: "security.md#the-request-policy-what-may-be-sent",
  }),
  allowedHeaders: createOptional(z.array(headerNameSchema), {
    description:
      "The only extra headers that the agent may send. Left out: all but those that identify the caller, route or override, which have to be named here.",
    examples: [["If-Match"]],
    page: "security.md#the-request-policy-what-may-be-sent",
  }),
  responseHeaders: createOptional(
    z.array(
      headerNameSchema.regex(/^(?![Ss][Ee][Tt]-[Cc][Oo][Oo][Kk][Ii][Ee]2?$)/, {
        error: "may hold a session, so that it is never shown",
      }),
    ),
    {
      description: "More headers of a response that its answer shows; not `Set-Cookie`.",
      examples: [["X-Api-Version"]],
      page: "answers.md",
    },
  ),
};

/** Documents are read from disk: an address that answers something else tomorrow would change what an agent may do. */
const documentSchema = wordsSchema.regex(/^(?![A-Za-z][A-Za-z0-9+.-]+:\/\/)/, {
  error: "is an address, and documents are not fetched: save it beside the record",
});

const knowledge = {
  endpoints: endpointsSchema.default([]).meta({
    description:
      "Examples of calls for the model: `method`, `path`, `about`, and optionally `query` and `body`.",
    examples: [[{ method: "GET", path: "/issues", about: "open issues" }]],
  }),
  errorWhen: createOptional(errorWhenSchema, {
    description:
      "A JMESPath that is true when a 2xx body means failure, or a list of `{ when, category?, message? }`, of which the first that is true counts.",
    examples: ["ok == `false`", [{ when: "code == 'E_LOCKED'", category: "conflict" }]],
    page: "#errorwhen",
  }),
  expiredWhen: createOptional(bodyExpressionSchema, {
    description:
      "A JMESPath that is true when a body reports an expired token, whatever the status; it is then renewed once.",
    examples: ["code == 'token_expired'"],
    page: "credentials.md#renewal",
  }),
  paging: createOptional(pagingSchema, {
    description:
      'How the API pages, where its answers do not show it: a rule, a list of rules, or `"none"`.',
    examples: [{ next: "meta.continuation", send: "query:skipToken" }, { page: "query:p" }, "none"],
    page: "#paging",
  }),
  reads: createOptional(readsSchema, {
    description:
      'Requests that change nothing although they are not GET: not held by `approve: "writes"`, and they may be paged and retried.',
    examples: [["POST /search/**"]],
  }),
  jobs: createOptional(jobsSchema, {
    description: "How jobs report their state. Left out: by the words that many APIs share.",
    fix: 'Give an object, such as { "status": "state", "done": ["done"], "failed": ["failed"] }.',
    page: "jobs.md",
  }),
  openapi: createOptional(documentSchema, {
    description:
      "The path, relative to this file, of the API's OpenAPI 3 or Swagger 2 document (JSON, or YAML of at most 10,000,000 characters).",
    examples: ["shop.openapi.json"],
    page: "api-knowledge.md",
  }),
  guide: createOptional(documentSchema, {
    description: "The path, relative to this file, of a Markdown file about the API's use.",
    examples: ["shop.md"],
    page: "api-knowledge.md",
  }),
  confidential: createOptional(z.boolean(), {
    description:
      "Whether its content reaches other sources only where a person approves it (the option `flow`).",
    page: "security.md#data-of-one-source",
  }),
  sharesWith: createOptional(z.array(wordsSchema), {
    description: "The slugs of the sources that the content of a confidential source may reach.",
    examples: [["hr"]],
  }),
  idempotencyHeader: createOptional(ownHeaderNameSchema, {
    description:
      "The header that takes an idempotency key: writes then carry one and may be retried.",
    examples: ["Idempotency-Key"],
  }),
};

const settings = {
  network: networkSchema.prefault({}).meta({
    description: "How this source is reached.",
    examples: [{ proxy: "http://proxy.example.com:3128" }],
  }),
  limits: limitsSchema.prefault({}).meta({
    description: "Limits on time, size and rate.",
    examples: [{ timeoutMs: 30_000 }],
  }),
};

export const apiFields = createLevel({
  ...{ ...address, ...authentication, ...constants },
  ...{ ...permissions, ...knowledge, ...settings },
});
