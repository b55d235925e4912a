import { once } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { sandboxLimits } from "../../../src/extras/code/sandbox-messages.js";
import { createSandboxThreads } from "../../../src/extras/code/threads.js";

const limits = { ...sandboxLimits, cpuMs: 100, memoryBytes: 20_000_000, maxQuestions: 10 };

describe("the threads that wait for a run", () => {
  it("are two at most in the process, however many tools there are; a tool finds its own", async () => {
    const pools = [1, 2, 3].map(() => createSandboxThreads({ sources: ["shop"], limits }));
    const threads = pools.map((pool) => pool.take());
    const ended: number[] = [];
    const exits = threads.map((thread, at) => once(thread, "exit").then(() => ended.push(at)));
    for (const [at, thread] of threads.entries()) pools[at]?.release(thread);
    await exits[0];
    expect(ended).toEqual([0]);
    expect(pools[2]?.take()).toBe(threads[2]);
    expect(pools[1]?.take()).toBe(threads[1]);
    for (const thread of threads) void thread.terminate();
    await Promise.all(exits);
  });
});
