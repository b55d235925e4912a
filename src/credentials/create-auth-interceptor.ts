/** How a credential is put on a request: one axios request interceptor for each authType. */

import type { InternalAxiosRequestConfig } from "axios";
import { type ApiSourceError, notConfigured, refusedByPolicy } from "../errors.js";
import type { ApiSource, AuthType } from "../source/api-source.js";
import type { UsableCredential } from "./credential.js";

/** Takes the final config of one attempt and returns it with the credential on it. */
export type RequestInterceptor = (config: InternalAxiosRequestConfig) => InternalAxiosRequestConfig;

type Attach = (config: InternalAxiosRequestConfig) => void;

/** What each authType does; one that is missing fails to compile here. */
const attachments: Record<AuthType, (source: ApiSource, credential: UsableCredential) => Attach> = {
  /** `Authorization: <scheme> <token>` (RFC 6750 section 2.1), or the bare token without a scheme. */
  bearer: (source, credential) => {
    const { authScheme } = source.api;
    const token = readToken(source, credential);
    return attachHeader("Authorization", authScheme === "" ? token : `${authScheme} ${token}`);
  },

  /** The token as the whole value of a named header. */
  header: (source, credential) => attachHeader(source.api.headerName ?? "", readToken(source, credential)),

  /** The token as one query parameter. */
  query: (source, credential) => attachParameter(source.api.queryParam ?? "", readToken(source, credential)),

  /** `Authorization: Basic base64(username:password)` (RFC 7617), in UTF-8. */
  basic: (source, credential) => {
    if (credential.kind !== "basic") throw refuseKind(source);
    // axios' own `auth` option would put the pair in plain text on the config, and so into anything that prints one.
    const pair = Buffer.from(`${credential.username}:${credential.password}`, "utf8").toString("base64");
    return attachHeader("Authorization", `Basic ${pair}`);
  },
};

/**
 * Makes the interceptor of a source's authType; undefined for a source without authentication.
 *
 * @param origin - The origin the credential belongs to, such as `https://api.example.com`. The interceptor throws
 * `refused_by_policy` for a request to any other.
 * @throws ApiSourceError `not_configured` when the credential is not of the kind the authType takes.
 */
export function createAuthInterceptor(
  source: ApiSource,
  origin: string,
  credential: UsableCredential | undefined,
): RequestInterceptor | undefined {
  const { authType } = source.api;
  if (authType === undefined || credential === undefined) return undefined;
  const attach = attachments[authType](source, credential);
  return (config) => {
    checkOrigin(config, origin);
    attach(config);
    return config;
  };
}

/** The header the credential travels in: the agent may not send it. Absent for `query` and no authentication. */
export function findCredentialHeader({ api }: ApiSource): string | undefined {
  if (api.authType === "header") return api.headerName;
  return api.authType === "bearer" || api.authType === "basic" ? "Authorization" : undefined;
}

/**
 * The last check before a credential is attached. The request policy has judged the URL before; this stands here so that no way
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

function attachHeader(name: string, value: string): Attach {
  return (config) => void config.headers.set(name, value, true);
}

function attachParameter(name: string, token: string): Attach {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(token)}`;
  return (config) => {
    // axios runs interceptors again on every retry, on the config of the attempt before: an own parameter that is there
    // already goes first. Done on the string, because `searchParams.set` would rewrite the bytes of all the others.
    const [path = "", ...rest] = new URL(config.url ?? "").href.split("?");
    const others = rest
      .join("?")
      .split("&")
      .filter((part) => part !== "" && part !== pair);
    config.url = `${path}?${[...others, pair].join("&")}`;
  };
}

function readToken(source: ApiSource, credential: UsableCredential): string {
  if (credential.kind !== "token") throw refuseKind(source);
  return credential.token;
}

function refuseKind(source: ApiSource): ApiSourceError {
  return notConfigured(
    "malformed_credentials",
    `The credential of ${source.name} is not of the kind that authType "${source.api.authType}" takes.`,
    'Give { token } for bearer, header and query, and { username, password } for "basic".',
  );
}
