/** Step 9 of a call: what an answer says of the reply, and what it shows of its body within the budget. */

import type { BodyKind, ResponseBody } from "../body/response-body.js";
import { ApiSourceError, type CallError } from "../errors.js";
import { isJsonObject, type JsonValue } from "../json/exact-number.js";
import {
  isLimited,
  presentRateLimit,
  type ResponseHeaders,
  shouldShowRateLimit,
} from "../limits/rate-limit.js";
import { resolveLink } from "../paging/find-next-link.js";
import { findRows } from "../paging/read-envelope.js";
import { loadQueryEngine } from "../query/query-engine.js";
import { type Answer, defaultMaxTokens, fitFrame } from "./answer.js";
import { writeRequestLine } from "./build-request.js";
import { dropUndefined } from "./drop-undefined.js";
import type { Page, RunningCall } from "./running-call.js";
import { fillFrame } from "./show-body.js";

/** What a failure's body may cost beside its message: mostly it says the same again. */
const maxErrorBodyTokens = 1_000;
/** What is shown of a body whose `select` can't be run: its shape. The whole is kept for the next one. */
const maxLookTokens = 400;

export interface ShowAnswerInput {
  readonly frame: Answer;
  /** The first page. */
  readonly page: Page;
  /** Of all pages. */
  readonly body: ResponseBody;
  readonly picked: PickedPart;
}

/** Puts into the frame what fits the budget of the document: all of it, or a view. */
export async function showAnswer(
  call: RunningCall,
  { frame, page: { request, built }, body, picked }: ShowAnswerInput,
): Promise<Answer> {
  const { source, runtime, prepared, context, deadline } = call;
  const { document, isPart, error } = picked;
  const { method } = built;
  const limit = source.api.limits.maxTokens ?? runtime.maxTokens ?? defaultMaxTokens;
  if (document === undefined) return fitFrame(frame, limit, runtime.countTokens);
  const most = error === undefined ? maxErrorBodyTokens : maxLookTokens;
  const { redactor, resolved } = prepared;
  const { text, kind, contentType, partial } = body;
  const line = writeRequestLine(built, redactor);
  return fillFrame(runtime, frame, limit, {
    document,
    kind,
    isPart,
    isOnce: method !== "GET" || error !== undefined || picked.notes.length > 0,
    maxTokens: frame.error === undefined ? limit : most,
    deadline,
    context,
    whole: dropUndefined({
      ...{ text, kind, contentType, partial, source: source.slug, request: line, status: frame.status ?? 0 },
    }),
    request: dropUndefined({
      source: source.slug,
      // A summarizer may show it to a model; a secret variable can stand in the base URL, as it does, redacted, in links.
      baseUrl: redactor.redact(resolved.baseUrl),
      method,
      path: redactor.redact(built.url.path),
      select: isPart ? request.select : undefined,
    }),
  });
}

/** The part of a body that is shown. */
export interface PickedPart {
  readonly document?: JsonValue;
  /** Whether a `select` picked it. */
  readonly isPart: boolean;
  readonly error?: CallError;
  readonly notes: readonly string[];
}

/** Runs a `select` over a body. One that can't be run is an error of the input: the request itself was answered. */
export async function pickPart(
  { request: { select }, built, error: failure }: Page,
  { document, kind, partial }: ResponseBody,
): Promise<PickedPart> {
  if (document === undefined) return { isPart: false, notes: [] };
  if (select === undefined || failure !== undefined) return { document, isPart: false, notes: [] };
  try {
    const { value, notes } = await runSelect(document, select, { kind, path: built.url.path });
    const part = partial === undefined ? [] : ["The body did not arrive whole: `select` saw a part of it."];
    return { document: value, isPart: true, notes: [...part, ...notes] };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    const { hint, ...rest } = error.toCallError();
    const told = `The request itself succeeded; do not send it again: read the kept answer. ${hint}`;
    return { document, isPart: false, notes: [], error: { ...rest, hint: told } };
  }
}

/** Runs a JMESPath over the document that a path was answered with. @throws ApiSourceError `invalid_input` */
export async function runSelect(
  document: JsonValue,
  select: string,
  { kind, path }: { readonly kind: BodyKind; readonly path: string },
): Promise<{ readonly value: JsonValue; readonly notes: readonly string[] }> {
  return (await loadQueryEngine()).run(document, select, { kind, called: findCalled(document, path) });
}

/**
 * The list of rows under the name that the request's path gives it: `/orders` answers with `[…]` or `{"data":[…]}`, and a model that
 * knows no more writes `orders[]`.
 */
function findCalled(
  document: JsonValue,
  path: string,
): { readonly name: string; readonly list: JsonValue } | undefined {
  const name = /([^/.]+)(?:\.\w{1,5})?\/*$/.exec(path.slice(-200))?.[1];
  const keys = name === undefined ? undefined : findRows(document, path);
  const list = keys?.reduce<JsonValue | undefined>(
    (at, key) => (isJsonObject(at) ? at[key] : undefined),
    document,
  );
  return name === undefined || !Array.isArray(list) ? undefined : { name, list };
}

/** What an answer may show, in this order: validators, places, waits, and what is going away (RFC 9110, 9111, 9745, 8594). */
const shownHeaders = [
  "etag",
  "last-modified",
  "location",
  "content-location",
  "retry-after",
  "content-disposition",
  "deprecation",
  "sunset",
  "warning",
] as const;

const totalHeaders = ["x-total-count", "x-wp-total", "x-total"] as const;
/** Longer values are not meant to be sent again. */
const maxValueCharacters = 500;

/** The parts of the answer that the first response alone decides. */
export function describeReply(
  { prepared }: RunningCall,
  { reply, built, status, total }: Page,
  error: Answer["error"],
): Answer {
  const { exchange, body, rateLimit, waited } = reply;
  const limited = isLimited(status, rateLimit) || error?.category === "rate_limited";
  const { reservedQueryNames, url, wire } = built;
  const { baseUrl } = prepared.resolved;
  const below = { url: wire.url, baseUrl, path: url.path, reservedQueryNames };
  return {
    status,
    error,
    contentType: body.kind === "json" || body.kind === "empty" ? undefined : body.contentType,
    headers: listShownHeaders(exchange.headers, (link) => resolveLink(link, below)),
    rateLimit: shouldShowRateLimit(rateLimit, { limited }) ? presentRateLimit(rateLimit ?? {}) : undefined,
    total,
    partial: body.partial,
    waited,
  };
}

/** @param toPath - A link as the path below the base URL; undefined for one that leads elsewhere. */
function listShownHeaders(
  headers: ResponseHeaders,
  toPath: (link: string) => string | undefined,
): Record<string, string> | undefined {
  const shown: Record<string, string> = {};
  for (const name of shownHeaders) {
    const value = firstOf(headers[name]);
    if (value === undefined || value === "" || value.length > maxValueCharacters) continue;
    const place = name.endsWith("location") ? toPath(value) : undefined;
    const told = name === "content-disposition" ? readFileName(value) : (place ?? value);
    if (told !== undefined) shown[name] = told;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** How many rows there are in all, by a header that says so; `Content-Range` as in `items 0-24/900` (RFC 9110, 14.4). */
export function readTotal(headers: ResponseHeaders): number | undefined {
  const count = totalHeaders.map((name) => firstOf(headers[name])).find((value) => value !== undefined);
  const range = firstOf(headers["content-range"]);
  const digits =
    count ?? (range !== undefined && !/^\s*bytes/i.test(range) ? range.split("/")[1] : undefined);
  return digits !== undefined && /^\s*\d{1,15}\s*$/.test(digits) ? Number(digits) : undefined;
}

function firstOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}

/** RFC 6266: `filename*` before `filename`. */
function readFileName(value: string): string | undefined {
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s"]+))/i.exec(value) ?? [];
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(value) ?? [];
  try {
    return extended === undefined ? (quoted ?? plain) : decodeURIComponent(extended);
  } catch {
    return extended;
  }
}
