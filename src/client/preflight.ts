/** Holds a call against the API's description before it is sent: what is certainly wrong is answered unsent, with what exists. */

import { ApiSourceError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import type { Mistake } from "../map/mistake.js";
import { describeWorked } from "../map/shown.js";
import type { ApiSource } from "../source/api-source.js";
import type { NextCall } from "./answer.js";
import { type BuiltRequest, writeRequestLine } from "./build-request.js";
import type { RunningCall } from "./running-call.js";

/** A note of `warn` is clipped with the other notes of an answer; more than these say nothing new. */
const maxNotes = 3;

/**
 * @returns Notes for the answer, where `api.preflight` is `warn`.
 * @throws ApiSourceError `invalid_input`, code `preflight`, where it is `refuse`.
 */
export async function checkPreflight(call: RunningCall, built: BuiltRequest): Promise<readonly string[]> {
  const { source, runtime } = call;
  const { openapi, preflight = "refuse" } = source.api;
  if (openapi === undefined || preflight === "off") return [];
  const { description } = await call.deadline.race(runtime.knowledge.load(source));
  if (description === undefined) return [];
  const { checkCall } = await import("../map/check-call.js");
  const named = runtime.knowledge.findNamed(source, built.method, built.url.path);
  const { redactor } = call.prepared;
  const redact = (text: string): string => redactor.redact(text);
  const freeQuery = new Set([...built.reservedQueryNames, ...listFreeNames(source), ...named.query]);
  const { body } = built.wire;
  const contentType = readContentType(built.wire.headers);
  const mistakes = checkCall(description, {
    method: built.method,
    // Redacted first: a message quotes what was given, clipped, and half a secret would not be found in it.
    path: redact(built.url.path),
    query: built.query.map(([name, value]) => [redact(name), redact(value)] as const),
    freeQuery,
    ...(body === undefined ? {} : { body: redactor.redactBytes(body) }),
    ...(contentType === undefined ? {} : { contentType }),
  }).filter(
    ({ kind }) => !(kind === "unknown_path" && named.isPath) && !(kind === "unknown_member" && named.isBody),
  );
  if (mistakes.length === 0) return [];
  if (preflight === "refuse") throw refuse(call, built, mistakes);
  return mistakes
    .slice(0, maxNotes)
    .map(
      ({ message, hint }) =>
        `By the API's description this call is wrong, and was sent all the same. ${message} ${hint}`,
    );
}

interface Learned {
  readonly next: NextCall | undefined;
  /** What the description said against the call. */
  readonly doubts: readonly string[];
  readonly document: JsonValue | undefined;
}

/**
 * Remembers what a call that succeeded has shown. That one which contradicts the description succeeded is told to the log, once for
 * each source: the description is wrong.
 */
export function learnFromReply(
  call: RunningCall,
  built: BuiltRequest,
  { next, doubts, document }: Learned,
): void {
  const { source, runtime, prepared, context } = call;
  const { redactor } = prepared;
  if (source.api.openapi === undefined) {
    const scope = runtime.archive.scopeOf(context);
    if (scope === undefined) return;
    const query = built.query.map(([name]) => redactor.redact(name));
    const worked = { method: built.method, path: redactor.redact(built.url.path), query };
    runtime.knowledge.addShown(
      source,
      scope,
      describeWorked(document === undefined ? worked : { ...worked, document }),
    );
  } else if (next !== undefined) runtime.knowledge.addNext(source, next);
  const [doubt] = doubts;
  if (doubt === undefined || !runtime.knowledge.isFirst(source)) return;
  runtime.logger.warn("A call that the API's description calls wrong succeeded: the description is wrong.", {
    source: source.slug,
    request: writeRequestLine(built, redactor),
    doubt,
  });
}

function refuse(
  { source, runtime }: RunningCall,
  built: BuiltRequest,
  mistakes: readonly Mistake[],
): ApiSourceError {
  const isKnown = mistakes.every(({ kind }) => kind !== "unknown_path" && kind !== "wrong_method");
  const asked = isKnown ? { path: built.url.path, method: built.method } : {};
  const more = runtime.hasDescribeTool
    ? ` describe_api ${JSON.stringify({ source: source.slug, ...asked })} tells ${isKnown ? "all of this operation" : "all paths"}.`
    : "";
  return new ApiSourceError({
    message: `Not sent, because it contradicts the API's description. ${mistakes.map(({ message }) => message).join(" ")}`,
    category: "invalid_input",
    code: "preflight",
    details: mistakes.map(({ kind, at, given, expected }) => ({ kind, at, given, expected })),
    hint: mistakes.map(({ hint }) => hint).join(" ") + more,
  });
}

/** What the record says that the API takes everywhere: `api.query`, and the names of `x-query`. */
function listFreeNames({ api }: ApiSource): string[] {
  const listed: unknown = (api as { readonly "x-query"?: unknown })["x-query"];
  const names = Array.isArray(listed) ? listed.filter((name) => typeof name === "string") : [];
  return [...Object.keys(api.query), ...names];
}

function readContentType(headers: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === "content-type");
  return name === undefined ? undefined : headers[name];
}
