import { describe, expect, it } from "@jest/globals";
import { createApiSourceTool } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";

async function answerTo(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  const { url } = await startHttpServer((_request, response) =>
    sendJson(response, body, status, headers),
  );
  const api = { baseUrl: url, authType: "bearer" as const, limits: { retries: 0, maxWaitMs: 0 } };
  const credentials = { shop: { token: "t0ken-of-the-shop" } };
  const tool = createApiSourceTool({ name: "Shop", api }, { credentials });
  return String(await tool.invoke({ method: "GET", path: "/orders/7" }));
}

/** Bodies of the form that most frameworks and APIs send. */
const six: readonly (readonly [number, unknown, Record<string, string>])[] = [
  [
    401,
    { message: "Bad credentials", status: "401" },
    { "www-authenticate": 'Bearer realm="api"' },
  ],
  [403, { error: { code: "forbidden", message: "You may not read this order." } }, {}],
  [404, { statusCode: 404, error: "Not Found", message: "No order 7" }, {}],
  [422, { message: "Validation failed", errors: { quantity: ["must be at least 1"] } }, {}],
  [429, { error: "rate_limited", message: "Too many requests" }, { "retry-after": "30" }],
  [
    500,
    {
      timestamp: "2026-01-01T00:00:00Z",
      status: 500,
      error: "Internal Server Error",
      path: "/orders/7",
    },
    {},
  ],
];

describe("an error answer", () => {
  it("has 250 characters on average, and no data where the error contains all of it", async () => {
    const contents: string[] = [];
    for (const [status, body, headers] of six) contents.push(await answerTo(status, body, headers));
    for (const content of contents) expect(JSON.parse(content)).not.toHaveProperty("data");
    expect(contents.join("").length / contents.length).toBeLessThanOrEqual(250);
  });

  it.each([
    ["a list", { message: "Conflict", others: [{ id: 4711, name: "lamp" }] }],
    [
      "partial data",
      { data: { viewer: { login: "ada" } }, errors: [{ message: "No access to b" }] },
    ],
    [
      "a number that the message contains only as a part",
      { message: "130 of them", limit: { most: 30 } },
    ],
  ])("keeps data where the body has more: %s", async (_what, body) => {
    expect(JSON.parse(await answerTo(409, body))).toMatchObject({ data: body });
  });
});
