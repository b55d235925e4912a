/** The words for a model when a request brought no answer, or none that is whole: those for a person, and what that means for the call. */

import { ApiSourceError, type ErrorCategory } from "../errors.js";
import type { RedirectFailure, SendFailure } from "../transport/send-failure.js";
import type { ConnectionCause } from "./cause.js";
import { readConnectionCause } from "./connection-cause.js";
import { explainRedirect } from "./redirect.js";
import { describeConnection } from "./verdict-connection.js";

/** The error of a failed request, with what failed as data; all of it is redacted. */
export class ConnectionError extends ApiSourceError {
  readonly failure: SendFailure;

  constructor(fields: ConstructorParameters<typeof ApiSourceError>[0], failure: SendFailure) {
    const { phase, attempts } = failure;
    super({ ...fields, details: fields.details ?? { phase, attempts } });
    this.failure = failure;
  }
}

/** Category, and whether waiting can help a request that may be sent again. */
const outcomes: Readonly<Record<ConnectionCause["kind"], readonly [ErrorCategory, boolean]>> = {
  host_unknown: ["dns", false],
  dns_failed: ["dns", true],
  refused: ["network", true],
  unreachable: ["network", true],
  broke_off: ["network", true],
  certificate: ["tls", false],
  handshake: ["tls", false],
  other_protocol: ["tls", false],
  timed_out: ["timeout", true],
  not_http: ["unexpected_content", false],
  undecodable: ["unexpected_content", false],
  unsendable: ["invalid_input", false],
  proxy_refused: ["network", false],
  proxy_unreachable: ["network", true],
};
/** What the call itself can change, or wait for; all else is the user's to mend. */
const callers: ReadonlySet<ConnectionCause["kind"]> = new Set([
  "timed_out",
  "unsendable",
  "unreachable",
  "broke_off",
]);

/**
 * Says what a failed request means.
 *
 * @param baseUrl of the source, redacted.
 */
export function explainFailure(failure: SendFailure, baseUrl: string): ConnectionError {
  const { phase, attempts, method, repeatable } = failure;
  if (isRedirect(failure)) return new ConnectionError(explainRedirect(failure), failure);
  if (failure.status !== undefined) return explainTruncation(failure, failure.status);
  const mayHaveHappened = !repeatable && attempts > 0 && (phase === "first_byte" || phase === "body");
  const warning = mayHaveHappened
    ? `The ${method} may have been carried out all the same: check with a GET before sending it again. `
    : "";
  if (failure.kind === "cancelled") {
    const hint = `${warning}The caller stopped it.`;
    return new ConnectionError({ message: "The call was cancelled.", category: "cancelled", hint }, failure);
  }
  const cause = readConnectionCause(failure);
  const [category, retryable] = outcomes[cause.kind];
  const { message, fix } = describeConnection(cause, { baseUrl, limit: writeLimit(failure) });
  const tries = attempts > 1 ? ` (${attempts} attempts)` : "";
  return new ConnectionError(
    {
      message: `${message.replace(/\.$/, "")}${tries}.`,
      category,
      retryable: retryable && !mayHaveHappened,
      code: cause.code ?? (cause.kind.startsWith("proxy") ? `ERR_${cause.kind.toUpperCase()}` : undefined),
      hint: `${warning}${callers.has(cause.kind) ? "" : "Tell the user: "}${fix}`,
    },
    failure,
  );
}

/** Says why a body is not whole, as a part of a sentence; undefined for a failure without a status. */
export function describeTruncation(failure: SendFailure): string | undefined {
  return failure.status === undefined || isRedirect(failure) ? undefined : explainBody(failure).why;
}

export function isRedirect(failure: SendFailure): failure is RedirectFailure {
  return failure.kind === "redirect";
}

interface BodyWords {
  readonly category: ErrorCategory;
  readonly why: string;
  readonly hint: string;
  readonly retryable: boolean;
}

function explainBody(failure: SendFailure): BodyWords {
  const less = "Ask for less (a narrower query, a smaller page)";
  switch (failure.kind) {
    case "too_large": {
      const why = `the body is larger than ${failure.maxBytes.toLocaleString("en-US")} bytes`;
      return { category: "too_large", why, hint: `${less}, or raise limits.maxBytes.`, retryable: false };
    }
    case "timeout": {
      const why = `the body did not end within ${writeLimit(failure)}`;
      return { category: "timeout", why, hint: `${less}, or raise limits.timeoutMs.`, retryable: true };
    }
    case "encoding": {
      const hint = "Try again; when it stays so, the API or a proxy before it compresses wrongly.";
      const why = "the compressed data is broken or ends too early";
      return { category: "unexpected_content", why, hint, retryable: true };
    }
    case "unsupported_encoding": {
      const hint = "The API compressed it in a way that was not asked for (only gzip, deflate and br are).";
      const why = `the body's Content-Encoding (${failure.encoding}) can't be decoded`;
      return { category: "unexpected_content", why, hint, retryable: false };
    }
    default: {
      const why = "the connection was closed before its end";
      return { category: "network", why, hint: "Try again in a moment.", retryable: true };
    }
  }
}

function explainTruncation(failure: SendFailure, status: number): ConnectionError {
  const { method, repeatable } = failure;
  const { category, why, hint, retryable } = explainBody(failure);
  const done = `The ${method} was received and answered with ${status}: check before sending it again. `;
  return new ConnectionError(
    {
      message: `The answer did not arrive whole: ${why}.`,
      category,
      retryable: retryable && repeatable,
      code: "code" in failure ? failure.code : undefined,
      hint: `${repeatable ? "" : done}${hint}`,
    },
    failure,
  );
}

/** The time that ran out, in words. */
export function writeLimit(failure: SendFailure): string {
  const limitMs = failure.kind === "timeout" ? failure.limitMs : undefined;
  return limitMs === undefined ? "the time its caller allows" : `${limitMs / 1_000} s`;
}
