/** Hundreds of calls at once leave the event loop to other work of the process after every few steps. */

import { expect, test } from "@jest/globals";
import { createSourceClient } from "../../../src/index.js";

const together = 200;
/** Twice what goes on in one turn: a turn of ours begins in the middle of one of the event loop. */
const most = 16;

/** Counts what happens between two turns of the event loop. */
function countByTurn() {
  const counts = [0];
  let immediate = setImmediate(function begin() {
    counts.push(0);
    immediate = setImmediate(begin);
  });
  return {
    counts,
    note: () => counts.splice(-1, 1, (counts.at(-1) ?? 0) + 1),
    stop: () => clearImmediate(immediate),
  };
}

test("sends and answers a few of two hundred calls in each turn of the event loop", async () => {
  const [sent, answered] = [countByTurn(), countByTurn()];
  let answerAll: (() => void)[] = [];
  const client = createSourceClient(
    { name: "Shop", api: { baseUrl: "https://shop.example.com" } },
    {
      // All answers come at the same moment.
      transport: async () => {
        sent.note();
        await new Promise<void>((resolve) => {
          answerAll.push(resolve);
          if (answerAll.length === together) for (const answer of answerAll) answer();
        });
        return { body: { id: 7 } };
      },
    },
  );
  const callAll = async (): Promise<void> => {
    answerAll = [];
    const calls = Array.from({ length: together }, () => client.call({ path: "/items/7" }));
    for (const { ok } of await Promise.all(calls.map((call) => call.finally(answered.note))))
      expect(ok).toBe(true);
  };
  // The first calls load their code and wait for it together.
  await callAll();
  for (const { counts } of [sent, answered]) counts.splice(0, Infinity, 0);
  await callAll();
  for (const { stop } of [sent, answered]) stop();
  for (const { counts } of [sent, answered]) {
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(together);
    expect(Math.max(...counts)).toBeLessThanOrEqual(most);
  }
});
