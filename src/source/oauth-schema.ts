/** The zod schemas of `api.oauth2` and `api.login`: where a credential comes from that lives and dies. */

import { z } from "zod";
import {
  clientAuthentications,
  httpMethods,
  type LoginSettings,
  type OAuth2Settings,
  oauthGrants,
} from "./api-source.js";
import { findEndpointUrlFlaw } from "./base-url.js";
import { findSecretNames } from "./field-syntax.js";
import { createRule, type Flaw } from "./flaw.js";
import {
  createImplication,
  createOptional,
  headersSchema,
  type JsonSchema,
  parameterNamePattern,
  secretStringSchema,
  wordsSchema,
} from "./schema-parts.js";

/** What JSON Schema can say of an endpoint; the parser also knows which http hosts are this machine. */
const endpointPattern =
  "^([Hh][Tt][Tt][Pp][Ss]://|[Hh][Tt][Tt][Pp]://(localhost|127\\.[0-9.]+|\\[::1\\])[:/])[^#@\\s\\\\]*$";

const endpointUrl = (example: string): z.ZodString =>
  z
    .string()
    .superRefine(createRule(findEndpointUrlFlaw))
    .meta({
      pattern: endpointPattern,
      fix: `Write the whole address with https, such as "${example}"; http is for this machine alone.`,
    });

const secretOnlySchema = secretStringSchema.superRefine(createRule(findPlainSecret)).meta({
  pattern: "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}",
});

const parametersSchema = z.record(
  z.string().regex(parameterNamePattern, { error: "is not the name of a parameter" }),
  secretStringSchema.meta({ fix: 'Write a string; "${NAME}" stands for a secret.' }),
);

const listScopes = (scopes: string | readonly string[]): readonly string[] =>
  typeof scopes === "string" ? scopes.split(/\s+/).filter((scope) => scope !== "") : scopes;

/** RFC 6749, section 3.3: visible ASCII without `"` and `\`; a space separates two. */
const scopeSchema = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, {
  error: "is not one scope (visible ASCII, without a space, a quotation mark or a backslash)",
});

export const oauth2Schema: z.ZodType<OAuth2Settings> = z
  .looseObject({
    grant: z.enum(oauthGrants).meta({
      description: "How a token is got (RFC 6749, RFC 8628).",
      fix: 'Write "client_credentials" (the application itself), "refresh_token" (a person agreed elsewhere), "authorization_code" or "device_code" (a person agrees in a browser).',
    }),
    issuer: createOptional(endpointUrl("https://login.example.com"), {
      description:
        "The authorization server's own name, from which endpoints that are left out are looked up.",
      examples: ["https://accounts.google.com"],
    }),
    tokenUrl: createOptional(endpointUrl("https://login.example.com/oauth/token"), {
      description: "The token endpoint: https, or this machine. {name} is filled from `variables`.",
      examples: ["https://login.example.com/oauth/token"],
    }),
    authorizationUrl: createOptional(endpointUrl("https://login.example.com/oauth/authorize"), {
      description: "Where a person agrees, with grant `authorization_code`.",
    }),
    deviceAuthorizationUrl: createOptional(endpointUrl("https://login.example.com/oauth/device"), {
      description: "Where a device code is got, with grant `device_code`.",
    }),
    clientId: secretStringSchema.regex(/\S/, { error: "is empty" }).meta({
      description: 'The application\'s name at the authorization server; may be "${NAME}".',
      fix: 'Write the client id the API gave the application, or "${NAME}".',
    }),
    clientSecret: createOptional(secretOnlySchema, {
      description: 'The application\'s secret, as "${NAME}". Left out for a public client.',
      examples: ["${SHOP_CLIENT_SECRET}"],
      fix: 'Write "${NAME}" and put the secret into the environment variable NAME.',
    }),
    clientAuthentication: createOptional(z.enum(clientAuthentications), {
      description:
        "How the client shows its secret: in an Authorization header (basic), in the body (post), or it has none. Left out: basic with a secret, none without.",
      fix: 'Write "basic", "post" or "none", or leave it out.',
    }),
    refreshToken: createOptional(secretOnlySchema, {
      description: 'The first refresh token of grant `refresh_token`, as "${NAME}".',
      examples: ["${SHOP_REFRESH_TOKEN}"],
      fix: 'Write "${NAME}" and put the refresh token into the environment variable NAME.',
    }),
    scopes: z
      .union([z.array(scopeSchema), z.string()])
      .transform(listScopes)
      .default([])
      .meta({
        description: "What is asked for: a list, or one string with spaces.",
        examples: [["read", "write"]],
        fix: 'List scopes, such as ["read:issues"].',
      }),
    audience: createOptional(wordsSchema, {
      description: "Which API the token is for, where one authorization server serves several.",
      fix: 'Write what the API calls it, such as "https://api.example.com", or leave it out.',
    }),
    tokenParameters: parametersSchema.default({}).meta({
      description: 'More parameters of each token request; "${NAME}" in a value is read as a secret.',
      fix: 'Give an object of strings, such as { "resource": "https://api.example.com" }.',
    }),
    authorizationParameters: parametersSchema.default({}).meta({
      description: "More parameters of the page where a person agrees.",
      fix: 'Give an object of strings, such as { "access_type": "offline", "prompt": "consent" }.',
    }),
    redirectUri: createOptional(z.string().superRefine(createRule(findRedirectFlaw)), {
      description:
        "Where the browser goes with the code, as registered at the API; the application hands that URL to `completeAuthorization`.",
      examples: ["https://app.example.com/oauth/callback"],
      fix: 'Write the registered address, such as "https://app.example.com/oauth/callback".',
    }),
  })
  .meta({ allOf: listGrantConditions() });

/** The rules among the fields in JSON Schema's words; `oauth-rules.ts` states them for the parser. */
function listGrantConditions(): JsonSchema[] {
  const grantIs = (grant: string): JsonSchema => ({
    required: ["grant"],
    properties: { grant: { const: grant } },
  });
  const either = (key: string): JsonSchema => ({ anyOf: [{ required: [key] }, { required: ["issuer"] }] });
  return [
    either("tokenUrl"),
    createImplication(grantIs("authorization_code"), either("authorizationUrl")),
    createImplication(grantIs("device_code"), either("deviceAuthorizationUrl")),
    createImplication(grantIs("client_credentials"), { required: ["clientSecret"] }),
    createImplication(
      {
        required: ["clientAuthentication"],
        properties: { clientAuthentication: { enum: ["basic", "post"] } },
      },
      { required: ["clientSecret"] },
    ),
    createImplication({ required: ["refreshToken"] }, { properties: { grant: { const: "refresh_token" } } }),
  ];
}

const expression = (example: string) =>
  wordsSchema.max(10_000).meta({ fix: `Write a JMESPath over the answer, such as "${example}".` });

export const loginSchema: z.ZodType<LoginSettings> = z
  .looseObject({
    method: z.enum(httpMethods).default("POST").meta({
      description: "The method of the login call.",
      fix: 'Write "POST" or the method the API\'s login takes, in capitals.',
    }),
    path: z
      .string()
      .superRefine(createRule(findLoginPathFlaw))
      .meta({
        description: "The path of the login call below the base URL.",
        pattern: "^/[^\\s\\\\#]*$",
        examples: ["/auth/login"],
        fix: 'Write a path below the base URL, such as "/auth/login".',
      }),
    headers: headersSchema.default({}).meta({
      description: 'Headers of the login call alone; "${NAME}" in a value is read as a secret.',
      fix: 'Give an object of strings, such as { "X-Tenant": "acme" }.',
    }),
    basic: createOptional(
      z.looseObject({
        username: secretStringSchema.meta({
          description: "The username.",
          fix: 'Write the username, or "${NAME}".',
        }),
        password: secretOnlySchema.meta({
          description: "The password, as a variable.",
          fix: 'Write "${NAME}" and put the password into the environment variable NAME.',
        }),
      }),
      {
        description: "HTTP Basic on the login call, where the API takes the username and password so.",
        fix: 'Give { "username": "${SHOP_USER}", "password": "${SHOP_PASSWORD}" }.',
      },
    ),
    body: createOptional(z.json(), {
      description: 'What is sent, as JSON; "${NAME}" in a string of it is read as a secret.',
      examples: [{ user: "${SHOP_USER}", password: "${SHOP_PASSWORD}" }],
      fix: 'Give an object, such as { "user": "${SHOP_USER}", "password": "${SHOP_PASSWORD}" }.',
    }),
    form: createOptional(parametersSchema, {
      description: "What is sent, as a form, instead of `body`.",
      fix: 'Give an object of strings, such as { "user": "${SHOP_USER}", "password": "${SHOP_PASSWORD}" }.',
    }),
    tokenAt: expression("data.access_token").meta({
      description: 'A JMESPath that finds the token in the answer; "@" is all of it.',
      examples: ["data.access_token"],
    }),
    expiresInSecondsAt: createOptional(expression("expires_in"), {
      description:
        "A JMESPath that finds how many seconds the token lives. Left out, it lives until the API answers 401.",
    }),
    expiresInSeconds: createOptional(z.int().min(1).max(31_536_000), {
      description: "How many seconds the token lives, where the API documents it and the answer doesn't say.",
      fix: "Write whole seconds, such as 3600.",
    }),
  })
  .meta({ allOf: [{ not: { required: ["body", "form"] } }] });

function findPlainSecret(text: string): Flaw | undefined {
  if (findSecretNames(text).length > 0) return undefined;
  return {
    message: "holds a credential in plain text, which is never in a record",
    fix: 'Write "${NAME}" in its place and put the value into the environment variable NAME.',
  };
}

function findLoginPathFlaw(path: string): Flaw | undefined {
  if (path.startsWith("/") && !path.startsWith("//") && !/[\s\\#\p{Cc}]/u.test(path)) return undefined;
  return {
    message: "is no path below the base URL",
    fix: 'Begin it with one slash, such as "/auth/login"; write a space as %20.',
  };
}

/** RFC 6749, section 3.1.2: absolute and without a fragment; a desktop application may have a scheme of its own. */
function findRedirectFlaw(text: string): Flaw | undefined {
  if (URL.canParse(text) && !text.includes("#") && !/^(?:javascript|data):/i.test(text.trim()))
    return undefined;
  return {
    message: "is not an absolute URL without a fragment",
    fix: 'Write the registered address, such as "https://app.example.com/oauth/callback".',
  };
}
