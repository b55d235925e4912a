/** A credential with a time to live, which a function gave: asked again when it is over, and never shared between two callers. */

import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, type CallRequest, createSourceClient } from "langchain-api-sources";
import type { CallContext } from "../../../src/core/base/runtime.js";

const startMs = 1_800_000_000_000;

class Session {
  readonly #user: string;

  constructor(user: string) {
    this.#user = user;
  }

  name(): string {
    return this.#user;
  }
}

function open(lifeMs: number | "forever" = 60_000) {
  let nowMs = startMs;
  let asked = 0;
  let refused = 0;
  let isBroken = false;
  let noteRequest = (): void => {};
  const sent: (string | undefined)[] = [];
  const client = createSourceClient(
    { name: "Shop", api: { baseUrl: "https://api.shop.example", authType: "bearer" } },
    {
      credentials: (_source, { context }) => {
        if (isBroken) throw new Error("the vault is sealed");
        asked += 1;
        const user = context instanceof Session ? context.name() : String(Object(context).user);
        const expiresAt = lifeMs === "forever" ? {} : { expiresAt: nowMs + lifeMs };
        return { token: `0-token-${asked}-of-${user}`, ...expiresAt };
      },
      // A person takes longer than the credential lasts.
      approve: ({ method }) => {
        if (method !== "GET") nowMs += 60_000;
        return false;
      },
      transport: ({ headers, url }) => {
        sent.push(headers["authorization"]);
        noteRequest();
        const { pathname, searchParams } = new URL(url);
        const page = Number(searchParams.get("page") ?? "1");
        if (pathname === "/pages")
          return { body: { items: [{ id: page }], next: `/pages?page=${page + 1}` } };
        refused -= 1;
        return refused >= 0 ? { status: 401 } : { body: { ok: true } };
      },
    },
    { clock: { now: () => nowMs } },
  );
  return {
    sent,
    count: () => asked,
    pass: (ms: number) => {
      nowMs += ms;
    },
    refuse: (times: number) => {
      refused = times;
    },
    onRequest: (note: () => void) => {
      noteRequest = note;
    },
    breakDown: () => {
      isBroken = true;
    },
    call: (context: CallContext = {}, request: CallRequest = { method: "GET", path: "/" }) =>
      client.call(request, context),
  };
}

describe("a credential with expiresAt", () => {
  it("is used until it is over, and then its function is asked again", async () => {
    const { call, count, pass } = open();
    await call();
    pass(59_999);
    await call();
    expect(count()).toBe(1);
    pass(1);
    await call();
    expect(count()).toBe(2);
  });

  it("is asked for on each call without expiresAt", async () => {
    const { call, count } = open("forever");
    await call();
    await call();
    expect(count()).toBe(2);
  });

  it("is asked for on each call where it is over already", async () => {
    const { call, count } = open(0);
    await call();
    await call();
    expect(count()).toBe(2);
  });

  it("is another one for another context, thread or user", async () => {
    const { call, count } = open();
    const contexts: CallContext[] = [
      { context: { user: "ada" } },
      { context: { user: "ben" } },
      { threadId: "1" },
      { threadId: "2" },
      { configurable: { langgraph_auth_user_id: "ada" } },
      // LangChain traces no member with such a name: an application puts there what is private.
      { configurable: { __user: "ada" } },
      { configurable: { __user: "ben" } },
    ];
    for (const context of [...contexts, ...contexts]) await call(context);
    expect(count()).toBe(contexts.length);
  });

  it("is another one for another source", async () => {
    const sent: unknown[] = [];
    const records = ["Shop", "Mail"].map((name) => ({
      name,
      api: { baseUrl: `https://${name.toLowerCase()}.example`, authType: "bearer" as const },
    }));
    const toolkit = await ApiSourceToolkit.fromSources(records, {
      credentials: ({ slug }) => ({ token: `0-token-of-${slug}`, expiresAt: Date.now() + 60_000 }),
      transport: ({ headers }) => {
        sent.push(headers["authorization"]);
        return { body: {} };
      },
    });
    for (const client of toolkit.listClients()) await client.call({ method: "GET", path: "/" });
    expect(sent).toEqual(["Bearer 0-token-of-shop", "Bearer 0-token-of-mail"]);
  });

  it("is the same wherever a call is in a run of LangGraph", async () => {
    const { call, count } = open();
    for (const id of ["1", "2"])
      await call({
        configurable: { thread_id: "t", checkpoint_ns: id, __pregel_task_id: () => id },
      });
    expect(count()).toBe(1);
  });

  it("is asked for on each call whose context is not plain data", async () => {
    const { call, count, sent } = open();
    for (const user of ["ada", "ben"]) await call({ context: new Session(user) });
    await call({ context: { when: new Map([["a", 1]]) } });
    await call({ context: { when: new Map([["b", 1]]) } });
    expect(count()).toBe(4);
    expect(sent.slice(0, 2)).toEqual(["Bearer 0-token-1-of-ada", "Bearer 0-token-2-of-ben"]);
  });

  it("is asked for again in a call that goes on when it is over, before the next page and after a person's answer", async () => {
    const { call, sent, count, pass, onRequest } = open(30_000);
    onRequest(() => pass(20_000));
    await call({}, { method: "GET", path: "/pages", pages: 4 });
    const tokens = sent.map((text) => text?.split("-")[2]);
    expect(tokens).toEqual(["1", "1", "2", "2"]);
    onRequest(() => {});
    pass(60_000);
    await call({}, { method: "POST", path: "/", body: { a: 1 } });
    expect(sent.at(-1)).toBe("Bearer 0-token-4-of-undefined");
    expect(count()).toBe(4);
  });

  it("that is over, and whose function fails then, is not sent", async () => {
    const { call, sent, pass, onRequest, breakDown } = open();
    onRequest(() => {
      pass(60_000);
      breakDown();
    });
    const { content } = await call({}, { method: "GET", path: "/pages", pages: 2 });
    expect(sent).toHaveLength(1);
    expect(JSON.parse(content)).toMatchObject({ pages: { read: 1, complete: false } });
  });

  it("is asked for again after a 401, and the call is sent once more", async () => {
    const { call, sent, refuse } = open();
    refuse(1);
    expect((await call()).ok).toBe(true);
    expect(sent).toEqual(["Bearer 0-token-1-of-undefined", "Bearer 0-token-2-of-undefined"]);
  });
});
