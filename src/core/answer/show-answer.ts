/** Step 9 of a call: what an answer contains of the response, and what it shows of its body within the budget. */

import { applyWhenReady } from "../base/apply-when-ready.js";
import { hasSecretName } from "../base/secret-name.js";
import { readDispositionName, toFileName } from "../body/files/file.js";
import type { ResponseBody } from "../body/response-body.js";
import type { Page, RunningCall } from "../call/running-call.js";
import { isContained } from "../failure/call-error.js";
import {
  isLimited,
  isNearlySpent,
  type ResponseHeaders,
  readHeader,
} from "../http/limits/rate-limit.js";
import { resolveLink } from "../paging/resolve-link.js";
import { isCredentialLike } from "../secrets/issued-secrets.js";
import type { Redactor } from "../secrets/redactor.js";
import type { PageScope } from "../store/keep-response.js";
import { listSearchedTexts, listWords } from "../view/searched-words.js";
import { listSentMembers } from "../view/sent-members.js";
import { type Answer, defaultMaxTokens, fitAnswer } from "./answer.js";
import type { Selection } from "./select.js";
import { type Aim, fillAnswer } from "./show-body.js";

/** The tokens that a failure's body may cost beside its message, which it mostly repeats. */
const maxErrorBodyTokens = 1_000;
/** The tokens for a body whose `select` can't be run: its shape is shown, and the whole is kept for the next one. */
const maxLookTokens = 400;

export interface ShowAnswerInput {
  readonly envelope: Answer;
  /** The first page. */
  readonly page: Page;
  /** The body of all pages. */
  readonly body: ResponseBody;
  readonly selection: Selection;
  /** Set when the API has more rows than `body`. */
  readonly scope?: PageScope;
}

/** Adds to the envelope the document, or a view of it that fits the budget. */
export function showAnswer(
  { source, services, context, deadline, prepared }: RunningCall,
  { envelope, page: { request, built, line, show }, body, selection, scope }: ShowAnswerInput,
): Answer | Promise<Answer> {
  const { answers } = services;
  const { document, isPart = false, error, hasMistake = false } = selection;
  const { file, status = 0 } = envelope;
  const limit = source.api.limits.maxTokens ?? answers.maxTokens ?? defaultMaxTokens;
  const isFailed = envelope.error !== undefined && error === undefined;
  if (document === undefined || (isFailed && isContained(document, envelope.error, status)))
    return fitAnswer(envelope, limit, answers.countTokens);
  const { text, kind, contentType, partial } = body;
  const fileId = typeof file === "object" ? file.id : file;
  // The pages together are not the file, which is the first of them.
  const isFile = answers.readApiResponse && envelope.pages === undefined && scope === undefined;
  const about = { source: source.slug, request: line, status };
  const showing = fillAnswer(services, envelope, limit, {
    document,
    kind,
    isPart,
    isOnce: !isRepeatable(built) || error !== undefined || hasMistake,
    hasMistake: hasMistake && !isRepeatable(built),
    maxTokens: error === undefined ? countMost(isFailed, limit) : maxLookTokens,
    deadline,
    context,
    keptId: isFile ? fileId : undefined,
    whole: { text, kind, contentType, partial, scope, ...about },
    describeAim: () => describeAim(built, prepared.redactor),
    request: {
      source: source.slug,
      // A summarizer may show it to a model, and the base URL may contain a secret variable.
      get baseUrl() {
        return show().baseUrl;
      },
      method: built.method,
      get path() {
        return show().path;
      },
      select: isPart ? request.select : undefined,
    },
  });
  return applyWhenReady(showing, (shown) => {
    // A reader who gets the whole body needs no description of it.
    const isWhole = kind !== "binary" && body.isOpened !== true && shown.shortened === undefined;
    return { ...shown, file: isWhole ? fileId : file };
  });
}

/** The tokens that the document may cost: that of a failure less. */
const countMost = (isFailed: boolean, limit: number): number =>
  isFailed ? maxErrorBodyTokens : limit;

/** The words of the request, and the members that it sent: they are shown first. */
const describeAim = (built: Page["built"], redactor: Redactor): Aim => ({
  // Redacted before they are divided: a secret could be put together from its words.
  words: listWords(redactor.redact(listSearchedTexts(built))),
  members: redactor.redact(listSentMembers(built)),
});

/** Whether the same request may be sent again to see the rest. */
const isRepeatable = ({ method, isRead }: Page["built"]): boolean => method === "GET" || isRead;

/** The headers that an answer may show, in this order: validators, places, waits, and what is going away (RFC 9110, 9111, 9745, 8594); `Range` is that of a resumable upload. */
const shownHeaders = [
  "etag",
  "last-modified",
  "location",
  "content-location",
  "retry-after",
  "content-disposition",
  "range",
  "deprecation",
  "sunset",
  "warning",
] as const;

/** Longer values are not meant to be sent again. */
const maxValueCharacters = 500;

/** The parts of the answer that the first response alone decides. */
export function describeReply(
  call: RunningCall,
  page: Page,
  { error, isJoined }: { readonly error: Answer["error"]; readonly isJoined: boolean },
): Answer {
  const { exchange, body, rateLimit, waited, total } = page;
  const { status } = exchange;
  const limited =
    rateLimit !== undefined && (isLimited(status, rateLimit) || error?.category === "rate_limited");
  return {
    status,
    error,
    contentType: body.kind === "json" || body.kind === "empty" ? undefined : body.contentType,
    headers: listShownHeaders(call, page, isJoined),
    rateLimit: limited || isNearlySpent(rateLimit) ? rateLimit : undefined,
    total,
    partial: body.partial,
    waited,
  };
}

/** Places are shown as paths below the base URL. */
function listShownHeaders(
  { source, prepared }: RunningCall,
  { exchange: { headers }, built }: Page,
  isJoined: boolean,
): Answer["headers"] {
  const { reservedQueryNames, url, wire } = built;
  const below = {
    url: wire.url,
    baseUrl: prepared.resolved.baseUrl,
    path: url.path,
    reservedQueryNames,
  };
  const shown: Record<string, string> = {};
  const named = source.api.responseHeaders ?? [];
  // The headers of the first of several pages are not the list's.
  const names = isJoined ? named : [...shownHeaders, ...named, ...listReusableHeaders(headers)];
  for (const each of names) {
    const name = each.toLowerCase();
    if (headers[name] === undefined) continue;
    const value = readHeader(headers, name) ?? "";
    if (value === "" || value.length > maxValueCharacters) continue;
    if (name === "content-disposition") {
      const fileName = readDispositionName(value);
      if (fileName !== undefined) shown[name] = toFileName(fileName);
    } else
      shown[name] = (name.endsWith("location") ? resolveLink(value, below) : undefined) ?? value;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** Lists the other headers that a later call may need, such as `x-export-id`; not those that name this request. */
const reusableHeader = /-(?:id|url|key)$/;
const requestHeader = /request|trace|span|correlation/;
/** More of them are not shown. */
const maxReusable = 3;

function listReusableHeaders(headers: ResponseHeaders): string[] {
  const names = Object.keys(headers).filter(
    (name) => reusableHeader.test(name) && !requestHeader.test(name),
  );
  // Not a session or key that the API gives anew.
  const shown = names.filter(
    (name) => !hasSecretName(name, "query") || !isCredentialLike(readHeader(headers, name) ?? ""),
  );
  return shown.slice(0, maxReusable);
}
