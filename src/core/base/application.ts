/** Functions that the application gives: how the package calls one, and where what it throws is reported. */

import { ApiSourceError, describeErrorClass, notConfigured } from "./errors.js";

/** Which function is called, and for whom. */
export interface GivenFunction {
  /** Begins a sentence, such as `The application's approver`. */
  readonly what: string;
  /** The tool's name. */
  readonly source?: string | undefined;
  /** The code of the error in its place. @default "internal_error" */
  readonly code?: string;
}

/** Settles with the work, or earlier with the reason by which the call ended: `race` or `pause` of its deadline. */
export type Within = <Value>(work: Promise<Value>) => Promise<Value>;

/** The one border between the package and the functions of the application. */
export interface Application {
  /**
   * Asks a function for its answer. An ApiSourceError that it throws is the answer to the call; whatever else it throws is reported.
   *
   * @param within - Ends the wait with the call. @default the function takes its time
   * @throws ApiSourceError `not_configured` in place of what was thrown, whose message may hold anything.
   */
  ask<Value>(
    given: GivenFunction,
    work: () => Promise<Value> | Value,
    within?: Within,
  ): Promise<Value>;
  /** As `ask`, for a function whose answer is needed at once: a promise is no answer. */
  askNow<Value>(given: GivenFunction, work: () => Value): Value;
  /** Tells an observer something. It is not waited for, and what it throws or rejects with is reported. */
  observe(what: string, work: () => unknown): void;
  /** Reports what was thrown: in the log, or without a logger by a warning of the process, once for each function. */
  report(given: GivenFunction, thrown: unknown): void;
}

/** The part of the application's logger that is used here. */
interface WarningLog {
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
}

export interface ApplicationOptions {
  /** The application's logger; absent where it gave none. */
  readonly logger: WarningLog | undefined;
  /** An error in words: class, message and causes, redacted. */
  readonly describeError: (thrown: unknown) => string;
  /** Replaces the secrets that are known. */
  readonly redact: (text: string) => string;
}

export function createApplication(options: ApplicationOptions): Application {
  const { logger, describeError, redact } = options;
  const warned = new Set<string>();

  function report({ what, source }: GivenFunction, thrown: unknown): void {
    const message = `${what} failed.`;
    const error = describeError(thrown);
    const stack = listFrames(thrown, redact);
    if (logger !== undefined) {
      logger.warn(message, { ...(source === undefined ? {} : { source }), error, stack });
      return;
    }
    if (warned.has(what)) return;
    warned.add(what);
    const once = "It is reported once; the option `logger` receives every failure.";
    const detail = [...stack, once].join("\n");
    process.emitWarning(`${message} ${error}`, { type: "ApiSourceWarning", detail });
  }

  /** @returns what is thrown in its place. */
  function toError(given: GivenFunction, thrown: unknown): ApiSourceError {
    if (thrown instanceof ApiSourceError) return thrown;
    report(given, thrown);
    return describeGivenFailure(given, thrown);
  }

  return {
    report,
    async ask(given, work, within) {
      const answer = runGiven(work).catch((thrown: unknown) => {
        throw toError(given, thrown);
      });
      return within === undefined ? answer : within(answer);
    },
    askNow(given, work) {
      try {
        const answer = work();
        // A promise that nobody waits for would end the process when it rejects.
        if (answer instanceof Promise) answer.catch((thrown: unknown) => report(given, thrown));
        return answer;
      } catch (thrown) {
        throw toError(given, thrown);
      }
    },
    observe(what, work) {
      runGiven(work).catch((thrown: unknown) => report({ what }, thrown));
    },
  };
}

/** A function that throws at once rejects, as one that is async does. */
async function runGiven<Value>(work: () => Promise<Value> | Value): Promise<Value> {
  return work();
}

function describeGivenFailure({ what, source, code }: GivenFunction, thrown: unknown) {
  const whose = source === undefined ? "" : ` for ${source}`;
  return notConfigured(
    code ?? "internal_error",
    `${what} failed${whose} (${describeErrorClass(thrown)}); its message is not shown.`,
    "The agent can't change this. The application's log, or a warning of its process, has the error.",
  );
}

const maxFrames = 8;

/** The lines of a stack that name places in files; its first line is the message, which is reported apart. */
function listFrames(thrown: unknown, redact: (text: string) => string): string[] {
  const stack = thrown instanceof Error ? String(thrown.stack) : "";
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.slice(0, maxFrames).map((line) => redact(line.trim()));
}
