import { describe, expect, it } from "@jest/globals";
import { createApiSourceTool } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";

async function ask(body: unknown, headers: Record<string, string> = {}) {
  const server = await startHttpServer((_request, response) => sendJson(response, body, 200, headers));
  const tool = createApiSourceTool({ name: "Shop", api: { baseUrl: server.url } });
  const content = String(await tool.invoke({ method: "GET", path: "/orders" }));
  return { answer: JSON.parse(content), content };
}

describe("the next page in an answer", () => {
  it.each([
    ["a cursor", { orders: [{ id: 1 }], next_cursor: "c".repeat(400_000) }],
    ["a link", { orders: [{ id: 1 }], next: `/orders?cursor=${"c".repeat(400_000)}` }],
    ["a link of slashes", { orders: [{ id: 1 }], next: "/".repeat(400_000) }],
  ])("is left out and reported where it is %s of 400,000 characters", async (_name, body) => {
    const { answer, content } = await ask(body);
    expect(answer.next).toBeUndefined();
    expect(answer.notes).toEqual([expect.stringContaining("too long to be sent (4")]);
    expect(content.length).toBeLessThan(20_000);
  });

  it("is a complete input for the tool, wherever the API gives it", async () => {
    const next = { href: "/orders?page=1{&sort}", templated: true };
    const { answer } = await ask({
      _embedded: { orders: [{ id: 1 }] },
      _links: { next },
      page: { number: 0 },
    });
    expect(answer.next).toEqual({ method: "GET", path: "/orders?page=1" });
    expect(answer.notes).toBeUndefined();
  });

  it("is reported as unknown where a total shows that there is more", async () => {
    const { answer } = await ask([{ id: 1 }], { "x-total-count": "900" });
    expect(answer.next).toBeUndefined();
    expect(answer.notes).toEqual([expect.stringMatching(/900 rows in all, this answer has 1/)]);
  });
});
