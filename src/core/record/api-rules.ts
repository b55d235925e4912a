/** What spans several fields of `api`: conditions that JSON Schema knows too, and what only the parser judges. */

import { z } from "zod";
import { isPlainObject } from "../base/input.js";
import { readBaseUrlParts } from "./base-url.js";
import {
  findPlaceholderNames,
  findSecretNames,
  headerNamePattern,
  httpMethods,
  parameterNamePattern,
} from "./field-syntax.js";
import type { PlacedProblem } from "./problem.js";
import { absent, type Condition, given } from "./schema-parts.js";

const isSent = z.enum(["bearer", "header", "query"]);
const isUnset = { login: z.looseObject({ cookie: absent }) };

/** A field too few must not mean "no authentication". */
const strayConditions = ["headerName", "queryParam", "credentialEnv", "authScheme"].map(
  (field): Condition => ({
    when: { [field]: given },
    needs: { authType: given },
    field,
    message: "sets how to authenticate, but `authType` is missing",
    fix: 'Add "authType": "bearer", "header", "query" or "basic"; or remove this field when the API needs no credential.',
  }),
);

const needsName = (authType: string, field: string, pattern: RegExp, example: string): Condition => ({
  when: { authType: z.literal(authType) },
  needs: { [field]: z.string().regex(pattern) },
  field,
  message: `is not given, or is not a name; authType "${authType}" needs it`,
  fix: `Write the name alone, such as "${example}".`,
});

/** The token is a bearer token, or travels in a header or parameter of the API's own; a session cookie in the header `Cookie`. */
const needsCarrier = (field: string, when: Condition["when"]): Condition => ({
  when,
  needs: { authType: isSent },
  field: "authType",
  message: `must say how the token of \`${field}\` is sent`,
  fix: 'Write "authType": "bearer", "header" or "query".',
});

const hasNoEffect = (field: string): Condition => ({
  when: { [field]: given },
  needs: { credentialEnv: absent },
  field: "credentialEnv",
  message: `has no effect beside \`${field}\`, where the token comes from`,
  fix: "Remove it.",
});

export const apiConditions: readonly Condition[] = [
  ...strayConditions,
  needsName("header", "headerName", headerNamePattern, "X-Api-Key"),
  needsName("query", "queryParam", parameterNamePattern, "api_key"),
  {
    when: { authType: isSent },
    needs: { credentialEnv: z.union([z.string(), z.array(given)]).optional() },
    field: "credentialEnv",
    message: 'is an object of username and password, which only authType "basic" has',
  },
  {
    when: { authType: z.literal("basic"), credentialEnv: z.array(given) },
    needs: { credentialEnv: z.array(given).max(2) },
    field: "credentialEnv",
    message: "does not say which variable holds the username and which the password",
  },
  needsCarrier("oauth2", { oauth2: given, login: z.looseObject({ cookie: absent }).optional() }),
  needsCarrier("login", isUnset),
  hasNoEffect("oauth2"),
  hasNoEffect("login"),
  {
    when: { login: z.looseObject({ cookie: given }) },
    needs: { authType: z.literal("header").optional(), headerName: z.literal("Cookie").optional() },
    field: "authType",
    message: "contradicts `login.cookie`, which is sent in the header `Cookie`",
    fix: "Remove `authType`, `headerName` and `queryParam`.",
  },
  {
    when: { oauth2: given },
    needs: { login: absent },
    field: "login",
    message: "is set beside `oauth2`: a credential comes from one of them",
    fix: "Remove one.",
  },
];

type Fields = Readonly<Record<string, unknown>>;

/** What JSON Schema has no words for. Values of a wrong type are ignored: their field reports that. */
export function findCrossProblems(api: unknown): PlacedProblem[] {
  if (!isPlainObject(api)) return [];
  return [...findDoubles(api), ...findRefusedExamples(api), ...findOpenHosts(api)];
}

const readFields = (value: unknown): Fields => (isPlainObject(value) ? value : {});
const fold = (name: unknown): string => (typeof name === "string" ? name.trim().toLowerCase() : "");

/** What carries the credential is given nowhere else, and no header twice. Names of headers have no case. */
function findDoubles(api: Fields): PlacedProblem[] {
  const { authType, headerName, queryParam, idempotencyHeader } = api;
  const list = (field: string) =>
    Object.keys(readFields(api[field])).map((name) => ({ name: fold(name), path: [field, name] }));
  const headers = [...list("headers"), { name: fold(idempotencyHeader), path: ["idempotencyHeader"] }];
  const names = headers.map(({ name }) => name);
  const ofBearer = authType === "bearer" || authType === "basic" ? "authorization" : "";
  const ofHeader = authType === "header" ? fold(headerName) : ofBearer;
  const ofCookie = readFields(api["login"])["cookie"] === undefined ? ofHeader : "cookie";
  const carriers = authType === "query" ? list("query") : headers;
  const carrier = authType === "query" ? fold(queryParam) : ofCookie;
  return [
    ...carriers
      .filter(({ name }) => carrier !== "" && name === carrier)
      .map(({ path }) => ({
        path,
        message: "is where the credential is sent",
        fix: "Remove it; the credential is put there by `authType`.",
      })),
    ...headers
      .filter(({ name }, index) => names.indexOf(name) < index)
      .map(({ path }) => ({
        path,
        message: "is given twice (header names are case-insensitive)",
        fix: "Remove one.",
      })),
  ];
}

function findRefusedExamples({ endpoints, methods }: Fields): PlacedProblem[] {
  if (!Array.isArray(endpoints) || !Array.isArray(methods)) return [];
  const known: readonly unknown[] = httpMethods;
  // A misspelt method in the list is reported elsewhere.
  if (!methods.every((method) => known.includes(method))) return [];
  return endpoints.flatMap((endpoint, index): PlacedProblem[] => {
    const { method } = readFields(endpoint);
    if (!known.includes(method) || methods.includes(method)) return [];
    const fix = "Add the method to `methods`, or leave out this example.";
    return [
      { path: ["endpoints", index, "method"], message: "is a method that `methods` doesn't allow", fix },
    ];
  });
}

/** The caller who gives a value for the host would choose where client secret and refresh token are sent. */
function findOpenHosts(api: Fields): PlacedProblem[] {
  const variables = readFields(api["variables"]);
  return ["issuer", "tokenUrl", "authorizationUrl", "deviceAuthorizationUrl"].flatMap((field) => {
    const url = readFields(api["oauth2"])[field];
    const authority = typeof url === "string" ? (readBaseUrlParts(url)?.authority ?? "") : "";
    const name = findPlaceholderNames(authority).find((each) => {
      const value = variables[each];
      return typeof value !== "string" || findSecretNames(value).length > 0;
    });
    if (name === undefined) return [];
    const message = `has {${name}} in its host, whose value is not in the record`;
    const fix = `Write the host out, or give \`variables.${name}\` its value in the record: secrets are sent to this host.`;
    return [{ path: ["oauth2", field], message, fix }];
  });
}
