import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { createSourceClient, testConnection } from "langchain-api-sources";
import { SourceRecordError } from "../../../src/core/base/errors.js";
import { estimateTokens } from "../../../src/core/view/count-tokens.js";
import { createApiCodeTool } from "../../../src/extras/code/create-api-code-tool.js";
import { ApiSourceToolkit } from "../../../src/toolkit/api-source-toolkit.js";
import type { AnswerDocument } from "../../support/shop-tool.js";
import { openTestFolder } from "../../support/test-folder.js";
import { asRecord, asRecords } from "../../support/unchecked.js";
import { shopDescription } from "./shop-description.js";

const guide = [
  "# Shop guide\n\n**Important:** amounts are in cents.",
  "## Money\n\nOrders are paid by customers.",
  "### Refunds\n\nA refund never exceeds the order.",
  "## Limits\n\n100 calls a minute.",
].join("\n\n");

const folder = openTestFolder();
beforeAll(async () => {
  await folder.write("shop.json", shopDescription);
  await folder.write("shop.md", guide);
});

const shop = (settings: Record<string, unknown> = {}) => ({
  name: "Shop",
  api: {
    baseUrl: "https://api.shop.example/v1",
    openapi: join(folder.path, "shop.json"),
    ...settings,
  },
});

async function openDescriber(records: readonly unknown[]) {
  const toolkit = await ApiSourceToolkit.fromSources(asRecords(records));
  const tools = toolkit.getTools();
  const invoke = async (name: string, input: unknown): Promise<AnswerDocument> =>
    JSON.parse(String(await tools.find((tool) => tool.name === name)?.invoke(input as never)));
  return { tools, invoke, ask: (input: unknown) => invoke("describe_api", input) };
}

/** Asks of the shop, whose record may say more. */
async function openShop(settings: Record<string, unknown> = {}) {
  const { ask } = await openDescriber([shop(settings)]);
  return (input: Record<string, unknown> = {}) => ask({ source: "shop", ...input });
}

describe("describe_api", () => {
  it("is among the tools where a source has a description or a guide, and not otherwise", async () => {
    const bare = { name: "Desk", api: { baseUrl: "https://desk.example" } };
    const names = async (records: readonly unknown[]) =>
      (await openDescriber(records)).tools.map(({ name }) => name);
    expect(await names([bare])).toEqual(["desk", "read_api_response"]);
    expect(await names([bare, shop()])).toEqual([
      "desk",
      "shop",
      "read_api_response",
      "describe_api",
    ]);
    const guided = { name: "Desk", api: { ...bare.api, guide: join(folder.path, "shop.md") } };
    expect(await names([guided])).toContain("describe_api");
  });

  it("offers the sources about which something is known", async () => {
    const api = { baseUrl: "https://desk.example" };
    const listed = {
      name: "Listed",
      api: { ...api, endpoints: [{ method: "GET", path: "/a", about: "a" }] },
    };
    const { tools } = await openDescriber([{ name: "Bare", api }, listed, shop()]);
    const { schema, description } = tools.at(-1) ?? {};
    expect(toJsonSchema(schema as never)).toMatchObject({
      properties: { source: { enum: ["listed", "shop"] } },
    });
    expect(description).toContain("Sources: listed, shop.");
    expect(tools[2]?.description).toContain("9 operations on orders, files, search, settings");
    expect(tools[2]?.description).toContain('describe_api {"source":"shop"}');
  });

  it("gives the map as a tree with shared beginnings once, and the guide's first line before it", async () => {
    const ask = await openShop({ guide: join(folder.path, "shop.md") });
    const { data } = await ask({ path: null, method: null, find: null, guide: null });
    expect(Object.keys(data)[0]).toBe("guide");
    expect(data).toEqual({
      guide: "Important: amounts are in cents.",
      guideHeadings: ["Shop guide", "Money", "Refunds", "Limits"],
      api: "Shop 2.4",
      operations: 9,
      map: [
        "/orders GET POST",
        " /{id} GET DELETE(deprecated) PATCH (/refunds POST)",
        "/files/{path}",
        "/search POST",
        "/settings PUT",
      ].join("\n"),
    });
  });

  it("gives a branch with what its operations are for, by the template or a real path", async () => {
    const ask = await openShop();
    const { data } = await ask({ path: "/orders/{id}" });
    expect(data.map.split("\n")).toEqual([
      "GET /orders/{id}: One order",
      "DELETE /orders/{id} (deprecated): Delete an order",
      "PATCH /orders/{id}: Change an order",
      "POST /orders/{id}/refunds: Refund an order",
    ]);
    expect((await ask({ path: "/orders/7" })).data.map).toBe(data.map);
  });

  it("describes one operation fully: required parameters first, types, values, defaults, body, answer, errors, an example", async () => {
    const ask = await openShop();
    expect((await ask({ path: "/orders", method: "GET" })).data).toEqual({
      operation: "GET /orders",
      about: "List orders",
      query: {
        since: "date",
        "locale?": "string",
        "status?": "open|paid|closed",
        "limit?": "integer = 20",
        "ids?": "integer[]",
        "filter?": "{city?: string} as name[key]=a",
        "page?": "{cursor?: string}",
      },
      headers: { "X-Trace": "set by the source's record, not by a call" },
      answer:
        "200 {orders: {id: integer, customer, lines: {sku, quantity: integer, gift?: boolean}[], currency?: eur|usd, note?, parent?: {customer, lines: {…}[], id?: integer, currency?: eur|usd, note?, parent?: …}, status?: open|paid|closed}[], next?: string|null}",
      errors: { "400": "A parameter is wrong" },
      example: { method: "GET", path: "/orders", query: { since: "2026-01-31" } },
    });
  });

  it("names the errors that a call can be changed by, and none with the words of HTTP alone", async () => {
    const texts = { 400: "Bad request", 401: "No key", 404: "No such order", 409: "" };
    const responses = Object.fromEntries(
      Object.entries({ ...texts, 422: "Unprocessable Entity.", 429: "Slow down", 500: "Down" }).map(
        ([status, description]) => [status, { description }],
      ),
    );
    const openapi = await folder.write("errors.json", {
      openapi: "3.0.3",
      paths: { "/a": { get: { responses } } },
    });
    const ask = await openShop({ openapi });
    const { data } = await ask({ path: "/a", method: "GET" });
    expect(Object(data).errors).toEqual({ "404": "No such order" });
  });

  it("finds operations by words of paths, summaries, parameters, body and answer", async () => {
    const ask = await openShop();
    const first = async (find: string) => (await ask({ find })).data.found[0];
    expect(await first("give the money of an order back: refunds")).toBe(
      "POST /orders/{id}/refunds: Refund an order",
    );
    expect(await first("settings")).toBe("PUT /settings: Replace the settings");
    expect(await first("cursor of listing")).toBe("GET /orders: List orders");
    expect(await first("comment")).toBe("PATCH /orders/{id}: Change an order");
    expect((await ask({ find: "zebra" })).error.category).toBe("invalid_input");
  });

  it("gives a part of the guide by its heading, or nearly that", async () => {
    const ask = await openShop({ guide: join(folder.path, "shop.md") });
    const money = (await ask({ guide: "money" })).data;
    expect(money).toMatchObject({
      heading: "Money",
      text: expect.stringContaining("never exceeds"),
    });
    expect((await ask({ guide: "Refund" })).data.heading).toBe("Refunds");
    expect((await ask({ guide: "Webhooks" })).error.hint).toContain("Money");
  });

  it("reports what is there where it lacks what was requested", async () => {
    const { ask } = await openDescriber([
      shop(),
      { name: "Desk", api: { baseUrl: "https://desk.example" } },
    ]);
    expect((await ask({ source: "shpo" })).error.hint).toContain("shop, desk");
    expect((await ask({})).error.message).toContain("source is missing");
    expect((await ask({ source: "shop", path: "/ordrs" })).error.hint).toContain("GET /orders");
    expect((await ask({ source: "shop", path: "/orders", method: "PUT" })).error.hint).toContain(
      "GET, POST",
    );
    expect((await ask({ source: "shop", operation: "x" })).error.hint).toContain(
      "source, path, method, find, guide",
    );
    expect((await ask({ source: "shop", path: 5 })).error.message).toContain("path");
  });

  it("shows only what the record's methods and paths allow", async () => {
    const ask = await openShop({ methods: ["GET"], paths: { deny: ["/files/**"] } });
    expect((await ask()).data).toMatchObject({ operations: 2, map: "/orders (/{id})" });
    expect((await ask({ path: "/files" })).error.message).toContain("is not in the API");
  });

  it("answers for a source without documents with the endpoints of its record", async () => {
    const endpoints = [{ method: "GET", path: "/tickets", about: "open tickets" }];
    const desk = { name: "Desk", api: { baseUrl: "https://desk.example", endpoints } };
    const bare = { name: "Bare", api: { baseUrl: "https://bare.example" } };
    const { ask } = await openDescriber([desk, bare, shop()]);
    expect((await ask({ source: "desk" })).data).toEqual({
      api: "Desk",
      endpoints: ["GET /tickets: open tickets"],
    });
    expect((await ask({ source: "bare" })).data.unknown).toContain("no OpenAPI document");
  });

  it("gives run_api_code the same as api.<slug>.describe", async () => {
    const tool = createApiCodeTool(await ApiSourceToolkit.fromSources([shop()]));
    expect(tool.description).toContain("api.<source>.describe()");
    const run = async (code: string) => JSON.parse(String(await tool.invoke({ code })));
    const asked = { path: "/orders", method: "POST" };
    const { data } = await run(`return await api.shop.describe(${JSON.stringify(asked)})`);
    expect(data).toEqual((await (await openShop())(asked)).data);
    expect((await run("return await api.shop.describe()")).data).toMatchObject({ operations: 9 });
    expect(
      (await run('return await api.shop.describe({ path: "/ordrs" })')).error.message,
    ).toContain("GET /orders");
  });
});

describe("a large description", () => {
  const nest = (index: number) =>
    `/${["a", "b", "c"][index % 3]}zone/${index % 50}area/{id}/item${index}`;
  const level = (index: number) => `/api/item.${index}`;

  it.each([
    ["300 nested paths, whole", 300, nest, "/azone:\n"],
    ["30,000 nested paths, their upper levels with counts", 30_000, nest, "+"],
    ["30,000 paths of one level, as many as fit", 30_000, level, "\n /item.9 GET POST\n"],
  ])("is within the budget: %s", async (_what, count, toPath, shown) => {
    const methods = { get: { responses: {} }, post: { responses: {} } };
    const paths = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [toPath(index), methods]),
    );
    const openapi = await folder.write(`large-${Math.random()}.json`, { openapi: "3.0.0", paths });
    const client = createSourceClient(asRecord(shop({ openapi })));
    const ask = async (input: object, budget: number) => {
      const told = await client.describe(input);
      expect(estimateTokens(JSON.stringify(told))).toBeLessThanOrEqual(budget);
      return told;
    };
    const map = { operations: count * 2, map: expect.stringContaining(shown) };
    expect(await ask({}, 6_000)).toMatchObject(map);
    const path = toPath(0).split("/").slice(0, 3).join("/");
    expect(await ask({ path }, 2_000)).toMatchObject({ branch: path });
  });
});

describe("documents that can't be read", () => {
  it.each([
    ["is not there", "missing.json", undefined, "does not exist"],
    ["is no JSON", "broken.json", '{"openapi": "3.0.0",\n  "paths": {,}}', "line 2, column 13"],
    [
      "has an error in its YAML",
      "broken.yaml",
      "openapi: 3.0.0\na: [1,,\nb: {",
      "line 2, column 7",
    ],
    ["is two documents", "two.yaml", "openapi: 3.0.0\n---\nopenapi: 3.0.0\n", "line 2, column 1"],
    ["is another kind of document", "other.json", '{"log": {}}', "neither `openapi` nor `swagger`"],
    ["is of an old version", "old.json", '{"swagger": "1.2"}', '"1.2"'],
    [
      "is nested too deeply",
      "deep.json",
      `{"openapi":"3.0.0","info":${"[".repeat(2_000)}${"]".repeat(2_000)}}`,
      "deeply",
    ],
  ])(
    "are an error of the record that names file, place and reason: %s",
    async (_what, name, content, reason) => {
      const openapi =
        content === undefined ? join(folder.path, name) : await folder.write(name, content);
      const failure = await ApiSourceToolkit.fromSources([shop({ openapi })]).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(SourceRecordError);
      expect(failure).toMatchObject({ problems: [{ path: "api.openapi", source: "Shop" }] });
      expect(String(failure)).toContain(name);
      expect(String(failure)).toContain(reason);
    },
  );

  it("are named with reason and remedy by describe and by the connection test: YAML that is too large", async () => {
    const text = `openapi: 3.0.3\npaths: {}\ninfo: { title: "${"a".repeat(10_000_000)}" }\n`;
    const openapi = await folder.write("graph.yaml", text);
    const record = asRecord(
      shop({ openapi, guide: join(folder.path, "shop.md"), testEndpoint: "/me" }),
    );
    const described = await createSourceClient(record).describe();
    expect(described).toMatchObject({
      guideHeadings: expect.arrayContaining(["Money"]),
      unread:
        "api.openapi can't be read: graph.yaml is not JSON, and at most 10000000 characters of YAML are read. Convert it to JSON.",
    });
    expect(await testConnection(record)).toMatchObject({
      verdict: "invalid_record",
      message: expect.stringContaining("graph.yaml is not JSON, and at most 10000000 characters"),
      fix: "api.openapi: Convert it to JSON.",
    });
  });
});
