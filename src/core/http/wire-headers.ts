/** The headers a request carries by itself, and those of an answer as plain data. */

import type { IncomingMessage } from "node:http";
import type { ResponseHeaders } from "./limits/rate-limit.js";

/** This package's version, as in package.json (a test holds them together). */
export const packageVersion = "0.1.0";

const defaultHeaders: Readonly<Record<string, string | false>> = {
  Accept: "application/json, */*;q=0.5",
  // What readBody can decode, and nothing else.
  "Accept-Encoding": "gzip, deflate, br",
  "User-Agent": `langchain-api-sources/${packageVersion}`,
  "Content-Type": false,
};

/** What a host for downloads is sent: `Accept`, and nothing of the source, of the model or of the client. `false` keeps axios from adding its own. */
export const downloadHeaders: Readonly<Record<string, string | false>> = {
  Accept: "*/*",
  "Accept-Encoding": false,
  "User-Agent": false,
  "Content-Type": false,
};

/**
 * Returns the headers with the missing defaults added; names are compared without regard to case.
 *
 * `Content-Type: false` keeps axios from adding its own (`application/x-www-form-urlencoded`) to a write without one.
 */
export function applyDefaultHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string | false> {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const missing = Object.entries(defaultHeaders).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(missing), ...headers };
}

/**
 * Returns an answer's headers: names in lower case, a repeated header as an array. Of those that may occur only once
 * (`Content-Type`, `Retry-After`), Node keeps the first.
 */
export function readResponseHeaders(message: IncomingMessage): ResponseHeaders {
  const entries = Object.entries(message.headersDistinct).map(([name, values = []]) => {
    const [first = ""] = values;
    const isSingle = values.length === 1 || message.headers[name] === first;
    return [name, isSingle ? first : values] as const;
  });
  return Object.fromEntries(entries);
}
