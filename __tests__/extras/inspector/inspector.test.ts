import { appendFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "@jest/globals";
import {
  type CallEvent,
  type ClientOptions,
  journalTo,
  type SourceClient,
} from "langchain-api-sources";
import { createInspector, type InspectorOptions } from "langchain-api-sources/inspector";
import { createCanaryFinder } from "../../support/find-canary.js";
import {
  type InspectedShop,
  openInspectedShop,
  shopSecrets,
} from "../../support/inspected-shop.js";
import { useDirectory } from "../../support/temporary-directory.js";
import { type PageVisit, visitPage } from "../../support/visit-page.js";

const directory = useDirectory();
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(
  settings: Parameters<typeof openInspectedShop>[0] = {},
  options: ClientOptions = {},
): Promise<InspectedShop & { readonly visit: PageVisit }> {
  const opened = await openInspectedShop(settings, options);
  closing.push(opened.page.close);
  return { ...opened, visit: await visitPage(opened.page.url) };
}

const order = { method: "POST", path: "/orders", body: { sku: "A", quantity: 2 } };
/** Orders, and waits for the question about it. */
async function hold(shop: SourceClient, visit: PageVisit, body: object = order.body) {
  const asked = visit.until(({ questions }) => questions.length === 1);
  const held = shop.call({ ...order, body });
  const [question] = (await asked).questions;
  return { held, question };
}
const linesOf = (shown: unknown): string => {
  const { lines }: { lines: [string, string][] } = Object(shown);
  return lines.map(([text]) => text).join("\n");
};

describe("a call on the page", () => {
  it("shows the input, the request, the answer as the model saw it, and how it was repeated", async () => {
    const { shop, visit, api } = await open();
    const { content } = await shop.call({
      path: "/busy",
      query: { day: "mon" },
      headers: { "X-Trace": "t 1" },
    });
    const shown = await visit.getJson("/call?id=1");
    expect(JSON.parse(linesOf(shown["input"]))).toEqual({
      path: "/busy",
      query: { day: "mon" },
      headers: { "X-Trace": "t 1" },
    });
    expect(JSON.parse(linesOf(shown["answer"]))).toEqual(JSON.parse(content));
    expect(shown).toMatchObject({
      request: { method: "GET", url: `${api.url}/v1/busy?day=mon` },
      curl: `curl -i --compressed -g -H "Authorization: Bearer $SHOP_TOKEN" -H 'X-Tenant: [REDACTED]' -H 'X-Trace: t 1' '${api.url}/v1/busy?day=mon'`,
      requests: [{ method: "GET", path: "/busy?day=mon", status: 200, attempts: 2 }],
    });
  });

  it("marks in the whole body what the model did not see", async () => {
    const { shop, visit } = await open();
    const { content } = await shop.call({ path: "/orders" });
    const { data } = JSON.parse(content);
    const { whole } = await visit.getJson("/whole?id=1");
    const { lines, total, omitted }: { lines: [string, string][]; total: number; omitted: number } =
      Object(whole);
    expect(JSON.parse(linesOf(whole)).orders).toHaveLength(60);
    expect(lines).toHaveLength(total);
    expect(lines.filter(([, mark]) => mark !== "shown")).toHaveLength(omitted);
    const seen = lines
      .filter(([, mark]) => mark === "shown")
      .map(([text]) => text.trim().replace(/,$/, ""));
    expect(seen.filter((text) => /^"id": \d/.test(text))).toHaveLength(
      data.orders.length + data.orders.filter((each: object) => "customer" in each).length,
    );
    expect(omitted).toBeGreaterThan(0);
  });

  it("answers a query over the whole body that is kept, and names a wrong one", async () => {
    const { shop, visit } = await open();
    await shop.call({ path: "/orders" });
    const ask = (select: string) =>
      visit.getJson(`/whole?id=1&select=${encodeURIComponent(select)}`);
    expect(linesOf((await ask("length(orders)"))["whole"])).toBe("60");
    expect(linesOf((await ask("orders[59].id"))["whole"])).toBe("60");
    expect(await ask("orders[")).toEqual({ error: expect.stringContaining("JMESPath") });
  });

  it("has no whole body to ask where nothing more was kept than the model saw", async () => {
    const { shop, visit } = await open({}, { readApiResponse: false });
    await shop.call({ path: "/me" });
    expect(await visit.getJson("/call?id=1")).toMatchObject({ isKept: false });
    const { visit: other, shop: kept } = await open();
    await kept.call({ path: "/orders" });
    expect(await other.getJson("/call?id=1")).toMatchObject({ isKept: true });
  });

  it("reads a kept body as the caller whose call it was", async () => {
    const { shop, visit } = await open({}, { responseScope: ({ context }) => String(context) });
    await shop.call({ path: "/orders" }, { context: "ada" });
    expect(linesOf((await visit.getJson("/whole?id=1&select=length(orders)"))["whole"])).toBe("60");
  });

  it("holds no secret, and neither does anything else that the page receives", async () => {
    const { shop, visit } = await open({ approve: true, calls: true });
    const { held, question } = await hold(shop, visit, { token: shopSecrets[0] });
    await visit.post("/decide", { nonce: question?.nonce, type: "approve" });
    await held;
    for (const path of ["/echo", "/orders", "/missing", `/search?key=${shopSecrets[0]}`])
      await shop.call({ path });
    const { calls } = await visit.until((state) => state.calls.length === 5);
    for (const { id } of calls)
      await Promise.all([visit.get(`/call?id=${id}`), visit.get(`/whole?id=${id}`)]);
    expect(visit.received.join("\n")).toContain("[REDACTED]");
    expect(createCanaryFinder(shopSecrets).find(visit.received.join("\n"))).toBeUndefined();
  });

  it("is not in a log or a copy of its event", async () => {
    const events: CallEvent[] = [];
    const { shop, visit } = await open({}, { onCall: (event) => events.push(event) });
    await shop.call({ path: "/me" });
    const ended = events.find(({ phase }) => phase === "call");
    expect(JSON.stringify(ended)).not.toContain("Ada");
    expect(Object.getOwnPropertySymbols({ ...ended })).toEqual([]);
    expect((await visit.until(() => true)).calls).toEqual([]);
  });
});

describe("a call that is made on the page", () => {
  it("is sent, listed while it runs, and answered with its number where the inspector makes calls", async () => {
    const { visit, answerSlow } = await open({ calls: true });
    const asked = visit.send({ source: "shop", input: { method: "GET", path: "/slow" } });
    const { running } = await visit.until((state) => state.running.length === 1);
    answerSlow();
    const sent = await asked;
    expect(running).toMatchObject([{ source: "shop", method: "GET", path: "/slow" }]);
    const { calls, running: left } = await visit.until((state) => state.calls.length === 1);
    expect([calls, left]).toMatchObject([[{ id: sent["id"], path: "/slow", status: 200 }], []]);
    expect(await visit.post("/send", { source: "none", input: {} })).toBe(404);
  });

  it("is refused elsewhere", async () => {
    const { visit, api } = await open();
    expect(
      await visit.post("/send", { source: "shop", input: { method: "GET", path: "/me" } }),
    ).toBe(404);
    expect(api.requests).toEqual([]);
  });
});

describe("a call that waits for a person", () => {
  it("is sent once, after the page approved it; its nonce counts once", async () => {
    const { shop, visit, api } = await open({ approve: true });
    const { held, question } = await hold(shop, visit);
    expect(question).toMatchObject({
      source: "shop",
      method: "POST",
      body: '{"sku":"A","quantity":2}',
    });
    const decision = { nonce: question?.nonce, type: "approve" };
    expect(await visit.post("/decide", { ...decision, nonce: "x" })).toBe(404);
    for (const input of [undefined, "{", "[]"])
      expect(await visit.post("/decide", { ...decision, type: "edit", input })).toBe(404);
    expect(await visit.post("/decide", { ...decision, nonce: { toString: null } })).toBe(404);
    expect(api.requests).toEqual([]);
    // They come by two connections: either one may arrive first.
    const both = await Promise.all([
      visit.post("/decide", decision),
      visit.post("/decide", decision),
    ]);
    expect(both.toSorted()).toEqual([200, 404]);
    expect(await held).toMatchObject({ ok: true, artifact: { status: 201 } });
    expect(await visit.post("/decide", decision)).toBe(404);
    expect(api.requests).toHaveLength(1);
    expect((await visit.until(({ calls }) => calls.length === 1)).calls).toMatchObject([
      { approval: "approve" },
    ]);
  });

  it("is sent as a person edited it, and lasts only where the question offers that", async () => {
    const { shop, visit, api } = await open({ approve: true });
    const { held, question } = await hold(shop, visit, { sku: "A\u200b", quantity: 2 });
    expect(question?.["input"]).toContain('"sku": "A\\u200b"');
    const input = String(question?.["input"]).replace("A\\u200b", "B");
    await visit.post("/decide", { nonce: question?.nonce, type: "edit", input });
    await held;
    expect(api.requests.map(({ body }) => body)).toEqual(['{"sku":"B","quantity":2}']);
    const asked = visit.until(({ questions }) => questions.length === 1);
    const lasting = shop.call(order, { threadId: "t-1" });
    const [next] = (await asked).questions;
    expect(next).toMatchObject({ always: expect.stringContaining("POST /orders") });
    await visit.post("/decide", { nonce: next?.nonce, type: "approve", always: true });
    await lasting;
    expect(await shop.call(order, { threadId: "t-1" })).toMatchObject({ ok: true });
    expect(api.requests).toHaveLength(3);
  });

  it.each([
    ["a secret was taken out", { sku: shopSecrets[0] }],
    ["it is too long to be read", { text: "x".repeat(20_000) }],
  ])("is not offered to be edited where %s", async (_why, body) => {
    const { shop, visit } = await open({ approve: true });
    const { held, question } = await hold(shop, visit, body);
    expect(question?.["input"]).toBeUndefined();
    const edited = { nonce: question?.nonce, type: "edit", input: '{"method":"GET","path":"/me"}' };
    expect(await visit.post("/decide", edited)).toBe(404);
    await visit.post("/decide", { nonce: question?.nonce, type: "reject" });
    await held;
  });

  it("is refused without a question where the inspector was made without `approve`", async () => {
    const { shop, visit, api } = await open();
    expect(JSON.parse((await shop.call(order)).content).error).toMatchObject({
      category: "approval_required",
      message: "The inspector accepts no decisions. Nothing was sent.",
      hint: expect.stringContaining("--approve"),
    });
    expect((await visit.until(() => true)).questions).toEqual([]);
    expect(await visit.post("/decide", { nonce: "x", type: "approve" })).toBe(404);
    expect(api.requests).toEqual([]);
  });

  it("is decided only where it has been at its place for a second", async () => {
    let nowMs = 0;
    const { shop, visit, api } = await open({ clock: { now: () => nowMs }, approve: true });
    const asked = visit.until(({ questions }) => questions.length === 4);
    const cancelled = new AbortController();
    const held = Array.from({ length: 4 }, (_, index) =>
      shop.call(order, index === 1 ? { signal: cancelled.signal } : {}),
    );
    const nonces = (await asked).questions.map(({ nonce }) => nonce);
    const decide = (index: number, type = "approve") =>
      visit.post("/decide", { nonce: nonces[index], type });
    nowMs = 999;
    expect([await decide(0), await decide(0, "reject"), await decide(3)]).toEqual([404, 404, 404]);
    nowMs = 1_000;
    // The last one goes: those before it stay where they are.
    expect(await decide(3)).toBe(200);
    expect(await decide(0)).toBe(200);
    expect([await decide(1), await decide(2)]).toEqual([404, 404]);
    nowMs = 1_900;
    const left = visit.until(({ questions }) => questions.length === 1);
    cancelled.abort(new Error("stopped"));
    await expect(held[1]).rejects.toThrow("stopped");
    await left;
    nowMs = 2_899;
    expect(await decide(2)).toBe(404);
    nowMs = 2_900;
    expect(await decide(2)).toBe(200);
    await Promise.allSettled(held);
    expect(api.requests.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  it("ends unsent when the inspector is closed", async () => {
    const { shop, visit, page, api } = await open({ approve: true });
    const { held } = await hold(shop, visit);
    await page.close();
    expect(JSON.parse((await held).content).error).toMatchObject({ code: "no_decision" });
    expect(api.requests).toEqual([]);
  });
});

describe("the journal on the page", () => {
  it("lists its calls and what is appended, and passes nothing else of the file on", async () => {
    const journal = directory("calls.jsonl");
    const { shop } = await open({}, { onCall: journalTo(journal) });
    await shop.call({ path: "/me" });
    const { visit } = await open({ journal });
    expect((await visit.until(({ calls }) => calls.length === 1)).calls).toMatchObject([
      { source: "shop", path: "/me", isFromJournal: true },
    ]);
    const line = {
      time: "2026-01-01T00:00:00Z",
      source: "shop",
      ms: 1,
      path: { a: 1 },
      status: 200,
      id: 9,
    };
    appendFileSync(journal, `not a line\n${JSON.stringify(line)}\n`);
    const { calls } = await visit.until((state) => state.calls.length === 2);
    expect(calls[1]).toEqual({
      id: 2,
      time: line.time,
      source: "shop",
      ms: 1,
      status: 200,
      isFromJournal: true,
    });
    expect(await visit.getJson("/call?id=2")).toEqual({ call: calls[1] });
  });

  it("lists the first call of a journal that was begun anew after a part of a line", async () => {
    const journal = directory("calls.jsonl");
    const line = (source: string) =>
      `${JSON.stringify({ time: "2026-01-01T00:00:00Z", source, ms: 1 })}\n`;
    writeFileSync(journal, `${line("one")}{"time":"2026-01-0`);
    const { visit } = await open({ journal });
    await visit.until(({ calls }) => calls.length === 1);
    writeFileSync(journal, line("two"));
    const { calls } = await visit.until((state) => state.calls.length === 2);
    expect(calls[1]).toMatchObject({ source: "two" });
  });
});

describe("createInspector", () => {
  it("refuses to run in production", () => {
    const before = process.env["NODE_ENV"];
    closing.push(() => Object.assign(process.env, { NODE_ENV: before ?? "" }));
    process.env["NODE_ENV"] = "production";
    expect(() => createInspector()).toThrow("does not run with NODE_ENV=production");
  });

  it("names an option that is unknown, and a wrong value", () => {
    expect(() => createInspector({ aprove: true } as InspectorOptions)).toThrow("Write approve.");
    expect(() => createInspector({ port: "8080" } as unknown as InspectorOptions)).toThrow(
      "port is",
    );
  });
});
