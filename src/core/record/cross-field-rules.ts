/** Judges what spans several fields of a record's `api`: by the rules, and by what JSON Schema has no words for. */

import { isPlainObject } from "../base/input.js";
import { httpMethods } from "./api-source.js";
import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames } from "./field-syntax.js";
import { findInlineSecretProblem } from "./inline-credentials.js";
import { pagingRules } from "./paging-schema.js";
import {
  findMemberProblems,
  type PlacedProblem,
  type PlainData,
  type PlainObject,
  readMember,
} from "./plain-data.js";
import { apiRules, endpointRules, findRuleProblems, grantRules, loginRules, networkRules } from "./rules.js";

/** Judges `api` of a copied record; silent about ill-typed values. */
export function findCrossFieldProblems(api: PlainData | undefined): PlacedProblem[] {
  if (!isPlainObject(api)) return [];
  return [
    ...findRuleProblems(apiRules, api, []),
    ...findRuleProblems(networkRules, api["network"], ["network"]),
    ...findRuleProblems(grantRules, api["oauth2"], ["oauth2"]),
    ...findRuleProblems(loginRules, api["login"], ["login"]),
    ...findPagingProblems(api),
    ...findDoubleProblems(api),
    ...constantFields.flatMap((path) => findMemberProblems(findAt(api, path), path, findInlineSecretProblem)),
    ...findEndpointProblems(api),
    ...findHostProblems(api),
  ].map((problem) => ({ ...problem, path: ["api", ...problem.path] }));
}

function findPagingProblems({ paging }: PlainObject): PlacedProblem[] {
  if (!Array.isArray(paging)) return findRuleProblems(pagingRules, paging, ["paging"]);
  return paging.flatMap((rule, index) => findRuleProblems(pagingRules, rule, ["paging", index]));
}

/** Where the names of members show that their values are credentials. */
const constantFields = [
  ...["headers", "query", "variables"].map((field) => [field]),
  ...["tokenParameters", "authorizationParameters"].map((field) => ["oauth2", field]),
  ...["body", "form", "headers"].map((field) => ["login", field]),
];

function findAt(api: PlainObject, path: readonly string[]): PlainData | undefined {
  return path.reduce<PlainData | undefined>(readMember, api);
}

/** What carries the credential is given nowhere else, and no header twice. Names of headers have no case. */
function findDoubleProblems(api: PlainObject): PlacedProblem[] {
  const { authType, headerName, queryParam, idempotencyHeader } = api;
  const list = (field: string) =>
    Object.keys(api[field] ?? {}).map((name) => ({ name, path: [field, name] }));
  const fold = (name: unknown) => (typeof name === "string" ? name.trim().toLowerCase() : "");
  const headers = [...list("headers"), { name: idempotencyHeader, path: ["idempotencyHeader"] }];
  const names = headers.map(({ name }) => fold(name));
  const ofBearer = authType === "bearer" || authType === "basic" ? "authorization" : undefined;
  const ofCookie = readMember(api["login"], "cookie") === undefined ? undefined : "cookie";
  const carrier =
    ofCookie ?? fold(authType === "query" ? queryParam : authType === "header" ? headerName : ofBearer);
  return [
    ...(authType === "query" ? list("query") : headers)
      .filter(({ name }) => carrier !== "" && fold(name) === carrier)
      .map(({ path }) => ({
        path,
        message: "is where the credential is sent",
        fix: "Remove it; the credential is put there by `authType`.",
      })),
    ...headers
      .filter((_, index) => names.indexOf(names[index] ?? "") < index)
      .map(({ path }) => ({
        path,
        message: "is given twice (header names are case-insensitive)",
        fix: "Remove one.",
      })),
  ];
}

function findEndpointProblems({ endpoints, methods }: PlainObject): PlacedProblem[] {
  if (!Array.isArray(endpoints)) return [];
  const known: readonly unknown[] = httpMethods;
  // A misspelt method in the list is reported elsewhere.
  const refused =
    Array.isArray(methods) && methods.every((method) => known.includes(method))
      ? known.filter((method) => !methods.includes(String(method)))
      : [];
  return endpoints.flatMap((endpoint, index): PlacedProblem[] => {
    const path = ["endpoints", index];
    if (!refused.includes(readMember(endpoint, "method")))
      return findRuleProblems(endpointRules, endpoint, path);
    const fix = "Add the method to `methods`, or leave out this example.";
    return [{ path: [...path, "method"], message: "is a method that `methods` doesn't allow", fix }];
  });
}

/** The caller who gives a value for the host would choose where client secret and refresh token are sent. */
function findHostProblems(api: PlainObject): PlacedProblem[] {
  return ["issuer", "tokenUrl", "authorizationUrl", "deviceAuthorizationUrl"].flatMap((field) => {
    const url = findAt(api, ["oauth2", field]);
    const authority = typeof url === "string" ? (readBaseUrlParts(url)?.authority ?? "") : "";
    const name = findPlaceholderNames(authority).find((each) => {
      const value = findAt(api, ["variables", each]);
      return typeof value !== "number" && (typeof value !== "string" || findSecretNames(value).length > 0);
    });
    if (name === undefined) return [];
    const message = `has {${name}} in its host, whose value is not in the record`;
    const fix = `Write the host out, or give \`variables.${name}\` its value in the record: secrets are sent to this host.`;
    return [{ path: ["oauth2", field], message, fix }];
  });
}
