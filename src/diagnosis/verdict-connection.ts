/** What a failed connection means: words for the person who configures a source, which a model hands on. */

import { clipText } from "../text.js";
import type { ConnectionCause } from "./cause.js";
import { tell, toBase, type Verdict } from "./verdict-words.js";

/** Where it was tried to connect to, and how long. */
export interface AddressFacts {
  /** Without the credential; a host that is a secret is redacted. */
  readonly baseUrl: string;
  /** The limit that ran out, in words, such as "30 s". */
  readonly limit: string;
}

/** Why no answer came; these words serve a person and, through the user, a model. */
export function describeConnection(cause: ConnectionCause, { baseUrl, limit }: AddressFacts): Verdict {
  const [, scheme = "", host = ""] = /^(https?):\/\/([^/?#]*)/i.exec(baseUrl) ?? [];
  const hostname = host.replace(/:\d+$/, "");
  const code = cause.code === undefined ? "" : ` (${cause.code})`;
  switch (cause.kind) {
    case "host_unknown":
      return tell(
        "dns",
        `The host name ${hostname} does not exist (DNS knows no address for it).
        ${suggestHost(hostname)}`,
      );
    case "dns_failed":
      return tell(
        "dns",
        `The host name ${hostname} could not be looked up${code}: the DNS server of this machine did not answer, or answered with an error.
        Check that this machine has a network and that its DNS works. If other hosts can be reached, check the host in \`api.baseUrl\`.`,
      );
    case "refused": {
      const port = /:(\d+)$/.exec(host)?.[1] ?? `${scheme === "https" ? 443 : 80}, the default of ${scheme}`;
      const isLocal = /^(?:localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(hostname);
      return tell(
        "refused",
        `${hostname} refused the connection: nothing listens on port ${port}${code}.
        ${isLocal ? `Start the API on this machine, or correct the port in \`api.baseUrl\`. Inside a container, ${hostname} is the container itself.` : "Check the port in `api.baseUrl` (write it as host:port when it is not the default), and that the API is running."}`,
      );
    }
    case "unreachable":
      return tell(
        "unreachable",
        cause.spoke
          ? `${host} accepted the connection, but closed it before it answered${code}.
        Try again in a moment. If it stays so, check the port in \`api.baseUrl\`; a firewall or a proxy in front of the API may drop the request, or the API crashes on it.`
          : `${host} can't be reached from this machine${code}.
        Check that this machine has a network, and the host and the port in \`api.baseUrl\`; an address inside a company or a cloud needs its VPN.`,
      );
    case "certificate":
      return tell("tls", describeCertificate(cause, host, hostname));
    case "handshake":
      return tell("tls", describeHandshake(cause, host, code));
    case "other_protocol":
      return tell(
        "tls",
        cause.speaks === "http"
          ? `${host} answered, but not with TLS: \`api.baseUrl\` says https, and this port speaks plain HTTP (or something else)${code}.
        Check the port. If the API really speaks plain HTTP there, set "baseUrl": "${toBase(baseUrl, "http")}" under \`api\`.`
          : `${host} speaks HTTPS, and \`api.baseUrl\` says http: the plain HTTP request was refused.
        Set "baseUrl": "${toBase(baseUrl, "https")}" under \`api\`.`,
      );
    case "timed_out":
      return tell("timeout", describeTimeout(cause.phase, `within ${limit}`, host));
    case "not_http":
      return tell(
        cause.code === undefined ? "unexpected_status" : "not_an_api",
        `What answered at ${host} is not a usable HTTP answer: ${cause.what}${code}.
        Check the host and the port in \`api.baseUrl\`: another service (SSH, a database, a WebSocket) seems to listen there.`,
      );
    case "proxy_refused":
      return tell(
        "unreachable",
        `The proxy in \`api.network.proxy\` refused the connection to the API with status ${cause.given ?? "unknown"}.
        ${cause.given === 407 ? 'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".' : "Check `api.network.proxy`, and whether the proxy allows connections to this host and port."}`,
      );
    case "proxy_unreachable":
      return tell(
        cause.code === "ECONNREFUSED" ? "refused" : "unreachable",
        `The proxy in \`api.network.proxy\` could not be reached${code}, so the API was not asked.
        Check the host and the port in \`api.network.proxy\`, and that the proxy is running.`,
      );
    case "broke_off":
      return tell(
        "unreachable",
        `${host} began to answer with ${cause.status}, but closed the connection before the answer was whole.
        Try again in a moment. If it stays so, the API or a proxy before it breaks off; ask for a shorter answer.`,
      );
    case "undecodable":
      return tell(
        "not_an_api",
        `${host} answered ${cause.status}, but the answer can't be read: ${cause.why}.
        Try again; if it stays so, ask whoever runs the API (a proxy in between may spoil the answer).`,
      );
    case "unsendable":
      return tell(
        "invalid_record",
        `The request holds a character that can't be sent${code}.
        Remove line breaks, control characters and non-ASCII characters from the headers.`,
      );
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

type Of<Kind extends ConnectionCause["kind"]> = Extract<ConnectionCause, { kind: Kind }>;

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

function describeHandshake({ flaw }: Of<"handshake">, host: string, code: string): string {
  switch (flaw) {
    case "client_certificate":
      return `${host} refused the TLS connection${code}; it probably asks for a client certificate.
        Put the client certificate and its key (PEM) into \`api.network.cert\` and \`api.network.key\`.`;
    case "unknown_name":
      return `The server at ${host} knows no host of that name (TLS: unrecognized name).
        Check the host in \`api.baseUrl\`, letter by letter.`;
    case "old_version":
      return `${host} speaks only TLS versions that are not safe any more${code}.
        Whoever runs the API has to allow TLS 1.2 or later; nothing in the record helps.`;
    case "other":
      return `The TLS handshake with ${host} failed${code}.
        Check the port in \`api.baseUrl\`, and that the API speaks HTTPS there; if it speaks plain HTTP, write \`http://\`.`;
  }
}

function describeTimeout(phase: Of<"timed_out">["phase"], within: string, host: string): string {
  switch (phase) {
    case "dns":
      return `The host name of ${host} was not looked up ${within}: this machine's DNS does not answer.
        Check the network and the DNS of this machine.`;
    case "connect":
      return `No connection to ${host} came about ${within}: nothing answered, not even a refusal.
        Check the host and the port in \`api.baseUrl\`. The server may be down, or a firewall drops the packets (a VPN, or an allowed-address list of the API, may be needed).`;
    case "tls":
      return `${host} accepted the connection, but the TLS handshake did not end ${within}.
        Check the port in \`api.baseUrl\`: what listens there may not speak HTTPS.`;
    case "first_byte":
      return `${host} accepted the request, but did not begin to answer ${within}.
        Ask for less (one record, no search), or raise \`api.limits.timeoutMs\`. If it never answers, check the port in \`api.baseUrl\`.`;
    case "body":
      return `${host} began to answer, but its body did not end ${within}.
        Ask for a short answer that ends (no stream, no export), or raise \`api.limits.timeoutMs\`.`;
  }
}
