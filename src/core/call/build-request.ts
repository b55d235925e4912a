/** Step 3 of a call, the one request builder: the tool, the connection test and the command line all come through here. */

import type { JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { findCredentialHeader } from "../credentials/create-auth-interceptor.js";
import { applyDefaultHeaders } from "../http/wire.js";
import type { ApiSource } from "../record/api-source.js";
import type { ResolvedSource } from "../record/resolve-source.js";
import { checkOverride } from "../request/check-method.js";
import { checkFollowed, isRead, isSearch } from "../request/is-read.js";
import { hasLists, type QueryStyles } from "../request/parse-query.js";
import {
  type BuiltRequest,
  createWireRequest,
  type EncodedBody,
  findHeader,
} from "../request/wire-request.js";
import type { ParsedCall } from "./call-request.js";
import type { DocumentFacts } from "./slots.js";

/**
 * @param applyRules - Whether the record's `methods` and `paths` rules apply; they don't to the connection test.
 * @param body - A file or a multipart body, in place of the request's.
 * @param queryStyles - As `findQueryStyles` finds them.
 * @param isFollowed - Whether an answer leads to it, so that it may not change anything.
 * @throws ApiSourceError as `createWireRequest` does.
 */
export function buildRequest(
  source: ApiSource,
  resolved: ResolvedSource,
  request: ParsedCall,
  {
    applyRules = true,
    body,
    queryStyles,
    isFollowed = false,
  }: {
    readonly applyRules?: boolean;
    readonly body?: EncodedBody | undefined;
    readonly queryStyles?: QueryStyles | undefined;
    readonly isFollowed?: boolean;
  } = {},
): BuiltRequest {
  const credentialHeader = findCredentialHeader(source);
  const more = { credentialHeader, applyRules, body, queryStyles };
  const built = createWireRequest({ api: source.api, resolved, request, ...more });
  if (isFollowed) checkFollowed(built.method, !mayWrite(built, request), couldBeRead(built, request));
  return built;
}

/** How the operation of a call takes lists and objects in its query; undefined where the call has none, and for an unknown operation. */
export async function findQueryStyles(
  source: ApiSource,
  resolved: ResolvedSource,
  request: ParsedCall,
  document: DocumentFacts | undefined,
): Promise<QueryStyles | undefined> {
  if (source.api.openapi === undefined || !hasLists(request.path, request.query)) return undefined;
  const [path = ""] = request.path.split("?");
  const { method, url } = buildRequest(source, resolved, { method: request.method, path });
  return (await document?.findOperation(source, method, url.path))?.queryStyles;
}

/** Whether a request may change something, so that it is not sent for each page. */
export function mayWrite(built: BuiltRequest, request: ParsedCall): boolean {
  const { isRead, method, url, query } = built;
  if (isRead) return false;
  return (
    overridesMethod(built) ||
    !isSearch({ method, path: url.path, parameters: query, ...parseSentBody(request.body) })
  );
}

/** Whether some frameworks carry out another method: then a path does not make it a search. Whether it may be sent at all was judged before. */
function overridesMethod({ method, url, wire, encoded }: BuiltRequest): boolean {
  const { body: bytes, headers } = wire;
  const parameters = [...url.parameters, ...Object.entries(headers), ...(encoded?.fields ?? [])];
  const contentType = findHeader(headers, "content-type") ?? "";
  const body = encoded?.fields === undefined && bytes ? { ...encoded, bytes, contentType } : undefined;
  try {
    checkOverride({ methods: [method], query: {} }, method, parameters, body);
    return false;
  } catch {
    return true;
  }
}

/** Whether a request would be a read if the record's `reads` named it. */
export function couldBeRead({ method, url, query }: BuiltRequest, request: ParsedCall): boolean {
  const asked = { method, path: url.path, parameters: query, ...parseSentBody(request.body) };
  return isRead(asked, [`${method} /**`]);
}

/** The body as a value: a cursor that is sent in it needs its other members. */
export function parseSentBody(body: unknown): { body?: JsonValue } {
  if (body === undefined) return {};
  try {
    return { body: parseJson(typeof body === "string" ? body : JSON.stringify(body)) };
  } catch {
    return {};
  }
}

/** The request to the test endpoint. @throws ApiSourceError as `createWireRequest` does. */
export function buildTestRequest(source: ApiSource, resolved: ResolvedSource): BuiltRequest {
  const path = resolved.testEndpoint ?? "";
  return buildRequest(source, resolved, { method: "GET", path }, { applyRules: false });
}

/** What is on the wire besides the credential: the record's headers and the defaults. */
export function listSentHeaders(built: BuiltRequest): Record<string, string> {
  const all = Object.entries(applyDefaultHeaders(built.wire.headers));
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== false));
}
