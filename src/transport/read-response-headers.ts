/** Response headers as plain data: names in lower case, a repeated header as an array. */

import type { IncomingMessage } from "node:http";
import type { ResponseHeaders } from "../limits/rate-limit.js";

/** Returns the headers. Of those that can stand only once (`Content-Type`, `Retry-After`), Node keeps the first. */
export function readResponseHeaders(message: IncomingMessage): ResponseHeaders {
  const { headers, rawHeaders } = message;
  // As many names as lines: none is repeated. Node makes a list of even one `Set-Cookie`.
  if (Object.keys(headers).length * 2 === rawHeaders.length && headers["set-cookie"] === undefined) {
    return headers as ResponseHeaders;
  }
  const entries = Object.entries(message.headersDistinct).map(([name, values = []]) => {
    const [first = ""] = values;
    const isSingle = values.length === 1 || message.headers[name] === first;
    return [name, isSingle ? first : values] as const;
  });
  return Object.fromEntries(entries);
}
