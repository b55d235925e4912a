/** What is known of a request that brought no whole answer, by the names that the table of causes uses. */

import { isIP } from "node:net";
import { clipText } from "../base/text.js";
import type { RedirectFailure, RedirectRefusal, SendFailure, TransportPhase } from "../http/send-failure.js";
import { dropQuery, hostOf } from "./answer-facts.js";
import type { Facts } from "./cause.js";
import { listCredentialFacts } from "./credential-facts.js";
import type { Subject } from "./facts.js";
import type { HtmlPage } from "./page.js";
import { places } from "./redirect-causes.js";

const phases: Readonly<Record<TransportPhase, string>> = {
  sign: "the application's `sign` did not sign the request",
  dns: "the host name was not looked up",
  connect: "no connection was made",
  tls: "the connection was accepted, but the TLS handshake did not end",
  first_byte: "the request was accepted, but the API did not begin to answer",
  body: "the API began to answer, but its body did not end",
};

/** @param baseUrl - Without the credential; a host that is a secret is redacted. */
export function listFailureFacts(failure: SendFailure, baseUrl: string): Facts {
  const host = hostOf(baseUrl);
  const { status, phase } = failure;
  const [scheme] = baseUrl.split(":", 1);
  return {
    host: () => host,
    hostName: () => host.replace(/:\d+$/, ""),
    port: () => /:(\d+)$/.exec(host)?.[1] ?? `${scheme === "https" ? 443 : 80}, the default of ${scheme}`,
    code: () => ("code" in failure ? failure.code : undefined),
    status: () => (status === undefined ? undefined : String(status)),
    atAnswer: () => (phase === "first_byte" || phase === "body" ? "yes" : undefined),
    // The socket gives up while it looks up a host only by not connecting.
    phase: () => phases[failure.kind === "connection" && phase === "dns" ? "connect" : phase],
    limit: () => writeLimit(failure),
    why: () => describeTruncation(failure),
    given: () => ("given" in failure && failure.given ? String(failure.given) : undefined),
  };
}

/** The time that ran out, in words. */
function writeLimit(failure: SendFailure): string {
  const limitMs = failure.kind === "timeout" ? failure.limitMs : undefined;
  return limitMs === undefined ? "the time its caller allows" : `${limitMs / 1_000} s`;
}

/** Why a body is not complete, as a part of a sentence; undefined for a failure without a status, and for a redirect. */
export function describeTruncation(failure: SendFailure): string | undefined {
  if (failure.status === undefined) return undefined;
  switch (failure.kind) {
    case "redirect":
      return undefined;
    case "too_large":
      return `the body is larger than ${failure.maxBytes.toLocaleString("en-US")} bytes`;
    case "timeout":
      return `its body did not end within ${writeLimit(failure)}`;
    case "unfinished":
      return failure.isStream
        ? `an event stream may never end; it was read for ${failure.afterMs / 1_000} s`
        : `no byte of its body arrived for ${failure.afterMs / 1_000} s`;
    case "encoding":
      return "the compressed data is broken or ends too early";
    case "unsupported_encoding":
      return `the body's Content-Encoding (${failure.encoding}) can't be decoded`;
    default:
      return "the connection was closed before its end";
  }
}

/** Not followed for the reason; `followed` when it ended at a web page. The target has no query. */
export type Redirect = Pick<RedirectFailure, "status" | "target" | "why"> &
  Partial<Pick<RedirectFailure, "method" | "path">> & {
    readonly reason: RedirectRefusal | "followed";
    readonly page?: HtmlPage | undefined;
  };

/** @param subject - Of a connection test. */
export function listRedirectFacts(redirect: Redirect, subject?: Subject): Facts {
  const { page, reason, status, why, method, path } = redirect;
  const target = clipText(redirect.target ?? "", 300);
  const to = URL.canParse(target) ? new URL(target) : undefined;
  const hostName = /^https?:$/.test(to?.protocol ?? "") ? (to?.hostname ?? "") : "";
  const isAddress = isIP(hostName.replace(/^\[|\]$/g, "")) !== 0;
  return {
    ...(subject && listCredentialFacts(subject)),
    request: () =>
      subject === undefined ? "The server" : `${subject.request.method} ${dropQuery(subject.request.url)}`,
    status: () => String(status),
    target: () => target,
    place: () => places[reason] ?? "with a status that is not followed",
    why: () => why,
    title: () => page?.title && clipText(page.title, 120),
    loginPage: () => (page?.kind === "login" ? "yes" : undefined),
    guessedBase: () => to && guessBase(to, subject?.testEndpoint ?? ""),
    downloadHost: () => (isAddress ? undefined : hostName),
    httpsBase: () => {
      if (subject?.baseUrl === undefined) return undefined;
      const own = new URL(subject.baseUrl);
      own.port = to?.port ?? own.port;
      return own.href.replace(/^http:/, "https:").replace(/\/$/, "");
    },
    method: () => method,
    pathInstead: () => (status === 303 ? undefined : path),
    pathOrResource: () => path ?? "the resource that it changes",
  };
}

/** The base URL under which the same test endpoint would be where the redirect leads. */
function guessBase(to: URL, testEndpoint: string): string | undefined {
  const own = dropQuery(testEndpoint).replace(/\/$/, "");
  const path = to.pathname.replace(/\/$/, "");
  return own !== "" && path.endsWith(own) ? `${to.origin}${path.slice(0, -own.length)}` : undefined;
}
