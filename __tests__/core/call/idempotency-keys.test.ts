import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "../../../src/toolkit/client/create-source-client.js";
import { type Respond, sendJson, startHttpServer } from "../../support/http-server.js";
import { noSleep } from "../../support/seams.js";
import { type ShopTool, startShopTool } from "../../support/shop-tool.js";

let nowMs = Date.UTC(2026, 2, 1);
let threads = 0;
const newThread = () => ({ configurable: { thread_id: `${++threads}` } });
const idempotencyHeader = "Idempotency-Key";
const limits = { retries: 0 };
const payment = { method: "POST", path: "/payments", body: { amount: 5 } } as const;
const keysOf = (shop: ShopTool) =>
  shop.server.requests.map(({ headers }) => headers["idempotency-key"]);
const breaks: Respond = (_request, response) => response.destroy();

/** An API that answers each write with the next of the statuses; 0 breaks the connection. Each call has a client of its own. */
async function open(...statuses: readonly number[]) {
  const server = await startHttpServer((_request, response) => {
    const status = statuses[server.requests.length - 1] ?? 200;
    if (status === 0) response.destroy();
    else sendJson(response, {}, status);
  });
  const api = { baseUrl: server.url, authType: "bearer", idempotencyHeader, limits } as const;
  const ownThread = newThread();
  return async (more: { body?: object; thread?: object; token?: string } = {}) => {
    const { body = payment.body, thread = ownThread, token = "t-1" } = more;
    const credentials = { shop: { token } };
    const client = createSourceClient(
      { name: "Shop", api },
      { credentials },
      { clock: { now: () => nowMs } },
    );
    await client.call({ ...payment, body }, thread);
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
    ["in another thread", { thread: newThread() }],
    ["without a thread", { thread: {} }],
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
    let token = "t-1";
    const shop = await startShopTool(
      (_request, response) => {
        const { length } = shop.server.requests;
        if (length === 1) return response.destroy();
        if (length > 2) return sendJson(response, {}, 201);
        token = "t-2";
        sendJson(response, answer, status);
      },
      { authType: "bearer", expiredWhen: "code == 'expired'", idempotencyHeader, limits },
      { credentials: { shop: { token: () => token } } },
    );
    const thread = newThread();
    await shop.ask(payment, thread);
    await shop.ask(payment, thread);
    expect(shop.server.requests.map(({ headers }) => headers.authorization)).toEqual(
      ["t-1", "t-1", "t-2"].map((each) => `Bearer ${each}`),
    );
    expect(new Set(keysOf(shop)).size).toBe(1);
  });

  it.each([
    ["the same", "a", 1],
    ["another one", "b", 2],
  ])("of a multipart body is %s with the header X-Account: %s", async (_what, account, keys) => {
    const settings = {
      bodyFormat: "multipart",
      allowedHeaders: ["X-Account"],
      idempotencyHeader,
      limits,
    };
    const shop = await startShopTool(breaks, settings);
    const thread = newThread();
    for (const each of ["a", account]) {
      const headers = { "X-Account": each };
      await shop.ask({ method: "POST", path: "/files", body: { title: "x" }, headers }, thread);
    }
    expect(keysOf(shop)).toHaveLength(2);
    expect(new Set(keysOf(shop)).size).toBe(keys);
  });
});

it.each([
  ["is sent once where the API takes no key", undefined, 1],
  ["is sent again with the same key where it takes one", idempotencyHeader, 3],
])("a write whose answer did not come %s", async (_what, header, times) => {
  const settings = { idempotencyHeader: header, limits: { retries: 2 } };
  const shop = await startShopTool(breaks, settings, { sleep: noSleep });
  await shop.ask(payment);
  expect(keysOf(shop)).toHaveLength(times);
  expect(new Set(keysOf(shop)).size).toBe(1);
});

it("a thread that can't be written is ignored, and the source loses no place", async () => {
  const settings = { idempotencyHeader, limits: { concurrency: 1, maxWaitMs: 100 } };
  const shop = await startShopTool((_request, response) => sendJson(response, {}), settings);
  for (const method of ["POST", "GET"])
    expect(
      (await shop.ask({ method, path: "/" }, { configurable: { thread_id: 10n } })).status,
    ).toBe(200);
});
