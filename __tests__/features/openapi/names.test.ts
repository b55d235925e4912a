import { beforeAll, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import type { AnswerDocument } from "../../support/shop-tool.js";
import { openTestFolder } from "../../support/test-folder.js";
import { shopDescription } from "./shop-description.js";

const folder = openTestFolder();
let openapi: string;
beforeAll(async () => {
  openapi = await folder.write("shop.json", shopDescription);
});
/** Answers with the status that the query or the body asks for. */
const server = await startHttpServer(({ url, body }, response) => {
  const status = Number(/answer(?:=|":)(\d{3})/.exec(url + body)?.[1] ?? 200);
  if (url.startsWith("/orders?since=links"))
    response.setHeader("Link", '</order?limits=a1&since=links>; rel="next"');
  sendJson(response, status < 400 ? { orders: [{ id: 1 }] } : { message: "no" }, status);
});

let threads = 0;
async function openTool(
  document: string | object = openapi,
  settings: Record<string, unknown> = {},
  options: ClientOptions = {},
) {
  const path =
    typeof document === "string" ? document : await folder.write(`${++threads}.json`, document);
  const record = { name: "Shop", api: { baseUrl: server.url, openapi: path, ...settings } };
  const toolkit = await ApiSourceToolkit.fromSources([record], options);
  const [tool] = toolkit.getTools();
  threads += 1;
  const own = `thread ${threads}`;
  return async (input: unknown, thread_id: string = own): Promise<AnswerDocument> =>
    JSON.parse(String(await tool?.invoke(input as never, { configurable: { thread_id } })));
}

const order = { customer: "c_1", lines: [{ sku: "A-1", quantity: 2 }] };
const since = { since: "2026-01-01" };
const get = (path: string, query: object = since) => ({ method: "GET", path, query });
const send = (method: string, path: string, body: unknown) => ({ method, path, body });
const post = (path: string, body?: unknown) =>
  body === undefined ? { method: "POST", path } : send("POST", path, body);

/** A document with one operation, whose query parameters or members have these names. */
const schemaOf = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});
const toDocument = (operation: object, path = "/a") => ({
  openapi: "3.1.0",
  info: { title: "A", version: "1" },
  paths: { [path]: { get: operation, post: operation } },
});
const taking = (...names: string[]) =>
  toDocument({ parameters: names.map((name) => ({ name, in: "query", schema: {} })) });
const bodyOf = (schema: object) =>
  toDocument({ requestBody: { content: { "application/json": { schema } } } });

/** The kind of name, the call, and the right name. */
const misspelt: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["path", get("/order"), "/orders"],
  ["path", get("/ORDERS"), "/orders"],
  ["path", post("/orders/7/refund", { amount: 5 }), "/orders/{id}/refunds"],
  ["path", send("PUT", "/setings/", { a: 1 }), "/settings"],
  ["parameter", get("/orders?limits=5"), "limit"],
  ["parameter", get("/orders", { ...since, limt: 5 }), "limit"],
  ["parameter", get("/orders", { ...since, "fliter[city]": "Ulm" }), "filter"],
  ["member", post("/orders", { ...order, curency: "eur" }), "currency"],
  ["member", post("/orders", JSON.stringify({ ...order, curency: "eur" })), "currency"],
];

describe("a misspelt name", () => {
  it.each(misspelt)(
    "of a %s is answered unsent once, with the right one: %j",
    async (kind, call, right) => {
      // An exploded object takes parameters of any name.
      const ask = await openTool(kind === "parameter" ? withoutPage : openapi);
      const { error } = await ask(call);
      expect(error).toMatchObject({
        category: "invalid_input",
        code: "misspelt_name",
        retryable: false,
      });
      expect(error.details).toMatchObject([{ kind: `unknown_${kind}`, expected: [right] }]);
      expect(error.hint).toContain(`\`${right}\``);
      expect(server.requests).toEqual([]);
      expect((await ask(call)).status).toBe(200);
      expect(server.requests).toHaveLength(1);
    },
  );

  it("inside of an object in brackets is the name of a parameter", async () => {
    const filter = {
      ...{ name: "filter", in: "query", style: "deepObject", explode: true },
      schema: schemaOf("country", "lifecycle"),
    };
    const ask = await openTool(toDocument({ parameters: [filter] }));
    for (const query of [{ "filter[lifecyle]": "x" }, { filter: { lifecyle: "x" } }]) {
      const { error } = await ask(get("/a", query), JSON.stringify(query));
      expect(error.details).toMatchObject([
        { given: "filter[lifecyle]", expected: ["filter[lifecycle]"] },
      ]);
    }
    expect(server.requests).toEqual([]);
    const { notes } = await ask(get("/a", { filter: { owner: "x", country: "DE" } }));
    expect(notes).toEqual([expect.stringContaining("no query parameter `filter[owner]`")]);
  });

  it("is answered once for each thread, operation and name, whichever toolkit has the call", async () => {
    const [ask, other] = [await openTool(), await openTool()];
    const isSent = async (given: Promise<AnswerDocument>): Promise<boolean> =>
      (await given).status === 200;
    const calls = [
      post("/orders", { ...order, curency: "eur" }),
      post("/orders", { ...order, currncy: "eur" }),
      send("PATCH", "/orders/7", { curency: "eur", comments: "a" }),
    ];
    for (const thread of ["one", "two"])
      for (const call of calls) expect(await isSent(ask(call, thread))).toBe(false);
    for (const call of calls) expect(await isSent(other(call, "one"))).toBe(true);
    // Of another order it is the same operation.
    expect(await isSent(other({ ...calls[2], path: "/orders/8" }, "one"))).toBe(true);
    expect(await isSent(ask(post("/orders/7/refund", {}), "one"))).toBe(false);
    expect(await isSent(ask(post("/orders/8/refund", {}), "one"))).toBe(true);
  });

  it("is answered with the others of its call, and a new one when these were answered", async () => {
    const ask = await openTool();
    const names = async (body: object) =>
      (await ask(post("/orders", { ...order, ...body }))).error?.details;
    expect(await names({ curency: 1, notes: 1 })).toMatchObject([
      { given: "curency" },
      { given: "notes" },
    ]);
    expect(await names({ curency: 1, custumer: 1, notes: 1 })).toBeUndefined();
    expect(await names({ curency: 1, parents: 1 })).toMatchObject([{ given: "parents" }]);
  });
});

const withoutPage = {
  ...shopDescription,
  paths: {
    "/orders": {
      ...shopDescription.paths["/orders"],
      get: {
        ...shopDescription.paths["/orders"].get,
        parameters: shopDescription.paths["/orders"].get.parameters.filter(
          (each) => !("name" in each) || each.name !== "page",
        ),
      },
    },
  },
};

describe("a list that the document names with brackets", () => {
  const query = { status: ["open", "paid"] };

  it.each(["status", "status[]", "status[0]"])("has brackets where a call has %s", async (name) => {
    const ask = await openTool(taking("status[]"));
    const { error } = await ask(get("/a", { [name]: "open" }));
    expect(error?.details).toEqual(
      name === "status"
        ? [{ kind: "unknown_parameter", given: "status", expected: ["status[]"] }]
        : undefined,
    );
  });

  it("is not the parameter without them, which the answer says", async () => {
    const ask = await openTool(taking("status[]"));
    await ask(get("/a", query));
    expect((await ask(get("/a", query))).notes?.join()).toContain("Nearest: `status[]`.");
  });

  it("is either where the document names both", async () => {
    const ask = await openTool(taking("status", "status[]"));
    expect((await ask(get("/a", query))).status).toBe(200);
  });
});

describe("a name is nearly another", () => {
  it.each([
    ["pageSize", "page_size"],
    ["ID", "id"],
    ["a-b", "a_b"],
    ["abcd", "abce"],
    ["abcdefg", "abcdefh"],
    ["abdcefg", "abcdefg"],
    ["abcdefgh", "abcdefij"],
    ["custmer_i", "customer_id"],
  ])("%s and %s", async (given, name) => {
    const ask = await openTool(taking(name));
    expect((await ask(get("/a", { [given]: "1" }))).error.details).toMatchObject([
      { expected: [name] },
    ]);
  });

  it.each([
    ["id", "ids"],
    ["abc", "abd"],
    ["abc", "abcd"],
    ["abcdefg", "abcdeij"],
    ["abcdefgh", "abcdeijk"],
    ["sort", "filter"],
  ])("%s and %s are not", async (given, name) => {
    const ask = await openTool(taking(name));
    expect((await ask(get("/a", { [given]: "1" }))).status).toBe(200);
  });

  it("the nearest of several", async () => {
    const ask = await openTool(taking("statuses", "statusses", "state"));
    const { error } = await ask(get("/a", { statusess: "1" }));
    expect(error.details).toMatchObject([{ expected: ["statuses"] }]);
  });
});

/** What is right, or left open by the description; and what is surely wrong, but no name. */
const sent: readonly (readonly [what: string, call: Record<string, unknown>])[] = [
  ["an ordinary call", get("/orders", { ...since, status: "open", limit: "5" })],
  ["a slash at the end", get("/orders/")],
  ["the server's own path in front", get("/v1/orders")],
  ["a path that is nearly none", get("/warehouses")],
  ["a path with a segment too many", get("/orders/7/refunds/8")],
  ["another method of a path", send("PUT", "/orders/7", {})],
  ["a placeholder", get("/orders/:id", {})],
  ["a value of another type", get("/orders/latest", { limit: "ten" })],
  ["a call without a required parameter", get("/orders", {})],
  ["a call without its body", post("/orders")],
  ["an unknown member of a nested object", post("/orders", { ...order, lines: [{ skuu: "A" }] })],
  ["a member that is nearly none", post("/orders", { ...order, warehouse: 7 })],
  ["a name beside the right one", post("/orders", { ...order, curency: "eur", currency: "eur" })],
  ["a member of an exploded object", get("/orders", { ...since, cursor: "a", limits: 1 })],
  ["a list in brackets", get("/orders?ids[]=1&ids[0]=2")],
  ["a path with slashes in its last parameter", get("/files/a/b.txt", {})],
  ["a member of a free-form object", send("PUT", "/settings", { setting: [1, { a: null }] })],
  ["the second alternative", post("/orders/7/refunds", { lines: [1] })],
  ["a list", post("/orders", [order])],
  [
    "a body that is no JSON",
    { ...post("/search", "q=1&qq=2"), headers: { "Content-Type": "text/plain" } },
  ],
];

describe("a call is sent", () => {
  it.each(sent)("with %s", async (_what, call) => {
    const ask = await openTool();
    expect((await ask(call)).error).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  const amount = { amount: 5, statuss: 1 };
  it.each<[string, object, Record<string, unknown>]>([
    ["members of any name", bodyOf({ ...schemaOf("status"), additionalProperties: {} }), amount],
    [
      "members by a pattern",
      bodyOf({ ...schemaOf("status"), patternProperties: { "^s": {} } }),
      amount,
    ],
    [
      "members that a branch has",
      bodyOf({ ...schemaOf("status"), oneOf: [schemaOf("statuss"), { type: "object" }] }),
      amount,
    ],
    [
      "a branch that takes any name",
      bodyOf({ anyOf: [schemaOf("status"), { type: "object", additionalProperties: true }] }),
      amount,
    ],
    [
      "a schema that is not followed",
      bodyOf({ allOf: [schemaOf("status"), { $ref: "https://a.example/b" }] }),
      amount,
    ],
  ])("where the operation takes %s", async (_what, document, body) => {
    const ask = await openTool(document);
    expect((await ask(post("/a", body))).status).toBe(200);
  });

  it("with a parameter that the record sets", async () => {
    const ask = await openTool(taking("version"), { query: { version: "2" } });
    expect(await ask(get("/a", { versions: "1" }))).toMatchObject({ status: 200 });
    expect(server.requests[0]?.url).toContain("version=2");
  });

  it("as the API itself named it: a page, a link, and a call that repeats its `next`", async () => {
    const ask = await openTool(withoutPage);
    const first = get("/orders", { since: "links" });
    expect((await ask({ ...first, pages: 2 })).error).toBeUndefined();
    const { next } = await ask(first);
    expect((await ask(next)).status).toBe(200);
    expect(server.requests.map(({ url }) => url)).toContain("/order?limits=a1&since=links");
  });
});

describe("the note on a query parameter", () => {
  it("names in a success a value that is none of its enumeration", async () => {
    const ask = await openTool();
    expect((await ask(get("/orders", { ...since, status: "null" }))).notes).toEqual([
      expect.stringContaining('The query parameter `status` is "null". The API\'s document says: '),
    ]);
    expect((await ask(get("/orders", { ...since, status: "open" }))).notes).toBeUndefined();
  });

  it("and the hint of a failure object to no value that is redacted", async () => {
    const settings = { query: { key: "$" + "{SHOP_KEY}" } };
    const ask = await openTool(openapi, settings, { secrets: { SHOP_KEY: "open" } });
    const query = { ...since, status: "open" };
    expect((await ask(get("/orders", query))).notes).toBeUndefined();
    const { error } = await ask(get("/orders", { ...query, limit: 500, answer: 400 }));
    expect(error.hint).toContain("It has maximum: 100.");
    expect(error.hint).not.toContain("REDACTED");
  });

  it("that the operation doesn't have is in a success, with the nearest, and not in a failure", async () => {
    const ask = await openTool(taking("teamId", "answer"));
    const { notes } = await ask(get("/a", { team: "a", colour: "red" }));
    expect(notes).toEqual([
      "GET /a has no query parameter `team`; the API may have ignored it. Nearest: `teamId`.",
      "GET /a has no query parameter `colour`; the API may have ignored it.",
    ]);
    const failed = await ask(get("/a", { team: "a", answer: "500" }));
    expect([failed.status, failed.notes]).toEqual([500, undefined]);
  });

  it.each([
    ["begins with x-", { "x-debug": "1" }],
    ["is an exploded object's", { cursor: "a" }],
  ])("is absent where it %s", async (_what, query) => {
    expect(
      (await (await openTool())(get("/orders", { ...since, ...query }))).notes,
    ).toBeUndefined();
  });
});

/** The status, the call, and what its hint must name. */
const advice: readonly (readonly [number, Record<string, unknown>, string])[] = [
  [404, get("/warehouses"), "9 operations"],
  [404, get("/shop/orders"), "Nearest: GET /orders"],
  [405, send("PUT", "/orders/7", {}), "/orders/{id} has GET, DELETE, PATCH"],
  [400, get("/orders/latest", {}), "an integer"],
  [400, get("/orders", {}), "`since`, of type string"],
  [422, get("/orders", { ...since, limit: "ten" }), "an integer"],
  [400, get("/orders", { ...since, status: "opne" }), 'nearest is "open"'],
  [415, post("/orders"), "`customer`, `lines`"],
  [422, post("/orders", { customer: "c_1" }), "`body.lines`, of type array"],
  [422, post("/orders", { ...order, lines: [{ sku: "A" }] }), "`body.lines[0].quantity`"],
  [400, post("/orders", { ...order, currency: "EUR" }), '"eur"'],
  [
    400,
    get("/orders", { since: "today" }),
    "`since` is not within its limits. It has format: date.",
  ],
  [422, post("/orders", { ...order, warehouse: 7 }), "no `body.warehouse`"],
];
const failing = await startHttpServer(({ url }, response) =>
  sendJson(response, { message: "no" }, Number(/^\/(\d{3})/.exec(url)?.[1])),
);

describe("after a failure, the hint", () => {
  it.each(advice)(
    "of a %s names what the document has against it: %j",
    async (status, call, names) => {
      const ask = await openTool(openapi, {
        baseUrl: `${failing.url}/${status}`,
        limits: { retries: 0 },
      });
      const { error } = await ask(call);
      expect(error.hint).toContain("Compare it with the API's document: ");
      expect(error.hint).toContain(names);
      expect(failing.requests).toHaveLength(1);
    },
  );

  it.each([401, 403, 409, 429, 500])("of a %d names nothing of it", async (status) => {
    const ask = await openTool(openapi, {
      baseUrl: `${failing.url}/${status}`,
      limits: { retries: 0 },
    });
    expect((await ask(get("/warehouses"))).error.hint).not.toContain("document");
  });

  it("of a path without its first segment names the path that has it", async () => {
    const settings = { baseUrl: `${failing.url}/404`, limits: { retries: 0 } };
    const ask = await openTool(toDocument({}, "/v1/customers"), settings);
    expect((await ask(get("/customers", {}))).error.hint).toContain("Nearest: GET /v1/customers");
  });

  const inHeader = { name: "Idempotency-Key", in: "header", required: true, schema: {} };
  const numbered = { type: "string", enum: [0, 1] };
  const counted = { enum: [10, 20] };
  const inBody = (type: string, more: object = {}) => ({
    requestBody: {
      content: {
        [type]: { schema: { type: "object", properties: { numbered, counted, ...more } } },
      },
    },
  });
  const inQuery = (schema: object) => ({ parameters: [{ name: "n", in: "query", schema }] });
  const inParts = inBody("multipart/form-data");
  const inJson = inBody("application/json");
  const isOne = (name: string, given: string, values: string) =>
    `\`body.${name}\` is ${given}. It is one of ${values}`;
  const stated: readonly (readonly [number, object, Record<string, unknown>, string])[] = [
    [428, { parameters: [inHeader] }, post("/a"), "The header `Idempotency-Key` is missing."],
    [422, inParts, post("/a", { numbered: "7" }), isOne("numbered", '"7"', '"0", "1".')],
    [
      422,
      inBody("application/x-www-form-urlencoded"),
      post("/a", { numbered: "7" }),
      isOne("numbered", '"7"', '"0", "1".'),
    ],
    [422, inJson, post("/a", { numbered: "7" }), isOne("numbered", '"7"', '"0", "1".')],
    [422, inJson, post("/a", { counted: "10" }), isOne("counted", '"10"', "10, 20")],
    [
      422,
      inBody("application/json", { at: { enum: [{ x: 1 }, { y: 2 }] } }),
      post("/a", { at: { z: 3 } }),
      'It is one of "{"x":1}", "{"y":2}".',
    ],
    [400, inQuery({ type: "integer", maximum: 100 }), get("/a?n=500", {}), "It has maximum: 100."],
    [
      400,
      inQuery({ type: "number", exclusiveMinimum: 0 }),
      get("/a?n=0", {}),
      "It has exclusiveMinimum: 0.",
    ],
    [
      400,
      inQuery({ type: "number", minimum: 0, exclusiveMinimum: true }),
      get("/a?n=0", {}),
      "It has exclusiveMinimum: true.",
    ],
  ];

  it.each(stated)("of a %d names what the operation states: %j", async (...row) => {
    const [status, operation, call, names] = row;
    const settings = { baseUrl: `${failing.url}/${status}`, limits: { retries: 0 } };
    const ask = await openTool(toDocument(operation), settings);
    expect((await ask(call)).error.hint).toContain(names);
  });

  it("has nothing against a value that a string of a document may have as a number", async () => {
    const settings = { baseUrl: `${failing.url}/422`, limits: { retries: 0 } };
    const ask = await openTool(toDocument(inJson), settings);
    const { error } = await ask(post("/a", { numbered: "1", counted: 10 }));
    expect(error.hint).not.toContain("document");
  });

  it("names nothing where the call is as the document has it", async () => {
    const ask = await openTool(openapi, { baseUrl: `${failing.url}/400` });
    expect((await ask(post("/orders", order))).error.hint).not.toContain("document");
  });
});

it("shows no secret of a wrong call", async () => {
  // Longer than what a message quotes: half of it would not be found in the final text.
  const token = `s3cr3t-${"x".repeat(300)}-9`;
  for (const baseUrl of [server.url, `${failing.url}/400`]) {
    const toolkit = await ApiSourceToolkit.fromSources(
      [{ name: "Shop", api: { baseUrl, openapi, authType: "bearer" } }],
      { credentials: { shop: { token } } },
    );
    const [tool] = toolkit.getTools();
    const calls = [
      post("/orders", { ...order, currency: token, [token]: 1, curency: 1 }),
      get(`/orders/${token}`),
      get(`/ordrs?${token}=1`),
      get("/orders", { ...since, status: token, [token]: "1" }),
      post(`/orders/${token}/refund`, {}),
    ];
    for (const call of [...calls, ...calls]) {
      const answer = String(await tool?.invoke(call as never));
      expect(answer).not.toContain("s3cr3t");
    }
  }
});
