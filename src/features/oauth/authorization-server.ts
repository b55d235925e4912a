/** Asks an authorization server for tokens, by oauth4webapi: where its endpoints are, and how requests to them travel. */

import { isIP } from "node:net";
import type * as OAuth from "oauth4webapi";
import { ApiSourceError } from "../../core/base/errors.js";
import { dropUndefined } from "../../core/base/input.js";
import type { Deadline } from "../../core/http/deadline.js";
import { isLocalAddress } from "../../core/http/guard-lookup.js";
import type { OAuth2Settings } from "../../core/record/api-source.js";
import { findEndpointUrlProblem, isLoopbackHost } from "../../core/record/base-url.js";
import { writeClientHeader } from "./client-secret.js";
import { refuseSetup } from "./refusals.js";
import type { OAuthRuntime, ResolvedOAuth2 } from "./resolve-grant.js";
import { readMetadata, readTokenAnswer, sendToEndpoint, toGrant } from "./token-endpoint.js";
import { describeProblem, toTokenError } from "./token-error.js";
import type { Grant } from "./token-store.js";

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

/** The names of the endpoints at a server and in a record. */
const endpoints = {
  token_endpoint: "tokenUrl",
  authorization_endpoint: "authorizationUrl",
  device_authorization_endpoint: "deviceAuthorizationUrl",
} as const;

type Endpoint = keyof typeof endpoints;

/**
 * The server with the one endpoint that is needed: the record's, else what the issuer names (RFC 8414, OpenID Connect Discovery).
 *
 * @throws ApiSourceError when it is neither in the record nor in the issuer's metadata.
 */
export async function findServer(
  call: ServerCall,
  needed: Endpoint,
): Promise<OAuth.AuthorizationServer> {
  const { oauth2, source } = call.grant;
  const { issuer, [endpoints[needed]]: own = "" } = oauth2;
  // The name of a server without an issuer is not known, and nothing that would be compared with it is looked at.
  if (own !== "" || issuer === undefined)
    return { issuer: issuer ?? new URL(own).origin, [needed]: own };
  const library = await loadOAuth();
  const options = requestOptions(library, call, readMetadata, true);
  let problem: string | undefined;
  for (const algorithm of ["oidc", "oauth2"] as const) {
    try {
      const response = await library.discoveryRequest(new URL(issuer), { ...options, algorithm });
      const found = await library.processDiscoveryResponse(new URL(issuer), response);
      // RFC 9207, section 2.4: a callback without the `iss` that the server promises is refused.
      const promisesIssuer = found.authorization_response_iss_parameter_supported === true;
      const promise = { authorization_response_iss_parameter_supported: promisesIssuer };
      if (isNamedEndpoint(found[needed], issuer))
        return { issuer: found.issuer, [needed]: found[needed], ...promise };
      problem = `it has no usable ${needed}`;
    } catch (error) {
      // A server that is down has no other page either.
      if (error instanceof ApiSourceError) throw error;
      problem ??= describeProblem(error);
    }
  }
  throw refuseSetup(
    `The authorization server of ${source.name} can't be looked up at ${issuer}: ${problem}.`,
    "discovery_failed",
    "check `issuer`, or write the endpoint into `oauth2` of the record",
  );
}

/** Whether an address that a server named may be asked: never one of this machine or its network, unless the server is there, too. */
function isNamedEndpoint(url: unknown, issuer: string): url is string {
  if (typeof url !== "string" || findEndpointUrlProblem(url) !== undefined) return false;
  if (isLoopbackHost(new URL(issuer).hostname)) return true;
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return !isLoopbackHost(hostname) && !(isIP(host) !== 0 && isLocalAddress(host));
}

/** @param idempotent - Whether it may be sent again: a refresh token may be spent by the first time. */
async function ask<Answer>(
  call: ServerCall,
  endpoint: Endpoint,
  idempotent: boolean,
  work: (library: typeof OAuth, ...request: RequestParts) => Promise<Answer>,
): Promise<Answer> {
  const { grant, runtime } = call;
  const library = await loadOAuth();
  const server = await findServer(call, endpoint);
  const client = { client_id: grant.oauth2.clientId };
  const options = requestOptions(library, call, readTokenAnswer, idempotent);
  try {
    return await work(library, server, client, authenticate(library, grant.oauth2), options);
  } catch (error) {
    const isDevice = endpoint === "device_authorization_endpoint";
    throw toTokenError(error, library, grant, { runtime, url: server[endpoint] ?? "", isDevice });
  }
}

/** The first arguments and the last one of each function of the library that sends a request. */
type RequestParts = readonly [
  server: OAuth.AuthorizationServer,
  client: OAuth.Client,
  auth: OAuth.ClientAuth,
  options: ReturnType<typeof requestOptions>,
];

/**
 * Asks the token endpoint.
 *
 * @throws TokenRefused when the server gives the reason why it refuses. @throws ApiSourceError for every other failure.
 */
export function requestToken(
  call: ServerCall,
  grantType: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Grant> {
  const { tokenParameters, resource } = call.grant.oauth2;
  const startedMs = call.runtime.clock.now();
  // RFC 8707, section 2.2: with each grant, and with each refresh.
  const body = new URLSearchParams({
    ...(resource === undefined ? {} : { resource }),
    ...tokenParameters,
    ...parameters,
  });
  // A record may name a grant of the server's own (`account_credentials`).
  const type = tokenParameters["grant_type"] ?? grantType;
  const isIdempotent = grantType === "client_credentials";
  return ask(
    call,
    "token_endpoint",
    isIdempotent,
    async (library, server, client, auth, options) => {
      const response = await library.genericTokenEndpointRequest(
        server,
        client,
        auth,
        type,
        body,
        options,
      );
      const token = await library.processGenericTokenEndpointResponse(server, client, response, {
        // Slack's words for a bearer token.
        recognizedTokenTypes: { bot: () => {}, user: () => {} },
      });
      // The library takes a token that has to be proved: it is of no use here.
      if (token.token_type === "dpop")
        throw new library.UnsupportedOperationError("unsupported `token_type` value");
      return toGrant(token, startedMs);
    },
  );
}

/** Asks for a device code (RFC 8628, section 3.1). */
export function requestDeviceCode(call: ServerCall): Promise<OAuth.DeviceAuthorizationResponse> {
  const { oauth2 } = call.grant;
  const parameters = { ...listScope(oauth2), ...oauth2.authorizationParameters };
  const endpoint = "device_authorization_endpoint";
  return ask(call, endpoint, true, async (library, server, client, auth, options) => {
    const response = await library.deviceAuthorizationRequest(
      server,
      client,
      auth,
      parameters,
      options,
    );
    return library.processDeviceAuthorizationResponse(server, client, response);
  });
}

/** The request as parameters; a scope that a variable leaves empty is omitted. */
export function listScope({ scopes, audience, resource }: OAuth2Settings): Record<string, string> {
  const scope = scopes.filter((each) => each.trim() !== "").join(" ");
  return dropUndefined({ scope: scope || undefined, audience, resource });
}

function authenticate(library: typeof OAuth, oauth2: OAuth2Settings): OAuth.ClientAuth {
  const { clientSecret, clientAuthentication = "basic" } = oauth2;
  if (clientSecret === undefined || clientAuthentication === "none") return library.None();
  if (clientAuthentication === "post") return library.ClientSecretPost(clientSecret);
  return (_server, client, _body, headers) =>
    headers.set("authorization", writeClientHeader(client.client_id, clientSecret));
}

function requestOptions(
  library: typeof OAuth,
  call: ServerCall,
  read: typeof readTokenAnswer,
  idempotent: boolean,
) {
  const send = async (
    url: string,
    {
      method,
      headers,
      body,
    }: OAuth.CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>,
  ): Promise<Response> => {
    const bytes = body === undefined ? {} : { body: Buffer.from(body.toString(), "utf8") };
    const { source, findNetwork } = call.grant;
    const how = { ...call, source, network: await findNetwork(), idempotent };
    return read(await sendToEndpoint({ method, url, headers, ...bytes }, how), url, call.runtime);
  };
  // http is let through here because `sendToEndpoint` allows it to this machine alone.
  return { [library.customFetch]: send, [library.allowInsecureRequests]: true };
}
