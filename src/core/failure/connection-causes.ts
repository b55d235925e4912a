/** The fourth part of the table of causes: a request that brought no whole answer. It ends with a row for every other failure. */

import type { CauseTable } from "./cause.js";

const own = "{fix}";
const dns =
  "Check the host in `api.baseUrl`, letter by letter, against the API's documentation, and this machine's network and DNS; many APIs are at api.<domain>. A name of a company's or container's own network is known only inside it.";
const notHttp = {
  verdict: "not_an_api",
  category: "unexpected_content",
  fix: "Check the host and the port in `api.baseUrl`: another service (SSH, a database, a WebSocket) seems to listen there.",
} as const;
const tls = { verdict: "tls", category: "tls" } as const;
const proxySignIn =
  'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".';
const noProxy = {
  verdict: "unreachable",
  category: "network",
  retryable: true,
  message: "The proxy in `api.network.proxy` could not be reached[ ({code})], so the API was not called.",
  fix: "Check the host and the port in `api.network.proxy`, and that the proxy is running.",
} as const;
const incomplete = "{host} began to answer, but {why}: the answer with status {status} is incomplete.";

/** By the codes of Node, OpenSSL and llhttp, and by the kind of the failure. */
export const connectionCauses: CauseTable = {
  body_too_large: {
    verdict: "not_an_api",
    category: "too_large",
    when: { code: /^too_large$/, known: ["status"] },
    message: incomplete,
    hint: own,
    fix: "Request less (a narrower query, a smaller page), or raise `api.limits.maxBytes` (`maxFileBytes` where it is not JSON).",
  },
  body_late: {
    verdict: "timeout",
    category: "timeout",
    retryable: true,
    when: { code: /^timeout$/, known: ["status"] },
    message: incomplete,
    hint: own,
    fix: "Request a short answer that ends (a smaller page; no stream, no export), or raise `api.limits.timeoutMs`.",
  },
  body_open: {
    verdict: "timeout",
    category: "timeout",
    retryable: true,
    when: { code: /^unfinished$/, known: ["status"] },
    message: incomplete,
    hint: own,
    fix: "Give `wait` (seconds) to read for longer.",
  },
  body_garbled: {
    verdict: "not_an_api",
    category: "unexpected_content",
    retryable: true,
    when: { code: /^encoding$/, known: ["status"] },
    message: incomplete,
    hint: own,
    fix: "Try again; if it fails again, the API or a proxy before it compresses wrongly.",
  },
  body_unknown: {
    verdict: "not_an_api",
    category: "unexpected_content",
    when: { code: /^unsupported_encoding$/, known: ["status"] },
    message: incomplete,
    fix: "The API used a compression that the request does not accept (it accepts gzip, deflate and br). Ask the operator of the API to change that.",
  },
  body_broken_off: {
    verdict: "unreachable",
    category: "network",
    retryable: true,
    when: { known: ["status"] },
    message: incomplete,
    hint: own,
    fix: "Try again in a moment. If it fails again, the API or a proxy before it closes too early; request a shorter answer.",
  },
  sign_late: {
    verdict: "timeout",
    category: "timeout",
    retryable: true,
    when: { code: /^timeout$|^ETIMEDOUT$/, known: ["atSign"] },
    message: "{host}: the application's `sign` did not sign the request within {limit}.",
    hint: own,
    fix: "Correct `sign` of the credential: it must return sooner than `api.limits.timeoutMs`.",
  },
  answer_late: {
    verdict: "timeout",
    category: "timeout",
    retryable: true,
    when: { code: /^timeout$|^ETIMEDOUT$/, known: ["atAnswer"] },
    message: "{host}: {phase} within {limit}.",
    hint: own,
    fix: "Request a short answer that ends (one record; no search, no stream, no export), or raise `api.limits.timeoutMs`. If it never answers, check the port in `api.baseUrl`.",
  },
  connection_late: {
    verdict: "timeout",
    category: "timeout",
    retryable: true,
    when: { code: /^timeout$|^ETIMEDOUT$/ },
    message: "{host}: {phase} within {limit}.",
    hint: own,
    fix: "Check the host and the port in `api.baseUrl`, and the network and the DNS of this machine. The server may be down, or a firewall drops the packets (a VPN, or an allowed-address list of the API, may be needed).",
  },
  proxy_sign_in: {
    verdict: "unreachable",
    category: "network",
    when: { code: /^proxy_refused$/, known: ["wantsSignIn"] },
    message: "The proxy in `api.network.proxy` refused the connection to the API with status 407.",
    fix: proxySignIn,
  },
  proxy_refused: {
    verdict: "unreachable",
    category: "network",
    when: { code: /^proxy_refused$/ },
    message: "The proxy in `api.network.proxy` refused the connection to the API[ with status {given}].",
    fix: "Check `api.network.proxy`, and whether the proxy allows connections to this host and port.",
  },
  proxy_off: { ...noProxy, verdict: "refused", when: { code: /^proxy_unreachable ECONNREFUSED$/ } },
  proxy_unreachable: { ...noProxy, when: { code: /^proxy_unreachable/ } },
  https_wanted: {
    ...tls,
    when: { known: ["speaksTls"] },
    message: "{host} expects HTTPS, but `api.baseUrl` has http: the server refused the plain HTTP request.",
    fix: 'Set "baseUrl": "{httpsBase}" under `api`.',
    changes: [{ field: "api.baseUrl", value: "{httpsBase}" }],
  },
  no_answer: {
    ...notHttp,
    when: { code: /^no_answer$/ },
    message: "{host} did not send a usable HTTP answer: it sent {sentInstead}.",
  },
  host_unknown: {
    verdict: "dns",
    category: "dns",
    when: { code: /^ENOTFOUND$/ },
    message: "The host name {hostName} does not exist (DNS has no address for it).",
    fix: dns,
  },
  dns_failed: {
    verdict: "dns",
    category: "dns",
    retryable: true,
    when: { code: /^(?:EAI_|ENODATA$|ESERVFAIL$|EREFUSED$|EBADNAME$|EBADRESP$)/ },
    message:
      "The host name {hostName} could not be looked up ({code}): the DNS of this machine did not answer, or answered with an error.",
    fix: dns,
  },
  refused: {
    verdict: "refused",
    category: "network",
    retryable: true,
    when: { code: /^ECONNREFUSED$/ },
    message: "{hostName} refused the connection: nothing listens on port {port} ({code}).",
    fix: "Check the port in `api.baseUrl` (write it as host:port when it is not the default), and that the API is running. Inside a container, localhost is the container itself.",
  },
  unsendable: {
    verdict: "invalid_record",
    category: "invalid_input",
    when: {
      code: /^ERR_(?:INVALID_CHAR|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS|INVALID_URL|INVALID_ARG_VALUE)$/,
    },
    message: "The request holds a character that can't be sent ({code}).",
    hint: own,
    fix: "Remove line breaks, control characters and non-ASCII characters from the headers.",
  },
  not_http: {
    ...notHttp,
    when: { code: /^HPE_/ },
    message:
      "{host} did not send a usable HTTP answer: it is not valid HTTP, or its headers are too large ({code}).",
  },
  certificate_expired: {
    ...tls,
    when: { code: /^CERT_HAS_EXPIRED$/ },
    message: "The TLS certificate of {host} has expired[ on {validTo}].",
    fix: "The operator of the API has to renew it; nothing in the record helps. If it is still valid for others, check this machine's clock.",
  },
  certificate_of_other: {
    ...tls,
    when: { code: /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/ },
    message: "The TLS certificate of {host} is not for {hostName}[; it is for {certified}].",
    fix: "Set `api.baseUrl` to the host the certificate names, if that is the API; otherwise {hostName} leads to another server (check its DNS entry).",
  },
  certificate_unknown: {
    ...tls,
    when: { code: /SELF_SIGNED|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/ },
    message:
      'The TLS certificate of {host} is not trusted here[ (signed by "{issuer}")]: it is self-signed, or its authority is unknown.',
    fix: "If the API is your own or your company's, put the certificate of its authority (PEM) into `api.network.ca`. Otherwise the server, or a proxy on the way, is not what it should be.",
  },
  not_tls: {
    ...tls,
    when: { code: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL|HTTP_REQUEST|RECORD_LAYER/ },
    message:
      "{host} answered, but not with TLS: `api.baseUrl` has https, and this port speaks plain HTTP (or something else)[ ({code})].",
    fix: 'Check the port. If the API really speaks plain HTTP there, set "baseUrl": "{httpBase}" under `api`.',
    changes: [{ field: "api.baseUrl", value: "{httpBase}" }],
  },
  // A connection that breaks in the handshake is a TLS matter, whatever the socket calls it.
  tls: {
    ...tls,
    when: {
      code: /^at_tls$|^(?:CERT_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|ERROR_IN_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|EPROTO$)/,
    },
    message: "The TLS handshake with {host} failed[ ({code})].",
    fix: "Look up the code: the port in `api.baseUrl` may not speak HTTPS (then write `http://`), this machine's clock may be wrong, the API may ask for a client certificate (put it and its key, PEM, into `api.network.cert` and `api.network.key`), or the operator of the API has to fix its certificate or its TLS version.",
  },
  broken_off: {
    verdict: "unreachable",
    category: "network",
    retryable: true,
    when: { known: ["atAnswer"] },
    message: "{host} accepted the connection, but closed it before it answered[ ({code})].",
    hint: own,
    fix: "Try again in a moment. If it fails again, check the port in `api.baseUrl`; a firewall or a proxy in front of the API may drop the request, or the API crashes on it.",
  },
  unreachable: {
    verdict: "unreachable",
    category: "network",
    retryable: true,
    message: "{host} can't be reached from this machine[ ({code})].",
    hint: own,
    fix: "Check that this machine has a network, and the host and the port in `api.baseUrl`; an address inside a company or a cloud needs its VPN.",
  },
};
