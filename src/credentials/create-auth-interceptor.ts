/** The table of authTypes: from a source and its credential to the one interceptor that attaches it. */

import { ApiSourceError } from "../errors.js";
import type { ApiSource, AuthType } from "../source/api-source.js";
import { createBasicInterceptor } from "./basic.js";
import { createBearerInterceptor } from "./bearer.js";
import { createHeaderInterceptor } from "./header.js";
import type { UsableCredential } from "./parse-credential.js";
import { createQueryInterceptor } from "./query.js";
import type { RequestInterceptor } from "./request-interceptor.js";

interface AuthInput {
  readonly source: ApiSource;
  /** The origin the credential belongs to, such as `https://api.example.com`. */
  readonly origin: string;
  readonly credential: UsableCredential;
}

/** A missing authType fails to compile here. */
const interceptors: Record<AuthType, (input: AuthInput) => RequestInterceptor> = {
  bearer: (input) =>
    createBearerInterceptor({
      origin: input.origin,
      token: tokenOf(input),
      scheme: input.source.api.authScheme,
    }),
  header: (input) =>
    createHeaderInterceptor({
      origin: input.origin,
      token: tokenOf(input),
      headerName: input.source.api.headerName ?? "",
    }),
  query: (input) =>
    createQueryInterceptor({
      origin: input.origin,
      token: tokenOf(input),
      queryParam: input.source.api.queryParam ?? "",
    }),
  basic: (input) => {
    if (input.credential.kind !== "basic") throw wrongKind(input.source);
    return createBasicInterceptor({ origin: input.origin, ...input.credential });
  },
};

/**
 * Makes the interceptor of a source's authType; undefined for a source without authentication.
 *
 * @throws ApiSourceError `not_configured` when the credential is not of the kind the authType takes.
 */
export function createAuthInterceptor(
  source: ApiSource,
  origin: string,
  credential: UsableCredential | undefined,
): RequestInterceptor | undefined {
  const { authType } = source.api;
  if (authType === undefined || credential === undefined) return undefined;
  return interceptors[authType]({ source, origin, credential });
}

/** The header the credential travels in: the agent may not send it. Absent for `query` and no authentication. */
export function credentialHeaderOf(source: ApiSource): string | undefined {
  const { authType, headerName } = source.api;
  if (authType === "header") return headerName;
  return authType === "bearer" || authType === "basic" ? "Authorization" : undefined;
}

function tokenOf({ credential, source }: AuthInput): string {
  if (credential.kind !== "token") throw wrongKind(source);
  return credential.token;
}

function wrongKind(source: ApiSource): ApiSourceError {
  return new ApiSourceError({
    message: `The credential of ${source.name} is not of the kind that authType "${source.api.authType}" takes.`,
    category: "not_configured",
    code: "malformed_credentials",
    hint: 'Give { token } for bearer, header and query, and { username, password } for "basic".',
  });
}
