/** The same call that keeps failing in the same way is held back for half a minute. */

import { describe, expect, it } from "@jest/globals";
import { Command } from "@langchain/langgraph";
import { createApiCodeTool } from "langchain-api-sources/code";
import { FailingCalls, type FailingSubject } from "../../../src/core/call/failing-calls.js";
import { openNode, type RunState } from "../../support/one-node.js";
import { noSleep, type TestOptions } from "../../support/seams.js";
import { startShopTool } from "../../support/shop-tool.js";

const get = { method: "GET", path: "/dead" };
const inThread = (thread_id: string) => ({ configurable: { thread_id } });
const first = inThread("t1");

/** An API that answers as `status` says, and a clock that stands still. */
async function openDead(options: TestOptions = {}, api: Record<string, unknown> = {}) {
  const state = { status: 503, nowMs: 1_000_000, headers: {} as Record<string, string> };
  const shop = await startShopTool(
    (request, response) => {
      if (request.url.startsWith("/fine")) response.writeHead(200).end("{}");
      else if (state.status === 0) response.destroy();
      else {
        response.writeHead(state.status, { "Content-Type": "application/json", ...state.headers });
        response.end('{"message":"The shop is closed."}');
      }
    },
    { limits: { retries: 0 }, ...api },
    { clock: { now: () => state.nowMs }, sleep: noSleep, ...options },
  );
  const fail = async (times: number, input: object = get, config: object = first) => {
    for (let time = 0; time < times; time += 1) await shop.ask(input, config);
  };
  const isSent = async (input: object = get, config: object = first): Promise<boolean> => {
    const before = shop.server.requests.length;
    await shop.ask(input, config);
    return shop.server.requests.length > before;
  };
  return { ...shop, state, fail, isSent };
}

describe("the same call that failed three times", () => {
  it("is answered unsent for 30 s, with that failure and what to do", async () => {
    const { ask, fail, isSent, state, server } = await openDead();
    await fail(3);
    const { error, ...rest } = await ask(get, first);
    expect(server.requests).toHaveLength(3);
    expect(rest).toEqual({});
    expect(error).toMatchObject({
      category: "server_error",
      code: "same_failure",
      retryable: false,
      retryAfterSeconds: 30,
      message: expect.stringContaining("The shop is closed."),
      hint: expect.stringContaining("change it, or tell the user"),
    });
    state.nowMs += 29_999;
    expect(await isSent()).toBe(false);
    state.nowMs += 1;
    expect(await isSent()).toBe(true);
    expect(await isSent()).toBe(false);
  });

  it.each<[string, object, object]>([
    ["in another thread", get, inThread("t2")],
    ["without a thread", get, {}],
    ["with another query", { ...get, query: { a: 1 } }, first],
    ["with another path", { ...get, path: "/dead/2" }, first],
    ["with a method and a body", { ...get, method: "POST", body: { a: 1 } }, first],
    ["that waits for a job", { ...get, wait: 1 }, first],
  ])("is sent %s", async (_what, input, config) => {
    const { fail, isSent } = await openDead();
    await fail(3);
    expect(await isSent()).toBe(false);
    expect(await isSent(input, config)).toBe(true);
  });

  it("is a write with the same body, too", async () => {
    const { fail, isSent } = await openDead();
    const write = { method: "POST", path: "/dead", body: { a: 1 } };
    await fail(3, write);
    expect(await isSent(write)).toBe(false);
    expect(await isSent({ ...write, body: { a: 2 } })).toBe(true);
  });

  it("is one without an answer, too", async () => {
    const { fail, isSent, state } = await openDead();
    state.status = 0;
    await fail(3);
    expect(await isSent()).toBe(false);
  });

  it.each<[string, (dead: Awaited<ReturnType<typeof openDead>>) => Promise<void>]>([
    [
      "another call came between",
      async ({ ask }) => void (await ask({ ...get, path: "/fine" }, first)),
    ],
    [
      "it failed in another way between",
      async ({ fail, state }) => {
        state.status = 500;
        await fail(1);
        state.status = 503;
      },
    ],
    [
      "it was answered between",
      async ({ fail, state }) => {
        state.status = 404;
        await fail(1);
        state.status = 503;
      },
    ],
    [
      "five minutes passed",
      async ({ state }) => {
        state.nowMs += 300_001;
      },
    ],
  ])("is counted anew where %s", async (_what, between) => {
    const dead = await openDead();
    await dead.fail(2);
    await between(dead);
    await dead.fail(2);
    expect(await dead.isSent()).toBe(true);
    expect(await dead.isSent()).toBe(false);
  });

  it("is not counted without a thread, with a stated wait, and from code", async () => {
    const { toolkit, fail, isSent, state, server } = await openDead();
    await fail(4, get, {});
    state.headers = { "Retry-After": "1" };
    for (let time = 0; time < 4; time += 1) {
      await fail(1);
      state.nowMs += 2_000;
    }
    state.headers = {};
    const before = server.requests.length;
    const code = createApiCodeTool(toolkit);
    const loop = 'for (let i = 0; i < 5; i++) await api.shop.get("/dead"); return 1';
    await code.invoke({ code: loop } as never, first as never);
    expect(server.requests.length - before).toBe(5);
    expect(await isSent()).toBe(true);
  });

  it("is held before a person is asked, and is sent where a person edits the call into it", async () => {
    const asked: string[] = [];
    const edited = { method: "GET", path: "/dead" };
    const dead = await openDead({
      approve: ({ url }) => url.includes("/ask"),
      approver: async ({ url }) => {
        asked.push(url);
        return { type: "edit", editedAction: { name: "shop", args: edited } };
      },
    });
    await dead.fail(3);
    expect(await dead.isSent()).toBe(false);
    expect(await dead.isSent({ ...get, path: "/ask" })).toBe(true);
    await dead.fail(3, { ...get, path: "/ask/2" });
    expect(asked).toHaveLength(4);
  });

  it("is sent where a person approves it, also if it failed three times since they were asked", async () => {
    const { ask, server } = await openDead({ approve: "all" });
    const openRun = () =>
      openNode<RunState>(async () => {
        await ask(get);
        return { messages: [] };
      });
    const start = (run: ReturnType<typeof openRun>) => run({ messages: [] }, first.configurable);
    const runs = [openRun(), openRun(), openRun(), openRun()];
    for (const run of runs) expect((await start(run)).__interrupt__).toHaveLength(1);
    const approval = new Command({ resume: { decisions: [{ type: "approve" }] } });
    for (const run of runs) await run(approval, first.configurable);
    expect(server.requests).toHaveLength(4);
    expect(await start(openRun())).not.toHaveProperty("__interrupt__");
    expect(server.requests).toHaveLength(4);
  });

  it("is the one that was sent where a person wrote another one", async () => {
    const edit = { type: "edit", editedAction: { name: "shop", args: get } } as const;
    const dead = await openDead({
      approve: ({ url }) => url.includes("/ask"),
      approver: async () => edit,
    });
    const input = { ...get, path: "/ask" };
    await dead.fail(3, input);
    expect(await dead.isSent(get)).toBe(false);
    expect(await dead.isSent(input)).toBe(true);
  });

  it("shows no session that its last answer repeated", async () => {
    const session = "abcdefabcdef1234";
    const shop = await startShopTool(
      (_request, response) => {
        response.writeHead(503, { "Set-Cookie": `sid=${session}` });
        response.end(JSON.stringify({ message: `No room for ${session}.` }));
      },
      { limits: { retries: 0 } },
      { clock: { now: () => 1_000_000 }, sleep: noSleep },
    );
    for (let time = 0; time < 3; time += 1) await shop.ask(get, first);
    const held = JSON.stringify(await shop.ask(get, first));
    expect(held).toContain("same_failure");
    expect(held).toContain("No room for");
    expect(held).not.toContain(session);
  });
});

describe("FailingCalls", () => {
  it("remembers at most 1,000, the last ones", () => {
    const calls = new FailingCalls();
    const error = {
      message: "closed",
      category: "server_error",
      retryable: true,
      hint: "",
    } as const;
    const built = {
      wire: { method: "GET", url: "https://shop.example/dead", headers: {} },
    } as const;
    const subjects = Array.from(
      { length: 1_001 },
      (_, at): FailingSubject => ({ source: "shop", credential: "", thread: `t${at}`, built }),
    );
    for (const subject of subjects)
      for (let time = 0; time < 3; time += 1) calls.note(subject, { status: 503, error }, 0);
    const isHeld = (subject: FailingSubject): boolean => {
      try {
        calls.check(subject, 0);
        return false;
      } catch {
        return true;
      }
    };
    expect(subjects.filter((subject) => !isHeld(subject))).toEqual(subjects.slice(0, 1));
  });
});
