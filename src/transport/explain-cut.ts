/** What to say about an answer whose status came but whose body did not arrive whole. */

import { ApiSourceError, type ErrorCategory } from "../errors.js";
import type { BodyCut, BodyRead } from "./read-body.js";
import type { FailureFacts } from "./to-transport-error.js";

interface Words {
  readonly category: ErrorCategory;
  readonly why: string;
  readonly hint: string;
  readonly retryable: boolean;
}

export interface CutFacts extends FailureFacts {
  readonly status: number;
  /** The source's cap, for the text. */
  readonly maxBytes: number;
  /** The `Content-Encoding` header, for the text. */
  readonly encoding: string;
}

/** Returns why the body is not whole, and the same as an error. */
export function explainCut(
  read: BodyRead & { readonly cut: BodyCut },
  facts: CutFacts,
): { readonly why: string; readonly failure: ApiSourceError } {
  const words = wordsFor(read.cut, facts);
  const { redactor, method, status, repeatable, phase, attempts } = facts;
  const done = repeatable
    ? ""
    : `The ${method} was received and answered with ${status}: check before sending it again. `;
  const why = redactor.redact(words.why);
  const failure = new ApiSourceError({
    message: `The answer did not arrive whole: ${why}.`,
    category: words.category,
    retryable: words.retryable && repeatable,
    code: read.code,
    details: { phase, attempts },
    hint: `${done}${words.hint}`,
  });
  return { why, failure };
}

function wordsFor(cut: BodyCut, facts: CutFacts): Words {
  const askForLess = "Ask for less (a narrower query, a smaller page)";
  switch (cut) {
    case "too_large":
      return {
        category: "too_large",
        why: `the body is larger than ${facts.maxBytes.toLocaleString("en-US")} bytes`,
        hint: `${askForLess}, or raise limits.maxBytes.`,
        retryable: false,
      };
    case "stopped": {
      const limit =
        facts.stoppedBy === "caller_timeout" ? "the time its caller allows" : `${facts.timeoutMs / 1_000} s`;
      return {
        category: "timeout",
        why: `the body did not end within ${limit}`,
        hint: `${askForLess}, or raise limits.timeoutMs.`,
        retryable: true,
      };
    }
    case "connection":
      return {
        category: "network",
        why: "the connection was closed before its end",
        hint: "Try again in a moment.",
        retryable: true,
      };
    case "encoding":
      return {
        category: "unexpected_content",
        why: "the compressed data is broken or ends too early",
        hint: "Try again; when it stays so, the API or a proxy before it compresses wrongly.",
        retryable: true,
      };
    case "unsupported_encoding":
      return {
        category: "unexpected_content",
        why: `the body's Content-Encoding (${facts.encoding}) can't be decoded`,
        hint: "The API compressed it in a way that was not asked for (only gzip, deflate and br are).",
        retryable: false,
      };
  }
}
