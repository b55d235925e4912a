/** A handshake that sends nothing: whether a port speaks TLS, and which certificate it shows. */

import { isIP } from "node:net";
import tls from "node:tls";

export interface PeerCertificate {
  /** The names it is for, such as `*.example.com`; the common name when it lists none. */
  readonly names: readonly string[];
  /** As the certificate writes it, such as `May  1 12:00:00 2024 GMT`. */
  readonly validFrom: string;
  readonly validTo: string;
  /** The organisation or common name that signed it. */
  readonly issuer: string;
}

/** What the other side of a handshake turned out to be. */
export type TlsPeek =
  | { readonly certificate: PeerCertificate }
  /** OpenSSL's reason in the form of a code, such as `WRONG_VERSION_NUMBER`; `""` when there is none. */
  | { readonly failure: string };

const peekTimeoutMs = 1_500;

/**
 * Connects, reads the certificate and leaves. The certificate is not verified, which is why nothing is ever sent: it was
 * verified, and refused, when the real request was made; this only finds the words for it.
 *
 * Gives up after one and a half seconds. Never rejects.
 */
export function peekTls(url: URL): Promise<TlsPeek> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return new Promise((resolve) => {
    const socket = tls.connect({
      host,
      port,
      rejectUnauthorized: false,
      timeout: peekTimeoutMs,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    const leave = (found: TlsPeek): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(found);
    };
    const timer = setTimeout(() => leave({ failure: "" }), peekTimeoutMs);
    socket.once("secureConnect", () => leave({ certificate: readCertificate(socket) }));
    socket.on("error", (error) => leave({ failure: readReason(error) }));
    socket.once("close", () => leave({ failure: "" }));
  });
}

/** Node calls most failures of a handshake `EPROTO` and keeps what OpenSSL said as `reason`. */
function readReason(error: Error): string {
  const reason = "reason" in error ? error.reason : undefined;
  return typeof reason === "string" && reason.length < 100
    ? reason.toUpperCase().replace(/[^A-Z0-9]+/g, "_")
    : "";
}

function readCertificate(socket: tls.TLSSocket): PeerCertificate {
  const {
    subject,
    issuer,
    subjectaltname = "",
    valid_from = "",
    valid_to = "",
  } = socket.getPeerCertificate();
  const listed = [...subjectaltname.matchAll(/(?:DNS|IP Address):([^,\s"]{1,253})/g)];
  const names = listed.map(([, name = ""]) => name);
  return {
    names: names.length > 0 ? names : toNames(subject?.CN),
    validFrom: valid_from,
    validTo: valid_to,
    issuer: toNames(issuer?.O)[0] ?? toNames(issuer?.CN)[0] ?? "",
  };
}

/** A distinguished name may hold the same attribute several times. */
function toNames(attribute: string | readonly string[] | undefined): string[] {
  return [attribute ?? ""].flat().filter((name) => name !== "");
}
