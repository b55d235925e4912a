import { randomBytes } from "node:crypto";
import { getEventListeners } from "node:events";
import { PassThrough } from "node:stream";
import { createGzip, gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { readBody } from "../../src/transport/read-body.js";

describe("readBody", () => {
  it("stops with the signal, keeps what came, and lets go of both", async () => {
    const controller = new AbortController();
    const stream = new PassThrough();
    stream.write("half");
    const reading = readBody(stream, { headers: {}, maxBytes: 100, signal: controller.signal });
    setImmediate(() => controller.abort());
    const read = await reading;
    expect(read).toMatchObject({ failure: { kind: "connection" } });
    expect(Buffer.from(read.bytes).toString()).toBe("half");
    expect(stream.destroyed).toBe(true);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("ends when the stream is closed without an error", async () => {
    const stream = new PassThrough();
    stream.write("half");
    const { signal } = new AbortController();
    const reading = readBody(stream, { headers: {}, maxBytes: 100, signal });
    setImmediate(() => stream.destroy());
    const read = await reading;
    expect(read.failure).toEqual({ kind: "connection" });
    expect(Buffer.from(read.bytes).toString()).toBe("half");
  });

  it("reads nothing when the signal has fired before", async () => {
    const stream = new PassThrough();
    const read = await readBody(stream, {
      headers: { "content-encoding": "gzip" },
      maxBytes: 100,
      signal: AbortSignal.abort(),
    });
    expect(read).toMatchObject({ failure: { kind: "connection" }, bytes: Buffer.alloc(0) });
    expect(stream.destroyed).toBe(true);
  });

  it("leaves no listener on the signal after a whole body", async () => {
    const { signal } = new AbortController();
    const stream = new PassThrough();
    stream.end("whole");
    expect(await readBody(stream, { headers: {}, maxBytes: 5, signal })).not.toHaveProperty("truncation");
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("waits for what is being decompressed when the connection breaks", async () => {
    const gzip = createGzip();
    gzip.write("arrived");
    await new Promise<void>((resolve) => gzip.flush(resolve));
    const stream = new PassThrough();
    const { signal } = new AbortController();
    const reading = readBody(stream, { headers: { "content-encoding": "gzip" }, maxBytes: 100, signal });
    stream.on("data", () => process.nextTick(() => stream.destroy(new Error("broken"))));
    stream.write(gzip.read());
    const read = await reading;
    expect(read.failure?.kind).toBe("connection");
    expect(Buffer.from(read.bytes).toString()).toBe("arrived");
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
      const { signal } = new AbortController();
      const read = await readBody(stream, {
        headers: { "content-encoding": "gzip" },
        maxBytes: 100_000,
        signal,
      });
      expect(read).toMatchObject({ failure: { kind: "encoding", code: "Z_BUF_ERROR" } });
      // Eight bytes of checksum and length end the data.
      expect(read.bytes).toHaveLength(Math.min(10_000, 10_008 - missing));
      expect(whole.subarray(0, read.bytes.length).equals(read.bytes)).toBe(true);
    },
  );

  it("is not whole when the connection breaks after the compressed data", async () => {
    const stream = new PassThrough();
    const { signal } = new AbortController();
    const reading = readBody(stream, { headers: { "content-encoding": "gzip" }, maxBytes: 100, signal });
    stream.on("data", () => process.nextTick(() => stream.destroy(new Error("broken"))));
    stream.write(gzipSync("all of it"));
    const read = await reading;
    expect(read.failure?.kind).toBe("connection");
    expect(Buffer.from(read.bytes).toString()).toBe("all of it");
  });

  it("lets the connection wait for the decompression", async () => {
    const stream = new PassThrough();
    let pauses = 0;
    stream.on("pause", () => {
      pauses += 1;
    });
    const whole = randomBytes(1_000_000);
    stream.end(gzipSync(whole));
    const { signal } = new AbortController();
    const read = await readBody(stream, {
      headers: { "content-encoding": "gzip" },
      maxBytes: 1_000_000,
      signal,
    });
    expect(whole.equals(read.bytes)).toBe(true);
    expect(pauses).toBeGreaterThan(0);
  });

  it("keeps exactly the first bytes, however the body is cut into chunks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }),
        fc.nat(300),
        fc.boolean(),
        async (chunks, maxBytes, isCompressed) => {
          const whole = Buffer.concat(chunks);
          const stream = new PassThrough();
          if (isCompressed) stream.write(gzipSync(whole));
          else for (const chunk of chunks) stream.write(chunk);
          stream.end();
          const { signal } = new AbortController();
          const read = await readBody(stream, {
            headers: isCompressed ? { "content-encoding": "gzip" } : {},
            maxBytes,
            signal,
          });
          expect(Buffer.from(read.bytes).equals(whole.subarray(0, maxBytes))).toBe(true);
          expect(read.failure?.kind).toBe(whole.length > maxBytes ? "too_large" : undefined);
        },
      ),
    );
  });
});
