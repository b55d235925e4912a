/** The one request builder: the tool, the connection test and the command line all come through here. */

import { randomUUID } from "node:crypto";
import { credentialHeaderOf } from "../credentials/create-auth-interceptor.js";
import { checkHeaders } from "../policy/check-headers.js";
import { checkMethod } from "../policy/check-method.js";
import { checkPathRules } from "../policy/check-path-rules.js";
import { checkQueryNames } from "../policy/check-query-names.js";
import { parseQuery, type QueryPair } from "../policy/parse-query.js";
import { type ResolvedUrl, resolveUrl } from "../policy/resolve-url.js";
import { serializeBody } from "../policy/serialize-body.js";
import type { WireRequest } from "../policy/wire-request.js";
import { type ApiSource, type HttpMethod, httpMethods } from "../source/api-source.js";
import type { ResolvedSource } from "../source/resolve-source.js";
import type { CallRequest } from "./call-request.js";

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
}

export interface BuildOptions {
  /** Whether the record's `methods` and `paths` rules apply; they don't to the connection test. @default true */
  readonly applyRules?: boolean;
  /** The resolved base URL, where it is parsed already. */
  readonly base?: URL;
}

/**
 * Builds the request that goes on the wire, but for the credential.
 *
 * @throws ApiSourceError `refused_by_policy` or `invalid_input`, with the rule and what to send instead.
 */
export function buildRequest(
  source: ApiSource,
  resolved: ResolvedSource,
  request: CallRequest,
  { applyRules = true, base }: BuildOptions = {},
): BuiltRequest {
  const { api } = source;
  const method = checkMethod(request.method, applyRules ? api.methods : httpMethods);
  const reservedQueryNames = [
    ...(api.authType === "query" && api.queryParam !== undefined ? [api.queryParam] : []),
    ...Object.keys(api.query),
  ];
  const pairs = parseQuery(request.query);
  const url = resolveUrl({
    baseUrl: base ?? resolved.baseUrl,
    path: request.path,
    query: pairs,
    constantQuery: resolved.query,
    reservedQueryNames,
  });
  checkQueryNames(url.query, reservedQueryNames);
  if (applyRules) checkPathRules(url.decodedPath, api.paths);
  const body = serializeBody(request.body, { method, format: api.bodyFormat });
  const given = checkHeaders(request.headers, headerRules(source));
  const headers = { ...resolved.headers, ...given, ...idempotencyKey(source, method, given) };
  return {
    wire: {
      method,
      url: url.url,
      headers:
        body === undefined || hasContentType(headers)
          ? headers
          : { ...headers, "Content-Type": body.contentType },
      ...(body === undefined ? {} : { body: body.bytes }),
    },
    method,
    url,
    query: url.query,
    reservedQueryNames,
    hasRules: applyRules,
  };
}

/**
 * A key of its own for each write, the same for every attempt of it, so that the API can tell a retry from a second write
 * (draft-ietf-httpapi-idempotency-key-header). The agent's own key stands.
 */
function idempotencyKey(
  { api }: ApiSource,
  method: HttpMethod,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const { idempotencyHeader } = api;
  if (idempotencyHeader === undefined || method === "GET") return {};
  const name = idempotencyHeader.toLowerCase();
  return Object.keys(given).some((key) => key.toLowerCase() === name)
    ? {}
    : { [idempotencyHeader]: randomUUID() };
}

function headerRules(source: ApiSource): Parameters<typeof checkHeaders>[1] {
  const { headers, allowedHeaders, idempotencyHeader, bodyFormat } = source.api;
  const credentialHeader = credentialHeaderOf(source);
  return {
    bodyFormat,
    constantHeaders: Object.keys(headers),
    ...(credentialHeader === undefined ? {} : { credentialHeader }),
    ...(allowedHeaders === undefined ? {} : { allowedHeaders }),
    ...(idempotencyHeader === undefined ? {} : { idempotencyHeader }),
  };
}

/** A Content-Type that the agent or the record gave (such as a JSON patch type) stands: it names the same bytes more exactly. */
function hasContentType(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
}
