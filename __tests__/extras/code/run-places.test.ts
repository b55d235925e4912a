import { expect, it } from "@jest/globals";
import { runPlaces } from "../../../src/extras/code/run-places.js";

const never = new AbortController().signal;

/** Asks for a place for each size, and gives how many have one, and what gives the first of these back. */
async function enterEach(megabytes: readonly number[], signal: AbortSignal = never) {
  const leave: (() => void)[] = [];
  const asked = megabytes.map((size) =>
    runPlaces.enter(size * 1_000_000, signal).then((give) => leave.push(give)),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return {
    get running(): number {
      return leave.length;
    },
    async leaveFirst(): Promise<void> {
      leave.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
    async leaveAll(): Promise<void> {
      for (let left = asked.length; left > 0; left -= 1) await this.leaveFirst();
    },
    asked,
  };
}

it.each([
  { megabytes: [165, 165, 165], running: 2, why: "their memory stays below 330 MB" },
  { megabytes: Array.from({ length: 20 }, () => 10), running: 8, why: "there are eight at most" },
  { megabytes: [1_000, 10], running: 1, why: "one that may hold more than that is alone" },
  { megabytes: [10, 1_000, 10], running: 1, why: "none overtakes one that waits" },
])("lets so many runs go on that $why", async ({ megabytes, running }) => {
  const runs = await enterEach(megabytes);
  expect(runs.running).toBe(running);
  expect(runPlaces.count).toBe(running);
  await runs.leaveAll();
  expect(runPlaces.count).toBe(0);
});

it("lets the next run go on when one ends", async () => {
  const runs = await enterEach([165, 165, 165]);
  await runs.leaveFirst();
  expect(runPlaces.count).toBe(2);
  await runs.leaveAll();
});

it("forgets a run that is cancelled while it waits", async () => {
  const caller = new AbortController();
  const first = await enterEach([330]);
  const cancelled = await enterEach([330], caller.signal);
  const last = await enterEach([330]);
  caller.abort(new Error("cancelled"));
  await expect(cancelled.asked[0]).rejects.toThrow("cancelled");
  await first.leaveAll();
  expect([cancelled.running, last.running]).toEqual([0, 1]);
  await last.leaveAll();
});

it("refuses a run where 200 wait already", async () => {
  const runs = await enterEach(Array.from({ length: 201 }, () => 330));
  await expect(runPlaces.enter(1, never)).rejects.toMatchObject({ message: /200 runs of code wait/ });
  await runs.leaveAll();
});
