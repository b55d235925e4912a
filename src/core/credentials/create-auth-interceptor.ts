/** How a credential is put on a request: one axios request interceptor, by the source's authType. */

import type { InternalAxiosRequestConfig } from "axios";
import { notConfigured, refusedByPolicy } from "../base/errors.js";
import type { ApiSource } from "../record/api-source.js";
import type { Secret } from "../secrets/secret.js";
import type { UsableCredential } from "./credential.js";
import { createSigning } from "./sign-attempt.js";

/** Takes the final config of one attempt and returns it with the credential on it. */
export type RequestInterceptor = (
  config: InternalAxiosRequestConfig,
) => InternalAxiosRequestConfig | Promise<InternalAxiosRequestConfig>;

/**
 * Makes the interceptor of a source's authType, or of a credential that signs; undefined for a source without authentication.
 *
 * @param origin - The origin the credential belongs to, such as `https://api.example.com`. The interceptor throws
 * `refused_by_policy` for a request to any other.
 * @param learn - Receives what a signature adds and has to be redacted.
 * @throws ApiSourceError `not_configured` when the credential is not of the kind the authType takes.
 */
export function createAuthInterceptor(
  source: ApiSource,
  origin: string,
  credential: UsableCredential | undefined,
  learn: (secrets: readonly Secret[]) => void = () => {},
): RequestInterceptor | undefined {
  const { authType, queryParam = "" } = source.api;
  if (credential?.kind === "signer") {
    const sign = createSigning(source, credential.sign, learn);
    return (config) => {
      checkOrigin(config, origin);
      return sign(config);
    };
  }
  if (authType === undefined || credential === undefined) return undefined;
  const header = findCredentialHeader(source);
  const value = writeValue(source, credential);
  return (config) => {
    checkOrigin(config, origin);
    if (header === undefined) config.url = addParameter(config.url, queryParam, value);
    else config.headers.set(header, value, true);
    return config;
  };
}

/** The header the credential travels in: the agent may not send it. Absent for `query` and no authentication. */
export function findCredentialHeader({ api }: ApiSource): string | undefined {
  if (api.authType === "header") return api.headerName;
  return api.authType === "bearer" || api.authType === "basic" ? "Authorization" : undefined;
}

/**
 * What is sent of it: the bare token as a header of its own or a parameter, `<scheme> <token>` for bearer (RFC 6750 section 2.1),
 * `Basic base64(username:password)` in UTF-8 (RFC 7617). axios' own `auth` option would put the pair in plain text on the config, and
 * so into anything that prints one.
 */
function writeValue(
  { name, api }: ApiSource,
  credential: Exclude<UsableCredential, { kind: "signer" }>,
): string {
  if ((credential.kind === "basic") !== (api.authType === "basic")) {
    throw notConfigured(
      "malformed_credentials",
      `The credential of ${name} is not of the kind that authType "${api.authType}" takes.`,
      'Give { token } for bearer, header and query, and { username, password } for "basic".',
    );
  }
  if (credential.kind === "basic") {
    return `Basic ${Buffer.from(`${credential.username}:${credential.password}`, "utf8").toString("base64")}`;
  }
  const scheme = api.authType === "bearer" && api.authScheme;
  return scheme ? `${scheme} ${credential.token}` : credential.token;
}

/**
 * The last check before a credential is attached. The request policy has judged the URL before; this is here so that no way
 * around it (a redirect, a later interceptor, a changed default) can take the credential elsewhere.
 */
function checkOrigin({ url = "", baseURL }: InternalAxiosRequestConfig, origin: string): void {
  const isSame = URL.canParse(url) && new URL(url).origin === origin;
  if (isSame && baseURL === undefined) return;
  throw refusedByPolicy(
    `A request to another origin than ${origin} was stopped before the credential was attached.`,
    "Call only paths below the source's base URL.",
  );
}

/**
 * axios runs interceptors again on every retry, on the config of the attempt before: an own parameter that is there already goes first.
 * Done on the string, because `searchParams.set` would rewrite the bytes of all the others.
 */
function addParameter(url = "", name: string, token: string): string {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(token)}`;
  const [path = "", ...rest] = new URL(url).href.split("?");
  const others = rest.join("?").split("&");
  return `${path}?${[...others.filter((part) => part !== "" && part !== pair), pair].join("&")}`;
}
