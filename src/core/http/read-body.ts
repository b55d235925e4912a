/** Reads a body up to a cap on its decompressed bytes, and keeps what arrived when it does not arrive whole. */

import type { Readable } from "node:stream";
import { DecoderChain, readCodings } from "./content-encoding.js";
import type { ResponseHeaders } from "./limits/rate-limit.js";
import { codeOf, type FailureCause } from "./send-failure.js";

/** The part of a body that arrived, and why it is not the whole body, if it isn't. */
export interface BodyRead {
  readonly bytes: Uint8Array;
  readonly failure?: FailureCause;
}

/** An event stream may never end (WHATWG HTML, section 9.2), and neither may a body that stays silent for this long. */
const usualStreamMs = 10_000;

/**
 * Reads the stream to its end, its cap or its failure, and never throws. The stream is destroyed unless it ended, so
 * that its socket is free again. It listens and does not iterate: an iterator loses what came right before a failure.
 *
 * @param maxBytes the most bytes to keep, counted after decompression
 * @param streamMs how long an event stream is read; another body ends after a silence of `streamMs`, and of `silenceMs` at least
 * @returns what arrived, and why it is not the whole body, if it isn't; what the signal stopped is a broken `connection`
 */
export function readBody(
  stream: Readable,
  {
    headers,
    maxBytes,
    signal,
    streamMs = usualStreamMs,
    silenceMs = usualStreamMs,
  }: {
    readonly headers: ResponseHeaders;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    readonly streamMs?: number;
    readonly silenceMs?: number;
  },
): Promise<BodyRead> {
  const isCoded = headers["content-encoding"] !== undefined;
  const undone = isCoded ? readCodings(headers).undone : [];
  return new Promise((resolve) => {
    let decoder: DecoderChain | undefined;
    const chunks: Uint8Array[] = [];
    let room = maxBytes;
    const isStream = /^\s*text\/event-stream\b/i.test(
      [headers["content-type"] ?? ""].flat().join(),
    );
    const afterMs = isStream ? streamMs : Math.max(silenceMs, streamMs);
    const timer = setTimeout(() => end({ kind: "unfinished", afterMs, isStream }), afterMs);
    const hear = (): void => {
      if (!isStream) timer.refresh();
    };
    /** The end of the connection, held until the decoder has given out what did arrive. */
    let ended: { readonly failure?: FailureCause } | undefined;
    /** Only its first call counts. */
    const finish = (failure?: FailureCause): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      // Compressed data can be whole before the stream is: what comes after it is not waited for.
      if (!stream.readableEnded) stream.destroy();
      decoder?.destroy();
      resolve({ bytes: Buffer.concat(chunks.splice(0)), failure });
    };
    const end = (failure?: FailureCause): void => {
      if (ended !== undefined) return;
      ended = failure === undefined ? {} : { failure };
      if (decoder === undefined) finish(failure);
      else decoder.end();
    };
    const stop = (): void => {
      end({ kind: "connection" });
      stream.destroy();
    };
    const keep = (chunk: Uint8Array): void => {
      const kept = chunk.subarray(0, room);
      room -= kept.length;
      chunks.push(kept);
      if (kept.length < chunk.length) finish({ kind: "too_large", maxBytes });
    };
    // These stay on: a destroyed stream may still report an error, which would be an uncaught one.
    stream.on("error", (error) => end({ kind: "connection", ...codeOf(error) }));
    stream.on("close", () => end({ kind: "connection" }));
    stream.on("end", () => end());
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();
    stream.on("data", hear);
    if (undone.length === 0) {
      stream.on("data", keep);
      return;
    }
    decoder = new DecoderChain(undone, maxBytes, {
      onData: keep,
      onEnd: () => finish(ended?.failure),
      onError: (error) => finish(ended?.failure ?? { kind: "encoding", ...codeOf(error) }),
      onTooLarge: () => finish({ kind: "too_large", maxBytes }),
      onDrain: () => stream.resume(),
    });
    const chain = decoder;
    stream.on("data", (chunk: Uint8Array) => {
      if (!chain.write(chunk)) stream.pause();
    });
  });
}
