/** Reads a body up to a cap on its decompressed bytes, and keeps what arrived when it does not arrive whole. */

import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import { codeOf, type FailureCause } from "./send-failure.js";

export interface BodyRead {
  /** What arrived, decompressed: at most `maxBytes`. */
  readonly bytes: Uint8Array;
  /** Why the body did not arrive whole; absent when it did. What the signal stopped is a broken `connection` here. */
  readonly failure?: FailureCause;
}

type Coding = "gzip" | "deflate" | "br";

const codings: ReadonlyMap<string, Coding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
]);

export interface ReadBodyOptions {
  /** Those of the answer. */
  readonly headers: ResponseHeaders;
  /** The most bytes to keep, counted after decompression. */
  readonly maxBytes: number;
  /** Stops the reading. */
  readonly signal: AbortSignal;
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
  #chunks: Uint8Array[] = [];
  #byteCount = 0;
  #decoder: Transform | undefined;
  /** The failure of the connection, held until the decoder has given out what did arrive. */
  #connectionFailure: FailureCause | undefined;
  #isEnding = false;
  #finished = false;

  constructor(stream: Readable, options: ReadBodyOptions, resolve: (read: BodyRead) => void) {
    this.#stream = stream;
    this.#options = options;
    this.#resolve = resolve;
  }

  start(): void {
    const { headers, signal } = this.#options;
    // These stay on: a destroyed stream may still report an error, which would be an uncaught one.
    this.#stream.on("error", (error) => this.#end({ kind: "connection", ...codeOf(error) }));
    this.#stream.on("close", () => this.#end({ kind: "connection" }));
    const [name, second] = listCodings(headers);
    const coding = codings.get(name ?? "");
    // Two codings on top of each other: no honest API sends them, and each multiplies a bomb.
    if (second !== undefined || (name !== undefined && coding === undefined)) {
      const encoding = [headers["content-encoding"] ?? ""].flat().join(", ");
      this.#finish({ kind: "unsupported_encoding", encoding });
      return;
    }
    signal.addEventListener("abort", this.#stop, { once: true });
    if (signal.aborted) {
      this.#stop();
      return;
    }
    this.#stream.on("end", () => this.#end());
    if (coding === undefined) this.#stream.on("data", (chunk: Uint8Array) => this.#keep(chunk));
    // The decoder starts with the first byte: an empty body is fine under any encoding.
    else this.#stream.once("data", (chunk: Uint8Array) => this.#decode(coding, chunk));
  }

  readonly #stop = (): void => {
    this.#end({ kind: "connection" });
    this.#stream.destroy();
  };

  #decode(coding: Coding, first: Uint8Array): void {
    const decoder = createDecoder(coding, first[0] ?? 0);
    this.#decoder = decoder;
    decoder.on("data", (chunk: Uint8Array) => this.#keep(chunk));
    decoder.on("end", () => this.#finish(this.#connectionFailure));
    decoder.on("error", (error) =>
      this.#finish(this.#connectionFailure ?? { kind: "encoding", ...codeOf(error) }),
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
    this.#chunks.push(kept);
    if (kept !== chunk) this.#finish({ kind: "too_large", maxBytes: this.#options.maxBytes });
  }

  /** The connection ended, well or not; a decoder may still hold bytes and a verdict of its own. */
  #end(failure?: FailureCause): void {
    if (this.#decoder === undefined) {
      this.#finish(failure);
      return;
    }
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#connectionFailure = failure;
    // zlib gives out nothing of its last chunk when that ends too early. So the last one is an empty one.
    const decoder = this.#decoder;
    decoder.write(Buffer.alloc(0), () => decoder.end());
  }

  #finish(failure?: FailureCause): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#options.signal.removeEventListener("abort", this.#stop);
    // Compressed data can be whole before the stream is: what comes after it is not waited for.
    if (!this.#stream.readableEnded) this.#stream.destroy();
    this.#decoder?.destroy();
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#resolve(failure === undefined ? { bytes } : { bytes, failure });
  }
}

/** The codings of `Content-Encoding` (RFC 9110 section 8.4), in lower case, but for those that change nothing. */
function listCodings(headers: ResponseHeaders): string[] {
  return [headers["content-encoding"] ?? []]
    .flat()
    .flatMap((value) => value.split(","))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
}

/**
 * Creates the stream that undoes a coding. Node's defaults are kept, so that data that ends too early is an error
 * (axios flushes it away).
 *
 * @param firstByte of the encoded data: `deflate` means zlib data, but some servers send it without the zlib header.
 */
function createDecoder(coding: Coding, firstByte: number): Transform {
  if (coding === "gzip") return createGunzip();
  if (coding === "br") return createBrotliDecompress();
  const hasZlibHeader = (firstByte & 0x0f) === 8;
  return hasZlibHeader ? createInflate() : createInflateRaw();
}
