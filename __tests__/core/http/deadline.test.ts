import { describe, expect, it } from "@jest/globals";
import { systemSleep } from "../../../src/core/base/runtime.js";
import { createDeadline } from "../../../src/core/http/deadline.js";

const clock = { now: () => 1_000 };

describe("createDeadline", () => {
  it("does not count what a pause takes, and its time goes on after it", async () => {
    let nowMs = 1_000;
    const deadline = createDeadline({ timeoutMs: 30, clock: { now: () => nowMs } });
    const paused = deadline.pause(systemSleep(60));
    nowMs += 60;
    await paused;
    expect(deadline.signal.aborted).toBe(false);
    expect(deadline.remainingMs()).toBe(30);
    await systemSleep(60);
    expect(deadline.stoppedBy()).toBe("deadline");
  });

  it("counts the time of pauses that overlap once, and does not go on while one of them lasts", async () => {
    let nowMs = 1_000;
    const deadline = createDeadline({ timeoutMs: 30, clock: { now: () => nowMs } });
    const ends: (() => void)[] = [];
    const pause = () => deadline.pause(new Promise<void>((resolve) => ends.push(resolve)));
    const first = pause();
    nowMs += 100;
    const second = pause();
    nowMs += 100;
    ends[0]?.();
    await first;
    await systemSleep(60);
    expect(deadline.stoppedBy()).toBeUndefined();
    nowMs += 100;
    ends[1]?.();
    await second;
    expect(deadline.deadlineMs).toBe(1_330);
    deadline.close();
  });

  it("takes a deadline beyond a timer's reach for a long time, not for none", async () => {
    const deadline = createDeadline({ timeoutMs: Number.MAX_SAFE_INTEGER, clock });
    await systemSleep(20);
    expect(deadline.signal.aborted).toBe(false);
    deadline.close();
  });

  it("rejects with the caller's own reason, and hands a late value to be discarded", async () => {
    const controller = new AbortController();
    const deadline = createDeadline({ timeoutMs: 9_999, clock, signal: controller.signal });
    const discarded: string[] = [];
    const work = systemSleep(5).then(() => "late");
    const raced = deadline.race(work, (value) => discarded.push(value));
    const reason = new Error("no more");
    controller.abort(reason);
    await expect(raced).rejects.toBe(reason);
    await work;
    expect(discarded).toEqual(["late"]);
    deadline.close();
  });
});
