/** Step 3 of a call, the one request builder: the tool, the connection test and the command line all come through here. */

import type { JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { findCredentialHeader } from "../credentials/create-auth-interceptor.js";
import { applyDefaultHeaders } from "../http/wire.js";
import type { ApiSource } from "../record/api-source.js";
import type { ResolvedSource } from "../record/resolve-source.js";
import { listOverrides } from "../request/check-parameters.js";
import {
  adviseReads,
  checkFollowed,
  isRead,
  isSearch,
  type ReadableRequest,
} from "../request/is-read.js";
import type { QueryPair } from "../request/query-style.js";
import {
  type BuiltRequest,
  createWireRequest,
  findHeader,
  type WireRequestInput,
} from "../request/wire-request.js";
import type { ParsedCall } from "./call-request.js";
import type { DescribedOperation, DocumentFacts } from "./slots.js";

/** The facts about a request besides its input. */
export interface Known extends Pick<WireRequestInput, "applyRules" | "body" | "operation"> {
  /** Whether an answer leads to it, so that it may not change anything. @default false */
  readonly isFollowed?: boolean;
}

/** @throws ApiSourceError as `createWireRequest` does. */
export function buildRequest(
  source: ApiSource,
  resolved: ResolvedSource,
  request: ParsedCall,
  { isFollowed = false, ...known }: Known = {},
): BuiltRequest {
  const credentialHeader = findCredentialHeader(source);
  const built = createWireRequest({
    api: source.api,
    resolved,
    request,
    credentialHeader,
    ...known,
  });
  if (isFollowed)
    checkFollowed(built.method, !mayWrite(built, request), findReadsAdvice(built, request));
  return built;
}

/** The facts about a call whose operation is looked for. */
interface Described extends Pick<Known, "isFollowed"> {
  readonly document: DocumentFacts | undefined;
}

/** The operation that a call means. Its path is read without the record's rules: they judge the path that is sent. @throws ApiSourceError for a path that may not be sent at all. */
export async function findOperation(
  source: ApiSource,
  resolved: ResolvedSource,
  request: ParsedCall,
  { document, isFollowed = false }: Described,
): Promise<DescribedOperation | undefined> {
  if (document === undefined || source.api.openapi === undefined) return undefined;
  const { body = null } = request;
  if (isFollowed && body === null) return undefined;
  const { method, url } = buildRequest(
    source,
    resolved,
    { method: request.method, path: request.path },
    { applyRules: false },
  );
  const found = await document.findOperation(source, method, url.path, url.query);
  return isFollowed ? keepBodies(found) : found;
}

/** A page that an answer leads to is at the address that the API wrote. Its body is written as that of the first page. */
function keepBodies(operation: DescribedOperation | undefined): DescribedOperation | undefined {
  if (operation === undefined) return undefined;
  const { path, bodies } = operation;
  return { path, bodies, queryStyles: new Map() };
}

/** Whether a request may change something, so that it is not sent for each page. */
export function mayWrite(built: BuiltRequest, request: ParsedCall): boolean {
  return !built.isRead && (overridesMethod(built) || !isSearch(toReadable(built, request)));
}

function toReadable({ method, url, query }: BuiltRequest, { body }: ParsedCall): ReadableRequest {
  const { basePath, path } = url;
  const parsed = parseSentBody(body);
  const isOther = typeof body === "string" && parsed.body === undefined;
  const sent = isOther ? { body, isJson: false } : parsed;
  return { method, basePath, path, parameters: query, ...sent };
}

/** Whether some frameworks carry out another method than that of the request. Whether it may be sent at all was judged before. */
export function overridesMethod(built: BuiltRequest): boolean {
  return listMethodOverrides(built).some(([, value]) => value !== built.method);
}

/** A body that is encoded too many times to be read may name any method. */
const unreadable: readonly QueryPair[] = [["", "…"]];

/** The parameters, members and headers of a request by which some frameworks carry out the method that they hold. */
export function listMethodOverrides({ url, wire, encoded }: BuiltRequest): readonly QueryPair[] {
  const { body: bytes, headers } = wire;
  const parameters = [...url.parameters, ...Object.entries(headers), ...(encoded?.fields ?? [])];
  const contentType = findHeader(headers, "content-type") ?? "";
  const body =
    encoded?.fields === undefined && bytes ? { ...encoded, bytes, contentType } : undefined;
  try {
    return listOverrides(parameters, body);
  } catch {
    return unreadable;
  }
}

/** How the record's `reads` would make a read of a request; undefined where it can't. */
export function findReadsAdvice(built: BuiltRequest, request: ParsedCall): string | undefined {
  const readable = toReadable(built, request);
  return isRead(readable, [`${built.method} /**`]) ? adviseReads(readable) : undefined;
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

/** The headers on the wire besides the credential: the record's headers and the defaults. */
export function listSentHeaders(built: BuiltRequest): Record<string, string> {
  const all = Object.entries(applyDefaultHeaders(built.wire.headers));
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== false));
}
