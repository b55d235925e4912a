/** Checks a call against the API's description before it is sent. */

import type { RunningCall } from "../call/running-call.js";
import { dropUndefined } from "../drop-undefined.js";
import { ApiSourceError } from "../errors.js";
import type { Mistake } from "../openapi/mistake.js";
import type { BuiltRequest } from "../policy/wire-request.js";
import { findHeader } from "../policy/wire-request.js";
import type { ApiSource } from "../source/api-source.js";

/** Notes are truncated with the other notes of an answer; more than these add nothing. */
const maxNotes = 3;

/**
 * With `warn`, the default, a call that is surely wrong is answered unsent, and anything else that is not described is sent: documents
 * are often incomplete. `refuse` sends nothing that is not described.
 *
 * @returns Notes that the answer begins with.
 * @throws ApiSourceError `invalid_input`, code `preflight`, for a call that is not sent; it names what exists.
 */
export async function checkPreflight(call: RunningCall, built: BuiltRequest): Promise<readonly string[]> {
  const { source, runtime } = call;
  const { openapi, preflight = "warn" } = source.api;
  if (openapi === undefined || preflight === "off") return [];
  const { description } = await call.deadline.race(runtime.knowledge.load(source));
  if (description === undefined) return [];
  const [{ checkCall }, { isSureMistake, writeNote }] = await Promise.all([
    import("../openapi/check-call.js"),
    import("../openapi/mistake.js"),
  ]);
  const named = runtime.knowledge.findNamed(source);
  // What the API named as its next page is right, and so is the body that goes there.
  const isNamed = named.paths.has(`${built.method} ${built.url.path}`);
  const { redact, redactBytes } = call.prepared.redactor;
  const { body, headers } = built.wire;
  // Redacted first: a message truncates what it quotes, and half a secret would not be found in it.
  const checked = dropUndefined({
    method: built.method,
    path: redact(built.url.path),
    query: built.query.map(([name, value]) => [redact(name), redact(value)] as const),
    freeQuery: new Set([...built.reservedQueryNames, ...listFreeNames(source), ...named.query]),
    body: body && redactBytes(body),
    contentType: findHeader(headers, "content-type"),
  });
  const mistakes = checkCall(description, checked).filter(
    ({ kind }) => !(isNamed && (kind === "unknown_path" || kind === "unknown_member")),
  );
  const refused = preflight === "refuse" ? mistakes : mistakes.filter(isSureMistake);
  if (refused.length > 0) throw refuse(call, built, refused);
  const request = `${built.method} ${checked.path}`;
  return mistakes.slice(0, maxNotes).map((mistake) => writeNote(mistake, request));
}

function refuse(
  { source, runtime }: RunningCall,
  { method, url: { path } }: BuiltRequest,
  mistakes: readonly Mistake[],
): ApiSourceError {
  const isKnown = mistakes.every(({ kind }) => kind !== "unknown_path" && kind !== "wrong_method");
  const input = { source: source.slug, ...(isKnown ? { path, method } : {}) };
  const subject = isKnown ? "this operation" : "the paths";
  const more = runtime.hasDescribeTool ? ` describe_api ${JSON.stringify(input)} describes ${subject}.` : "";
  return new ApiSourceError({
    message: `Not sent, because it contradicts the API's description. ${mistakes.map(({ message }) => message).join(" ")}`,
    category: "invalid_input",
    code: "preflight",
    details: mistakes.map(({ kind, at, given, expected }) => ({ kind, at, given, expected })),
    hint: mistakes.map(({ hint }) => hint).join(" ") + more,
  });
}

/** Parameters that the API takes everywhere by its record: `api.query`, and the names of `x-query`. */
function listFreeNames({ api }: ApiSource): string[] {
  const listed: unknown = (api as { readonly "x-query"?: unknown })["x-query"];
  const names = Array.isArray(listed) ? listed.filter((name) => typeof name === "string") : [];
  return [...Object.keys(api.query), ...names];
}
