/** Why nothing came back: from the error the transport threw to the cause a person can do something about. */

import type { ApiSourceError } from "../errors.js";
import type { TransportPhase } from "../transport/transport.js";
import { diagnoseDns } from "./diagnose-dns.js";
import { diagnosePreparation } from "./diagnose-preparation.js";
import { diagnoseTimeout } from "./diagnose-timeout.js";
import { diagnoseTls, type TlsTools, tellTlsPort } from "./diagnose-tls.js";
import type { Finding, Subject } from "./finding.js";
import type { HostExists } from "./suggest-host.js";

export interface TransportTools extends TlsTools {
  readonly hostExists: HostExists;
}

export async function diagnoseTransport(
  subject: Subject,
  error: ApiSourceError,
  tools: TransportTools,
): Promise<Finding> {
  const proxied = diagnoseProxy(subject, error);
  if (proxied !== undefined) return proxied;
  switch (error.category) {
    case "dns":
      return await diagnoseDns(subject, error, tools.hostExists);
    case "tls":
      return await diagnoseTls(subject, error, tools);
    case "timeout":
      return diagnoseTimeout(subject, readPhase(error));
    case "rate_limited":
      return { verdict: "rate_limited", message: error.message, fix: error.hint };
    case "refused_by_policy":
      return {
        verdict: "unreachable",
        message: error.message,
        fix: error.hint.replaceAll(/\bnetwork\.allow/g, "api.network.allow"),
      };
    case "not_configured":
      return diagnosePreparation(subject.source, error, subject.origin);
    default:
      return await diagnoseConnection(subject, error, tools);
  }
}

/** The connection was refused, broke, or brought something that is no HTTP. */
async function diagnoseConnection(
  subject: Subject,
  error: ApiSourceError,
  tools: TransportTools,
): Promise<Finding> {
  const url = new URL(subject.baseUrl);
  if (error.code === "ECONNREFUSED") return tellRefused(url);
  const mayBeTls = url.protocol === "http:" && subject.source.api.network.proxy === undefined;
  const spoke = readPhase(error) === "first_byte" || error.category === "unexpected_content";
  // A server that expects TLS drops plain HTTP without a word, or with bytes that are no HTTP.
  if (mayBeTls && spoke && "certificate" in (await tools.peekTls(url))) return tellTlsPort(url);
  if (error.category === "unexpected_content") {
    return {
      verdict: error.code === undefined ? "unexpected_status" : "not_an_api",
      message: `What answered at ${url.host} is not a usable HTTP answer: ${error.message}`,
      fix: "Check the host and the port in `api.baseUrl`: another service (SSH, a database, a WebSocket) seems to listen there.",
    };
  }
  if (spoke) {
    return {
      verdict: "unreachable",
      message: `${url.host} accepted the connection, but closed it before it answered${writeCode(error)}.`,
      fix: "Test again in a moment. If it stays so, check the port in `api.baseUrl`; a firewall or a proxy in front of the API may drop the request, or the API crashes on it.",
    };
  }
  return {
    verdict: "unreachable",
    message: `${url.host} can't be reached from this machine${writeCode(error)}.`,
    fix: "Check that this machine has a network, and the host in `api.baseUrl`; an address inside a company or a cloud needs its VPN.",
  };
}

function tellRefused(url: URL): Finding {
  const isLocal = /^(?:localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(url.hostname);
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  const isDefault = url.port === "" ? `, the default of ${url.protocol.slice(0, -1)}` : "";
  return {
    verdict: "refused",
    message: `${url.hostname} refused the connection: nothing listens on port ${port}${isDefault}.`,
    fix: isLocal
      ? `Start the API on this machine, or correct the port in \`api.baseUrl\`. Inside a container, ${url.hostname} is the container itself.`
      : "Check the port in `api.baseUrl` (write it as host:port when it is not the default), and that the API is running.",
  };
}

/** With a proxy, what fails before the API is asked is the proxy's. */
function diagnoseProxy({ source }: Subject, error: ApiSourceError): Finding | undefined {
  if (source.api.network.proxy === undefined) return undefined;
  const isProxy =
    /proxy/i.test(error.message) ||
    error.code === "ECONNREFUSED" ||
    (error.category === "dns" && !source.api.baseUrl.startsWith("https:")) ||
    (error.category === "timeout" && readPhase(error) === "connect");
  if (!isProxy) return undefined;
  return {
    verdict:
      error.category === "timeout" ? "timeout" : error.code === "ECONNREFUSED" ? "refused" : "unreachable",
    message: /proxy/i.test(error.message)
      ? error.message
      : `The proxy in \`api.network.proxy\` could not be reached${writeCode(error)}, so the API was not asked.`,
    fix: /username and a password/.test(error.hint)
      ? 'Put the proxy\'s username and password into `api.network.proxy`, such as "http://user:${PROXY_PASSWORD}@proxy.example.com:3128".'
      : "Check the host and the port in `api.network.proxy`, and that the proxy is running and lets connections to this API pass.",
  };
}

function writeCode({ code }: ApiSourceError): string {
  return code === undefined ? "" : ` (${code})`;
}

export function readPhase({ details }: ApiSourceError): TransportPhase | undefined {
  const phases: readonly unknown[] = ["dns", "connect", "tls", "first_byte", "body"];
  const phase =
    typeof details === "object" && details !== null && "phase" in details ? details.phase : undefined;
  return phases.includes(phase) ? (phase as TransportPhase) : undefined;
}
