/** The transport that answers requests in place of the network (a function of the application, a replay), and the facts that a recorder observes. */

import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { AxiosError, type InternalAxiosRequestConfig } from "axios";
import type { WireRequest } from "../request/wire-request.js";
import type { Redactor } from "../secrets/redactor.js";
import type { ResponseHeaders } from "./limits/rate-limit.js";
import { codeOf, unreachableCodes } from "./send-failure.js";
import { readHead, type SendAttempt, type SendProgress } from "./wire.js";

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
  /** Response headers; their names are taken in upper or lower case. @default none */
  readonly headers?: Readonly<Record<string, string | number | readonly string[]>>;
  /** A string or bytes as they are; any other value as JSON. @default no body */
  readonly body?: unknown;
}

/** An answer of a replay, whose body may break off. */
export type OwnAnswer = TransportAnswer & { readonly isTruncated?: boolean };

/**
 * Answers a request in place of the network. Retries, redirects, quotas and limits are as ever. An error with the `code` of a connection
 * that broke (`ECONNREFUSED`) is one; any other error is a failure of the function, code `internal_error`.
 *
 * @example
 * const transport: TransportFunction = ({ method, url }) => ({ status: 200, body: { method, url } });
 */
export type TransportFunction = (
  request: TransportRequest,
) => TransportAnswer | Response | Promise<TransportAnswer | Response>;

/** One attempt of a request. Its URL and headers do not contain the credential; its body may contain other secrets. */
export interface ObservedRequest {
  /** The tool's name. */
  readonly source: string;
  /** Whether the request obtains a token: what it sends and receives are credentials. */
  readonly isTokenCall: boolean;
  /** The source's base URL with every placeholder filled in. */
  readonly baseUrl: string;
  readonly method: string;
  /** The absolute URL, the query included. */
  readonly url: string;
  readonly contentType?: string | undefined;
  readonly body?: Uint8Array | undefined;
  /** Knows every secret of the toolkit and of this call. */
  readonly redactor: Redactor;
}

/** The result of one attempt: a response, or a connection that broke. */
export interface ObservedAttempt {
  readonly request: ObservedRequest;
  status?: number;
  headers?: ResponseHeaders;
  /** The decompressed body; absent when nothing read it, as for a redirect that was followed. */
  body?: Uint8Array;
  /** Whether the body did not arrive whole. */
  isTruncated?: boolean;
  /** Why no response arrived, as a code of Node's such as `ECONNRESET`; absent when it has none. */
  code?: string;
}

/** Observes requests on the real network: agents, DNS guard, proxy and certificates stay as they are. */
export interface TransportRecorder {
  /** Called once per request of the package, with all its attempts, before the call returns. It may throw an ApiSourceError. */
  record(attempts: readonly ObservedAttempt[]): Promise<void>;
}

/** Answers requests in place of the network, from what was recorded. Waits between requests are skipped. */
export interface TransportReplay {
  /** It may throw an ApiSourceError; any other error is a connection that broke, with the `code` it has. */
  replay(request: ObservedRequest): Promise<OwnAnswer>;
  /** Whether an answer to the request is left. */
  has(request: ObservedRequest): boolean;
}

/** The values of the option `transport`. */
export type TransportOption = TransportFunction | TransportRecorder | TransportReplay;

export function isReplay(transport: TransportOption | undefined): transport is TransportReplay {
  return typeof transport === "object" && "replay" in transport;
}

export function isRecorder(transport: TransportOption | undefined): transport is TransportRecorder {
  return typeof transport === "object" && "record" in transport;
}

/** The request as a recorder and a replay receive it. */
export function observeRequest(
  { method, url, body, headers }: WireRequest,
  known: Pick<ObservedRequest, "source" | "isTokenCall" | "baseUrl" | "redactor">,
): ObservedRequest {
  const contentType = Object.entries(headers).find(
    ([name]) => name.toLowerCase() === "content-type",
  )?.[1];
  const { source, isTokenCall, baseUrl, redactor } = known;
  return { source, isTokenCall, baseUrl, redactor, method, url, contentType, body };
}

/** As a {@link TransportFunction}; an answer of a replay may break off. */
type AnswerFunction = (
  request: TransportRequest,
) => OwnAnswer | Response | Promise<OwnAnswer | Response>;

/** The transport that answers in place of the network, and the call that it answers. */
interface OwnTransport {
  readonly answer: AnswerFunction;
  /** Turns what the function threw into the error of the call. A replay throws what was recorded: that is a connection that broke. */
  readonly explain?: (thrown: unknown) => Promise<never>;
  readonly progress: SendProgress;
  readonly signal: AbortSignal;
}

/** Creates what sends the attempts of one call to it. */
export function createOwnSender(own: OwnTransport): SendAttempt {
  const { progress } = own;
  return async (config) => {
    progress.attempts += 1;
    progress.phase = "first_byte";
    const message = await callTransport(own, config);
    progress.phase = "body";
    return readHead(message);
  };
}

async function callTransport(
  { answer, explain, progress, signal }: OwnTransport,
  config: InternalAxiosRequestConfig,
): Promise<IncomingMessage> {
  try {
    return await readOwnAnswer(await answer(readRequest(config, signal)));
  } catch (error) {
    // `fetch` hides the code of a failed connection in its error's cause.
    const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : error;
    const { code } = codeOf(cause);
    if (explain !== undefined && !isNetworkCode(code)) return explain(error);
    // A replay breaks off as the recorded connection did. What an application's function sent before it failed is not known.
    if (explain === undefined && unreachableCodes.has(code)) progress.phase = "connect";
    // axios-retry looks at no error but axios' own.
    throw Object.assign(new AxiosError("No answer.", code, config), { cause });
  }
}

/** Codes by which Node, undici, llhttp, OpenSSL and axios name a connection that failed: any other error is one of the function itself. */
const networkCode =
  /^(?:E(?:CONN[A-Z]+|PIPE|TIMEDOUT|SOCKETTIMEDOUT|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|NOTFOUND|AI_[A-Z]+|ADDRNOTAVAIL|PROTO)|UND_ERR_\w+|HPE_\w+|CERT_\w+|\w+_CERT(?:_\w+)?|UNABLE_TO_\w+|ERR_(?:TLS|SSL|NETWORK|HTTP2|STREAM_PREMATURE|SOCKET)\w*)$/;

function isNetworkCode(code: string | undefined): boolean {
  return code !== undefined && networkCode.test(code);
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

async function unpack(answer: Response): Promise<OwnAnswer> {
  const headers = [...answer.headers].filter(([name]) => !decodedHeaders.has(name));
  const cookies = answer.headers.getSetCookie();
  return {
    status: answer.status,
    headers: {
      ...Object.fromEntries(headers),
      ...(cookies.length > 0 ? { "set-cookie": cookies } : {}),
    },
    body: new Uint8Array(await answer.arrayBuffer()),
  };
}

/** The answer in the form in which Node hands one over: everything behind it reads no other. */
async function readOwnAnswer(answer: OwnAnswer | Response): Promise<IncomingMessage> {
  const given: OwnAnswer = answer instanceof Response ? await unpack(answer) : answer;
  const { status = 200, headers = {}, body = "", isTruncated = false } = given;
  const isPlain = typeof body === "string" || body instanceof Uint8Array;
  const distinct: Record<string, string[]> = isPlain
    ? {}
    : { "content-type": ["application/json"] };
  for (const [name, values] of Object.entries(headers))
    distinct[name.toLowerCase()] = [values].flat().map(String);
  const message = new IncomingMessage(new Socket());
  message.statusCode = status;
  message.headersDistinct = distinct;
  message.headers = Object.fromEntries(
    Object.entries(distinct).map(([name, values]) => [name, values.join(", ")]),
  );
  message.complete = true;
  message.push(Buffer.from(isPlain ? body : JSON.stringify(body)));
  // As a connection that closes in the middle of a body: after its bytes were read, not before.
  const error = Object.assign(new Error("The recorded body is incomplete."), {
    code: "ECONNRESET",
  });
  if (isTruncated) message._read = () => setImmediate(() => message.destroy(error));
  else message.push(null);
  return message;
}
