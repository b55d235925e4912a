/** Whether the record's own rules let a redirect be followed: its paths, and its reserved query parameters. */

import { ApiSourceError } from "../errors.js";
import { checkPathRules } from "../policy/check-path-rules.js";
import { resolveUrl } from "../policy/resolve-url.js";
import type { ApiSource } from "../source/api-source.js";
import type { BuiltRequest } from "./build-request.js";
import type { PreparedCall } from "./prepare-call.js";

/** @returns what stands against the target; undefined when it may be followed. */
export function judgeRedirect(
  source: ApiSource,
  built: BuiltRequest,
  prepared: PreparedCall,
  target: string,
): ApiSourceError | undefined {
  const { resolved } = prepared;
  const url = new URL(target);
  // A server that only adds a slash repeats the query it got: our own values in it are ours.
  for (const name of built.reservedQueryNames) {
    const known = resolved.query[name] ?? tokenOf(prepared);
    if (known !== undefined && url.searchParams.getAll(name).every((value) => value === known)) {
      url.searchParams.delete(name);
    }
  }
  try {
    const { decodedPath } = resolveUrl({
      baseUrl: resolved.baseUrl,
      path: url.href,
      query: [],
      constantQuery: {},
      reservedQueryNames: built.reservedQueryNames,
    });
    if (built.hasRules) checkPathRules(decodedPath, source.api.paths);
    return undefined;
  } catch (error) {
    return refuse(error, prepared, target);
  }
}

function tokenOf({ credential }: PreparedCall): string | undefined {
  return credential?.kind === "token" ? credential.token : undefined;
}

function refuse(error: unknown, { redactor }: PreparedCall, target: string): ApiSourceError {
  const { origin, pathname } = new URL(target);
  const why =
    error instanceof ApiSourceError ? error.message : "its URL is not one that the tool would send.";
  return new ApiSourceError({
    message: redactor.redact(`The server redirected to ${origin}${pathname}, which was not followed: ${why}`),
    category: "refused_by_policy",
    hint: "The record's rules hold for redirects too. Use a path that answers by itself.",
  });
}
