/** The parts of a base URL, whether every request can be below it, and how its `{name}` and those of a path are filled so that no value moves a request elsewhere. */

import { isIPv4 } from "node:net";
import { type ApiSourceError, notConfigured } from "../base/errors.js";
import { hasDotSegment } from "../base/path-readings.js";
import { fillPlaceholders, findPlaceholderNames } from "./field-syntax.js";
import type { Problem } from "./problem.js";

/**
 * Splits as RFC 3986, section 3 does; undefined for text that is not an absolute http(s) URL. The parts may still hold `{name}` placeholders, which
 * no URL parser would accept.
 */
export function readBaseUrlParts(text: string) {
  const [whole, scheme = "", authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rest = text.slice(whole.length);
  // An IPv6 address is in brackets, so that its colons do not begin a port (RFC 3986, section 3.2.2).
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority) ?? [];
  return {
    /** `http` or `https`, as written. */
    scheme,
    /** Everything between `//` and the path: `host:port`. */
    authority,
    host,
    /** The rest behind the authority; `""` or begins with `/`. It still has its query or fragment. */
    rest,
    /** The port without the colon. Always a member of its own: nothing inherited takes its place. */
    port,
  };
}

/**
 * The host of a base URL without its port: a name that a port chosen at random doesn't change. A placeholder remains
 * there by its name. Undefined when the host is missing, or a user name in front of it.
 */
export function findHostName(baseUrl: string): string | undefined {
  const parts = readBaseUrlParts(baseUrl);
  if (!parts || parts.host === "" || parts.authority.includes("@")) return undefined;
  return fillPlaceholders(parts.host, (name) => name).toLowerCase();
}

export const secretInAddressProblem: Problem = {
  message: "holds `${…}`, which is for headers, query and variables",
  fix: 'Write {name} here and add "variables": { "name": "${NAME}" } under `api`.',
};

const unfitTexts: readonly (Problem & { readonly pattern: RegExp })[] = [
  // A URL parser drops or turns these silently, so that what is read is not what is sent.
  {
    pattern: /[\s\\\p{Cc}]/u,
    message: "holds a space, a line break, another control character or a backslash",
    fix: "Remove it; write a space inside a path as %20.",
  },
  { pattern: /\$\{/, ...secretInAddressProblem },
  { pattern: /^(?!https?:\/\/)/i, message: "is not an absolute http or https URL" },
  {
    pattern: /^\w+:\/\/[^/?#]*@/,
    message: "carries a user name or password in front of the host",
    fix: 'Remove it; set `authType` to "basic" and put both into the environment or the `credentials` option.',
  },
  { pattern: /^\w+:\/\/(?:[:/?#]|$)/, message: "has no host" },
  {
    pattern: /[?#]/,
    message: "has a query (`?…`) or a fragment (`#…`)",
    fix: 'Move what follows a `?` to `query` under `api`: "query": { "version": "2" }; drop any `#…`.',
  },
  {
    pattern: /%(?![0-9a-f]{2})/i,
    message: "holds a `%` that begins no escape",
    fix: "Write a percent sign in a path as %25.",
  },
];

/** The whole as RFC 3986 section 3 calls it, less what a base can't have: user name, query, fragment. */
export function findBaseUrlProblem(text: string): Problem | undefined {
  if (text.length > 2048) return { message: "is longer than 2,048 characters" };
  const unfit = unfitTexts.find(({ pattern }) => pattern.test(text));
  if (unfit) return { message: unfit.message, fix: unfit.fix };
  if (/[{}]/.test(fillPlaceholders(text, () => ""))) {
    return {
      message: "contains a brace that is not part of a {name} placeholder",
      fix: "Write a placeholder as {name}: a letter or `_`, then letters, digits, `_`, `-` or `.`.",
    };
  }
  const { scheme = "", host = "", port = "", rest = "" } = readBaseUrlParts(text) ?? {};
  // Each placeholder gets a sample: a digit too, as `10.0.0.{n}` needs one.
  const [path, digits] = [fillPlaceholders(rest, () => "x"), fillPlaceholders(port, () => "1")];
  if (hasDotSegment(path)) {
    return {
      message: "has a `.` or `..` segment in its path",
      fix: "Write the path that it leads to.",
    };
  }
  const parses = ["x", "1"].some((sample) =>
    URL.canParse(`${scheme}://${fillPlaceholders(host, () => sample)}:${digits}${path}`),
  );
  const literalHost = fillPlaceholders(host, () => "");
  if (parses && (literalHost === host || /^[A-Za-z0-9._-]*$/.test(literalHost))) return undefined;
  return {
    message: "has a host or port that no URL can have",
    fix: "Correct it; beside a {name} a host takes letters, digits, hyphens and dots, an international name as xn--….",
  };
}

/** The address and the query of an endpoint; the query begins with `?`, or is `""`. */
export function readEndpointParts(text: string): {
  readonly address: string;
  readonly query: string;
} {
  const [address = "", query = ""] = text.split(/(?=\?)(.*)/s);
  return { address, query };
}

/**
 * Judges an endpoint of an authorization server: a base URL, but for the query that RFC 6749 section 3.2 allows. Secrets go
 * there, so it is https (RFC 6749, section 3.2), or this machine.
 */
export function findEndpointUrlProblem(text: string): Problem | undefined {
  const { address, query } = readEndpointParts(text);
  const problem = findBaseUrlProblem(address);
  if (problem !== undefined) return problem;
  if (/[#\s\\{}\p{Cc}]/u.test(query)) {
    return {
      message: "has a query that holds a space, a fragment, a brace or a backslash",
      fix: "Escape it, or move the parameter to `tokenParameters`.",
    };
  }
  const { scheme = "", host = "" } = readBaseUrlParts(address) ?? {};
  return scheme.toLowerCase() === "https" || isLoopbackHost(host)
    ? undefined
    : { message: "is not https" };
}

/** Whether a host is this machine by its very name. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
}

/**
 * Takes a base URL that the schema accepted. In host and port a value is DNS labels (RFC 1123, section 2.1), in the path one
 * percent-encoded segment. What comes out is read again by the URL parser, whose host must be exactly the one that was put
 * together here. A host of placeholders alone is never an address, `localhost` or a name without a dot, unless the record allows it:
 * the caller who gives the value would choose the network.
 *
 * @param readVariable - The value of a placeholder; it has one, that was made sure of before.
 * @param mayBeLocal - Whether a host made of these placeholders alone may be local.
 * @throws ApiSourceError `not_configured`, code `malformed_placeholder`, that names the placeholder and not its value.
 */
export function resolveBaseUrl(
  template: string,
  readVariable: (name: string) => string,
  mayBeLocal: (names: readonly string[]) => boolean,
): string {
  // As the schema accepted it.
  if (!template.includes("{")) return template;
  const { scheme = "", authority = "", host = "", rest = "" } = readBaseUrlParts(template) ?? {};
  const filled = fillPlaceholders(authority, (name) => toHostValue(name, readVariable(name)));
  const resolved = `${scheme}://${filled}${resolvePath(rest, "api.baseUrl", readVariable)}`;
  const filledHost = readBaseUrlParts(resolved)?.host.toLowerCase() ?? "";
  const names = findPlaceholderNames(host);
  const isChanged =
    names.length > 0 && URL.canParse(resolved) && new URL(resolved).hostname !== filledHost;
  if (isChanged || !URL.canParse(resolved))
    throw refuse(
      "The values of the placeholders in `api.baseUrl` don't make a URL with the host that is written there.",
      "Check each value in `api.variables`: together they must make a host name and a port that exist.",
    );
  const isWhollyFilled = names.length > 0 && !/[a-z0-9]/i.test(fillPlaceholders(host, () => ""));
  if (!isWhollyFilled || !isLocal(filledHost) || mayBeLocal(names)) return resolved;
  throw refuse(
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
export function resolvePath(
  template: string,
  field: string,
  readVariable: (name: string) => string,
): string {
  const segments = template.split("/").map((segment) => {
    const [first] = findPlaceholderNames(segment);
    if (first === undefined) return segment;
    const filled = fillPlaceholders(segment, (name) =>
      toPathValue(name, field, readVariable(name)),
    );
    if (!hasDotSegment(filled)) return filled;
    throw refuseValue(
      first,
      field,
      "it would make a `.` or `..` segment, which leads to another path",
      "Give one segment of the path, without `..`.",
    );
  });
  return segments.join("/");
}

const isLocal = (host: string): boolean =>
  isIPv4(host) || !host.includes(".") || host.endsWith(".localhost");

/** Letters, digits and hyphens between dots: an international name has to come in its ASCII form (xn--…). */
function toHostValue(name: string, value: string): string {
  const isHost =
    value.length <= 253 &&
    value.split(".").every((label) => /^(?!-)[A-Za-z0-9-]{1,63}$(?<!-)/.test(label));
  if (isHost) return value;
  throw refuseValue(
    name,
    "api.baseUrl",
    "a host name takes only letters, digits, hyphens, and dots between them, a port only digits",
    'Give only that part of the host, such as "acme", not a URL; an international name in its ASCII form (xn--…).',
  );
}

function toPathValue(name: string, field: string, value: string): string {
  if (value !== "" && !/[\p{Cc}\p{Cs}]/u.test(value)) return encodeURIComponent(value);
  const why = "it is empty, or holds a line break or another character that no URL can carry";
  throw refuseValue(name, field, why, "Give one segment of the path as plain text.");
}

/** Describes why a value cannot replace its placeholder, without the value: it may be a secret. */
const refuseValue = (name: string, field: string, why: string, hint: string): ApiSourceError =>
  refuse(
    `The value of the placeholder {${name}} is not allowed in \`${field}\`: ${why}.`,
    `${hint} The value comes from \`api.variables.${name}\`${name === "username" ? ", or is the username of the credential" : ""}.`,
    { placeholder: name, field },
  );

const refuse = (message: string, hint: string, details?: unknown): ApiSourceError =>
  notConfigured("malformed_placeholder", message, hint, details);
