/** Reads a body up to a cap on its decompressed bytes, and keeps what arrived when it does not arrive whole. */

import type { Readable, Transform } from "node:stream";
import { type ByteCollector, type CollectedBytes, collectBytes } from "./collect-bytes.js";
import { type ContentCoding, createDecoder } from "./create-decoder.js";
import { createSpareMemory, type SpareMemory } from "./create-spare-memory.js";

/** Why a body did not arrive whole. */
export type BodyCut = "too_large" | "stopped" | "connection" | "encoding" | "unsupported_encoding";

/** `bytes` are what arrived, decompressed: at most `maxBytes`. */
export interface BodyRead extends CollectedBytes {
  /** Absent when the body arrived whole. */
  readonly cut?: BodyCut;
  /** Node's error code, when the connection or the decompression failed. */
  readonly code?: string;
}

export interface ReadBodyOptions {
  readonly coding: ContentCoding;
  /** The most bytes to keep, counted after decompression. */
  readonly maxBytes: number;
  /** Stops the reading. */
  readonly signal: AbortSignal;
  /** The `Content-Length`, where it speaks of the bytes that are kept; nothing is done for it that can't be undone. */
  readonly declaredBytes?: number | undefined;
  /** @default memory that is for this body alone */
  readonly memory?: SpareMemory;
}

/**
 * Reads the stream to its end, its cap or its failure, and never throws. The stream is destroyed unless it ended, so
 * that its socket is free again.
 */
export function readBody(stream: Readable, options: ReadBodyOptions): Promise<BodyRead> {
  return new Promise((resolve) => {
    new BodyReading(stream, options, resolve).start();
  });
}

class BodyReading {
  readonly #stream: Readable;
  readonly #options: ReadBodyOptions;
  readonly #resolve: (read: BodyRead) => void;
  readonly #collector: ByteCollector;
  #byteCount = 0;
  #decoder: Transform | undefined;
  /** The failure of the connection, held until the decoder has given out what did arrive. */
  #connectionFailure: Pick<BodyRead, "cut" | "code"> | undefined;
  #isEnding = false;
  #finished = false;

  constructor(stream: Readable, options: ReadBodyOptions, resolve: (read: BodyRead) => void) {
    this.#stream = stream;
    this.#options = options;
    this.#collector = collectBytes({ memory: createSpareMemory(), ...options });
    this.#resolve = resolve;
  }

  start(): void {
    const { coding, signal } = this.#options;
    // These stay on: a destroyed stream may still report an error, which would be an uncaught one.
    this.#stream.on("error", (error) => this.#end({ cut: "connection", ...codeOf(error) }));
    this.#stream.on("close", () => this.#end({ cut: "connection" }));
    if (coding === "unsupported") {
      this.#finish({ cut: "unsupported_encoding" });
      return;
    }
    signal.addEventListener("abort", this.#stop, { once: true });
    if (signal.aborted) {
      this.#stop();
      return;
    }
    this.#stream.on("end", () => this.#end({}));
    if (coding === "identity") this.#stream.on("data", (chunk: Uint8Array) => this.#keep(chunk));
    // The decoder starts with the first byte: an empty body is fine under any encoding.
    else this.#stream.once("data", (chunk: Uint8Array) => this.#decode(coding, chunk));
  }

  readonly #stop = (): void => {
    this.#end({ cut: "stopped" });
    this.#stream.destroy();
  };

  #decode(coding: "gzip" | "deflate" | "br", first: Uint8Array): void {
    const decoder = createDecoder(coding, first[0] ?? 0);
    this.#decoder = decoder;
    decoder.on("data", (chunk: Uint8Array) => this.#keep(chunk));
    decoder.on("end", () => this.#finish(this.#connectionFailure ?? {}));
    decoder.on("error", (error) =>
      this.#finish(this.#connectionFailure ?? { cut: "encoding", ...codeOf(error) }),
    );
    decoder.on("drain", () => this.#stream.resume());
    const write = (chunk: Uint8Array): void => {
      if (!decoder.write(chunk)) this.#stream.pause();
    };
    write(first);
    this.#stream.on("data", write);
  }

  #keep(chunk: Uint8Array): void {
    if (this.#finished) return;
    const room = this.#options.maxBytes - this.#byteCount;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#byteCount += kept.length;
    if (kept.length > 0) this.#collector.add(kept);
    if (kept !== chunk) this.#finish({ cut: "too_large" });
  }

  /** The connection ended, well or not; a decoder may still hold bytes and a verdict of its own. */
  #end(how: Pick<BodyRead, "cut" | "code">): void {
    if (this.#decoder === undefined) {
      this.#finish(how);
      return;
    }
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (how.cut !== undefined) this.#connectionFailure = how;
    // zlib gives out nothing of its last chunk when that ends too early. So the last one is an empty one.
    const decoder = this.#decoder;
    decoder.write(Buffer.alloc(0), () => decoder.end());
  }

  #finish(how: Pick<BodyRead, "cut" | "code">): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#options.signal.removeEventListener("abort", this.#stop);
    // Compressed data can be whole before the stream is: what comes after it is not waited for.
    if (!this.#stream.readableEnded) this.#stream.destroy();
    this.#decoder?.destroy();
    // axios breaks the stream when the signal fires, and may be the first to hear of it.
    const isStopped = how.cut === "connection" && this.#options.signal.aborted;
    const collected = this.#collector.take();
    this.#resolve(isStopped ? { ...collected, cut: "stopped" } : { ...collected, ...how });
  }
}

function codeOf(error: Error): { readonly code?: string } {
  return "code" in error && typeof error.code === "string" ? { code: error.code } : {};
}
