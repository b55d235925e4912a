/** Builds the request that goes on the wire, but for the credential: every rule about a call is applied here, in this order. */

import { randomUUID } from "node:crypto";
import { invalidInput, refusedByPolicy } from "../base/errors.js";
import { quoteText } from "../base/text.js";
import type { FileFacts } from "../body/files/file.js";
import { type ApiSettings, type HttpMethod, httpMethods } from "../record/api-source.js";
import { checkPathRules } from "../record/path-rules.js";
import type { ResolvedSource } from "../record/resolve-source.js";
import type { Redactor } from "../secrets/redactor.js";
import { checkFileType } from "./check-content-type.js";
import { checkHeaders } from "./check-headers.js";
import { checkMethod, checkOverride } from "./check-parameters.js";
import { findBelowBase, resolvePath } from "./check-path.js";
import { findWriting } from "./find-writing.js";
import { isRead } from "./is-read.js";
import { keepOffset } from "./keep-offset.js";
import type { OperationForm } from "./operation-form.js";
import { parseQuery, parseQueryString } from "./parse-query.js";
import type { QueryPair, WrittenPair } from "./query-style.js";
import { type ResolvedUrl, resolveUrl } from "./resolve-url.js";
import { type SerializedBody, serializeBody, type WrittenFormat } from "./serialize-body.js";
import { joinRepeated } from "./write-query.js";

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
  /** The words that a person reads before `text`, or in its place; not redacted. */
  readonly shown: string;
  /** A file as its receiver reads it; not redacted. Absent where it is not text. */
  readonly text?: string;
}

/** A request that passed every rule, and what was found out about it on the way. */
export interface BuiltRequest {
  readonly wire: WireRequest;
  readonly method: HttpMethod;
  readonly url: ResolvedUrl;
  /** The agent's own query parameters: without constants and the credential. */
  readonly query: readonly QueryPair[];
  /** The names the agent may not set: the credential's and the constant ones. */
  readonly reservedQueryNames: readonly string[];
  /** Whether the record's `methods` and `paths` rules were applied. */
  readonly hasRules: boolean;
  /** Whether it surely changes nothing: a GET, a request that `api.reads` names, or a GraphQL query. */
  readonly isRead: boolean;
  /** The header whose value was made up for this request: its idempotency key. */
  readonly generatedHeader: string | undefined;
  /** Set for a file or a multipart body. */
  readonly encoded: EncodedBody | undefined;
}

export interface WireRequestInput {
  readonly api: ApiSettings;
  /** The source's own parts with their placeholders filled. */
  readonly resolved: Pick<ResolvedSource, "baseUrl" | "headers" | "query">;
  /** The call as the agent gave it. */
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
  /** The operation of the API's document that the call means. */
  readonly operation?: OperationForm | undefined;
}

/** The parameters of a query that the record adds to every request. */
export function listReservedQueryNames({ authType, queryParam, query }: ApiSettings): string[] {
  const key = authType === "query" && queryParam !== undefined ? [queryParam] : [];
  return [...key, ...Object.keys(query)];
}

/** @throws ApiSourceError `refused_by_policy` or `invalid_input`, with the rule and what to send instead. */
export function createWireRequest(input: WireRequestInput): BuiltRequest {
  const { api, request, applyRules = true, body: encoded } = input;
  const method = checkMethod(request.method, applyRules ? api.methods : httpMethods);
  const reservedQueryNames = listReservedQueryNames(api);
  const url = buildUrl(input, reservedQueryNames);
  const given =
    request.headers === undefined
      ? {}
      : checkHeaders(request.headers, api, input.credentialHeader, encoded !== undefined);
  const { body, format, headers } = buildBody(input, method, given);
  const parameters = [...url.parameters, ...Object.entries(given), ...(encoded?.fields ?? [])];
  if (applyRules)
    checkOverride(api, method, parameters, encoded?.fields === undefined ? body : undefined);
  // A key of its own for each write, the same for every attempt of it, so that the API can distinguish a retry from a second write
  // (draft-ietf-httpapi-idempotency-key-header). The agent's own key is kept.
  const { idempotencyHeader: keyHeader } = api;
  const needsKey =
    keyHeader !== undefined && method !== "GET" && findHeader(given, keyHeader) === undefined;
  if (needsKey) headers[keyHeader] = randomUUID();
  const isJson = format === "json";
  const isShown = isJson || method === "GET" || (!encoded && api.reads !== undefined);
  const isReading = isRead(
    {
      method,
      basePath: url.basePath,
      path: url.path,
      parameters: [...parameters, ...url.query],
      body: body && isShown ? new TextDecoder().decode(body.bytes) : encoded?.text,
      isJson,
    },
    api.reads ?? [],
  );
  if (applyRules && method === "GET" && !isReading && !api.methods.includes("POST"))
    throw refusedByPolicy(
      "This GET contains a GraphQL mutation or subscription, and this source allows no writes by POST.",
      "Send a query. Nothing was sent.",
    );
  return {
    wire: { method, url: url.url, headers, body: body?.bytes },
    method,
    url,
    query: url.query,
    reservedQueryNames,
    hasRules: applyRules,
    isRead: isReading,
    generatedHeader: needsKey ? keyHeader : undefined,
    encoded,
  };
}

/** The address, judged by the record's rules as it is sent. */
function buildUrl(input: WireRequestInput, reservedQueryNames: readonly string[]): ResolvedUrl {
  const { api, resolved, operation, applyRules = true } = input;
  checkServer(operation, resolved.baseUrl);
  const url = resolveUrl({
    baseUrl: resolved.baseUrl,
    ...readPathAndQuery(input),
    constantQuery: resolved.query,
    reservedQueryNames,
  });
  if (!applyRules) return url;
  checkRepeatedBase(url, input);
  const { allow, deny } = api.paths;
  if (allow !== undefined || deny !== undefined) checkPathRules(url.path, api.paths);
  return url;
}

/** @throws ApiSourceError `refused_by_policy` for an operation that the document has at another server. */
function checkServer(operation: OperationForm | undefined, baseUrl: string): void {
  if (operation?.elsewhere === undefined) return;
  throw refusedByPolicy(
    `In the API's document, ${quoteText(operation.path, 200)} is at another server: ${quoteText(operation.elsewhere, 200)}. This source reaches only ${quoteText(baseUrl, 200)}. Nothing was sent.`,
    "The agent can't change this. The person who set up the source can add a source with that base URL.",
  );
}

/** The body as the call, the record or the operation has it, in this order, and the headers with its type; one that the call or the record names, such as a JSON patch type, stays. */
function buildBody(
  input: WireRequestInput,
  method: HttpMethod,
  given: Readonly<Record<string, string>>,
): {
  readonly body: SerializedBody | undefined;
  /** Absent for a file and a multipart body that was written before. */
  readonly format: WrittenFormat | "multipart" | undefined;
  readonly headers: Record<string, string>;
} {
  const { api, resolved, request, operation, body: encoded } = input;
  const headers: Record<string, string> = { ...resolved.headers, ...given };
  if (encoded !== undefined) {
    if (encoded.fields === undefined) checkFileType(encoded.contentType, api.bodyFormat);
    const others = Object.entries(headers).filter(
      ([name]) => name.toLowerCase() !== "content-type",
    );
    const typed = { ...Object.fromEntries(others), "Content-Type": encoded.contentType };
    return { body: encoded, format: undefined, headers: typed };
  }
  if (request.body === undefined)
    return { body: undefined, format: api.bodyFormat ?? "json", headers };
  const ofCall = findHeader(given, "content-type");
  const ofRecord = findHeader(resolved.headers, "content-type");
  const writing = findWriting(api, { ofCall, ofRecord }, operation, request.body);
  const isDescribed = (operation?.bodies.length ?? 0) > 0;
  const body = serializeBody(request.body, method, { ...writing, isDescribed });
  const isNamed = (ofCall ?? ofRecord) !== undefined;
  if (body !== undefined && !isNamed) headers["Content-Type"] = body.contentType;
  return { body, format: writing.format, headers };
}

/** Only what is written for the wire: an operation with `prefix` is at a server of its own, below the base URL. */
function readPathAndQuery({ request, operation, resolved }: WireRequestInput): {
  readonly path: string;
  readonly query: readonly WrittenPair[];
} {
  const given = keepOffset(request.path);
  const styles = operation?.queryStyles;
  // Most GETs have no query beside their path.
  const readQuery = (): WrittenPair[] =>
    request.query === undefined ? [] : parseQuery(keepOffset(request.query), styles);
  const prefix = operation?.prefix ?? "";
  const hasPrefix = prefix !== "" && typeof given === "string";
  const path = hasPrefix ? addPrefix(prefix, given, new URL(resolved.baseUrl)) : given;
  const joins = [...(styles?.values() ?? [])].some((style) => style !== "repeat");
  // Where no parameter is joined the query in a path stays as it is, byte for byte.
  if (!joins || typeof path !== "string") return { path, query: readQuery() };
  const [own = "", inPath = ""] = path.split(/\?(.*)/s);
  const all = [...parseQueryString(inPath), ...readQuery()];
  return { path: own, query: joinRepeated(all, styles ?? new Map()) };
}

/** A path may be given as a whole URL, or without its first slash. @throws ApiSourceError `refused_by_policy` as `resolvePath` does. */
function addPrefix(prefix: string, given: string, base: URL): string {
  const mark = given.indexOf("?");
  const [own, query] = mark === -1 ? [given, ""] : [given.slice(0, mark), given.slice(mark)];
  return prefix + resolvePath(own, base) + query;
}

/**
 * Links in bodies repeat the path of the base URL. A path that the record itself writes so is meant.
 *
 * @throws ApiSourceError `invalid_input`
 */
function checkRepeatedBase(
  { path, basePath: base }: ResolvedUrl,
  { api, request, operation }: WireRequestInput,
): void {
  const below = base === "" ? undefined : findBelowBase(path, base);
  if (below === undefined || /^https?:/i.test(String(request.path))) return;
  const own = [
    ...(api.paths.allow ?? []),
    ...api.endpoints.map((endpoint) => endpoint.path),
    // The document has the path so.
    ...(operation === undefined ? [] : [operation.path]),
  ];
  if (own.some((each) => each === base || each.startsWith(`${base}/`))) return;
  throw invalidInput(
    `${quoteText(base)} is already in the base URL; use ${quoteText(below)}.`,
    "Give the path below the base URL. Nothing was sent.",
  );
}

/** The value of a header, whatever the case of its name. */
export function findHeader(
  headers: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** The address of a request as it may be shown: without the credential, each secret of the call replaced. */
export interface ShownRequest {
  readonly path: string;
  readonly url: string;
  readonly baseUrl: string;
  /** A path above, which is a beginning of its own. */
  readonly above: string | undefined;
}

/** The place, beside `showLine`, where a call takes secrets out of the address of a request. */
export function showRequest(
  { url, wire }: BuiltRequest,
  baseUrl: string,
  redactor: Redactor,
  above?: string,
): ShownRequest {
  return {
    path: redactor.redact(url.path),
    url: redactor.redact(wire.url),
    baseUrl: redactor.redact(baseUrl),
    above: above && redactor.redact(above),
  };
}

/** Method, path and query as sent, each secret of the call replaced: `GET /issues?page=2`. */
export function showLine({ method, url }: BuiltRequest, redactor: Redactor): string {
  const query = url.url.indexOf("?");
  return redactor.redact(`${method} ${url.path}${query < 0 ? "" : url.url.slice(query)}`);
}
