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

export interface ReadBodyOptions {
  readonly headers: ResponseHeaders;
  /** The most bytes to keep, counted after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** How long an event stream is read; another body ends after a silence of `streamMs`, and of `silenceMs` at least. @default 10,000 */
  readonly streamMs?: number | undefined;
  /** @default 10,000 */
  readonly silenceMs?: number;
}

/**
 * Reads the stream to its end, its cap or its failure, and never throws. The stream is destroyed unless it ended, so
 * that its socket is free again. It listens and does not iterate: an iterator loses what came right before a failure.
 *
 * @returns what arrived, and why it is not the whole body, if it isn't; what the signal stopped is a broken `connection`
 */
export function readBody(stream: Readable, options: ReadBodyOptions): Promise<BodyRead> {
  return new Promise((resolve) => new BodyReader(stream, options, resolve).start());
}

class BodyReader {
  readonly #stream: Readable;
  readonly #options: ReadBodyOptions;
  readonly #resolve: (read: BodyRead) => void;
  readonly #isEventStream: boolean;
  readonly #chunks: Uint8Array[] = [];
  readonly #stop = (): void => this.#stopBySignal();
  /** How many bytes may still be kept. */
  #room: number;
  #timer: NodeJS.Timeout | undefined;
  /** Undoes the content codings; absent where there are none. */
  #decoder: DecoderChain | undefined;
  /** The end of the connection, held until the decoder has given out what did arrive. */
  #ended: { readonly failure?: FailureCause } | undefined;

  constructor(stream: Readable, options: ReadBodyOptions, resolve: (read: BodyRead) => void) {
    this.#stream = stream;
    this.#options = options;
    this.#resolve = resolve;
    this.#room = options.maxBytes;
    const contentType = [options.headers["content-type"] ?? ""].flat().join();
    this.#isEventStream = /^\s*text\/event-stream\b/i.test(contentType);
  }

  start(): void {
    const { signal } = this.#options;
    this.#startTimer();
    // These stay on: a destroyed stream may still report an error, which would be an uncaught one.
    this.#stream.on("error", (error) => this.#end({ kind: "connection", ...codeOf(error) }));
    this.#stream.on("close", () => this.#end({ kind: "connection" }));
    this.#stream.on("end", () => this.#end());
    signal.addEventListener("abort", this.#stop, { once: true });
    if (signal.aborted) this.#stop();
    else this.#listen();
  }

  #startTimer(): void {
    const { streamMs = usualStreamMs, silenceMs = usualStreamMs } = this.#options;
    const isStream = this.#isEventStream;
    const afterMs = isStream ? streamMs : Math.max(silenceMs, streamMs);
    this.#timer = setTimeout(() => this.#end({ kind: "unfinished", afterMs, isStream }), afterMs);
  }

  #listen(): void {
    const { headers, maxBytes } = this.#options;
    if (!this.#isEventStream) this.#stream.on("data", () => this.#timer?.refresh());
    const isCoded = headers["content-encoding"] !== undefined;
    const undone = isCoded ? readCodings(headers).undone : [];
    if (undone.length === 0) {
      this.#stream.on("data", (chunk: Uint8Array) => this.#keep(chunk));
      return;
    }
    const decoder = new DecoderChain(undone, maxBytes, {
      onData: (chunk) => this.#keep(chunk),
      onEnd: () => this.#finish(this.#ended?.failure),
      onError: (error) =>
        this.#finish(this.#ended?.failure ?? { kind: "encoding", ...codeOf(error) }),
      onTooLarge: () => this.#finish({ kind: "too_large", maxBytes }),
      onDrain: () => this.#stream.resume(),
    });
    this.#decoder = decoder;
    this.#stream.on("data", (chunk: Uint8Array) => {
      if (!decoder.write(chunk)) this.#stream.pause();
    });
  }

  #keep(chunk: Uint8Array): void {
    const kept = chunk.subarray(0, this.#room);
    this.#room -= kept.length;
    this.#chunks.push(kept);
    if (kept.length < chunk.length)
      this.#finish({ kind: "too_large", maxBytes: this.#options.maxBytes });
  }

  #stopBySignal(): void {
    this.#end({ kind: "connection" });
    this.#stream.destroy();
  }

  /** Only its first call counts. */
  #end(failure?: FailureCause): void {
    if (this.#ended !== undefined) return;
    this.#ended = failure === undefined ? {} : { failure };
    if (this.#decoder === undefined) this.#finish(failure);
    else this.#decoder.end();
  }

  /** Only its first call counts: a promise is resolved once. */
  #finish(failure?: FailureCause): void {
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener("abort", this.#stop);
    // Compressed data can be whole before the stream is: what comes after it is not waited for.
    if (!this.#stream.readableEnded) this.#stream.destroy();
    this.#decoder?.destroy();
    this.#resolve({ bytes: Buffer.concat(this.#chunks.splice(0)), failure });
  }
}
