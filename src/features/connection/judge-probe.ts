/** The finding of a connection test: the facts that the answer of a probe shows of a source. */

import type { ApiSourceError } from "../../core/base/errors.js";
import type { Judgement } from "../../core/call/judge-reply.js";
import type { Reply } from "../../core/call/running-call.js";
import { dropQuery } from "../../core/failure/answer-facts.js";
import {
  ConnectionError,
  explainPreparation,
  explainToPerson,
} from "../../core/failure/explain-failure.js";
import type { Subject } from "../../core/failure/facts.js";
import type { Finding } from "./connection-report.js";

/** A reply, and why it is a failure; a success has neither `error` nor `cause`. */
export interface ProbeAnswer extends Partial<Judgement> {
  readonly reply: Reply;
}

/**
 * A public API without a test endpoint answers its base URL in any way, often 404: that shows that it is there. A redirect that is not followed and
 * a credential that it wants are findings all the same.
 */
export function judgeReach(answer: ProbeAnswer, subject: Subject): Finding {
  const { status, failure } = answer.reply.exchange;
  const isElsewhere = failure !== undefined && status < 400;
  if (isElsewhere || status === 401) return { ...judge(answer, subject), status };
  const answered = `GET ${dropQuery(subject.request.url)} answered ${status}`;
  return {
    verdict: "reachable",
    message: `${answered}: the API is reached. The record has no credential to check, and no \`api.testEndpoint\`.`,
    fix: "",
    status,
  };
}

/** A redirect, a body that broke off, and a response that explains why it failed. */
export function judge({ reply, cause }: ProbeAnswer, subject: Subject): Finding {
  const { failure, status, attempts, url } = reply.exchange;
  if (failure !== undefined && (cause === undefined || status < 400))
    return explainError(failure, subject);
  // A test sends nothing again: the second request is that of a redirect.
  if (cause?.verdict === "not_an_api" && status < 300 && attempts > 1)
    return {
      ...cause,
      verdict: "redirected",
      message: `${cause.message} It is at ${dropQuery(url)}.`,
    };
  return cause ?? describeUnknown(failure);
}

/** Takes what sending threw, or the failure of an answer of which a part came. */
export function explainError(error: ApiSourceError, subject: Subject): Finding {
  return error instanceof ConnectionError
    ? explainToPerson(error.failure, subject)
    : explainPreparation(error, subject);
}

/** The report of a source with a credential, and no endpoint that would check it. */
export function describeNoEndpoint(notes: readonly string[]): Finding {
  return {
    verdict: "no_test_endpoint",
    message: "The record has no `api.testEndpoint`, so nothing was sent.",
    fix: 'Add "testEndpoint" under `api`: a path that GET answers only to a valid credential, such as "/user" or "/me" ("/" is the base URL with a slash at its end).',
    notes,
  };
}

/** Nothing of what was thrown is shown but its class: it may hold anything. */
export function describeUnknown(error: unknown): Finding {
  return {
    verdict: "unreachable",
    message: `The test itself failed before it was finished (${error instanceof Error ? error.name : typeof error}); its message is not shown.`,
    fix: "Check the functions and clients that were given as options (credentials, secrets, redis).",
  };
}
