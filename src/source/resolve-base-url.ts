/** Fills the `{name}` placeholders of a base URL so that no value can move the request to another host or path. */

import { isIPv4 } from "node:net";
import { ApiSourceError } from "../errors.js";
import { readBaseUrlParts } from "./base-url.js";
import { fillPlaceholders, findPlaceholderNames } from "./placeholders.js";
import { fillPath, type ReadVariable, refusePlaceholder } from "./resolve-path.js";

/**
 * Takes a base URL that the schema accepted. In the host a value is DNS labels (RFC 1123, section 2.1), in the port
 * digits, in the path one percent-encoded segment. What comes out is read again by the URL parser, whose host, port
 * and path must be exactly those that were put together here. A host of placeholders alone is never an address, `localhost` or a
 * name without a dot, unless the record says so: whoever gives the value would choose the network.
 *
 * @param mayBeLocal whether a host made of these placeholders alone may be local
 * @throws ApiSourceError `not_configured`, code `malformed_placeholder`, that names the placeholder and not its value.
 */
export function resolveBaseUrl(
  template: string,
  readVariable: ReadVariable,
  mayBeLocal: (names: readonly string[]) => boolean = () => false,
): string {
  // Most have nothing to fill, and this is done on each call.
  if (!template.includes("{") && isPlain(template)) return template;
  const parts = readBaseUrlParts(template);
  if (!parts) throw refuseBaseUrl();
  const host = fillPlaceholders(parts.host, (name) => toHostValue(name, readVariable(name)));
  const port = parts.port === undefined ? undefined : fillPort(parts.port, readVariable);
  const path = fillPath(parts.rest, "api.baseUrl", readVariable);
  const resolved = `${parts.scheme}://${host}${port === undefined ? "" : `:${port}`}${path}`;
  const hostNames = findPlaceholderNames(parts.host);
  const isHostFilled = hostNames.length > 0;
  if (!isPlain(resolved) || (isHostFilled && new URL(resolved).hostname !== host.toLowerCase())) {
    throw refuseBaseUrl();
  }
  const isWhollyFilled = isHostFilled && !/[a-z0-9]/i.test(fillPlaceholders(parts.host, () => ""));
  if (isWhollyFilled && isLocal(host.toLowerCase()) && !mayBeLocal(hostNames)) throw refuseLocalHost();
  return resolved;
}

function isLocal(host: string): boolean {
  return isIPv4(host) || !host.includes(".") || host.endsWith(".localhost");
}

/** Whether a text is an http(s) URL without user information, query and fragment. */
function isPlain(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  try {
    const { username, password, search, hash } = new URL(text);
    return `${username}${password}${search}${hash}` === "";
  } catch {
    return false;
  }
}

/** Letters, digits and hyphens between dots: an international name has to come in its ASCII form (xn--…). */
function toHostValue(name: string, value: string): string {
  const labels = value.split(".");
  const isHost =
    value.length <= 253 &&
    labels.every(
      (label) => /^[A-Za-z0-9-]{1,63}$/.test(label) && !label.startsWith("-") && !label.endsWith("-"),
    );
  if (isHost) return value;
  throw refusePlaceholder(
    name,
    "api.baseUrl",
    "a host name takes only letters, digits, hyphens, and dots between them",
    'Give only what stands in the host, such as "acme", not a URL; an international name in its ASCII form (xn--…).',
  );
}

function fillPort(port: string, readVariable: ReadVariable): string {
  return fillPlaceholders(port, (name) => {
    const value = readVariable(name);
    if (/^\d{1,5}$/.test(value)) return value;
    throw refusePlaceholder(
      name,
      "api.baseUrl",
      "a port takes only digits",
      'Give the number alone, such as "8080".',
    );
  });
}

function refuseLocalHost(): ApiSourceError {
  return new ApiSourceError({
    message: "The value of the placeholder that is the host of `api.baseUrl` is an address or a local name.",
    category: "not_configured",
    code: "malformed_placeholder",
    hint: 'Give a host name with a dot. If the API really is there, write the host into the record, or "network": { "allowLocalAddresses": true }.',
  });
}

function refuseBaseUrl(): ApiSourceError {
  return new ApiSourceError({
    message:
      "The values of the placeholders in `api.baseUrl` don't make a URL with the host that is written there.",
    category: "not_configured",
    code: "malformed_placeholder",
    hint: "Check each value in `api.variables`: together they must make a host name and a port that exist.",
  });
}
