import { afterAll, describe, expect, it } from "@jest/globals";
import { type CallInput, type TestedSource, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/secrets.js";
import { startJsonServer } from "./support/servers.js";

const login = { email: "writer@shop.example", password: makeSecret() };

const server = await startJsonServer(login);
afterAll(() => server.stop());

function open(token: string = server.token, auth: object = {}): TestedSource {
  const record = { name: "Shop", api: { baseUrl: server.url, authType: "bearer", ...auth } };
  return testSource(record, { credentials: { shop: { token } } }, [server.token, login.password]);
}

const get = (path: string, query?: object) => open().call({ method: "GET", path, query });

interface Order {
  readonly id: number;
  readonly status: string;
}

/** Asks the server without the package: it writes its file only after it has answered. */
async function storedOrders(): Promise<Order[]> {
  const headers = { authorization: `Bearer ${server.token}` };
  return (await (await fetch(`${server.url}/orders`, { headers })).json()) as Order[];
}

describe("json-server behind a bearer token", () => {
  it("leads through all pages by next, and ends", async () => {
    const ids: number[] = [];
    const paths: string[] = [];
    let input: CallInput | undefined = { method: "GET", path: "/orders", query: { _page: 1, _limit: 40 } };
    while (input !== undefined && paths.length < 10) {
      const answer = await open().call(input);
      paths.push(answer.artifact.request ?? "");
      ids.push(...(answer.data as Order[]).map(({ id }) => id));
      input = answer.next;
    }
    expect(paths).toHaveLength(3);
    expect(ids).toEqual((await storedOrders()).map(({ id }) => id));
  });

  it("keeps a filter on the way to the next page", async () => {
    const { next } = await get("/orders?_page=2&_limit=10&status=paid");
    const path = expect.stringMatching(/orders\?_page=3&_limit=10&status=paid$/);
    expect(next).toMatchObject({ method: "GET", path });
    expect((await open().call(next as CallInput)).data).toHaveLength(10);
  });

  it("names no next page after a single thing", async () => {
    const { content, next } = await get("/orders/3");
    expect(content).toMatch(/^{"status":200,"data":{"id":3,"status":"open","total":2\.5},"headers"/);
    expect(next).toBeUndefined();
  });

  it("creates, changes and deletes", async () => {
    const shop = open();
    const order = { id: 96, status: "new", total: 19.9 };
    const made = await shop.call({ method: "POST", path: "/orders", body: { status: "new", total: 19.9 } });
    expect(made).toMatchObject({ status: 201, data: order });
    expect((await storedOrders()).at(-1)).toEqual(order);
    await shop.call({ method: "PATCH", path: "/orders/96", body: { status: "paid" } });
    expect((await storedOrders()).at(-1)?.status).toBe("paid");
    expect((await shop.call({ method: "DELETE", path: "/orders/96" })).status).toBe(200);
    expect(await storedOrders()).toHaveLength(95);
  });

  it("reports an order that is not there, with the list to look in", async () => {
    const { status, error } = await get("/orders/999");
    expect([status, error?.category, error?.retryable]).toEqual([404, "not_found", false]);
    expect(error?.hint).toContain("/orders/999");
  });

  it("reads an error that is a bare JSON string", async () => {
    const readOnly = await open().call({ method: "POST", path: "/news", body: { title: "x" } });
    const error = { message: "Read only", category: "forbidden" };
    expect(readOnly).toMatchObject({ status: 403, error });
    const body = { ...login, password: "not this one" };
    const refused = await open().call({ method: "POST", path: "/login", body });
    expect(refused.error).toMatchObject({ message: "Incorrect password", category: "bad_request" });
  });

  it("reports that a failed write may have been carried out", async () => {
    const answer = await open().call({ method: "POST", path: "/orders", body: { id: 3 } });
    expect(answer).toMatchObject({ status: 500, artifact: { attempts: 1 } });
    expect(answer.error).toMatchObject({ category: "server_error", retryable: false });
    expect(answer.error?.message).toContain("duplicate id");
    expect((await storedOrders()).filter(({ id }) => id === 3)).toHaveLength(1);
  });

  it("shows no token of a query", async () => {
    const answer = await get(`/news?title_like=${server.token}`);
    expect(answer.artifact.request).toBe("GET /news?title_like=[REDACTED]");
  });

  it.each<[string, (token: string) => TestedSource, string]>([
    ["signed by another", (token) => open(token.replace(/[^.]*$/, "c2ln")), "invalid signature"],
    ["sent with another word", (token) => open(token, { authScheme: "Token" }), "Incorrect authorization"],
    ["sent bare", (token) => open(token, { authScheme: "" }), "Incorrect authorization scheme"],
  ])("reports why a token was refused that was %s", async (_what, source, message) => {
    const { status, error } = await source(server.token).call({ method: "GET", path: "/orders/1" });
    expect([status, error?.category]).toEqual([401, "unauthorized"]);
    expect(error?.message).toContain(message);
  });

  it("reports that a page is not an answer of the API", async () => {
    const page = { status: 200, error: { category: "unexpected_content" }, contentType: "text/html" };
    expect(await get("/")).toMatchObject(page);
  });
});
