/** Builds the request that goes on the wire, but for the credential: every rule about a call is applied here, in this order. */

import { randomUUID } from "node:crypto";
import { invalidInput, refusedByPolicy } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import type { FileFacts } from "../body/files/file.js";
import { type ApiSettings, type HttpMethod, httpMethods } from "../record/api-source.js";
import type { ResolvedSource } from "../record/resolve-source.js";
import type { Redactor } from "../secrets/redactor.js";
import { checkFileType, checkHeaders, readBodyFormat } from "./check-headers.js";
import { checkMethod, checkOverride } from "./check-parameters.js";
import { findBelowBase, toBasePath } from "./check-path.js";
import { checkPathRules } from "./check-path-rules.js";
import { isRead } from "./is-read.js";
import {
  joinRepeated,
  parseQuery,
  parseQueryString,
  type QueryPair,
  type QueryStyles,
} from "./parse-query.js";
import { resolveUrl } from "./resolve-url.js";
import { type SerializedBody, serializeBody, type WrittenFormat } from "./serialize-body.js";

/** A request that passed every rule and is ready for the wire, but for the credential. */
export interface WireRequest {
  readonly method: HttpMethod;
  /** The absolute URL, byte for byte as it is sent; it never holds the credential. */
  readonly url: string;
  /** Constant headers and those the agent added; it never holds the credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** The serialised body; its `Content-Type` is among the headers. */
  readonly body?: Uint8Array;
}

/** A file that a request sends, as plain data. */
export interface SentFile extends FileFacts {
  /** Which part of a multipart body it is. */
  readonly part?: string;
}

/** A body that was written before: a file, or a multipart body. */
export interface EncodedBody extends SerializedBody {
  readonly files: readonly SentFile[];
  /** The parts of a multipart body, as a server could read them as parameters. Absent for a file: its bytes are judged. */
  readonly fields?: readonly QueryPair[];
  /** What a person reads before `text`, or in its place; not redacted. */
  readonly shown: string;
  /** A file as its receiver reads it; not redacted. Absent where it is not text. */
  readonly text?: string;
}

export type BuiltRequest = ReturnType<typeof createWireRequest>;

export interface WireRequestInput {
  readonly api: ApiSettings;
  /** The source's own parts with their placeholders filled. */
  readonly resolved: Pick<ResolvedSource, "baseUrl" | "headers" | "query">;
  /** What the agent asks for. */
  readonly request: {
    readonly method: unknown;
    readonly path: string;
    readonly query?: unknown;
    readonly body?: unknown;
    readonly headers?: unknown;
  };
  /** The header that will carry the credential. */
  readonly credentialHeader?: string;
  /** Whether the record's `methods` and `paths` rules apply; they don't to the connection test. @default true */
  readonly applyRules?: boolean;
  /** The body, in place of the one in `request`. */
  readonly body?: EncodedBody;
  /** How the operation takes lists and objects in its query. */
  readonly queryStyles?: QueryStyles;
}

/** @throws ApiSourceError `refused_by_policy` or `invalid_input`, with the rule and what to send instead. */
export function createWireRequest(input: WireRequestInput) {
  const { api, resolved, request, applyRules = true } = input;
  const method = checkMethod(request.method, applyRules ? api.methods : httpMethods);
  const reservedQueryNames = [
    ...(api.authType === "query" && api.queryParam !== undefined ? [api.queryParam] : []),
    ...Object.keys(api.query),
  ];
  const url = resolveUrl({
    baseUrl: resolved.baseUrl,
    ...readQuery(input),
    constantQuery: resolved.query,
    reservedQueryNames,
  });
  if (applyRules) {
    checkRepeatedBase(request.path, url.path, input);
    checkPathRules(url.path, api.paths);
  }
  const { body: encoded } = input;
  const given = checkHeaders(request.headers, api, input.credentialHeader, encoded !== undefined);
  const headers: Record<string, string> = { ...resolved.headers, ...given };
  if (encoded !== undefined) {
    if (encoded.fields === undefined) checkFileType(encoded.contentType, api.bodyFormat);
    for (const name of Object.keys(headers))
      if (name.toLowerCase() === "content-type") delete headers[name];
    headers["Content-Type"] = encoded.contentType;
  }
  const contentType = findHeader(headers, "content-type");
  const isWritten = encoded === undefined && request.body !== undefined;
  const body = isWritten
    ? serializeBody(request.body, method, findFormat(api, contentType))
    : encoded;
  const parameters = [...url.parameters, ...Object.entries(given), ...(encoded?.fields ?? [])];
  if (applyRules)
    checkOverride(api, method, parameters, encoded?.fields === undefined ? body : undefined);
  // A key of its own for each write, the same for every attempt of it, so that the API can distinguish a retry from a second write
  // (draft-ietf-httpapi-idempotency-key-header). The agent's own key is kept.
  const { idempotencyHeader: keyHeader } = api;
  const needsKey =
    keyHeader !== undefined && method !== "GET" && findHeader(given, keyHeader) === undefined;
  if (needsKey) headers[keyHeader] = randomUUID();
  // A Content-Type that the agent or the record gave (such as a JSON patch type) is kept: it names the same bytes more exactly.
  if (body !== undefined && contentType === undefined) headers["Content-Type"] = body.contentType;
  // What a form or an uploaded file does is not shown by its text.
  const isJson = encoded === undefined && findFormat(api, contentType) === "json";
  const text = isJson && body !== undefined ? new TextDecoder().decode(body.bytes) : undefined;
  const isReading = isRead(
    { method, path: url.path, parameters: [...parameters, ...url.query], body: text },
    isJson ? (api.reads ?? []) : [],
  );
  if (applyRules && method === "GET" && !isReading && !api.methods.includes("POST"))
    throw refusedByPolicy(
      "This GET contains a GraphQL mutation or subscription, and this source allows no writes by POST.",
      "Send a query. Nothing was sent.",
    );
  const wire: WireRequest = { method, url: url.url, headers, body: body?.bytes };
  return {
    wire,
    method,
    url,
    /** The agent's own query parameters: without constants and the credential. */
    query: url.query,
    /** The names the agent may not set: the credential's and the constant ones. */
    reservedQueryNames,
    /** Whether the record's `methods` and `paths` rules were applied. */
    hasRules: applyRules,
    /** Whether it surely changes nothing: a GET, a request that `api.reads` names, or a GraphQL query. */
    isRead: isReading,
    /** The header whose value was made up for this request: its idempotency key. */
    generatedHeader: needsKey ? keyHeader : undefined,
    /** Set for a file or a multipart body. */
    encoded,
  };
}

/** Without styles the query in a path stays as it is, byte for byte. */
function readQuery({ request, queryStyles }: WireRequestInput): {
  path: string;
  query: QueryPair[];
} {
  const { path, query } = request;
  if (queryStyles === undefined || queryStyles.size === 0 || typeof path !== "string")
    return { path, query: parseQuery(query) };
  const [own = "", inPath = ""] = path.split(/\?(.*)/s);
  const pairs = [...parseQueryString(inPath), ...parseQuery(query, queryStyles)];
  return { path: own, query: joinRepeated(pairs, queryStyles) };
}

/**
 * Links in bodies repeat the path of the base URL. A path that the record itself writes so is meant.
 *
 * @throws ApiSourceError `invalid_input`
 */
function checkRepeatedBase(
  given: unknown,
  path: string,
  { api, resolved }: WireRequestInput,
): void {
  const base = toBasePath(new URL(resolved.baseUrl));
  const below = base === "" ? undefined : findBelowBase(path, base);
  if (below === undefined || /^https?:/i.test(String(given))) return;
  const own = [...(api.paths.allow ?? []), ...api.endpoints.map((endpoint) => endpoint.path)];
  if (own.some((each) => each === base || each.startsWith(`${base}/`))) return;
  throw invalidInput(
    `${quoteText(base)} is already in the base URL; use ${quoteText(below === "" ? "/" : below)}.`,
    "Give the path below the base URL. Nothing was sent.",
  );
}

function findFormat({ bodyFormat }: ApiSettings, contentType: string | undefined): WrittenFormat {
  const format = bodyFormat === "multipart" ? undefined : bodyFormat;
  return format ?? readBodyFormat(contentType ?? "application/json") ?? "json";
}

/** The value of a header, whatever the case of its name. */
export function findHeader(
  headers: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** A request as it may be shown: without the credential, each secret of the call replaced. */
export type ShownRequest = ReturnType<typeof showRequest>;

/** The one place where a call takes secrets out of the address of a request; a text is made when it is read, for the redactor learns. */
export function showRequest(
  { method, url, wire }: BuiltRequest,
  baseUrl: string,
  redactor: Redactor,
  above?: string,
) {
  const show = (text: string): string => redactor.redact(text);
  return {
    /** Method, path and query as sent: `GET /issues?page=2`. */
    get line() {
      const query = url.url.indexOf("?");
      return show(`${method} ${url.path}${query < 0 ? "" : url.url.slice(query)}`);
    },
    get path() {
      return show(url.path);
    },
    get url() {
      return show(wire.url);
    },
    get baseUrl() {
      return show(baseUrl);
    },
    /** A path above, which is a beginning of its own. */
    get above() {
      return above && show(above);
    },
  };
}
