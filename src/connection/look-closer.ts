/** Examines a failed connection further, where that helps: a TLS handshake that sends nothing. */

import { once } from "node:events";
import { isIP } from "node:net";
import tls from "node:tls";
import { type Cause, explainPlainHttp } from "../diagnosis/cause.js";
import { explainConnection } from "../diagnosis/explain-connection.js";
import type { PeerCertificate, TlsDetails } from "../diagnosis/explain-tls.js";
import type { SendFailure } from "../transport/send-failure.js";

/** Why no answer came, as a second handshake may name it better. Never rejects. */
export async function explainCloser(failure: SendFailure, baseUrl: string): Promise<Cause> {
  const cause = explainConnection(failure, baseUrl);
  if (cause.kind === "tls") return explainConnection(failure, baseUrl, await readTlsPeer(new URL(baseUrl)));
  // A server that expects TLS drops plain HTTP without a word, or with bytes that are not HTTP.
  const mayBeTls = /^http:/i.test(baseUrl) && ["not_http", "no_answer", "broken_off"].includes(cause.kind);
  const isTls = mayBeTls && (await readTlsPeer(new URL(baseUrl))).peer !== undefined;
  return isTls ? explainPlainHttp(baseUrl) : cause;
}

const lookTimeoutMs = 1_500;

/**
 * Connects, reads the certificate and leaves. The certificate is not verified, which is why nothing is ever sent: it was
 * verified, and refused, when the real request was made; this only finds the words for it. Gives up after 1.5 seconds. Never rejects.
 */
async function readTlsPeer(url: URL): Promise<TlsDetails> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = tls.connect({ host, port, rejectUnauthorized: false, ...name });
  // What still fails while it is being left is of no interest.
  socket.on("error", () => {});
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(lookTimeoutMs) });
    return { peer: readPeer(socket) };
  } catch (error) {
    return { reason: readReason(error) };
  } finally {
    socket.destroy();
  }
}

/** Node calls most failures of a handshake `EPROTO` and keeps OpenSSL's text as `reason`. */
function readReason(error: unknown): string | undefined {
  const { reason }: { readonly reason?: unknown } = Object(error);
  if (typeof reason !== "string" || reason === "" || reason.length > 100) return undefined;
  return reason.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
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
