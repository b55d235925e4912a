/** The rules of a record that span several fields; each looks at what it needs and is silent about ill-typed values. */

import { filledFields } from "./api-schema.js";
import { httpMethods } from "./api-source.js";
import { headerNamePattern, isFramingHeader } from "./field-syntax.js";
import type { PlacedFlaw } from "./flaw.js";
import { findInlineSecretFlaw } from "./inline-credentials.js";
import { findGrantFlaws } from "./oauth-rules.js";
import { isPlainObject, type PlainData, type PlainObject, readMember } from "./plain-data.js";
import { parameterNamePattern } from "./schema-parts.js";

const rules = [
  findAuthFlaws,
  findHeaderFlaws,
  findQueryFlaws,
  findConstantSecrets,
  findEndpointFlaws,
  findCertificateFlaws,
  findGrantFlaws,
];

/** Judges `api` of a copied record. */
export function findCrossFieldFlaws(api: PlainObject): PlacedFlaw[] {
  const flaws = rules.flatMap((rule) => rule(api));
  // The first thing to say of a constant is enough: its fix is to remove it.
  const paths = flaws.map(({ path }) => JSON.stringify(path));
  return flaws
    .filter((_, index) => paths.indexOf(paths[index] ?? "") === index)
    .map((flaw) => ({ ...flaw, path: ["api", ...flaw.path] }));
}

/** A field too few must not mean "no authentication". */
function findAuthFlaws(api: PlainObject): PlacedFlaw[] {
  const authType = readMember(api, "authType");
  if (authType === undefined) return findStrayFields(api);
  return [
    ...(authType === "header" ? findHeaderNameFlaws(readMember(api, "headerName")) : []),
    ...(authType === "query" ? findQueryParamFlaws(readMember(api, "queryParam")) : []),
    ...findCredentialEnvFlaws(authType, readMember(api, "credentialEnv")),
  ];
}

function findStrayFields(api: PlainObject): PlacedFlaw[] {
  // Settings that were read before hold the default scheme, whatever their author wrote.
  const wasRead = filledFields.every((field) => Object.hasOwn(api, field));
  return ["headerName", "queryParam", "authScheme", "credentialEnv"]
    .filter((field) => readMember(api, field) !== undefined && !(wasRead && field === "authScheme"))
    .map((field) => ({
      path: [field],
      message: "says how to authenticate, but there is no `authType`",
      fix: 'Add "authType": "bearer", "header", "query" or "basic"; or remove this field when the API needs no credential.',
    }));
}

function findHeaderNameFlaws(headerName: PlainData | undefined): PlacedFlaw[] {
  const path = ["headerName"];
  if (headerName === undefined) {
    const fix = 'Add the name of the header that carries the key, such as "headerName": "X-Api-Key".';
    return [{ path, message: 'is missing, and authType "header" needs it', fix }];
  }
  if (typeof headerName !== "string") return [];
  if (!headerNamePattern.test(headerName)) {
    const message = "is not a header name (letters, digits and !#$%&'*+.^_`|~-)";
    return [{ path, message, fix: 'Write the name alone, such as "X-Api-Key".' }];
  }
  if (!isFramingHeader(headerName)) return [];
  const message = "belongs to the connection and can't carry a credential";
  return [{ path, message, fix: "Name the API's own header." }];
}

function findQueryParamFlaws(queryParam: PlainData | undefined): PlacedFlaw[] {
  const path = ["queryParam"];
  if (queryParam === undefined) {
    const fix = 'Add the name of the parameter that carries the key, such as "queryParam": "api_key".';
    return [{ path, message: 'is missing, and authType "query" needs it', fix }];
  }
  if (typeof queryParam !== "string" || parameterNamePattern.test(queryParam)) return [];
  const fix = 'Write the name alone, such as "api_key".';
  return [{ path, message: "is not the name of a query parameter", fix }];
}

function findCredentialEnvFlaws(authType: PlainData, env: PlainData | undefined): PlacedFlaw[] {
  const path = ["credentialEnv"];
  if (isPlainObject(env) && authType !== "basic") {
    const fix = 'Write the variable of the token alone, such as "credentialEnv": "SHOP_TOKEN".';
    return [{ path, message: 'names a username and a password, which only authType "basic" has', fix }];
  }
  const isEmptyPair = isPlainObject(env) && Object.keys(env).length === 0;
  const isLongList = Array.isArray(env) && env.length > 2 && authType === "basic";
  if (!isEmptyPair && !isLongList) return [];
  const message = "does not say which variable holds the username and which the password";
  const fix = 'Write "credentialEnv": { "username": "SHOP_USER", "password": "SHOP_PASSWORD" }.';
  return [{ path, message, fix }];
}

function findHeaderFlaws(api: PlainObject): PlacedFlaw[] {
  const authType = readMember(api, "authType");
  const headerName = authType === "header" ? readMember(api, "headerName") : undefined;
  const credentialHeader =
    authType === "bearer" || authType === "basic" ? "authorization" : String(headerName).toLowerCase();
  const idempotencyHeader = readMember(api, "idempotencyHeader");
  const named = listKeys(readMember(api, "headers")).map((name) => ({ name, path: ["headers", name] }));
  if (typeof idempotencyHeader === "string") {
    named.push({ name: idempotencyHeader, path: ["idempotencyHeader"] });
  }
  const seen = new Set<string>();
  return named.flatMap(({ name, path }): PlacedFlaw[] => {
    const folded = name.toLowerCase();
    const isRepeated = seen.has(folded);
    seen.add(folded);
    if (isFramingHeader(name)) {
      return [{ path, message: "belongs to the connection and can't be set", fix: "Remove it." }];
    }
    if (folded === credentialHeader) {
      const fix = "Remove it; the credential is put there by `authType`.";
      return [{ path, message: "is the header of the credential", fix }];
    }
    const message = "is given twice (header names have no case)";
    return isRepeated ? [{ path, message, fix: "Remove one." }] : [];
  });
}

function findQueryFlaws(api: PlainObject): PlacedFlaw[] {
  const queryParam = readMember(api, "queryParam");
  if (readMember(api, "authType") !== "query" || typeof queryParam !== "string") return [];
  return listKeys(readMember(api, "query"))
    .filter((name) => name.trim().toLowerCase() === queryParam.trim().toLowerCase())
    .map((name) => ({
      path: ["query", name],
      message: "is the parameter of the credential (`queryParam`)",
      fix: "Remove it; the credential is put there by `authType`.",
    }));
}

function findConstantSecrets(api: PlainObject): PlacedFlaw[] {
  return ["headers", "query", "variables"].flatMap((field) => {
    const constants = readMember(api, field);
    return listKeys(constants).flatMap((name) => {
      const value = readMember(constants, name);
      const flaw = typeof value === "string" ? findInlineSecretFlaw(name, value) : undefined;
      return flaw ? [{ path: [field, name], ...flaw }] : [];
    });
  });
}

function findEndpointFlaws(api: PlainObject): PlacedFlaw[] {
  const endpoints = readMember(api, "endpoints");
  const methods = readMember(api, "methods");
  if (!Array.isArray(endpoints)) return [];
  return endpoints.flatMap((endpoint, index): PlacedFlaw[] => {
    const method = readMember(endpoint, "method");
    if (isMethodList(methods) && typeof method === "string" && !methods.includes(method)) {
      const path = ["endpoints", index, "method"];
      const fix = "Add the method to `methods`, or leave out this example.";
      return [{ path, message: "is a method that `methods` doesn't allow", fix }];
    }
    if (method !== "GET" || readMember(endpoint, "body") === undefined) return [];
    const path = ["endpoints", index, "body"];
    return [{ path, message: "is a body for GET, which sends none", fix: "Write it as `query`." }];
  });
}

/** Whether a list can be held against the examples; a misspelt method in it is told of elsewhere. */
function isMethodList(methods: PlainData | undefined): methods is PlainData[] {
  const known: readonly PlainData[] = httpMethods;
  return Array.isArray(methods) && methods.every((method) => known.includes(method));
}

function findCertificateFlaws(api: PlainObject): PlacedFlaw[] {
  const network = readMember(api, "network");
  const [given, missing] = readMember(network, "cert") === undefined ? ["key", "cert"] : ["cert", "key"];
  if (readMember(network, given) === undefined || readMember(network, missing) !== undefined) return [];
  const message = "is missing: a client certificate is `cert` and `key` together";
  return [{ path: ["network", missing], message, fix: `Add \`${missing}\`, or remove \`${given}\`.` }];
}

function listKeys(value: PlainData | undefined): string[] {
  return isPlainObject(value) ? Object.keys(value) : [];
}
