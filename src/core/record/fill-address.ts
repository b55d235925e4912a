/** Fills the `{name}` placeholders of a base URL and of a path so that no value can move the request elsewhere. */

import { isIPv4 } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { type ApiSourceError, notConfigured } from "../base/errors.js";
import { readBaseUrlParts } from "./base-url.js";
import { fillPlaceholders, findPlaceholderNames } from "./field-syntax.js";
import { hasDotSegment } from "./path-readings.js";

/** The value of a placeholder; it has one, that was made sure of before. */
export type ReadVariable = (name: string) => string;

/**
 * Takes a base URL that the schema accepted. In the host a value is DNS labels (RFC 1123, section 2.1), in the port
 * digits, in the path one percent-encoded segment. What comes out is read again by the URL parser, whose host, port
 * and path must be exactly those that were put together here. A host of placeholders alone is never an address, `localhost` or a
 * name without a dot, unless the record allows it: the caller who gives the value would choose the network.
 *
 * @param mayBeLocal - Whether a host made of these placeholders alone may be local.
 * @throws ApiSourceError `not_configured`, code `malformed_placeholder`, that names the placeholder and not its value.
 */
export function resolveBaseUrl(
  template: string,
  readVariable: ReadVariable,
  mayBeLocal: (names: readonly string[]) => boolean,
): string {
  // As the schema accepted it.
  if (!template.includes("{")) return template;
  const parts = readBaseUrlParts(template);
  if (!parts) throw refuseBaseUrl();
  const host = fillPlaceholders(parts.host, (name) => toHostValue(name, readVariable(name)));
  const port = fillPlaceholders(parts.port ?? "", (name) => toPortValue(name, readVariable(name)));
  const path = resolvePath(parts.rest, "api.baseUrl", readVariable);
  const resolved = `${parts.scheme}://${host}${parts.port === undefined ? "" : `:${port}`}${path}`;
  const names = findPlaceholderNames(parts.host);
  if (!URL.canParse(resolved)) throw refuseBaseUrl();
  if (names.length === 0) return resolved;
  if (new URL(resolved).hostname !== host.toLowerCase() || !host.split(".").every(isLabel))
    throw refuseBaseUrl();
  const isWhollyFilled = !/[a-z0-9]/i.test(fillPlaceholders(parts.host, () => ""));
  if (!isWhollyFilled || !isLocal(host.toLowerCase()) || mayBeLocal(names)) return resolved;
  throw notConfigured(
    "malformed_placeholder",
    "The value of the placeholder that is the host of `api.baseUrl` is an address or a local name.",
    'Give a host name with a dot. If the API really is there, write the host into the record, or "network": { "allowLocalAddresses": true }.',
  );
}

/**
 * Takes a path, with a query or without, as it is in the record's field; each placeholder becomes one percent-encoded
 * segment, or a part of one. A segment that a value would turn into `.` or `..` on any server is refused.
 *
 * @throws ApiSourceError `not_configured`, code `malformed_placeholder`, that names the placeholder and not its value.
 */
export function resolvePath(template: string, field: string, readVariable: ReadVariable): string {
  const segments = template.split("/").map((segment) => {
    const [first] = findPlaceholderNames(segment);
    if (first === undefined) return segment;
    const filled = fillPlaceholders(segment, (name) => toPathValue(name, field, readVariable(name)));
    if (!hasDotSegment(filled)) return filled;
    const why = "it would make a `.` or `..` segment, which leads to another path";
    throw refusePlaceholder(first, field, why, "Give one segment of the path, without `..`.");
  });
  return segments.join("/");
}

function isLocal(host: string): boolean {
  return isIPv4(host) || !host.includes(".") || host.endsWith(".localhost");
}

/**
 * Whether a label that begins with `xn--` is an international name: it decodes, and encodes to itself (RFC 5891, section 5.4).
 * The URL parsers of Node.js 20 and 22 refuse what does not; that of Node.js 24 takes it.
 */
function isLabel(label: string): boolean {
  const ascii = label.toLowerCase();
  if (!ascii.startsWith("xn--")) return true;
  const name = domainToUnicode(ascii);
  return name !== ascii && domainToASCII(name) === ascii;
}

/** Letters, digits and hyphens between dots: an international name has to come in its ASCII form (xn--…). */
function toHostValue(name: string, value: string): string {
  const isHost =
    value.length <= 253 && value.split(".").every((label) => /^(?!-)[A-Za-z0-9-]{1,63}$(?<!-)/.test(label));
  if (isHost) return value;
  throw refusePlaceholder(
    name,
    "api.baseUrl",
    "a host name takes only letters, digits, hyphens, and dots between them",
    'Give only that part of the host, such as "acme", not a URL; an international name in its ASCII form (xn--…).',
  );
}

function toPortValue(name: string, value: string): string {
  if (/^\d{1,5}$/.test(value)) return value;
  const hint = 'Give the number alone, such as "8080".';
  throw refusePlaceholder(name, "api.baseUrl", "a port takes only digits", hint);
}

function toPathValue(name: string, field: string, value: string): string {
  if (value !== "" && !/[\p{Cc}\p{Cs}]/u.test(value)) return encodeURIComponent(value);
  const why = "it is empty, or holds a line break or another character that no URL can carry";
  throw refusePlaceholder(name, field, why, "Give one segment of the path as plain text.");
}

/** Describes why a value cannot replace its placeholder, without the value: it may be a secret. */
function refusePlaceholder(name: string, field: string, why: string, hint: string): ApiSourceError {
  return notConfigured(
    "malformed_placeholder",
    `The value of the placeholder {${name}} is not allowed in \`${field}\`: ${why}.`,
    `${hint} The value comes from \`api.variables.${name}\`${name === "username" ? ", or is the username of the credential" : ""}.`,
    { placeholder: name, field },
  );
}

function refuseBaseUrl(): ApiSourceError {
  return notConfigured(
    "malformed_placeholder",
    "The values of the placeholders in `api.baseUrl` don't make a URL with the host that is written there.",
    "Check each value in `api.variables`: together they must make a host name and a port that exist.",
  );
}
