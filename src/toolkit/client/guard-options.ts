/** Functions among the options whose answer is needed at once: what they throw is reported, and what is not usable is replaced. */

import type { Application } from "../../core/base/application.js";
import type { Host } from "../../core/base/runtime.js";
import type { CallServices } from "../../core/call/running-call.js";
import { estimateTokens } from "../../core/view/count-tokens.js";
import type { CountTokens } from "../../core/view/summary.js";
import type { ClientOptions } from "./client-options.js";

/** The options, with a `responseScope` whose failures are reported. */
export function guardScope(options: ClientOptions, { application }: Host): ClientOptions {
  const { responseScope } = options;
  if (responseScope === undefined) return options;
  const given = { what: "The application's responseScope" };
  const guarded: typeof responseScope = (context) =>
    application.askNow(given, () => responseScope(context));
  return { ...options, responseScope: guarded };
}

/** How answers are written, by the options. */
export function createAnswerSettings(
  options: ClientOptions,
  { application }: Host,
): CallServices["answers"] {
  const { countTokens } = options;
  return {
    countTokens: countTokens ? guardCount(countTokens, application) : estimateTokens,
    maxTokens: options.maxTokens,
    summarizer: options.summarizer,
    readApiResponse: options.readApiResponse ?? true,
  };
}

/** Counts by the application's function; where that gives no number, by the estimate. */
function guardCount(countTokens: CountTokens, { askNow, report }: Application): CountTokens {
  const given = { what: "The application's countTokens" };
  return (text) => {
    try {
      const tokens: unknown = askNow(given, () => countTokens(text));
      if (typeof tokens === "number" && tokens >= 0) return tokens;
      const isPromise = tokens instanceof Promise;
      report(given, new TypeError(`It returned ${isPromise ? "a promise" : "no number"}.`));
    } catch {
      // The error that it threw is reported.
    }
    return estimateTokens(text);
  };
}
