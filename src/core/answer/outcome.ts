/** The outcome of a call, whether it succeeded or failed: the answer for a model, and small plain data about it for a program. */

import { ApiSourceError, type ErrorCategory, notConfigured } from "../base/errors.js";
import { isEnd } from "../base/lifetime.js";
import type { CallContext, Host } from "../base/runtime.js";
import type { KeptFile } from "../body/files/file.js";
import { isCancelled, isTimeLimit } from "../http/deadline.js";
import type { RateLimit } from "../http/limits/rate-limit.js";
import type { Redactor } from "../secrets/redactor.js";
import type { SecretRegistry } from "../secrets/secret-registry.js";
import type { KeptResponses } from "../store/kept-responses.js";
import { estimateTokens } from "../view/count-tokens.js";
import type { CountTokens, Summarizer } from "../view/summary.js";
import { type Answer, defaultMaxTokens, fitAnswer, writeAnswer } from "./answer.js";

/** The services that make an answer: those of the process, the budget, the redactor, and the place where a large body is kept. */
export interface AnswerServices {
  readonly host: Host;
  readonly answers: AnswerSettings;
  readonly secrets: SecretRegistry;
  readonly kept: KeptResponses;
}

/** As the application's options have them. */
export interface AnswerSettings {
  readonly countTokens: CountTokens;
  /** The budget of sources whose record sets none. */
  readonly maxTokens: number | undefined;
  readonly summarizer: Summarizer | undefined;
  /** Whether an answer may name a kept body. */
  readonly readApiResponse: boolean;
}

/** Small, plain and redacted: artifacts are checkpointed at every step and shown in traces. The body is never in it. */
export interface CallArtifact {
  /** The tool's name. */
  readonly source: string;
  /** The request line as sent, without the credential, such as `GET /issues?page=2`; absent when none could be built. */
  readonly request?: string;
  /** The HTTP status; absent where no response arrived. */
  readonly status?: number;
  /** Why the call failed. */
  readonly category?: ErrorCategory;
  /** From the call's start to its answer, in milliseconds; the time that a person takes is no part of it. */
  readonly durationMs: number;
  /** Size of the body in bytes, decompressed. */
  readonly bytes?: number;
  /** Tokens of the answer, as `countTokens` counts them; absent where the answer is not a text for a model. */
  readonly tokens?: number;
  /** How many requests were sent, retries and redirects included. */
  readonly attempts?: number;
  /** The rest of the API's quota, where the response states it. */
  readonly rateLimit?: RateLimit;
  /** The id of the kept response. */
  readonly responseId?: string;
  /** The body as a file, where it is not JSON; its bytes are never in it. */
  readonly file?: KeptFile;
}

export interface Outcome {
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** One valid JSON document, within the token budget: what the model reads. */
  readonly content: string;
  /** Small plain data about the call, for a program. */
  readonly artifact: CallArtifact;
}

/** The outcome of one call for code: the answer's parts, `data` the whole document as JSON text; it has no `content`. */
export interface WholeOutcome extends Omit<Outcome, "content">, Partial<Pick<Outcome, "content">> {
  readonly answer: Answer;
  /** Knows every secret of the toolkit and of this call: for a text that is made of the answer. */
  readonly redactor: Redactor;
}

/** @param known - What the answer itself does not say. */
export function describeArtifact(
  source: string,
  known: Partial<CallArtifact>,
  { status, error, rateLimit = known.rateLimit, shortened, kept }: Answer,
  durationMs: number,
): CallArtifact {
  const {
    request,
    bytes,
    tokens,
    attempts,
    file,
    responseId = shortened?.id ?? kept ?? file?.id,
  } = known;
  return {
    source,
    request,
    status,
    category: error?.category,
    durationMs,
    bytes,
    tokens,
    attempts,
    rateLimit,
    responseId,
    file,
  };
}

/** Step 10 of a call, write: whatever put the parts together, the final text is redacted once more. The names of its own members are no secret, whatever word a secret is. */
export function writeContent(answer: Answer, redactor: Pick<Redactor, "redact">): string {
  const written = writeAnswer(answer);
  if (redactor.redact(written) === written) return written;
  const { data, ...own } = answer;
  // In a list, so that a bare number or string stays JSON.
  const redacted = data === undefined ? data : redactor.redact(`[${data}]`).slice(1, -1);
  return writeAnswer({ ...redactValues(own, redactor), data: redacted });
}

/** The members of an answer whose names are the API's or the caller's. */
const foreignMembers: ReadonlySet<string> = new Set(["details", "headers", "query", "body"]);

/** A value with each secret replaced, and none of our own names. */
function redactValues<Value>(value: Value, redactor: Pick<Redactor, "redact">): Value {
  if (typeof value !== "object" || value === null) return redactor.redact(value);
  if (Array.isArray(value)) return value.map((each) => redactValues(each, redactor)) as Value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    foreignMembers.has(name) ? redactor.redact(member) : redactValues(member, redactor),
  ]);
  return Object.fromEntries(members);
}

/** The tokens of a written answer. The application's own count may fail; the answer is written already. */
export function countContent(content: string, services: Pick<AnswerServices, "answers">): number {
  try {
    return Math.ceil(services.answers.countTokens(content));
  } catch {
    return Math.ceil(estimateTokens(content));
  }
}

/** The facts about a call that failed. */
interface FailedCall extends Pick<Answer, "status"> {
  /** The tool's name. */
  readonly source: string;
  /** The input of the caller. */
  readonly input: unknown;
  readonly maxTokens?: number;
  readonly redactor: Redactor;
}

/** The answer of a call that failed before it had something to show. */
export function describeFailure(
  thrown: unknown,
  { host, answers }: Pick<AnswerServices, "host" | "answers">,
  {
    source,
    status,
    input,
    redactor,
    maxTokens = answers.maxTokens ?? defaultMaxTokens,
  }: FailedCall,
): Answer {
  const failure = toFailure(thrown);
  // The message of an error that a function of the application threw is for the log, never for the model.
  if (failure !== thrown && !isTimeLimit(thrown))
    host.application.report({ what: "Something a call needs", source }, thrown);
  const failed = failure.toCallError();
  // Redacted before it is truncated: half a secret would not be found in the final text.
  const given = writeInput(input);
  const hasSecret = redactor.redact(given) !== given;
  // A text that quotes the beginning of the input, or a word of a query, may have a part of the secret.
  const write = (text: string, instead: string): string =>
    hasSecret && (failed.code === "invalid_select" || text.includes("…"))
      ? instead
      : redactor.redact(text);
  const { category, retryAfterSeconds } = failed;
  const isLimit = category === "rate_limited" && retryAfterSeconds !== undefined;
  const rateLimit = isLimit
    ? { remaining: 0, resetInSeconds: retryAfterSeconds, retryAfterSeconds }
    : undefined;
  const error = {
    ...failed,
    message: write(
      failed.message,
      "The input is wrong. It contains a secret, so it is not quoted here.",
    ),
    hint: write(failed.hint, "Leave the secret out: the tool adds the credential."),
  };
  // By the estimate: the application's own count may be what failed.
  return fitAnswer({ status, error, rateLimit }, maxTokens, estimateTokens);
}

/** The input of a tool as JSON text; `""` where it is not JSON. */
export function writeInput(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return "";
  }
}

function toFailure(thrown: unknown): ApiSourceError {
  const isOwn = thrown instanceof ApiSourceError && thrown.category !== "cancelled";
  if (isOwn || isEnd(thrown)) return thrown;
  if (isTimeLimit(thrown)) {
    const message = "The call was stopped by the time limit of the agent or the application.";
    return new ApiSourceError({ message, category: "timeout", hint: "Request less at once." });
  }
  return notConfigured(
    "internal_error",
    "Something inside the tool or a function the application gave it failed; its message is not shown.",
    "The agent can't change this. The application's log names what failed.",
  );
}

/**
 * Runs a tool that sends nothing. Rejects only with the caller's own abort reason.
 *
 * @param work - Notes in `known` what the artifact is to hold, as soon as it is known.
 */
export async function toOutcome(
  services: Pick<AnswerServices, "host" | "answers" | "secrets">,
  { source, input, signal }: Pick<FailedCall, "source" | "input"> & Pick<CallContext, "signal">,
  work: (known: Partial<CallArtifact>) => Promise<Answer>,
): Promise<Outcome> {
  const { clock } = services.host;
  const startedMs = clock.now();
  const known: Partial<CallArtifact> = {};
  const answer = await work(known).catch((thrown: unknown) => {
    if (isCancelled(signal)) throw signal?.reason;
    const { status } = known;
    const redactor = services.secrets.redactor();
    return describeFailure(thrown, services, { source, status, input, redactor });
  });
  const artifact = describeArtifact(source, known, answer, clock.now() - startedMs);
  const content = writeContent(answer, services.secrets.redactor());
  return { ok: answer.error === undefined, content, artifact };
}
