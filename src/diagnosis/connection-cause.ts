/** From what failed on the way to its cause: DNS, the port, TLS, time, the proxy, the body. */

import type { SendFailure } from "../transport/send-failure.js";
import type { CertificateFlaw, ConnectionCause, TruncatedBody } from "./cause.js";

const certificates: readonly (readonly [RegExp, CertificateFlaw])[] = [
  [/^CERT_HAS_EXPIRED$/, "expired"],
  [/^CERT_NOT_YET_VALID$/, "not_yet_valid"],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, "other_host"],
  [/SELF_SIGNED/, "self_signed"],
  [/^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/, "unknown_authority"],
  [/^(?:CERT_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|ERROR_IN_)/, "invalid"],
];
/** Bytes came that are no TLS. */
const notTls =
  /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST|RECORD_LAYER_FAILURE/;
const wantsCertificate =
  /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA|SSL_.*CERTIFICATE/;
const anyTls = /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/;
const anyDns = /^(?:EAI_|ENODATA$|ESERVFAIL$|EREFUSED$|EBADNAME$|EBADRESP$)/;
const unsendable =
  /^ERR_(?:INVALID_CHAR|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS|INVALID_URL|INVALID_ARG_VALUE)$/;

/** Takes what the transport says of a request that was not answered, or not whole. What it does not know is `unreachable`. */
export function readConnectionCause(failure: SendFailure): ConnectionCause {
  const { phase, status } = failure;
  if (status !== undefined) {
    const code = "code" in failure ? failure.code : undefined;
    return { kind: "truncated", code, status, part: readTruncation(failure) };
  }
  switch (failure.kind) {
    case "timeout":
      return { kind: "timed_out", phase, limit: writeLimit(failure) };
    case "no_answer":
      return { kind: "not_http", what: describeNoAnswer(failure) };
    case "proxy_refused":
      return { kind: "proxy_refused", given: failure.given };
    case "proxy_unreachable":
      return { kind: "proxy_unreachable", code: failure.code };
    case "connection":
      return readCode(failure.code, failure);
    default:
      return { kind: "unreachable", spoke: true };
  }
}

function describeNoAnswer(failure: Extract<SendFailure, { kind: "no_answer" }>): string {
  switch (failure.what) {
    case "interim_only":
      return "it sent only interim answers (status 1xx)";
    case "switched_protocol":
      return "it switched to another protocol (status 101)";
    case "impossible_status":
      return `it sent ${failure.given} as a status, which is none of HTTP`;
  }
}

/** Why a body is not whole. */
export function readTruncation(failure: SendFailure): TruncatedBody {
  switch (failure.kind) {
    case "too_large":
      return { by: "size", maxBytes: failure.maxBytes };
    case "timeout":
      return { by: "time", limit: writeLimit(failure) };
    case "encoding":
      return { by: "broken_encoding" };
    case "unsupported_encoding":
      return { by: "unknown_encoding", encoding: failure.encoding };
    default:
      return { by: "closing" };
  }
}

/** The time that ran out, in words. */
function writeLimit(failure: SendFailure): string {
  const limitMs = failure.kind === "timeout" ? failure.limitMs : undefined;
  return limitMs === undefined ? "the time its caller allows" : `${limitMs / 1_000} s`;
}

function readCode(code: string | undefined, failure: SendFailure): ConnectionCause {
  const { phase } = failure;
  const name = code ?? "";
  if (name === "ENOTFOUND") return { kind: "host_unknown", code };
  if (name === "ECONNREFUSED") return { kind: "refused", code };
  if (name === "ETIMEDOUT")
    return {
      kind: "timed_out",
      code,
      phase: phase === "dns" ? "connect" : phase,
      limit: writeLimit(failure),
    };
  if (anyDns.test(name)) return { kind: "dns_failed", code };
  if (unsendable.test(name)) return { kind: "unsendable", code };
  if (name === "HPE_HEADER_OVERFLOW")
    return { kind: "not_http", code, what: "its headers are larger than 16 KB" };
  if (name.startsWith("HPE_")) return { kind: "not_http", code, what: "it is not valid HTTP" };
  const flaw = certificates.find(([pattern]) => pattern.test(name))?.[1];
  if (flaw !== undefined) return { kind: "certificate", code, flaw };
  // A connection that breaks in the handshake is a TLS matter, whatever the socket calls it.
  if (phase === "tls" || anyTls.test(name)) return readHandshake(code, name);
  return { kind: "unreachable", code, spoke: phase === "first_byte" || phase === "body" };
}

/** Takes OpenSSL's reason: the code, with what a second handshake told where there was one. */
export function readHandshake(code: string | undefined, reason: string): ConnectionCause {
  if (notTls.test(reason)) return { kind: "other_protocol", code, speaks: "http" };
  const shown = reason === "" ? code : reason;
  if (wantsCertificate.test(reason)) return { kind: "handshake", code: shown, flaw: "client_certificate" };
  if (/UNRECOGNIZED_NAME/.test(reason)) return { kind: "handshake", code: shown, flaw: "unknown_name" };
  const isOld = /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS/.test(reason);
  return { kind: "handshake", code: shown, flaw: isOld ? "old_version" : "other" };
}
