/** From what failed on the way to its cause: DNS, the port, TLS, time, the proxy, the body. */

import type { SendFailure } from "../transport/send-failure.js";
import type { ConnectionCause, TlsFlaw, Truncation } from "./cause.js";

/** By OpenSSL's code or reason. Anything else that fails in the handshake is told by its code alone. */
const flaws: readonly (readonly [RegExp, TlsFlaw])[] = [
  [/^CERT_HAS_EXPIRED$/, "expired"],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, "other_host"],
  [/SELF_SIGNED|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/, "unknown_issuer"],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST|RECORD_LAYER/, "not_tls"],
];
const anyTls =
  /^(?:CERT_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|ERROR_IN_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/;
const anyDns = /^(?:EAI_|ENODATA$|ESERVFAIL$|EREFUSED$|EBADNAME$|EBADRESP$)/;
const unsendable =
  /^ERR_(?:INVALID_CHAR|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS|INVALID_URL|INVALID_ARG_VALUE)$/;

/** Takes what the transport says of a request that was not answered, or not whole. What it does not know is `unreachable`. */
export function readConnectionCause(failure: SendFailure): ConnectionCause {
  const { phase, status } = failure;
  const code = "code" in failure ? failure.code : undefined;
  if (status !== undefined) return { kind: "truncated", code, status, ...readTruncation(failure) };
  switch (failure.kind) {
    case "timeout":
      return { kind: "timed_out", phase, limit: writeLimit(failure) };
    case "no_answer": {
      const given = failure.what === "impossible_status" ? failure.given : undefined;
      const what = given === undefined ? "only interim answers (status 1xx)" : `${given} as a status`;
      return { kind: "not_http", what: `it sent ${what}` };
    }
    case "proxy_refused":
      return { kind: "proxy_refused", given: failure.given };
    case "proxy_unreachable":
      return { kind: "proxy_unreachable", code };
    case "connection":
      return readCode(code, failure);
    default:
      return { kind: "unreachable", spoke: true };
  }
}

/** Why a body is not whole, as a part of a sentence. */
export function readTruncation(failure: SendFailure): { readonly by: Truncation; readonly why: string } {
  switch (failure.kind) {
    case "too_large":
      return {
        by: "size",
        why: `the body is larger than ${failure.maxBytes.toLocaleString("en-US")} bytes`,
      };
    case "timeout":
      return { by: "time", why: `its body did not end within ${writeLimit(failure)}` };
    case "encoding":
      return { by: "broken_encoding", why: "the compressed data is broken or ends too early" };
    case "unsupported_encoding": {
      const why = `the body's Content-Encoding (${failure.encoding}) can't be decoded`;
      return { by: "unknown_encoding", why };
    }
    default:
      return { by: "closing", why: "the connection was closed before its end" };
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
  if (name === "ETIMEDOUT") {
    const limit = writeLimit(failure);
    return { kind: "timed_out", code, phase: phase === "dns" ? "connect" : phase, limit };
  }
  if (anyDns.test(name)) return { kind: "dns_failed", code };
  if (unsendable.test(name)) return { kind: "unsendable", code };
  if (name.startsWith("HPE_")) {
    const what = name === "HPE_HEADER_OVERFLOW" ? "its headers are too large" : "it is not valid HTTP";
    return { kind: "not_http", code, what };
  }
  // A connection that breaks in the handshake is a TLS matter, whatever the socket calls it.
  const flaw = readTlsFlaw(name);
  if (phase === "tls" || flaw !== "other" || anyTls.test(name)) return { kind: "tls", code, flaw };
  return { kind: "unreachable", code, spoke: phase === "first_byte" || phase === "body" };
}

/** Takes OpenSSL's code, or what a second handshake told in place of it. */
export function readTlsFlaw(code: string): TlsFlaw {
  return flaws.find(([pattern]) => pattern.test(code))?.[1] ?? "other";
}
