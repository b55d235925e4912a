/** Step 9 of a call: what an answer contains of the response, and what it shows of its body within the budget. */

import { ApiSourceError, type CallError } from "../base/errors.js";
import type { JsonValue } from "../base/exact-number.js";
import { hasSecretName } from "../base/secret-name.js";
import { readDispositionName, toFileName } from "../body/files/file-name.js";
import type { BodyKind, ResponseBody } from "../body/response-body.js";
import type { Page, RunningCall } from "../call/running-call.js";
import { isContained } from "../failure/repeated-body.js";
import {
  isLimited,
  presentRateLimit,
  type ResponseHeaders,
  shouldShowRateLimit,
} from "../http/limits/rate-limit.js";
import { resolveLink } from "../paging/resolve-link.js";
import { loadQueryEngine } from "../query/query-engine.js";
import { isCredentialLike } from "../secrets/issued-secrets.js";
import type { PageScope } from "../store/keep-response.js";
import { type Answer, defaultMaxTokens, fitAnswer } from "./answer.js";
import { describeScope, findList } from "./select-scope.js";
import { fillAnswer } from "./show-body.js";

/** What a failure's body may cost beside its message: mostly it repeats the message. */
const maxErrorBodyTokens = 1_000;
/** What is shown of a body whose `select` can't be run: its shape. The whole is kept for the next one. */
const maxLookTokens = 400;

export interface ShowAnswerInput {
  readonly envelope: Answer;
  /** The first page. */
  readonly page: Page;
  /** Of all pages. */
  readonly body: ResponseBody;
  readonly selection: Selection;
  /** Set when the API has more rows than `body`. */
  readonly scope?: PageScope | undefined;
}

/** Adds to the envelope the document, or a view of it that fits the budget. */
export async function showAnswer(
  call: RunningCall,
  { envelope, page: { request, built, line }, body, selection, scope }: ShowAnswerInput,
): Promise<Answer> {
  const { source, services, prepared, context, deadline } = call;
  const { document, isPart, error } = selection;
  const { method } = built;
  const limit = source.api.limits.maxTokens ?? services.answers.maxTokens ?? defaultMaxTokens;
  const isRepeated =
    document !== undefined &&
    envelope.error !== undefined &&
    error === undefined &&
    isContained(document, envelope.error, envelope.status ?? 0);
  if (document === undefined || isRepeated) return fitAnswer(envelope, limit, services.answers.countTokens);
  const most = error === undefined ? maxErrorBodyTokens : maxLookTokens;
  const { redactor, resolved } = prepared;
  const { text, kind, contentType, partial } = body;
  const { file } = envelope;
  const fileId = typeof file === "object" ? file.id : file;
  // The pages together are not the file, which is the first of them.
  const keptId =
    services.answers.readApiResponse && envelope.pages === undefined && scope === undefined
      ? fileId
      : undefined;
  const shown = await fillAnswer(services, envelope, limit, {
    document,
    kind,
    isPart,
    isOnce: method !== "GET" || error !== undefined || selection.hasMistake === true,
    maxTokens: envelope.error === undefined ? limit : most,
    deadline,
    context,
    keptId,
    whole: {
      ...{
        text,
        kind,
        contentType,
        partial,
        scope,
        source: source.slug,
        request: line,
        status: envelope.status ?? 0,
      },
    },
    request: {
      source: source.slug,
      // A summarizer may show it to a model, and the base URL may contain a secret variable.
      get baseUrl() {
        return redactor.redact(resolved.baseUrl);
      },
      method,
      get path() {
        return redactor.redact(built.url.path);
      },
      select: isPart ? request.select : undefined,
    },
  });
  // Who reads all of it needs no description.
  const isDescribed = kind === "binary" || body.isOpened === true || shown.shortened !== undefined;
  return { ...shown, file: isDescribed ? file : fileId };
}

/** The part of a body that is shown. */
export interface Selection {
  readonly document?: JsonValue;
  /** Whether a `select` selected it. */
  readonly isPart: boolean;
  readonly error?: CallError;
  /** Whether a note reports a mistake in the `select`. */
  readonly hasMistake?: boolean;
  readonly notes: readonly string[];
}

/** Runs a `select` over a body. One that can't be run is an error of the input: the request itself was answered. */
export async function applySelect(
  { request: { select, pages }, built, error: failure, next, mayWrite }: Page,
  { document, kind, partial }: ResponseBody,
  scope: PageScope | undefined,
): Promise<Selection> {
  if (document === undefined) return { isPart: false, notes: [] };
  if (select === undefined || failure !== undefined) return { document, isPart: false, notes: [] };
  try {
    const { value, notes } = await runSelect(document, select, { kind, path: built.url.path });
    const part = partial === undefined ? [] : ["The body is incomplete: `select` ran on a part of it."];
    const canPage = pages === undefined && next !== undefined && mayWrite !== true;
    const advice = canPage ? "Add `pages` to read all." : "";
    const page = scope === undefined ? [] : [describeScope(scope, advice)];
    return {
      document: value,
      isPart: true,
      hasMistake: part.length + notes.length > 0,
      notes: [...part, ...page, ...notes],
    };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    const { hint, ...rest } = error.toCallError();
    const next = `The request itself succeeded; do not send it again: read the kept answer. ${hint}`;
    return { document, isPart: false, notes: [], error: { ...rest, hint: next } };
  }
}

/** Runs a JMESPath over the document that a path was answered with. @throws ApiSourceError `invalid_input` */
export async function runSelect(
  document: JsonValue,
  select: string,
  { kind, path }: { readonly kind: BodyKind; readonly path: string },
): Promise<{ readonly value: JsonValue; readonly notes: readonly string[] }> {
  const found = findList(document, path);
  const rows = found?.isInEnvelope === true ? found.keys : undefined;
  // `/orders` answers with `[…]` or `{"data":[…]}`, and a model that has not seen the answer writes `orders[]`.
  const name = /([^/.]+)(?:\.\w{1,5})?\/*$/.exec(path.slice(-200))?.[1];
  const called = name === undefined || found === undefined ? undefined : { name, list: found.list };
  return (await loadQueryEngine()).run(document, select, { kind, rows, called });
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

/** Of one page, and not of the list that several pages give. */
const pageHeaders: ReadonlySet<string> = new Set(["etag", "last-modified", "content-location"]);
/** Longer values are not meant to be sent again. */
const maxValueCharacters = 500;

/** The parts of the answer that the first response alone decides. */
export function describeReply(
  { source, prepared }: RunningCall,
  { exchange, body, rateLimit, waited, built, total }: Page,
  { error, isJoined }: { readonly error: Answer["error"]; readonly isJoined: boolean },
): Answer {
  const { status } = exchange;
  const limited = isLimited(status, rateLimit) || error?.category === "rate_limited";
  const { reservedQueryNames, url, wire } = built;
  const { baseUrl } = prepared.resolved;
  const below = { url: wire.url, baseUrl, path: url.path, reservedQueryNames };
  return {
    status,
    error,
    contentType: body.kind === "json" || body.kind === "empty" ? undefined : body.contentType,
    headers: listShownHeaders(
      [
        ...shownHeaders.filter((name) => !isJoined || !pageHeaders.has(name)),
        ...(source.api.responseHeaders ?? []).map((name) => name.toLowerCase()),
        ...(isJoined ? [] : listReusableHeaders(exchange.headers)),
      ],
      exchange.headers,
      (link) => resolveLink(link, below),
    ),
    rateLimit: shouldShowRateLimit(rateLimit, { limited }) ? presentRateLimit(rateLimit ?? {}) : undefined,
    total,
    partial: body.partial,
    waited,
  };
}

/** @param toPath - A link as the path below the base URL; undefined for one that leads elsewhere. */
function listShownHeaders(
  names: readonly string[],
  headers: ResponseHeaders,
  toPath: (link: string) => string | undefined,
): Record<string, string> | undefined {
  const shown: Record<string, string> = {};
  for (const name of names) {
    const [value] = [headers[name]].flat();
    if (value === undefined || value === "" || value.length > maxValueCharacters) continue;
    const place = name.endsWith("location") ? toPath(value) : undefined;
    const text = name === "content-disposition" ? readShownName(value) : (place ?? value);
    if (text !== undefined) shown[name] = text;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}

function readShownName(disposition: string): string | undefined {
  const name = readDispositionName(disposition);
  return name === undefined ? undefined : toFileName(name);
}

/** Of other headers those that a later call may need, such as `x-export-id`; not those that name this request. */
const reusableHeader = /-(?:id|url|key)$/;
const requestHeader = /request|trace|span|correlation/;
/** More of them are not shown, and longer values are not. */
const maxReusable = 3;
const maxReusableCharacters = 100;

function listReusableHeaders(headers: ResponseHeaders): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => {
      const isShort = typeof value === "string" && value !== "" && value.length <= maxReusableCharacters;
      if (!isShort || !reusableHeader.test(name) || requestHeader.test(name)) return false;
      // A session or key that the API gives anew.
      return !(hasSecretName(name, "query") && isCredentialLike(value));
    })
    .map(([name]) => name)
    .slice(0, maxReusable);
}
