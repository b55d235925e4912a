/** Reads one response header as one text, and what headers alone say about a failure. */

import type { ResponseHeaders } from "../limits/rate-limit.js";
import { parseChallenges } from "./parse-challenges.js";

/** The header's first value; undefined when absent or blank. */
export function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  const first = typeof value === "string" ? value : value?.[0];
  return first === undefined || first.trim() === "" ? undefined : first.trim();
}

export interface HeaderFacts {
  readonly message?: string;
  readonly code?: string;
}

/** Error codes and texts in headers: OAuth2 in `WWW-Authenticate` (RFC 6750), AWS, Azure, and plain `x-error` forms. */
export function readHeaderFacts(headers: ResponseHeaders): HeaderFacts {
  const challenge = parseChallenges(headers["www-authenticate"]).find((item) => item.params.has("error"));
  const aws = readHeader(headers, "x-amzn-errortype")?.split(":")[0]?.split("#").at(-1);
  const code = aws ?? readHeader(headers, "x-ms-error-code") ?? challenge?.params.get("error");
  const message =
    challenge?.params.get("error_description") ??
    readHeader(headers, "x-error-message") ??
    readHeader(headers, "x-amzn-error-message") ??
    readHeader(headers, "x-error") ??
    readHeader(headers, "grpc-message");
  return { ...(message ? { message } : {}), ...(code ? { code } : {}) };
}
