/** The rules of a record that span several fields; each looks at what it needs and is silent about ill-typed values. */

import { httpMethods } from "./api-source.js";
import { isPlainObject, type PlainData, type PlainObject, readMember } from "./copy-plain-data.js";
import { findAuthFlaws } from "./find-auth-flaws.js";
import type { PlacedFlaw } from "./flaw.js";
import { isFramingHeader } from "./header-rules.js";
import { findInlineSecretFlaw } from "./inline-credentials.js";

/** Judges `api` of a copied record. */
export function findCrossFieldFlaws(api: PlainObject): PlacedFlaw[] {
  const flaws = [
    ...findAuthFlaws(api),
    ...findHeaderFlaws(api),
    ...findQueryFlaws(api),
    ...findConstantSecretFlaws(api),
    ...findEndpointFlaws(api),
    ...findCertificateFlaws(api),
  ];
  // The first thing to say of a constant is enough: its fix is to remove it.
  return flaws.filter(
    ({ path }, index) => flaws.findIndex((flaw) => flaw.path.join() === path.join()) === index,
  );
}

/** The header that carries the credential, in lower case; undefined when none does. */
function toCredentialHeader(api: PlainObject): string | undefined {
  const authType = readMember(api, "authType");
  const headerName = readMember(api, "headerName");
  if (authType === "bearer" || authType === "basic") return "authorization";
  return authType === "header" && typeof headerName === "string" ? headerName.toLowerCase() : undefined;
}

function findHeaderFlaws(api: PlainObject): PlacedFlaw[] {
  const credentialHeader = toCredentialHeader(api);
  const names = listKeys(readMember(api, "headers"));
  const seen = new Set<string>();
  const judge = (name: string, path: readonly PropertyKey[]): PlacedFlaw[] => {
    const folded = name.toLowerCase();
    const repeated = seen.has(folded);
    seen.add(folded);
    if (isFramingHeader(name)) {
      return [{ path, message: "belongs to the connection and can't be set", fix: "Remove it." }];
    }
    if (folded === credentialHeader) {
      const fix = "Remove it; the credential is put there by `authType`.";
      return [{ path, message: "is the header of the credential", fix }];
    }
    return repeated
      ? [{ path, message: "is given twice (header names have no case)", fix: "Remove one." }]
      : [];
  };
  const idempotencyHeader = readMember(api, "idempotencyHeader");
  return [
    ...names.flatMap((name) => judge(name, ["api", "headers", name])),
    ...(typeof idempotencyHeader === "string" ? judge(idempotencyHeader, ["api", "idempotencyHeader"]) : []),
  ];
}

function findQueryFlaws(api: PlainObject): PlacedFlaw[] {
  const queryParam = readMember(api, "queryParam");
  if (readMember(api, "authType") !== "query" || typeof queryParam !== "string") return [];
  return listKeys(readMember(api, "query"))
    .filter((name) => name.trim().toLowerCase() === queryParam.trim().toLowerCase())
    .map((name) => ({
      path: ["api", "query", name],
      message: "is the parameter of the credential (`queryParam`)",
      fix: "Remove it; the credential is put there by `authType`.",
    }));
}

function findConstantSecretFlaws(api: PlainObject): PlacedFlaw[] {
  return ["headers", "query", "variables"].flatMap((field) => {
    const constants = readMember(api, field);
    return listKeys(constants).flatMap((name) => {
      const value = readMember(constants, name);
      const flaw = typeof value === "string" ? findInlineSecretFlaw(name, value) : undefined;
      return flaw ? [{ path: ["api", field, name], ...flaw }] : [];
    });
  });
}

function findEndpointFlaws(api: PlainObject): PlacedFlaw[] {
  const endpoints = readMember(api, "endpoints");
  const methods = readMember(api, "methods");
  if (!Array.isArray(endpoints)) return [];
  return endpoints.flatMap((endpoint, index): PlacedFlaw[] => {
    const path = ["api", "endpoints", index];
    const method = readMember(endpoint, "method");
    if (isMethodList(methods) && typeof method === "string" && !methods.includes(method)) {
      const fix = "Add the method to `methods`, or leave out this example.";
      return [{ path: [...path, "method"], message: "is a method that `methods` doesn't allow", fix }];
    }
    if (method !== "GET" || readMember(endpoint, "body") === undefined) return [];
    return [
      {
        path: [...path, "body"],
        message: "is a body for GET, which sends none",
        fix: "Write it as `query`.",
      },
    ];
  });
}

/** Whether a list can be held against the examples; a misspelt method in it is told of elsewhere. */
function isMethodList(methods: PlainData | undefined): methods is PlainData[] {
  const known: readonly PlainData[] = httpMethods;
  return Array.isArray(methods) && methods.every((method) => known.includes(method));
}

function findCertificateFlaws(api: PlainObject): PlacedFlaw[] {
  const network = readMember(api, "network");
  const hasCert = readMember(network, "cert") !== undefined;
  const hasKey = readMember(network, "key") !== undefined;
  if (hasCert === hasKey) return [];
  const missing = hasCert ? "key" : "cert";
  return [
    {
      path: ["api", "network", missing],
      message: `is missing: a client certificate is \`cert\` and \`key\` together`,
      fix: `Add \`${missing}\`, or remove \`${hasCert ? "cert" : "key"}\`.`,
    },
  ];
}

function listKeys(value: PlainData | undefined): string[] {
  return isPlainObject(value) ? Object.keys(value) : [];
}
