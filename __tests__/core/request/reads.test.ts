/** What skips an approval because it surely changes nothing, in every place that asks. */

import { describe, expect, it } from "@jest/globals";
import { type ApiSourceRecord, ApiSourceToolkit } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";

const server = await startHttpServer((_request, response) => sendJson(response, {}));

const reads = ["POST /lookup/**", "PUT /preview", "POST /gql"];
const record = (api: object = {}): ApiSourceRecord => ({
  name: "Shop",
  api: { baseUrl: server.url, reads, ...api },
});

interface Input {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: unknown;
  readonly query?: unknown;
}

/** Why a call is not sent; undefined for one that is. */
async function findRefusal(input: Input, api: object = {}): Promise<string | undefined> {
  const toolkit = await ApiSourceToolkit.fromSources([record(api)], { approve: "writes" });
  const [tool] = toolkit.getTools();
  const answer = JSON.parse(String(await tool?.invoke(input as never)));
  return answer.error?.category;
}

const post = (path: string, body: unknown, more: object = {}): Input => ({
  method: "POST",
  path,
  body,
  ...more,
});
const form = "application/x-www-form-urlencoded";
const typed = (value: string): object => ({ headers: [{ name: "Content-Type", value }] });
const query = "query Rows { rows { id } }";
const mutation = "mutation Drop { drop }";

describe("a request that only reads", () => {
  it.each<[string, Input]>([
    ["a GET", { method: "GET", path: "/orders" }],
    ["a POST that `reads` names", post("/lookup/7", { q: "chair" })],
    ["an encoded space in a segment", post("/lookup/red%20chairs", { q: "x" })],
    [
      "a member that is no method",
      post("/lookup/7", { payment_method: "card", a: { verbose: true } }),
    ],
    [
      "a JSON type of its own",
      post(
        "/lookup/7",
        {},
        { headers: [{ name: "Content-Type", value: "application/vnd.x+json" }] },
      ),
    ],
    ["a GraphQL query", post("/graphql", { query })],
    ["the short form of a query", post("/graphql", { query: "{ rows { id } }" })],
    [
      "the query that `operationName` selects",
      post("/graphql", { query: `${query} ${mutation}`, operationName: "Rows" }),
    ],
    [
      "a word in a string or a comment",
      post("/graphql", { query: `# ${mutation}\n{ rows(q: "} ${mutation}") { id } }` }),
    ],
    ["a GraphQL query at a path that `reads` names", post("/gql", { query })],
  ])("is not held: %s", async (_what, input) => {
    expect(await findRefusal(input)).toBeUndefined();
  });

  it.each<[string, Input]>([
    ["a POST that no one named", post("/orders", { sku: "x" })],
    ["another method at a path that `reads` names", { method: "DELETE", path: "/lookup/7" }],
    ["a search by convention", post("/search", { q: "x" })],
    ["a path with an encoded slash", post("/lookup/..%2forders", {})],
    ["a member that may be another method", post("/lookup/7", { _method: "DELETE" })],
    ["such a member inside of a list", post("/lookup/7", { calls: [{ method: "DELETE" }] })],
    ["such a member in another spelling", post("/lookup/7", '{"\\u005fmethod":"DELETE"}')],
    ["such a member given twice", post("/lookup/7", '{"verb":"GET","verb":"DELETE"}')],
    ["such a parameter", post("/lookup/7?_method=DELETE", {})],
    ["an encoded backslash", post("/lookup/7%5c..", {})],
    ["a GraphQL mutation", post("/graphql", { query: mutation })],
    ["a GraphQL mutation at a path that `reads` names", post("/gql", { query: mutation })],
    ["a subscription", post("/graphql", { query: "subscription { rows { id } }" })],
    [
      "the mutation that `operationName` selects",
      post("/graphql", { query: `${query} ${mutation}`, operationName: "Drop" }),
    ],
    ["two operations without a selection", post("/graphql", { query: `${query} ${mutation}` })],
    [
      "two operations of one name",
      post("/graphql", { query: `${query} mutation Rows { drop }`, operationName: "Rows" }),
    ],
    ["an operation that is not there", post("/graphql", { query, operationName: "Other" })],
    [
      "a mutation behind the end of a block string",
      post("/graphql", { query: `query A { a(b: """x""") } ${mutation}` }),
    ],
    ["a document that does not parse", post("/graphql", { query: "query { rows { id }" })],
    ["a document with brackets of two kinds", post("/graphql", { query: "{ rows( } )" })],
    ["a document of fragments alone", post("/graphql", { query: "fragment A on B { c }" })],
    ["a persisted id", post("/graphql", { extensions: { persistedQuery: { sha256Hash: "ab" } } })],
    [
      "a persisted id beside a query",
      post("/graphql", { query, extensions: { persistedQuery: {} } }),
    ],
    ["an id of a document", post("/gql", { documentId: "7" })],
    ["several requests in one", post("/graphql", [{ query }, { query: mutation }])],
    ["several requests in one at such a path", post("/gql", [{ query: mutation }])],
    [
      "a mutation beside a number that reading changes",
      post("/gql", `{"query":"${mutation}","variables":{"price":1.0}}`),
    ],
    ["a document in the URL", post("/graphql?query=mutation{drop}", { query })],
    ["a selection in the URL", post("/graphql?operationName=Drop", { query })],
    ["a member that occurs twice", post("/graphql", '{"query":"{ a }","query":"mutation { a }"}')],
    ["a form with the id of a document", post("/lookup/7", { doc_id: 7 }, typed(form))],
    ["a form with a mutation", post("/lookup/7", { query: "mutation { drop }" }, typed(form))],
    ["a form with another method", post("/lookup/7", "q=1&%5fmethod=DELETE", typed(form))],
    ["a form at GraphQL's path", post("/graphql", { query: "{ a }" }, typed(form))],
    ["a mutation as text", post("/lookup/7", mutation, typed("application/graphql"))],
    [
      "a mutation in text that is JSON",
      post("/lookup/7", { query: mutation }, typed("text/plain")),
    ],
    [
      "a mutation beside a file",
      post("/lookup/7", { operations: { query: mutation }, a: { $text: "x" } }),
    ],
    [
      "a mutation in a long file",
      post("/lookup/7", { query: { $text: `mutation { drop(why: "${"x".repeat(200)}") }` } }),
    ],
    ["a file that is not there", post("/lookup/7", { $file: "r_none" })],
  ])("is held where it is not certain: %s", async (_what, input) => {
    // The approval check of the tool holds it, or it is refused before.
    expect(await findRefusal(input)).toBeDefined();
    expect(server.requests).toEqual([]);
  });

  it("is held without a delay for a string that does not end, with quotes in it", async () => {
    // Read from each quote, one takes six seconds.
    const document = `{ a }"${'\\"'.repeat(49_000)}`;
    for (let count = 0; count < 4; count += 1) {
      expect(await findRefusal(post("/graphql", { query: document }))).toBe("approval_required");
      await new Promise(setImmediate);
    }
  }, 10_000);

  it.each(["POST /", "POST /**"])("%s names a POST to the base URL itself", async (read) => {
    expect(await findRefusal(post("/", { q: "x" }), { reads: [read] })).toBeUndefined();
  });

  it.each<[string, unknown, object]>([
    ["XML", '<?xml version="1.0"?><getPrice symbol="X"/>', typed("text/xml")],
    ["SQL", "SELECT 1 WHERE a = 'b'", typed("text/plain")],
    ["NDJSON", '{"index":"a"}\n{"query":{"match":{}}}\n', typed("application/x-ndjson")],
    ["a form", { q: "x", payment_method: "card" }, typed(form)],
    ["a multipart body", { q: "x", image: { $text: "x" } }, {}],
    ["a file", { $text: "x", name: "a.txt" }, {}],
  ])("is not held where `reads` names it and its body is %s", async (_what, body, more) => {
    expect(await findRefusal(post("/lookup/7", body, more))).toBeUndefined();
    expect(await findRefusal(post("/orders", body, more))).toBe("approval_required");
  });

  it("is not held where the source sends forms", async () => {
    expect(
      await findRefusal(post("/lookup/7", { q: "x" }), { bodyFormat: "form" }),
    ).toBeUndefined();
  });

  describe("at the base URL itself", () => {
    const api = { baseUrl: `${server.url}/v1/graphql` };

    it("is a GraphQL query", async () => {
      expect(await findRefusal(post("", { query }), api)).toBeUndefined();
      expect(await findRefusal(post("/", { query }), api)).toBeUndefined();
      expect(await findRefusal(post("", { query: mutation }), api)).toBe("approval_required");
      expect(await findRefusal(post("/orders", { query }), api)).toBe("approval_required");
    });

    it.each(["POST /", "POST /**"])("is named by %s", async (read) => {
      const named = { baseUrl: `${server.url}/v1/ask`, reads: [read] };
      expect(await findRefusal(post("", { q: "x" }), named)).toBeUndefined();
      expect(await findRefusal(post("", { query: mutation }), named)).toBe("approval_required");
    });
  });
});
