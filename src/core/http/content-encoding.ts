/** Undoes the codings of `Content-Encoding` (RFC 9110 section 8.4), in the reverse order of the header. */

import { PassThrough, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { ResponseHeaders } from "./limits/rate-limit.js";

/** Creates what undoes a coding. Node's defaults are kept, so that data that ends too early is an error (axios flushes it away). */
type CreateDecoder = (firstByte: number) => Transform;

/** A server that names gzip and sends plain data gives the bytes as they are: gzip's first byte (RFC 1952) begins no text. */
const openGzip: CreateDecoder = (firstByte) =>
  firstByte === 0x1f ? createGunzip() : new PassThrough();

const decoders: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ["gzip", openGzip],
  ["x-gzip", openGzip],
  ["br", () => createBrotliDecompress()],
  // It means zlib data, but some servers send it without the zlib header.
  ["deflate", (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw())],
]);

/** `aws-chunked` describes an upload, and S3 stores it with the object. */
const withoutEffect: ReadonlySet<string> = new Set(["", "identity", "none", "aws-chunked"]);

/** No honest API sends more, and each multiplies what a small body becomes. */
const mostCodings = 4;

/** The codings of a body. */
export interface Codings {
  /** The decoders that undo them, the outermost first. */
  readonly undone: readonly CreateDecoder[];
  /** The names of those that stay, since the outermost of them is unknown here. */
  readonly left: readonly string[];
}

const noCodings: Codings = { undone: [], left: [] };

/** Takes the headers of a response. Returns its codings; a charset among them (`utf-8`) changes nothing. */
export function readCodings(headers: ResponseHeaders): Codings {
  const { "content-encoding": given } = headers;
  if (given === undefined) return noCodings;
  // Several lines are one list (RFC 9110, section 5.3).
  const names = [given]
    .flat()
    .join(",")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !withoutEffect.has(name) && !isCharset(name))
    .reverse();
  const unknown = names.findIndex((name) => !decoders.has(name));
  const known = unknown < 0 ? names : names.slice(0, unknown);
  if (known.length > mostCodings) return { undone: [], left: names };
  const undone = known.flatMap((name) => decoders.get(name) ?? []);
  return { undone, left: names.slice(known.length) };
}

function isCharset(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== "";
  } catch {
    return false;
  }
}

/** The receiver of the output of a chain. */
export interface DecoderListeners {
  readonly onData: (chunk: Uint8Array) => void;
  /** After all that arrived was given out, or at the end of compressed data. */
  readonly onEnd: () => void;
  readonly onError: (error: unknown) => void;
  /** One coding made more of the body than `maxBytes`. */
  readonly onTooLarge: () => void;
  /** The chain takes more again. */
  readonly onDrain: () => void;
}

/** Decoders of which each takes what the one before it gives. Each starts with its first byte: an empty body is fine under any coding. */
export class DecoderChain {
  readonly #open: Transform[] = [];
  readonly #bytes: number[] = [];

  constructor(
    private readonly create: readonly CreateDecoder[],
    private readonly maxBytes: number,
    private readonly listeners: DecoderListeners,
  ) {}

  /** @returns false when the caller has to wait for `onDrain`. */
  write(chunk: Uint8Array): boolean {
    return this.#writeTo(0, chunk);
  }

  end(): void {
    this.#endAt(0);
  }

  destroy(): void {
    for (const decoder of this.#open) decoder.destroy();
  }

  #writeTo(index: number, chunk: Uint8Array): boolean {
    const decoder = this.#open[index] ?? this.#openAt(index, chunk[0] ?? 0);
    if (decoder === undefined) {
      this.listeners.onData(chunk);
      return true;
    }
    const bytes = (this.#bytes[index] ?? 0) + chunk.length;
    this.#bytes[index] = bytes;
    // A body that is compressed on the wire is bounded by its decoded size; one that is compressed twice need not be.
    if (index > 0 && bytes > this.maxBytes) {
      this.listeners.onTooLarge();
      return true;
    }
    return decoder.write(chunk);
  }

  #openAt(index: number, firstByte: number): Transform | undefined {
    const decoder = this.create[index]?.(firstByte);
    if (decoder === undefined) return undefined;
    this.#open[index] = decoder;
    return decoder
      .on("data", (chunk: Uint8Array) => {
        if (!this.#writeTo(index + 1, chunk)) decoder.pause();
      })
      .on("end", () => this.#endAt(index + 1))
      .on("error", this.listeners.onError)
      .on("drain", () => {
        if (index === 0) this.listeners.onDrain();
        else this.#open[index - 1]?.resume();
      });
  }

  #endAt(index: number): void {
    const decoder = this.#open[index];
    if (decoder === undefined) {
      this.listeners.onEnd();
      return;
    }
    // At the end of compressed data it has ended by itself.
    if (decoder.readableEnded || decoder.writableEnded) return;
    // zlib gives out nothing of its last chunk when that ends too early. So the last one is an empty one.
    decoder.write(Buffer.alloc(0), () => decoder.end());
  }
}
