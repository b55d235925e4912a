import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type CallInput, type TestedSource, testSource } from "./support/call-source.js";
import { type JsonServer, startJsonServer } from "./support/json-server.js";
import { makeSecret } from "./support/make-secret.js";

const password = makeSecret();
const wrong = makeSecret();

let server: JsonServer;
beforeAll(async () => {
  server = await startJsonServer({ email: "writer@shop.example", password });
});
afterAll(() => server.stop());

function open(token: string, auth: object = {}): TestedSource {
  const api = { baseUrl: server.url, authType: "bearer", ...auth };
  return testSource({ name: "Shop", api }, { credentials: { shop: { token } } }, [
    server.token,
    password,
    wrong,
  ]);
}

interface Order {
  readonly id: number;
  readonly status: string;
}

/** Asks the server without the package: it writes its file only after it has answered. */
async function storedOrders(): Promise<Order[]> {
  const headers = { authorization: `Bearer ${server.token}` };
  const answer = await fetch(`${server.url}/orders`, { headers });
  return (await answer.json()) as Order[];
}

describe("json-server behind a bearer token", () => {
  it("leads through all pages by next, and ends", async () => {
    const shop = open(server.token);
    const ids: number[] = [];
    const paths: string[] = [];
    let input: CallInput | undefined = { method: "GET", path: "/orders", query: { _page: 1, _limit: 40 } };
    while (input !== undefined && paths.length < 10) {
      const answer = await shop.call(input);
      paths.push(answer.artifact.request ?? "");
      ids.push(...(answer.data as Order[]).map(({ id }) => id));
      input = answer.next;
    }
    expect(paths).toHaveLength(3);
    expect(ids).toEqual((await storedOrders()).map(({ id }) => id));
  });

  it("keeps a filter on the way to the next page", async () => {
    const answer = await open(server.token).call({
      method: "GET",
      path: "/orders?_page=2&_limit=10&status=paid",
    });
    expect(answer.next).toMatchObject({
      method: "GET",
      path: expect.stringMatching(/orders\?_page=3&_limit=10&status=paid$/),
    });
    expect((await open(server.token).call(answer.next as CallInput)).data).toHaveLength(10);
  });

  it("names no next page after a single thing", async () => {
    const answer = await open(server.token).call({ method: "GET", path: "/orders/3" });
    expect(answer.content).toMatch(/^{"status":200,"data":{"id":3,"status":"open","total":2\.5},"headers"/);
    expect(answer.next).toBeUndefined();
  });

  it("creates, changes and deletes", async () => {
    const shop = open(server.token);
    const made = await shop.call({ method: "POST", path: "/orders", body: { status: "new", total: 19.9 } });
    expect(made).toMatchObject({ status: 201, data: { id: 96, total: 19.9 } });
    expect((await storedOrders()).at(-1)).toEqual({ id: 96, status: "new", total: 19.9 });
    await shop.call({ method: "PATCH", path: "/orders/96", body: { status: "paid" } });
    expect((await storedOrders()).at(-1)?.status).toBe("paid");
    expect((await shop.call({ method: "DELETE", path: "/orders/96" })).status).toBe(200);
    expect(await storedOrders()).toHaveLength(95);
  });

  it("tells an order that is not there, by the list to look in", async () => {
    const answer = await open(server.token).call({ method: "GET", path: "/orders/999" });
    expect(answer).toMatchObject({ status: 404, error: { category: "not_found", retryable: false } });
    expect(answer.error?.hint).toContain("GET /orders");
  });

  it("reads an error that is a bare JSON string", async () => {
    const shop = open(server.token);
    expect(await shop.call({ method: "POST", path: "/news", body: { title: "x" } })).toMatchObject({
      status: 403,
      error: { message: "Read only", category: "forbidden" },
      data: "Read only",
    });
    const login = { email: "writer@shop.example", password: "not this one" };
    expect(await shop.call({ method: "POST", path: "/login", body: login })).toMatchObject({
      status: 400,
      error: { message: "Incorrect password", category: "unauthorized" },
    });
  });

  it("says that a failed write may have been carried out", async () => {
    const answer = await open(server.token).call({ method: "POST", path: "/orders", body: { id: 3 } });
    expect(answer).toMatchObject({ status: 500, error: { category: "server_error", retryable: false } });
    expect(answer.error?.message).toContain("duplicate id");
    expect(answer.artifact.attempts).toBe(1);
    expect((await storedOrders()).filter(({ id }) => id === 3)).toHaveLength(1);
  });

  it("shows no token that stands in a query", async () => {
    const body = { email: "writer@shop.example", password };
    const again = await fetch(`${server.url}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { accessToken } = (await again.json()) as { accessToken: string };
    const answer = await open(accessToken).call({ method: "GET", path: `/news?title_like=${accessToken}` });
    expect(answer.artifact.request).toBe("GET /news?title_like=[REDACTED]");
  });

  it.each<[string, () => TestedSource, string]>([
    ["a wrong token", () => open(wrong), "jwt malformed"],
    [
      "a token that was signed by another",
      () => open(`${server.token.split(".").slice(0, 2).join(".")}.c2ln`),
      "invalid signature",
    ],
    ["another scheme", () => open(server.token, { authScheme: "Token" }), "Incorrect authorization scheme"],
    ["a bare token", () => open(server.token, { authScheme: "" }), "Incorrect authorization scheme"],
  ])("says why %s was refused", async (_what, source, message) => {
    const answer = await source().call({ method: "GET", path: "/orders/1" });
    expect(answer).toMatchObject({
      status: 401,
      error: { message, category: "unauthorized", retryable: false },
    });
    expect(answer.error?.hint).toContain("SHOP_TOKEN or SHOP_API_KEY");
  });

  it("says that a page is not an answer of the API", async () => {
    const answer = await open(server.token).call({ method: "GET", path: "/" });
    expect(answer).toMatchObject({
      status: 200,
      error: { category: "unexpected_content" },
      contentType: "text/html",
    });
  });

  it("takes an agent through a list, a write, an error and a wrong token", async () => {
    const [listed, made, failed] = await open(server.token).runAgent([
      { method: "GET", path: "/orders?_limit=2" },
      { method: "PUT", path: "/orders/5", body: { status: "by agent", total: 1 } },
      { method: "POST", path: "/notes", body: '{"text":"mine"}' },
    ]);
    expect(listed?.data).toHaveLength(2);
    expect(made?.data).toMatchObject({ id: 5, status: "by agent" });
    expect((await storedOrders())[4]).toMatchObject({ id: 5, status: "by agent" });
    expect(failed?.error).toMatchObject({
      category: "forbidden",
      message: expect.stringContaining("owner id"),
    });
    const [refused] = await open(wrong).runAgent([{ method: "GET", path: "/orders" }]);
    expect(refused?.error?.category).toBe("unauthorized");
  });
});
