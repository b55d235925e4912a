/** The answer of a run of code: what it returned, within the budget, or an error that teaches; what it sent and logged. */

import {
  type Answer,
  type CodeCalls,
  defaultMaxTokens,
  fitFrame,
  frameTokens,
  writeAnswer,
} from "../client/answer.js";
import type { ClientRuntime } from "../client/create-client-runtime.js";
import { showBody } from "../client/show-body.js";
import { parseJson } from "../json/parse-json.js";
import type { CallContext } from "../runtime.js";
import { clipText, plural } from "../text.js";
import { createDeadline } from "../transport/deadline.js";
import type { CallTotals } from "./code-calls.js";
import { type CodeLimits, describeCodeError } from "./describe-code-error.js";
import type { CodeReport } from "./run-code.js";

export const codeToolName = "run_api_code";

/** The share of the budget that the log may take. */
const logShare = 0.25;
const maxLineCharacters = 2_000;
/** A store may hang. */
const showTimeoutMs = 30_000;

export interface ShowRunInput {
  readonly report: CodeReport;
  readonly code: string;
  readonly slugs: readonly string[];
  readonly totals: CallTotals;
  readonly limits: CodeLimits;
  /** What the reader must know beside it. */
  readonly notes: readonly string[];
  readonly redact: (text: string) => string;
  readonly maxTokens: number | undefined;
  readonly context: CallContext;
}

/** Puts the run's result into the usual answer: shown whole, or as a view and kept. */
export async function showRun(runtime: ClientRuntime, input: ShowRunInput): Promise<Answer> {
  const { report, redact, totals } = input;
  const limit = input.maxTokens ?? runtime.maxTokens ?? defaultMaxTokens;
  const value = report.value === undefined ? undefined : redact(report.value);
  const error = describeCodeError(input);
  const clean = error && { ...error, message: redact(error.message), hint: redact(error.hint) };
  const frame: Answer = {
    error: clean,
    notes: [...listNotes(input), ...input.notes],
    calls: toCalls(totals),
    log: fitLog(report, (text) => runtime.countTokens(redact(text)) <= limit * logShare)?.map(redact),
  };
  const fitted = fitFrame(frame, limit, runtime.countTokens);
  if (value === undefined || error !== undefined) return fitted;
  const deadline = createDeadline({
    timeoutMs: showTimeoutMs,
    clock: runtime.clock,
    signal: input.context.signal,
  });
  try {
    const { notes, ...shown } = await showBody(runtime, {
      document: parseJson(value),
      kind: "json",
      isPart: false,
      isOnce: true,
      deadline,
      maxTokens: Math.max(1, limit - frameTokens - runtime.countTokens(writeAnswer(fitted))),
      context: input.context,
      whole: { text: value, kind: "json", status: 0, source: codeToolName, request: codeToolName },
      request: { source: codeToolName, baseUrl: "", method: "GET", path: codeToolName },
    });
    return { ...fitted, ...shown, notes: [...(fitted.notes ?? []), ...notes] };
  } finally {
    deadline.close();
  }
}

/** Requests are named where they are not the calls. */
function toCalls({ sent, failed, waitedMs, requests }: CallTotals): CodeCalls {
  return { sent, failed, waitedMs, ...(requests === sent ? {} : { requests }) };
}

function listNotes({ report, totals }: ShowRunInput): string[] {
  const { unanswered, value, thrown, limit } = report;
  const hasFailed = thrown !== undefined || limit !== undefined;
  return [
    ...(unanswered > 0
      ? [
          report.isBroken
            ? `${plural(unanswered, "call")} had no answer when the run ended; a write among them may have been carried out.`
            : `${plural(unanswered, "call")} had no answer when the code ended: \`await\` each one. What had not begun was not sent.`,
        ]
      : []),
    ...(hasFailed && totals.writes > 0
      ? [`This run had sent ${plural(totals.writes, "write")} before: the same code would send them again.`]
      : []),
    ...(!hasFailed && value === undefined ? ["The code returned nothing: end it with `return`."] : []),
  ];
}

/** The first and the last lines, where all are too many. */
function fitLog(
  { log, unshownLines }: CodeReport,
  fits: (text: string) => boolean,
): readonly string[] | undefined {
  if (log.length === 0) return undefined;
  const lines = log.map((line) =>
    line.length > maxLineCharacters ? clipText(line, maxLineCharacters) : line,
  );
  for (let shown = lines.length; shown > 0; shown = Math.floor(shown * 0.8)) {
    const first = Math.ceil(shown / 2);
    const left = lines.length - shown + unshownLines;
    const mark = left === 0 ? [] : [`(${plural(left, "line")} left out)`];
    const some = [...lines.slice(0, first), ...mark, ...lines.slice(lines.length - (shown - first))];
    if (fits(JSON.stringify(some))) return some;
  }
  return [clipText(lines[0] ?? "", 200), `(${plural(log.length - 1 + unshownLines, "line")} left out)`];
}
