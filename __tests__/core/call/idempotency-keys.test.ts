import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "../../../src/toolkit/client/create-source-client.js";
import { type Respond, sendJson, startHttpServer } from "../../support/http-server.js";
import { noSleep } from "../../support/seams.js";
import { type ShopTool, startShopTool } from "../../support/shop-tool.js";

let nowMs = Date.UTC(2026, 2, 1);
let threads = 0;
let tokens = 0;
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

  it.each([
    ["a redirect", 302],
    ["a 401", 401],
    ["a 408", 408],
    ["a 409", 409],
    ["a 423", 423],
    ["a 425", 425],
    ["a 499", 499],
    ["a 500", 500],
    ["a 504", 504],
  ])("is the same after a time-out and %s", async (_what, status) => {
    const send = await open(0, status, 0);
    expect(new Set([await send(), await send(), await send()]).size).toBe(1);
  });

  it.each([
    ["a function", () => ({ token: `t-${++tokens}` })],
    ["a provider", { shop: { token: () => `t-${++tokens}` } }],
  ])("is the same with the next token of %s", async (_what, credentials) => {
    const settings = { authType: "bearer", idempotencyHeader, limits };
    const fails: Respond = (_request, response) => sendJson(response, {}, 500);
    const shop = await startShopTool(fails, settings, { credentials });
    const thread = newThread();
    const { error } = await shop.ask(payment, thread);
    expect(error.hint).toContain("The same call made again has the same idempotency key.");
    await shop.ask(payment, thread);
    const sent = shop.server.requests.map(({ headers }) => headers.authorization);
    expect([new Set(sent).size, new Set(keysOf(shop)).size]).toEqual([2, 1]);
  });

  it.each([400, 403, 404, 410, 422])("is another one after a %i", async (status) => {
    const send = await open(0, status, 0);
    const [first, second, third] = [await send(), await send(), await send()];
    expect([second === first, third === first]).toEqual([true, false]);
  });

  it("is the same for the same JSON with its members in another order, and for no other", async () => {
    const send = await open(500, 500, 500, 500);
    const first = await send({ body: { amount: 5, to: { id: 1, name: "a" } } });
    expect(await send({ body: { to: { name: "a", id: 1 }, amount: 5 } })).toBe(first);
    expect(await send({ body: { amount: 5, to: { id: 2, name: "a" } } })).not.toBe(first);
    expect(await send({ body: { amount: "5", to: { id: 1, name: "a" } } })).not.toBe(first);
  });

  it.each<[string, Respond]>([
    [
      "a success whose body broke off",
      (_request, response) => {
        response.writeHead(201, { "content-type": "application/json", "content-length": "100" });
        response.write('{"id":', () => response.destroy());
      },
    ],
    [
      "a success whose compressed body is broken",
      (_request, response) => {
        response.writeHead(200, { "content-encoding": "gzip" });
        // The sign of gzip, and nothing that it could open.
        response.end(Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]));
      },
    ],
  ])("is the same after %s", async (_what, respond) => {
    const shop = await startShopTool(respond, { idempotencyHeader, limits });
    const thread = newThread();
    for (const _each of [1, 2]) await shop.ask(payment, thread);
    const keys = keysOf(shop);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it.each<[string, Respond, object]>([
    [
      "an error in its body",
      (_request, response) => sendJson(response, { error: { code: 503, message: "down" } }),
      {},
    ],
    [
      "what errorWhen of the record takes for a failure",
      (_request, response) => sendJson(response, { ok: false, message: "down" }),
      { errorWhen: [{ when: "ok == `false`", category: "server_error" }] },
    ],
    [
      "a page of HTML",
      (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end("<!doctype html><title>Gateway error</title>");
      },
      {},
    ],
  ])(
    "is another one after a 200 with %s, which says so and does not call the write retryable",
    async (_what, respond, settings) => {
      const shop = await startShopTool(respond, { idempotencyHeader, limits, ...settings });
      const thread = newThread();
      const { error } = await shop.ask(payment, thread);
      expect(error).toMatchObject({ retryable: false });
      expect(error.hint).not.toContain("has the same idempotency key");
      await shop.ask(payment, thread);
      expect(new Set(keysOf(shop)).size).toBe(2);
    },
  );

  it("is that of its own call where two equal writes run at once and one of them fails", async () => {
    const shop = await startShopTool(
      (_request, response) => {
        if (shop.server.requests.length > 2) return sendJson(response, {}, 201);
        // Both are on their way before either is answered.
        if (shop.server.requests.length < 2) return void setTimeout(() => response.destroy(), 50);
        sendJson(response, {}, 201);
      },
      { idempotencyHeader, limits },
    );
    const thread = newThread();
    await Promise.all([shop.ask(payment, thread), shop.ask(payment, thread)]);
    await shop.ask(payment, thread);
    await shop.ask(payment, thread);
    const [broken, done, repeated, later] = keysOf(shop);
    expect(repeated).toBe(broken);
    expect(new Set([broken, done, later]).size).toBe(3);
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

describe("whether a model may send a write again", () => {
  const open503: Respond = (_request, response) => sendJson(response, {}, 503);
  it.each<[string, Record<string, unknown>, Respond]>([
    ["a POST whose answer did not come", payment, breaks],
    ["a POST that was answered 503", payment, open503],
  ])("%s is retryable only with a key that is kept", async (_what, request, respond) => {
    const shop = await startShopTool(respond, { idempotencyHeader, limits });
    const withThread = await shop.ask(request, newThread());
    expect(withThread.error).toMatchObject({ retryable: true });
    const alone = await shop.ask(request);
    expect(alone.error).toMatchObject({ retryable: false });
    expect(alone.error.hint).toMatch(/may have been .*: check with (?:a )?GET before/);
    expect(alone.error.hint).toContain("The call has no thread");
    const plain = await startShopTool(respond, { limits });
    const { error } = await plain.ask(request, newThread());
    expect(error).toMatchObject({ retryable: false });
    expect(error.hint).toMatch(/may have been .*: check with (?:a )?GET before/);
    expect(error.hint).not.toContain("thread");
  });

  it.each(["GET", "PUT", "DELETE"])("%s is idempotent, and is retryable", async (method) => {
    const shop = await startShopTool(breaks, { limits });
    const broken = await shop.ask({ method, path: "/payments/1" });
    expect(broken.error).toMatchObject({ retryable: true });
    const failing = await startShopTool(open503, { limits });
    const failed = await failing.ask({ method, path: "/payments/1" });
    expect(failed.error).toMatchObject({ retryable: true });
    expect(failed.error.hint).not.toContain("may have been executed");
  });

  it.each<[string, string, number, number]>([
    ["a 502", "DELETE", 502, 404],
    ["a 503", "DELETE", 503, 410],
    ["a broken connection", "PUT", 0, 412],
    ["a 504", "PUT", 504, 409],
  ])("after %s a %s may have been done already", async (_what, method, first, status) => {
    const answers = [first, status, first, 200];
    const respond: Respond = (_request, response) => {
      const next = answers.shift() ?? 200;
      return next === 0 ? response.destroy() : sendJson(response, {}, next);
    };
    const shop = await startShopTool(respond, { limits: { retries: 1 } }, { sleep: noSleep });
    const { error } = await shop.ask({ method, path: "/payments/1" });
    expect(error).toMatchObject({ retryable: false });
    expect(error.hint).toContain("it may have done this already");
    expect((await shop.ask({ method, path: "/payments/1" })).status).toBe(200);
  });

  it.each([
    ["a 429", "DELETE", [429, 404]],
    ["nothing before it", "DELETE", [404]],
    ["a GET", "GET", [503, 404]],
  ])("a 404 is as ever after %s", async (_what, method, statuses) => {
    const left = [...statuses];
    const respond: Respond = (_request, response) => sendJson(response, {}, left.shift() ?? 200);
    const shop = await startShopTool(respond, { limits: { retries: 1 } }, { sleep: noSleep });
    const { error } = await shop.ask({ method, path: "/payments/1" });
    expect(error.hint).toContain("The API has no path");
  });

  it("a PUT whose text is encoded too many times to be read is sent once", async () => {
    const settings = { allowedHeaders: ["Content-Type"], limits: { retries: 2 } };
    const shop = await startShopTool(open503, settings, { sleep: noSleep });
    const headers = { "Content-Type": "text/plain" };
    const body = `a=%${"25".repeat(20)}`;
    const { error } = await shop.ask({ method: "PUT", path: "/payments/1", headers, body });
    expect(shop.server.requests).toHaveLength(1);
    expect(error).toMatchObject({ category: "server_error", retryable: false });
  });

  it.each<[string, object]>([
    ["the query", { query: { _method: "POST" } }],
    ["the body", { body: { _method: "POST", amount: 5 } }],
    ["a header", { headers: { "X-HTTP-Method-Override": "POST" }, body: {} }],
  ])("a PUT that %s makes a POST is sent once, and is not retryable", async (_where, members) => {
    const settings = { allowedHeaders: ["X-HTTP-Method-Override"], limits: { retries: 2 } };
    const shop = await startShopTool(open503, settings, { sleep: noSleep });
    const { error } = await shop.ask({ method: "PUT", path: "/payments/1", ...members });
    expect(shop.server.requests).toHaveLength(1);
    expect(error).toMatchObject({ retryable: false });
    expect(error.hint).toContain("may have been executed");
  });
});
