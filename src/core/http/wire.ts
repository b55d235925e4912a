/** One attempt on the wire: how far it came, the headers that it carries by itself, and the head of its answer as plain data. */

import type { IncomingMessage } from "node:http";
import type { InternalAxiosRequestConfig } from "axios";
import type { ResponseHeaders } from "./limits/rate-limit.js";
import type { ParserFault } from "./parser-fault.js";
import type { TransportPhase } from "./send-failure.js";

/** The facts that the transport keeps about a call while it runs. */
export interface SendProgress {
  phase: TransportPhase;
  attempts: number;
  retries: number;
  /** Each wait before a request, in milliseconds, and what it was for. */
  readonly waits: { readonly ms: number; readonly why: string }[];
  /** Whether an attempt before the last one may have been carried out: its answer was that of a gateway, or did not come. */
  mayBeDone?: true;
  /** The part of the last answer that the parser refused: Node tells the request alone, and the answer that it was cut off. */
  fault?: ParserFault | undefined;
}

/** An answer whose head has arrived. */
export interface AnswerHead {
  /** Three digits as the server wrote them; 0 where it wrote none. */
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The answer itself, its body unread. */
  readonly message: IncomingMessage;
}

/** Reads the head of an answer, once. */
export function readHead(message: IncomingMessage): AnswerHead {
  return { status: message.statusCode ?? 0, headers: readResponseHeaders(message), message };
}

/** Sends one attempt: over the network, or to what answers in its place. Rejects with an AxiosError where no answer came. */
export type SendAttempt = (config: InternalAxiosRequestConfig) => Promise<AnswerHead>;

/** This package's version, as in package.json (a test holds them together). */
export const packageVersion = "0.1.0";

const defaultHeaders: Readonly<Record<string, string | false>> = {
  Accept: "application/json, */*;q=0.5",
  // The codings that readBody can decode, and nothing else.
  "Accept-Encoding": "gzip, deflate, br",
  "User-Agent": `langchain-api-sources/${packageVersion}`,
  "Content-Type": false,
};

/** The headers for a host of downloads: `Accept`, and nothing of the source, of the model or of the client. `false` keeps axios from adding its own. */
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
  const names = Object.keys(headers);
  if (names.length === 0) return { ...defaultHeaders };
  const given = new Set(names.map((name) => name.toLowerCase()));
  const missing = Object.entries(defaultHeaders).filter(([name]) => !given.has(name.toLowerCase()));
  return { ...Object.fromEntries(missing), ...headers };
}

/**
 * Returns an answer's headers: names in lower case, a repeated header as an array. Of those that may occur only once
 * (`Content-Type`, `Retry-After`), Node keeps the first.
 */
function readResponseHeaders(message: IncomingMessage): ResponseHeaders {
  const joined = message.headers;
  const names = Object.keys(joined);
  // Nearly every answer has each header once, and these need no second reading.
  const isEachOnce = 2 * names.length === message.rawHeaders.length;
  const headers: [name: string, value: string | readonly string[]][] = [];
  for (const name of isEachOnce ? names : Object.keys(message.headersDistinct)) {
    const value = joined[name];
    // Node makes a list of a single cookie, too.
    const isText = isEachOnce && typeof value === "string";
    const values = isText ? [value] : (message.headersDistinct[name] ?? []);
    const [first = ""] = values;
    headers.push([name, values.length === 1 || value === first ? first : values]);
  }
  return Object.fromEntries(headers);
}
