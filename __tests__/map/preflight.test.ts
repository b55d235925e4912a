import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Logger } from "../../src/runtime.js";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";
import type { AnswerDocument } from "../support/shop-tool.js";
import { shopDescription } from "./shop-description.js";

let directory: string;
let openapi: string;
let server: HttpServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "preflight-"));
  openapi = join(directory, "shop.json");
  await writeFile(openapi, JSON.stringify(shopDescription));
  server = await startHttpServer(({ url }, response) => {
    if (url.startsWith("/orders?since=links"))
      response.setHeader("Link", '</archive/7?cursor=a1&since=links>; rel="next"');
    sendJson(response, url.startsWith("/orders") ? { orders: [{ id: 1 }] } : { ok: true });
  });
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

beforeEach(() => void server.requests.splice(0));

async function openTool(settings: Record<string, unknown> = {}, logger?: Logger) {
  const toolkit = await ApiSourceToolkit.fromSources(
    [{ name: "Shop", api: { baseUrl: server.url, openapi, ...settings } }],
    logger === undefined ? {} : { logger },
  );
  const [tool] = toolkit.getTools();
  return async (input: unknown): Promise<AnswerDocument> =>
    JSON.parse(String(await tool?.invoke(input as never)));
}

const order = { customer: "c_1", lines: [{ sku: "A-1", quantity: 2 }] };
const since = { since: "2026-01-01" };

/** Each kind of mistake: the call, and what its hint must name. */
const mistakes: readonly (readonly [
  kind: string,
  at: string,
  call: Record<string, unknown>,
  names: string,
])[] = [
  ["unknown_path", "path", { method: "GET", path: "/order", query: since }, "GET /orders"],
  ["unknown_path", "path", { method: "GET", path: "/orders/7/refund" }, "/orders/{id}/refunds"],
  ["unknown_path", "path", { method: "GET", path: "/v1/v1/orders" }, "/orders"],
  [
    "wrong_method",
    "method",
    { method: "PUT", path: "/orders/7", body: {} },
    "/orders/{id} has GET, DELETE, PATCH",
  ],
  ["placeholder", "{id}", { method: "GET", path: "/orders/:id" }, "`id`"],
  ["placeholder", "{id}", { method: "GET", path: "/orders/YOUR_ID" }, "`id`"],
  ["placeholder", "since", { method: "GET", path: "/orders", query: { since: "<since>" } }, "`since`"],
  ["path_type", "{id}", { method: "GET", path: "/orders/latest" }, "an integer"],
  [
    "unknown_parameter",
    "state",
    { method: "GET", path: "/orders", query: { ...since, state: "open" } },
    "status",
  ],
  ["unknown_parameter", "limits", { method: "GET", path: "/orders?limits=5", query: since }, "is `limit`"],
  ["missing_parameter", "since", { method: "GET", path: "/orders" }, "`since`, of type string"],
  [
    "parameter_type",
    "limit",
    { method: "GET", path: "/orders", query: { ...since, limit: "ten" } },
    "an integer",
  ],
  [
    "parameter_enum",
    "status",
    { method: "GET", path: "/orders", query: { ...since, status: "opne" } },
    'nearest is "open"',
  ],
  [
    "parameter_type",
    "ids",
    { method: "GET", path: "/orders", query: { ...since, ids: "1,two" } },
    "an integer",
  ],
  ["missing_body", "body", { method: "POST", path: "/orders" }, "`customer`, `lines`"],
  [
    "missing_member",
    "body.lines",
    { method: "POST", path: "/orders", body: { customer: "c_1" } },
    "`body.lines`, of type array",
  ],
  [
    "missing_member",
    "body.lines[0].quantity",
    { method: "POST", path: "/orders", body: { ...order, lines: [{ sku: "A" }] } },
    "quantity",
  ],
  [
    "member_type",
    "body.lines[0].quantity",
    { method: "POST", path: "/orders", body: { ...order, lines: [{ sku: "A", quantity: "2" }] } },
    "an integer",
  ],
  [
    "member_enum",
    "body.currency",
    { method: "POST", path: "/orders", body: { ...order, currency: "EUR" } },
    '"eur"',
  ],
  [
    "unknown_member",
    "body.curency",
    { method: "POST", path: "/orders", body: { ...order, curency: "eur" } },
    "`currency`",
  ],
  [
    "missing_member",
    "body.amount",
    { method: "POST", path: "/orders/7/refunds", body: { sum: 5 } },
    "`body.amount`",
  ],
];

/** What is right, or left open by the description. */
const right: readonly (readonly [what: string, call: Record<string, unknown>])[] = [
  ["an ordinary call", { method: "GET", path: "/orders", query: { ...since, status: "open", limit: "5" } }],
  ["a slash at the end", { method: "GET", path: "/orders/", query: since }],
  ["the server's own path in front", { method: "GET", path: "/v1/orders", query: since }],
  ["a parameter of the path item", { method: "GET", path: "/orders", query: { ...since, locale: "de" } }],
  ["a list as repeated parameters", { method: "GET", path: "/orders?ids=1&ids=2", query: since }],
  ["a list in one parameter", { method: "GET", path: "/orders", query: { ...since, ids: "1,2" } }],
  [
    "a member of an object in brackets",
    { method: "GET", path: "/orders", query: { ...since, "filter[city]": "Ulm" } },
  ],
  ["a member of an exploded object", { method: "GET", path: "/orders", query: { ...since, cursor: "a" } }],
  [
    "a parameter that begins with x-",
    { method: "GET", path: "/orders", query: { ...since, "x-debug": "1" } },
  ],
  ["a path with slashes in its last parameter", { method: "GET", path: "/files/a/b.txt" }],
  ["a body by the schema", { method: "POST", path: "/orders", body: order }],
  ["null where it isn't said", { method: "POST", path: "/orders", body: { ...order, currency: null } }],
  ["a recursive member", { method: "POST", path: "/orders", body: { ...order, parent: order } }],
  ["an unknown member of an open object", { method: "PATCH", path: "/orders/7", body: { mood: "good" } }],
  ["a free-form object", { method: "PUT", path: "/settings", body: { anything: [1, { a: null }] } }],
  ["the second alternative", { method: "POST", path: "/orders/7/refunds", body: { lines: [1] } }],
  [
    "a form",
    {
      method: "POST",
      path: "/search",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: { q: 1 },
    },
  ],
  ["a body that may be left out", { method: "PATCH", path: "/orders/7" }],
];

describe("preflight", () => {
  it.each(mistakes)("answers %s at %s unsent, and names what there is", async (kind, at, call, names) => {
    const ask = await openTool();
    const answer = await ask(call);
    expect(answer.error).toMatchObject({ category: "invalid_input", code: "preflight", retryable: false });
    expect(answer.error.details).toContainEqual(expect.objectContaining({ kind, at }));
    expect(`${answer.error.message} ${answer.error.hint}`).toContain(names);
    expect(server.requests).toEqual([]);
  });

  it.each(right)("sends %s", async (_what, call) => {
    const ask = await openTool();
    expect((await ask(call)).error).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it("sends a parameter that the record lists as one the API takes everywhere", async () => {
    const ask = await openTool({ query: { key: "k" }, "x-query": ["pretty"] });
    expect((await ask({ method: "GET", path: "/orders", query: { ...since, pretty: "1" } })).status).toBe(
      200,
    );
  });

  it("sends what the API itself named as the next page, whatever the description says", async () => {
    const ask = await openTool();
    expect((await ask({ method: "GET", path: "/archive/7" })).error.code).toBe("preflight");
    const { next } = await ask({ method: "GET", path: "/orders", query: { since: "links" } });
    expect((await ask(next)).status).toBe(200);
    expect((await ask({ method: "GET", path: "/orders", query: { ...since, cursor: "b2" } })).status).toBe(
      200,
    );
  });

  it("sends a wrong call with `warn`, says so, and tells the log once that it worked", async () => {
    const told: unknown[] = [];
    const push = (message: string, data: unknown): void => void told.push([message, data]);
    const silent = (): void => {};
    const ask = await openTool(
      { preflight: "warn" },
      { debug: silent, info: silent, warn: push, error: silent },
    );
    for (const state of ["a", "b"]) {
      const answer = await ask({ method: "GET", path: "/orders", query: { ...since, state } });
      expect(answer).toMatchObject({ status: 200, notes: [expect.stringContaining('"state"')] });
    }
    expect(told).toEqual([
      [expect.stringContaining("the description is wrong"), expect.objectContaining({ source: "shop" })],
    ]);
    expect(server.requests).toHaveLength(2);
  });

  it("doesn't look with `off`", async () => {
    const ask = await openTool({ preflight: "off" });
    expect(await ask({ method: "GET", path: "/nowhere" })).toEqual({ status: 200, data: { ok: true } });
  });

  it("shows no secret that stands in a wrong call", async () => {
    // Longer than what a message quotes: half of it would not be found in the final text.
    const token = `s3cr3t-${"x".repeat(300)}-9`;
    const toolkit = await ApiSourceToolkit.fromSources(
      [{ name: "Shop", api: { baseUrl: server.url, openapi, authType: "bearer" } }],
      { credentials: { shop: { token } } },
    );
    const [tool] = toolkit.getTools();
    const calls = [
      { method: "POST", path: "/orders", body: { ...order, currency: token } },
      { method: "GET", path: `/orders/${token}` },
      { method: "GET", path: "/orders", query: { ...since, status: token, [token]: "1" } },
    ];
    for (const call of calls) {
      const answer = String(await tool?.invoke(call as never));
      expect(answer).toContain('"error"');
      expect(answer).not.toContain("s3cr3t");
    }
  });
});
