import { describe, expect, it } from "@jest/globals";
import { createSourceClient } from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";

const api = await startHttpServer();

const secret = "tenant-secret-0815";
const token = "token-of-the-test-4711";
const record = {
  name: "Shop",
  api: {
    baseUrl: `${api.url}/v1`,
    authType: "bearer",
    headers: { "X-Tenant": "${SHOP_TENANT}" },
    query: { tenant: "${SHOP_TENANT}" },
    methods: ["GET", "POST"],
  },
} as const;

describe("client.preview", () => {
  it("shows what would be sent, each credential by its variable, and sends nothing", async () => {
    const asked: string[] = [];
    const shop = createSourceClient(record, {
      secrets: (name) => {
        asked.push(name);
        return secret;
      },
      credentials: (source) => {
        asked.push(source.slug);
        return { token };
      },
    });
    const preview = await shop.preview({
      method: "POST",
      path: "/orders",
      query: { a: "b c" },
      body: { id: 1 },
    });
    expect(preview).toEqual({
      method: "POST",
      url: `${api.url}/v1/orders?tenant=\${SHOP_TENANT}&a=b%20c`,
      headers: expect.objectContaining({
        Authorization: "Bearer ${SHOP_TOKEN}",
        "X-Tenant": "${SHOP_TENANT}",
        "Content-Type": "application/json",
      }),
      body: '{"id":1}',
      curl: expect.stringContaining('-H "Authorization: Bearer $SHOP_TOKEN"'),
      notes: [],
    });
    expect(preview.curl).toContain(`"${api.url}/v1/orders?tenant=$SHOP_TENANT&a=b%20c"`);
    expect(asked).toEqual([]);
    expect(api.requests).toEqual([]);
  });

  it("does not repeat a credential that the request contains", async () => {
    const shop = createSourceClient(record, {
      credentials: { shop: { token } },
      secrets: () => secret,
    });
    const preview = await shop.preview({
      method: "POST",
      path: "/orders",
      body: { note: `my ${token}` },
    });
    expect(JSON.stringify(preview)).not.toContain(token);
  });

  it.each([
    ["a path that leaves the base URL", { path: "/../admin" }],
    ["a method that the record does not allow", { method: "DELETE", path: "/orders/1" }],
  ])("refuses %s, as the call would", async (_what, request) => {
    await expect(createSourceClient(record).preview(request)).rejects.toMatchObject({
      category: "refused_by_policy",
    });
  });

  it("opens no file, and notes that the body is left out", async () => {
    const preview = await createSourceClient(record).preview({
      method: "POST",
      path: "/a",
      body: { $file: "r_1" },
    });
    expect(preview).toMatchObject({ notes: [expect.stringMatching(/body is left out/)] });
    expect(preview).not.toHaveProperty("body");
    expect(preview.curl).not.toContain("r_1");
  });

  it.each([
    [{ authType: "header", headerName: "X-Key" }, { headers: { "X-Key": "${SHOP_TOKEN}" } }],
    [
      { authType: "basic" },
      { headers: { Authorization: "Basic base64(${SHOP_USERNAME}:${SHOP_PASSWORD})" } },
    ],
    [{ authType: "query", queryParam: "key" }, { url: `${api.url}/v1/me?key=\${SHOP_TOKEN}` }],
  ] as const)("shows the credential of %j by its variable", async (own, shown) => {
    const { baseUrl } = record.api;
    const client = createSourceClient({ name: "Shop", api: { baseUrl, ...own } });
    expect(await client.preview({ path: "/me" })).toMatchObject(shown);
  });
});
