/** Calls whose answer is for code rather than for a model: a whole document without a budget, or bytes. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { CallArtifact, WholeOutcome } from "../../core/answer/outcome.js";
import { type CallError, invalidInput } from "../../core/base/errors.js";
import { writeJsonRows } from "../../core/base/exact-number.js";
import type { CallContext } from "../../core/base/runtime.js";
import { findFileName } from "../../core/body/files/file.js";
import { resolveCall } from "../../core/call/call.js";
import type { CallRequest } from "../../core/call/call-request.js";
import type { CallableSource, Page } from "../../core/call/running-call.js";
import { applyErrorBounds } from "../../core/failure/call-error.js";
import { type KeptResponse, parseKeptText } from "../../core/store/keep-response.js";

export interface WholeOptions {
  /** Whether a GET that names no page of its own gets all pages, as far as the source's limits go. @default false */
  readonly followsPages?: boolean | undefined;
  /** Whether `data` is the text of the body, even where that can be parsed (XML, CSV, JSON). @default false */
  readonly isRaw?: boolean | undefined;
}

/** The outcome of a call for code. */
export interface OutcomeForCode extends WholeOutcome {
  /** The keys from `data` to the list of rows; empty where `data` is the list, absent without a list. */
  readonly rowsAt?: readonly string[];
  /** Whether what is there is an object whose members are the rows. */
  readonly areMembers?: boolean;
  /** The path of each list, where it is not certain which one has the rows. */
  readonly lists?: readonly (readonly string[])[];
}

/** Which rows an answer has: exactly those that `pages` counts. */
type FoundRows = Pick<OutcomeForCode, "rowsAt" | "areMembers" | "lists">;

function findRows({ paging, rows }: Page): FoundRows {
  if (paging?.dictionary !== undefined) return { rowsAt: paging.dictionary, areMembers: true };
  const isCertain = paging?.isOwnList === true && paging.otherList === undefined;
  if (isCertain && rows !== undefined) return { rowsAt: rows };
  return { lists: paging?.lists ?? [] };
}

/**
 * Runs one call whose answer is for code: the whole redacted document as JSON text, no view, nothing kept. An integer beyond 2^53 is a
 * string in it. Rejects only with the caller's own abort reason.
 */
export async function callSourceWhole(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
  { followsPages = false, isRaw = false }: WholeOptions = {},
): Promise<OutcomeForCode> {
  let found: FoundRows = {};
  const outcome = await resolveCall(callable, input, context, {
    followsPages,
    check: (request) => isRaw && refusePart(request, "`raw`"),
    async show(_call, { envelope, page, body, selection: { document, isPart = false } }) {
      const error = envelope.error && applyErrorBounds(envelope.error);
      const isText = isRaw && body.kind !== "binary";
      if (document === undefined) return { ...envelope, error };
      if (isText) return { ...envelope, error, data: JSON.stringify(body.text) };
      // A `select` may pick anything: only what is a list itself has rows.
      const ofPart = Array.isArray(document) ? { rowsAt: [] } : {};
      if (error === undefined) found = isPart ? ofPart : findRows(page);
      // A body of 10 MB was just read in one turn, and to write it takes another.
      await nextTurn();
      return { ...envelope, error, data: writeJsonRows(document) };
    },
  });
  return { ...outcome, ...found };
}

/** @throws ApiSourceError `invalid_input` for a request of a part, or of several pages. @param what - What has neither. */
function refusePart({ select, pages }: Pick<CallRequest, "select" | "pages">, what: string): void {
  if (select === undefined && pages === undefined) return;
  throw invalidInput(
    `${what} takes no \`select\` and no \`pages\`.`,
    `Leave them out, or do not use ${what}.`,
  );
}

/** A number that a double may not hold: an integer of so many digits, or such an exponent. */
const longNumber = /\d{16}|\d[eE][+-]?\d{3}/;

/** Whether a text is what parsing and writing it would give, which takes a second for 10 MB: one object or list, in which no number can change. */
function isPlainDocument(text: string): boolean {
  if (!/^\s{0,100}[[{]/.test(text) || longNumber.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Writes a kept body as JSON text for code. */
export async function writeKeptWhole(kept: KeptResponse): Promise<string> {
  if (kept.kind === "json" && kept.partial === undefined && isPlainDocument(kept.text))
    return kept.text;
  const document = await parseKeptText(kept.text, kept.kind, kept.contentType);
  // Reading 10 MB that broke off takes half a second by itself: other work of the process has its turn before they are written.
  await nextTurn();
  return writeJsonRows(document);
}

/** The outcome of `fetchBytes`. */
export interface BytesOutcome {
  /** Whether the call succeeded and its body arrived whole. */
  readonly ok: boolean;
  /** Absent when no answer came. */
  readonly status?: number;
  /** The bytes that arrived, decompressed; absent when none did. */
  readonly bytes?: Uint8Array;
  /** The `Content-Type`, such as `image/png`. */
  readonly contentType?: string;
  /** A safe name for a file of it: from `Content-Disposition`, else the end of the path. */
  readonly name?: string;
  /** The headers of the answer that a program may need, such as `content-disposition` and `etag`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The failure, and what to do about it. */
  readonly error?: CallError;
  /** Small plain data about the call. */
  readonly artifact: CallArtifact;
}

/**
 * Runs one call whose body is wanted as bytes. A secret in them is replaced as in every text; a body that did not arrive whole is a failure.
 * Rejects only with the caller's own abort reason.
 */
export async function callSourceBytes(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
): Promise<BytesOutcome> {
  let read: Pick<BytesOutcome, "bytes" | "contentType" | "name"> = {};
  const { ok, answer, artifact } = await resolveCall(callable, input, context, {
    check: (request) => refusePart(request, "fetchBytes"),
    async show({ prepared }, { envelope, page, body: { contentType } }) {
      const { body, headers, incomplete, failure } = page.exchange;
      const bytes = prepared.redactor.redactBody(body, { truncated: incomplete !== undefined });
      const name = prepared.redactor.redact(findFileName(headers, page.built.url.path));
      read = { bytes, contentType, name };
      return incomplete === undefined
        ? envelope
        : { ...envelope, error: envelope.error ?? failure?.toCallError() };
    },
  });
  const { status, headers, error } = answer;
  return { ok, status, ...read, headers, error, artifact };
}
