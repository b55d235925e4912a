/** Whether the auth fields of a record fit each other: a field too few must not mean "no authentication". */

import { isPlainObject, type PlainData, type PlainObject, readMember } from "./copy-plain-data.js";
import { holdsEveryDefault } from "./default-settings.js";
import type { Flaw, PlacedFlaw } from "./flaw.js";
import { headerNamePattern, isFramingHeader } from "./header-rules.js";
import { parameterNamePattern } from "./text-schema.js";

const authFields = ["headerName", "queryParam", "authScheme", "credentialEnv"];

export function findAuthFlaws(api: PlainObject): PlacedFlaw[] {
  const authType = readMember(api, "authType");
  if (authType === undefined) return findStrayFields(api);
  const headerName = authType === "header" ? findHeaderNameFlaw(readMember(api, "headerName")) : undefined;
  const queryParam = authType === "query" ? findQueryParamFlaw(readMember(api, "queryParam")) : undefined;
  const credentialEnv = findCredentialEnvFlaw(authType, readMember(api, "credentialEnv"));
  return [
    ...(headerName ? [{ path: ["api", "headerName"], ...headerName }] : []),
    ...(queryParam ? [{ path: ["api", "queryParam"], ...queryParam }] : []),
    ...(credentialEnv ? [{ path: ["api", "credentialEnv"], ...credentialEnv }] : []),
  ];
}

function findStrayFields(api: PlainObject): PlacedFlaw[] {
  const filled = holdsEveryDefault(api);
  return authFields
    .filter((field) => readMember(api, field) !== undefined && !(filled && field === "authScheme"))
    .map((field) => ({
      path: ["api", field],
      message: "says how to authenticate, but there is no `authType`",
      fix: 'Add "authType": "bearer", "header", "query" or "basic"; or remove this field when the API needs no credential.',
    }));
}

function findHeaderNameFlaw(headerName: PlainData | undefined): Flaw | undefined {
  if (headerName === undefined) {
    return {
      message: 'is missing, and authType "header" needs it',
      fix: 'Add the name of the header that carries the key, such as "headerName": "X-Api-Key".',
    };
  }
  if (typeof headerName !== "string") return undefined;
  if (!headerNamePattern.test(headerName)) {
    return {
      message: "is not a header name (letters, digits and !#$%&'*+.^_`|~-)",
      fix: 'Write the name alone, such as "X-Api-Key".',
    };
  }
  if (!isFramingHeader(headerName)) return undefined;
  return {
    message: "belongs to the connection and can't carry a credential",
    fix: "Name the API's own header.",
  };
}

function findQueryParamFlaw(queryParam: PlainData | undefined): Flaw | undefined {
  if (queryParam === undefined) {
    return {
      message: 'is missing, and authType "query" needs it',
      fix: 'Add the name of the parameter that carries the key, such as "queryParam": "api_key".',
    };
  }
  if (typeof queryParam !== "string" || parameterNamePattern.test(queryParam)) return undefined;
  return { message: "is not the name of a query parameter", fix: 'Write the name alone, such as "api_key".' };
}

function findCredentialEnvFlaw(authType: PlainData, credentialEnv: PlainData | undefined): Flaw | undefined {
  if (isPlainObject(credentialEnv) && authType !== "basic") {
    return {
      message: 'names a username and a password, which only authType "basic" has',
      fix: 'Write the variable of the token alone, such as "credentialEnv": "SHOP_TOKEN".',
    };
  }
  const isEmptyPair = isPlainObject(credentialEnv) && Object.keys(credentialEnv).length === 0;
  const isLongList = Array.isArray(credentialEnv) && credentialEnv.length > 2 && authType === "basic";
  if (!isEmptyPair && !isLongList) return undefined;
  return {
    message: "does not say which variable holds the username and which the password",
    fix: 'Write "credentialEnv": { "username": "SHOP_USER", "password": "SHOP_PASSWORD" }.',
  };
}
