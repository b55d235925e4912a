import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { testConnection } from "langchain-api-sources";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";
import { shopDescription } from "./shop-description.js";

let directory: string;
let server: HttpServer;
let order: Record<string, unknown>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "drift-"));
  server = await startHttpServer(({ headers, url }, response) => {
    if (headers.authorization === undefined && headers["x-key"] === undefined) sendJson(response, {}, 401);
    else sendJson(response, url.includes("/settings") ? {} : order);
  });
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const right = { id: 7, customer: "c_1", lines: [{ sku: "A", quantity: 1 }] };

/** The warnings of a test of this record, whose server is the description's unless it says otherwise. */
async function test(
  settings: Record<string, unknown> = {},
  servers: readonly unknown[] = [{ url: server.url }],
) {
  const openapi = join(directory, `shop-${Math.random()}.json`);
  await writeFile(openapi, JSON.stringify({ ...shopDescription, servers }));
  const api = { baseUrl: server.url, testEndpoint: "/orders/7", authType: "bearer", openapi, ...settings };
  const credentials =
    api.authType === "bearer" ? { token: "token-of-the-test" } : { apiKey: "key-of-the-test-1" };
  const report = await testConnection({ name: "Shop", api }, { credentials: { shop: credentials } });
  return { report, text: report.warnings.join("\n") };
}

describe("the connection test of a source with a description", () => {
  it("warns of nothing where record, answer and description agree", async () => {
    order = right;
    const { report } = await test();
    expect(report).toMatchObject({ ok: true, credentialVerified: true });
    expect(report.warnings).toEqual([]);
  });

  it("warns of an answer that doesn't fit the schema of the test endpoint", async () => {
    order = { ...right, id: "7", status: "lost", lines: [{ sku: "A" }] };
    const { report, text } = await test();
    expect(report.ok).toBe(true);
    expect(text).toContain("GET /orders/7");
    expect(text).toContain("`id` is of type string instead of integer");
    expect(text).toContain("`lines[0].quantity` is missing");
  });

  it("warns of servers, security and a test endpoint that don't fit the record", async () => {
    order = right;
    expect((await test({}, [{ url: "https://api.shop.example/v1" }])).text).toContain(
      "https://api.shop.example/v1",
    );
    const { text } = await test({ authType: "header", headerName: "X-Key" });
    expect(text).toContain('takes its credential as bearer, and the record sends "header"');
    expect((await test({ testEndpoint: "/me" })).text).toContain("has no GET /me");
  });

  it("reports a description that can't be read as a wrong record, and sends nothing", async () => {
    const before = server.requests.length;
    const { report } = await test({ openapi: join(directory, "nowhere.yaml") });
    expect(report).toMatchObject({
      ok: false,
      message: expect.stringContaining("nowhere.yaml does not exist"),
    });
    expect(server.requests).toHaveLength(before);
  });
});
