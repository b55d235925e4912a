/** Reads a body up to a cap on its decompressed bytes, and keeps what arrived when it does not arrive whole. */

import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { ResponseHeaders } from "../limits/rate-limit.js";
import { codeOf } from "./send-failure.js";

/** Why a body did not arrive whole. */
export type Truncation = "too_large" | "stopped" | "connection" | "encoding" | "unsupported_encoding";

export interface BodyRead {
  /** What arrived, decompressed: at most `maxBytes`. */
  readonly bytes: Uint8Array;
  /** Absent when the body arrived whole. */
  readonly truncation?: Truncation;
  /** Node's error code, when the connection or the decompression failed. */
  readonly code?: string;
}

/** A single content coding that can be undone, `identity` for none, or `unsupported`. */
export type ContentCoding = "identity" | "gzip" | "deflate" | "br" | "unsupported";

const codings: ReadonlyMap<string, ContentCoding> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "br"],
]);

/**
 * Reads `Content-Encoding` (RFC 9110 section 8.4). Two codings on top of each other are unsupported: no honest API
 * sends them, and each multiplies a bomb.
 */
export function readContentCoding(headers: ResponseHeaders): ContentCoding {
  const names = [headers["content-encoding"] ?? []]
    .flat()
    .flatMap((value) => value.split(","))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  const [name, ...more] = names;
  if (name === undefined) return "identity";
  return more.length > 0 ? "unsupported" : (codings.get(name) ?? "unsupported");
}

export interface ReadBodyOptions {
  readonly coding: ContentCoding;
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

type Ending = Pick<BodyRead, "truncation" | "code">;

class BodyReading {
  readonly #stream: Readable;
  readonly #options: ReadBodyOptions;
  readonly #resolve: (read: BodyRead) => void;
  #chunks: Uint8Array[] = [];
  #byteCount = 0;
  #decoder: Transform | undefined;
  /** The failure of the connection, held until the decoder has given out what did arrive. */
  #connectionFailure: Ending | undefined;
  #isEnding = false;
  #finished = false;

  constructor(stream: Readable, options: ReadBodyOptions, resolve: (read: BodyRead) => void) {
    this.#stream = stream;
    this.#options = options;
    this.#resolve = resolve;
  }

  start(): void {
    const { coding, signal } = this.#options;
    // These stay on: a destroyed stream may still report an error, which would be an uncaught one.
    this.#stream.on("error", (error) => this.#end({ truncation: "connection", ...codeOf(error) }));
    this.#stream.on("close", () => this.#end({ truncation: "connection" }));
    if (coding === "unsupported") {
      this.#finish({ truncation: "unsupported_encoding" });
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
    this.#end({ truncation: "stopped" });
    this.#stream.destroy();
  };

  #decode(coding: "gzip" | "deflate" | "br", first: Uint8Array): void {
    const decoder = createDecoder(coding, first[0] ?? 0);
    this.#decoder = decoder;
    decoder.on("data", (chunk: Uint8Array) => this.#keep(chunk));
    decoder.on("end", () => this.#finish(this.#connectionFailure ?? {}));
    decoder.on("error", (error) =>
      this.#finish(this.#connectionFailure ?? { truncation: "encoding", ...codeOf(error) }),
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
    if (kept !== chunk) this.#finish({ truncation: "too_large" });
  }

  /** The connection ended, well or not; a decoder may still hold bytes and a verdict of its own. */
  #end(how: Ending): void {
    if (this.#decoder === undefined) {
      this.#finish(how);
      return;
    }
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (how.truncation !== undefined) this.#connectionFailure = how;
    // zlib gives out nothing of its last chunk when that ends too early. So the last one is an empty one.
    const decoder = this.#decoder;
    decoder.write(Buffer.alloc(0), () => decoder.end());
  }

  #finish(how: Ending): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#options.signal.removeEventListener("abort", this.#stop);
    // Compressed data can be whole before the stream is: what comes after it is not waited for.
    if (!this.#stream.readableEnded) this.#stream.destroy();
    this.#decoder?.destroy();
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    // axios breaks the stream when the signal fires, and may be the first to hear of it.
    const isStopped = how.truncation === "connection" && this.#options.signal.aborted;
    this.#resolve(isStopped ? { bytes, truncation: "stopped" } : { bytes, ...how });
  }
}

/**
 * Creates the stream that undoes a coding. Node's defaults are kept, so that data that ends too early is an error
 * (axios flushes it away).
 *
 * @param firstByte of the encoded data: `deflate` means zlib data, but some servers send it without the zlib header.
 */
function createDecoder(coding: "gzip" | "deflate" | "br", firstByte: number): Transform {
  if (coding === "gzip") return createGunzip();
  if (coding === "br") return createBrotliDecompress();
  const hasZlibHeader = (firstByte & 0x0f) === 8;
  return hasZlibHeader ? createInflate() : createInflateRaw();
}
