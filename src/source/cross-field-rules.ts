/** Judges what spans several fields of a record's `api`: by the rules, and by what JSON Schema has no words for. */

import { httpMethods } from "./api-source.js";
import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames, isFramingHeader } from "./field-syntax.js";
import { findInlineSecretFlaw } from "./inline-credentials.js";
import {
  isPlainObject,
  type Path,
  type PlacedFlaw,
  type PlainData,
  type PlainObject,
  readMember,
} from "./plain-data.js";
import { apiRules, endpointRules, findRuleFlaws, grantRules, loginRules, networkRules } from "./rules.js";

/** Judges `api` of a copied record; silent about ill-typed values. */
export function findCrossFieldFlaws(api: PlainObject): PlacedFlaw[] {
  return [
    ...findRuleFlaws(apiRules, api, []),
    ...findRuleFlaws(networkRules, api["network"], ["network"]),
    ...findRuleFlaws(grantRules, api["oauth2"], ["oauth2"]),
    ...findRuleFlaws(loginRules, api["login"], ["login"]),
    ...findHeaderFlaws(api),
    ...findQueryFlaws(api),
    ...constantFields.flatMap((path) => findPlainSecrets(findAt(api, path), path)),
    ...findEndpointFlaws(api),
    ...findHostFlaws(api),
  ].map((flaw) => ({ ...flaw, path: ["api", ...flaw.path] }));
}

/** Where the names of members tell that their values are credentials. */
const constantFields = [
  ["headers"],
  ["query"],
  ["variables"],
  ["oauth2", "tokenParameters"],
  ["oauth2", "authorizationParameters"],
  ["login", "body"],
  ["login", "form"],
  ["login", "headers"],
];

function findAt(api: PlainObject, path: readonly string[]): PlainData | undefined {
  return path.reduce<PlainData | undefined>(readMember, api);
}

/** Recursion is safe here: a copied record has a depth that is capped. */
function findPlainSecrets(value: PlainData | undefined, path: Path): PlacedFlaw[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = [...path, Array.isArray(value) ? Number(key) : key];
    const flaw = typeof member === "string" ? findInlineSecretFlaw(key, member) : undefined;
    return flaw === undefined ? findPlainSecrets(member, place) : [{ path: place, ...flaw }];
  });
}

function findHeaderFlaws(api: PlainObject): PlacedFlaw[] {
  const { authType, headerName, idempotencyHeader } = api;
  const listNames = (...path: string[]) =>
    listKeys(findAt(api, path)).map((name) => ({ name, path: [...path, name] }));
  const constants = [...listNames("headers")];
  if (typeof idempotencyHeader === "string") {
    constants.push({ name: idempotencyHeader, path: ["idempotencyHeader"] });
  }
  const carrier = authType === "header" && typeof headerName === "string" ? headerName : "";
  const credentialHeader =
    authType === "bearer" || authType === "basic" ? "authorization" : carrier.toLowerCase();
  const folded = constants.map(({ name }) => name.toLowerCase());
  return [
    ...[...constants, ...listNames("login", "headers"), { name: carrier, path: ["headerName"] }]
      .filter(({ name }) => isFramingHeader(name))
      .map(({ path }) => ({
        path,
        message: "belongs to the connection and can't be set",
        fix: "Remove it, or name the API's own header.",
      })),
    ...constants.flatMap(({ path }, index): PlacedFlaw[] => {
      const name = folded[index] ?? "";
      if (name === credentialHeader)
        return [{ path, message: "is the header of the credential", fix: doubleFix }];
      const message = "is given twice (header names have no case)";
      return folded.indexOf(name) === index ? [] : [{ path, message, fix: "Remove one." }];
    }),
  ];
}

const doubleFix = "Remove it; the credential is put there by `authType`.";

function findQueryFlaws({ authType, queryParam, query }: PlainObject): PlacedFlaw[] {
  if (authType !== "query" || typeof queryParam !== "string") return [];
  return listKeys(query)
    .filter((name) => name.trim().toLowerCase() === queryParam.trim().toLowerCase())
    .map((name) => ({
      path: ["query", name],
      message: "is the parameter of the credential (`queryParam`)",
      fix: doubleFix,
    }));
}

function findEndpointFlaws({ endpoints, methods }: PlainObject): PlacedFlaw[] {
  if (!Array.isArray(endpoints)) return [];
  const known: readonly PlainData[] = httpMethods;
  // A misspelt method in the list is told of elsewhere.
  const allowed =
    Array.isArray(methods) && methods.every((method) => known.includes(method)) ? methods : known;
  return endpoints.flatMap((endpoint, index): PlacedFlaw[] => {
    const path = ["endpoints", index];
    const method = readMember(endpoint, "method");
    if (typeof method !== "string" || !known.includes(method) || allowed.includes(method)) {
      return findRuleFlaws(endpointRules, endpoint, path);
    }
    const fix = "Add the method to `methods`, or leave out this example.";
    return [{ path: [...path, "method"], message: "is a method that `methods` doesn't allow", fix }];
  });
}

/** Whoever gives a value for the host would choose where client secret and refresh token are sent. */
function findHostFlaws(api: PlainObject): PlacedFlaw[] {
  return ["issuer", "tokenUrl", "authorizationUrl", "deviceAuthorizationUrl"].flatMap((field) => {
    const url = findAt(api, ["oauth2", field]);
    const authority = typeof url === "string" ? (readBaseUrlParts(url)?.authority ?? "") : "";
    const name = findPlaceholderNames(authority).find((each) => {
      const value = findAt(api, ["variables", each]);
      return typeof value !== "number" && (typeof value !== "string" || findSecretNames(value).length > 0);
    });
    if (name === undefined) return [];
    const message = `has {${name}} in its host, whose value does not stand in the record`;
    const fix = `Write the host out, or give \`variables.${name}\` its value in the record: secrets are sent to this host.`;
    return [{ path: ["oauth2", field], message, fix }];
  });
}

function listKeys(value: PlainData | undefined): string[] {
  return isPlainObject(value) ? Object.keys(value) : [];
}
