/** A TLS handshake that failed: what is wrong with the certificate, the port or the scheme. */

import { clipText } from "../base/text.js";
import { type Cause, explain, hostOf, showCode, toBase, toHostName } from "./cause.js";

/** A certificate as the other side showed it. */
export interface PeerCertificate {
  /** The names it is for, such as `*.example.com`; the common name when it lists none. */
  readonly names: readonly string[];
  /** As the certificate writes it, such as `May  1 12:00:00 2024 GMT`. */
  readonly validTo: string;
  /** The organisation or common name that signed it. */
  readonly issuer: string;
}

/** What a second handshake found: a certificate, or OpenSSL's reason in the form of a code. */
export interface TlsDetails {
  readonly peer?: PeerCertificate;
  readonly reason?: string | undefined;
}

/** By OpenSSL's code or reason. For any other failure of the handshake the error has its code only. */
const problems = {
  expired: /^CERT_HAS_EXPIRED$/,
  otherHost: /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
  unknownIssuer: /SELF_SIGNED|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
  notTls: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST|RECORD_LAYER/,
};
const anyTls =
  /^(?:CERT_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|ERROR_IN_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/;

export function isTlsCode(code: string): boolean {
  return anyTls.test(code) || hasProblem(code);
}

function hasProblem(code: string): boolean {
  return Object.values(problems).some((problem) => problem.test(code));
}

export function explainTls(own: string, baseUrl: string, { peer, reason }: TlsDetails): Cause {
  const host = hostOf(baseUrl);
  const its = `The TLS certificate of ${host}`;
  // Node calls most failures `EPROTO`, and the second handshake finds which it was.
  const code = hasProblem(own) ? own : (reason ?? own);
  if (problems.expired.test(code)) {
    return explain(
      "tls",
      `${its} has expired${peer === undefined ? "" : ` on ${peer.validTo}`}.`,
      "The operator of the API has to renew it; nothing in the record helps. If it is still valid for others, check this machine's clock.",
    );
  }
  if (problems.otherHost.test(code)) {
    const names = peer === undefined ? "" : `; it is for ${clipText(peer.names.join(", "), 300)}`;
    return explain(
      "tls",
      `${its} is not for ${toHostName(host)}${names}.`,
      `Set \`api.baseUrl\` to the host the certificate names, if that is the API; otherwise ${toHostName(host)} leads to another server (check its DNS entry).`,
    );
  }
  if (problems.unknownIssuer.test(code)) {
    const issuer = peer?.issuer ? ` (signed by "${clipText(peer.issuer, 100)}")` : "";
    return explain(
      "tls",
      `${its} is not trusted here${issuer}: it is self-signed, or its authority is unknown.`,
      "If the API is your own or your company's, put the certificate of its authority (PEM) into `api.network.ca`. Otherwise the server, or a proxy on the way, is not what it should be.",
    );
  }
  if (problems.notTls.test(code)) {
    return explain(
      "tls",
      `${host} answered, but not with TLS: \`api.baseUrl\` has https, and this port speaks plain HTTP (or something else)${showCode(code)}.`,
      `Check the port. If the API really speaks plain HTTP there, set "baseUrl": "${toBase(baseUrl, "http")}" under \`api\`.`,
    );
  }
  return explain(
    "tls",
    `The TLS handshake with ${host} failed${showCode(code)}.`,
    "Look up the code: the port in `api.baseUrl` may not speak HTTPS (then write `http://`), this machine's clock may be wrong, the API may ask for a client certificate (put it and its key, PEM, into `api.network.cert` and `api.network.key`), or the operator of the API has to fix its certificate or its TLS version.",
  );
}
