/** Step 7 of a call: whether a reply is a success, and if not, what to do about it. */

import type { ApiSourceError, CallError } from "../base/errors.js";
import { readError } from "../failure/call-error.js";
import type { Cause } from "../failure/cause.js";
import { ConnectionError, explainDownload } from "../failure/explain-failure.js";
import type { AnswerFacts } from "../failure/facts.js";
import { isJmespathTrue } from "../query/kinds.js";
import type { ApiSource } from "../record/api-source.js";
import { type ErrorRule, listErrorRules } from "../record/error-when-schema.js";
import type { BuiltRequest } from "../request/wire-request.js";
import { findHeader } from "../request/wire-request.js";
import { readByRule } from "./call-request.js";
import type { Reply } from "./running-call.js";

/** Preconditions of RFC 9110, section 13.1. */
const conditional = /^if-(?:none-)?match$|^if-(?:un)?modified-since$/i;

/** Why a reply is a failure: as an error for a model, and as its cause. */
export interface Judgement {
  readonly error: CallError;
  /** Absent when the only failure is that the body did not arrive whole. */
  readonly cause?: Cause;
  /** Whether the record's `expiredWhen` is true of the body. */
  readonly isExpired?: boolean;
}

/** Where the credential comes from, which is found out for a failure alone; and what a connection test knows besides. */
export type FindSubject = () => Pick<AnswerFacts, "credential" | "baseUrl" | "testEndpoint">;

/** A longer text is not searched for signs: the steps themselves look at a part of it only. */
export const maxSignCharacters = 20_000;
/**
 * A body that reports a failure, or a part that failed, has one of these in its text: a word, an HTTP status, or an outcome (`ok`, `success`) of 0
 * or no; or an escape, which may spell one. Any other 0 is data.
 */
const signOfFailure =
  /err|fault|exception|fail|false|unprocessed|incomplete|\\u|[45]\d\d|(?:ok|success(?:ful)?|succeeded|response)[\W_]*"\s*:\s*"?-?(?:no|0+)\b/i;

/** Whether a success may report that it failed, all of it or in part: a small JSON body without a sign does not. */
export function mayReportFailure(
  status: number,
  { kind, text, partial, contentType = "" }: Reply["body"],
): boolean {
  if (status < 200 || status > 206 || kind !== "json" || partial !== undefined) return true;
  return (
    contentType.includes("problem") || text.length > maxSignCharacters || signOfFailure.test(text)
  );
}

/** Whether an answer may be about the token. A host for downloads was sent none. */
export function mayBeExpired({
  exchange,
  error,
}: Pick<Reply, "exchange"> & Partial<Judgement>): boolean {
  if (exchange.isDownload !== undefined) return false;
  return error !== undefined || exchange.headers["www-authenticate"] !== undefined;
}

/** More facts about a reply. */
interface KnownOfReply {
  readonly findSubject: FindSubject;
  /** Whether the API's document has HTML as this operation's answer. @default false */
  readonly declaresPage?: boolean;
}

/** Judges a reply; there is something to wait for where the record has rules about bodies. Undefined when the call succeeded. */
export function judgeReply(
  source: ApiSource,
  built: BuiltRequest,
  reply: Reply,
  known: KnownOfReply,
): Judgement | undefined | Promise<Judgement | undefined> {
  const { expiredWhen, errorWhen } = source.api;
  if (expiredWhen === undefined && errorWhen === undefined)
    return judgeByRules(source, built, reply, { isExpired: false, ...known });
  return findRules(source, reply).then((rules) =>
    judgeByRules(source, built, reply, { ...known, ...rules }),
  );
}

/** The rules of the record that are true of a reply. */
interface TrueRules {
  /** Whether `expiredWhen` is. */
  readonly isExpired: boolean;
  readonly errorRule?: ErrorRule | undefined;
}

async function findRules(source: ApiSource, { exchange, body }: Reply): Promise<TrueRules> {
  const isExpired = await isTrueOf(source.api.expiredWhen, body);
  const errorRule = exchange.status < 300 ? await findErrorRule(source, body) : undefined;
  return { isExpired, errorRule };
}

function judgeByRules(
  source: ApiSource,
  built: BuiltRequest,
  { exchange, body, rateLimit, show, repeat, mayFail }: Reply,
  { findSubject, declaresPage = false, isExpired, errorRule }: KnownOfReply & TrueRules,
): Judgement | undefined {
  const { status, headers, failure } = exchange;
  const { wire, method } = built;
  const isJudged = isExpired || errorRule !== undefined || mayFail;
  const judged = !isJudged
    ? undefined
    : readError({
        // Most bodies with a sign of a failure report none: the subject is found when a failure is written.
        get credential() {
          return findSubject().credential;
        },
        get baseUrl() {
          return findSubject().baseUrl;
        },
        get testEndpoint() {
          return findSubject().testEndpoint;
        },
        status,
        headers,
        body,
        source,
        request: {
          ...repeat,
          method,
          // A hint truncates what it shows, and the base URL may contain a secret variable.
          ...show(),
          contentType: findHeader(wire.headers, "content-type"),
          accept: findHeader(wire.headers, "accept"),
          declaresPage,
          condition: findCondition(wire.headers),
        },
        rateLimit,
        isTruncated: exchange.incomplete !== undefined,
        errorRule,
        isExpired,
      });
  if (isExpired && judged !== undefined) return { ...judged, isExpired };
  if (exchange.isDownload === true && judged !== undefined && status >= 400)
    return { error: explainDownload(judged.error, status, exchange.url) };
  // A body over the cap, and one that does not end, are partial answers and not failures: what arrived is shown.
  if (failure === undefined || failure.category === "too_large" || isOpen(failure, body))
    return judged;
  return status >= 400 && judged !== undefined ? judged : { error: failure.toCallError() };
}

/** Whether a body does not end but is of use: an event stream, or another one of which something came. */
function isOpen(failure: ApiSourceError, { bytes }: Reply["body"]): boolean {
  if (!(failure instanceof ConnectionError) || failure.failure.kind !== "unfinished") return false;
  return failure.failure.isStream || bytes > 0;
}

function findCondition(headers: BuiltRequest["wire"]["headers"]): string | undefined {
  return Object.keys(headers).find((name) => conditional.test(name));
}

/** The first rule of the record that is true of a body. */
async function findErrorRule(
  { api: { errorWhen } }: ApiSource,
  body: Reply["body"],
): Promise<ErrorRule | undefined> {
  if (errorWhen === undefined) return undefined;
  for (const rule of listErrorRules(errorWhen)) if (await isTrueOf(rule.when, body)) return rule;
  return undefined;
}

async function isTrueOf(expression: string | undefined, body: Reply["body"]): Promise<boolean> {
  return expression !== undefined && isJmespathTrue((await readByRule(expression, body)) ?? null);
}
