/** The rules of `api.oauth2` and `api.login` that span several fields; silent about ill-typed values. */

import { readBaseUrlParts } from "./base-url.js";
import { findPlaceholderNames, findSecretNames, isFramingHeader } from "./field-syntax.js";
import type { PlacedFlaw } from "./flaw.js";
import { findInlineSecretFlaw } from "./inline-credentials.js";
import { isPlainObject, type PlainData, type PlainObject, readMember } from "./plain-data.js";

/** Judges `api` of a copied record. */
export function findGrantFlaws(api: PlainObject): PlacedFlaw[] {
  const oauth2 = readMember(api, "oauth2");
  const login = readMember(api, "login");
  return [
    ...(isPlainObject(oauth2) ? findOAuthFlaws(api, oauth2) : []),
    ...(isPlainObject(login) ? findLoginFlaws(api, login) : []),
    ...(oauth2 !== undefined && login !== undefined ? [twoOrigins] : []),
  ];
}

const twoOrigins: PlacedFlaw = {
  path: ["login"],
  message: "stands beside `oauth2`: a credential comes from one of them",
  fix: "Remove one.",
};

/** The token is a bearer token, or travels in a header or parameter of the API's own. */
function findCarrierFlaws(api: PlainObject, field: "oauth2" | "login"): PlacedFlaw[] {
  const authType = readMember(api, "authType");
  if (authType === undefined || authType === "basic") {
    const message =
      authType === undefined
        ? `is missing: \`${field}\` gets a token, and this says how it is sent`
        : `is "basic", but \`${field}\` gets a token`;
    return [{ path: ["authType"], message, fix: 'Write "authType": "bearer", "header" or "query".' }];
  }
  if (readMember(api, "credentialEnv") === undefined) return [];
  const message = `has no effect beside \`${field}\`, where the token comes from`;
  return [{ path: ["credentialEnv"], message, fix: "Remove it." }];
}

function findOAuthFlaws(api: PlainObject, oauth2: PlainObject): PlacedFlaw[] {
  const has = (field: string): boolean => readMember(oauth2, field) !== undefined;
  const grant = readMember(oauth2, "grant");
  const missing = (field: string, why: string, fix: string): PlacedFlaw => ({
    path: ["oauth2", field],
    message: `is missing, and ${why}`,
    fix,
  });
  const needsUrl = (field: string, example: string): PlacedFlaw[] => {
    if (has(field) || has("issuer")) return [];
    const fix = `Add "${field}": "https://login.example.com/oauth/${example}", or "issuer" to have it looked up.`;
    return [missing(field, field === "tokenUrl" ? "there is no `issuer`" : `grant "${grant}" needs it`, fix)];
  };
  const authentication = readMember(oauth2, "clientAuthentication");
  const needsSecret =
    grant === "client_credentials" || authentication === "basic" || authentication === "post";
  return [
    ...findCarrierFlaws(api, "oauth2"),
    ...needsUrl("tokenUrl", "token"),
    ...(grant === "authorization_code" ? needsUrl("authorizationUrl", "authorize") : []),
    ...(grant === "device_code" ? needsUrl("deviceAuthorizationUrl", "device") : []),
    ...(needsSecret && !has("clientSecret")
      ? [missing("clientSecret", "the client has to show it", 'Add "clientSecret": "${NAME}".')]
      : []),
    ...(has("refreshToken") && typeof grant === "string" && grant !== "refresh_token" ? [strayRefresh] : []),
    ...findHostFlaws(api, oauth2),
    ...findPlainSecrets(oauth2, "oauth2", "tokenParameters"),
    ...findPlainSecrets(oauth2, "oauth2", "authorizationParameters"),
  ];
}

const strayRefresh: PlacedFlaw = {
  path: ["oauth2", "refreshToken"],
  message: 'is for grant "refresh_token"; other grants get their own',
  fix: 'Write "grant": "refresh_token", or remove this field.',
};

/** Whoever gives a value for the host would choose where client secret and refresh token are sent. */
function findHostFlaws(api: PlainObject, oauth2: PlainObject): PlacedFlaw[] {
  const variables = readMember(api, "variables");
  return ["issuer", "tokenUrl", "authorizationUrl", "deviceAuthorizationUrl"].flatMap((field) => {
    const url = readMember(oauth2, field);
    const authority = typeof url === "string" ? (readBaseUrlParts(url)?.authority ?? "") : "";
    const name = findPlaceholderNames(authority).find((each) => {
      const value = readMember(variables, each);
      return typeof value !== "number" && (typeof value !== "string" || findSecretNames(value).length > 0);
    });
    if (name === undefined) return [];
    return [
      {
        path: ["oauth2", field],
        message: `has {${name}} in its host, whose value does not stand in the record`,
        fix: `Write the host out, or give \`variables.${name}\` its value in the record: secrets are sent to this host.`,
      },
    ];
  });
}

function findLoginFlaws(api: PlainObject, login: PlainObject): PlacedFlaw[] {
  const headers = readMember(login, "headers");
  const names = isPlainObject(headers) ? Object.keys(headers) : [];
  const both = readMember(login, "body") !== undefined && readMember(login, "form") !== undefined;
  const isGet = readMember(login, "method") === "GET";
  const given = ["body", "form"].filter((field) => readMember(login, field) !== undefined);
  return [
    ...findCarrierFlaws(api, "login"),
    ...(both
      ? [{ path: ["login", "form"], message: "stands beside `body`", fix: "Keep the one the API takes." }]
      : []),
    ...given
      .filter(() => isGet)
      .map((field) => ({
        path: ["login", field],
        message: "is a body for GET, which sends none",
        fix: 'Write "method": "POST", or put it into `path` or `headers`.',
      })),
    ...names.filter(isFramingHeader).map((name) => ({
      path: ["login", "headers", name],
      message: "belongs to the connection and can't be set",
      fix: "Remove it.",
    })),
    ...["body", "form", "headers"].flatMap((field) => findPlainSecrets(login, "login", field)),
  ];
}

/** Recursion is safe here: a copied record has a depth that is capped. */
function findPlainSecrets(owner: PlainObject, ...[at, field]: readonly [string, string]): PlacedFlaw[] {
  const walk = (value: PlainData | undefined, path: readonly PropertyKey[]): PlacedFlaw[] => {
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, member]) => {
      const place = [...path, Array.isArray(value) ? Number(key) : key];
      const flaw = typeof member === "string" ? findInlineSecretFlaw(key, member) : undefined;
      return flaw === undefined ? walk(member, place) : [{ path: place, ...flaw }];
    });
  };
  return walk(readMember(owner, field), [at, field]);
}
