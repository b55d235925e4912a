import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "../../../src/toolkit/client/create-source-client.js";
import { type HttpServer, sendJson, startHttpServer } from "../../support/http-server.js";
import { noSleep } from "../../support/seams.js";

let server: HttpServer;
let nowMs = Date.UTC(2026, 2, 1);
let threads = 0;

/** An API that answers each write with the next of the statuses; 0 breaks the connection. */
async function open(...statuses: readonly number[]) {
  let count = 0;
  server = await startHttpServer((_request, response) => {
    const status = statuses[count++] ?? 200;
    if (status === 0) response.destroy();
    else sendJson(response, {}, status);
  });
  const api = {
    baseUrl: server.url,
    authType: "bearer",
    idempotencyHeader: "Idempotency-Key",
    limits: { retries: 0 },
  } as const;
  const threadId = `${++threads}`;
  return async (more: { body?: object; threadId?: string | undefined; token?: string } = {}) => {
    const { token = "t-1", body = { amount: 5 } } = more;
    const credentials = { shop: { token } };
    const client = createSourceClient(
      { name: "Shop", api },
      { credentials },
      { clock: { now: () => nowMs } },
    );
    const thread = "threadId" in more ? more.threadId : threadId;
    await client.call({ method: "POST", path: "/payments", body }, { threadId: thread });
    return server.requests.at(-1)?.headers["idempotency-key"];
  };
}

describe("the idempotency key of a write that is sent again", () => {
  it.each([
    ["a broken connection", [0]],
    ["a 429", [429]],
    ["a 503", [503]],
    ["a 500", [500]],
  ])("is the same after %s, and another one after a success", async (_what, statuses) => {
    const send = await open(...statuses);
    const [first, second, third] = [await send(), await send(), await send()];
    expect(first).toMatch(/^[\w-]{36}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it("is the same once after a 5xx", async () => {
    const send = await open(500, 500, 500);
    const [first, second, third] = [await send(), await send(), await send()];
    expect([second === first, third === first]).toEqual([true, false]);
  });

  it.each<[string, Parameters<Awaited<ReturnType<typeof open>>>[0]]>([
    ["with other bytes", { body: { amount: 6 } }],
    ["in another thread", { threadId: "another" }],
    ["without a thread", { threadId: undefined }],
    ["with another credential", { token: "t-2" }],
  ])("is another one %s", async (_what, more) => {
    const send = await open(0, 0);
    expect(await send()).not.toBe(await send(more));
  });

  it("is another one after a refusal, and after an hour", async () => {
    const send = await open(422, 0, 0);
    const refused = await send();
    const broken = await send();
    nowMs += 3_600_000;
    expect(new Set([refused, broken, await send()]).size).toBe(3);
  });

  it.each([
    ["a 401", 401, {}],
    ["an answer that says so", 200, { code: "expired" }],
  ])("is the same where the token expired in between, by %s", async (_what, status, answer) => {
    let count = 0;
    let token = "t-1";
    server = await startHttpServer((_request, response) => {
      count += 1;
      if (count === 1) return response.destroy();
      if (count > 2) return sendJson(response, {}, 201);
      token = "t-2";
      sendJson(response, answer, status);
    });
    const client = createSourceClient(
      {
        name: "Shop",
        api: {
          ...{ baseUrl: server.url, authType: "bearer", expiredWhen: "code == 'expired'" },
          ...{ idempotencyHeader: "Idempotency-Key", limits: { retries: 0 } },
        },
      },
      { credentials: { shop: { token: () => token } } },
    );
    const ask = { method: "POST", path: "/payments", body: { amount: 5 } } as const;
    const thread = { threadId: `${++threads}` };
    await client.call(ask, thread);
    await client.call(ask, thread);
    const { requests } = server;
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(
      ["t-1", "t-1", "t-2"].map((each) => `Bearer ${each}`),
    );
    expect(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it.each([
    ["the same", "a", 1],
    ["another one", "b", 2],
  ])("of a multipart body is %s with the header X-Account: %s", async (_what, account, keys) => {
    server = await startHttpServer((_request, response) => response.destroy());
    const client = createSourceClient({
      name: "Shop",
      api: {
        ...{ baseUrl: server.url, bodyFormat: "multipart", allowedHeaders: ["X-Account"] },
        ...{ idempotencyHeader: "Idempotency-Key", limits: { retries: 0 } },
      },
    });
    const thread = { threadId: `${++threads}` };
    for (const each of ["a", account]) {
      const headers = { "X-Account": each };
      await client.call({ method: "POST", path: "/files", body: { title: "x" }, headers }, thread);
    }
    const sent = server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(sent).toHaveLength(2);
    expect(new Set(sent).size).toBe(keys);
  });
});

it.each([
  ["is sent once where the API takes no key", undefined, 1],
  ["is sent again with the same key where it takes one", "Idempotency-Key", 3],
])("a write whose answer did not come %s", async (_what, idempotencyHeader, times) => {
  server = await startHttpServer((_request, response) => response.destroy());
  const api = { baseUrl: server.url, idempotencyHeader, limits: { retries: 2 } };
  const client = createSourceClient({ name: "Shop", api }, {}, { sleep: noSleep });
  await client.call({ method: "POST", path: "/payments", body: { amount: 5 } });
  const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(times);
  expect(new Set(keys).size).toBe(1);
});

it("a thread that can't be written is ignored, and the source loses no place", async () => {
  server = await startHttpServer();
  const limits = { concurrency: 1, maxWaitMs: 100 };
  const api = { baseUrl: server.url, idempotencyHeader: "Idempotency-Key", limits };
  const client = createSourceClient({ name: "Shop", api }, {});
  for (const method of ["POST", "GET"] as const) {
    const { artifact } = await client.call({ method, path: "/" }, { configurable: { thread_id: 10n } });
    expect(artifact.status).toBe(200);
  }
});
