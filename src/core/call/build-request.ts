/** Step 3 of a call, the one request builder: the tool, the connection test and the command line all come through here. */

import type { JsonValue } from "../base/exact-number.js";
import { parseJson } from "../base/parse-json.js";
import { VariableMarks } from "../base/shell-word.js";
import { findCredentialHeader } from "../credentials/create-auth-interceptor.js";
import { isIssued, listSentVariables } from "../credentials/credential-variables.js";
import { applyDefaultHeaders } from "../http/wire.js";
import type { ApiSource } from "../record/api-source.js";
import { type ResolvedSource, resolveSource } from "../record/resolve-source.js";
import { checkOverride } from "../request/check-method.js";
import { checkFollowed, isRead, isSearch } from "../request/is-read.js";
import { hasLists, type QueryStyles } from "../request/parse-query.js";
import {
  type BuiltRequest,
  createWireRequest,
  type EncodedBody,
  findHeader,
} from "../request/wire-request.js";
import { Secret } from "../secrets/secret.js";
import type { ParsedCall } from "./call-request.js";
import type { CallServices, PreparedCall } from "./running-call.js";
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
  return document?.listQueryStyles(source, method, url.path);
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

/** A source's test request with a mark in place of each secret: what a command line is written from. */
export interface RequestTemplate {
  readonly built: BuiltRequest;
  readonly headers: Readonly<Record<string, string>>;
  /** The marks in the URL and the headers. */
  readonly marks: VariableMarks;
  /** The variables whose value is not the same in a URL: it has to be percent-encoded there. */
  readonly encodedNames: ReadonlySet<string>;
  /** The variable that a command line takes the access token from; absent where the credential has variables of its own. */
  readonly issuedToken?: string;
}

/**
 * Builds the test request once more, with marks for the values of `${NAME}`.
 *
 * @returns undefined when a mark can't replace a secret (a port).
 */
export async function templateRequest(
  source: ApiSource,
  { credentials }: Pick<CallServices, "credentials">,
  { context, credential }: PreparedCall,
): Promise<RequestTemplate | undefined> {
  const marks = new VariableMarks();
  const encodedNames = new Set<string>();
  const resolveSecret = async (name: string): Promise<Secret> => {
    const value = (await credentials.resolveSecret(name, source, context))?.reveal() ?? "";
    if (encodeURIComponent(value) !== value) encodedNames.add(name);
    return new Secret(marks.mark(name));
  };
  const network = { allowLocalAddresses: source.api.network.allowLocalAddresses };
  const username = credential?.kind === "basic" ? { username: credential.username } : {};
  try {
    const marked = { ...source, api: { ...source.api, network } };
    const built = buildTestRequest(source, await resolveSource(marked, { resolveSecret, ...username }));
    const [issuedToken] = isIssued(source) ? listSentVariables(source) : [];
    return { built, headers: listSentHeaders(built), marks, encodedNames, issuedToken };
  } catch {
    return undefined;
  }
}
