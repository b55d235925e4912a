/** How the requests that bring a token travel: each by a transport of its own, to one place alone. */

import { isIP } from "node:net";
import type { ApiSourceError } from "../../core/base/errors.js";
import { createTransport } from "../../core/http/create-transport.js";
import type { Deadline } from "../../core/http/deadline.js";
import { isLocalAddress } from "../../core/http/guard-lookup.js";
import { SendError } from "../../core/http/send-failure.js";
import type { Exchange } from "../../core/http/transport.js";
import type { SourceLimits, SourceNetwork } from "../../core/record/api-source.js";
import { findEndpointUrlProblem, isLoopbackHost } from "../../core/record/base-url.js";
import type { WireRequest } from "../../core/request/wire-request.js";
import { listIssuedSecrets } from "../../core/secrets/issued-secrets.js";
import { refuseFailure, refuseSetup } from "./refusals.js";
import type { OAuthRuntime } from "./resolve-grant.js";

/** An honest answer has some kilobytes. */
const maxBytes = 1_000_000;

interface RequestAlone {
  readonly runtime: OAuthRuntime;
  /** The tool's name. */
  readonly source: string;
  readonly network: SourceNetwork;
  readonly limits: SourceLimits;
  readonly deadline: Deadline;
  /** Whether a write may be sent again. @default false */
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
  { runtime, source, network, limits, deadline, idempotent = false, keepsRedirect = false }: RequestAlone,
): Promise<Exchange> {
  // Its own URL is the base: a redirect can lead nowhere else.
  const baseUrl = describeEndpoint(request.url);
  const own = { network, limits: { ...limits, maxBytes }, baseUrl, source, isTokenCall: true };
  const transport = createTransport({ ...runtime, ...own });
  try {
    const redactor = runtime.redactor();
    const exchange = await transport.send(request, { baseUrl, deadline, redactor, idempotent });
    // What follows may fail with the answer in hand: nothing of it is ever shown.
    runtime.hide(listIssuedSecrets(exchange.headers, Buffer.from(exchange.body).toString("utf8")));
    const failure = (keepsRedirect ? undefined : exchange.refusal) ?? exchange.failure;
    if (failure !== undefined) throw new SendError(failure);
    return exchange;
  } finally {
    transport.close();
  }
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
  const { url } = request;
  const shown = describeEndpoint(url);
  const refuse = (message: string, code: string, todo: string): ApiSourceError =>
    refuseSetup(message, code, todo, { category: "refused_by_policy" });
  // The last door before a secret leaves for an authorization server.
  if (findEndpointUrlProblem(url) !== undefined)
    throw refuse(
      `A request to ${shown} was stopped: secrets are sent only by https, or to this machine.`,
      "insecure_endpoint",
      "write the endpoint with https in the record",
    );
  return sendAlone(request, call).catch((error: unknown) => {
    if (!(error instanceof SendError)) throw error;
    if (error.failure.kind !== "redirect")
      throw refuseFailure(error.failure, `No token was received from ${shown}`, url);
    throw refuse(
      `${shown} answered with a redirect, which is not followed: secrets are sent only to the address in the record.`,
      "endpoint_redirected",
      "write the address it leads to into the record, if it is right",
    );
  });
}

/** Whether an address that a server named may be asked: never one of this machine or its network, unless the server is there, too. */
export function isNamedEndpoint(url: unknown, issuer: string): url is string {
  if (typeof url !== "string" || findEndpointUrlProblem(url) !== undefined) return false;
  if (isLoopbackHost(new URL(issuer).hostname)) return true;
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return !isLoopbackHost(hostname) && !(isIP(host) !== 0 && isLocalAddress(host));
}
