/** A body as bytes, for code that wants a file and no document. */

import { ApiSourceError, type CallError } from "../errors.js";
import type { Redactor } from "../secrets/redactor.js";
import type { Answer } from "./answer.js";
import type { CallRequest } from "./call-request.js";
import type { Reply } from "./create-sender.js";
import type { WholeOutcome } from "./outcome.js";
import type { RunningCall } from "./running-call.js";
import type { ShowAnswerInput } from "./show-answer.js";

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
  readonly artifact: WholeOutcome["artifact"];
}

export interface BytesReader {
  /** @throws ApiSourceError `invalid_input` for what only a document has. */
  check(request: CallRequest): void;
  /** Step 9 of the call. */
  show(call: RunningCall, input: ShowAnswerInput, reply: Reply): Promise<Answer>;
  /** What came of it. */
  describe(outcome: WholeOutcome): BytesOutcome;
}

/** Creates what takes the bytes of one call out of its answer. */
export function createBytesReader(): BytesReader {
  let read: Pick<BytesOutcome, "bytes" | "contentType"> = {};
  return {
    check({ select, pages }) {
      if (select === undefined && pages === undefined) return;
      throw new ApiSourceError({
        message: "fetchBytes takes no select and no pages: bytes have neither.",
        category: "invalid_input",
        hint: "Leave them out, or use call.",
      });
    },
    async show({ prepared }, { frame, body: { contentType } }, { exchange }) {
      const { body, cut, failure } = exchange;
      const bytes = redactBytes(body, prepared.redactor, cut !== undefined);
      read = { bytes, ...(contentType === undefined ? {} : { contentType }) };
      return cut === undefined ? frame : { ...frame, error: frame.error ?? failure?.toCallError() };
    },
    describe({ ok, answer: { status, headers, error }, artifact }) {
      return {
        ok,
        ...(status === undefined ? {} : { status }),
        ...read,
        ...(headers === undefined ? {} : { headers }),
        ...(error === undefined ? {} : { error }),
        artifact,
      };
    },
  };
}

/** The bytes as they came, unless a secret stands in them. Read as Latin-1 each byte is one character, there and back. */
function redactBytes(bytes: Uint8Array, redactor: Redactor, truncated: boolean): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const clean = redactor.redact(text, { truncated });
  return clean === text ? bytes : Uint8Array.from(Buffer.from(clean, "latin1"));
}
