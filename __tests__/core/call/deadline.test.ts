import { getEventListeners } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { readKept } from "../../../src/core/store/read-kept.js";
import { createServices } from "../../../src/toolkit/client/create-services.js";
import {
  createApiSourceTool,
  createReadApiResponseTool,
} from "../../../src/toolkit/create-tools.js";
import { answerWith, startRawServer } from "../../support/raw-server.js";
import { splitOptions, type TestOptions } from "../../support/seams.js";
import type { AnswerDocument } from "../../support/shop-tool.js";

/** Never settles, and knows no signal. */
const hang = (): Promise<never> => new Promise(() => {});
const timeoutMs = 250;
/** Enough for the answer to come on a loaded machine. */
const longerTimeoutMs = 1_500;

const large = JSON.stringify(
  Array.from({ length: 2_000 }, (_, id) => ({ id, name: `thing ${id}` })),
);
const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
/** It says nothing to a TLS greeting. */
const server = await startRawServer((request, socket) => {
  const path = request.target.split("?")[0];
  if (path === "/never") return;
  if (path === "/head") socket.write(head);
  else if (path === "/body") socket.write(`${head}Content-Length: 100\r\n\r\n[1,2,`);
  else if (path === "/drip") {
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
    const timer = setInterval(() => socket.write("2\r\n1,\r\n"), 40);
    socket.once("close", () => clearInterval(timer));
  } else if (path === "/busy") answerWith(socket, 503, "{}", { "Retry-After": "0" });
  else
    answerWith(socket, 200, path === "/large" ? large : "{}", {
      "Content-Type": "application/json",
    });
});

const store = { get: hang, put: hang, delete: hang };

interface Hang {
  readonly settings?: Record<string, unknown>;
  readonly options?: TestOptions;
  readonly path?: string;
}

/** Where a call can hang: what is known before it is sent, at each phase of the server, and after it was answered. */
const before: Readonly<Record<string, Hang>> = {
  "a credentials function": { settings: { authType: "bearer" }, options: { credentials: hang } },
  "a secrets function": {
    settings: { headers: { "X-A": "${OTHER}" } },
    options: { secrets: hang },
  },
  "a TLS handshake": { settings: { baseUrl: `https://127.0.0.1:${server.port}` } },
  "no answer": { path: "/never" },
  "a head without end": { path: "/head" },
  "a sleep for a retry": {
    settings: { limits: { timeoutMs, retries: 5 } },
    // The shortest backoff is within the time of the call, however late the answer comes: the clock stands.
    options: { sleep: hang, random: () => 0, clock: { now: () => 1_000_000 } },
    path: "/busy",
  },
};
const longer = { limits: { timeoutMs: longerTimeoutMs, retries: 0 } };
const inBody: Readonly<Record<string, Hang>> = {
  "a body without end": { settings: longer, path: "/body" },
  "a dripping body": { settings: longer, path: "/drip" },
};
const after: Readonly<Record<string, Hang>> = {
  "a summarizer": {
    settings: longer,
    options: { summarizer: { summarize: hang } },
    path: "/large",
  },
  "a response store": { settings: longer, options: { responseStore: store }, path: "/large" },
};

function makeTool({ settings = {}, options = {} }: Hang): ReturnType<typeof createApiSourceTool> {
  const api = { baseUrl: server.url, limits: { timeoutMs, retries: 0 }, ...settings };
  return createApiSourceTool({ name: "Slow", api }, ...splitOptions(options));
}

/** What keeps a process alive, but for sockets that wait to be used again, which don't. */
function countHeld(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name === "TLSWrap")
    .length;
}

/** The answer of a call, which holds no timer and no connection after it. */
async function ask(which: Hang, method = "GET"): Promise<AnswerDocument> {
  const held = countHeld();
  const content: unknown = await makeTool(which).invoke({ method, path: which.path ?? "/" });
  for (let turn = 0; turn < 50 && countHeld() > held; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(countHeld()).toBeLessThanOrEqual(held);
  return JSON.parse(String(content));
}

describe("limits.timeoutMs", () => {
  it.each(Object.entries(before))("ends a call that hangs in %s", async (_where, which) => {
    const { error } = await ask(which);
    expect(error).toMatchObject({ category: "timeout", hint: expect.stringMatching(/./) });
  });

  it.each(Object.entries(inBody))("keeps what arrived of %s", async (_where, which) => {
    const error = { category: "timeout" };
    expect(await ask(which)).toMatchObject({ status: 200, error, partial: expect.anything() });
  });

  it.each(Object.entries(after))(
    "shows the answer that came before %s hung",
    async (_where, which) => {
      const answer = await ask(which, "POST");
      expect(answer).toMatchObject({ status: 200, data: expect.any(Array) });
      expect(answer.error).toBeUndefined();
    },
  );

  it("ends a read of a store that hangs", async () => {
    const runtime = createServices([], { responseStore: store });
    const { ok, content } = await readKept(runtime, { id: "r_abc" }, {}, { timeoutMs: 100 });
    expect(ok).toBe(false);
    expect(JSON.parse(content)).toMatchObject({ error: { category: "timeout" } });
  });
});

describe("the caller's signal", () => {
  const reader = createReadApiResponseTool({ responseStore: store });

  it.each([
    ...Object.entries({ ...before, ...inBody, ...after }),
    ["a read of a store", undefined] as const,
  ])("ends a call that hangs in %s with its reason, and is let go", async (_where, which) => {
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error("enough");
    const limits = { timeoutMs: 15_000, retries: 5 };
    const running =
      which === undefined
        ? reader.invoke({ id: "r_abc" }, { signal })
        : makeTool({ ...which, settings: { ...which.settings, limits } }).invoke(
            { method: "GET", path: which.path ?? "/" },
            { signal },
          );
    setTimeout(() => controller.abort(reason), 120);
    await expect(running).rejects.toBe(reason);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("that fired before the call lets nothing be sent", async () => {
    const sent = server.requests.length;
    const reason = new Error("never mind");
    const signal = AbortSignal.abort(reason);
    await expect(makeTool({}).invoke({ method: "POST", path: "/x" }, { signal })).rejects.toBe(
      reason,
    );
    expect(server.requests.length).toBe(sent);
  });

  it("that is a time limit is an answer", async () => {
    const content: unknown = await reader.invoke({ id: "r_abc" }, { timeout: 60 });
    expect(JSON.parse(String(content))).toMatchObject({ error: { category: "timeout" } });
  });

  it("that lives for long keeps no listener of any call", async () => {
    const { signal } = new AbortController();
    const tool = makeTool({});
    for (const path of [...Array(20).fill("/"), "/never"])
      await tool.invoke({ method: "GET", path }, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});
