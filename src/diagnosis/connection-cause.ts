/** From what failed on the way to its cause: the preparation, DNS, the port, TLS, time, the proxy, a redirect. */

import type { ApiSourceError } from "../errors.js";
import type { SendFailure } from "../transport/send-failure.js";
import type { ConnectionCause, PreparationCause } from "./cause.js";

const certificates: readonly (readonly [
  RegExp,
  Extract<ConnectionCause, { kind: "certificate" }>["flaw"],
])[] = [
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
const anyTls = /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/;
const anyDns = /^(?:EAI_|ENODATA$|ESERVFAIL$|EREFUSED$|EBADNAME$|EBADRESP$)/;
const unsendable =
  /^ERR_(?:INVALID_CHAR|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS|INVALID_URL|INVALID_ARG_VALUE)$/;

const noAnswers = {
  interim_only: "it sent only interim answers (status 1xx)",
  switched_protocol: "it switched to another protocol (status 101)",
  impossible_status: "it sent % as a status, which is none of HTTP",
} as const;

/** Takes what the transport says of a request that was not answered. What it does not know is `unreachable`. */
export function readConnectionCause(failure: SendFailure): ConnectionCause {
  const { phase } = failure;
  switch (failure.kind) {
    case "timeout":
      return { kind: "timed_out", phase };
    case "no_answer":
      return {
        kind: "not_http",
        what: noAnswers[failure.what].replace("%", "given" in failure ? `${failure.given}` : ""),
      };
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

function readCode(code: string | undefined, { phase }: SendFailure): ConnectionCause {
  const name = code ?? "";
  if (name === "ENOTFOUND") return { kind: "host_unknown", code };
  if (name === "ECONNREFUSED") return { kind: "refused", code };
  if (name === "ETIMEDOUT") return { kind: "timed_out", code, phase: phase === "dns" ? "connect" : phase };
  if (anyDns.test(name)) return { kind: "dns_failed", code };
  if (unsendable.test(name)) return { kind: "unsendable", code };
  if (name.startsWith("HPE_")) {
    const isLarge = name === "HPE_HEADER_OVERFLOW";
    return {
      kind: "not_http",
      code,
      what: isLarge ? "its headers are larger than 16 KB" : "it is not valid HTTP",
    };
  }
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
  if (
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA|SSL_.*CERTIFICATE/.test(
      reason,
    )
  ) {
    return { kind: "handshake", code: shown, flaw: "client_certificate" };
  }
  if (/UNRECOGNIZED_NAME/.test(reason)) return { kind: "handshake", code: shown, flaw: "unknown_name" };
  const isOld = /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS/.test(reason);
  return { kind: "handshake", code: shown, flaw: isOld ? "old_version" : "other" };
}

const preparations: Readonly<Record<string, Exclude<PreparationCause["kind"], "record_wrong">>> = {
  missing_credentials: "credential_missing",
  missing_secret: "secret_missing",
  credential_lookup_failed: "lookup_failed",
  malformed_credentials: "credential_malformed",
  malformed_secret: "secret_malformed",
  unresolved_placeholder: "value_missing",
  malformed_placeholder: "value_missing",
};

/** Takes what stopped a request before it was sent; its hint speaks to an agent, the person's words are found by its code. */
export function readPreparationCause({ code, category, message, hint }: ApiSourceError): PreparationCause {
  const said = { message, hint };
  const kind = preparations[code ?? ""];
  if (kind !== undefined) return { ...said, kind };
  if (category === "timeout") return { ...said, kind: "lookup_slow" };
  if (category === "rate_limited") return { ...said, kind: "quota_full" };
  return { ...said, kind: "record_wrong", field: category === "not_configured" ? "network" : "testEndpoint" };
}
