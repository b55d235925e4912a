/** What to say about an attempt that brought no answer: the words for each way a connection can fail. */

import type { ApiSourceErrorFields, ErrorCategory } from "../errors.js";
import type { FailureFacts } from "./to-transport-error.js";
import type { TransportPhase } from "./transport.js";

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

/** Codes whose meaning is more than their family's. */
const byCode: ReadonlyMap<string, Explanation> = new Map<string, Explanation>([
  ["ENOTFOUND", dns("the host name does not exist", false)],
  ["EAI_AGAIN", dns("the host name could not be looked up for now", true)],
  ["ECONNREFUSED", network("the connection was refused", checkBaseUrl)],
  ["ENETUNREACH", network("the network can't be reached", checkBaseUrl)],
  ["EHOSTUNREACH", network("the host can't be reached", checkBaseUrl)],
  ["ECONNRESET", network("the connection was closed before an answer came", "Try again in a moment.")],
  ["EPIPE", network("the connection was closed while the request was sent", "Try again in a moment.")],
  [
    "ETIMEDOUT",
    { category: "timeout", what: "the connection timed out", hint: checkBaseUrl, retryable: true },
  ],
  [
    "CERT_HAS_EXPIRED",
    tls("its TLS certificate has expired", "Its owner has to renew it; check this machine's clock too."),
  ],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    tls("its TLS certificate is for another host name", "Check the host in the source's base URL."),
  ],
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"].map((code): [string, Explanation] => [
    code,
    untrusted("its TLS certificate is self-signed"),
  ]),
  ...[
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  ].map((code): [string, Explanation] => [
    code,
    untrusted("its TLS certificate is from an unknown authority"),
  ]),
  ["ERR_SSL_WRONG_VERSION_NUMBER", tls("it does not speak TLS", checkHttps)],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", tls("it does not speak TLS", checkHttps)],
  ["EPROTO", tls("the TLS handshake failed", checkHttps)],
  ["HPE_HEADER_OVERFLOW", notHttp("its answer's headers are larger than 16 KB")],
]);

/** Families of codes, tried in order. */
const byPattern: readonly (readonly [RegExp, Explanation])[] = [
  [
    /^(EAI_|ENODATA$|ESERVFAIL$|EREFUSED$|EBADNAME$|EBADRESP$)/,
    dns("the host name could not be looked up", true),
  ],
  [
    /^ERR_(INVALID_CHAR|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS|INVALID_URL|INVALID_ARG_VALUE)$/,
    {
      category: "invalid_input",
      what: "the request holds a character that can't be sent",
      hint: "Remove line breaks, control characters and non-ASCII characters from the headers.",
      retryable: false,
    },
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
    untrusted("its TLS certificate is not valid"),
  ],
  [/^HPE_/, notHttp("it answered with something that is not valid HTTP")],
];

const anyFailure = network("the request failed before an answer came", checkBaseUrl);

const timeouts: Readonly<Record<TransportPhase, Pick<Explanation, "what" | "hint">>> = {
  dns: {
    what: "the host name could not be looked up",
    hint: "Check this machine's DNS and the base URL's host.",
  },
  connect: { what: "no connection could be made", hint: `A firewall may drop the packets. ${checkBaseUrl}` },
  tls: { what: "the TLS handshake did not end", hint: checkHttps },
  first_byte: {
    what: "it accepted the request but did not answer",
    hint: "Ask for less, or raise limits.timeoutMs.",
  },
  body: { what: "its answer did not end", hint: "Ask for less, or raise limits.timeoutMs." },
};

/** Returns the words for a failed call; neither they nor the code hold anything of the request but its host. */
export function explainFailure(code: string | undefined, facts: FailureFacts): ApiSourceErrorFields {
  if (facts.stoppedBy === "cancelled") {
    return {
      message: "The call was cancelled.",
      category: "cancelled",
      hint: withWriteWarning("The caller stopped it.", facts),
    };
  }
  if (facts.stoppedBy !== undefined) return explainTimeout(facts);
  const explanation = explainCode(code, facts.phase);
  const tries = facts.attempts > 1 ? ` (${facts.attempts} attempts)` : "";
  return {
    message: `${new URL(facts.url).host}: ${explanation.what}${code === undefined ? "" : `, ${code}`}${tries}.`,
    category: explanation.category,
    code,
    retryable: explanation.retryable && !mayHaveHappened(facts),
    hint: withWriteWarning(explanation.hint, facts),
  };
}

function explainTimeout(facts: FailureFacts): ApiSourceErrorFields {
  const { what, hint } = timeouts[facts.phase];
  const limit =
    facts.stoppedBy === "deadline" ? `${facts.timeoutMs / 1_000} s` : "the time its caller allows";
  return {
    message: `${new URL(facts.url).host}: ${what} within ${limit}.`,
    category: "timeout",
    retryable: !mayHaveHappened(facts),
    hint: withWriteWarning(hint, facts),
  };
}

function explainCode(code: string | undefined, phase: TransportPhase): Explanation {
  const known = byCode.get(code ?? "") ?? byPattern.find(([pattern]) => pattern.test(code ?? ""))?.[1];
  // A connection that breaks in the handshake is a TLS matter, whatever the socket calls it.
  if (phase === "tls" && known?.category !== "tls") return tls("the TLS handshake failed", checkHttps);
  return known ?? anyFailure;
}

/** A write whose bytes may have arrived: nobody knows whether it was carried out. */
function mayHaveHappened(facts: FailureFacts): boolean {
  return !facts.repeatable && facts.attempts > 0 && (facts.phase === "first_byte" || facts.phase === "body");
}

function withWriteWarning(hint: string, facts: FailureFacts): string {
  if (!mayHaveHappened(facts)) return hint;
  return `The ${facts.method} may have been carried out all the same: check with a GET before sending it again. ${hint}`;
}

function dns(what: string, retryable: boolean): Explanation {
  return {
    category: "dns",
    what,
    hint: "Check the host in the source's base URL, and this machine's DNS.",
    retryable,
  };
}

function network(what: string, hint: string): Explanation {
  return { category: "network", what, hint, retryable: true };
}

function tls(what: string, hint: string): Explanation {
  return { category: "tls", what, hint, retryable: false };
}

function untrusted(what: string): Explanation {
  return tls(what, "If it belongs to a private authority, give that authority's certificate in network.ca.");
}

function notHttp(what: string): Explanation {
  return { category: "unexpected_content", what, hint: checkBaseUrl, retryable: false };
}
