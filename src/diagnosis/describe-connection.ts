/** What a connection that failed, or broke off, means: which room of the way it was, and what to check. */

import { clipText } from "../text.js";
import type { ConnectionCause, TruncatedBody } from "./cause.js";
import { type Explanation, explain, explainPlainHttp, hostOf, toBase } from "./explanation.js";

type Of<Kind extends ConnectionCause["kind"]> = Extract<ConnectionCause, { kind: Kind }>;

/** Takes the base URL without the credential; a host that is a secret is redacted. */
export function describeConnection(cause: ConnectionCause, baseUrl: string): Explanation {
  const host = hostOf(baseUrl);
  const hostname = host.replace(/:\d+$/, "");
  const code = cause.code === undefined ? "" : ` (${cause.code})`;
  switch (cause.kind) {
    case "host_unknown":
      return explain(
        "dns",
        `The host name ${hostname} does not exist (DNS knows no address for it).
        ${suggestHost(hostname)}`,
      );
    case "dns_failed":
      return explain(
        "dns",
        `The host name ${hostname} could not be looked up${code}: the DNS server of this machine did not answer, or answered with an error.
        Check that this machine has a network and that its DNS works. If other hosts can be reached, check the host in \`api.baseUrl\`.`,
      );
    case "refused": {
      const scheme = baseUrl.split(":", 1)[0];
      const port = /:(\d+)$/.exec(host)?.[1] ?? `${scheme === "https" ? 443 : 80}, the default of ${scheme}`;
      const isLocal = /^(?:localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(hostname);
      return explain(
        "refused",
        `${hostname} refused the connection: nothing listens on port ${port}${code}.
        ${isLocal ? `Start the API on this machine, or correct the port in \`api.baseUrl\`. Inside a container, ${hostname} is the container itself.` : "Check the port in `api.baseUrl` (write it as host:port when it is not the default), and that the API is running."}`,
      );
    }
    case "unreachable":
      return explain(
        "unreachable",
        cause.spoke
          ? `${host} accepted the connection, but closed it before it answered${code}.
        Try again in a moment. If it stays so, check the port in \`api.baseUrl\`; a firewall or a proxy in front of the API may drop the request, or the API crashes on it.`
          : `${host} can't be reached from this machine${code}.
        Check that this machine has a network, and the host and the port in \`api.baseUrl\`; an address inside a company or a cloud needs its VPN.`,
      );
    case "certificate":
      return explain("tls", describeCertificate(cause, host, hostname));
    case "handshake":
      return explain("tls", handshakes[cause.flaw].replace("%", host).replace("%", code));
    case "other_protocol":
      return cause.speaks === "https"
        ? explainPlainHttp(baseUrl)
        : explain(
            "tls",
            `${host} answered, but not with TLS: \`api.baseUrl\` says https, and this port speaks plain HTTP (or something else)${code}.
        Check the port. If the API really speaks plain HTTP there, set "baseUrl": "${toBase(baseUrl, "http")}" under \`api\`.`,
          );
    case "timed_out":
      return explain(
        "timeout",
        timeouts[cause.phase].replace("%", host).replace("%", () => `within ${cause.limit}`),
      );
    case "not_http":
      return explain(
        cause.code === undefined ? "unexpected_status" : "not_an_api",
        `What answered at ${host} is not a usable HTTP answer: ${cause.what}${code}.
        Check the host and the port in \`api.baseUrl\`: another service (SSH, a database, a WebSocket) seems to listen there.`,
      );
    case "proxy_refused":
      return explain(
        "unreachable",
        `The proxy in \`api.network.proxy\` refused the connection to the API with status ${cause.given ?? "unknown"}.
        ${cause.given === 407 ? 'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".' : "Check `api.network.proxy`, and whether the proxy allows connections to this host and port."}`,
      );
    case "proxy_unreachable":
      return explain(
        cause.code === "ECONNREFUSED" ? "refused" : "unreachable",
        `The proxy in \`api.network.proxy\` could not be reached${code}, so the API was not asked.
        Check the host and the port in \`api.network.proxy\`, and that the proxy is running.`,
      );
    case "unsendable":
      return explain(
        "invalid_record",
        `The request holds a character that can't be sent${code}.
        Remove line breaks, control characters and non-ASCII characters from the headers.`,
      );
    case "truncated": {
      const [verdict, fix] = truncations[cause.part.by];
      const message = `${host} began to answer, but ${describeTruncation(cause.part)}: the answer with status ${cause.status} did not arrive whole.`;
      return { verdict, message, fix };
    }
  }
}

function suggestHost(hostname: string): string {
  if (/^https?$/.test(hostname)) return "`api.baseUrl` begins with its scheme twice: write `https://` once.";
  if (/(?:^|\.)(?:invalid|example|test)$/.test(hostname)) {
    return "Put the real host of the API into `api.baseUrl`: names that end in .invalid, .example or .test are reserved for examples and never exist in DNS.";
  }
  if (!hostname.includes(".") || /\.(?:local|internal|lan|home|corp|intranet|svc)$/.test(hostname)) {
    return `Check the host in \`api.baseUrl\`. A name such as ${hostname} is known only inside its own network: connect from there (VPN, same Docker network), or write the full name.`;
  }
  return "Check the host in `api.baseUrl`, letter by letter, against the API's documentation, and this machine's DNS; many APIs are at api.<domain>.";
}

function describeCertificate(
  { flaw, code, peer }: Of<"certificate">,
  host: string,
  hostname: string,
): string {
  const its = `The TLS certificate of ${host}`;
  const issuer = peer?.issuer ? ` (signed by "${clipText(peer.issuer, 100)}")` : "";
  const trust =
    "If the API is your own or your company's, put the certificate of its authority (PEM) into `api.network.ca`. Otherwise the server, or a proxy on the way, is not what it should be.";
  switch (flaw) {
    case "expired":
      return `${its} has expired${peer === undefined ? "" : ` on ${peer.validTo}`}.
        Whoever runs the API has to renew it; nothing in the record helps. If it is not expired for others, check this machine's clock.`;
    case "not_yet_valid":
      return `${its} is not valid before ${peer?.validFrom ?? "a later day"}.
        Check this machine's clock; if it is right, whoever runs the API has to install another certificate.`;
    case "other_host":
      return `${its} is not for ${hostname}${peer === undefined ? "" : `; it is for ${clipText(peer.names.join(", "), 300)}`}.
        Set \`api.baseUrl\` to the host the certificate names, if that is the API; otherwise ${hostname} leads to another server (check its DNS entry).`;
    case "self_signed":
      return `${its} is self-signed${issuer}, so nobody vouches for it.\n${trust}`;
    case "unknown_authority":
      return `${its} comes from an authority that is not trusted here${issuer}, or the server does not send the certificates in between.\n${trust}`;
    case "invalid":
      return `${its} is not valid (${code}).\n${trust}`;
  }
}

/** The host, then the code in brackets. */
const handshakes: Readonly<Record<Of<"handshake">["flaw"], string>> = {
  client_certificate: `% refused the TLS connection%; it probably asks for a client certificate.
    Put the client certificate and its key (PEM) into \`api.network.cert\` and \`api.network.key\`.`,
  unknown_name: `The server at % knows no host of that name (TLS: unrecognized name).
    Check the host in \`api.baseUrl\`, letter by letter.`,
  old_version: `% speaks only TLS versions that are not safe any more%.
    Whoever runs the API has to allow TLS 1.2 or later; nothing in the record helps.`,
  other: `The TLS handshake with % failed%.
    Check the port in \`api.baseUrl\`, and that the API speaks HTTPS there; if it speaks plain HTTP, write \`http://\`.`,
};

/** The host, then the time that ran out. */
const timeouts: Readonly<Record<Of<"timed_out">["phase"], string>> = {
  dns: `The host name of % was not looked up %: this machine's DNS does not answer.
    Check the network and the DNS of this machine.`,
  connect: `No connection to % came about %: nothing answered, not even a refusal.
    Check the host and the port in \`api.baseUrl\`. The server may be down, or a firewall drops the packets (a VPN, or an allowed-address list of the API, may be needed).`,
  tls: `% accepted the connection, but the TLS handshake did not end %.
    Check the port in \`api.baseUrl\`: what listens there may not speak HTTPS.`,
  first_byte: `% accepted the request, but did not begin to answer %.
    Ask for less (one record, no search), or raise \`api.limits.timeoutMs\`. If it never answers, check the port in \`api.baseUrl\`.`,
  body: `% began to answer, but its body did not end %.
    Ask for a short answer that ends (no stream, no export), or raise \`api.limits.timeoutMs\`.`,
};

const truncations: Readonly<Record<TruncatedBody["by"], readonly [Explanation["verdict"], fix: string]>> = {
  size: ["not_an_api", "Ask for less (a narrower query, a smaller page), or raise `api.limits.maxBytes`."],
  time: [
    "timeout",
    "Ask for a short answer that ends (a smaller page; no stream, no export), or raise `api.limits.timeoutMs`.",
  ],
  closing: [
    "unreachable",
    "Try again in a moment. If it stays so, the API or a proxy before it breaks off; ask for a shorter answer.",
  ],
  broken_encoding: [
    "not_an_api",
    "Try again; when it stays so, the API or a proxy before it compresses wrongly.",
  ],
  unknown_encoding: [
    "not_an_api",
    "The API compressed it in a way that was not asked for (only gzip, deflate and br are): ask whoever runs it.",
  ],
};

/** Why a body is not whole, as a part of a sentence. */
export function describeTruncation(part: TruncatedBody): string {
  switch (part.by) {
    case "size":
      return `the body is larger than ${part.maxBytes.toLocaleString("en-US")} bytes`;
    case "time":
      return `its body did not end within ${part.limit}`;
    case "broken_encoding":
      return "the compressed data is broken or ends too early";
    case "unknown_encoding":
      return `the body's Content-Encoding (${part.encoding}) can't be decoded`;
    case "closing":
      return "the connection was closed before its end";
  }
}
