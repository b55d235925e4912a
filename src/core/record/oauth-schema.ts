/** The zod schemas of `api.oauth2` and `api.login`: the source of a credential that expires. */

import { z } from "zod";
import { findEndpointUrlProblem } from "./base-url.js";
import {
  clientAuthentications,
  findSecretNames,
  httpMethods,
  oauthGrants,
} from "./field-syntax.js";
import { inlineSecretProblem } from "./problem.js";
import {
  absent,
  addConditions,
  bodyExpressionSchema,
  createLevel,
  createOptional,
  createParametersSchema,
  createRule,
  createWholeNumber,
  excludes,
  headerNameSchema,
  headersSchema,
  needs,
  needsOneOf,
  pathSchema,
  requires,
  secretStringSchema,
  sendsNoBody,
  withoutSecrets,
  wordsSchema,
} from "./schema-parts.js";

/** The part of the rule for endpoints that JSON Schema can say; the parser also knows which http hosts are this machine. */
const endpointPattern =
  "^([Hh][Tt][Tt][Pp][Ss]://|[Hh][Tt][Tt][Pp]://(localhost|127\\.[0-9.]+|\\[::1\\])[:/])[^#@\\s\\\\]*$";

const endpointUrl = (path: string, description: string) =>
  createOptional(
    z.string().superRefine(createRule(findEndpointUrlProblem)).meta({ pattern: endpointPattern }),
    {
      description,
      examples: [`https://login.example.com${path}`],
      fix: `Write the whole address with https, such as "https://login.example.com${path}"; http is for this machine alone.`,
    },
  );

const secretOnlySchema = secretStringSchema
  .refine((text) => findSecretNames(text).length > 0, inlineSecretProblem.message)
  .meta({ pattern: "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}", fix: inlineSecretProblem.fix });

const parametersSchema = createParametersSchema(secretStringSchema, "Write a string");

const listScopes = (scopes: string | readonly string[]): readonly string[] =>
  typeof scopes === "string" ? scopes.split(/\s+/).filter((scope) => scope !== "") : scopes;

/** RFC 6749, section 3.3: visible ASCII without `"` and `\`; a space separates two. */
const scopeSchema = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, {
  error: "is not one scope (visible ASCII, without a space, a quotation mark or a backslash)",
});

/** Whether it is absolute, and has no fragment. */
const isWhole = (text: string): boolean => URL.canParse(text) && !text.includes("#");

/** RFC 6749, section 3.1.2: absolute and without a fragment; a desktop application may have a scheme of its own. */
const redirectSchema = z
  .string()
  .refine(
    (text) => isWhole(text) && !/^(?:javascript|data):/i.test(text.trim()),
    "is not an absolute URL without a fragment",
  );

export const oauth2Schema = addConditions(
  createLevel({
    grant: z
      .enum(oauthGrants)
      .meta({ description: "How a token is obtained (RFC 6749, RFC 8628)." }),
    issuer: endpointUrl(
      "",
      "The authorization server; endpoints left out are looked up there (RFC 8414).",
    ),
    tokenUrl: endpointUrl(
      "/oauth/token",
      "The token endpoint: https, or this machine. Secrets go to this host and no other; {name} in its host takes only a value that is in `variables`.",
    ),
    authorizationUrl: endpointUrl(
      "/oauth/authorize",
      "Where a person agrees: grant `authorization_code`.",
    ),
    deviceAuthorizationUrl: endpointUrl(
      "/oauth/device",
      "Where a device code is requested: grant `device_code`.",
    ),
    clientId: secretStringSchema.regex(/\S/, { error: "is empty" }).meta({
      description: 'The application\'s name at the authorization server; may be "${NAME}".',
      fix: 'Write the client id the API gave the application, or "${NAME}".',
    }),
    clientSecret: createOptional(secretOnlySchema, {
      description: 'The application\'s secret, as "${NAME}". Left out for a public client.',
      examples: ["${SHOP_CLIENT_SECRET}"],
    }),
    clientAuthentication: createOptional(z.enum(clientAuthentications), {
      description:
        "How the client secret is sent: `basic` in a header, `post` in the body. Left out: `basic` with a secret, else `none`.",
    }),
    refreshToken: createOptional(secretOnlySchema, {
      description:
        'The first refresh token of grant `refresh_token`, as "${NAME}". Left out: `SHOP_REFRESH_TOKEN` for the tool `shop`.',
      examples: ["${SHOP_REFRESH_TOKEN}"],
    }),
    scopes: z
      .union([z.array(scopeSchema), z.string()])
      .transform(listScopes)
      .default([])
      .meta({
        description: "The requested scopes: a list, or one string with spaces.",
        examples: [["read", "write"]],
      }),
    audience: createOptional(wordsSchema, {
      description: "The API that the token is for, where the server serves several.",
      examples: ["https://api.example.com"],
    }),
    resource: createOptional(
      z.string().refine(isWhole, "is not an absolute URI without a fragment"),
      {
        description: "The absolute URI of the API that the token is for (RFC 8707).",
        examples: ["https://api.example.com"],
      },
    ),
    tokenParameters: parametersSchema.default({}).meta({
      description: 'More parameters of each token request; may contain "${NAME}".',
      examples: [{ account_id: "acme" }],
    }),
    authorizationParameters: parametersSchema.default({}).meta({
      description: "More parameters of the page where a person agrees.",
      examples: [{ access_type: "offline", prompt: "consent" }],
    }),
    redirectUri: createOptional(redirectSchema, {
      description:
        "Where the browser returns with the code, as registered; `completeAuthorization` takes that URL.",
      examples: ["https://app.example.com/oauth/callback"],
    }),
  }),
  [
    needsOneOf(["tokenUrl", "issuer"]),
    needsOneOf(["authorizationUrl", "issuer"], { grant: z.literal("authorization_code") }),
    needsOneOf(["deviceAuthorizationUrl", "issuer"], { grant: z.literal("device_code") }),
    needs("grant", "clientSecret", "client_credentials"),
    needs("clientAuthentication", "clientSecret", "basic"),
    needs("clientAuthentication", "clientSecret", "post"),
    requires(
      { grant: z.enum(oauthGrants).exclude(["refresh_token"]) },
      { refreshToken: absent },
      'is for grant "refresh_token"; other grants get their own',
      'Write "grant": "refresh_token", or remove this field.',
    ),
  ],
);

const exampleCredentials = { user: "${SHOP_USER}", password: "${SHOP_PASSWORD}" };

export const loginSchema = addConditions(
  createLevel({
    method: z
      .enum(httpMethods)
      .default("POST")
      .meta({ description: "The method of the login call." }),
    path: pathSchema.meta({
      description: "Its path below the base URL.",
      examples: ["/auth/login"],
      fix: 'Begin it with one slash, such as "/auth/login"; write a space as %20.',
    }),
    headers: headersSchema.default({}).meta({
      description: 'Headers of the login call alone; may contain "${NAME}".',
      examples: [{ "X-Tenant": "acme" }],
    }),
    basic: createOptional(
      createLevel({
        username: secretStringSchema.meta({
          description: 'The username, or "${NAME}".',
          examples: ["${SHOP_USER}"],
        }),
        password: secretOnlySchema.meta({ description: 'The password, as "${NAME}".' }),
      }),
      {
        description: "HTTP Basic on the login call.",
        examples: [{ username: "${SHOP_USER}", password: "${SHOP_PASSWORD}" }],
      },
    ),
    body: createOptional(withoutSecrets(z.unknown()), {
      description: 'The JSON to send; its strings may contain "${NAME}".',
      examples: [exampleCredentials],
    }),
    form: createOptional(parametersSchema, {
      description: "The form fields to send, instead of `body`.",
      examples: [exampleCredentials],
    }),
    tokenAt: createOptional(wordsSchema, {
      description:
        'A JMESPath to the token in the answer; "@" is all of it. `header:NAME` is the header that has it.',
      examples: ["data.access_token"],
    }),
    cookie: createOptional(headerNameSchema, {
      description:
        "The session cookie that the answer sets and each call sends, instead of `tokenAt` and `authType`.",
      examples: ["JSESSIONID"],
    }),
    expiresInSecondsAt: createOptional(bodyExpressionSchema, {
      description: "A JMESPath to its lifetime in seconds. Left out: until a 401.",
      examples: ["expires_in"],
    }),
    expiresInSeconds: createOptional(createWholeNumber(1, 31_536_000), {
      description: "Its lifetime in seconds, where the answer does not contain it.",
      examples: [3_600],
    }),
  }),
  [
    needsOneOf(["tokenAt", "cookie"]),
    excludes("cookie", "tokenAt"),
    excludes("body", "form"),
    sendsNoBody("body"),
    sendsNoBody("form"),
  ],
);
