/** Why an answer is no success: from its status, and from what it says where the status is not the whole truth. */

import type { Probe, ProbeAnswer } from "../client/probe-source.js";
import type { ApiSourceError, CallError } from "../errors.js";
import { diagnoseCredential, diagnoseExpiry, diagnoseFlaw } from "./diagnose-credential.js";
import { asksForCredential, diagnoseHeader, diagnoseMediaType } from "./diagnose-header.js";
import { diagnoseRateLimit, diagnoseServerError } from "./diagnose-limit.js";
import { diagnoseNotFound } from "./diagnose-not-found.js";
import { diagnosePage } from "./diagnose-page.js";
import { diagnosePermission } from "./diagnose-permission.js";
import { diagnoseLedAway, diagnoseRedirect, readRedirect } from "./diagnose-redirect.js";
import {
  diagnoseBadRequest,
  diagnoseErrorInBody,
  diagnoseMethod,
  diagnoseOtherStatus,
  diagnoseProxySignIn,
} from "./diagnose-request.js";
import { diagnoseTimeout } from "./diagnose-timeout.js";
import { tellTlsPort } from "./diagnose-tls.js";
import type { Finding, Subject } from "./finding.js";
import { type Reading, speaksOfPermission, toReading, withoutQuery } from "./reading.js";

export function diagnoseReply(
  subject: Subject,
  {
    probe,
    answer,
    error,
  }: { readonly probe: Probe; readonly answer: ProbeAnswer; readonly error: CallError },
  nowMs: number,
): Finding {
  const { failure, status } = answer.reply.exchange;
  const redirect = readRedirect(failure?.details);
  if (redirect !== undefined) return diagnoseRedirect(subject, redirect);
  const cut = failure === undefined || status >= 400 ? undefined : diagnoseCut(subject, failure, status);
  if (cut !== undefined) return cut;
  const reading = toReading(subject, probe, answer, error);
  if (status < 300 && reading.page !== undefined && answer.reply.exchange.attempts > 1) {
    return diagnoseLedAway(reading, withoutQuery(answer.reply.exchange.url));
  }
  if (wantsHttps(reading, answer.reply.body.text)) return tellTlsPort(new URL(subject.baseUrl));
  if (error.category === "rate_limited") return diagnoseRateLimit(reading);
  return (byStatus[status] ?? byRange(status))(reading, nowMs);
}

/** The head of an answer came, and its body did not. */
function diagnoseCut(subject: Subject, failure: ApiSourceError, status: number): Finding | undefined {
  if (failure.category === "timeout") return diagnoseTimeout(subject, "body", status);
  if (failure.category !== "network") return undefined;
  return {
    verdict: "unreachable",
    message: `${withoutQuery(subject.url)} began to answer with ${status}, but closed the connection before the answer was whole.`,
    fix: "Test again in a moment. If it stays so, the API or a proxy before it breaks off; choose an `api.testEndpoint` with a shorter answer.",
  };
}

type Diagnose = (reading: Reading, nowMs: number) => Finding;

const byStatus: Readonly<Record<number, Diagnose>> = {
  ...Object.fromEntries([401, 419, 440, 498, 499].map((status) => [status, diagnoseUnauthorized])),
  ...Object.fromEntries(
    [400, 409, 411, 412, 413, 414, 417, 422, 424, 428, 431].map((status) => [status, diagnoseRefused]),
  ),
  402: diagnosePermission,
  403: diagnoseForbidden,
  404: diagnoseMissing,
  405: diagnoseMethod,
  406: (reading) => diagnoseHeader(reading) ?? diagnoseMediaType(reading),
  407: diagnoseProxySignIn,
  408: (reading) => diagnoseTimeout(reading, "first_byte"),
  410: diagnoseMissing,
  415: (reading) => diagnoseHeader(reading) ?? diagnoseMediaType(reading),
  429: diagnoseRateLimit,
  501: diagnoseMethod,
  511: diagnosePage,
};

function byRange(status: number): Diagnose {
  if (status < 300) return diagnoseSuccess;
  return status >= 500 ? diagnoseServerError : diagnoseOtherStatus;
}

/** A 2xx whose body is no success. */
function diagnoseSuccess(reading: Reading, nowMs: number): Finding {
  const { error, speaksOfCredential } = reading;
  if (error.category === "unexpected_content") return diagnosePage(reading);
  if (error.category === "forbidden" || (speaksOfCredential && speaksOfPermission(reading))) {
    return diagnosePermission(reading);
  }
  if (speaksOfCredential) return diagnoseCredential(reading, nowMs);
  return diagnoseHeader(reading) ?? diagnoseErrorInBody(reading);
}

/** A 401 is about the credential unless the API names a header of another kind, or a scope. */
function diagnoseUnauthorized(reading: Reading, nowMs: number): Finding {
  const lacksScope =
    reading.source.api.authType !== undefined &&
    (reading.challenges.some(({ params }) => params.get("error") === "insufficient_scope") ||
      /insufficient[ _-](?:scope|permission)|missing[ _-](?:required[ _-])?scope|(?:does not|doesn't|do not|don't) have (?:the )?(?:required |necessary )?(?:scope|permission)/i.test(
        reading.words,
      ));
  return (
    diagnoseHeader(reading) ?? (lacksScope ? diagnosePermission(reading) : diagnoseCredential(reading, nowMs))
  );
}

/** A 403 is about permissions, unless it says that the credential itself is wrong, or shows it by its look. */
function diagnoseForbidden(reading: Reading, nowMs: number): Finding {
  const { page } = reading;
  if (page?.kind === "block" || page?.kind === "captive_portal") return diagnosePage(reading);
  const header = diagnoseHeader(reading);
  if (header !== undefined) return header;
  if (speaksOfPermission(reading)) return diagnosePermission(reading);
  if (reading.speaksOfCredential || page?.kind === "login" || asksForCredential(reading)) {
    return diagnoseCredential(reading, nowMs);
  }
  return diagnoseFlaw(reading) ?? diagnoseExpiry(reading, nowMs) ?? diagnosePermission(reading);
}

function diagnoseMissing(reading: Reading, nowMs: number): Finding {
  return reading.speaksOfCredential ? diagnoseCredential(reading, nowMs) : diagnoseNotFound(reading);
}

function diagnoseRefused(reading: Reading, nowMs: number): Finding {
  const header = diagnoseHeader(reading);
  if (header !== undefined) return header;
  const isCredential = reading.speaksOfCredential || asksForCredential(reading);
  return isCredential ? diagnoseCredential(reading, nowMs) : diagnoseBadRequest(reading);
}

/** What servers say to plain HTTP at a port for HTTPS, and what APIs say that take nothing else. */
function wantsHttps({ baseUrl, status, error }: Reading, text: string): boolean {
  return (
    baseUrl.startsWith("http:") &&
    status >= 400 &&
    status < 500 &&
    /plain http request|http request (?:was sent )?to (?:an? )?(?:https|ssl|tls)|speaking plain http|https (?:is )?(?:required|only)|(?:use|requires?|require|must use|only|over) (?:https|ssl|tls)\b|(?:ssl|tls) (?:is )?required/i.test(
      `${error.message}\n${text.slice(0, 2_000)}`,
    )
  );
}
