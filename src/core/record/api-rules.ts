/** What spans several fields of `api`: conditions that JSON Schema knows too, and what only the parser judges. */

import { z } from "zod";
import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames } from "./field-syntax.js";
import type { PlacedProblem } from "./problem.js";
import { absent, type Condition, excludes, given, needs } from "./schema-parts.js";

const isSent = z.enum(["bearer", "header", "query"]);

/** The token is a bearer token, or travels in a header or parameter of the API's own; a session cookie in the header `Cookie`. */
const needsCarrier = (field: string, value: z.ZodType): Condition => ({
  when: { [field]: value },
  needs: { authType: isSent },
  field: "authType",
  message: `must say how the token of \`${field}\` is sent`,
  fix: 'Write "authType": "bearer", "header" or "query".',
});

export const apiConditions: readonly Condition[] = [
  // A field too few must not mean "no authentication".
  ...["headerName", "queryParam", "credentialEnv", "authScheme"].map((field) => needs(field, "authType")),
  needs("authType", "headerName", "header"),
  needs("authType", "queryParam", "query"),
  {
    when: { authType: isSent },
    needs: { credentialEnv: z.union([z.string(), z.array(given)]).optional() },
    field: "credentialEnv",
    message: 'is an object of username and password, which only authType "basic" has',
  },
  needsCarrier("oauth2", given),
  needsCarrier("login", z.looseObject({ cookie: absent })),
  excludes("oauth2", "login"),
];

const endpointFields = ["issuer", "tokenUrl", "authorizationUrl", "deviceAuthorizationUrl"] as const;

/** The fields that the parser alone judges together. */
interface Fields {
  readonly authType?: string | undefined;
  readonly headerName?: string | undefined;
  readonly queryParam?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly methods: readonly string[];
  readonly endpoints: readonly { readonly method: string }[];
  readonly oauth2?: { readonly [Field in (typeof endpointFields)[number]]?: string | undefined } | undefined;
}

/** What JSON Schema has no words for. */
export const findCrossProblems = (api: Fields): PlacedProblem[] => [
  ...findDoubles(api),
  ...findRefusedExamples(api),
  ...findOpenHosts(api),
];

/** What carries the credential is given nowhere else. Names of headers have no case. */
function findDoubles({
  authType,
  headerName = "",
  queryParam = "",
  headers,
  query,
}: Fields): PlacedProblem[] {
  if (authType === undefined) return [];
  const ofHeader = authType === "header" ? headerName : "Authorization";
  const [field, carrier, given] =
    authType === "query" ? ["query", queryParam, query] : ["headers", ofHeader, headers];
  return Object.keys(given)
    .filter((name) => name.toLowerCase() === carrier.toLowerCase())
    .map((name) => ({
      path: [field, name],
      message: "is where the credential is sent",
      fix: "Remove it; the credential is put there by `authType`.",
    }));
}

function findRefusedExamples({ endpoints, methods }: Fields): PlacedProblem[] {
  return endpoints.flatMap(({ method }, index): PlacedProblem[] => {
    if (methods.includes(method)) return [];
    const fix = "Add the method to `methods`, or leave out this example.";
    return [
      { path: ["endpoints", index, "method"], message: "is a method that `methods` doesn't allow", fix },
    ];
  });
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
