import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createWaitingLine } from "../../src/limits/create-waiting-line.js";
import { systemSleep } from "../../src/runtime.js";

const patient = { maxWaitMs: 60_000 };

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe("createWaitingLine", () => {
  it("admits in the order of arrival, and a newcomer not before those who wait", async () => {
    const line = createWaitingLine({ places: 1, sleep: systemSleep });
    const admitted: string[] = [];
    const enter = async (name: string): Promise<(() => void) | undefined> => {
      const leave = await line.enter(patient);
      admitted.push(name);
      return leave;
    };
    const first = await enter("first");
    const second = enter("second");
    const third = enter("third");
    first?.();
    const fourth = enter("fourth");
    (await second)?.();
    (await third)?.();
    (await fourth)?.();
    expect(admitted).toEqual(["first", "second", "third", "fourth"]);
  });

  it("gives a place back once, however often it is left", async () => {
    const line = createWaitingLine({ places: 1, sleep: systemSleep });
    const leave = await line.enter(patient);
    leave?.();
    leave?.();
    expect(await line.enter({ maxWaitMs: 0 })).toBeDefined();
    expect(await line.enter({ maxWaitMs: 0 })).toBeUndefined();
  });

  it("lets the aborted leave the line and passes them over", async () => {
    const line = createWaitingLine({ places: 1, sleep: systemSleep });
    const leave = await line.enter(patient);
    const abortion = new AbortController();
    const aborted = line.enter({ ...patient, signal: abortion.signal });
    const next = line.enter(patient);
    const reason = new Error("cancelled by the caller");
    abortion.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    leave?.();
    expect(await next).toBeDefined();
  });

  it("refuses those who come aborted, and takes no place for them", async () => {
    const line = createWaitingLine({ places: 1, sleep: systemSleep });
    await expect(line.enter({ ...patient, signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow(
      "gone",
    );
    expect(await line.enter({ maxWaitMs: 0 })).toBeDefined();
  });

  it("sends away who has waited long enough, and passes them over", async () => {
    const line = createWaitingLine({ places: 1, sleep: () => Promise.resolve() });
    const leave = await line.enter(patient);
    expect(await line.enter({ maxWaitMs: 5 })).toBeUndefined();
    leave?.();
    expect(await line.enter({ maxWaitMs: 0 })).toBeDefined();
  });

  it("never holds more than its places, and admits everyone in order", async () => {
    const scenario = fc.tuple(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
    );
    await fc.assert(
      fc.asyncProperty(scenario, async ([places, turns]) => {
        const line = createWaitingLine({ places, sleep: () => new Promise(() => {}) });
        let inside = 0;
        let most = 0;
        const order: number[] = [];
        const visits = turns.map(async (turnsInside, index) => {
          const leave = await line.enter(patient);
          order.push(index);
          inside += 1;
          most = Math.max(most, inside);
          for (let turn = 0; turn < turnsInside; turn += 1) await settle();
          inside -= 1;
          leave?.();
        });
        await Promise.all(visits);
        expect(most).toBeLessThanOrEqual(places);
        expect(order).toEqual(turns.map((_, index) => index));
      }),
    );
  });
});
