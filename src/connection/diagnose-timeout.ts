/** Where the time went when an answer did not come in time. */

import type { TransportPhase } from "../transport/transport.js";
import type { Finding, Subject } from "./finding.js";

/** `phase` is undefined when the time ran out before anything was sent. */
export function diagnoseTimeout(
  { source, baseUrl, url }: Subject,
  phase: TransportPhase | undefined,
  status?: number,
): Finding {
  const { host, hostname, protocol } = new URL(baseUrl);
  const within = `within ${source.api.limits.timeoutMs.toLocaleString("en-US")} ms`;
  const raise = "or raise `api.limits.timeoutMs`";
  const words: Readonly<Record<TransportPhase | "before", readonly [message: string, fix: string]>> = {
    before: [
      `The request was not sent ${within}: this source's own \`requestsPerMinute\` or \`concurrency\` held it back.`,
      `Test again later, ${raise} or the limit.`,
    ],
    dns: [
      `The host name ${hostname} was not looked up ${within}: this machine's DNS does not answer.`,
      "Check the network and the DNS of this machine.",
    ],
    connect: [
      `No connection to ${host} came about ${within}: nothing answered, not even a refusal.`,
      "Check the host and the port in `api.baseUrl`. The server may be down, or a firewall drops the packets (a VPN, or an allowed-address list of the API, may be needed).",
    ],
    tls: [
      `${host} accepted the connection, but the TLS handshake did not end ${within}.`,
      "Check the port in `api.baseUrl`: what listens there may not speak HTTPS.",
    ],
    first_byte: [
      `${host} accepted the request, but did not begin to answer ${within}.`,
      protocol === "http:"
        ? `Choose a faster \`api.testEndpoint\`, ${raise}. If it never answers, check that the port speaks HTTP.`
        : `Choose a faster \`api.testEndpoint\` (one record, no search), ${raise}.`,
    ],
    body: [
      `${url} began to answer${status === undefined ? "" : ` with ${status}`}, but its body did not end ${within}.`,
      `Choose an \`api.testEndpoint\` with a short answer that ends (no stream, no export), ${raise}.`,
    ],
  };
  const [message, fix] = words[phase ?? "before"];
  return { verdict: "timeout", message, fix };
}
