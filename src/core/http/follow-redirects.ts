/** Follows redirects by hand: GET only, same origin, under the base path, a few hops; and once to a host for downloads. */

import type { IncomingMessage } from "node:http";
import { findBelowBase, isSameOrigin, toBasePath } from "../request/check-path.js";
import { type DownloadTarget, findDownload, resolveRedirect } from "../request/resolve-redirect.js";
import type { WireRequest } from "../request/wire-request.js";
import { withoutSessionIds } from "../secrets/issued-secrets.js";
import type { Redactor } from "../secrets/redactor.js";
import type { RedirectRefusal, RefusedRedirect } from "./send-failure.js";
import type { Exchange, SendOptions } from "./transport.js";
import type { AnswerHead } from "./wire.js";

const maxRedirects = 5;

/** RFC 9110 section 15.4. 300 offers a choice, 305 and 306 are deprecated, 304 is not a redirect. */
const followedStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const notModified = 304;

/** The answer a call ends with, its body unread. */
export interface FinalAnswer extends Pick<Exchange, "url" | "isSeeOther" | "isDownload"> {
  readonly head: AnswerHead;
  /** Why a redirect was not followed; absent when it was followed. */
  readonly refusal?: RefusedRedirect;
}

/**
 * Sends a request and follows where it leads; a refused redirect is an answer with a `refusal`.
 *
 * @param send - Sends one request; the credential is put on anew.
 * @param fetchDownload - Sends a GET to a host of `network.downloadHosts`.
 */
export async function followRedirects(
  request: WireRequest,
  call: SendOptions,
  send: (request: WireRequest) => Promise<AnswerHead>,
  fetchDownload: (target: DownloadTarget) => Promise<AnswerHead>,
): Promise<FinalAnswer> {
  const visited = new Set<string>();
  let { url } = request;
  let isSeeOther = false;
  for (;;) {
    visited.add(url);
    const hop = { ...request, url };
    const head = await send(hop);
    const { message } = head;
    const step = judge(message, hop, visited, call);
    if (step === undefined || (typeof step === "object" && "kind" in step)) {
      // Where a response led to is a part of what was received.
      return {
        head,
        isSeeOther,
        refusal: step,
        url: url === request.url ? url : call.redactor.redact(url),
      };
    }
    // Reading it to its end would give a hostile server time; the connection is the price.
    message.destroy();
    isSeeOther ||= message.statusCode === 303;
    if (typeof step !== "string") {
      return { ...readDownload(await fetchDownload(step), step.url, call.redactor), isSeeOther };
    }
    url = step;
  }
}

/** A download is one hop: a redirect of its host is not followed. The query of its URL may be a signature, which is not shown. */
function readDownload(
  head: AnswerHead,
  url: string,
  redactor: Redactor,
): Omit<FinalAnswer, "isSeeOther"> {
  const { status, message } = head;
  const answer = { head, url: toShown(url), isDownload: true } as const;
  if (status < 300 || status > 399 || status === notModified) return answer;
  const { location = "" } = message.headers;
  const target = URL.canParse(location, url) ? new URL(location, url).href : undefined;
  return {
    ...answer,
    refusal: {
      kind: "redirect",
      reason: "second_host",
      target: target && showTarget(target, redactor),
    },
  };
}

/** The URL to go on to, or why not; `undefined` when the response is not a redirect. */
function judge(
  { statusCode: status = 0, headers: { location } }: IncomingMessage,
  { method, url }: WireRequest,
  visited: ReadonlySet<string>,
  { baseUrl, redirects, redactor, downloadHosts = [], getMayChange = false }: SendOptions,
): string | DownloadTarget | RefusedRedirect | undefined {
  if (status < 300 || status > 399 || status === notModified) return undefined;
  const isFollowed = followedStatuses.has(status);
  if (location === undefined)
    return isFollowed ? { kind: "redirect", reason: "no_target" } : undefined;
  const base = new URL(baseUrl);
  const scope = { baseUrl, ...redirects };
  const decision = resolveRedirect(location, url, scope);
  const refuse = (reason: RedirectRefusal): RefusedRedirect => {
    // Redacted before it is resolved, too: in lower case it could hold a secret.
    const shown = resolveRedirect(redactor.redact(location), redactor.redact(url), scope);
    const target = showTarget(shown.target, redactor);
    // Where the tool could go itself.
    const isPassed = decision.reason === undefined && shown.reason === undefined;
    const path =
      reason === "write" && isPassed
        ? findBelowBase(new URL(target).pathname, toBasePath(base)) || "/"
        : undefined;
    const why = reason === "forbidden" ? redactor.redact(shown.why) : undefined;
    return { kind: "redirect", reason, target, path, why };
  };
  if (method !== "GET" || getMayChange) return refuse("write");
  if (!isFollowed) return refuse("unsupported_status");
  const { target, reason } = decision;
  if (reason !== undefined) {
    const download =
      reason === "forbidden" ? undefined : findDownload(downloadHosts, target, baseUrl);
    if (download === "not_encrypted") return refuse("download_not_encrypted");
    const isElsewhere = download !== undefined && !isSameOrigin(new URL(target), base);
    // A URL that repeats a secret would carry it to another host.
    if (isElsewhere && redactor.redact(download.url) !== download.url)
      return refuse("download_secret");
    if (isElsewhere) return download;
    return refuse(isUpgrade(target, url) ? "http_to_https" : reason);
  }
  if (visited.has(target)) return refuse("loop");
  return visited.size > maxRedirects ? refuse("too_many") : target;
}

/** A target as it is shown. Redacted before as well: what is shown without its query could hold a piece of a secret. */
function showTarget(target: string, redactor: Redactor): string {
  return redactor.redact(toShown(redactor.redact(target)));
}

/** The URL without user, session ids, query and fragment, any of which may contain a secret. */
function toShown(target: string): string {
  const [withoutQuery = ""] = withoutSessionIds(target).split(/[?#]/);
  if (!URL.canParse(withoutQuery)) return withoutQuery;
  return Object.assign(new URL(withoutQuery), { username: "", password: "" }).href;
}

/** Whether the target is the same host by https. */
function isUpgrade(target: string, from: string): boolean {
  if (!URL.canParse(target)) return false;
  const [to, current] = [new URL(target), new URL(from)];
  return (
    current.protocol === "http:" && to.protocol === "https:" && to.hostname === current.hostname
  );
}
