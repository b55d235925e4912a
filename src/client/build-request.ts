/** The one request builder: the tool, the connection test and the command line all come through here. */

import { findCredentialHeader } from "../credentials/create-auth-interceptor.js";
import { type BuiltRequest, createWireRequest } from "../policy/wire-request.js";
import type { Redactor } from "../secrets/redactor.js";
import type { ApiSource } from "../source/api-source.js";
import type { ResolvedSource } from "../source/resolve-source.js";
import type { CallRequest } from "./call-request.js";

export type { BuiltRequest } from "../policy/wire-request.js";

export interface BuildOptions {
  /** Whether the record's `methods` and `paths` rules apply; they don't to the connection test. @default true */
  readonly applyRules?: boolean;
}

/** @throws ApiSourceError as `createWireRequest` does. */
export function buildRequest(
  source: ApiSource,
  resolved: ResolvedSource,
  request: CallRequest,
  { applyRules = true }: BuildOptions = {},
): BuiltRequest {
  const credentialHeader = findCredentialHeader(source);
  return createWireRequest({ api: source.api, resolved, request, credentialHeader, applyRules });
}

export function writeRequestLine({ method, url }: BuiltRequest, redactor: Redactor): string {
  const query = url.url.indexOf("?");
  return redactor.redact(`${method} ${url.path}${query < 0 ? "" : url.url.slice(query)}`);
}
