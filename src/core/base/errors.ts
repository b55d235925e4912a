/** The error family, what each error carries, and the two errors of the request policy. */

/** Every category a failed call can have; the list is a public contract. */
export const errorCategories = [
  "bad_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "validation",
  "rate_limited",
  "server_error",
  "timeout",
  "network",
  "tls",
  "dns",
  "too_large",
  "refused_by_policy",
  "invalid_input",
  "unexpected_content",
  "not_configured",
  "approval_required",
  "code_error",
  "job_failed",
  "cancelled",
] as const;

export type ErrorCategory = (typeof errorCategories)[number];

/** The `error` member of an answer: the failure of one call, and the step that fixes it. */
export interface CallError {
  /** The message of the API (or of this package), one or a few sentences. */
  readonly message: string;
  /** The kind of failure. */
  readonly category: ErrorCategory;
  /** Whether the same call may succeed later without being changed. */
  readonly retryable: boolean;
  /** Seconds to wait before the same call can succeed, when that is known. */
  readonly retryAfterSeconds?: number;
  /** The API's own error code, or a Node/TLS error code. */
  readonly code?: string;
  /** Structured particulars, such as field-level validation errors. Plain JSON data. */
  readonly details?: unknown;
  /** The next step: a change of the call or of the record. */
  readonly hint: string;
}

/** The parts of an error; by default it is not retryable. */
export type ApiSourceErrorFields = Partial<CallError> &
  Pick<CallError, "message" | "category" | "hint">;

/**
 * The base of every error this package throws. It never has a `cause` and never refers to a request, a
 * response, or a credential: an AxiosError reached through either would print the credential
 * (`util.inspect`, tracers).
 */
export class ApiSourceError extends Error {
  override readonly name: string = "ApiSourceError";
  /** The kind of failure. */
  readonly category: ErrorCategory;
  /** The next step for the caller. */
  readonly hint: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** The wait that was stated, in seconds. */
  readonly retryAfterSeconds?: number;
  /** The API's own code of the failure. */
  readonly code?: string;
  /** More about the failure, such as the problems of single fields. */
  readonly details?: unknown;

  constructor(fields: ApiSourceErrorFields) {
    super(fields.message);
    this.category = fields.category;
    this.hint = fields.hint;
    this.retryable = fields.retryable ?? false;
    if (fields.retryAfterSeconds !== undefined) this.retryAfterSeconds = fields.retryAfterSeconds;
    if (fields.code !== undefined) this.code = fields.code;
    if (fields.details !== undefined) this.details = fields.details;
  }

  /** The same facts as plain data, in the key order of the answer document. */
  toCallError(): CallError {
    return {
      message: this.message,
      category: this.category,
      retryable: this.retryable,
      retryAfterSeconds: this.retryAfterSeconds,
      code: this.code,
      details: this.details,
      hint: this.hint,
    };
  }
}

/** One thing wrong with one record. */
export interface RecordProblem {
  /** The file of the record; absent for a record given as an object. */
  readonly file?: string;
  /** Which record, by its name or host, when that is known. */
  readonly source?: string;
  /** Where in the record, such as `api.headerName`. */
  readonly path: string;
  /** The value at that place, as short JSON text; absent when there was none. */
  readonly given?: string;
  /** The fault of the value; it never contains a value that may be a secret. */
  readonly message: string;
  /** The change that fixes it. */
  readonly fix: string;
}

/** Thrown when records are loaded: one error that lists every problem of every file, after a line that counts them. */
export class SourceRecordError extends ApiSourceError {
  override readonly name: string = "SourceRecordError";
  /** Every problem of every record, in their order. */
  readonly problems: readonly RecordProblem[];

  constructor(problems: readonly RecordProblem[]) {
    const count = `${problems.length} problem${problems.length === 1 ? "" : "s"}:`;
    super({
      message: [count, ...problems.map(describeProblem)].join("\n"),
      category: "not_configured",
      hint: "Fix each listed field of the record and load it again.",
    });
    this.problems = problems;
  }
}

function describeProblem(problem: RecordProblem): string {
  const where = [problem.file, problem.source, problem.path].filter(Boolean).join(" › ");
  const given = problem.given === undefined ? "" : ` (given: ${problem.given})`;
  return `${where}: ${problem.message}${given}. Fix: ${problem.fix}`;
}

/** Class names as people write them. An error's `name` is a field like any other, and could hold what its message does. */
const className = /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/;

/** Describes an error of someone else's function: only its class may be shown, or the type of another value that was thrown. */
export function describeErrorClass(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  return (
    [thrown.name, thrown.constructor?.name].find((name) => className.test(name ?? "")) ?? "Error"
  );
}

/** A well-formed input that a rule of the request policy or of the record forbids. */
export function refusedByPolicy(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, hint, category: "refused_by_policy" });
}

/** An input of another form than it should have. */
export function invalidInput(message: string, hint: string): ApiSourceError {
  return new ApiSourceError({ message, hint, category: "invalid_input" });
}

/** Something that only the person who set up the source can correct: a record, a variable, a file. */
export function notConfigured(
  code: string,
  message: string,
  hint: string,
  details?: unknown,
): ApiSourceError {
  return new ApiSourceError({ message, category: "not_configured", code, details, hint });
}
