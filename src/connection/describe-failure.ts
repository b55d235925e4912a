/** A request that brought no answer, or only a part of one: from the error to its cause, with one more look at the network where that tells more. */

import { isIP } from "node:net";
import tls from "node:tls";
import type { ConnectionCause, PeerCertificate } from "../diagnosis/cause.js";
import { readConnectionCause, readHandshake, readPreparationCause } from "../diagnosis/connection-cause.js";
import { ConnectionError, describeTruncation, isRedirect, writeLimit } from "../diagnosis/explain-failure.js";
import { describeRedirect } from "../diagnosis/redirect.js";
import { describeConnection } from "../diagnosis/verdict-connection.js";
import { describePreparation } from "../diagnosis/verdict-preparation.js";
import type { SubjectFacts, Verdict } from "../diagnosis/verdict-words.js";
import type { ApiSourceError } from "../errors.js";

/** Takes what sending threw, or the failure of an answer of which a part came. Never rejects. */
export async function describeFailure(error: ApiSourceError, subject: SubjectFacts): Promise<Verdict> {
  if (!(error instanceof ConnectionError)) {
    const { message, hint, category } = error;
    const isAddress = category === "refused_by_policy";
    return describePreparation(
      isAddress ? { kind: "address_refused", message, hint } : readPreparationCause(error),
      subject,
    );
  }
  const { failure } = error;
  if (isRedirect(failure)) {
    const { status, reason, target } = failure;
    return describeRedirect({ kind: "redirected", status, reason, target }, subject);
  }
  const { baseUrl, source } = subject;
  const facts = { baseUrl, limit: writeLimit(failure) };
  if (failure.status !== undefined) {
    const { status } = failure;
    if (failure.kind === "timeout") return describeConnection({ kind: "timed_out", phase: "body" }, facts);
    if (failure.kind === "connection") return describeConnection({ kind: "broke_off", status }, facts);
    return describeConnection({ kind: "undecodable", status, why: describeTruncation(failure) ?? "" }, facts);
  }
  const cause = readConnectionCause(failure);
  const usesProxy = source.api.network.proxy !== undefined;
  return describeConnection(usesProxy ? cause : await lookCloser(cause, new URL(baseUrl)), facts);
}

/** A handshake may name the cause better. With a proxy, what answers would be the proxy. */
async function lookCloser(cause: ConnectionCause, url: URL): Promise<ConnectionCause> {
  if (cause.kind === "certificate") {
    const peek = await peekTls(url);
    return "peer" in peek ? { ...cause, peer: peek.peer } : cause;
  }
  if (cause.kind === "handshake") {
    const peek = await peekTls(url);
    return "reason" in peek && peek.reason !== ""
      ? readHandshake(cause.code, `${cause.code ?? ""} ${peek.reason}`.trim())
      : cause;
  }
  // A server that expects TLS drops plain HTTP without a word, or with bytes that are no HTTP.
  const mayBeTls = cause.kind === "not_http" || (cause.kind === "unreachable" && cause.spoke);
  if (url.protocol === "http:" && mayBeTls && "peer" in (await peekTls(url)))
    return { kind: "other_protocol", speaks: "https" };
  return cause;
}

const lookTimeoutMs = 1_500;

/** A handshake that sends nothing: the certificate, or OpenSSL's reason in the form of a code (`""` when there is none). */
type TlsPeek = { readonly peer: PeerCertificate } | { readonly reason: string };

/**
 * Connects, reads the certificate and leaves. The certificate is not verified, which is why nothing is ever sent: it was
 * verified, and refused, when the real request was made; this only finds the words for it. Gives up after 1.5 seconds. Never rejects.
 */
function peekTls(url: URL): Promise<TlsPeek> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = tls.connect({ host, port, rejectUnauthorized: false, ...name });
    const leave = (found: TlsPeek): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(found);
    };
    const timer = setTimeout(() => leave({ reason: "" }), lookTimeoutMs);
    socket.once("secureConnect", () => leave({ peer: readPeer(socket) }));
    socket.on("error", (error) => leave({ reason: readReason(error) }));
    socket.once("close", () => leave({ reason: "" }));
  });
}

/** Node calls most failures of a handshake `EPROTO` and keeps what OpenSSL said as `reason`. */
function readReason(error: Error): string {
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : "";
  return reason.length < 100 ? reason.toUpperCase().replace(/[^A-Z0-9]+/g, "_") : "";
}

function readPeer(socket: tls.TLSSocket): PeerCertificate {
  const {
    subject,
    issuer,
    subjectaltname = "",
    valid_from = "",
    valid_to = "",
  } = socket.getPeerCertificate();
  const listed = [...subjectaltname.matchAll(/(?:DNS|IP Address):([^,\s"]{1,253})/g)].map(
    ([, name = ""]) => name,
  );
  return {
    names: listed.length > 0 ? listed : [subject?.CN ?? ""].flat(),
    validFrom: valid_from,
    validTo: valid_to,
    issuer: [issuer?.O ?? issuer?.CN ?? ""].flat()[0] ?? "",
  };
}
