import { EventEmitter, getEventListeners, once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { systemSleep } from "../../../src/core/base/runtime.js";
import { createDeadline, isCancelled, isTimeLimit } from "../../../src/core/http/deadline.js";
import { SendError } from "../../../src/core/http/send-failure.js";
import { answerWith, type RawServer, startRawServer } from "../../support/raw-server.js";
import {
  createTestLimiter,
  createTestTransport,
  type TestCall,
  type TestTransport,
} from "../../support/test-transport.js";

const clock = { now: () => 1_000 };
const timeout = new DOMException("x", "TimeoutError");

describe("createDeadline", () => {
  it.each([
    ["a time that is up", 0, undefined, "deadline"],
    ["a signal that has fired", 9_999, AbortSignal.abort(), "cancelled"],
    ["a caller's time that is up", 9_999, AbortSignal.abort(timeout), "caller_timeout"],
  ])("is stopped at once by %s", (_name, timeoutMs, signal, reason) => {
    const deadline = createDeadline({ timeoutMs, clock, signal });
    deadline.close();
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.stoppedBy()).toBe(reason);
    expect(isTimeLimit(deadline.signal.reason)).toBe(reason !== "cancelled");
    expect(isCancelled(deadline.signal)).toBe(reason === "cancelled");
  });

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

  it("ends a pause when the caller cancels", async () => {
    const controller = new AbortController();
    const deadline = createDeadline({ timeoutMs: 9_999, clock, signal: controller.signal });
    const paused = deadline.pause(new Promise(() => {}));
    controller.abort(new Error("enough"));
    await expect(paused).rejects.toThrow("enough");
    deadline.close();
  });

  it("takes a deadline beyond a timer's reach for a long time, not for none", async () => {
    const deadline = createDeadline({ timeoutMs: Number.MAX_SAFE_INTEGER, clock });
    await systemSleep(20);
    expect(deadline.signal.aborted).toBe(false);
    deadline.close();
  });

  it("takes the caller's own timer for the same moment for the deadline", () => {
    const controller = new AbortController();
    const deadline = createDeadline({ timeoutMs: 10, clock, signal: controller.signal });
    controller.abort(timeout);
    expect(deadline.stoppedBy()).toBe("deadline");
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

describe("a call", () => {
  let api: RawServer;
  let transport: TestTransport;

  afterEach(async () => {
    transport.close();
    // A connection that is leaked makes this time out.
    while (api.connections.open > 0) await systemSleep(5);
    await api.close();
  });

  async function start(
    respond: (socket: Socket) => void,
    options: Parameters<typeof createTestTransport>[1] = {},
  ): Promise<void> {
    api = await startRawServer((_request, socket) => respond(socket));
    transport = createTestTransport(api.url, options);
  }

  const never = (): Promise<never> => new Promise(() => {});
  const busy = (socket: Socket): void => answerWith(socket, 503, "busy");

  it.each<[string, (socket: Socket) => void, TestCall, Parameters<typeof createTestTransport>[1]]>([
    [
      "before a retry, with a sleep that obeys",
      busy,
      {},
      { sleep: (_delayMs, signal) => systemSleep(60_000, signal), random: () => 0 },
    ],
    ["for its turn", () => {}, { rateLimit: { limiter: { take: never }, key: "k" } }, {}],
    ["for the credential", () => {}, { authenticate: never }, {}],
    ["for the name", () => {}, {}, { lookup: () => {} }],
  ])(
    "that waits %s ends when it is cancelled, and when its time is up",
    async (_name, respond, call, options) => {
      const timeoutMs = 400;
      await start(respond, { ...options, timeoutMs });
      if (options?.lookup !== undefined) {
        transport.close();
        transport = createTestTransport(`http://api.example.com:${api.port}`, {
          ...options,
          timeoutMs,
        });
      }
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("the caller's own reason")), 30);
      const cancelled = await transport.fail({}, { ...call, signal: controller.signal });
      expect(cancelled).toMatchObject({ kind: "cancelled" });
      expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);

      const timedOut = await transport.send({}, call).then(
        ({ failure }) => failure,
        (error: unknown) => (error instanceof SendError ? error.failure : error),
      );
      expect(timedOut).toMatchObject({ kind: "timeout", limitMs: timeoutMs });
    },
  );

  it.each<[string, string, Parameters<typeof createTestTransport>[1]]>([
    ["dns", "http://api.example.com", { lookup: () => {} }],
    ["tls", "https://127.0.0.1", {}],
    ["first_byte", "http://127.0.0.1", {}],
  ])("that runs out of time in the phase %s reports the phase", async (phase, url, options) => {
    await start(() => {});
    transport = createTestTransport(`${url}:${api.port}`, { ...options, timeoutMs: 1_000 });
    expect(await transport.fail({})).toMatchObject({ kind: "timeout", phase, attempts: 1 });
  });

  it("is not begun when it was cancelled before, or its time is up", async () => {
    await start(() => {});
    const { rateLimit, turns } = createTestLimiter();
    const failed = await transport.fail({}, { rateLimit, signal: AbortSignal.abort() });
    expect(failed).toMatchObject({ kind: "cancelled", attempts: 0 });
    expect(await transport.fail({}, { rateLimit, timeoutMs: 0 })).toMatchObject({
      kind: "timeout",
      attempts: 0,
    });
    expect([turns(), api.connections.opened]).toEqual([0, 0]);
  });

  it("that is over does not go on when a sleep that knows no signal ends", async () => {
    const wake = new EventEmitter();
    const sleep = (): Promise<void> => once(wake, "now").then(() => {});
    await start(busy, { sleep, random: () => 0, timeoutMs: 1_000 });
    const { rateLimit, turns } = createTestLimiter();
    expect(await transport.fail({}, { rateLimit })).toMatchObject({ kind: "timeout", attempts: 1 });
    wake.emit("now");
    await systemSleep(5);
    expect(turns()).toBe(1);
  });

  it("is a time-out of its caller when its caller's signal is one", async () => {
    await start(() => {});
    const failure = await transport.fail({}, { signal: AbortSignal.timeout(50) });
    expect(failure).toMatchObject({ kind: "timeout" });
    expect(failure).not.toHaveProperty("limitMs");
  });
});
