/** Hundreds of calls at once leave the event loop to other work of the process after every few steps. */

import { createHook } from "node:async_hooks";
import { expect, test } from "@jest/globals";
import { createTurns } from "../../../src/core/call/create-turns.js";
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

test("lets a call that comes alone go on in the same turn", async () => {
  const takeTurn = createTurns();
  for (let call = 0; call < 3; call += 1) {
    let isOver = false;
    setImmediate(() => {
      isOver = true;
    });
    await takeTurn();
    expect(isOver).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
  }
});

test("lets two hundred calls go on in the order in which they came", async () => {
  const takeTurn = createTurns();
  const numbers = Array.from({ length: together }, (_, number) => number);
  const order: number[] = [];
  await Promise.all(numbers.map((number) => takeTurn().then(() => order.push(number))));
  expect(order).toEqual(numbers);
});

test("wakes each waiting call once, however many wait", async () => {
  const countPromises = async (calls: number): Promise<number> => {
    const takeTurn = createTurns();
    let promises = 0;
    const hook = createHook({
      init(_id, type) {
        if (type === "PROMISE") promises += 1;
      },
    }).enable();
    await Promise.all(Array.from({ length: calls }, takeTurn));
    hook.disable();
    return promises;
  };
  expect(await countPromises(20 * together)).toBeLessThanOrEqual(20 * (await countPromises(together)));
});
