/** The fourth part of the table of causes: a request that brought no whole answer, and one that could not be made. Each table ends with a row for every other failure. */

import { proxySignIn } from "./caller-causes.js";
import type { CauseTable } from "./cause.js";

const own = "{fix}";
const network = { verdict: "unreachable", category: "network", retryable: true } as const;
const late = { verdict: "timeout", category: "timeout", retryable: true } as const;
const odd = { verdict: "not_an_api", category: "unexpected_content" } as const;
const tls = { verdict: "tls", category: "tls" } as const;
const dns = {
  verdict: "dns",
  category: "dns",
  fix: "Check the host in `api.baseUrl`, letter by letter, against the API's documentation, and this machine's network and DNS; many APIs are at api.<domain>. A name of a company's or container's own network is known only inside it.",
} as const;
const incomplete = {
  message: "{host} began to answer, but {why}: the answer with status {status} is incomplete.",
  hint: own,
} as const;

/** By the codes of Node, OpenSSL and llhttp, and by the kind of the failure. */
export const connectionCauses: CauseTable = {
  cancelled: {
    verdict: "unreachable",
    category: "cancelled",
    when: { code: /^cancelled$/ },
    message: "The call was cancelled.",
    hint: "The caller stopped it.",
    fix: "",
  },
  proxy_refused: {
    verdict: "unreachable",
    category: "network",
    when: { code: /^proxy_refused$/ },
    message:
      "The proxy in `api.network.proxy` refused the connection to the API[ with status {given}].",
    fix: `Check whether the proxy allows connections to this host and port. If it requires a sign-in (407): ${proxySignIn}`,
  },
  proxy_unreachable: {
    ...network,
    verdict: "refused",
    when: { code: /^proxy_unreachable$/ },
    message:
      "The proxy in `api.network.proxy` could not be reached[ ({code})], so the API was not called.",
    fix: "Check the host and the port in `api.network.proxy`, and that the proxy is running.",
  },
  body_too_large: {
    ...incomplete,
    verdict: "not_an_api",
    category: "too_large",
    when: { code: /^too_large$/, known: ["status"] },
    fix: "Request less (a narrower query, a smaller page), or raise `api.limits.maxBytes` (`maxFileBytes` where it is not JSON).",
  },
  body_late: {
    ...incomplete,
    ...late,
    when: { code: /^(?:timeout|unfinished)$/, known: ["status"] },
    fix: "Request a short answer that ends (a smaller page; no stream, no export), give `wait` (seconds) to read for longer, or raise `api.limits.timeoutMs`.",
  },
  body_garbled: {
    ...incomplete,
    ...odd,
    retryable: true,
    when: { code: /^encoding$/, known: ["status"] },
    fix: "[isSafe?Try again; if it fails again, the][isUnsafe?The] API or a proxy before it compresses wrongly.",
  },
  body_malformed: {
    ...incomplete,
    ...odd,
    retryable: true,
    when: { code: /^HPE_/, known: ["status"] },
    fix: "[isSafe?Try again; if it fails again, the][isUnsafe?The] API or a proxy before it writes its answers wrongly.",
  },
  body_broken_off: {
    ...incomplete,
    ...network,
    when: { known: ["status"] },
    fix: "[isSafe?Try again in a moment. If it fails again, the][isUnsafe?The] API or a proxy before it closes too early; request a shorter answer.",
  },
  no_answer_in_time: {
    ...late,
    when: { code: /^timeout$|^ETIMEDOUT$/ },
    message: "{host}: {phase} within {limit}.",
    hint: own,
    fix: "[atAnswer?Request a short answer that ends (one record; no search, no stream, no export), or raise `api.limits.timeoutMs`. ]If it never answers, check the host and the port in `api.baseUrl`, and the network and the DNS of this machine: the server may be down, or a firewall drops the packets (a VPN, or an allowed-address list of the API, may be needed).",
  },
  host_unknown: {
    ...dns,
    when: { code: /^ENOTFOUND$/ },
    message: "The host name {hostName} does not exist (DNS has no address for it).",
  },
  dns_failed: {
    ...dns,
    retryable: true,
    when: { code: /^(?:EAI_|ENODATA$|ESERVFAIL$|EREFUSED$|EBADNAME$|EBADRESP$)/ },
    message:
      "The host name {hostName} could not be looked up ({code}): the DNS of this machine did not answer, or answered with an error.",
  },
  refused: {
    ...network,
    verdict: "refused",
    when: { code: /^ECONNREFUSED$/ },
    message: "{hostName} refused the connection: nothing listens on port {port} ({code}).",
    fix: "Check the port in `api.baseUrl` (write it as host:port when it is not the default), and that the API is running. Inside a container, localhost is the container itself.",
  },
  http_malformed: {
    ...odd,
    when: { code: /^HPE_(?!INVALID_CONSTANT$)/ },
    message:
      "{host} answered, but Node.js refuses the answer: {brokenRule}[; the header is {header}][ ({code})].",
    fix: "The API, or a proxy before it, has to correct its answers.[areHeadersLong? Until then, start Node.js with a higher limit, such as --max-http-header-size=65536.]",
  },
  not_http: {
    ...odd,
    when: { code: /^HPE_|^no_answer$/ },
    message: "{host} did not send a usable HTTP answer[ ({code})][: its status was {given}].",
    fix: "Check the host and the port in `api.baseUrl`: another service (SSH, a database, a WebSocket) seems to listen there, or one that expects https://.",
  },
  certificate_expired: {
    ...tls,
    when: { code: /^CERT_HAS_EXPIRED$/ },
    message: "The TLS certificate of {host} has expired.",
    fix: "The operator of the API has to renew it; nothing in the record helps. If it is still valid for others, check this machine's clock.",
  },
  certificate_of_other: {
    ...tls,
    when: { code: /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/ },
    message: "The TLS certificate of {host} is not for {hostName}.",
    fix: "Set `api.baseUrl` to the host the certificate names, if that is the API; otherwise {hostName} leads to another server (check its DNS entry).",
  },
  certificate_alone: {
    ...tls,
    when: { code: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/ },
    message:
      "The server of {host} sends its TLS certificate without an intermediate certificate, and the authority that issued it is unknown here.",
    fix: "The operator of the API should send the intermediate certificates, too. Until then, put the certificate that issued the server's and each one above it, to the root (PEM, one after the other), into `api.network.ca`: the root alone is not enough where there is an intermediate one.",
  },
  certificate_required: {
    ...tls,
    when: { code: /CERTIFICATE_REQUIRED$/ },
    message: "{host} requires a client certificate[ ({code})].",
    fix: "Put the certificate and its key (PEM) into `api.network.cert` and `api.network.key`.",
  },
  certificate_unknown: {
    ...tls,
    when: { code: /SELF_SIGNED|^UNABLE_TO_GET_ISSUER_CERT/ },
    message:
      "The TLS certificate of {host} is not trusted here: it is self-signed, or its authority is unknown.",
    fix: "If the API is your own or your company's, put the certificate of its authority (PEM) into `api.network.ca`. Otherwise the server, or a proxy on the way, is not what it should be.",
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
  https_expected: {
    ...tls,
    when: { known: ["httpsBase"] },
    message: "{host} closed the connection on plain HTTP: this port expects HTTPS.",
    fix: 'Set "baseUrl": "{httpsBase}" under `api`.',
    changes: [{ field: "api.baseUrl", value: "{httpsBase}" }],
  },
  broken_off: {
    ...network,
    when: { known: ["atAnswer"] },
    message: "{host} accepted the connection, but closed it before it answered[ ({code})].",
    hint: own,
    fix: "[isSafe?Try again in a moment. If it fails again, check][isUnsafe?Check] the port in `api.baseUrl`, and whether it expects https://; a firewall or a proxy in front of the API may drop the request, or the API crashes on it.",
  },
  unreachable: {
    ...network,
    message: "{host} can't be reached from this machine[ ({code})].",
    hint: own,
    fix: "Check that this machine has a network, and the host and the port in `api.baseUrl`; an address inside a company or a cloud needs its VPN.",
  },
};

const reported = { message: "{message}", fix: "{hint}" } as const;
const lookup = {
  message: "{message}",
  fix: "Correct the function given as `credentials` or `secrets`: it must return a value or undefined, sooner than `api.limits.timeoutMs` ({timeoutMs} ms). Without it, set {variables}.",
} as const;

/** A request that could not be made, by the code of the error, else by its category. Only a person reads it. */
export const preparationCauses: CauseTable = {
  credential_missing: {
    verdict: "missing_credentials",
    when: { code: /^missing_credentials$/ },
    message: "{message}",
    fix: 'Set {variables} in the environment{passwordNote}, or give it as credentials: { "{slug}": {credentialForm} }.',
  },
  secret_missing: {
    ...reported,
    verdict: "missing_credentials",
    when: { code: /^missing_secret$/ },
  },
  lookup_failed: {
    ...lookup,
    verdict: "missing_credentials",
    when: { code: /^credential_lookup_failed$/ },
  },
  credential_malformed: {
    verdict: "malformed_credentials",
    when: { code: /^malformed_credentials$/ },
    message: "{message}",
    fix: "Correct {variables}, or what the `credentials` option gives: one line, exactly as the API shows it, without quotes, as {credentialForm}.",
  },
  secret_malformed: {
    ...reported,
    verdict: "malformed_credentials",
    when: { code: /^malformed_secret$/ },
  },
  placeholder_open: {
    ...reported,
    verdict: "unresolved_placeholder",
    when: { code: /^(?:unresolved|malformed)_placeholder$/ },
  },
  address_local: {
    verdict: "unreachable",
    when: { code: /^ERR_LOCAL_ADDRESS$/ },
    message: "{message}",
    fix: "If the API really runs there, set `api.network.allowLocalAddresses` to true; otherwise check the base URL and the DNS entry.",
  },
  lookup_late: { ...lookup, verdict: "timeout", when: { code: /^timeout$/ } },
  own_limit: { ...reported, verdict: "rate_limited", when: { code: /^rate_limited$/ } },
  record_wrong: { ...reported, verdict: "invalid_record", when: { code: /^not_configured$/ } },
  endpoint_wrong: {
    verdict: "invalid_record",
    message: "`api.testEndpoint` can't be requested: {message}",
    fix: 'Correct `api.testEndpoint`: write a path below `api.baseUrl`, such as "/user". {hint}',
  },
};
