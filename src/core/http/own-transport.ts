/** An application's own way to carry requests in place of the network, such as the answers of a test. */

import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from "axios";
import { codeOf } from "./send-failure.js";
import type { CallProgress, WatchedAnswer } from "./watch-request.js";

/** A request as it would go to the wire: judged, paced, and with the credential on it. */
export interface TransportRequest {
  /** GET, POST, PUT, DELETE or PATCH. */
  readonly method: string;
  /** The absolute URL, the query included. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; absent without a body. */
  readonly body?: string;
  /** Fires when no caller waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The response that such a function gives. */
export interface TransportAnswer {
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** A string or bytes as they are; any other value as JSON. @default no body */
  readonly body?: unknown;
}

/** An answer whose body breaks off. */
interface OwnAnswer extends TransportAnswer {
  readonly isTruncated?: boolean;
}

/**
 * Answers a request in place of the network. Retries, redirects, quotas and limits are as ever. What it throws is a connection that
 * broke, by the `code` it has (`ECONNREFUSED`).
 *
 * @example
 * const transport: TransportFunction = ({ method, url }) => ({ status: 200, body: { method, url } });
 */
export type TransportFunction = (
  request: TransportRequest,
) => TransportAnswer | Response | Promise<TransportAnswer | Response>;

/** As a {@link TransportFunction}; an answer of a replay may break off. */
type AnswerFunction = (request: TransportRequest) => OwnAnswer | Response | Promise<OwnAnswer | Response>;
export type Adapter = (config: InternalAxiosRequestConfig) => Promise<AxiosResponse<WatchedAnswer>>;

/** Creates axios' adapter of one call. */
export function createOwnAdapter(
  transport: AnswerFunction,
  progress: CallProgress,
  signal: AbortSignal,
): Adapter {
  return async (config) => {
    progress.attempts += 1;
    progress.phase = "first_byte";
    const message = await callTransport(transport, config, signal);
    progress.phase = "body";
    const status = message.statusCode ?? 0;
    const data = { statusCode: status, headers: {}, message };
    const response = { data, status, statusText: "", headers: {}, config };
    if (config.validateStatus?.(status) !== false) return response;
    throw new AxiosError("The answer may be retried.", undefined, config, undefined, response);
  };
}

async function callTransport(
  transport: AnswerFunction,
  config: InternalAxiosRequestConfig,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    return await readOwnAnswer(await transport(readRequest(config, signal)));
  } catch (error) {
    // `fetch` hides the code of a failed connection in its error's cause.
    const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
    // axios-retry looks at no error but axios' own.
    throw Object.assign(new AxiosError("No answer.", codeOf(cause).code, config), { cause });
  }
}

function readRequest(
  { method = "GET", url = "", headers, data }: InternalAxiosRequestConfig,
  signal: AbortSignal,
): TransportRequest {
  const given = Object.entries(headers.toJSON()).filter(([, value]) => typeof value === "string");
  return {
    method: method.toUpperCase(),
    url,
    headers: Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)])),
    ...(data instanceof Uint8Array ? { body: Buffer.from(data).toString("utf8") } : {}),
    signal,
  };
}

/** Headers of a body that `fetch` has decoded, and no longer true. */
const decodedHeaders = new Set(["content-encoding", "content-length", "transfer-encoding"]);

async function readOwnAnswer(answer: OwnAnswer | Response): Promise<IncomingMessage> {
  if (answer instanceof Response) {
    const headers = [...answer.headers].filter(([name]) => !decodedHeaders.has(name));
    const message = createMessage(answer.status, headers, Buffer.from(await answer.arrayBuffer()));
    message.push(null);
    return message;
  }
  const { status = 200, headers = {}, body, isTruncated = false } = answer;
  const { bytes, type } = encodeBody(body);
  const listed = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name.toLowerCase(), value]),
  );
  const isTyped = type === undefined || listed.some(([name]) => name === "content-type");
  const message = createMessage(status, isTyped ? listed : [...listed, ["content-type", type]], bytes);
  if (isTruncated) breakOff(message);
  else message.push(null);
  return message;
}

function encodeBody(body: unknown): { bytes: Buffer; type?: string } {
  if (body === undefined) return { bytes: Buffer.alloc(0) };
  if (typeof body === "string") return { bytes: Buffer.from(body, "utf8") };
  if (body instanceof Uint8Array) return { bytes: Buffer.from(body) };
  return { bytes: Buffer.from(JSON.stringify(body), "utf8"), type: "application/json" };
}

/** The answer in the form in which Node hands one over: everything behind it reads no other. */
function createMessage(
  status: number,
  headers: readonly (readonly [string, string])[],
  bytes: Buffer,
): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  const distinct: Record<string, string[]> = {};
  for (const [name, value] of headers) distinct[name] = [...(distinct[name] ?? []), value];
  message.statusCode = status;
  message.headersDistinct = distinct;
  message.headers = Object.fromEntries(
    Object.entries(distinct).map(([name, values]) => [name, values.join(", ")]),
  );
  message.complete = true;
  message.push(bytes);
  return message;
}

/** As a connection that closes in the middle of a body: after its bytes were read, not before. */
function breakOff(message: IncomingMessage): void {
  const error = Object.assign(new Error("The recorded body is incomplete."), { code: "ECONNRESET" });
  message._read = () => setImmediate(() => message.destroy(error));
}
