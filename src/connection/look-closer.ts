/** One more look at a connection that failed, where that tells more: a TLS handshake that sends nothing. */

import { isIP } from "node:net";
import tls from "node:tls";
import type { ConnectionCause, PeerCertificate } from "../diagnosis/cause.js";
import { readTlsFlaw } from "../diagnosis/connection-cause.js";

/** The cause as a second handshake may name it better. Never rejects. */
export async function findBetterCause(cause: ConnectionCause, baseUrl: string): Promise<ConnectionCause> {
  const isPlain = /^http:/i.test(baseUrl);
  // A server that expects TLS drops plain HTTP without a word, or with bytes that are no HTTP.
  const mayBeTls = isPlain && (cause.kind === "not_http" || (cause.kind === "unreachable" && cause.spoke));
  if (!mayBeTls && cause.kind !== "tls") return cause;
  const { peer, reason } = await peekTls(new URL(baseUrl));
  if (cause.kind !== "tls") return peer === undefined ? cause : { kind: "tls", flaw: "wanted" };
  if (peer !== undefined) return { ...cause, peer };
  return reason === undefined || cause.flaw !== "other"
    ? cause
    : { kind: "tls", code: reason, flaw: readTlsFlaw(reason) };
}

const lookTimeoutMs = 1_500;

/** A certificate, or OpenSSL's reason in the form of a code. */
interface TlsPeek {
  readonly peer?: PeerCertificate;
  readonly reason?: string | undefined;
}

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
    const timer = setTimeout(() => leave({}), lookTimeoutMs);
    socket.once("secureConnect", () => leave({ peer: readPeer(socket) }));
    socket.on("error", (error) => leave({ reason: readReason(error) }));
    socket.once("close", () => leave({}));
  });
}

/** Node calls most failures of a handshake `EPROTO` and keeps what OpenSSL said as `reason`. */
function readReason(error: Error): string | undefined {
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : "";
  return reason === "" || reason.length > 100 ? undefined : reason.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}

function readPeer(socket: tls.TLSSocket): PeerCertificate {
  const peer = socket.getPeerCertificate();
  const { subjectaltname = "", valid_to: validTo = "" } = peer;
  const listed = [...subjectaltname.matchAll(/(?:DNS|IP Address):([^,\s"]{1,253})/g)].map(
    ([, name = ""]) => name,
  );
  const names = listed.length > 0 ? listed : [peer.subject?.CN ?? ""].flat();
  return { names, validTo, issuer: [peer.issuer?.O ?? peer.issuer?.CN ?? ""].flat()[0] ?? "" };
}
