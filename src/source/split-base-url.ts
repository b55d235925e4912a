/** The parts of a base URL that may still hold `{name}` placeholders, which no URL parser would accept. */

export interface BaseUrlParts {
  /** `http` or `https`, as written. */
  readonly scheme: string;
  /** Everything between `//` and the path: `host:port`. */
  readonly authority: string;
  readonly host: string;
  /** Without the colon; absent when there is none. */
  readonly port?: string;
  /** What follows the authority; `""` or begins with `/`. A query or fragment, where one stands, is still in it. */
  readonly rest: string;
}

/** Splits as RFC 3986, section 3 does; undefined for what is no absolute http(s) URL. */
export function splitBaseUrl(text: string): BaseUrlParts | undefined {
  const [whole, scheme = "", authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const rest = text.slice(whole.length);
  // An IPv6 address stands in brackets, so that its colons begin no port (RFC 3986, section 3.2.2).
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority) ?? [];
  return { scheme, authority, host, rest, ...(port === undefined ? {} : { port }) };
}
