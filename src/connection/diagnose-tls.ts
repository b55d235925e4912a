/** Why no secure connection came about: the certificate, the scheme of the base URL, or the client's own certificate. */

import type { ApiSourceError } from "../errors.js";
import { clipText } from "../text.js";
import type { Finding, Subject } from "./finding.js";
import type { PeerCertificate, peekTls } from "./peek-tls.js";

export interface TlsTools {
  readonly peekTls: typeof peekTls;
}

/** Bytes came that are no TLS. */
const notTls =
  /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST|RECORD_LAYER_FAILURE/;

const untrustedCodes: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

export async function diagnoseTls(
  subject: Subject,
  error: ApiSourceError,
  tools: TlsTools,
): Promise<Finding> {
  const url = new URL(subject.baseUrl);
  const code = error.code ?? "";
  if (notTls.test(code)) return tellPlainPort(url);
  const usesProxy = subject.source.api.network.proxy !== undefined;
  const peek = usesProxy ? { failure: "" } : await tools.peekTls(url);
  const peer = "certificate" in peek ? peek.certificate : undefined;
  const reason = "failure" in peek ? `${code} ${peek.failure}` : code;
  if (notTls.test(reason)) return tellPlainPort(url);
  return toFinding(explainCertificate(code, url, peer) ?? explainHandshake(reason.trim(), url));
}

interface Words {
  readonly message: string;
  readonly fix: string;
}

function toFinding(words: Words): Finding {
  return { verdict: "tls", ...words };
}

function explainCertificate(code: string, url: URL, peer: PeerCertificate | undefined): Words | undefined {
  const { host, hostname } = url;
  if (code === "CERT_HAS_EXPIRED") {
    return {
      message: `The TLS certificate of ${host} has expired${peer === undefined ? "" : ` on ${peer.validTo}`}.`,
      fix: "Whoever runs the API has to renew it; nothing in the record helps. If it is not expired for others, check this machine's clock.",
    };
  }
  if (code === "CERT_NOT_YET_VALID") {
    return {
      message: `The TLS certificate of ${host} is not valid before ${peer?.validFrom ?? "a later day"}.`,
      fix: "Check this machine's clock; if it is right, whoever runs the API has to install another certificate.",
    };
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID" || code === "HOSTNAME_MISMATCH") {
    const names = peer === undefined ? "" : `; it is for ${clipText(peer.names.join(", "), 300)}`;
    return {
      message: `The TLS certificate of ${host} is not for ${hostname}${names}.`,
      fix: `Set \`api.baseUrl\` to the host the certificate names, if that is the API; otherwise ${hostname} leads to another server (check its DNS entry).`,
    };
  }
  if (!untrustedCodes.has(code)) return undefined;
  const isSelfSigned = code.includes("SELF_SIGNED");
  const issuer = peer?.issuer ? ` (signed by "${clipText(peer.issuer, 100)}")` : "";
  return {
    message: isSelfSigned
      ? `The TLS certificate of ${host} is self-signed${issuer}, so nobody vouches for it.`
      : `The TLS certificate of ${host} comes from an authority that is not trusted here${issuer}, or the server does not send the certificates in between.`,
    fix: "If the API is your own or your company's, put the certificate of its authority (PEM) into `api.network.ca`. Otherwise the server, or a proxy on the way, is not what it should be.",
  };
}

function explainHandshake(code: string, { host, hostname }: URL): Words {
  if (
    /CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA|ALERT_CERTIFICATE/.test(
      code,
    )
  ) {
    return {
      message: `${host} refused the TLS connection (${code}); it probably asks for a client certificate.`,
      fix: "Put the client certificate and its key (PEM) into `api.network.cert` and `api.network.key`.",
    };
  }
  if (/UNRECOGNIZED_NAME/.test(code)) {
    return {
      message: `The server at ${host} knows no host of the name ${hostname} (TLS: unrecognized name).`,
      fix: "Check the host in `api.baseUrl`, letter by letter.",
    };
  }
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS/.test(code)) {
    return {
      message: `${host} speaks only TLS versions that are not safe any more (${code}).`,
      fix: "Whoever runs the API has to allow TLS 1.2 or later; nothing in the record helps.",
    };
  }
  return {
    message: `The TLS handshake with ${host} failed${code === "" ? "" : ` (${code})`}.`,
    fix: "Check the port in `api.baseUrl`, and that the API speaks HTTPS there; if it speaks plain HTTP, write `http://`.",
  };
}

/** An https base URL at a port that answers, but not with TLS. */
export function tellPlainPort(url: URL): Finding {
  const plain = new URL(url);
  plain.protocol = "http:";
  return {
    verdict: "tls",
    message: `${url.host} answered, but not with TLS: \`api.baseUrl\` says https, and this port speaks plain HTTP (or something else).`,
    fix: `Check the port. If the API really speaks plain HTTP there, set "baseUrl": "${writeBase(plain)}" under \`api\`.`,
  };
}

/** An http base URL at a port that speaks TLS. */
export function tellTlsPort(url: URL): Finding {
  const secure = new URL(url);
  secure.protocol = "https:";
  return {
    verdict: "tls",
    message: `${url.host} speaks HTTPS, and \`api.baseUrl\` says http: the plain HTTP request was refused.`,
    fix: `Set "baseUrl": "${writeBase(secure)}" under \`api\`.`,
  };
}

function writeBase(url: URL): string {
  return url.pathname === "/" ? url.origin : url.href;
}
