/** Step 9 of a call: what was read becomes the answer for its reader, a model or code. */

import type { Answer } from "../answer/answer.js";
import { applySelect, findScope } from "../answer/select.js";
import { describeReply, type ShowAnswerInput } from "../answer/show-answer.js";
import type { ParsedCall } from "./call-request.js";
import { type KeptAsFile, keepFile } from "./keep-file.js";
import { addSource } from "./name-source.js";
import type { JoinedPages } from "./read-pages.js";
import type { Page, RunningCall } from "./running-call.js";

/** The reader of an answer. */
export interface Presenter {
  /** Refuses what such an answer has no place for. @throws ApiSourceError `invalid_input` */
  check?(request: ParsedCall): void;
  /** Whether a GET that names no page of its own gets all pages. @default false */
  readonly followsPages?: boolean;
  /** Whether the answer is written as one text. @default false */
  readonly isText?: boolean;
  show(call: RunningCall, input: ShowAnswerInput): Answer | Promise<Answer>;
}

/** The pages that a call read, before a part of them is shown. */
interface ReadPages {
  /** The page that the answer describes: the first one, or the result of a job. */
  readonly page: Page;
  readonly joined: JoinedPages;
  readonly job: ShowAnswerInput["envelope"]["job"];
  /** Notes about the call itself. */
  readonly notes: readonly string[];
}

/** Step 9, show. */
export async function showPages(
  { page, joined, job, notes: ofCall }: ReadPages,
  presenter: Presenter,
): Promise<Answer> {
  const { call } = page;
  const { body, notes, ...paging } = joined;
  const isList = page.rows !== undefined || Array.isArray(page.body.document);
  const scope = isList ? findScope(page, body, paging) : undefined;
  const selects =
    page.request.select !== undefined && page.error === undefined && body.document !== undefined;
  const selection = selects ? await applySelect(page, body, scope) : { document: body.document };
  const { file, notes: fileNotes = [] }: Partial<KeptAsFile> = isFile(page)
    ? await keepFile(call, page)
    : {};
  const isJoined = paging.pages !== undefined;
  const described = describeReply(call, page, { error: page.error ?? selection.error, isJoined });
  const all = [...ofCall, ...notes, ...(selection.notes ?? []), ...fileNotes];
  const envelope = Object.assign({}, described, { file, notes: all }, paging, { job });
  const { inputSlug } = call;
  const named = inputSlug === undefined ? envelope : addSource(inputSlug, envelope);
  return presenter.show(call, { envelope: named, page, body, selection, scope });
}

/** Whether a body is kept as a file. JSON is one only where it was sent as bytes, or compressed. */
function isFile({ body: { kind, contentType = "", declared, isOpened }, error }: Page): boolean {
  if (error !== undefined || kind === "empty") return false;
  if (kind !== "json" || isOpened === true) return true;
  return !contentType.includes("json") && declared?.promises === "binary";
}
