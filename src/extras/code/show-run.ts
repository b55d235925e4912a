/** The answer of a run of code: what it returned, within the budget, or an error that teaches; its calls and its log. */

import { type Answer, defaultMaxTokens, fitAnswer } from "../../core/answer/answer.js";
import { fillAnswer } from "../../core/answer/show-body.js";
import type { CallError } from "../../core/base/errors.js";
import { parseJson } from "../../core/base/parse-json.js";
import { clipText, plural, writeDuration } from "../../core/base/text.js";
import { createDeadline } from "../../core/http/deadline.js";
import type { CallDesk } from "./code-calls.js";
import type { CodeReport } from "./run-code.js";
import { type CodeSettings, codeToolName, type RunningCode } from "./running-code.js";

/** The share of the budget that the log may take. */
const logShare = 0.25;
const maxLineCharacters = 2_000;
/** More calls without an answer are only counted. */
const mostNamed = 3;
/** A store may hang. */
const showTimeoutMs = 30_000;

/**
 * Puts the run's result into the usual answer: shown whole, or as a view and kept.
 *
 * @param report - Without secrets.
 */
export async function showRun(
  run: RunningCode,
  desk: CallDesk,
  report: CodeReport,
): Promise<Answer> {
  const { runtime, settings, context } = run;
  const limit = settings.maxTokens ?? runtime.answers.maxTokens ?? defaultMaxTokens;
  const error = describeError(run, report);
  const envelope: Answer = {
    error,
    notes: [...listNotes(report, desk), ...(report.notes ?? [])],
    calls: desk.calls,
    log: fitLog(report, (text) => runtime.answers.countTokens(text) <= limit * logShare),
  };
  if (report.value === undefined || error !== undefined)
    return fitAnswer(envelope, limit, runtime.answers.countTokens);
  const { text: value, isUnwrapped } = unwrapJson(report.value);
  const { stopwatch: clock } = runtime.host;
  const deadline = createDeadline({ timeoutMs: showTimeoutMs, clock, signal: context.signal });
  try {
    const unwrapped = isUnwrapped ? [unwrappedNote] : [];
    const noted = { ...envelope, notes: [...(envelope.notes ?? []), ...unwrapped] };
    const shown = await fillAnswer(runtime, noted, limit, {
      document: parseJson(value),
      kind: "json",
      isPart: false,
      isOnce: true,
      deadline,
      context,
      whole: {
        text: value,
        kind: "json",
        status: 0,
        source: codeToolName,
        madeOf: [...run.madeOf],
        request: codeToolName,
      },
      request: { source: codeToolName, baseUrl: "", method: "GET", path: codeToolName },
    });
    // Code goes on with its own variables: a query over them is of no use to it.
    return { ...shown, shortened: shown.shortened && { ...shown.shortened, try: undefined } };
  } finally {
    deadline.close();
  }
}

const unwrappedNote = "The code returned a text of JSON; `data` is the document in it.";

/** A program that returns `JSON.stringify(rows)` means the rows: as a text they would be cut by characters. */
function unwrapJson(value: string): { readonly text: string; readonly isUnwrapped: boolean } {
  const asReturned = { text: value, isUnwrapped: false };
  if (!/^"\s*[[{]/.test(value.slice(0, 100))) return asReturned;
  try {
    const text = String(JSON.parse(value)).trim();
    JSON.parse(text);
    return { text, isUnwrapped: true };
  } catch {
    return asReturned;
  }
}

function listNotes(
  { unanswered, value, thrown, limit, state }: CodeReport,
  desk: CallDesk,
): string[] {
  const { totals } = desk;
  const hasFailed = thrown !== undefined || limit !== undefined;
  const notes: string[] = [];
  const count = unanswered.length;
  const named = unanswered.slice(0, mostNamed).join(", ") + (count > mostNamed ? ", …" : "");
  if (count > 0)
    notes.push(
      state === undefined
        ? `${plural(count, "call")} had no answer when the run ended (${named}); a write among them may have been carried out.`
        : `${plural(count, "call")} had no answer when the code ended (${named}): \`await\` each one. Calls that had not begun were not sent.`,
    );
  if (hasFailed && totals.writes > 0)
    notes.push(
      `This run had sent ${plural(totals.writes, "write")} before: the same code would send them again.`,
    );
  if (!hasFailed && value === undefined) {
    notes.push("The code returned nothing: end it with `return`.");
    // A member of a failed answer is nothing, too: `return (await api.shop.get("/orders")).data`.
    const failure = desk.showFailure();
    if (failure !== undefined) notes.push(failure);
  }
  return notes;
}

/** The first and the last lines, where all are too many. */
function fitLog({ log }: CodeReport, fits: (text: string) => boolean): string[] | undefined {
  if (log.length === 0) return undefined;
  const lines = log.map((line) =>
    line.length > maxLineCharacters ? clipText(line, maxLineCharacters) : line,
  );
  for (let shown = lines.length; ; shown = Math.floor(shown * 0.8)) {
    const first = Math.ceil(shown / 2);
    const left = lines.length - shown;
    const mark = left === 0 ? [] : [`(${plural(left, "line")} left out)`];
    const some = [
      ...lines.slice(0, first),
      ...mark,
      ...lines.slice(lines.length - (shown - first)),
    ];
    if (shown === 0 || fits(JSON.stringify(some))) return some;
  }
}

/** Describes an error of a model's code so that the next try is better: the message, the line, the fix. */
function describeError(
  run: RunningCode,
  { limit, thrown, code, isUnread }: CodeReport,
): CallError | undefined {
  const kind = { category: "code_error", retryable: code === "busy" } as const;
  if (limit !== undefined) {
    const [problem, hint] = describeLimit(limit, run.settings);
    return { message: `${problem} (${limit}) and was stopped.`, ...kind, code: limit, hint };
  }
  if (thrown === undefined) return undefined;
  const { name, message, line } = thrown;
  const text = line === undefined ? "" : (run.code.split("\n")[line - 1] ?? "").trim();
  const place = line === undefined ? "" : `, in line ${line}${text && `: ${clipText(text, 120)}`}`;
  const problem = [name, clipText(message, 400)].filter(Boolean).join(": ");
  return {
    message: `${problem}${place}`,
    ...kind,
    code: code ?? (message.includes("(maxCalls)") ? "maxCalls" : name || undefined),
    details: line === undefined ? undefined : { line, text: clipText(text, 200) },
    hint: isUnread === true ? describeForm(run) : findHint(problem),
  };
}

function findHint(problem: string): string {
  return hints.find(([pattern]) => pattern.test(problem))?.[1] ?? lastHint;
}

function describeForm({ sandbox }: RunningCode): string {
  const body = "with await and return, without import and export.";
  return sandbox.sucrase === undefined
    ? `The code is the body of an async function in JavaScript, ${body} TypeScript is not read here: write no types (the package sucrase, which reads them, is not installed).`
    : `The code is the body of an async function: JavaScript or TypeScript, ${body}`;
}

function describeLimit(
  limit: NonNullable<CodeReport["limit"]>,
  { timeoutMs, cpuMs, memoryBytes }: CodeSettings,
): readonly [problem: string, hint: string] {
  if (limit === "timeoutMs")
    return [
      `The run took longer than ${writeDuration(timeoutMs / 1_000)}`,
      "Do less in one run: fewer calls or pages, GETs in parallel by Promise.all; keep the results in state and continue in the next run.",
    ];
  if (limit === "cpuMs")
    return [
      `The code computed for longer than ${writeDuration(cpuMs / 1_000)}`,
      "Look for an endless loop, a regular expression that tries too much, or a list that is searched for each element: use a Map.",
    ];
  return [
    `The code needed more memory than ${Math.round(memoryBytes / 1_000_000)} MB`,
    "Keep only the needed members of each row, and add up page by page.",
  ];
}

const hints: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /^ReferenceError(?!: There is no source)/,
    "Beside the language there are api, rows, kept, file, sleep, state and console: no fetch, timers, modules, process or URL.",
  ],
  [
    /^TypeError/,
    "Look at the result of the call before it: console.log(answer.ok, answer.error, Object.keys(answer.data ?? {})).",
  ],
  [
    /^SyntaxError/,
    "The code read a text that is not of the expected form: look at the text by console.log. data of an answer is parsed already, as JSON, CSV or XML.",
  ],
  [
    /maxCalls/,
    "Request more rows in a call, follow pages by { pages: 20 }, or keep the results in state and continue in the next run.",
  ],
  [/read from the store/, "Run the code again when the application's store answers."],
  [/other runs of code/, "Run the same code again later."],
];
const lastHint = "Change the code; its console output is in log.";
