/** One call in full, as the page shows it: what the model sent, the request, the answer, and the whole body beside it. */

import { ApiSourceError } from "../../core/base/errors.js";
import { isJsonObject, type JsonObject } from "../../core/base/exact-number.js";
import { parseJson } from "../../core/base/parse-json.js";
import type { CallDetails } from "../../core/call/report-call.js";
import type { SentRequest } from "../../core/call/running-call.js";
import { listSentVariables } from "../../core/credentials/credential-variables.js";
import type { ApiSource } from "../../core/record/api-source.js";
import { pickKept } from "../../core/store/read-kept.js";
import { writeRequestCurl } from "../../features/connection/write-curl.js";
import type { ListedCall } from "./page-change.js";
import { type MarkedLines, writeLines } from "./write-lines.js";

/** One call as the page shows it. */
export interface ShownCall {
  readonly call: ListedCall;
  /** Absent where only a line of it is known. */
  readonly input?: MarkedLines & { readonly text: string };
  readonly answer?: MarkedLines & { readonly text: string };
  /** Whether the whole body was kept beside the answer. */
  readonly isKept?: boolean;
  readonly request?: CallDetails["request"];
  /** Absent where the body is described only. */
  readonly curl?: string;
  /** Names the parts that the curl line leaves out. */
  readonly curlNotes?: readonly string[];
  readonly requests?: readonly SentRequest[];
  readonly error?: string;
  /** The `select` of the call. */
  readonly select?: string;
}

export interface ShownWhole {
  readonly whole?: MarkedLines;
  readonly note?: string;
  readonly error?: string;
}

export function showCall(
  call: ListedCall,
  details: CallDetails | undefined,
  source: ApiSource | undefined,
): ShownCall {
  if (details === undefined) return { call };
  const { request, requests } = details;
  const [answer, input] = [readObject(details.answer), readObject(details.input)];
  const { error } = answer;
  const { select } = input;
  const isWhole = source !== undefined && request?.isDescribed === false;
  const line = isWhole ? writeRequestCurl(source, request, listSentVariables(source)) : undefined;
  return {
    call,
    input: { ...writeLines(input), text: details.input },
    answer: { ...writeLines(answer), text: details.answer },
    isKept: details.loadWhole !== undefined,
    request,
    curl: line?.curl,
    curlNotes: line?.notes,
    requests,
    error: isJsonObject(error) ? String(error["message"]) : undefined,
    select: typeof select === "string" && select !== "" ? select : undefined,
  };
}

/**
 * The whole body, or what a query takes from it. Where it is what the model saw a part of, each line is marked.
 *
 * @param select - A JMESPath; `""` for all of it.
 */
export async function showWhole(details: CallDetails, select: string): Promise<ShownWhole> {
  const { data } = readObject(details.answer);
  const { select: own } = readObject(details.input);
  try {
    const kept = await details.loadWhole?.();
    if (kept === undefined) return { note: "The whole body is no longer kept." };
    if (kept.kind === "binary") return { note: "The body is binary, and is not shown." };
    const { value } = await pickKept(kept, select === "" ? undefined : select);
    // Another query takes what the model may have seen nothing of.
    const isSame = select === (own ?? "");
    const whole = writeLines(value, isSame ? data : undefined);
    const note =
      isSame && !whole.isMarked ? "Nothing is marked: the model saw no part of this." : undefined;
    return { whole, note };
  } catch (thrown) {
    if (thrown instanceof ApiSourceError) return { error: `${thrown.message} ${thrown.hint}` };
    throw thrown;
  }
}

/** An object of JSON text; an empty one for anything else. */
function readObject(text: string): JsonObject {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
