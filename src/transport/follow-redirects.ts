/** Follows redirects by hand: GET only, same origin, under the base path, a few hops. */

import type { IncomingMessage } from "node:http";
import { resolveRedirect } from "../policy/resolve-redirect.js";
import type { WireRequest } from "../policy/wire-request.js";
import type { RedirectRefusal, RefusedRedirect } from "./send-failure.js";
import type { SendOptions } from "./transport.js";

const maxRedirects = 5;

/** RFC 9110 section 15.4. 300 offers a choice, 305 and 306 are deprecated, 304 is no redirect. */
const followedStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const notModified = 304;

/** The answer a call ends with. */
export interface FinalAnswer {
  readonly message: IncomingMessage;
  /** Where it came from. */
  readonly url: string;
  /** Why it is a redirect that was not followed; absent when it is none. */
  readonly refusal?: RefusedRedirect;
}

/**
 * Sends a request and follows where it leads; a refused redirect is an answer with a `refusal`.
 *
 * @param send - Sends one request; the credential is put on anew.
 */
export async function followRedirects(
  request: WireRequest,
  call: SendOptions,
  send: (request: WireRequest) => Promise<IncomingMessage>,
): Promise<FinalAnswer> {
  const visited = new Set<string>();
  let { url } = request;
  for (;;) {
    visited.add(url);
    const message = await send({ ...request, url });
    const step = judge(message, { ...request, url }, visited, call);
    if (step === undefined) return { message, url };
    if (typeof step !== "string") return { message, url, refusal: step };
    // Reading it to its end would give a hostile server time; the connection is the price.
    message.destroy();
    url = step;
  }
}

/** The URL to go on to, or why not; `undefined` when the answer is no redirect. */
function judge(
  { statusCode: status = 0, headers: { location } }: IncomingMessage,
  { method, url }: WireRequest,
  visited: ReadonlySet<string>,
  { baseUrl, redirects, redactor }: SendOptions,
): string | RefusedRedirect | undefined {
  if (status < 300 || status > 399 || status === notModified) return undefined;
  const isFollowed = followedStatuses.has(status);
  if (location === undefined) {
    return isFollowed ? { kind: "redirect", reason: method === "GET" ? "no_target" : "write" } : undefined;
  }
  const scope = { baseUrl, ...redirects };
  const decision = resolveRedirect(location, url, scope);
  const refuse = (reason: RedirectRefusal): RefusedRedirect => {
    // Redacted before: what is shown without its query, in lower case or in part could hold a piece of a secret.
    const told = resolveRedirect(redactor.redact(location), redactor.redact(url), scope);
    const target = redactor.redact(toShown(told.ok ? told.url : told.target));
    // Where the tool could go itself.
    const path = reason === "write" && decision.ok && told.ok ? { path: toToolPath(target, baseUrl) } : {};
    const why = reason !== "forbidden" || told.ok ? undefined : told.why;
    return { kind: "redirect", reason, target, ...path, ...(why && { why: redactor.redact(why) }) };
  };
  if (method !== "GET") return refuse("write");
  if (!isFollowed) return refuse("unsupported_status");
  if (!decision.ok) return refuse(isUpgrade(decision.target, url) ? "http_to_https" : decision.reason);
  if (visited.has(decision.url)) return refuse("loop");
  return visited.size > maxRedirects ? refuse("too_many") : decision.url;
}

/** The URL without user, query and fragment, any of which may hold a secret of somebody's. */
function toShown(target: string): string {
  const [withoutQuery = ""] = target.split(/[?#]/);
  if (!URL.canParse(withoutQuery)) return withoutQuery;
  return Object.assign(new URL(withoutQuery), { username: "", password: "" }).href;
}

/** The path as the tool takes it: below the base path. */
function toToolPath(target: string, baseUrl: string): string {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
  return new URL(target).pathname.slice(basePath.length) || "/";
}

/** Whether the target is the same host by https. */
function isUpgrade(target: string, from: string): boolean {
  if (!URL.canParse(target)) return false;
  const [to, current] = [new URL(target), new URL(from)];
  return current.protocol === "http:" && to.protocol === "https:" && to.hostname === current.hostname;
}
