/** From an answer to its cause: the status first, then what it says where the status is not the whole truth. */

import type { ErrorCategory } from "../errors.js";
import { findMissingParameter, readErrorHeaders, readHeader } from "./asked.js";
import { findCategory, isRetryable } from "./category.js";
import type { AnswerCause, Of, SaidByApi } from "./cause.js";
import { type ErrorBody, readErrorBody } from "./error-body.js";
import type { AnswerFacts } from "./facts.js";
import { hasHiddenFailure } from "./hidden-failure.js";
import { findMissing } from "./missing.js";
import { findBrokenJson, hasAskedForPage, readPage } from "./page.js";
import { findCallersFault, findHeader, findPermission, findRefusal } from "./refusal.js";
import { cleanText, dropStack } from "./shown-text.js";

export const maxMessageCharacters = 600;
const maxWordsCharacters = 4_000;
const noFacts: ErrorBody = { codes: [], fields: new Map(), particulars: new Map() };

/** A cause, and what of the body goes into `details`. */
export interface ReadCause {
  readonly cause: AnswerCause;
  readonly body: ErrorBody;
}

/**
 * Says why an answer is no success. Undefined when it is one: a 2xx or 304 whose body neither reports a failure nor is something else
 * than an API's answer. Never throws.
 */
export function readCause(facts: AnswerFacts): ReadCause | undefined {
  const { status, body, request } = facts;
  if (status === 304) return undefined;
  const isFailure = status < 200 || status >= 300 || hasHiddenFailure(body);
  if (isFailure) return judge(facts, readBody(facts));
  if (facts.errorWhenMatched === true) {
    const own = readBody(facts);
    const unsaid = "The body says that the call failed (the record's errorWhen is true of it).";
    return judge(facts, { ...own, message: own.message ?? unsaid });
  }
  const page = hasAskedForPage(request) ? undefined : readPage(body);
  const broken = facts.isTruncated === true ? undefined : findBrokenJson(body);
  if (page === undefined && broken === undefined) return undefined;
  const title = page?.title === undefined ? "" : `: ${page.title}`;
  const said: SaidByApi = {
    status,
    category: "unexpected_content",
    retryable: page === undefined && body.partial !== undefined && request.method === "GET",
    message: cleanText(broken ?? `The API answered with an HTML page${title}`, maxMessageCharacters),
    codes: [],
    fields: [],
  };
  const cause: AnswerCause =
    page === undefined ? { ...said, kind: "broken_body" } : { ...said, kind: "page", page };
  return { cause, body: noFacts };
}

/** What the body of a failed call says, whatever its kind. */
function readBody({ body }: AnswerFacts): ErrorBody {
  const { kind, text, document } = body;
  const own =
    kind === "html" ? (readPage(body)?.message ?? text.slice(0, 2_000)) : text.slice(0, maxTextCharacters);
  if (kind === "html" || kind === "text" || kind === "csv")
    return own === "" ? noFacts : { ...noFacts, message: own };
  return kind === "binary" || document === undefined ? noFacts : readErrorBody(document);
}

const maxTextCharacters = 20_000;

function judge(facts: AnswerFacts, body: ErrorBody): ReadCause {
  const said = readSaid(facts, body);
  return { cause: findKind(facts, said, listWords(said, body)), body };
}

function readSaid({ status, headers, request, rateLimit }: AnswerFacts, body: ErrorBody): SaidByApi {
  const own = readErrorHeaders(headers);
  // A code that only repeats the status comes last: `INVALID_ARGUMENT` tells more than `400`.
  const all = [...body.codes, ...(own.code === undefined ? [] : [own.code])];
  const telling = all.filter((code) => code !== String(status));
  const codes = telling.length > 0 ? telling : all.slice(0, 1);
  const message = cleanText(dropStack(body.message ?? own.message ?? ""), maxMessageCharacters);
  const fields = [...body.fields.keys()];
  const words = { status, codes, message };
  const hasFields = fields.length > 0;
  const category = findCategory({ ...words, hasFields, bodyStatus: body.status, rateLimit });
  const retryable = isRetryable({ ...words, category, method: request.method });
  const reset =
    category === "rate_limited" && rateLimit?.remaining === 0 ? rateLimit.resetInSeconds : undefined;
  // A wait of no length says nothing.
  const retryAfterSeconds = (retryable && (rateLimit?.retryAfterSeconds || reset)) || undefined;
  return { ...words, category, retryable, retryAfterSeconds, fields };
}

/** What the API said in its message, its codes and by field, bounded. */
function listWords({ message, codes }: SaidByApi, read: ErrorBody): string {
  const fields = [...read.fields].slice(0, 20).map(([field, texts]) => `${field}: ${texts.join(", ")}`);
  return [message, ...codes, ...fields].join("\n").slice(0, maxWordsCharacters);
}

/** Those under which an API may really mean the credential, or a header that every call needs. */
const openCategories: readonly ErrorCategory[] = ["bad_request", "validation", "unauthorized", "forbidden"];

function findKind(facts: AnswerFacts, said: SaidByApi, words: string): AnswerCause {
  const { status, category } = said;
  if (wantsHttps(facts, words)) return { ...said, kind: "https_wanted" };
  if (category === "rate_limited") return readLimit(facts, said, words);
  if (status === 407) return { ...said, kind: "proxy_sign_in" };
  if (status === 406 || status === 415) return findRefusedType(facts, said, words);
  const declined = declinedText.test(`${said.codes.join(" ")} ${said.message}`);
  if (declined || status === 402 || paymentText.test(said.message))
    return { ...said, kind: "payment_due", declined };
  const page = status === 403 || status === 511 ? readPage(facts.body) : undefined;
  if (page?.kind === "between" || status === 511)
    return { ...said, kind: "page", page: { ...page, kind: "between" } };
  if (page?.kind === "login") return findRefusal(facts, said, words);
  const isOpen = openCategories.includes(category) && status !== 451;
  return (isOpen ? findCallersFault(facts, said, words) : undefined) ?? findByCategory(facts, said, words);
}

/** RFC 9110 (15.5.16) lets a 415 name what it takes in Accept; RFC 5789 has Accept-Patch, LDP Accept-Post. */
function findRefusedType(facts: AnswerFacts, said: SaidByApi, words: string): AnswerCause {
  const other = findHeader(facts, said, words);
  if (other?.kind === "header_wanted" && !/^(?:accept|content-type)$/i.test(other.name)) return other;
  const named = ["accept-patch", "accept-post", "accept"].map((name) => readHeader(facts.headers, name));
  const takes = said.status === 415 ? named.find(Boolean) : undefined;
  return { ...said, kind: "type_refused", takes: takes && cleanText(takes, 200) };
}

function findByCategory(facts: AnswerFacts, said: SaidByApi, words: string): AnswerCause {
  const { status, category } = said;
  const { headers, body } = facts;
  switch (category) {
    case "forbidden":
      return status === 451 ? { ...said, kind: "legal_block" } : findPermission(facts, said);
    case "not_found": {
      const isPage = readPage(body) !== undefined;
      return { ...said, kind: "not_found", missing: findMissing(facts, said), isPage };
    }
    case "method_not_allowed": {
      const allow = readHeader(headers, "allow");
      return { ...said, kind: "method_refused", allow: allow && cleanText(allow, 100) };
    }
    case "conflict":
      return { ...said, kind: "conflict", over: findConflict(facts, said) };
    case "too_large":
      return { ...said, kind: "request_too_large" };
    case "server_error":
    case "timeout":
      return { ...said, kind: "server_failed" };
    case "unexpected_content": {
      // Without its query, which may hold anything.
      const target = readHeader(headers, "location")?.split("?")[0];
      return { ...said, kind: "other_status", target: target && cleanText(target, 200) };
    }
    default:
      return { ...said, kind: "request_invalid", missing: findMissingParameter(words) };
  }
}

/** What a plan, a balance or a bill forbids, no permission allows. */
const paymentText =
  /\b(?:enough|insufficient|out of) (?:credits?|funds|balance)\b|payment required|\bunpaid\b|upgrade (?:your|to)|\b(?:current|your) (?:plan|subscription) (?:does|doesn't|has|is)|subscription (?:has )?(?:expired|ended|required)|past due/i;
const declinedText =
  /card[ _]?(?:was |is |has been )?declined|declined[ _]card|do_not_honor|card_error|card has insufficient funds/i;

const countsAddress =
  /for (?:your |this )?(?:ip\b|address|\d{1,3}\.\d{1,3}\.)|unauthenticated|anonymous|authenticated requests get/i;
const countsAccount =
  /for (?:this |your )?(?:user|account|api key|key|token|app|client|organi[sz]ation|project)\b|your (?:plan|account|subscription|api key|organi[sz]ation)/i;

function readLimit({ rateLimit }: AnswerFacts, said: SaidByApi, words: string): Of<"rate_limited"> {
  const counts = countsAddress.test(words) ? "address" : countsAccount.test(words) ? "account" : undefined;
  const waitSeconds = said.retryAfterSeconds ?? (rateLimit?.resetInSeconds || undefined);
  return { ...said, kind: "rate_limited", counts, limit: rateLimit?.limit, waitSeconds };
}

/** What servers say to plain HTTP at a port for HTTPS, and what APIs say that take nothing else. */
function wantsHttps({ request, status, body }: AnswerFacts, words: string): boolean {
  const text = `${words}\n${body.text.slice(0, 2_000)}`;
  return request.url.startsWith("http:") && status >= 400 && status < 500 && httpsText.test(text);
}

const httpsText =
  /plain http request|http request (?:was sent )?to (?:an? )?(?:https|ssl|tls)|https (?:is )?(?:required|only)|(?:requires?|must use|only|over) (?:https|ssl|tls)\b|(?:ssl|tls) (?:is )?required/i;
const existsText =
  /already[ _-]?(?:exist|in[ _-]use|taken|registered|been|used|present)|exists[ _-]?already|file[ _-]?exists|\b(?:is|been|name[ _-]?)[ _-]?taken\b|duplicate|must be unique|unique[ _-]?(?:constraint|violation)|(?:not|n't) unique/i;
/** Words that only an API with revisions has: there what exists already is the older revision. */
const revisionText = /\b_?revs?\b|\brevision|\betag|if-match/i;

/** Takes an answer of the category `conflict` and what it says. */
function findConflict(
  { request }: AnswerFacts,
  { status, codes, message }: SaidByApi,
): Of<"conflict">["over"] {
  const { condition } = request;
  const isCondition = condition !== undefined && (status === 409 || status === 412);
  // `If-None-Match: *` means: only if there is none (RFC 9110, section 13.1.2).
  if (isCondition) return /^if-none-match$/i.test(condition) ? "exists" : "condition";
  const text = `${codes.join(" ")} ${message}`;
  if (existsText.test(text) && !revisionText.test(text)) return "exists";
  return status === 412 || status === 428 ? "condition" : "state";
}
