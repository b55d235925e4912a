/** Why a host name has no address, and which one was probably meant. */

import type { ApiSourceError } from "../errors.js";
import type { Finding, Subject } from "./finding.js";
import { findExistingHost, type HostExists, suggestEnding } from "./suggest-host.js";

export async function diagnoseDns(
  { baseUrl }: Subject,
  error: ApiSourceError,
  hostExists: HostExists,
): Promise<Finding> {
  const { hostname } = new URL(baseUrl);
  if (error.code !== "ENOTFOUND") {
    return {
      verdict: "dns",
      message: `The host name ${hostname} could not be looked up${error.code === undefined ? "" : ` (${error.code})`}: the DNS server of this machine did not answer, or answered with an error.`,
      fix: "Check that this machine has a network and that its DNS works, then test again. If other hosts can be reached, check the host in `api.baseUrl`.",
    };
  }
  const message = `The host name ${hostname} does not exist (DNS knows no address for it).`;
  return { verdict: "dns", message, fix: await suggest(hostname, hostExists) };
}

async function suggest(hostname: string, hostExists: HostExists): Promise<string> {
  if (/^https?$/.test(hostname)) {
    return "`api.baseUrl` begins with its scheme twice: write `https://` once.";
  }
  if (/(?:^|\.)(?:invalid|example|test)$/.test(hostname)) {
    return "Put the real host of the API into `api.baseUrl`: names that end in .invalid, .example or .test are reserved for examples and never exist.";
  }
  const existing = await findExistingHost(hostname, hostExists);
  if (existing !== undefined) {
    return `Check the host in \`api.baseUrl\`. ${existing} exists: if that is the API, write it instead of ${hostname}.`;
  }
  const ending = suggestEnding(hostname);
  if (ending !== undefined) return `Check the ending of the host in \`api.baseUrl\`: did you mean ${ending}?`;
  if (!hostname.includes(".") || /\.(?:local|internal|lan|home|corp|intranet|svc)$/.test(hostname)) {
    return `Check the host in \`api.baseUrl\`. A name such as ${hostname} is known only inside its own network: run the test there (VPN, same Docker network), or write the full name.`;
  }
  return "Check the host in `api.baseUrl`, letter by letter, against the API's documentation; many APIs are at api.<domain>.";
}
