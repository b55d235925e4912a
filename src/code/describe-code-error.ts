/** What went wrong in a model's code, so that the next try is better: the message, the line, what to do. */

import type { CallError } from "../errors.js";
import { findNearest } from "../query/witness.js";
import { clipText, writeDuration } from "../text.js";
import type { CodeReport } from "./run-code.js";
import type { SandboxLimit, ThrownByCode } from "./sandbox-messages.js";

/** What a run may take. */
export interface CodeLimits {
  readonly timeoutMs: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
}

export interface CodeErrorInput {
  readonly report: CodeReport;
  readonly code: string;
  readonly limits: CodeLimits;
  /** The names below `api`. */
  readonly slugs?: readonly string[];
}

/** The error of a run; undefined where there was none. */
export function describeCodeError({
  report,
  code,
  limits,
  slugs = [],
}: CodeErrorInput): CallError | undefined {
  if (report.limit !== undefined) return describeLimit(report.limit, limits);
  if (report.thrown === undefined) return undefined;
  const { name, message, line } = report.thrown;
  const text = line === undefined ? undefined : code.split("\n")[line - 1]?.trim();
  const place = line === undefined ? "" : `, in line ${line}${text ? `: ${clipText(text, 120)}` : ""}`;
  const said = [name, clipText(message, 400)].filter(Boolean).join(": ");
  return {
    message: `${said}${place}`,
    category: "code_error",
    retryable: false,
    ...(name === "" ? {} : { code: message.includes("(maxCalls)") ? "maxCalls" : name }),
    ...(line === undefined ? {} : { details: { line, text: clipText(text ?? "", 200) } }),
    hint: findHint(report.thrown, slugs),
  };
}

function describeLimit(limit: SandboxLimit, { timeoutMs, cpuMs, memoryBytes }: CodeLimits): CallError {
  const [message, hint] = {
    timeoutMs: [
      `The run took longer than ${writeDuration(timeoutMs / 1_000)}`,
      "Ask for less in one run: fewer calls or pages, GETs in parallel by Promise.all; keep what is done in state and go on in the next run.",
    ],
    cpuMs: [
      `The code computed for longer than ${writeDuration(cpuMs / 1_000)}`,
      "Look for a loop without an end, a regular expression that tries too much, or a list that is searched for each element: use a Map.",
    ],
    memoryBytes: [
      `The code needed more memory than ${Math.round(memoryBytes / 1_000_000)} MB`,
      "Keep only the members that are needed of each row, and add up page by page.",
    ],
  }[limit];
  return {
    message: `${message} (${limit}) and was stopped.`,
    category: "code_error",
    retryable: false,
    code: limit,
    hint: hint ?? "",
  };
}

/** The one that shares most pairs of letters. */
function findAlike(name: string, slugs: readonly string[]): string | undefined {
  const pairs = (text: string): string[] =>
    Array.from(text.toLowerCase().slice(0, 60), (_, at) => text.slice(at, at + 2).toLowerCase());
  const wanted = new Set(pairs(name));
  const shared = (slug: string): number => pairs(slug).filter((pair) => wanted.has(pair)).length;
  const [best] = [...slugs].sort((left, right) => shared(right) - shared(left));
  return best !== undefined && shared(best) > 0 ? best : undefined;
}

function findHint({ name, message, unknownSource }: ThrownByCode, slugs: readonly string[]): string {
  if (unknownSource !== undefined) {
    const nearest = findNearest(unknownSource, slugs) ?? findAlike(unknownSource, slugs);
    return nearest === undefined
      ? `Sources: ${clipText(slugs.join(", "), 300)}.`
      : `The nearest is api${/^\w+$/.test(nearest) ? `.${nearest}` : `["${nearest}"]`}.`;
  }
  if (name === "SyntaxError" && !message.startsWith("JSON"))
    return "The code is the body of an async function: JavaScript or TypeScript, with await and return, without import and export.";
  if (name === "ReferenceError")
    return "Beside the language there are api, kept, state and console: no fetch, timers, modules, process or URL.";
  if (message.includes("stack overflow") || message.includes("call stack"))
    return "The recursion is too deep: use a loop and a list of what is left to do.";
  if (name === "TypeError")
    return "Look at what the call before it gave: console.log(answer.ok, answer.error, Object.keys(answer.data ?? {})).";
  if (message.includes("maxCalls"))
    return "Ask for more rows in a call, follow pages by { pages: 20 }, or keep what is done in state and go on in the next run.";
  if (message.includes("promise that nothing"))
    return "Each promise that is awaited must be settled by the code itself or be a call of api.";
  return "Change the code; what it logged is in log.";
}
