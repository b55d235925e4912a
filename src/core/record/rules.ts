/** The rules of a record that span several fields, each written once: the parser applies them, and the JSON Schema contains them. */

import { isPlainObject } from "../base/input.js";
import { headerNamePattern, parameterNamePattern } from "./field-syntax.js";
import { type Path, type PlacedProblem, type PlainData, readMember } from "./plain-data.js";

/** Conditions on a value, in keywords of JSON Schema that every draft has. */
interface Condition {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Condition>>;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly type?: "object";
  readonly maxItems?: number;
  readonly not?: Condition;
  readonly anyOf?: readonly Condition[];
}

/** Whatever fits `when` must fit `needs` too. */
export interface Rule {
  readonly when: Condition;
  readonly needs: Condition;
  /** The field that has the problem. */
  readonly field: string;
  readonly message: string;
  /** Absent where the field's own words say what to write. */
  readonly fix?: string;
}

/** Whether an object has all of these members. */
export const has = (...required: string[]): Condition => ({ required });
const may = (field: string, condition: Condition): Condition => ({ properties: { [field]: condition } });
const is = (field: string, ...values: string[]): Condition => ({
  ...has(field),
  ...may(field, { enum: values }),
});

/** What reading a record always fills in: settings that hold all of these were read before, and have the default scheme. */
const wasRead = has("headers", "query", "variables", "methods", "paths", "endpoints", "network");

/** A field too few must not mean "no authentication". */
const strayRules = ["headerName", "queryParam", "credentialEnv", "authScheme"].map(
  (field): Rule => ({
    when: field === "authScheme" ? { ...has(field), not: wasRead } : has(field),
    needs: has("authType"),
    field,
    message: "sets how to authenticate, but `authType` is missing",
    fix: 'Add "authType": "bearer", "header", "query" or "basic"; or remove this field when the API needs no credential.',
  }),
);

const carrierRules = [
  { authType: "header", field: "headerName", pattern: headerNamePattern.source, example: "X-Api-Key" },
  { authType: "query", field: "queryParam", pattern: parameterNamePattern.source, example: "api_key" },
].map(
  ({ authType, field, pattern, example }): Rule => ({
    when: is("authType", authType),
    needs: { ...has(field), ...may(field, { pattern }) },
    field,
    message: `is not given, or is not a name; authType "${authType}" needs it`,
    fix: `Write the name alone, such as "${example}".`,
  }),
);

/** A session cookie is sent in the header `Cookie`. */
const hasCookie: Condition = { ...has("login"), ...may("login", has("cookie")) };

/** The token is a bearer token, or travels in a header or parameter of the API's own. */
const issuedRules = ["oauth2", "login"].flatMap((field): Rule[] => [
  {
    when: { ...has(field), not: hasCookie },
    needs: is("authType", "bearer", "header", "query"),
    field: "authType",
    message: `must say how the token of \`${field}\` is sent`,
    fix: 'Write "authType": "bearer", "header" or "query".',
  },
  {
    when: has(field),
    needs: { not: has("credentialEnv") },
    field: "credentialEnv",
    message: `has no effect beside \`${field}\`, where the token comes from`,
    fix: "Remove it.",
  },
]);

export const apiRules: readonly Rule[] = [
  ...strayRules,
  ...carrierRules,
  {
    when: { ...has("authType"), not: is("authType", "basic") },
    needs: may("credentialEnv", { not: { type: "object" } }),
    field: "credentialEnv",
    message: 'is an object of username and password, which only authType "basic" has',
  },
  {
    when: is("authType", "basic"),
    needs: may("credentialEnv", { maxItems: 2 }),
    field: "credentialEnv",
    message: "does not say which variable holds the username and which the password",
  },
  ...issuedRules,
  {
    when: hasCookie,
    needs: { properties: { authType: { enum: ["header"] }, headerName: { enum: ["Cookie"] } } },
    field: "authType",
    message: "contradicts `login.cookie`, which is sent in the header `Cookie`",
    fix: "Remove `authType`, `headerName` and `queryParam`.",
  },
  {
    when: has("oauth2"),
    needs: { not: has("login") },
    field: "login",
    message: "is set beside `oauth2`: a credential comes from one of them",
    fix: "Remove one.",
  },
];

/** A certificate without its key proves nothing (RFC 8446, 4.4.3), and a key without its certificate names no one (4.4.2). */
export const networkRules: readonly Rule[] = ["cert", "key"].map((field) => ({
  when: { anyOf: [has("cert"), has("key")] },
  needs: has(field),
  field,
  message: "is missing: a client certificate is `cert` and `key` together",
  fix: "Add it, or remove the other.",
}));

const bodyRule = (field: string, fix: string): Rule => ({
  when: is("method", "GET"),
  needs: { not: has(field) },
  field,
  message: "is a body for GET, which sends none",
  fix,
});

export const endpointRules: readonly Rule[] = [bodyRule("body", "Write it as `query`.")];

const needsUrl = (when: Condition, field: string, why: string): Rule => ({
  when,
  needs: { anyOf: [has(field), has("issuer")] },
  field,
  message: `is missing, and so is an \`issuer\` to look it up at${why}`,
});

export const grantRules: readonly Rule[] = [
  needsUrl({}, "tokenUrl", ""),
  needsUrl(is("grant", "authorization_code"), "authorizationUrl", ': grant "authorization_code" needs it'),
  needsUrl(is("grant", "device_code"), "deviceAuthorizationUrl", ': grant "device_code" needs it'),
  {
    when: { anyOf: [is("grant", "client_credentials"), is("clientAuthentication", "basic", "post")] },
    needs: has("clientSecret"),
    field: "clientSecret",
    message: "is missing, and the client must send it",
  },
  {
    when: has("refreshToken"),
    needs: may("grant", { enum: ["refresh_token"] }),
    field: "refreshToken",
    message: 'is for grant "refresh_token"; other grants get their own',
    fix: 'Write "grant": "refresh_token", or remove this field.',
  },
];

export const loginRules: readonly Rule[] = [
  {
    when: {},
    needs: { anyOf: [has("tokenAt"), has("cookie")] },
    field: "tokenAt",
    message: "must be given, or `cookie`: where the session is in the answer",
    fix: 'Write "tokenAt": "data.token" for a token in the body, or "cookie": "JSESSIONID" for a session cookie.',
  },
  {
    when: has("cookie"),
    needs: { not: has("tokenAt") },
    field: "tokenAt",
    message: "is set beside `cookie`: a session is one of them",
    fix: "Remove one.",
  },
  {
    when: has("body"),
    needs: { not: has("form") },
    field: "form",
    message: "is set beside `body`",
    fix: "Keep the one the API takes.",
  },
  ...["body", "form"].map((field) =>
    bodyRule(field, 'Write "method": "POST", or put it into `path` or `headers`.'),
  ),
];

/** zod has no word for such a rule that its generator understands. */
export function writeRules(rules: readonly Rule[]): { readonly allOf: readonly unknown[] } {
  return { allOf: rules.map(({ when, needs }) => ({ anyOf: [{ not: when }, needs] })) };
}

/** Ignores values of a wrong type: their field reports that. */
export function findRuleProblems(
  rules: readonly Rule[],
  value: PlainData | undefined,
  path: Path,
): PlacedProblem[] {
  if (!isPlainObject(value)) return [];
  return rules
    .filter(({ when, needs }) => isFitting(value, when) && !isFitting(value, needs))
    .map(({ field, message, fix }) => ({ path: [...path, field], message, fix }));
}

function isFitting(value: PlainData | undefined, condition: Condition): boolean {
  const { required = [], properties = {}, enum: values, pattern, type, maxItems, not, anyOf } = condition;
  return (
    required.every((key) => readMember(value, key) !== undefined) &&
    Object.entries(properties).every(([key, one]) => {
      const member = readMember(value, key);
      return member === undefined || isFitting(member, one);
    }) &&
    (values === undefined || values.some((one) => one === value)) &&
    (pattern === undefined || typeof value !== "string" || new RegExp(pattern, "u").test(value)) &&
    (type === undefined || isPlainObject(value)) &&
    (maxItems === undefined || !Array.isArray(value) || value.length <= maxItems) &&
    (not === undefined || !isFitting(value, not)) &&
    (anyOf === undefined || anyOf.some((one) => isFitting(value, one)))
  );
}
