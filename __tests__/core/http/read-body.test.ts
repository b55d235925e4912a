import { randomBytes } from "node:crypto";
import { getEventListeners } from "node:events";
import { PassThrough } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readBody } from "../../../src/core/http/read-body.js";

const gzipped = { headers: { "content-encoding": "gzip" } };

function read(stream: PassThrough, given: Partial<Parameters<typeof readBody>[1]> = {}) {
  const { signal } = new AbortController();
  return readBody(stream, { headers: {}, maxBytes: 100, signal, ...given });
}

describe("readBody", () => {
  it("stops with the signal, keeps what came, and lets go of both", async () => {
    const controller = new AbortController();
    const stream = new PassThrough();
    stream.write("half");
    const reading = read(stream, { signal: controller.signal });
    setImmediate(() => controller.abort());
    const { failure, bytes } = await reading;
    expect([failure, String(bytes)]).toEqual([{ kind: "connection" }, "half"]);
    expect(stream.destroyed).toBe(true);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    const late = new PassThrough();
    expect(await read(late, { ...gzipped, signal: AbortSignal.abort() })).toMatchObject({
      failure: { kind: "connection" },
      bytes: Buffer.alloc(0),
    });
    expect(late.destroyed).toBe(true);
  });

  it("ends when the stream is closed without an error", async () => {
    const stream = new PassThrough();
    stream.write("half");
    const reading = read(stream);
    setImmediate(() => stream.destroy());
    const { failure, bytes } = await reading;
    expect([failure, String(bytes)]).toEqual([{ kind: "connection" }, "half"]);
  });

  it("waits for what is being decompressed when the connection breaks, within the data or after it", async () => {
    const gzip = createGzip();
    gzip.write("arrived");
    await new Promise<void>((resolve) => gzip.flush(resolve));
    for (const packed of [gzip.read(), gzipSync("arrived")]) {
      const stream = new PassThrough();
      const reading = read(stream, gzipped);
      stream.on("data", () => process.nextTick(() => stream.destroy(new Error("broken"))));
      stream.write(packed);
      const { failure, bytes } = await reading;
      expect([failure?.kind, String(bytes)]).toEqual(["connection", "arrived"]);
    }
  });

  it.each([1, 100, 5_000])(
    "keeps all that truncated data holds, when its last %d bytes are missing",
    async (missing) => {
      const whole = randomBytes(10_000);
      const packed = gzipSync(whole, { level: 0 });
      const stream = new PassThrough();
      // Two chunks, so that the second waits for the first when the end comes.
      stream.write(packed.subarray(0, 4_000));
      stream.end(packed.subarray(4_000, packed.length - missing));
      const { failure, bytes } = await read(stream, { ...gzipped, maxBytes: 100_000 });
      expect(failure).toEqual({ kind: "encoding", code: "Z_BUF_ERROR" });
      // Eight bytes of checksum and length end the data.
      expect(bytes).toHaveLength(Math.min(10_000, 10_008 - missing));
      expect(whole.subarray(0, bytes.length).equals(bytes)).toBe(true);
    },
  );

  it("lets the connection wait for the decompression", async () => {
    const stream = new PassThrough();
    let pauses = 0;
    stream.on("pause", () => {
      pauses += 1;
    });
    const whole = randomBytes(1_000_000);
    stream.end(gzipSync(whole));
    const { bytes } = await read(stream, { ...gzipped, maxBytes: 1_000_000 });
    expect(whole.equals(bytes)).toBe(true);
    expect(pauses).toBeGreaterThan(0);
  });

  it("keeps exactly the first bytes, however the body is split into chunks", async () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.integer({ min: -9, max: 9 }),
        fc.boolean(),
        async (chunks, beyond, isCompressed) => {
          const whole = Buffer.concat(chunks);
          const maxBytes = Math.max(0, whole.length + beyond);
          const stream = new PassThrough();
          for (const chunk of isCompressed ? [gzipSync(whole)] : chunks) stream.write(chunk);
          stream.end();
          const { signal } = new AbortController();
          const given = { ...(isCompressed ? gzipped : {}), maxBytes, signal };
          const { failure, bytes } = await read(stream, given);
          expect(getEventListeners(signal, "abort")).toEqual([]);
          expect(Buffer.from(bytes).equals(whole.subarray(0, maxBytes))).toBe(true);
          expect(failure?.kind).toBe(whole.length > maxBytes ? "too_large" : undefined);
        },
      ),
    );
  });
});

describe("a body that does not end", () => {
  const quick = { streamMs: 200, silenceMs: 200 };

  it("is read to its end while bytes keep coming, however long that takes", async () => {
    const stream = new PassThrough();
    const lines = Array.from({ length: 8 }, (_, index) => `{"row":${index}}\n`);
    const reading = read(stream, quick);
    for (const line of lines) {
      stream.write(line);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    stream.end();
    const { bytes, failure } = await reading;
    expect([Buffer.from(bytes).toString(), failure]).toEqual([lines.join(""), undefined]);
  });

  it("ends with what came when it falls silent", async () => {
    const stream = new PassThrough();
    stream.write("[1,2");
    const { bytes, failure } = await read(stream, quick);
    expect(Buffer.from(bytes).toString()).toBe("[1,2");
    expect(failure).toEqual({ kind: "unfinished", afterMs: 200, isStream: false });
    expect(stream.destroyed).toBe(true);
  });

  it("ends with what came when it is an event stream, though events keep coming", async () => {
    const stream = new PassThrough();
    const events = setInterval(() => stream.write("data: 1\n\n"), 20);
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    const { bytes, failure } = await read(stream, { ...quick, maxBytes: 10_000, headers });
    clearInterval(events);
    expect(bytes.length).toBeGreaterThan(0);
    expect(failure).toEqual({ kind: "unfinished", afterMs: 200, isStream: true });
  });
});
