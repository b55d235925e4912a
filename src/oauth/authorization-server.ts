/** Asks an authorization server for tokens, by oauth4webapi: what it needs to know, and what its answers mean. */

import type * as OAuth from "oauth4webapi";
import { ApiSourceError } from "../errors.js";
import type { Deadline } from "../transport/deadline.js";
import type { Grant } from "./grant.js";
import type { OAuthRuntime } from "./oauth-runtime.js";
import type { ResolvedOAuth2 } from "./resolve-grant.js";
import { describeFlaw, listTokens, readAccount, readAnswer, toGrant, toTokenError } from "./token-answer.js";
import { isNamedEndpoint, sendToEndpoint } from "./token-endpoint.js";

/** How requests to one authorization server are made. */
export interface ServerCall {
  readonly grant: ResolvedOAuth2;
  readonly runtime: OAuthRuntime;
  readonly deadline: Deadline;
}

/** The package is ESM only: a CommonJS build has to load it like this, too. */
export function loadOAuth(): Promise<typeof OAuth> {
  return import("oauth4webapi");
}

type EndpointName = "token_endpoint" | "authorization_endpoint" | "device_authorization_endpoint";

/**
 * The endpoints that the record names; those that it leaves out are looked up at its issuer (RFC 8414, OpenID Connect Discovery).
 *
 * @throws ApiSourceError when an endpoint that is needed is neither in the record nor in what the issuer says of itself.
 */
export async function findServer(
  call: ServerCall,
  needed: readonly EndpointName[],
): Promise<OAuth.AuthorizationServer> {
  const { oauth2, source } = call.grant;
  const { issuer, tokenUrl, authorizationUrl, deviceAuthorizationUrl } = oauth2;
  const own = {
    ...(tokenUrl === undefined ? {} : { token_endpoint: tokenUrl }),
    ...(authorizationUrl === undefined ? {} : { authorization_endpoint: authorizationUrl }),
    ...(deviceAuthorizationUrl === undefined
      ? {}
      : { device_authorization_endpoint: deviceAuthorizationUrl }),
  };
  const missing = needed.filter((name) => !Object.hasOwn(own, name));
  // Without an issuer its name is not known, and nothing that would be compared with it is looked at.
  if (missing.length === 0) return { issuer: issuer ?? new URL(tokenUrl ?? "").origin, ...own };
  const found = await discover(call, issuer ?? "");
  const named = Object.entries(found).filter(
    ([name, url]) => name === "issuer" || isNamedEndpoint(url, issuer ?? ""),
  );
  const server = { ...Object.fromEntries(named), issuer: found.issuer, ...own };
  const absent = missing.find((name) => !Object.hasOwn(server, name));
  if (absent === undefined) return server;
  throw new ApiSourceError({
    message: `The authorization server of ${source.name} (${issuer}) names no ${absent} that may be asked.`,
    category: "not_configured",
    code: "discovery_failed",
    hint: "The agent can't change this. Whoever runs the application must write the endpoint into `oauth2` of the record.",
  });
}

async function discover(call: ServerCall, issuer: string): Promise<OAuth.AuthorizationServer> {
  const library = await loadOAuth();
  const url = new URL(issuer);
  let failed: unknown;
  for (const algorithm of ["oidc", "oauth2"] as const) {
    try {
      const options = { ...requestOptions(library, call, { idempotent: true }), algorithm };
      const response = await library.discoveryRequest(url, options);
      return await library.processDiscoveryResponse(url, response);
    } catch (error) {
      // A server that is not there, or down, has no other page either.
      const isAbsent =
        error instanceof ApiSourceError && error.code === "token_endpoint_failed" && !error.retryable;
      if (error instanceof ApiSourceError && !isAbsent) throw error;
      if (!isAbsent) failed ??= error;
    }
  }
  throw new ApiSourceError({
    message: `The authorization server of ${call.grant.source.name} can't be looked up at ${issuer}: ${failed === undefined ? "it says nothing of itself there" : describeFlaw(failed)}.`,
    category: "not_configured",
    code: "discovery_failed",
    hint: "The agent can't change this. Whoever runs the application must check `issuer`, or write `tokenUrl` into the record.",
  });
}

/**
 * Asks the token endpoint.
 *
 * @throws GrantRefused when the grant itself is refused. @throws ApiSourceError for every other failure.
 */
export async function requestToken(
  call: ServerCall,
  grantType: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Grant> {
  const library = await loadOAuth();
  const server = await findServer(call, ["token_endpoint"]);
  const { oauth2 } = call.grant;
  const client = { client_id: oauth2.clientId };
  const body = new URLSearchParams({ ...oauth2.tokenParameters, ...parameters });
  const startedMs = call.runtime.clock.now();
  const isIdempotent = grantType === "client_credentials";
  const options = requestOptions(library, call, { idempotent: isIdempotent, isToken: true });
  try {
    const response = await library.genericTokenEndpointRequest(
      server,
      client,
      authenticate(library, call),
      // A record may name a grant of the server's own (`account_credentials`).
      oauth2.tokenParameters["grant_type"] ?? grantType,
      body,
      options,
    );
    const answer: Record<string, unknown> = Object(await response.clone().json());
    // What follows may fail with the answer in hand: nothing of it is ever shown.
    call.runtime.hide(listTokens(answer));
    const token = await library.processGenericTokenEndpointResponse(server, client, response, {
      // Slack's words for a bearer token. A token that has to be proved is of no use here, and the library would take it.
      recognizedTokenTypes: { bot: () => {}, user: () => {}, dpop: () => refuseType(library) },
    });
    return toGrant(token, readAccount(answer), startedMs);
  } catch (error) {
    throw toTokenError(error, library, {
      source: call.grant.source,
      runtime: call.runtime,
      url: server.token_endpoint ?? "",
    });
  }
}

function refuseType(library: typeof OAuth): never {
  throw new library.UnsupportedOperationError("unsupported `token_type` value");
}

/** Asks for a device code (RFC 8628, section 3.1). */
export async function requestDeviceCode(call: ServerCall): Promise<OAuth.DeviceAuthorizationResponse> {
  const library = await loadOAuth();
  const server = await findServer(call, ["device_authorization_endpoint"]);
  const { oauth2 } = call.grant;
  const { clientId, scopes, audience, authorizationParameters } = oauth2;
  const client = { client_id: clientId };
  const parameters = {
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...(audience === undefined ? {} : { audience }),
    ...authorizationParameters,
  };
  try {
    const options = requestOptions(library, call, { idempotent: true, isToken: true });
    const auth = authenticate(library, call);
    const response = await library.deviceAuthorizationRequest(server, client, auth, parameters, options);
    call.runtime.hide(listTokens(await response.clone().json()));
    return await library.processDeviceAuthorizationResponse(server, client, response);
  } catch (error) {
    throw toTokenError(error, library, {
      source: call.grant.source,
      runtime: call.runtime,
      url: server.device_authorization_endpoint ?? "",
    });
  }
}

function authenticate(library: typeof OAuth, { grant: { oauth2 } }: ServerCall): OAuth.ClientAuth {
  const { clientSecret, clientAuthentication = clientSecret === undefined ? "none" : "basic" } = oauth2;
  if (clientSecret === undefined || clientAuthentication === "none") return library.None();
  if (clientAuthentication === "post") return library.ClientSecretPost(clientSecret);
  // Not the library's, which also escapes `-`, `_` and `.`: many servers compare the pair without reading escapes.
  return (_server, client, _body, headers) => {
    const pair = [client.client_id, clientSecret].map(encodeForm).join(":");
    headers.set("authorization", `Basic ${Buffer.from(pair, "utf8").toString("base64")}`);
  };
}

/** `application/x-www-form-urlencoded`, as RFC 6749 section 2.3.1 wants it. */
function encodeForm(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

function requestOptions(
  library: typeof OAuth,
  { grant, runtime, deadline }: ServerCall,
  { idempotent, isToken = false }: { readonly idempotent: boolean; readonly isToken?: boolean },
) {
  const { limits } = grant.source.api;
  const send = async (
    url: string,
    init: OAuth.CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>,
  ) => {
    const body = init.body === undefined ? {} : { body: Buffer.from(init.body.toString(), "utf8") };
    const exchange = await sendToEndpoint(
      { method: init.method, url, headers: init.headers, ...body },
      { runtime, network: await grant.findNetwork(), limits, deadline, idempotent },
    );
    return readAnswer(exchange, { url, isToken, nowMs: runtime.clock.now() });
  };
  // http is let through here because `sendToEndpoint` allows it to this machine alone.
  return { [library.customFetch]: send, [library.allowInsecureRequests]: true };
}
