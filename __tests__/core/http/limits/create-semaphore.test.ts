import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createSemaphore } from "../../../../src/core/http/limits/create-semaphore.js";

const patient = { maxWaitMs: 60_000 };
const now = { maxWaitMs: 0 };
const refused = {
  category: "rate_limited",
  retryable: true,
  hint: expect.stringContaining("limits.concurrency"),
};

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe("createSemaphore", () => {
  it("gives a place back once, however often it is left, and refuses who cannot wait", async () => {
    const enter = createSemaphore({ source: "a", places: 1 });
    const leave = await enter(now);
    await expect(enter(now)).rejects.toMatchObject(refused);
    leave();
    leave();
    await enter(now);
    await expect(enter(now)).rejects.toMatchObject(refused);
  });

  it("lets the aborted leave the line and passes them over", async () => {
    const enter = createSemaphore({ source: "a", places: 1 });
    const leave = await enter(patient);
    const abortion = new AbortController();
    const aborted = enter({ ...patient, signal: abortion.signal });
    const next = enter(patient);
    const reason = new Error("cancelled by the caller");
    abortion.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    leave();
    (await next)();
    await expect(enter({ ...now, signal: abortion.signal })).rejects.toBe(reason);
    await enter(now);
  });

  it("hands on the place of who is admitted and aborted in the same moment", async () => {
    const enter = createSemaphore({ source: "a", places: 1 });
    const leave = await enter(patient);
    const abortion = new AbortController();
    const both = enter({ ...patient, signal: abortion.signal });
    const next = enter(patient);
    abortion.abort(new Error("cancelled"));
    leave();
    await both.then(
      (release) => release(),
      () => {},
    );
    (await next)();
    await enter(now);
  });

  it("never holds more than its places, and admits everyone in order", async () => {
    const scenario = fc.tuple(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(scenario, async ([places, turns]) => {
        const enter = createSemaphore({ source: "a", places });
        let inside = 0;
        let most = 0;
        const order: number[] = [];
        const visits = turns.map(async (turnsInside, index) => {
          const leave = await enter(patient);
          order.push(index);
          inside += 1;
          most = Math.max(most, inside);
          for (let turn = 0; turn < turnsInside; turn += 1) await settle();
          inside -= 1;
          leave();
        });
        await Promise.all(visits);
        expect(most).toBeLessThanOrEqual(places);
        expect(order).toEqual(turns.map((_, index) => index));
      }),
    );
  });
});
