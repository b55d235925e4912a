/** Follows redirects by hand: GET only, same origin, under the base path, a few hops. */

import type { IncomingMessage } from "node:http";
import { type RedirectScope, resolveRedirect } from "../policy/resolve-redirect.js";
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

export interface FollowOptions {
  readonly call: Pick<SendOptions, "baseUrl" | "redactor" | "redirects">;
  /** Sends one request; the credential is put on anew. */
  readonly send: (request: WireRequest) => Promise<IncomingMessage>;
}

/** Sends a request and follows where it leads; a refused redirect is an answer with a `refusal`. */
export async function followRedirects(request: WireRequest, options: FollowOptions): Promise<FinalAnswer> {
  const { call, send } = options;
  const visited = new Set<string>();
  let url = request.url;
  for (;;) {
    visited.add(url);
    const message = await send({ ...request, url });
    const step = judge(message, {
      request,
      url,
      visited,
      scope: { baseUrl: call.baseUrl, ...call.redirects },
    });
    if (step === undefined) return { message, url };
    if (!("reason" in step)) {
      // Reading it to its end would give a hostile server time; the connection is the price.
      message.destroy();
      url = step.url;
      continue;
    }
    return { message, url, refusal: toRefusal(step, call) };
  }
}

interface Refused {
  readonly reason: RedirectRefusal;
  readonly target?: string;
  readonly why?: string;
  /** Whether the tool could go there. */
  readonly isReachable?: boolean;
}

type Step = { readonly url: string } | Refused;

/** Where to go next, or why not; `undefined` when the answer is no redirect. */
function judge(
  message: IncomingMessage,
  hop: {
    readonly request: WireRequest;
    readonly url: string;
    readonly visited: ReadonlySet<string>;
    readonly scope: RedirectScope;
  },
): Step | undefined {
  const status = message.statusCode ?? 0;
  if (status < 300 || status > 399 || status === notModified) return undefined;
  const { location } = message.headers;
  const isFollowed = followedStatuses.has(status);
  if (location === undefined) {
    if (!isFollowed) return undefined;
    return { reason: hop.request.method === "GET" ? "no_target" : "write" };
  }
  const decision = resolveRedirect(location, hop.url, hop.scope);
  const target = decision.ok ? decision.url : decision.target;
  if (hop.request.method !== "GET") return { reason: "write", target, isReachable: decision.ok };
  if (!isFollowed) return { reason: "unsupported_status", target };
  if (!decision.ok) {
    return { ...decision, ...(isUpgrade(target, hop.url) ? { reason: "http_to_https" } : {}) };
  }
  if (hop.visited.has(decision.url)) return { reason: "loop", target };
  return hop.visited.size > maxRedirects ? { reason: "too_many", target } : decision;
}

function toRefusal(
  { reason, target, why, isReachable = false }: Refused,
  { baseUrl, redactor }: Pick<SendOptions, "baseUrl" | "redactor">,
): RefusedRedirect {
  const shown = target === undefined ? undefined : redactor.redact(toShown(target));
  const path = isReachable && shown !== undefined ? toToolPath(shown, baseUrl) : undefined;
  return {
    kind: "redirect",
    reason,
    ...(shown === undefined ? {} : { target: shown }),
    ...(why === undefined ? {} : { why: redactor.redact(why) }),
    ...(path === undefined ? {} : { path }),
  };
}

/** The URL without user, query and fragment, any of which may hold a secret of somebody's. */
function toShown(target: string): string {
  const [withoutQuery = ""] = target.split(/[?#]/);
  if (!URL.canParse(withoutQuery)) return withoutQuery;
  const url = new URL(withoutQuery);
  url.username = "";
  url.password = "";
  return url.href;
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
