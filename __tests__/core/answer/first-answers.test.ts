/** Answers that save a model its next call: each case once cost one. */

import { describe, expect, it } from "@jest/globals";
import { describeWaits } from "../../../src/core/call/describe-waits.js";
import { type Respond, sendJson } from "../../support/http-server.js";
import { noSleep } from "../../support/seams.js";
import { type AnswerDocument, startShopTool } from "../../support/shop-tool.js";

const orders = Array.from({ length: 57 }, (_, id) => ({
  id,
  status: id % 3 === 0 ? null : "open",
  cents: 100 * id,
}));
const byId = Object.fromEntries(orders.map((order) => [`o${order.id}`, order]));
const xml = orders.map(({ id }) => `<order id="${id}"><cents>1</cents></order>`).join("");

async function askFor(
  body: unknown,
  call: object = {},
  api: Record<string, unknown> = {},
): Promise<AnswerDocument> {
  const isText = typeof body === "string";
  const respond: Respond = (_request, response) => {
    response.setHeader("Content-Type", isText ? "text/xml" : "application/json");
    response.end(isText ? body : JSON.stringify(body));
  };
  const shop = await startShopTool(respond, api);
  return shop.ask({ method: "GET", path: "/orders", ...call });
}

const sums = "items(group_by(@,&status))[*].{status:[0],sum:sum([1].cents)}";

describe("the first answer", () => {
  it.each<[string, unknown, object, object]>([
    [
      "names the requested size of a page that has fewer rows",
      orders,
      { query: { limit: 100 }, pages: 2, select: "length(@)" },
      {
        data: 57,
        pages: {
          read: 1,
          rows: 57,
          complete: null,
          why: "57 rows, fewer than limit=100; the API does not say whether that is all",
        },
      },
    ],
    [
      "names the rows of an envelope whose keys were counted",
      { data: orders, more: null },
      { select: "{total: length(@)}" },
      { data: { total: 2 }, notes: ["The rows are in `data`: 57."] },
    ],
    [
      "names `values(@)` for the rows of a map",
      byId,
      { select: "[].id" },
      {
        data: null,
        notes: [
          "The document is an object, not a list: `values(@)` lists its members, as in values(@)[].id.",
        ],
      },
    ],
    [
      "names `values(…)` for the rows of a map in an envelope",
      { orders: byId },
      { select: "orders[].id" },
      { notes: ['"orders" is an object, not a list: `values(orders)` lists its members.'] },
    ],
    [
      "names the group of the rows whose key is null",
      orders,
      { select: "group_by(@,&status).null | length(@)" },
      { data: 19, notes: ['19 rows with null as the key of group_by() are under "null".'] },
    ],
    [
      "has an example for sums of groups",
      orders,
      { select: sums },
      { error: { hint: expect.stringContaining("sum:sum([1][].amount)") } },
    ],
    [
      "has the count that XML states",
      `<orders count="600">${xml}</orders>`,
      { select: "length(orders.order)" },
      { data: 57, total: 600 },
    ],
  ])("%s", async (_what, body, call, expected) => {
    expect(await askFor(body, call)).toMatchObject({ status: 200, ...expected });
  });

  it("keeps no small body for the sake of a `select`, but that of a write whose `select` was wrong", async () => {
    const order = { id: 7, status: "open", note: "a b c" };
    const write = { method: "POST", body: { a: 1 } };
    expect(await askFor(order, { select: "statuss" })).not.toHaveProperty("kept");
    expect(await askFor(order, { ...write, select: "id" })).not.toHaveProperty("kept");
    expect(await askFor(order, { ...write, select: "statuss" })).toHaveProperty("kept");
    expect(await askFor(orders, { ...write, select: "length(@)" })).toHaveProperty("kept");
  });

  it("shows what a write changed, whatever its answer leaves out", async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`a${at}`, `Some text of the order ${at}. `.repeat(9)]),
    );
    const changed = { note: "Leave it at the door. ".repeat(20), total: { amount: 12 } };
    const write = { method: "PATCH", body: { note: "x", total: { amount: 12 } } };
    const limits = { limits: { maxTokens: 600 } };
    const { data, shortened } = await askFor({ ...texts, ...changed, zip: "x" }, write, limits);
    expect(shortened).toBeDefined();
    expect(data).toMatchObject(changed);
  });

  it("says that a write was sent again with the same key", async () => {
    const respond: Respond = (_request, response) =>
      sendJson(response, {}, shop.server.requests.length === 1 ? 503 : 201, { "Retry-After": "1" });
    const api = { idempotencyHeader: "Idempotency-Key", limits: { retries: 1 } };
    const shop = await startShopTool(respond, api, { sleep: noSleep });
    const { waited } = await shop.ask({ method: "POST", path: "/x", body: { a: 1 } });
    expect(waited.why).toBe("503, Retry-After 1; sent again with the same Idempotency-Key");
    const keys = shop.server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
  });

  it("does not say so of a write that waited and was sent once", () => {
    const queue = { cooldownMs: 0, queueMs: 60_000 };
    const why = "limits.concurrency of the source";
    const waited = describeWaits({ waits: [], attempts: 1 }, queue, "Idempotency-Key");
    expect(waited).toEqual({ ms: 60_000, requests: 1, why });
  });

  it("has no note about the input of a next read that is not needed", async () => {
    const shop = await startShopTool(
      (_request, response) => sendJson(response, { rows: orders }),
      {},
      { maxTokens: 500 },
    );
    const { shortened } = await shop.ask({ method: "GET", path: "/orders" });
    const select = `rows[?${orders.map(({ id }) => `id == \`${id}\``).join(" || ")}].id | [:3]`;
    expect(await shop.read({ id: shortened.id, select })).toEqual({ status: 200, data: [0, 1, 2] });
  });
});
