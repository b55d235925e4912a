/** How requests to an authorization server travel: a destination of their own, by the package's transport, never redirected. */

import { isIP } from "node:net";
import { explainFailure } from "../diagnosis/explain-failure.js";
import { ApiSourceError } from "../errors.js";
import type { SourceLimits, SourceNetwork } from "../source/api-source.js";
import { findEndpointUrlFlaw, isLoopbackHost } from "../source/base-url.js";
import { createTransport } from "../transport/create-transport.js";
import type { Deadline } from "../transport/deadline.js";
import { isLocalAddress } from "../transport/guard-lookup.js";
import { SendError } from "../transport/send-failure.js";
import type { Exchange } from "../transport/transport.js";
import type { OAuthRuntime } from "./oauth-runtime.js";

/** An honest answer has some kilobytes. */
const maxBytes = 1_000_000;

export interface EndpointRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export interface EndpointCall {
  readonly runtime: OAuthRuntime;
  readonly network: SourceNetwork;
  readonly limits: SourceLimits;
  readonly deadline: Deadline;
  /** Whether it may be sent again: a refresh token may be spent by the first time. @default false */
  readonly idempotent?: boolean;
}

/**
 * Sends one request and reads its answer, whatever its status.
 *
 * @throws ApiSourceError for an address that secrets may not go to, when nothing came back, for a redirect, and for an answer that is
 * not whole.
 */
export async function sendToEndpoint(request: EndpointRequest, call: EndpointCall): Promise<Exchange> {
  const { runtime, network, limits, deadline, idempotent = false } = call;
  const { url } = request;
  checkEndpoint(url);
  const { origin } = new URL(url);
  const { clock, sleep, random, logger, transport: answers } = runtime;
  const transport = createTransport({
    network,
    limits: { ...limits, maxBytes },
    baseUrl: origin,
    clock,
    sleep,
    random,
    logger,
    transport: answers,
  });
  try {
    // The base URL of a redirect is the endpoint itself: nothing else is below it.
    const exchange = await transport.send(request, {
      baseUrl: url.split("?", 1)[0] ?? url,
      deadline,
      redactor: runtime.redactor(),
      idempotent,
    });
    const failure = exchange.refusal ?? exchange.failure;
    if (failure !== undefined) throw new SendError(failure);
    if (exchange.url !== runtime.redactor().redact(url)) throw refuseRedirect(url);
    return exchange;
  } catch (error) {
    throw error instanceof SendError ? toEndpointError(error, url) : error;
  } finally {
    transport.close();
  }
}

/** The last door before a secret leaves for an authorization server: https, or this machine by its name. */
function checkEndpoint(url: string): void {
  if (findEndpointUrlFlaw(url) === undefined) return;
  throw new ApiSourceError({
    message: `A request to ${describeEndpoint(url)} was stopped: secrets go to https, or to this machine.`,
    category: "refused_by_policy",
    code: "insecure_endpoint",
    hint: "The agent can't change this. Whoever runs the application must write the endpoint with https in the record.",
  });
}

/** Whether an address that a server named may be asked: never one of this machine or its network, unless the server is there, too. */
export function isNamedEndpoint(url: unknown, issuer: string): url is string {
  if (typeof url !== "string" || findEndpointUrlFlaw(url) !== undefined) return false;
  if (isLoopbackHost(new URL(issuer).hostname)) return true;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  return !isLoopbackHost(new URL(url).hostname) && !(isIP(host) !== 0 && isLocalAddress(host));
}

/** Without query, which may hold a secret. */
export function describeEndpoint(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? "";
}

function refuseRedirect(url: string): ApiSourceError {
  return new ApiSourceError({
    message: `${describeEndpoint(url)} answered with a redirect, which is not followed: secrets stay where the record sends them.`,
    category: "refused_by_policy",
    code: "endpoint_redirected",
    hint: "The agent can't change this. Whoever runs the application must write the address it leads to into the record, if it is right.",
  });
}

function toEndpointError({ failure }: SendError, url: string): ApiSourceError {
  if (failure.kind === "redirect") return refuseRedirect(url);
  const { message, category, retryable, retryAfterSeconds, code } = explainFailure(
    failure,
    new URL(url).origin,
  );
  return new ApiSourceError({
    message: `No token was got from ${describeEndpoint(url)}: ${message}`,
    category,
    retryable,
    retryAfterSeconds,
    code,
    hint: retryable
      ? "Try again later; if it stays so, whoever runs the application must look at the authorization server."
      : "The agent can't change this. Whoever runs the application must look at the authorization server and its address in the record.",
  });
}
