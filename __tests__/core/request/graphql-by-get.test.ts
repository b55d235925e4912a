import { afterEach, describe, expect, it } from "@jest/globals";
import { type ClientOptions, createSourceClient } from "langchain-api-sources";
import { type Respond, sendJson, startHttpServer } from "../../support/http-server.js";

/** What the API answers; every other request gets `{}`. */
let respond: Respond | undefined;
const server = await startHttpServer((request, response) =>
  respond === undefined ? sendJson(response, {}) : respond(request, response),
);
const storage = await startHttpServer();

afterEach(() => {
  respond = undefined;
});

const call = async (
  api: object,
  request: object,
  options: ClientOptions = {},
): Promise<unknown> => {
  const client = createSourceClient(
    { name: "Shop", api: { baseUrl: server.url, ...api } },
    options,
  );
  return JSON.parse((await client.call({ method: "GET", path: "/graphql", ...request })).content);
};

const writes = [
  "mutation { remove(id: 1) { id } }",
  "# query\nmutation Remove($id: ID!) { remove(id: $id) { id } }",
  "query A { a } mutation B { b }",
  `mutation { remove(ids: ${"[".repeat(200)}1${"]".repeat(200)}) { id } }`,
  "subscription { changes { id } }",
  'mutation { add(text: "salt & pepper") { id } }',
  'mutation { add(text: "a; b=c") { id } }',
  " mutation { remove(id: 1) { id } } ",
];

describe("a GraphQL document in a GET", () => {
  it.each(writes)(
    "is refused where the source allows only GET, and else waits for a person: %j",
    async (query) => {
      const encoded = encodeURIComponent(query);
      for (const input of [
        { query: { query } },
        { query: `query=${encoded}` },
        { path: `/other?q=${encoded}` },
        { path: `/graphql?${new URLSearchParams({ query })}` },
        { path: `/graphql?query=${query.replace(/[&#\n]/g, encodeURIComponent)}`.trim() },
      ]) {
        const refused = { error: { category: "refused_by_policy" } };
        expect(await call({ methods: ["GET"] }, input)).toMatchObject(refused);
        const held = { error: { category: "approval_required" } };
        expect(await call({}, input, { approve: "writes" })).toMatchObject(held);
      }
      expect(server.requests).toEqual([]);
    },
  );

  it.each([
    "{ me { id } }",
    "query Mutation { mutation }",
    "mutation of genes {x",
    "words about a mutation",
  ])("is sent where it is a query, or not a document: %j", async (query) => {
    expect(
      await call({ methods: ["GET"] }, { query: { query } }, { approve: "writes" }),
    ).toMatchObject({
      status: 200,
    });
  });
});

describe("a GraphQL mutation that an answer leads to", () => {
  const query = `query=${encodeURIComponent('mutation { remove(id: "1&2") { id } }')}`;
  const place = `/graphql?${query}`;

  const leadsTo = (
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ): Respond => {
    return ({ url, method }, response) => {
      if (url.startsWith("/graphql") || (url === "/jobs/7" && method === "POST"))
        sendJson(response, {});
      else if (url === "/jobs/7") sendJson(response, { status: "done", file: place });
      else sendJson(response, body, status, headers);
    };
  };

  it.each<[string, Respond, object, object?]>([
    ["a redirect", leadsTo(302, {}, { Location: place }), { path: "/a" }],
    [
      "a redirect to a host for downloads",
      leadsTo(302, {}, { Location: `http://localhost:${storage.port}${place}` }),
      { path: "/a" },
      { network: { downloadHosts: ["localhost"] } },
    ],
    [
      "a link to the next page",
      leadsTo(200, [{ id: 1 }], { Link: `<${place}>; rel="next"` }),
      { path: "/a", pages: 3 },
    ],
    ["the place of a job", leadsTo(202, {}, { Location: place }), { path: "/a", wait: 1 }],
    [
      "the place of a job that a write starts",
      leadsTo(202, {}, { Location: place }),
      { method: "POST", path: "/a", wait: 5 },
    ],
    ["a 303 after a write", leadsTo(303, {}, { Location: place }), { method: "POST", path: "/a" }],
    [
      "the result of a job",
      leadsTo(202, {}, { Location: "/jobs/7" }),
      { method: "POST", path: "/a", wait: 5 },
      { jobs: { status: "status", done: ["done"], result: "file" } },
    ],
  ])("is not sent, and the answer reports it: %s", async (_what, answers, request, api = {}) => {
    respond = answers;
    const answered = [await call(api, request)];
    if (!("method" in request)) answered.push(await call({ methods: ["GET"], ...api }, request));
    expect(server.requests.length).toBeGreaterThan(0);
    expect(
      [...server.requests, ...storage.requests].filter(({ url }) => url.includes("mutation")),
    ).toEqual([]);
    for (const answer of answered)
      expect(JSON.stringify(answer)).toMatch(/may change something|no writes by POST/);
  });
});
