import { getEventListeners } from "node:events";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ClientOptions } from "../../src/client/client-options.js";
import { createClientRuntime } from "../../src/client/create-client-runtime.js";
import { readKept } from "../../src/client/read-kept.js";
import { createApiSourceTool } from "../../src/toolkit/create-api-source-tool.js";
import { createReadApiResponseTool } from "../../src/toolkit/create-read-api-response-tool.js";
import { answerWith, type RawServer, startRawServer } from "../support/raw-server.js";

/** Never settles, and knows no signal. */
const hang = (): Promise<never> => new Promise(() => {});
const timeoutMs = 250;

let server: RawServer;
/** Accepts connections and says nothing, not even a TLS greeting. */
let silent: net.Server;
let silentPort = 0;
const large = JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id, name: `thing ${id}` })));

beforeAll(async () => {
  const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
  const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
  server = await startRawServer((request, socket) => {
    const path = request.target.split("?")[0];
    if (path === "/never") return;
    if (path === "/head") socket.write(head);
    else if (path === "/body") socket.write(`${head}Content-Length: 100\r\n\r\n[1,2,`);
    else if (path === "/switch") socket.write(switching);
    else if (path === "/drip") {
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
      const timer = setInterval(() => socket.write("2\r\n1,\r\n"), 40);
      socket.once("close", () => clearInterval(timer));
    } else if (path === "/loop") answerWith(socket, 302, "", { Location: `/loop?${server.requests.length}` });
    else if (path === "/busy") answerWith(socket, 503, "{}", { "Retry-After": "0" });
    else answerWith(socket, 200, path === "/large" ? large : "{}", { "Content-Type": "application/json" });
  });
  silent = net.createServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  silentPort = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(async () => {
  await server.close();
  silent.close();
});

const store = { get: hang, put: hang, delete: hang };
const anonymous = { authType: undefined };

interface Hang {
  readonly settings?: Record<string, unknown>;
  readonly options?: ClientOptions;
  readonly path?: string;
}

/** Where a call can hang: what is known before it is sent, at each phase of the server, and after it was answered. */
const before: Readonly<Record<string, Hang>> = {
  "a credentials function": { options: { credentials: hang } },
  "a secrets function": {
    settings: { headers: { "X-A": "${OTHER}" } },
    options: { credentials: () => ({ token: "abcdefgh1" }), secrets: hang },
  },
};
const retrying = { ...anonymous, limits: { timeoutMs, retries: 5 } };
const during: Readonly<Record<string, Hang>> = {
  "a TLS handshake": { settings: { ...anonymous, baseUrl: "https://127.0.0.1:0" } },
  "no answer": { settings: anonymous, path: "/never" },
  "a head without end": { settings: anonymous, path: "/head" },
  "a sleep for a retry": { settings: retrying, options: { sleep: hang }, path: "/busy" },
};
const inBody: Readonly<Record<string, Hang>> = {
  "a body without end": { settings: anonymous, path: "/body" },
  "a dripping body": { settings: anonymous, path: "/drip" },
};
const summarizer = { summarize: hang };
const after: Readonly<Record<string, Hang>> = {
  "a summarizer": { settings: anonymous, options: { summarizer }, path: "/large" },
  "a response store": { settings: anonymous, options: { responseStore: store }, path: "/large" },
};

function makeTool({ settings = {}, options = {} }: Hang): ReturnType<typeof createApiSourceTool> {
  const baseUrl = settings["baseUrl"] === undefined ? server.url : `https://127.0.0.1:${silentPort}`;
  const api = { authType: "bearer", limits: { timeoutMs, retries: 0 }, ...settings, baseUrl };
  return createApiSourceTool({ name: "Slow", api: JSON.parse(JSON.stringify(api)) }, options);
}

interface AnswerDocument {
  readonly status?: number;
  readonly data?: unknown;
  readonly error?: { readonly category: string; readonly hint: string };
  readonly shortened?: { readonly id?: string };
  readonly partial?: unknown;
}

async function ask(which: Hang, method = "GET"): Promise<AnswerDocument> {
  const content: unknown = await makeTool(which).invoke({ method, path: which.path ?? "/" });
  return JSON.parse(String(content));
}

describe("limits.timeoutMs", () => {
  it.each(Object.entries({ ...before, ...during }))("ends a call that hangs in %s", async (_where, which) => {
    const { error } = await ask(which);
    expect(error?.category).toBe("timeout");
    expect(error?.hint).not.toBe("");
  });

  it.each(Object.entries(inBody))("keeps what arrived of %s", async (_where, which) => {
    const document = await ask(which);
    expect(document).toMatchObject({
      status: 200,
      error: { category: "timeout" },
      partial: expect.anything(),
    });
  });

  it.each(Object.entries(after))("shows the answer that came before %s hung", async (_where, which) => {
    const document = await ask(which, "POST");
    expect(document.status).toBe(200);
    expect(document.error).toBeUndefined();
    expect(Array.isArray(document.data)).toBe(true);
  });

  it.each(["/switch", "/loop"])("is not needed for %s", async (path) => {
    expect((await ask({ settings: anonymous, path })).error?.category).toMatch(
      /unexpected_content|refused_by_policy/,
    );
  });

  it("ends a read of a store that hangs", async () => {
    const runtime = createClientRuntime([], { responseStore: store });
    const { ok, content } = await readKept(runtime, { id: "r_abc" }, {}, { timeoutMs: 100 });
    expect(ok).toBe(false);
    expect(JSON.parse(content)).toMatchObject({ error: { category: "timeout" } });
  });
});

describe("the caller's signal", () => {
  it.each(Object.entries({ ...before, ...during, ...inBody, ...after }))(
    "ends a call that hangs in %s with its reason, and is let go",
    async (_where, which) => {
      const controller = new AbortController();
      const reason = new Error("enough");
      const settings = { ...which.settings, limits: { timeoutMs: 15_000, retries: 5 } };
      const path = which.path ?? "/";
      const running = makeTool({ ...which, settings }).invoke(
        { method: "GET", path },
        { signal: controller.signal },
      );
      setTimeout(() => controller.abort(reason), 120);
      await expect(running).rejects.toBe(reason);
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    },
  );

  it("that fired before the call lets nothing be sent", async () => {
    const sent = server.requests.length;
    const reason = new Error("never mind");
    const signal = AbortSignal.abort(reason);
    await expect(
      makeTool({ settings: anonymous }).invoke({ method: "POST", path: "/x" }, { signal }),
    ).rejects.toBe(reason);
    expect(server.requests.length).toBe(sent);
  });

  it("ends a read of a store that hangs, and a time limit of it is an answer", async () => {
    const reader = createReadApiResponseTool({ responseStore: store });
    const controller = new AbortController();
    const reason = new Error("enough");
    const running = reader.invoke({ id: "r_abc" }, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    const content: unknown = await reader.invoke({ id: "r_abc" }, { timeout: 60 });
    expect(JSON.parse(String(content))).toMatchObject({ error: { category: "timeout" } });
  });

  it("that lives for long keeps no listener of any call", async () => {
    const { signal } = new AbortController();
    const tool = makeTool({ settings: anonymous });
    for (let call = 0; call < 20; call += 1) await tool.invoke({ method: "GET", path: "/" }, { signal });
    await tool.invoke({ method: "GET", path: "/never" }, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("after its end, a call", () => {
  it.each(Object.entries({ ...before, ...during, ...inBody, ...after }))(
    "that hung in %s holds no timer and no connection",
    async (_where, which) => {
      const held = countHeld();
      await ask(which);
      for (let turn = 0; turn < 50 && countHeld() > held; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(countHeld()).toBeLessThanOrEqual(held);
    },
  );
});

/** What keeps a process alive, but for sockets that wait to be used again, which don't. */
function countHeld(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout" || name === "TLSWrap").length;
}
