/** Step 9 of a call: what an answer shows of its body within the budget: what `select` picked, or all of it. */

import type { ResponseBody } from "../body/response-body.js";
import { ApiSourceError, type CallError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { loadQueryEngine } from "../query/query-engine.js";
import { type Answer, countLeft, defaultMaxTokens, fitFrame } from "./answer.js";
import { writeRequestLine } from "./build-request.js";
import type { Page, RunningCall } from "./running-call.js";
import { showBody } from "./show-body.js";
import { findCalled } from "./take-part.js";

/** What a failure's body may cost beside its message: mostly it says the same again. */
const maxErrorBodyTokens = 1_000;
/** What is shown of a body whose `select` can't be run: its shape. The whole is kept for the next one. */
const maxLookTokens = 400;

export interface ShowAnswerInput {
  readonly frame: Answer;
  /** The first page. */
  readonly page: Page;
  /** Of all pages. */
  readonly body: ResponseBody;
  readonly picked: PickedPart;
}

/** Puts into the frame what fits the budget of the document: all of it, or a view. */
export async function showAnswer(
  call: RunningCall,
  { frame, page: { request, built }, body, picked }: ShowAnswerInput,
): Promise<Answer> {
  const { source, runtime, prepared, context, deadline } = call;
  const { document, isPart, error } = picked;
  const limit = source.api.limits.maxTokens ?? runtime.maxTokens ?? defaultMaxTokens;
  const fitted = fitFrame(frame, limit, runtime.countTokens);
  if (document === undefined) return fitted;
  const left = countLeft(fitted, limit, runtime.countTokens);
  const most = error === undefined ? maxErrorBodyTokens : maxLookTokens;
  const { redactor, resolved } = prepared;
  const { notes, ...shown } = await showBody(runtime, {
    document,
    kind: body.kind,
    isPart,
    isOnce: built.method !== "GET" || error !== undefined || picked.notes.length > 0,
    deadline,
    maxTokens: frame.error === undefined ? left : Math.min(left, most),
    context,
    whole: {
      text: body.text,
      kind: body.kind,
      status: frame.status ?? 0,
      source: source.slug,
      request: writeRequestLine(built, redactor),
      ...(body.contentType === undefined ? {} : { contentType: body.contentType }),
      ...(body.partial === undefined ? {} : { partial: body.partial }),
    },
    request: {
      source: source.slug,
      // A summarizer may show it to a model; a secret variable can stand in the base URL, as it does, redacted, in links.
      baseUrl: redactor.redact(resolved.baseUrl),
      method: built.method,
      path: redactor.redact(built.url.path),
      ...(isPart && request.select !== undefined ? { select: request.select } : {}),
    },
  });
  return { ...fitted, ...shown, notes: [...(fitted.notes ?? []), ...notes] };
}

/** The part of a body that is shown. */
export interface PickedPart {
  readonly document?: JsonValue;
  /** Whether a `select` picked it. */
  readonly isPart: boolean;
  readonly error?: CallError;
  readonly notes: readonly string[];
}

/** Runs a `select` over a body. One that can't be run is an error of the input: the request itself was answered. */
export async function pickPart(
  { request: { select }, built, error: failure }: Page,
  { document, kind, partial }: ResponseBody,
): Promise<PickedPart> {
  if (document === undefined) return { isPart: false, notes: [] };
  if (select === undefined || failure !== undefined) return { document, isPart: false, notes: [] };
  const engine = await loadQueryEngine();
  try {
    const called = findCalled(document, built.url.path);
    const { value, notes } = engine.run(document, select, { kind, called });
    const part = partial === undefined ? [] : ["The body did not arrive whole: `select` saw a part of it."];
    return { document: value, isPart: true, notes: [...part, ...notes] };
  } catch (error) {
    if (!(error instanceof ApiSourceError)) throw error;
    const { hint, ...rest } = error.toCallError();
    const told = `The request itself succeeded; do not send it again: read the kept answer. ${hint}`;
    return { document, isPart: false, notes: [], error: { ...rest, hint: told } };
  }
}
