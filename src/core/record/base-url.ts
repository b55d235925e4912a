/** What a base URL is made of, and whether every request can be below it; endpoints of authorization servers too. */

import { fillPlaceholders } from "./field-syntax.js";
import { hasDotSegment } from "./path-readings.js";
import type { Problem } from "./problem.js";

/** The parts of a base URL that may still hold `{name}` placeholders, which no URL parser would accept. */
export interface BaseUrlParts {
  /** `http` or `https`, as written. */
  readonly scheme: string;
  /** Everything between `//` and the path: `host:port`. */
  readonly authority: string;
  readonly host: string;
  /** Without the colon. Always a member of its own: nothing inherited takes its place. */
  readonly port: string | undefined;
  /** What follows the authority; `""` or begins with `/`. It still has its query or fragment. */
  readonly rest: string;
}

/** Splits as RFC 3986, section 3 does; undefined for text that is not an absolute http(s) URL. */
export function readBaseUrlParts(text: string): BaseUrlParts | undefined {
  const [whole, scheme = "", authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rest = text.slice(whole.length);
  // An IPv6 address is in brackets, so that its colons do not begin a port (RFC 3986, section 3.2.2).
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority) ?? [];
  return { scheme, authority, host, rest, port };
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

/** What RFC 3986 section 3 calls the whole of it, less what a base can't have: user name, query, fragment. */
export function findBaseUrlProblem(text: string): Problem | undefined {
  if (text.length > 2048) return { message: "is longer than 2,048 characters" };
  // A URL parser drops or turns these silently, so that what is read is not what is sent.
  if (/[\s\\\p{Cc}]/u.test(text)) {
    const message = "holds a space, a line break, another control character or a backslash";
    return { message, fix: "Remove it; write a space inside a path as %20." };
  }
  if (text.includes("${")) return secretInAddressProblem;
  const parts = readBaseUrlParts(text);
  return parts ? findPartProblem(parts) : { message: "is not an absolute http or https URL" };
}

export const secretInAddressProblem: Problem = {
  message: "holds `${…}`, which is for headers, query and variables",
  fix: 'Write {name} here and add "variables": { "name": "${NAME}" } under `api`.',
};

function findPartProblem({ scheme, authority, host, port = "", rest }: BaseUrlParts): Problem | undefined {
  if (authority.includes("@")) {
    return {
      message: "carries a user name or password in front of the host",
      fix: 'Remove it; set `authType` to "basic" and put both into the environment or the `credentials` option.',
    };
  }
  if (host === "") return { message: "has no host" };
  if (/[?#]/.test(rest)) {
    const fix = 'Move what follows a `?` to `query` under `api`: "query": { "version": "2" }; drop any `#…`.';
    return { message: "has a query (`?…`) or a fragment (`#…`)", fix };
  }
  if (/%(?![0-9a-f]{2})/i.test(rest)) {
    return { message: "holds a `%` that begins no escape", fix: "Write a percent sign in a path as %25." };
  }
  const [literalHost = "", literalPort = "", literalRest = ""] = [host, port, rest].map((part) =>
    fillPlaceholders(part, () => ""),
  );
  if (/[{}]/.test(literalHost + literalPort + literalRest)) {
    return {
      message: "contains a brace that is not part of a {name} placeholder",
      fix: "Write a placeholder as {name}: a letter or `_`, then letters, digits, `_`, `-` or `.`.",
    };
  }
  // With a sample for each placeholder: a digit too, as `10.0.0.{n}` needs one.
  const [path, digits] = [fillPlaceholders(rest, () => "x"), fillPlaceholders(port, () => "1")];
  if (hasDotSegment(path)) {
    return { message: "has a `.` or `..` segment in its path", fix: "Write the path that it leads to." };
  }
  const parses = ["x", "1"].some((sample) =>
    URL.canParse(`${scheme}://${fillPlaceholders(host, () => sample)}:${digits}${path}`),
  );
  if (parses && (literalHost === host || /^[A-Za-z0-9._-]*$/.test(literalHost))) return undefined;
  return {
    message: "has a host or port that no URL can have",
    fix: "Correct it; beside a {name} a host takes letters, digits, hyphens and dots, an international name as xn--….",
  };
}

/** The address and the query of an endpoint; the query begins with `?`, or is `""`. */
export function readEndpointParts(text: string): { readonly address: string; readonly query: string } {
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
  return scheme.toLowerCase() === "https" || isLoopbackHost(host) ? undefined : { message: "is not https" };
}

/** Whether a host is this machine by its very name. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
}
