import { beforeAll, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";
import type { AnswerDocument } from "../support/shop-tool.js";
import { openTestFolder } from "../support/test-folder.js";
import { shopDescription } from "./shop-description.js";

const folder = openTestFolder();
let openapi: string;
beforeAll(async () => {
  openapi = await folder.write("shop.json", shopDescription);
});
const server = await startHttpServer(({ url }, response) => {
  if (url.startsWith("/orders?since=links"))
    response.setHeader("Link", '</archive/7?cursor=a1&since=links>; rel="next"');
  sendJson(response, url.startsWith("/orders") ? { orders: [{ id: 1 }] } : { ok: true });
});

async function openTool(settings: Record<string, unknown> = {}) {
  const toolkit = await ApiSourceToolkit.fromSources([
    { name: "Shop", api: { baseUrl: server.url, openapi, ...settings } },
  ]);
  const [tool] = toolkit.getTools();
  return async (input: unknown): Promise<AnswerDocument> =>
    JSON.parse(String(await tool?.invoke(input as never)));
}

const order = { customer: "c_1", lines: [{ sku: "A-1", quantity: 2 }] };
const since = { since: "2026-01-01" };

const get = (path: string, query: object = since) => ({ method: "GET", path, query });
const put = (path: string, body: unknown) => ({ method: "PUT", path, body });
const post = (path: string, body?: unknown) => ({
  method: "POST",
  path,
  ...(body === undefined ? {} : { body }),
});
const line = (members: object) => post("/orders", { ...order, lines: [members] });

/**
 * Each kind of mistake: where it is, the call, and what its hint must name; and of what is not surely a mistake, the note under which it is
 * sent by default.
 */
const mistakes: readonly (readonly [string, string, Record<string, unknown>, string, string?])[] = [
  ["unknown_path", "path", get("/order"), "GET /orders"],
  ["unknown_path", "path", get("/orders/7/refund"), "/orders/{id}/refunds"],
  ["unknown_path", "path", get("/v1/v1/orders"), "/orders", "is not in the API's OpenAPI document."],
  ["unknown_path", "path", get("/warehouses"), "9 operations", "GET /warehouses is not in the API's OpenAPI"],
  [
    "wrong_method",
    "method",
    put("/orders/7", {}),
    "/orders/{id} has GET, DELETE, PATCH",
    "has /orders/7 with ",
  ],
  ["placeholder", "{id}", get("/orders/:id", {}), "`id`"],
  ["placeholder", "{id}", get("/orders/YOUR_ID", {}), "`id`"],
  ["placeholder", "since", get("/orders", { since: "<since>" }), "`since`"],
  ["path_type", "{id}", get("/orders/latest", {}), "an integer"],
  ["unknown_parameter", "state", get("/orders", { ...since, state: "open" }), "status"],
  [
    "unknown_parameter",
    "colour",
    get("/orders", { ...since, colour: "red" }),
    "status",
    "`colour` is not a parameter of GET /orders; the API may have ignored it.",
  ],
  ["unknown_parameter", "limits", get("/orders?limits=5"), "is `limit`"],
  [
    "missing_parameter",
    "since",
    get("/orders", {}),
    "`since`, of type string",
    "requires `since` for GET /orders",
  ],
  ["parameter_type", "limit", get("/orders", { ...since, limit: "ten" }), "an integer"],
  ["parameter_enum", "status", get("/orders", { ...since, status: "opne" }), 'nearest is "open"'],
  ["parameter_type", "ids", get("/orders", { ...since, ids: "1,two" }), "an integer"],
  ["missing_body", "body", post("/orders"), "`customer`, `lines`"],
  ["missing_member", "body.lines", post("/orders", { customer: "c_1" }), "`body.lines`, of type array"],
  ["missing_member", "body.lines[0].quantity", line({ sku: "A" }), "quantity"],
  ["member_type", "body.lines[0].quantity", line({ sku: "A", quantity: "2" }), "an integer"],
  ["member_enum", "body.currency", post("/orders", { ...order, currency: "EUR" }), '"eur"'],
  ["unknown_member", "body.curency", post("/orders", { ...order, curency: "eur" }), "`currency`"],
];

/** What is right, or left open by the description. */
const right: readonly (readonly [what: string, call: Record<string, unknown>])[] = [
  ["an ordinary call", get("/orders", { ...since, status: "open", limit: "5" })],
  ["a slash at the end", get("/orders/")],
  ["the server's own path in front", get("/v1/orders")],
  ["a parameter of the path item", get("/orders", { ...since, locale: "de" })],
  ["a list as repeated parameters", get("/orders?ids=1&ids=2")],
  ["a list in one parameter", get("/orders", { ...since, ids: "1,2" })],
  ["a member of an object in brackets", get("/orders", { ...since, "filter[city]": "Ulm" })],
  ["a member of an exploded object", get("/orders", { ...since, cursor: "a" })],
  ["JSON in a parameter", get("/orders", { ...since, locale: '{"a":1}' })],
  ["JSON for an object", get("/orders", { ...since, filter: '{"city":"Ulm"}' })],
  ["what looks like a placeholder, but not of this parameter", get("/orders", { ...since, locale: ":de" })],
  ["a parameter that begins with x-", get("/orders", { ...since, "x-debug": "1" })],
  ["a path with slashes in its last parameter", get("/files/a/b.txt", {})],
  ["a body by the schema", post("/orders", order)],
  ["null where it isn't said", post("/orders", { ...order, currency: null })],
  ["a recursive member", post("/orders", { ...order, parent: order })],
  ["an unknown member of an open object", { ...post("/orders/7", { mood: "good" }), method: "PATCH" }],
  ["a free-form object", put("/settings", { anything: [1, { a: null }] })],
  ["the second alternative", post("/orders/7/refunds", { lines: [1] })],
  ["a body that is none of several alternatives", post("/orders/7/refunds", { sum: 5 })],
  [
    "a form",
    { ...post("/search", { q: 1 }), headers: { "Content-Type": "application/x-www-form-urlencoded" } },
  ],
  ["a body that may be left out", { method: "PATCH", path: "/orders/7" }],
];

describe("preflight", () => {
  it.each(mistakes)(
    "answers %s at %s unsent with `refuse`, and by default where it is sure, and names what exists",
    async (kind, at, call, names, note = "") => {
      const ask = await openTool({ preflight: "refuse" });
      const answer = await ask(call);
      expect(answer.error).toMatchObject({ category: "invalid_input", code: "preflight", retryable: false });
      expect(answer.error.details).toContainEqual(expect.objectContaining({ kind, at }));
      expect(`${answer.error.message} ${answer.error.hint}`).toContain(names);
      expect(server.requests).toEqual([]);
      const byDefault = await (await openTool())(call);
      const isSent = note !== "";
      expect(byDefault.error).toEqual(isSent ? undefined : answer.error);
      expect(byDefault.notes?.[0] ?? "").toContain(note);
      expect(server.requests).toHaveLength(isSent ? 1 : 0);
    },
  );

  it.each(right)("sends %s", async (_what, call) => {
    const ask = await openTool();
    expect((await ask(call)).error).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it("sends a parameter that the record lists as one the API takes everywhere", async () => {
    const ask = await openTool({ query: { key: "k" }, "x-query": ["pretty"] });
    expect((await ask(get("/orders", { ...since, pretty: "1" }))).status).toBe(200);
  });

  it("sends what the API itself named as the next page, whatever the description has", async () => {
    const ask = await openTool({ preflight: "refuse" });
    expect((await ask(get("/archive/7", {}))).error.code).toBe("preflight");
    const { next } = await ask(get("/orders", { since: "links" }));
    expect((await ask(next)).status).toBe(200);
    expect((await ask(get("/orders", { ...since, cursor: "b2" }))).status).toBe(200);
  });

  it("doesn't look with `off`", async () => {
    const ask = await openTool({ preflight: "off" });
    expect(await ask(get("/nowhere"))).toEqual({ status: 200, data: { ok: true } });
  });

  it("shows no secret of a wrong call", async () => {
    // Longer than what a message quotes: half of it would not be found in the final text.
    const token = `s3cr3t-${"x".repeat(300)}-9`;
    const toolkit = await ApiSourceToolkit.fromSources(
      [{ name: "Shop", api: { baseUrl: server.url, openapi, authType: "bearer" } }],
      { credentials: { shop: { token } } },
    );
    const [tool] = toolkit.getTools();
    const calls = [
      post("/orders", { ...order, currency: token }),
      get(`/orders/${token}`),
      get("/orders", { ...since, status: token, [token]: "1" }),
    ];
    for (const call of calls) {
      const answer = String(await tool?.invoke(call as never));
      expect(answer).toContain('"error"');
      expect(answer).not.toContain("s3cr3t");
    }
  });
});
