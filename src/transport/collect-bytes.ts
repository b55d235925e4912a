/** Gathers the chunks of a body in one piece of memory that is given back as soon as the body has been read. */

/// <reference lib="es2024.arraybuffer" />

import { type SpareMemory, spareBytes } from "./create-spare-memory.js";

/** A body in one piece. */
export interface CollectedBytes {
  readonly bytes: Uint8Array;
  /** Gives the memory back at once, where a garbage collector would wait; `bytes` is empty from then on. */
  readonly release: () => void;
}

export interface ByteCollector {
  add(chunk: Uint8Array): void;
  /** All that was added; the end of the collector. */
  take(): CollectedBytes;
}

export interface CollectOptions {
  /** More than this is never added. */
  readonly maxBytes: number;
  /** What the server says; only a hint of where to begin. */
  readonly declaredBytes?: number | undefined;
  readonly memory: SpareMemory;
}

/** Memory that a body is written into. */
interface Room {
  readonly buffer: ArrayBuffer;
  /** Makes room for so many bytes; false when only a larger one has it. */
  reach(byteCount: number): boolean;
  release(usedBytes: number): void;
}

/** Addresses for a body to grow in without being copied; they are no memory until something is written to them. */
const reservedBytes = 2 ** 26;
const stepBytes = 2 ** 20;

/** Collects one body. A lone chunk is kept as it is; memory is taken as bytes arrive, whatever length was declared. */
export function collectBytes({ maxBytes, declaredBytes = 0, memory }: CollectOptions): ByteCollector {
  let first: Uint8Array | undefined;
  let room: Room | undefined;
  let byteCount = 0;

  function write(chunk: Uint8Array): void {
    const needed = byteCount + chunk.length;
    room ??= Math.max(needed, declaredBytes) > spareBytes ? openOwn(needed, maxBytes) : openSpare(memory);
    if (!room.reach(needed)) {
      const larger = openOwn(needed, maxBytes);
      new Uint8Array(larger.buffer).set(new Uint8Array(room.buffer, 0, byteCount));
      room.release(byteCount);
      room = larger;
    }
    new Uint8Array(room.buffer, byteCount, chunk.length).set(chunk);
    byteCount = needed;
  }

  return {
    add(chunk) {
      if (room === undefined && first === undefined) {
        first = chunk;
        return;
      }
      if (first !== undefined) write(first);
      first = undefined;
      write(chunk);
    },
    take() {
      if (room === undefined) return { bytes: first ?? new Uint8Array(0), release: () => {} };
      const { buffer, release } = room;
      return { bytes: Buffer.from(buffer, 0, byteCount), release: () => release(byteCount) };
    },
  };
}

function openSpare(memory: SpareMemory): Room {
  const buffer = memory.take();
  return {
    buffer,
    reach: (byteCount) => byteCount <= buffer.byteLength,
    release(usedBytes) {
      // It is empty when it was given back before.
      if (buffer.byteLength > 0) memory.give(buffer, usedBytes);
    },
  };
}

function openOwn(byteCount: number, maxBytes: number): Room {
  const buffer = reserve(
    byteCount,
    Math.max(byteCount, Math.min(maxBytes, Math.max(reservedBytes, 2 * byteCount))),
  );
  return {
    buffer,
    reach(needed) {
      if (needed <= buffer.byteLength) return true;
      if (!buffer.resizable || needed > buffer.maxByteLength) return false;
      buffer.resize(Math.min(buffer.maxByteLength, needed + stepBytes));
      return true;
    },
    release() {
      if (buffer.resizable) buffer.resize(0);
    },
  };
}

/** Where a process may not have so many addresses, the body is copied as it grows. */
function reserve(byteCount: number, maxByteLength: number): ArrayBuffer {
  try {
    return new ArrayBuffer(byteCount, { maxByteLength });
  } catch {
    return new ArrayBuffer(maxByteLength < 2 * byteCount ? maxByteLength : 2 * byteCount);
  }
}
