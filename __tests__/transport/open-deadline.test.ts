import { getEventListeners } from "node:events";
import type { Socket } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { systemSleep } from "../../src/runtime.js";
import { openDeadline } from "../../src/transport/open-deadline.js";
import { answerWith, type RawServer, startRawServer } from "../support/raw-server.js";
import { createTestTransport, type TestTransport } from "../support/test-transport.js";

const clock = { now: () => 1_000 };

describe("openDeadline", () => {
  it("is stopped at once by a deadline that has passed, or a signal that has fired", () => {
    const stoppedBy = (options: { readonly deadlineMs: number; readonly signal?: AbortSignal }): unknown => {
      const deadline = openDeadline({ ...options, clock });
      deadline.close();
      expect(deadline.signal.aborted).toBe(true);
      return deadline.stoppedBy();
    };
    expect(stoppedBy({ deadlineMs: 999 })).toBe("deadline");
    expect(stoppedBy({ deadlineMs: 9_999, signal: AbortSignal.abort() })).toBe("cancelled");
    const timedOut = AbortSignal.abort(new DOMException("x", "TimeoutError"));
    expect(stoppedBy({ deadlineMs: 9_999, signal: timedOut })).toBe("caller_timeout");
  });

  it("takes a deadline beyond a timer's reach for a long time, not for none", async () => {
    const deadline = openDeadline({ deadlineMs: Number.MAX_SAFE_INTEGER, clock });
    await systemSleep(20);
    expect(deadline.signal.aborted).toBe(false);
    deadline.close();
  });

  it("takes the caller's own timer for the same moment for the deadline", () => {
    const controller = new AbortController();
    const deadline = openDeadline({ deadlineMs: 1_010, clock, signal: controller.signal });
    controller.abort(new DOMException("x", "TimeoutError"));
    expect(deadline.stoppedBy()).toBe("deadline");
  });

  it("hands a late value to be discarded", async () => {
    const controller = new AbortController();
    const deadline = openDeadline({ deadlineMs: 9_999, clock, signal: controller.signal });
    let resolve: (value: string) => void = () => {};
    const discarded: string[] = [];
    const work = new Promise<string>((settle) => {
      resolve = settle;
    });
    const raced = deadline.race(work, (value) => discarded.push(value));
    controller.abort();
    await expect(raced).rejects.toBeInstanceOf(DOMException);
    resolve("late");
    await work;
    expect(discarded).toEqual(["late"]);
    deadline.close();
  });

  it("leaves no listener behind", async () => {
    const controller = new AbortController();
    const deadline = openDeadline({ deadlineMs: 9_999, clock, signal: controller.signal });
    await deadline.race(Promise.resolve(1));
    deadline.close();
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    expect(getEventListeners(deadline.signal, "abort")).toHaveLength(0);
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
  const half = (socket: Socket): void => void socket.write("HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nhalf");

  it.each<
    [
      string,
      (socket: Socket) => void,
      Parameters<TestTransport["send"]>[1],
      Parameters<typeof createTestTransport>[1],
    ]
  >([
    ["for an answer", () => {}, {}, {}],
    ["for the body", half, {}, {}],
    ["before a retry", busy, {}, { sleep: never, random: () => 0 }],
    [
      "before a retry, with a sleep that obeys",
      busy,
      {},
      { sleep: (_delayMs, signal) => systemSleep(60_000, signal), random: () => 0 },
    ],
    ["in the hook", () => {}, { onAttempt: never }, {}],
    ["for the credential", () => {}, { authenticate: never }, {}],
    ["for the name", () => {}, {}, { lookup: () => {} }],
  ])(
    "that waits %s ends when it is cancelled, and when its time is up",
    async (_name, respond, call, options) => {
      const timeoutMs = 150;
      await start(respond, { ...options, limits: { timeoutMs } });
      if (options?.lookup !== undefined) {
        transport.close();
        transport = createTestTransport(`http://api.example.com:${api.port}`, {
          ...options,
          limits: { timeoutMs },
        });
      }
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("the caller's own reason")), 50);
      const cancelled = await transport.fail({}, { ...call, signal: controller.signal });
      expect(cancelled).toMatchObject({ category: "cancelled", retryable: false });
      expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);

      const timedOut = await transport.send({}, call).then(
        ({ failure }) => failure,
        (error: unknown) => error,
      );
      expect(timedOut).toMatchObject({ category: "timeout", retryable: true });
      expect((timedOut as Error).message).toMatch(/within 0\.15 s/);
    },
  );

  it.each<[string, string, Parameters<typeof createTestTransport>[1]]>([
    ["dns", "api.example.com", { lookup: () => {} }],
    ["first_byte", "127.0.0.1", {}],
  ])("that runs out of time in the phase %s says so", async (phase, host, options) => {
    await start(() => {});
    transport = createTestTransport(`http://${host}:${api.port}`, { ...options, limits: { timeoutMs: 100 } });
    expect(await transport.fail({})).toMatchObject({ category: "timeout", details: { phase, attempts: 1 } });
  });

  it("that runs out of time in the TLS handshake says so", async () => {
    await start(() => {});
    transport = createTestTransport(`https://127.0.0.1:${api.port}`, { limits: { timeoutMs: 100 } });
    expect(await transport.fail({})).toMatchObject({
      category: "timeout",
      details: { phase: "tls", attempts: 1 },
    });
  });

  it("is not begun when it was cancelled before, or its time is up", async () => {
    await start(() => {});
    let hooks = 0;
    const onAttempt = async (): Promise<void> => {
      hooks += 1;
    };
    expect(await transport.fail({}, { onAttempt, signal: AbortSignal.abort() })).toMatchObject({
      category: "cancelled",
      details: { attempts: 0 },
    });
    expect(await transport.fail({}, { onAttempt, deadlineMs: Date.now() - 1 })).toMatchObject({
      category: "timeout",
      details: { attempts: 0 },
    });
    expect(hooks).toBe(0);
    expect(api.connections.opened).toBe(0);
  });

  it("that is over does not go on when a sleep that knows no signal ends", async () => {
    let wake = (): void => {};
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await start(busy, { sleep: () => asleep, random: () => 0, limits: { timeoutMs: 150 } });
    const hooks: number[] = [];
    const error = await transport.fail({}, { onAttempt: (attempt) => void hooks.push(attempt) });
    expect(error).toMatchObject({ category: "timeout", details: { attempts: 1 } });
    wake();
    await systemSleep(5);
    expect(hooks).toEqual([1]);
  });

  it("is a time-out when its caller's signal is one", async () => {
    await start(() => {});
    const error = await transport.fail({}, { signal: AbortSignal.timeout(50) });
    expect(error).toMatchObject({ category: "timeout" });
    expect(error.message).toContain("within the time its caller allows");
  });

  it("that was a POST says that it may have been carried out", async () => {
    await start(() => {}, { limits: { timeoutMs: 100 } });
    const error = await transport.fail({ method: "POST" });
    expect(error).toMatchObject({ category: "timeout", retryable: false });
    expect(error.hint).toContain("may have been carried out");
  });

  it("leaves no listener on a long-lived signal, however it ended", async () => {
    let count = 0;
    await start((socket) => {
      count += 1;
      if (count % 3 === 0) socket.resetAndDestroy();
      else answerWith(socket, count % 3 === 1 ? 200 : 503, "{}");
    });
    const { signal } = new AbortController();
    for (let call = 0; call < 10; call += 1) await transport.send({}, { signal }).catch(() => {});
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
