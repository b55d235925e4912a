/** Calls whose answer is for code rather than for a model: a whole document without a budget, or bytes. */

import { applyErrorBounds } from "../diagnosis/call-error.js";
import { ApiSourceError, type CallError } from "../errors.js";
import { applyToScalars, ExactNumber, type JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
import type { CallContext } from "../runtime.js";
import type { Redactor } from "../secrets/redactor.js";
import { parseKeptText } from "../store/keep-response.js";
import { resolveCall, type Showing } from "./call.js";
import type { ClientRuntime } from "./create-client-runtime.js";
import { dropUndefined } from "./drop-undefined.js";
import type { CallArtifact, WholeOutcome } from "./outcome.js";
import type { CallableSource } from "./running-call.js";

const whole: Showing["show"] = async (_call, { frame, picked: { document } }) => ({
  ...frame,
  error: frame.error && applyErrorBounds(frame.error),
  data: document === undefined ? undefined : writeForCode(document),
});

/**
 * Runs one call whose answer is for code: the whole redacted document as JSON text, no view, nothing kept. An integer beyond 2^53 is a
 * string in it. Rejects only with the caller's own abort reason.
 *
 * @param followsPages - Whether a GET that names no page of its own gets all pages, as far as the source's limits go.
 */
export function callSourceWhole(
  callable: CallableSource,
  input: unknown,
  context: CallContext,
  { followsPages = false }: { readonly followsPages?: boolean } = {},
): Promise<WholeOutcome> {
  return resolveCall(callable, input, context, { followsPages, show: whole });
}

/** A kept body as JSON text for code; undefined for an id that is unknown, expired, or another scope's. */
export async function loadKeptWhole(
  { archive }: ClientRuntime,
  id: string,
  context: CallContext,
): Promise<string | undefined> {
  const kept = await archive.load(id, context);
  return kept && writeForCode(await parseKeptText(kept.text, kept.kind, kept.contentType));
}

/** As `JSON.parse` can read it without losing a number: an integer beyond 2^53 is a string. Changes the document. */
function writeForCode(document: JsonValue): string {
  return writeJson(
    applyToScalars(document, (scalar) => (scalar instanceof ExactNumber ? scalar.toJSON() : scalar)),
  );
}

/** What `fetchBytes` gives. */
export interface BytesOutcome {
  /** Whether the call succeeded and its body arrived whole. */
  readonly ok: boolean;
  /** Absent when no answer came. */
  readonly status?: number;
  /** What arrived, decompressed; absent when nothing did. */
  readonly bytes?: Uint8Array;
  /** The `Content-Type`, such as `image/png`. */
  readonly contentType?: string;
  /** Those of the answer that a program may need, such as `content-disposition` and `etag`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What went wrong, and what to do about it. */
  readonly error?: CallError;
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
  let read: Pick<BytesOutcome, "bytes" | "contentType"> = {};
  const { ok, answer, artifact } = await resolveCall(callable, input, context, {
    check({ select, pages }) {
      if (select === undefined && pages === undefined) return;
      throw new ApiSourceError({
        message: "fetchBytes takes no select and no pages: bytes have neither.",
        category: "invalid_input",
        hint: "Leave them out, or use call.",
      });
    },
    async show({ prepared }, { frame, page, body: { contentType } }) {
      const { body, cut, failure } = page.reply.exchange;
      const bytes = redactBytes(body, prepared.redactor, cut !== undefined);
      read = dropUndefined({ bytes, contentType });
      return cut === undefined ? frame : { ...frame, error: frame.error ?? failure?.toCallError() };
    },
  });
  const { status, headers, error } = answer;
  return dropUndefined({ ok, status, ...read, headers, error, artifact });
}

/** The bytes as they came, unless a secret stands in them. Read as Latin-1 each byte is one character, there and back. */
function redactBytes(bytes: Uint8Array, redactor: Redactor, truncated: boolean): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const clean = redactor.redact(text, { truncated });
  return clean === text ? bytes : Uint8Array.from(Buffer.from(clean, "latin1"));
}
