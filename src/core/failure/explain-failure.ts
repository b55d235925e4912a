/** Explains a request that brought no whole answer, or that could not be made: as an error for a model, and as a cause for a person. */

import { isIP } from "node:net";
import { ApiSourceError, type CallError, type ErrorCategory } from "../base/errors.js";
import { dropUndefined } from "../base/input.js";
import { clipText } from "../base/text.js";
import type { RedirectFailure, RedirectRefusal, SendFailure, TransportPhase } from "../http/send-failure.js";
import { dropQuery, hostOf } from "./answer-facts.js";
import {
  type Cause,
  type CauseRow,
  type Facts,
  findCause,
  type Situation,
  writeCause,
  writeHint,
} from "./cause.js";
import { connectionCauses, preparationCauses } from "./connection-causes.js";
import { listCredentialFacts } from "./credential-facts.js";
import type { Subject } from "./facts.js";
import type { HtmlPage } from "./page.js";
import { places, redirectCauses } from "./redirect-causes.js";

/** The error of a failed request, with what failed as data. */
export class ConnectionError extends ApiSourceError {
  readonly failure: SendFailure;

  constructor(fields: ConstructorParameters<typeof ApiSourceError>[0], failure: SendFailure) {
    const { phase, attempts } = failure;
    super({ ...fields, details: fields.details ?? { phase, attempts } });
    this.failure = failure;
  }
}

/**
 * Explains what a failed request means.
 *
 * @param baseUrl of the source, redacted: a part of what is explained may be shown.
 */
export function explainFailure(failure: SendFailure, baseUrl: string): ConnectionError {
  if (isRedirect(failure)) return refuseRedirect(failure);
  const warning = warnOfWrite(failure);
  if (failure.kind === "cancelled") {
    const hint = `${warning}The caller stopped it.`;
    return new ConnectionError({ message: "The call was cancelled.", category: "cancelled", hint }, failure);
  }
  const situation = readSituation(failure, baseUrl);
  const row = findCause(connectionCauses, situation, "model");
  const { attempts, status } = failure;
  const tries = attempts > 1 && status === undefined ? ` (${attempts} attempts)` : "";
  const ownCode = failure.kind.startsWith("proxy") ? `ERR_${failure.kind.toUpperCase()}` : undefined;
  return new ConnectionError(
    {
      message: `${writeCause(row, situation.facts).message.replace(/\.$/, "")}${tries}.`,
      category: categoryOf(row),
      retryable: row.retryable === true && warning === "",
      code: ("code" in failure ? failure.code : undefined) ?? ownCode,
      hint: `${warning}${writeHint({ hint: "Tell the user: {fix}", ...row }, situation.facts)}`,
    },
    failure,
  );
}

function categoryOf({ category }: CauseRow): ErrorCategory {
  return (typeof category === "string" ? category : category?.[0]) ?? "network";
}

function readSituation(failure: SendFailure, baseUrl: string, httpsBase?: string): Situation {
  const { kind, phase, status } = failure;
  const code = ("code" in failure ? failure.code : undefined) ?? "";
  // What a proxy reports is not about the API.
  const codes = kind.startsWith("proxy") ? [kind] : [code, kind, `at_${phase}`];
  return { status, codes, facts: listFailureFacts(failure, baseUrl, httpsBase) };
}

/**
 * The same for a person.
 *
 * @param baseUrl - Without the credential.
 * @param httpsBase - The base URL with `https://`, where its port speaks that.
 */
export function explainConnection(failure: SendFailure, baseUrl: string, httpsBase?: string): Cause {
  const situation = readSituation(failure, baseUrl, httpsBase);
  return writeCause(findCause(connectionCauses, situation, "person"), situation.facts);
}

/** A write whose bytes were sent may have been done. */
function warnOfWrite({ method, repeatable, attempts, phase, status }: SendFailure): string {
  if (repeatable || attempts === 0) return "";
  if (status !== undefined)
    return `The ${method} was received and answered with ${status}: check before sending it again. `;
  return phase === "first_byte" || phase === "body"
    ? `The ${method} may have been carried out: check with a GET before sending it again. `
    : "";
}

export function isRedirect(failure: SendFailure): failure is RedirectFailure {
  return failure.kind === "redirect";
}

/** Never retryable: the same request meets the same answer. What a program can add to the record is in its details. */
function refuseRedirect(failure: RedirectFailure): ConnectionError {
  const { status, target, reason } = failure;
  const facts = listRedirectFacts(failure);
  const row = findCause(redirectCauses, { status, codes: [reason], facts }, "model");
  const { message, changes } = writeCause(row, facts);
  const details = { redirect: dropUndefined({ status, target, reason }), fix: changes[0] };
  const hint = writeHint(row, facts);
  return new ConnectionError(
    { message, category: "refused_by_policy", details: dropUndefined(details), hint },
    failure,
  );
}

/** A redirect of a connection test. */
export function explainRedirect(redirect: Redirect, subject: Subject): Cause {
  const { status, reason } = redirect;
  const facts = listRedirectFacts(redirect, subject);
  return writeCause(findCause(redirectCauses, { status, codes: [reason], facts }, "person"), facts);
}

/** Why no request could be made, for the person who configures the source; it needs no address, since there may be none. */
export function explainPreparation(
  { code = "", category, message, hint }: Pick<ApiSourceError, "code" | "category" | "message" | "hint">,
  owner: Pick<Subject, "source" | "credential">,
): Cause {
  const facts = { ...listCredentialFacts(owner), message: () => message, hint: () => hint };
  return writeCause(findCause(preparationCauses, { codes: [code, category], facts }, "person"), facts);
}

/** The error of a response that came from a host for downloads: it is not about the source's credential. */
export function explainDownload(error: CallError, status: number, url: string): CallError {
  const { category, ...rest } = error;
  const isRefusal = category === "unauthorized" || category === "forbidden";
  const host = URL.canParse(url) ? new URL(url).host : "";
  return {
    ...rest,
    category: isRefusal ? "forbidden" : category,
    hint: `${host}, to which the API redirected this call, answered ${status}. The request to it had no credential, so the source's credential is not the cause. A link to a file can expire: repeat the call for a new one.`,
  };
}

const phases: Readonly<Record<TransportPhase, string>> = {
  sign: "the application's `sign` did not sign the request",
  dns: "the host name was not looked up",
  connect: "no connection was made",
  tls: "the connection was accepted, but the TLS handshake did not end",
  first_byte: "the request was accepted, but the API did not begin to answer",
  body: "the API began to answer, but its body did not end",
};

/** @param baseUrl - Without the credential; a host that is a secret is redacted. */
export function listFailureFacts(failure: SendFailure, baseUrl: string, httpsBase?: string): Facts {
  const host = hostOf(baseUrl);
  const { status, phase } = failure;
  const [scheme] = baseUrl.split(":", 1);
  return {
    host: () => host,
    httpsBase: () => httpsBase,
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
type Redirect = Pick<RedirectFailure, "status" | "target" | "why"> &
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
