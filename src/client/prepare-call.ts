/** Everything one call needs before its request is built: the resolved source, the credential's interceptor, the redactor. */

import type { RequestInterceptor } from "../credentials/create-auth-interceptor.js";
import { createAuthInterceptor } from "../credentials/create-auth-interceptor.js";
import type { UsableCredential } from "../credentials/credential.js";
import { isIssued } from "../credentials/credential-variables.js";
import type { CallContext } from "../runtime.js";
import type { Redactor } from "../secrets/redactor.js";
import type { ApiSource } from "../source/api-source.js";
import { type ResolvedSource, resolveSource } from "../source/resolve-source.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import { listCredentialSecrets } from "./list-static-secrets.js";

export interface PreparedCall {
  readonly resolved: ResolvedSource;
  readonly credential: UsableCredential | undefined;
  readonly authenticate: RequestInterceptor | undefined;
  /** Knows every secret of the toolkit and of this call. */
  readonly redactor: Redactor;
  readonly context: CallContext;
}

export interface PrepareOptions {
  /** Whether to leave out the credential and every header and query parameter that holds a secret. @default false */
  readonly anonymous?: boolean;
  /** Whether the test endpoint is resolved too: a call does not fail for a placeholder that only stands there. @default false */
  readonly withTestEndpoint?: boolean;
}

/**
 * Asks for the credential and the secrets, anew on each call.
 *
 * @throws ApiSourceError `not_configured` when one is missing or can't be sent, or a placeholder has no value.
 */
export async function prepareCall(
  source: ApiSource,
  runtime: ClientRuntime,
  context: CallContext,
  { anonymous = false, withTestEndpoint = false }: PrepareOptions = {},
): Promise<PreparedCall> {
  const credential = await runtime.credentials.resolveCredential(source, context);
  const resolved = await resolveSource(source, {
    resolveSecret: (name) => runtime.credentials.resolveSecret(name, source, context),
    omitSecrets: anonymous,
    omitTestEndpoint: !withTestEndpoint,
    ...(credential?.kind === "basic" ? { username: credential.username } : {}),
  });
  return withCredential(source, runtime, { resolved, context, anonymous }, credential);
}

/**
 * Asks a provider for another token after a 401 and gives the call that uses it; undefined when there is none. The new token is
 * redacted from the moment it is known.
 */
export async function renewCredential(
  source: ApiSource,
  runtime: ClientRuntime,
  { resolved, credential, context }: PreparedCall,
): Promise<PreparedCall | undefined> {
  const renewed = credential?.kind === "token" ? await credential.renew?.() : undefined;
  if (renewed === undefined || isSameToken(renewed, credential)) return undefined;
  return withCredential(source, runtime, { resolved, context, anonymous: false }, renewed);
}

function isSameToken(left: UsableCredential, right: UsableCredential | undefined): boolean {
  return left.kind === "token" && right?.kind === "token" && left.token === right.token;
}

function withCredential(
  source: ApiSource,
  runtime: ClientRuntime,
  {
    resolved,
    context,
    anonymous,
  }: Pick<PreparedCall, "resolved" | "context"> & { readonly anonymous: boolean },
  credential: UsableCredential | undefined,
): PreparedCall {
  const own = listCredentialSecrets(source, credential);
  // The environment may have been filled after the toolkit was made: what is static is remembered for all sources.
  const { isStatic } = runtime.credentials;
  const lasts = isStatic.credentials && !isIssued(source);
  runtime.secrets.add([...(lasts ? own : []), ...(isStatic.secrets ? resolved.secrets : [])]);
  const redactor = runtime.secrets.redactor().with([...resolved.secrets, ...own]);
  const { origin } = new URL(resolved.baseUrl);
  const authenticate = anonymous ? undefined : createAuthInterceptor(source, origin, credential);
  return { resolved, credential, authenticate, redactor, context };
}
