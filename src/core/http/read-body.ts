/** Reads a body up to a cap on its decompressed bytes, and keeps what arrived when it does not arrive whole. */

import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { ResponseHeaders } from "./limits/rate-limit.js";
import { codeOf, type FailureCause } from "./send-failure.js";

/** Creates what undoes a coding. Node's defaults are kept, so that data that ends too early is an error (axios flushes it away). */
type CreateDecoder = (firstByte: number) => Transform;

const decoders: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["br", () => createBrotliDecompress()],
  // It means zlib data, but some servers send it without the zlib header.
  ["deflate", (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
]);

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
): Promise<{ readonly bytes: Uint8Array; readonly failure?: FailureCause }> {
  const create = findDecoder(headers);
  return new Promise((resolve) => {
    let decoder: Transform | undefined;
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
      // zlib gives out nothing of its last chunk when that ends too early. So the last one is an empty one.
      if (decoder === undefined) finish(failure);
      else decoder.write(Buffer.alloc(0), () => decoder?.end());
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
    if (typeof create === "object") return finish(create);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();
    stream.on("data", hear);
    if (create === undefined) {
      stream.on("data", keep);
      return;
    }
    // The decoder starts with the first byte: an empty body is fine under any encoding.
    stream.on("data", (chunk: Uint8Array) => {
      decoder ??= create(chunk[0] ?? 0)
        .on("data", keep)
        .on("end", () => finish(ended?.failure))
        .on("error", (error) => finish(ended?.failure ?? { kind: "encoding", ...codeOf(error) }))
        .on("drain", () => stream.resume());
      if (!decoder.write(chunk)) stream.pause();
    });
  });
}

/**
 * What undoes the codings of `Content-Encoding` (RFC 9110 section 8.4), absent without codings, or the reason why they cannot be undone. Two
 * on top of each other: no honest API sends them, and each multiplies a bomb.
 */
function findDecoder(headers: ResponseHeaders): CreateDecoder | FailureCause | undefined {
  const encoding = [headers["content-encoding"] ?? ""].flat().join(", ");
  const names = encoding.split(",").map((each) => each.trim().toLowerCase());
  const [name, second] = names.filter((each) => each !== "" && each !== "identity");
  if (name === undefined) return undefined;
  const create = second === undefined ? decoders.get(name) : undefined;
  // Whole or not at all: a part of what a server repeats could be a part of a secret.
  return (
    create ?? {
      kind: "unsupported_encoding",
      encoding: encoding.length > 60 ? "unnamed" : encoding,
    }
  );
}
