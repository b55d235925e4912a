/** What to say about a request that brought no answer, or none that is whole: the words for each way it can fail. */

import { ApiSourceError, type ErrorCategory } from "../errors.js";
import { explainRedirect } from "./explain-redirect.js";
import type { RedirectFailure, SendFailure, TransportPhase } from "./send-failure.js";

interface Explanation {
  readonly category: ErrorCategory;
  /** Follows the host, as in "api.example.com: the connection was refused". */
  readonly what: string;
  readonly hint: string;
  /** Whether waiting can help, for a request that may be sent again. */
  readonly retryable: boolean;
}

const checkBaseUrl = "Check the host and the port in the source's base URL, and that the API is running.";
const checkHttps =
  "Check that the API speaks HTTPS on this port; if it speaks plain HTTP, the base URL must start with http://.";
const checkService =
  "Check that the base URL and the path belong to an HTTP API and not to a WebSocket or another service.";
const signInToProxy =
  "The proxy wants a username and a password: put them into network.proxy (http://user:password@host:port).";
const allowByProxy = "Check network.proxy, and whether the proxy allows connections to this host and port.";
const startProxy = "Check the host and the port in network.proxy, and that the proxy is running.";
const askForLess = "Ask for less (a narrower query, a smaller page)";

/** Codes whose meaning is more than their family's. */
const byCode: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ["ENOTFOUND", dns("the host name does not exist", false)],
  ["EAI_AGAIN", dns("the host name could not be looked up for now", true)],
  ["ECONNREFUSED", network("the connection was refused", checkBaseUrl)],
  ["ENETUNREACH", network("the network can't be reached", checkBaseUrl)],
  ["EHOSTUNREACH", network("the host can't be reached", checkBaseUrl)],
  ["ECONNRESET", network("the connection was closed before an answer came", "Try again in a moment.")],
  ["EPIPE", network("the connection was closed while the request was sent", "Try again in a moment.")],
  ["ETIMEDOUT", { ...network("the connection timed out", checkBaseUrl), category: "timeout" }],
  [
    "CERT_HAS_EXPIRED",
    tls("its TLS certificate has expired", "Its owner has to renew it; check this machine's clock too."),
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    tls("its TLS certificate is for another host name", "Check the host in the source's base URL."),
  ],
  ["EPROTO", tls("the TLS handshake failed", checkHttps)],
  ["HPE_HEADER_OVERFLOW", notHttp("its answer's headers are larger than 16 KB")],
]);

/** Families of codes, tried in order. */
const byPattern: readonly (readonly [RegExp, Explanation])[] = [
  [/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/, untrusted("is self-signed")],
  [/^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/, untrusted("is from an unknown authority")],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/, tls("it does not speak TLS", checkHttps)],
  [
    /^(EAI_|ENODATA$|ESERVFAIL$|EREFUSED$|EBADNAME$|EBADRESP$)/,
    dns("the host name could not be looked up", true),
  ],
  [
    /^ERR_(INVALID_CHAR|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS|INVALID_URL|INVALID_ARG_VALUE)$/,
    explain(
      "invalid_input",
      "the request holds a character that can't be sent",
      "Remove line breaks, control characters and non-ASCII characters from the headers.",
      false,
    ),
  ],
  [
    /^(ERR_SSL_.*CERTIFICATE|ERR_SSL_TLSV1_ALERT|ERR_SSL_SSLV3_ALERT)/,
    tls(
      "it refused the TLS connection",
      "The API may require a client certificate: set network.cert and network.key.",
    ),
  ],
  [/^(ERR_TLS_|ERR_SSL_|ERR_OSSL_)/, tls("the TLS handshake failed", checkHttps)],
  [
    /^(CERT_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|PATH_LENGTH|ERROR_IN_)/,
    untrusted("is not valid"),
  ],
  [/^HPE_/, notHttp("it answered with something that is not valid HTTP")],
];

const anyFailure = network("the request failed before an answer came", checkBaseUrl);

const timeouts: Readonly<Record<TransportPhase, readonly [what: string, hint: string]>> = {
  dns: ["the host name could not be looked up", "Check this machine's DNS and the base URL's host."],
  connect: ["no connection could be made", `A firewall may drop the packets. ${checkBaseUrl}`],
  tls: ["the TLS handshake did not end", checkHttps],
  first_byte: ["it accepted the request but did not answer", "Ask for less, or raise limits.timeoutMs."],
  body: ["its answer did not end", "Ask for less, or raise limits.timeoutMs."],
};

const noAnswers = {
  interim_only: "sent only interim answers (status 1xx) instead of answering.",
  switched_protocol: "switched to another protocol (status 101) instead of answering.",
  impossible_status: "answered with status %, which is not the status of an HTTP answer.",
} as const;

/** Returns the words for a failed call. `details` has how far it came; nothing of the request but its host is told. */
export function explainFailure(failure: SendFailure): ApiSourceError {
  const { phase, attempts, repeatable } = failure;
  const details = { phase, attempts };
  if (isRedirect(failure)) return explainRedirect(failure);
  if (failure.status !== undefined) return explainTruncation(failure, failure.status);
  const { message, code, ...words } = explainNoAnswer(failure);
  const mayHaveHappened = !repeatable && attempts > 0 && (phase === "first_byte" || phase === "body");
  const warning = `The ${failure.method} may have been carried out all the same: check with a GET before sending it again. `;
  return new ApiSourceError({
    message,
    category: words.category,
    retryable: words.retryable && !mayHaveHappened,
    code,
    details,
    hint: `${mayHaveHappened && words.isDoubtful ? warning : ""}${words.hint}`,
  });
}

/** Says why a body is not whole, as a part of a sentence; undefined for a failure without a status. */
export function describeTruncation(failure: SendFailure): string | undefined {
  return failure.status === undefined || isRedirect(failure) ? undefined : wordTruncation(failure).what;
}

function isRedirect(failure: SendFailure): failure is RedirectFailure {
  return failure.kind === "redirect";
}

function wordTruncation(failure: SendFailure): Explanation {
  switch (failure.kind) {
    case "too_large": {
      const what = `the body is larger than ${failure.maxBytes.toLocaleString("en-US")} bytes`;
      return explain("too_large", what, `${askForLess}, or raise limits.maxBytes.`, false);
    }
    case "timeout": {
      const what = `the body did not end within ${writeLimit(failure.limitMs)}`;
      return explain("timeout", what, `${askForLess}, or raise limits.timeoutMs.`, true);
    }
    case "encoding":
      return {
        ...notHttp("the compressed data is broken or ends too early"),
        hint: "Try again; when it stays so, the API or a proxy before it compresses wrongly.",
        retryable: true,
      };
    case "unsupported_encoding":
      return {
        ...notHttp(`the body's Content-Encoding (${failure.encoding}) can't be decoded`),
        hint: "The API compressed it in a way that was not asked for (only gzip, deflate and br are).",
      };
    default:
      return network("the connection was closed before its end", "Try again in a moment.");
  }
}

function explainTruncation(failure: SendFailure, status: number): ApiSourceError {
  const { method, repeatable, phase, attempts } = failure;
  const { category, what, hint, retryable } = wordTruncation(failure);
  const done = `The ${method} was received and answered with ${status}: check before sending it again. `;
  return new ApiSourceError({
    message: `The answer did not arrive whole: ${what}.`,
    category,
    retryable: retryable && repeatable,
    code: "code" in failure ? failure.code : undefined,
    details: { phase, attempts },
    hint: `${repeatable ? "" : done}${hint}`,
  });
}

type NoAnswer = Omit<Explanation, "what"> & {
  readonly message: string;
  readonly code?: string | undefined;
  /** Whether it leaves open if the request was carried out. */
  readonly isDoubtful: boolean;
};

function explainNoAnswer(failure: SendFailure): NoAnswer {
  const { host, phase, attempts } = failure;
  switch (failure.kind) {
    case "cancelled": {
      const words = explain("cancelled", "", "The caller stopped it.", false);
      return { ...words, message: "The call was cancelled.", isDoubtful: true };
    }
    case "timeout": {
      const [what, hint] = timeouts[phase];
      const message = `${host}: ${what} within ${writeLimit(failure.limitMs)}.`;
      return { message, category: "timeout", hint, retryable: true, isDoubtful: true };
    }
    case "no_answer": {
      const message = `The server ${noAnswers[failure.what]}`.replace(
        "%",
        "given" in failure ? `${failure.given}` : "",
      );
      return { ...notHttp(""), message, hint: checkService, isDoubtful: false };
    }
    case "proxy_refused": {
      const message = `The proxy refused the connection to the API with status ${failure.given ?? "unknown"}.`;
      const hint = failure.given === 407 ? signInToProxy : allowByProxy;
      return { ...tls("", hint), message, category: "network", code: "ERR_PROXY_REFUSED", isDoubtful: false };
    }
    case "proxy_unreachable": {
      const message = "The proxy could not be reached, so the request was not sent.";
      return {
        ...network("", startProxy),
        message,
        code: failure.code ?? "ERR_PROXY_UNREACHABLE",
        isDoubtful: false,
      };
    }
    default: {
      const code = "code" in failure ? failure.code : undefined;
      const { what, ...explanation } = explainCode(code, phase);
      const tries = attempts > 1 ? ` (${attempts} attempts)` : "";
      const message = `${host}: ${what}${code === undefined ? "" : `, ${code}`}${tries}.`;
      return { ...explanation, message, code, isDoubtful: true };
    }
  }
}

function explainCode(code: string | undefined, phase: TransportPhase): Explanation {
  const known = byCode.get(code ?? "") ?? byPattern.find(([pattern]) => pattern.test(code ?? ""))?.[1];
  // A connection that breaks in the handshake is a TLS matter, whatever the socket calls it.
  if (phase === "tls" && known?.category !== "tls") return tls("the TLS handshake failed", checkHttps);
  return known ?? anyFailure;
}

function writeLimit(limitMs: number | undefined): string {
  return limitMs === undefined ? "the time its caller allows" : `${limitMs / 1_000} s`;
}

function explain(category: ErrorCategory, what: string, hint: string, retryable: boolean): Explanation {
  return { category, what, hint, retryable };
}

function dns(what: string, retryable: boolean): Explanation {
  return explain("dns", what, "Check the host in the source's base URL, and this machine's DNS.", retryable);
}

function network(what: string, hint: string): Explanation {
  return explain("network", what, hint, true);
}

function tls(what: string, hint: string): Explanation {
  return explain("tls", what, hint, false);
}

function untrusted(what: string): Explanation {
  const hint = "If it belongs to a private authority, give that authority's certificate in network.ca.";
  return tls(`its TLS certificate ${what}`, hint);
}

function notHttp(what: string): Explanation {
  return explain("unexpected_content", what, checkBaseUrl, false);
}
