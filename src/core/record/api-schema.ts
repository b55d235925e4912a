/** The zod schema of `api`: its fields, and what spans several of them, conditions that JSON Schema knows too and what only the parser judges. */

import { z } from "zod";
import { apiFields } from "./api-fields.js";
import { readBaseUrlParts } from "./base-url.js";
import { type Fields, findContradictions, findCredentialHeader } from "./contradictions.js";
import { type AuthType, findPlaceholderNames, findSecretNames } from "./field-syntax.js";
import type { PlacedProblem } from "./problem.js";
import {
  absent,
  addConditions,
  type Condition,
  createRule,
  excludes,
  given,
  needs,
  requires,
} from "./schema-parts.js";

const isSent = z.enum(["bearer", "header", "query"]);

const noEffect = (field: string) =>
  requires(
    { [field]: given },
    { credentialEnv: absent },
    `has no effect beside \`${field}\``,
    "Remove it.",
  );

/** The token is a bearer token, or travels in a header or parameter of the API's own; a session cookie in the header `Cookie`. */
const needsCarrier = (field: string, value: z.ZodType): Condition =>
  requires(
    { [field]: value },
    { authType: isSent },
    `must say how the token of \`${field}\` is sent`,
    'Write "authType": "bearer", "header" or "query".',
  );

/** A field that counts beside one authType alone. */
const belongsTo = (field: string, authType: AuthType, others: readonly AuthType[]): Condition =>
  requires(
    { authType: z.enum(others) },
    { [field]: absent },
    `has no effect: only authType "${authType}" has it`,
    `Remove it, or write "authType": "${authType}".`,
  );

const apiConditions: readonly Condition[] = [
  // A field too few must not mean "no authentication".
  ...["headerName", "queryParam", "credentialEnv", "authScheme"].map((field) =>
    needs(field, "authType"),
  ),
  needs("authType", "headerName", "header"),
  needs("authType", "queryParam", "query"),
  belongsTo("authScheme", "bearer", ["header", "query", "basic"]),
  belongsTo("headerName", "header", ["bearer", "query", "basic"]),
  belongsTo("queryParam", "query", ["bearer", "header", "basic"]),
  {
    when: { sharesWith: given },
    needs: { confidential: z.literal(true) },
    field: "sharesWith",
    message: "has no effect without `confidential`",
    fix: 'Write "confidential": true, or remove it.',
  },
  requires(
    { authType: isSent },
    { credentialEnv: z.union([z.string(), z.array(given)]).optional() },
    'is an object of username and password, which only authType "basic" has',
  ),
  requires(
    { authType: z.literal("basic"), credentialEnv: z.array(given) },
    { credentialEnv: z.array(given).max(2) },
    "does not say which variable holds the username and which the password",
  ),
  needsCarrier("oauth2", given),
  needsCarrier("login", z.looseObject({ cookie: absent })),
  noEffect("oauth2"),
  noEffect("login"),
  requires(
    { login: z.looseObject({ cookie: given }) },
    { authType: z.literal("header").optional(), headerName: z.literal("Cookie").optional() },
    "contradicts `login.cookie`, which is sent in the header `Cookie`",
    "Remove `authType`, `headerName` and `queryParam`.",
  ),
  excludes("oauth2", "login"),
];

const endpointFields = [
  "issuer",
  "tokenUrl",
  "authorizationUrl",
  "deviceAuthorizationUrl",
] as const;

/** Finds what JSON Schema has no words for. */
const findCrossProblems = (api: Fields): PlacedProblem[] => [
  ...findDoubles(api),
  ...findContradictions(api),
  ...findOpenHosts(api),
];

/** Finds a carrier of the credential that is given elsewhere, too, and a header that is given twice. Names of headers have no case. */
function findDoubles(api: Fields): PlacedProblem[] {
  const { authType, queryParam = "", idempotencyHeader } = api;
  const isQuery = authType === "query";
  const carrier = isQuery ? queryParam : findCredentialHeader(api);
  const inHeaders = [
    ...Object.keys(api.headers).map((name) => ["headers", name]),
    ["idempotencyHeader"],
  ];
  const fold = ([field, name = idempotencyHeader ?? ""]: readonly string[]) =>
    field && name.toLowerCase();
  const carriers = isQuery ? Object.keys(api.query).map((name) => ["query", name]) : inHeaders;
  const names = inHeaders.map(fold);
  return [
    ...carriers
      .filter((path) => carrier && fold(path) === carrier.toLowerCase())
      .map((path) => ({
        path,
        message: "is where the credential is sent",
        fix: "Remove it; the credential is put there by `authType`.",
      })),
    ...inHeaders
      .filter((path, index) => names.indexOf(fold(path)) < index)
      .map((path) => ({
        path,
        message: "is given twice (header names are case-insensitive)",
        fix: "Remove one.",
      })),
  ];
}

/** The caller who gives a value for the host would choose where client secret and refresh token are sent. */
function findOpenHosts({ variables, oauth2 }: Fields): PlacedProblem[] {
  // A variable without a value is as open as a secret.
  const isOpen = (name: string) => findSecretNames(variables[name] ?? "${NAME}").length > 0;
  return endpointFields.flatMap((field) => {
    const host = readBaseUrlParts(oauth2?.[field] ?? "")?.authority ?? "";
    const name = findPlaceholderNames(host).find(isOpen);
    if (name === undefined) return [];
    const message = `has {${name}} in its host, whose value is not in the record`;
    const fix = `Write the host out, or give \`variables.${name}\` its value in the record: secrets are sent to this host.`;
    return [{ path: ["oauth2", field], message, fix }];
  });
}

export const apiSchema = addConditions(apiFields, apiConditions)
  .superRefine(createRule(findCrossProblems))
  .transform((api) => ({
    ...api,
    ...(api.authType === "bearer" && { authScheme: api.authScheme ?? "Bearer" }),
    // A session cookie is the one credential whose header is known.
    ...(api.login?.cookie === undefined
      ? {}
      : { authType: "header" as const, headerName: "Cookie" }),
  }))
  .meta({
    description: "The API itself.",
    fix: 'Give an object such as "api": { "baseUrl": "https://api.example.com", "authType": "bearer" }.',
  });
