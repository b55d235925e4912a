import { describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, type ClientOptions, createSourceClient } from "langchain-api-sources";
import { startHttpServer } from "../support/http-server.js";

const server = await startHttpServer();

const call = async (api: object, request: object, options: ClientOptions = {}): Promise<unknown> => {
  const client = createSourceClient({ name: "Shop", api: { baseUrl: server.url, ...api } }, options);
  return JSON.parse((await client.call({ method: "GET", path: "/graphql", ...request })).content);
};

const writes = [
  "mutation { remove(id: 1) { id } }",
  "# query\nmutation Remove($id: ID!) { remove(id: $id) { id } }",
  "query A { a } mutation B { b }",
  "subscription { changes { id } }",
];

describe("a GraphQL document in a GET", () => {
  it.each(writes)("is refused where the source allows only GET: %j", async (query) => {
    const refused = { error: { category: "refused_by_policy" } };
    expect(await call({ methods: ["GET"] }, { query: { query } })).toMatchObject(refused);
    const path = `/other?q=${encodeURIComponent(query)}`;
    expect(await call({ methods: ["GET"] }, { path })).toMatchObject(refused);
    expect(server.requests).toEqual([]);
  });

  it.each(writes)("waits for a person as a write does: %j", async (query) => {
    const held = { error: { category: "approval_required" } };
    expect(await call({}, { query: { query } }, { approve: "writes" })).toMatchObject(held);
    expect(server.requests).toEqual([]);
    const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: server.url } }]);
    const when = (args: Record<string, unknown>) =>
      toolkit.interruptOn()["shop"]?.when({ toolCall: { args } });
    expect(when({ method: "GET", path: "/graphql", query: { query } })).toBe(true);
    expect(when({ method: "GET", path: `/graphql?query=${encodeURIComponent(query)}` })).toBe(true);
    expect(when({ method: "GET", path: "/graphql", query: `query=${encodeURIComponent(query)}` })).toBe(true);
  });

  it.each(["{ me { id } }", "query Mutation { mutation }", "mutation of genes {x", "words about a mutation"])(
    "is sent where it is a query, or not a document: %j",
    async (query) => {
      expect(await call({ methods: ["GET"] }, { query: { query } }, { approve: "writes" })).toMatchObject({
        status: 200,
      });
    },
  );
});
