/** Builds the request that goes on the wire, but for the credential: every rule about a call is applied here, in this order. */

import { randomUUID } from "node:crypto";
import { type ApiSettings, type HttpMethod, httpMethods } from "../source/api-source.js";
import type { ResolvedSource } from "../source/resolve-source.js";
import { checkHeaders, readBodyFormat } from "./check-headers.js";
import { checkMethod, checkOverride } from "./check-method.js";
import { checkPathRules } from "./check-path-rules.js";
import { parseQuery, type QueryPair } from "./parse-query.js";
import { type ResolvedUrl, resolveUrl } from "./resolve-url.js";
import { serializeBody } from "./serialize-body.js";

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
  /** The header whose value was made up for this request: its idempotency key. */
  readonly generatedHeader?: string;
}

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
  readonly credentialHeader?: string | undefined;
  /** Whether the record's `methods` and `paths` rules apply; they don't to the connection test. @default true */
  readonly applyRules?: boolean;
}

/** @throws ApiSourceError `refused_by_policy` or `invalid_input`, with the rule and what to send instead. */
export function createWireRequest(input: WireRequestInput): BuiltRequest {
  const { api, resolved, request, applyRules = true } = input;
  const method = checkMethod(request.method, applyRules ? api.methods : httpMethods);
  const reservedQueryNames = [
    ...(api.authType === "query" && api.queryParam !== undefined ? [api.queryParam] : []),
    ...Object.keys(api.query),
  ];
  const url = resolveUrl({
    baseUrl: resolved.baseUrl,
    path: request.path,
    query: parseQuery(request.query),
    constantQuery: resolved.query,
    reservedQueryNames,
  });
  if (applyRules) checkPathRules(url.path, api.paths);
  const given = checkHeaders(request.headers, api, input.credentialHeader);
  const headers: Record<string, string> = { ...resolved.headers, ...given };
  const contentType = findHeader(headers, "content-type");
  const format = api.bodyFormat ?? readBodyFormat(contentType ?? "application/json") ?? "json";
  const body = serializeBody(request.body, method, format);
  if (applyRules) checkOverride(api, method, [...url.parameters, ...Object.entries(given)], body);
  // A key of its own for each write, the same for every attempt of it, so that the API can tell a retry from a second write
  // (draft-ietf-httpapi-idempotency-key-header). The agent's own key stands.
  const { idempotencyHeader: keyHeader } = api;
  const needsKey = keyHeader !== undefined && method !== "GET" && findHeader(given, keyHeader) === undefined;
  if (needsKey) headers[keyHeader] = randomUUID();
  // A Content-Type that the agent or the record gave (such as a JSON patch type) stands: it names the same bytes more exactly.
  if (body !== undefined && contentType === undefined) headers["Content-Type"] = body.contentType;
  return {
    wire: { method, url: url.url, headers, ...(body === undefined ? {} : { body: body.bytes }) },
    method,
    url,
    query: url.query,
    reservedQueryNames,
    hasRules: applyRules,
    ...(needsKey ? { generatedHeader: keyHeader } : {}),
  };
}

/** The value of a header, whatever the case of its name. */
export function findHeader(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}
