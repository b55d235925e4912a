/** Finds the cause of a request without a complete response: how far it came, and what to check. */

import type { SendFailure, TransportPhase } from "../http/send-failure.js";
import { type Cause, explain, hostOf, proxySignIn, showCode, toHostName } from "./cause.js";
import { explainTls, isTlsCode, type TlsDetails } from "./explain-tls.js";

/**
 * What it does not know is `unreachable`.
 *
 * @param baseUrl without the credential; a host that is a secret is redacted.
 */
export function explainConnection(failure: SendFailure, baseUrl: string, details: TlsDetails = {}): Cause {
  const host = hostOf(baseUrl);
  if (failure.status !== undefined) {
    const { kind, why, fix } = readTruncation(failure);
    const whole = `the answer with status ${failure.status} is incomplete`;
    return explain(kind, `${host} began to answer, but ${why}: ${whole}.`, fix);
  }
  switch (failure.kind) {
    case "timeout":
      return explainTimeout(failure.phase, writeLimit(failure), host);
    case "no_answer": {
      const isNumber = failure.what === "impossible_status";
      const what = isNumber ? `${failure.given} as a status` : "only interim answers (status 1xx)";
      return explainNotHttp("no_answer", `it sent ${what}`, host);
    }
    case "proxy_refused":
      return explain(
        "proxy_refused",
        `The proxy in \`api.network.proxy\` refused the connection to the API with status ${failure.given ?? "unknown"}.`,
        failure.given === 407
          ? proxySignIn
          : "Check `api.network.proxy`, and whether the proxy allows connections to this host and port.",
      );
    case "proxy_unreachable":
      return explain(
        failure.code === "ECONNREFUSED" ? "proxy_off" : "proxy_unreachable",
        `The proxy in \`api.network.proxy\` could not be reached${showCode(failure.code)}, so the API was not called.`,
        "Check the host and the port in `api.network.proxy`, and that the proxy is running.",
      );
    default:
      return explainCode("code" in failure ? failure.code : "", failure.phase, baseUrl, details);
  }
}

/** The time that ran out, in words. */
function writeLimit(failure: SendFailure): string {
  const limitMs = failure.kind === "timeout" ? failure.limitMs : undefined;
  return limitMs === undefined ? "the time its caller allows" : `${limitMs / 1_000} s`;
}

const phases: Readonly<Record<TransportPhase, string>> = {
  sign: "the application's `sign` did not sign the request",
  dns: "the host name was not looked up",
  connect: "no connection was made",
  tls: "the connection was accepted, but the TLS handshake did not end",
  first_byte: "the request was accepted, but the API did not begin to answer",
  body: "the API began to answer, but its body did not end",
};

function explainTimeout(phase: TransportPhase, limit: string, host: string): Cause {
  const unsigned = "Correct `sign` of the credential: it must return sooner than `api.limits.timeoutMs`.";
  const isAnswering = phase === "first_byte" || phase === "body";
  return explain(
    "timed_out",
    `${host}: ${phases[phase]} within ${limit}.`,
    phase === "sign"
      ? unsigned
      : isAnswering
        ? "Request a short answer that ends (one record; no search, no stream, no export), or raise `api.limits.timeoutMs`. If it never answers, check the port in `api.baseUrl`."
        : "Check the host and the port in `api.baseUrl`, and the network and the DNS of this machine. The server may be down, or a firewall drops the packets (a VPN, or an allowed-address list of the API, may be needed).",
  );
}

/** What listens there speaks something else, or never gives an answer. */
function explainNotHttp(kind: "no_answer" | "not_http", what: string, host: string): Cause {
  return explain(
    kind,
    `${host} did not send a usable HTTP answer: ${what}.`,
    "Check the host and the port in `api.baseUrl`: another service (SSH, a database, a WebSocket) seems to listen there.",
  );
}

const anyDns = /^(?:EAI_|ENODATA$|ESERVFAIL$|EREFUSED$|EBADNAME$|EBADRESP$)/;
const unsendable =
  /^ERR_(?:INVALID_CHAR|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS|INVALID_URL|INVALID_ARG_VALUE)$/;

/** Takes Node's, OpenSSL's or llhttp's code. */
function explainCode(code: string = "", phase: TransportPhase, baseUrl: string, details: TlsDetails): Cause {
  const host = hostOf(baseUrl);
  const shown = showCode(code);
  if (code === "ENOTFOUND" || anyDns.test(code)) {
    const isUnknown = code === "ENOTFOUND";
    const why = isUnknown
      ? "does not exist (DNS has no address for it)"
      : `could not be looked up${shown}: the DNS of this machine did not answer, or answered with an error`;
    return explain(
      isUnknown ? "host_unknown" : "dns_failed",
      `The host name ${toHostName(host)} ${why}.`,
      "Check the host in `api.baseUrl`, letter by letter, against the API's documentation, and this machine's network and DNS; many APIs are at api.<domain>. A name of a company's or container's own network is known only inside it.",
    );
  }
  if (code === "ECONNREFUSED") return explainRefusal(host, baseUrl, shown);
  if (code === "ETIMEDOUT")
    return explainTimeout(phase === "dns" ? "connect" : phase, "the time its caller allows", host);
  if (unsendable.test(code)) {
    return explain(
      "unsendable",
      `The request holds a character that can't be sent${shown}.`,
      "Remove line breaks, control characters and non-ASCII characters from the headers.",
    );
  }
  if (code.startsWith("HPE_")) {
    const what = code === "HPE_HEADER_OVERFLOW" ? "its headers are too large" : "it is not valid HTTP";
    return explainNotHttp("not_http", `${what}${shown}`, host);
  }
  // A connection that breaks in the handshake is a TLS matter, whatever the socket calls it.
  if (phase === "tls" || isTlsCode(code)) return explainTls(code, baseUrl, details);
  return phase === "first_byte" || phase === "body"
    ? explain(
        "broken_off",
        `${host} accepted the connection, but closed it before it answered${shown}.`,
        "Try again in a moment. If it fails again, check the port in `api.baseUrl`; a firewall or a proxy in front of the API may drop the request, or the API crashes on it.",
      )
    : explain(
        "unreachable",
        `${host} can't be reached from this machine${shown}.`,
        "Check that this machine has a network, and the host and the port in `api.baseUrl`; an address inside a company or a cloud needs its VPN.",
      );
}

function explainRefusal(host: string, baseUrl: string, code: string): Cause {
  const scheme = baseUrl.split(":", 1)[0];
  const port = /:(\d+)$/.exec(host)?.[1] ?? `${scheme === "https" ? 443 : 80}, the default of ${scheme}`;
  return explain(
    "refused",
    `${toHostName(host)} refused the connection: nothing listens on port ${port}${code}.`,
    "Check the port in `api.baseUrl` (write it as host:port when it is not the default), and that the API is running. Inside a container, localhost is the container itself.",
  );
}

/** Why a body is not whole, as a part of a sentence, and what to change. */
export function readTruncation(failure: SendFailure): Pick<Cause, "kind" | "fix"> & { readonly why: string } {
  switch (failure.kind) {
    case "too_large":
      return {
        kind: "body_too_large",
        why: `the body is larger than ${failure.maxBytes.toLocaleString("en-US")} bytes`,
        fix: "Request less (a narrower query, a smaller page), or raise `api.limits.maxBytes` (`maxFileBytes` where it is not JSON).",
      };
    case "timeout":
      return {
        kind: "body_late",
        why: `its body did not end within ${writeLimit(failure)}`,
        fix: "Request a short answer that ends (a smaller page; no stream, no export), or raise `api.limits.timeoutMs`.",
      };
    case "unfinished":
      return {
        kind: "body_late",
        why: failure.isStream
          ? `an event stream may never end; it was read for ${failure.afterMs / 1_000} s`
          : `no byte of its body arrived for ${failure.afterMs / 1_000} s`,
        fix: "Give `wait` (seconds) to read for longer.",
      };
    case "encoding":
      return {
        kind: "body_garbled",
        why: "the compressed data is broken or ends too early",
        fix: "Try again; if it fails again, the API or a proxy before it compresses wrongly.",
      };
    case "unsupported_encoding":
      return {
        kind: "body_unknown",
        why: `the body's Content-Encoding (${failure.encoding}) can't be decoded`,
        fix: "The API used a compression that the request does not accept (it accepts gzip, deflate and br). Ask the operator of the API to change that.",
      };
    default:
      return {
        kind: "body_broken_off",
        why: "the connection was closed before its end",
        fix: "Try again in a moment. If it fails again, the API or a proxy before it closes too early; request a shorter answer.",
      };
  }
}
