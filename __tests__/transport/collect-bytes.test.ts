import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { collectBytes } from "../../src/transport/collect-bytes.js";
import { createSpareMemory, type SpareMemory, spareBytes } from "../../src/transport/create-spare-memory.js";

const maxBytes = 100_000_000;

/** A spare memory that remembers what it was given. */
function watchMemory(): SpareMemory & { readonly given: number[]; readonly taken: ArrayBuffer[] } {
  const memory = createSpareMemory();
  const given: number[] = [];
  const taken: ArrayBuffer[] = [];
  return {
    given,
    taken,
    take() {
      const buffer = memory.take();
      taken.push(buffer);
      return buffer;
    },
    give(buffer, usedBytes) {
      given.push(usedBytes);
      memory.give(buffer, usedBytes);
    },
  };
}

describe("collectBytes", () => {
  it("is all chunks in their order, whatever length was declared", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 20 }),
        fc.option(fc.oneof(fc.nat(2_000), fc.constantFrom(1e15, Number.NaN, -1)), { nil: undefined }),
        (chunks, declaredBytes) => {
          const collector = collectBytes({ maxBytes, declaredBytes, memory: createSpareMemory() });
          for (const chunk of chunks) collector.add(chunk);
          expect(Buffer.from(collector.take().bytes).equals(Buffer.concat(chunks))).toBe(true);
        },
      ),
    );
  });

  it("keeps a lone chunk without a copy", () => {
    const memory = watchMemory();
    const collector = collectBytes({ maxBytes, memory });
    const chunk = Buffer.from("alone");
    collector.add(chunk);
    const { bytes, release } = collector.take();
    release();
    expect(bytes).toBe(chunk);
    expect(memory.taken).toHaveLength(0);
  });

  it("moves a body that outgrows the spare memory, and gives that back", () => {
    const memory = watchMemory();
    const collector = collectBytes({ maxBytes, memory });
    const chunk = Buffer.alloc(400_000, "0123456789");
    for (let count = 0; count < 4; count += 1) collector.add(chunk);
    const { bytes } = collector.take();
    expect(Buffer.concat([chunk, chunk, chunk, chunk]).equals(bytes)).toBe(true);
    expect(memory.given).toEqual([800_000]);
  });

  it("leaves the spare memory alone for a body that is declared to be larger", () => {
    const memory = watchMemory();
    const collector = collectBytes({ maxBytes, declaredBytes: spareBytes + 1, memory });
    collector.add(Buffer.from("a"));
    collector.add(Buffer.from("b"));
    expect(Buffer.from(collector.take().bytes).toString()).toBe("ab");
    expect(memory.taken).toHaveLength(0);
  });

  it("grows past the addresses it set aside first", () => {
    const collector = collectBytes({
      maxBytes: 2 ** 28,
      declaredBytes: 2 ** 28,
      memory: createSpareMemory(),
    });
    for (let count = 1; count <= 6; count += 1) collector.add(Buffer.alloc(2 ** 24, count));
    const { bytes, release } = collector.take();
    expect(bytes).toHaveLength(6 * 2 ** 24);
    expect([0, 1, 2, 3, 4, 5].map((index) => bytes[index * 2 ** 24 + 5])).toEqual([1, 2, 3, 4, 5, 6]);
    release();
  });

  it.each([
    ["spare", 10],
    ["own", 2_000_000],
  ])("holds nothing after it was released, twice too: %s memory", (_, length) => {
    const memory = watchMemory();
    const collector = collectBytes({ maxBytes, memory });
    for (const chunk of [Buffer.alloc(length, 1), Buffer.alloc(length, 2)]) collector.add(chunk);
    const { bytes, release } = collector.take();
    expect(bytes).toHaveLength(2 * length);
    release();
    release();
    expect(bytes).toHaveLength(0);
    expect(bytes.buffer.byteLength).toBe(0);
  });

  it("shows the next body nothing of the one before", () => {
    const memory = watchMemory();
    const collect = (texts: readonly string[]): ReturnType<ReturnType<typeof collectBytes>["take"]> => {
      const collector = collectBytes({ maxBytes, memory });
      for (const text of texts) collector.add(Buffer.from(text));
      return collector.take();
    };
    collect(["a secret ", "of somebody"]).release();
    const { bytes } = collect(["no", "ne"]);
    expect(Buffer.from(bytes).toString()).toBe("none");
    expect(Buffer.from(bytes.buffer).includes("ret")).toBe(false);
  });

  it("gives two bodies at the same time memory of their own", () => {
    const memory = createSpareMemory();
    memory.give(memory.take(), 0);
    const collectors = ["one", "two"].map((text) => {
      const collector = collectBytes({ maxBytes, memory });
      collector.add(Buffer.from(text));
      collector.add(Buffer.from(text));
      return collector;
    });
    const [one, two] = collectors.map((collector) => collector.take());
    two?.release();
    expect(Buffer.from(one?.bytes ?? []).toString()).toBe("oneone");
  });
});
