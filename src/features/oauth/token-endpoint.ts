/** How the requests that bring a token travel, each by a transport of its own to one place alone, and what the answers mean. */

import type * as OAuth from "oauth4webapi";
import type { ApiSourceError } from "../../core/base/errors.js";
import type { JsonObject } from "../../core/base/exact-number.js";
import { dropUndefined, isPlainObject, readPlainJson } from "../../core/base/input.js";
import { isBlank } from "../../core/base/shape.js";
import { clipText } from "../../core/base/text.js";
import { readErrorBody } from "../../core/failure/error-body.js";
import { createTransport } from "../../core/http/create-transport.js";
import type { Deadline } from "../../core/http/deadline.js";
import { SendError } from "../../core/http/send-failure.js";
import type { Exchange } from "../../core/http/transport.js";
import type { ApiSource, SourceNetwork } from "../../core/record/api-source.js";
import { findEndpointUrlProblem } from "../../core/record/base-url.js";
import type { WireRequest } from "../../core/request/wire-request.js";
import {
  isCredentialLike,
  listHeaderTokens,
  listIssuedLeaves,
  listSetCookies,
} from "../../core/secrets/issued-secrets.js";
import { mayPass, quoteAnswer, refuseFailure, refuseSetup, refuseStatus } from "./refusals.js";
import type { OAuthRuntime } from "./resolve-grant.js";
import type { Grant } from "./token-store.js";

/** An honest answer has some kilobytes. */
const maxBytes = 1_000_000;

interface RequestAlone {
  readonly runtime: OAuthRuntime;
  readonly source: ApiSource;
  readonly network: SourceNetwork;
  readonly deadline: Deadline;
  /** Whether the request may be sent again. @default whether its method is idempotent */
  readonly idempotent?: boolean;
  /** Whether a redirect is the answer, which is not followed. @default false */
  readonly keepsRedirect?: boolean;
}

/** An address without its query, which may hold a secret. */
export function describeEndpoint(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

/** @throws SendError when nothing came back, for a redirect, and for an answer that is not whole. */
export async function sendAlone(
  request: WireRequest,
  { runtime, source, network, deadline, idempotent, keepsRedirect = false }: RequestAlone,
): Promise<Exchange> {
  const { slug, api } = source;
  // Its own URL is the base: a redirect can lead nowhere else.
  const baseUrl = describeEndpoint(request.url);
  const own = {
    network,
    limits: { ...api.limits, maxBytes },
    baseUrl,
    source: slug,
    isTokenCall: true,
  };
  const transport = createTransport({ ...runtime, ...own });
  try {
    const redactor = runtime.redactor();
    const exchange = await transport.send(request, { baseUrl, deadline, redactor, idempotent });
    runtime.hide(listIssued(exchange));
    const failure = (keepsRedirect ? undefined : exchange.refusal) ?? exchange.failure;
    if (failure !== undefined) throw new SendError(failure);
    return exchange;
  } finally {
    transport.close();
  }
}

/** The tokens that an answer issues, whichever door it came by: the one that is used, and any other. */
function listIssued({ headers, body }: Exchange): string[] {
  const cookies = listSetCookies(headers, 0).map(({ value }) => value);
  return [
    ...cookies.filter(isCredentialLike),
    ...listHeaderTokens(headers),
    ...listIssuedLeaves(Buffer.from(body).toString("utf8")),
  ];
}

/**
 * Sends one request to an authorization server: a destination of its own, https or this machine. The transport sends no write to where
 * a redirect leads; the metadata of a server may be below its own address.
 *
 * @returns the answer, whatever its status.
 * @throws ApiSourceError for an address that secrets may not go to, when nothing came back, for a redirect, and for an answer that is
 * not whole.
 */
export async function sendToEndpoint(request: WireRequest, call: RequestAlone): Promise<Exchange> {
  const shown = describeEndpoint(request.url);
  const refuse = (message: string, code: string, todo: string): ApiSourceError =>
    refuseSetup(message, code, todo, { category: "refused_by_policy" });
  // The last door before a secret leaves for an authorization server.
  if (findEndpointUrlProblem(request.url) !== undefined)
    throw refuse(
      `A request to ${shown} was stopped: secrets are sent only by https, or to this machine.`,
      "insecure_endpoint",
      "write the endpoint with https in the record",
    );
  return sendAlone(request, call).catch((error: unknown) => {
    if (!(error instanceof SendError)) throw error;
    if (error.failure.kind !== "redirect")
      throw refuseFailure(error.failure, `No token was received from ${shown}`, request.url);
    throw refuse(
      `${shown} answered with a redirect, which is not followed: secrets are sent only to the address in the record.`,
      "endpoint_redirected",
      "write the address it leads to into the record, if it is right",
    );
  });
}

/** The members of an answer that are credentials (RFC 6749, OpenID Connect, RFC 8628). */
const issued = ["access_token", "refresh_token", "id_token", "device_code"];

/**
 * Makes of what came back an answer in the form of RFC 6749, for the library to judge. Servers in the wild answer 200 with `error` (GitHub,
 * Slack), a form instead of JSON, no `token_type`, `null` for what they leave out, and an ID token, which nothing here relies on.
 *
 * @throws ApiSourceError when it is not an answer of a token endpoint.
 */
export function readTokenAnswer(exchange: Exchange, url: string, runtime: OAuthRuntime): Response {
  const { status } = exchange;
  const given = parseAnswer(exchange);
  // Whatever the library makes of the answer.
  runtime.hide(issued.map((name) => String(given?.[name] ?? "")));
  const refusal = given && readRefusal(given as JsonObject);
  const isRefused = refusal?.error !== undefined;
  if (given === undefined || mayPass(status) || (status >= 400 && !isRefused))
    throw refuseAnswer(exchange, url, runtime);
  const { id_token, expires_in, expires_at, scope, token_type, error: _error, ...rest } = given;
  const lifetime = readLifetime(expires_in ?? expires_at, runtime.clock.now());
  const granted = readScopes(scope);
  const answer = {
    ...readDeviceMembers(rest),
    ...refusal,
    ...(granted === undefined ? {} : { scope: granted }),
    ...(typeof rest["access_token"] === "string" ? { token_type: readTokenType(token_type) } : {}),
    ...(lifetime === undefined ? {} : { expires_in: lifetime }),
    ...(typeof id_token === "string" ? { account_claims: id_token } : {}),
  };
  // 201 is what some answer to a POST.
  return Response.json(answer, { status: isRefused ? Math.max(status, 400) : 200 });
}

/** No token lives for 30 years: a greater number of seconds is a time since 1970, and one that is a thousand times as great is in milliseconds. */
const leastEpoch = 1_000_000_000;

/** A date without a zone may be hours from the time that its server means. */
const zoned = /:\d\d.*(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i;

/** The seconds that a token lives: `expires_in`, which some servers write as the time of its end, or `expires_at`, a time as a number or text. */
function readLifetime(given: unknown, nowMs: number): number | undefined {
  const isDate = typeof given === "string" && zoned.test(given);
  const stated = isDate ? Date.parse(given) / 1_000 : Number(given);
  const seconds = stated >= leastEpoch * 1_000 ? stated / 1_000 : stated;
  const lifetime =
    seconds >= leastEpoch ? Math.max(0, Math.floor(seconds - nowMs / 1_000)) : seconds;
  return lifetime >= 0 && Number.isFinite(lifetime) ? lifetime : undefined;
}

/** Members of a device authorization: Google and Azure AD v1 name its address `verification_url`, and some write the interval as a text. */
function readDeviceMembers({
  interval,
  verification_url: url,
  ...rest
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const seconds = Number(interval);
  const address = url === undefined ? {} : { verification_uri: url };
  const pause = seconds > 0 && Number.isFinite(seconds) ? { interval: seconds } : {};
  return { ...address, ...rest, ...pause };
}

/** A token type is a name for how the token is sent; these two have to be proved, and every other is sent as a bearer token. */
function readTokenType(type: unknown): string {
  return typeof type === "string" && /^(?:dpop|mac)$/i.test(type) ? type : "bearer";
}

/** Scopes as one text, whatever a server lists them in; undefined for what names none. */
function readScopes(scope: unknown): string | undefined {
  const listed = (Array.isArray(scope) ? scope : [scope]).filter(
    (each) => typeof each === "string" || typeof each === "number",
  );
  return listed.length === 0 ? undefined : listed.join(" ");
}

/** The refusal of a server, in the form of RFC 6749, section 5.2. */
interface Refusal {
  readonly error?: string;
  readonly error_description?: string;
}

/**
 * The refusal in an answer, in whatever form it comes: `error` is a text, an object or a list.
 */
function readRefusal(given: JsonObject): Refusal {
  const { error, error_description: description } = given;
  if (isBlank(error)) return {};
  const body = readErrorBody(given);
  const named = body.codes[0] ?? body.status?.toString();
  const code = typeof error === "string" ? error : named;
  const reason = typeof description === "string" ? description : body.message;
  return dropUndefined({
    error: code ?? "error",
    error_description: reason === code ? undefined : reason,
  });
}

/** The metadata of a server, for the library to judge. @throws ApiSourceError when the server is down. */
export function readMetadata(exchange: Exchange, url: string, runtime: OAuthRuntime): Response {
  const { status } = exchange;
  if (mayPass(status)) throw refuseAnswer(exchange, url, runtime);
  return Response.json(parseAnswer(exchange) ?? {}, { status: status === 200 ? 200 : 404 });
}

/** Members that are null or empty mean as much as nothing. */
function parseAnswer({ body }: Exchange): Record<string, unknown> | undefined {
  const text = Buffer.from(body)
    .toString("utf8")
    .replace(/^\ufeff/, "");
  // A form comes under any type (`text/plain`, `text/html`).
  if (/^[\w.-]{1,100}=[^<>{}]*$/.test(text)) return Object.fromEntries(new URLSearchParams(text));
  const parsed = readPlainJson(text);
  if (!isPlainObject(parsed)) return undefined;
  const isGiven = (value: unknown): boolean => value !== null && value !== "";
  return Object.fromEntries(Object.entries(parsed).filter(([, value]) => isGiven(value)));
}

/** The report of an answer that is not in the form of RFC 6749, but in the API's own: `errorSummary`, `errors`, `fault`, `message`. */
function quoteReason(exchange: Exchange, runtime: OAuthRuntime): string {
  const given = parseAnswer(exchange);
  const { message } = given === undefined ? {} : readErrorBody(given as JsonObject);
  return message === undefined ? "" : `: ${quoteAnswer(runtime, message, 200).replace(/\.$/, "")}`;
}

function refuseAnswer(exchange: Exchange, url: string, runtime: OAuthRuntime): ApiSourceError {
  const { status } = exchange;
  const isAnswer = status < 300;
  const reason = isAnswer ? ", without a JSON object" : quoteReason(exchange, runtime);
  const why = reason === "" ? ": the server gave no reason" : "";
  const refusal = refuseSetup(
    `No token was received: ${describeEndpoint(url)} answered ${status}${reason}.`,
    "token_endpoint_failed",
    [400, 401, 403].includes(status)
      ? `check the client id and secret, how they are sent (\`clientAuthentication\`), whether the grant is still valid, and the endpoint's address${why}`
      : "check the endpoint's address in the record",
    isAnswer ? { category: "unexpected_content" } : {},
  );
  return refuseStatus(exchange, runtime.clock.now(), refusal);
}

/** The time counts from before it was requested, so that it never seems to live longer than it does. */
export function toGrant(token: OAuth.TokenEndpointResponse, startedMs: number): Grant {
  const { expires_in: expiresIn, scope } = token;
  return {
    accessToken: token.access_token,
    refreshToken: token.refresh_token || undefined,
    obtainedAtMs: startedMs,
    expiresAtMs: expiresIn === undefined ? undefined : startedMs + expiresIn * 1_000,
    scopes: scope?.match(/[^\s,]+/g) ?? undefined,
    account: readAccount(token),
  };
}

/**
 * The owner's account, to be shown: the claims of an ID token, not verified, for they came from the server itself by TLS and decide
 * nothing; else a member of the answer that names it.
 */
function readAccount(answer: OAuth.TokenEndpointResponse): string | undefined {
  const [, payload = ""] = String(answer["account_claims"] ?? "").split(".");
  const token = readPlainJson(Buffer.from(payload, "base64url").toString("utf8"));
  // The answer alone counts where there is no ID token, or it is not a JWT.
  const claims = isPlainObject(token) ? { ...answer, ...token } : answer;
  // Claims that name an account for people, best first (OpenID Connect Core, section 5.1).
  for (const name of ["email", "preferred_username", "upn", "name", "sub"]) {
    const value = claims[name];
    if (typeof value === "string" && value !== "") return clipText(value, 200);
  }
  return undefined;
}
