/** Explains a request that brought no whole answer, or that could not be made: as an error for a model, and as a cause for a person. */

import { isIP } from "node:net";
import { ApiSourceError, type CallError } from "../base/errors.js";
import { dropUndefined } from "../base/input.js";
import { clipText, quoteText } from "../base/text.js";
import type {
  RefusedRedirect,
  SendFacts,
  SendFailure,
  TransportPhase,
} from "../http/send-failure.js";
import { dropQuery, hostOf } from "./answer-facts.js";
import { describeBrokenRule } from "./broken-rules.js";
import { type Cause, type Facts, findCause, writeCause, writeHint } from "./cause.js";
import { connectionCauses, preparationCauses } from "./connection-causes.js";
import { listCredentialFacts, type Subject } from "./facts.js";
import { places, redirectCauses } from "./redirect-causes.js";

/** The error of a failed request, with what failed as data. */
export class ConnectionError extends ApiSourceError {
  constructor(
    fields: ConstructorParameters<typeof ApiSourceError>[0],
    readonly failure: SendFailure,
  ) {
    const { phase, attempts } = failure;
    super({ ...fields, details: fields.details ?? { phase, attempts } });
  }
}

/**
 * Explains what a failed request means. An error for a redirect has in its details what a program can add to the record.
 *
 * @param baseUrl of the source, redacted: a part of what is explained may be shown.
 */
export function explainFailure(failure: SendFailure, baseUrl: string): ConnectionError {
  const { table, ...situation } = readSituation(failure, baseUrl);
  const { facts } = situation;
  const row = findCause(table, situation, "model");
  const { message, changes } = writeCause(row, facts);
  const { attempts, status, kind } = failure;
  const warning = warnOfWrite(failure);
  const tries = attempts > 1 && status === undefined ? ` (${attempts} attempts)` : "";
  const ownCode = kind.startsWith("proxy") ? `ERR_${kind.toUpperCase()}` : undefined;
  const [category = "network"] = [row.category ?? []].flat();
  const fields = {
    message: `${message.replace(/\.$/, "")}${tries}.`,
    category,
    retryable: row.retryable === true && warning === "",
    code: ("code" in failure ? failure.code : undefined) ?? ownCode,
    hint: `${warning}${writeHint({ hint: "Tell the user: {fix}", ...row }, facts)}`,
  };
  if (kind !== "redirect") return new ConnectionError(fields, failure);
  const redirect = dropUndefined({ status, target: failure.target, reason: failure.reason });
  return new ConnectionError(
    { ...fields, details: dropUndefined({ redirect, fix: changes[0] }) },
    failure,
  );
}

/** @param subject - Of a connection test. */
function readSituation(failure: SendFailure, baseUrl: string, subject?: Subject) {
  const { kind, status, phase } = failure;
  if (kind === "redirect") {
    const facts = listRedirectFacts(failure, subject);
    return { table: redirectCauses, status, codes: [failure.reason], facts };
  }
  const codes = ["code" in failure ? (failure.code ?? "") : "", kind, `at_${phase}`];
  const facts = listFailureFacts(failure, baseUrl, subject?.httpsBase);
  return { table: connectionCauses, status, codes, facts };
}

/** The same for a person, in a connection test. */
export function explainToPerson(failure: SendFailure, subject: Subject): Cause {
  const { table, ...situation } = readSituation(failure, subject.baseUrl ?? "", subject);
  return writeCause(findCause(table, situation, "person"), situation.facts);
}

/** A write whose bytes were sent may have been done. */
function warnOfWrite(failure: SendFailure): string {
  const { kind, method, repeatable, keyNote, attempts, phase, status } = failure;
  if (repeatable || attempts === 0 || kind === "redirect") return "";
  const note = keyNote === undefined ? "" : `${keyNote} `;
  if (status !== undefined)
    return `The ${method} was received and answered with ${status}: check before sending it again. ${note}`;
  return phase === "first_byte" || phase === "body"
    ? `The ${method} may have been carried out: check with a GET before sending it again. ${note}`
    : "";
}

/** Why no request could be made, for the person who configures the source; it needs no address, since there may be none. */
export function explainPreparation(
  {
    code = "",
    category,
    message,
    hint,
  }: Pick<ApiSourceError, "code" | "category" | "message" | "hint">,
  owner: Pick<Subject, "source" | "credential">,
): Cause {
  const facts = { ...listCredentialFacts(owner), message: () => message, hint: () => hint };
  return writeCause(
    findCause(preparationCauses, { codes: [code, category], facts }, "person"),
    facts,
  );
}

/** The error of a response that came from a host for downloads: it is not about the source's credential. */
export function explainDownload(error: CallError, status: number, url: string): CallError {
  const { category, ...rest } = error;
  const isRefusal = category === "unauthorized" || category === "forbidden";
  return {
    ...rest,
    category: isRefusal ? "forbidden" : category,
    hint: `${hostOf(url)}, to which the API redirected this call, answered ${status}. The request to it had no credential, so the source's credential is not the cause. A link to a file can expire: repeat the call for a new one.`,
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
  const isSafe = warnOfWrite(failure) === "";
  return {
    host: () => host,
    httpsBase: () => httpsBase,
    hostName: () => host.replace(/:\d+$/, ""),
    port: () =>
      /:(\d+)$/.exec(host)?.[1] ?? `${scheme === "https" ? 443 : 80}, the default of ${scheme}`,
    code: () => ("code" in failure ? failure.code : undefined),
    status: () => (status === undefined ? undefined : String(status)),
    atAnswer: () => (phase === "first_byte" || phase === "body" ? "yes" : undefined),
    // The socket gives up while it looks up a host only by not connecting.
    phase: () => phases[failure.kind === "connection" && phase === "dns" ? "connect" : phase],
    limit: () => writeLimit(failure),
    // No advice to try again stands beside the warning that a write may have been done.
    isSafe: () => (isSafe ? "yes" : undefined),
    isUnsafe: () => (isSafe ? undefined : "yes"),
    why: () => describeTruncation(failure),
    brokenRule: () => ("code" in failure ? describeBrokenRule(failure.code) : undefined),
    areHeadersLong: () =>
      "code" in failure && failure.code === "HPE_HEADER_OVERFLOW" ? "yes" : undefined,
    header: () => ("header" in failure && failure.header ? quoteText(failure.header) : undefined),
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
    case "connection":
      return describeBrokenRule(failure.code) ?? "the connection was closed before its end";
    default:
      return "the connection was closed before its end";
  }
}

/** A part of a host's name or of a path that names a page where people log in. */
const loginAddress = /(?:\/|\.)(?:log-?in|sign-?in|sso|saml2?|adfs|authorize)(?=[./?;]|$)/i;

/** @param subject - Of a connection test. */
export function listRedirectFacts(
  redirect: RefusedRedirect & Pick<SendFacts, "status" | "method">,
  subject?: Subject,
): Facts {
  const { reason, status, why, method, path } = redirect;
  const target = clipText(redirect.target ?? "", 300);
  const to = URL.canParse(target) ? new URL(target) : undefined;
  const hostName = /^https?:$/.test(to?.protocol ?? "") ? (to?.hostname ?? "") : "";
  const isAddress = isIP(hostName.replace(/^\[|\]$/g, "")) !== 0;
  return {
    ...(subject && listCredentialFacts(subject)),
    request: () =>
      subject === undefined
        ? "The server"
        : `${subject.request.method} ${dropQuery(subject.request.url)}`,
    status: () => String(status),
    target: () => target,
    place: () => places[reason] ?? "with a status that is not followed",
    why: () => why?.replace(/\.$/, ""),
    guessedBase: () => to && guessBase(to, subject?.testEndpoint ?? ""),
    isLogin: () => (loginAddress.test(target) ? "yes" : undefined),
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
