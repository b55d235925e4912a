/** What a connection that failed, or broke off, means: which room of the way it was, and what to check. */

import { clipText } from "../text.js";
import type { ConnectionCause, Truncation } from "./cause.js";
import { type Explanation, explain, explainPlainHttp, hostOf, proxySignIn, toBase } from "./explanation.js";

type Of<Kind extends ConnectionCause["kind"]> = Extract<ConnectionCause, { kind: Kind }>;

/** Takes the base URL without the credential; a host that is a secret is redacted. */
export function describeConnection(cause: ConnectionCause, baseUrl: string): Explanation {
  const host = hostOf(baseUrl);
  const code = cause.code === undefined ? "" : ` (${cause.code})`;
  switch (cause.kind) {
    case "host_unknown":
    case "dns_failed": {
      const why =
        cause.kind === "host_unknown"
          ? "does not exist (DNS knows no address for it)"
          : `could not be looked up${code}: the DNS of this machine did not answer, or answered with an error`;
      return explain(
        "dns",
        `The host name ${toName(host)} ${why}.
        Check the host in \`api.baseUrl\`, letter by letter, against the API's documentation, and this machine's network and DNS; many APIs are at api.<domain>. A name of a company's or container's own network is known only inside it.`,
      );
    }
    case "refused":
      return describeRefusal(host, baseUrl, code);
    case "unreachable":
      return explain(
        "unreachable",
        cause.spoke
          ? `${host} accepted the connection, but closed it before it answered${code}.
        Try again in a moment. If it stays so, check the port in \`api.baseUrl\`; a firewall or a proxy in front of the API may drop the request, or the API crashes on it.`
          : `${host} can't be reached from this machine${code}.
        Check that this machine has a network, and the host and the port in \`api.baseUrl\`; an address inside a company or a cloud needs its VPN.`,
      );
    case "tls":
      return describeTls(cause, baseUrl, code);
    case "timed_out":
      return describeTimeout(cause, host);
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
        ${cause.given === 407 ? proxySignIn : "Check `api.network.proxy`, and whether the proxy allows connections to this host and port."}`,
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
      const [verdict, fix] = truncations[cause.by];
      const message = `${host} began to answer, but ${cause.why}: the answer with status ${cause.status} did not arrive whole.`;
      return { verdict, message, fix };
    }
  }
}

function toName(host: string): string {
  return host.replace(/:\d+$/, "");
}

function describeRefusal(host: string, baseUrl: string, code: string): Explanation {
  const scheme = baseUrl.split(":", 1)[0];
  const port = /:(\d+)$/.exec(host)?.[1] ?? `${scheme === "https" ? 443 : 80}, the default of ${scheme}`;
  return explain(
    "refused",
    `${toName(host)} refused the connection: nothing listens on port ${port}${code}.
    Check the port in \`api.baseUrl\` (write it as host:port when it is not the default), and that the API is running. Inside a container, localhost is the container itself.`,
  );
}

/** Every other flaw has its code, which says more than a guess. */
function describeTls({ flaw, peer }: Of<"tls">, baseUrl: string, shown: string): Explanation {
  const host = hostOf(baseUrl);
  const its = `The TLS certificate of ${host}`;
  switch (flaw) {
    case "expired":
      return explain(
        "tls",
        `${its} has expired${peer === undefined ? "" : ` on ${peer.validTo}`}.
        Whoever runs the API has to renew it; nothing in the record helps. If it is not expired for others, check this machine's clock.`,
      );
    case "other_host":
      return explain(
        "tls",
        `${its} is not for ${toName(host)}${peer === undefined ? "" : `; it is for ${clipText(peer.names.join(", "), 300)}`}.
        Set \`api.baseUrl\` to the host the certificate names, if that is the API; otherwise ${toName(host)} leads to another server (check its DNS entry).`,
      );
    case "unknown_issuer": {
      const issuer = peer?.issuer ? ` (signed by "${clipText(peer.issuer, 100)}")` : "";
      return explain(
        "tls",
        `${its} is not trusted here${issuer}: it is self-signed, or its authority is unknown.
        If the API is your own or your company's, put the certificate of its authority (PEM) into \`api.network.ca\`. Otherwise the server, or a proxy on the way, is not what it should be.`,
      );
    }
    case "wanted":
      return explainPlainHttp(baseUrl);
    case "not_tls":
      return explain(
        "tls",
        `${host} answered, but not with TLS: \`api.baseUrl\` says https, and this port speaks plain HTTP (or something else)${shown}.
        Check the port. If the API really speaks plain HTTP there, set "baseUrl": "${toBase(baseUrl, "http")}" under \`api\`.`,
      );
    case "other":
      return explain(
        "tls",
        `The TLS handshake with ${host} failed${shown}.
        Look up the code: the port in \`api.baseUrl\` may not speak HTTPS (then write \`http://\`), this machine's clock may be wrong, the API may ask for a client certificate (put it and its key, PEM, into \`api.network.cert\` and \`api.network.key\`), or whoever runs the API has to mend its certificate or its TLS version.`,
      );
  }
}

const timeouts: Readonly<Record<Of<"timed_out">["phase"], string>> = {
  dns: "the host name was not looked up",
  connect: "no connection came about",
  tls: "the connection was accepted, but the TLS handshake did not end",
  first_byte: "the request was accepted, but the API did not begin to answer",
  body: "the API began to answer, but its body did not end",
};

function describeTimeout({ phase, limit }: Of<"timed_out">, host: string): Explanation {
  const isAnswering = phase === "first_byte" || phase === "body";
  return explain(
    "timeout",
    `${host}: ${timeouts[phase]} within ${limit}.
    ${isAnswering ? "Ask for a short answer that ends (one record; no search, no stream, no export), or raise `api.limits.timeoutMs`. If it never answers, check the port in `api.baseUrl`." : "Check the host and the port in `api.baseUrl`, and the network and the DNS of this machine. The server may be down, or a firewall drops the packets (a VPN, or an allowed-address list of the API, may be needed)."}`,
  );
}

const truncations: Readonly<Record<Truncation, readonly [Explanation["verdict"], fix: string]>> = {
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
