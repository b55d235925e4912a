/** Explains a request without a complete response to a model: what happened, and what that means for the call. */

import { dropUndefined } from "../base/drop-undefined.js";
import { ApiSourceError, type ErrorCategory } from "../base/errors.js";
import type { RedirectFailure, SendFailure } from "../http/send-failure.js";
import type { CauseKind } from "./cause.js";
import { explainConnection, readTruncation } from "./explain-connection.js";
import { explainRedirect } from "./explain-redirect.js";

/** The error of a failed request, with what failed as data; all of it is redacted. */
export class ConnectionError extends ApiSourceError {
  readonly failure: SendFailure;

  constructor(fields: ConstructorParameters<typeof ApiSourceError>[0], failure: SendFailure) {
    const { phase, attempts } = failure;
    super({ ...fields, details: fields.details ?? { phase, attempts } });
    this.failure = failure;
  }
}

/** Category, whether waiting can help a request that may be sent again, and whether the model can change the call; the user has to fix all else. */
type Classification = readonly [category: ErrorCategory, retryable: boolean, isCallers?: true];

const unsure: Classification = ["network", true, true];
const outcomes: Readonly<Partial<Record<CauseKind, Classification>>> = {
  host_unknown: ["dns", false],
  dns_failed: ["dns", true],
  refused: ["network", true],
  tls: ["tls", false],
  timed_out: ["timeout", true, true],
  not_http: ["unexpected_content", false],
  no_answer: ["unexpected_content", false],
  unsendable: ["invalid_input", false, true],
  proxy_refused: ["network", false],
  proxy_off: ["network", true],
  proxy_unreachable: ["network", true],
  body_too_large: ["too_large", false, true],
  body_late: ["timeout", true, true],
  body_garbled: ["unexpected_content", true, true],
  body_unknown: ["unexpected_content", false],
};

/**
 * Explains what a failed request means.
 *
 * @param baseUrl of the source, redacted.
 */
export function explainFailure(failure: SendFailure, baseUrl: string): ConnectionError {
  if (isRedirect(failure)) return refuseRedirect(failure);
  const warning = warnOfWrite(failure);
  if (failure.kind === "cancelled") {
    const hint = `${warning}The caller stopped it.`;
    return new ConnectionError({ message: "The call was cancelled.", category: "cancelled", hint }, failure);
  }
  const { kind, message, fix } = explainConnection(failure, baseUrl);
  const [category, retryable, isCallers] = outcomes[kind] ?? unsure;
  const { attempts, status } = failure;
  const tries = attempts > 1 && status === undefined ? ` (${attempts} attempts)` : "";
  const ownCode = failure.kind.startsWith("proxy") ? `ERR_${failure.kind.toUpperCase()}` : undefined;
  return new ConnectionError(
    {
      message: `${message.replace(/\.$/, "")}${tries}.`,
      category,
      retryable: retryable && warning === "",
      code: ("code" in failure ? failure.code : undefined) ?? ownCode,
      hint: `${warning}${isCallers ? "" : "Tell the user: "}${fix}`,
    },
    failure,
  );
}

/** A write whose bytes were sent may have been done. */
function warnOfWrite({ method, repeatable, attempts, phase, status }: SendFailure): string {
  if (repeatable || attempts === 0) return "";
  if (status !== undefined)
    return `The ${method} was received and answered with ${status}: check before sending it again. `;
  return phase === "first_byte" || phase === "body"
    ? `The ${method} may have been carried out: check with a GET before sending it again. `
    : "";
}

/** Explains why a body is not complete, as a part of a sentence; undefined for a failure without a status. */
export function describeTruncation(failure: SendFailure): string | undefined {
  return failure.status === undefined || isRedirect(failure) ? undefined : readTruncation(failure).why;
}

export function isRedirect(failure: SendFailure): failure is RedirectFailure {
  return failure.kind === "redirect";
}

/** A redirect is never retryable: the same request meets the same answer. */
function refuseRedirect(failure: RedirectFailure): ConnectionError {
  const { status, target, reason } = failure;
  const details = { redirect: dropUndefined({ status, target, reason }) };
  const { message, advice = "" } = explainRedirect(failure);
  const words = reason === "write" ? explainWrite(failure) : { message, hint: advice };
  return new ConnectionError({ ...words, category: "refused_by_policy", details }, failure);
}

/** RFC 9110 section 15.4: 303 points to the result; the others ask for the request, or a GET, at another place. */
function explainWrite({ status, method, target, path }: RedirectFailure): { message: string; hint: string } {
  const to = target === undefined ? "" : ` to ${target}`;
  const look = path === undefined ? "GET the resource that it changes" : `GET ${path}`;
  const again =
    path === undefined || status === 303 ? "" : ` If it was not, send the ${method} to ${path} instead.`;
  return {
    message: `The ${method} was received and answered with ${status}, a redirect${to}. A write is not sent to another address.`,
    hint: `Do not send it again as it is. ${look} to see whether it was carried out.${again}`,
  };
}
