/** Decisions with `always: true`: what they cover, what they never cover, and how they end. */

import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { InMemoryStore } from "@langchain/langgraph";
import {
  ApiSourceToolkit,
  type ApprovalDecision,
  type ApprovalRequest,
  type CallContext,
  type CallEvent,
  type ClientOptions,
} from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";
import { openMapStore, type Store } from "../../support/map-store.js";
import { openTestFolder } from "../../support/test-folder.js";

const hourMs = 3_600_000;
const secret = "tenant_canary_5521";

const server = await startHttpServer();
const folder = openTestFolder();
let openapi: string;
let nowMs: number;
/** What the approver was asked about. */
let asked: ApprovalRequest[];
let events: CallEvent[];

beforeAll(async () => {
  const write = { responses: { 200: { description: "Done" } } };
  const pathItem = { put: write, post: write, delete: write };
  const paths = {
    "/orders": pathItem,
    "/orders/open": { put: write },
    "/orders/{orderId}": pathItem,
    "/orders/{orderId}/lines/{line}": pathItem,
    "/files/{path}": pathItem,
    "/orders/{orderId}/{action}": { post: write },
    "/reports/{name}.json": { put: write },
  };
  openapi = await describePaths("shop.json", paths);
});
beforeEach(() => {
  nowMs = Date.parse("2026-11-23T10:00:00Z");
  asked = [];
  events = [];
});

const always: ApprovalDecision = { type: "approve", always: true };

interface Given extends ClientOptions {
  readonly api?: object;
  readonly decide?: (request: ApprovalRequest) => unknown;
}

/** A toolkit of two sources whose approver answers always; nothing is shared but what is given. */
async function open({ api = {}, decide = () => always, ...options }: Given = {}) {
  const own: ClientOptions = {
    approve: "writes",
    responseStore: new InMemoryStore(),
    onCall: (event) => void events.push(event),
    approver: async (request) => {
      asked.push(request);
      return decide(request) as ApprovalDecision;
    },
    ...options,
  };
  const toolkit = await ApiSourceToolkit.fromSources(
    [
      { name: "Shop", api: { baseUrl: server.url, ...api } },
      { name: "Store", api: { baseUrl: server.url } },
    ],
    own,
    { clock: { now: () => nowMs } },
  );
  const [shop, store] = toolkit.listClients();
  const call = async (input: object, context: CallContext = { threadId: "t" }, client = shop) => {
    const outcome = await client?.call({ method: "POST", path: "/orders", ...input }, context);
    return JSON.parse(outcome?.content ?? "");
  };
  return { toolkit, call, store };
}

const order = { body: { item: "chair" } };
const sent = (): string[] => server.requests.map(({ method, url }) => `${method} ${url}`);

/** Method and path of what a decision would cover. */
const readCovered = (request?: ApprovalRequest): string | undefined =>
  /^every later (.*) of Shop in this conversation/.exec(request?.always ?? "")?.[1];

/** Members that choose an operation. */
const choosing = "jsonrpc method action operation operations command calls requests batch".split(
  " ",
);

const describePaths = (file: string, paths: object): Promise<string> =>
  folder.write(file, { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths });

describe("a decision with always", () => {
  it("lets later calls to the same method and path pass without a question, whatever is in their JSON object", async () => {
    const { call } = await open();
    expect(await call(order)).toEqual({ status: 200, data: { ok: true } });
    expect(await call({ body: { item: "table" } })).toEqual({ status: 200, data: { ok: true } });
    expect(await call({ body: { item: { method: "x" }, note: "{ a }" } })).toMatchObject({
      status: 200,
    });
    expect(asked.map((request) => request.always)).toEqual([
      "every later POST /orders of Shop in this conversation",
    ]);
    expect(sent()).toEqual(["POST /orders", "POST /orders", "POST /orders"]);
    const calls = events.filter(({ phase }) => phase === "call");
    expect(calls).toMatchObject([
      { approval: "approve", digest: asked[0]?.digest },
      { approval: "always", digest: asked[0]?.digest },
      { approval: "always", digest: asked[0]?.digest },
    ]);
  });

  it.each<[string, object, CallContext?]>([
    ["method", { method: "PUT" }],
    ["path", { path: "/orders/1" }],
    ["spelling of the path", { path: "/%6Frders" }],
    ["thread", {}, { threadId: "u" }],
    ["thread, which is none,", {}, {}],
    ["header of its own", { headers: { "If-Match": "1" } }],
    ["query string", { query: { notify: "true" } }],
    ["file", { body: { $file: "a.txt" } }],
    ["text that a person would not see", { body: { text: "x".repeat(10_000) } }],
    ["parameter that overrides the method, encoded twice,", { path: "/orders?%255Fmethod=DELETE" }],
    ["member that overrides the method", { body: { "X-HTTP-Method-Override": "DELETE" } }],
    ["GraphQL document", { body: { query: "mutation { drop }" } }],
    ["stored GraphQL document", { body: { extensions: { persistedQuery: {} } } }],
    ["JSON-RPC request", { body: { jsonrpc: "2.0", method: "drop" } }],
    [
      "JSON-RPC request, its member written twice and with escapes,",
      { body: '{"a":1,"\\u006dethod":"x","\\u006dethod":"y"}' },
    ],
    ["list", { body: [{ item: "chair" }] }],
    ["body that is a text", { body: "chair", headers: { "Content-Type": "text/plain" } }],
    ...choosing.map((name): [string, object] => [
      `member ${name}`,
      { body: { item: "chair", [name]: 1 } },
    ]),
  ])("does not cover a call with another %s", async (_what, input, ...[context]) => {
    const readFile = () => ({ bytes: new Uint8Array([1]) });
    const decide = (): unknown => (asked.length === 1 ? always : { type: "reject" });
    const { call } = await open({ readFile, decide });
    await call(order);
    expect(await call({ ...order, ...input }, context)).toMatchObject({
      error: { code: "rejected" },
    });
    expect(asked).toHaveLength(2);
    expect(sent()).toEqual(["POST /orders"]);
  });

  it("does not cover another source, scope or tenant", async () => {
    const responseScope = ({ configurable }: CallContext): string => String(configurable?.["user"]);
    const { call, store } = await open({
      responseScope,
      api: {
        baseUrl: `${server.url}/{tenant}`,
        variables: { tenant: "${TENANT}" },
        headers: { "X-Region": "${REGION}" },
      },
      secrets: (name, _source, { configurable }) => String(configurable?.[name]),
    });
    const of = (values: object): CallContext => ({
      threadId: "t",
      configurable: { user: "ada", TENANT: "one", REGION: "eu", ...values },
    });
    await call(order, of({}));
    await call(order, of({}));
    expect(asked).toHaveLength(1);
    await call(order, of({ user: "bob" }));
    await call(order, of({ TENANT: "two" }));
    await call(order, of({ REGION: "us" }));
    await call(order, of({}), store);
    expect(asked).toHaveLength(5);
  });

  it("lasts for 24 hours", async () => {
    const { call, toolkit } = await open();
    await call(order);
    nowMs += 24 * hourMs - 1;
    await call(order);
    expect(asked).toHaveLength(1);
    nowMs += 1;
    expect(await toolkit.listApprovals("t")).toEqual([]);
    await call(order);
    expect(asked).toHaveLength(2);
  });

  it("covers reads where all calls are held, and calls that a function holds; what it would cover is not looked up for the function", async () => {
    const { call } = await open({ approve: "all" });
    for (const _time of [1, 2]) await call({ method: "GET", path: "/rows", body: undefined });
    expect(asked).toHaveLength(1);
    const seen: unknown[] = [];
    const other = await open({ approve: (request) => seen.push(request.always) > 0 });
    for (const item of ["a", "b"]) await other.call({ body: { item } });
    expect(asked).toHaveLength(2);
    expect(seen).toEqual([undefined, undefined]);
    expect(asked[1]?.always).toContain("POST /orders");
  });

  it("covers a form and a multipart body without a file", async () => {
    for (const bodyFormat of ["form", "multipart"]) {
      asked = [];
      const { call } = await open({ api: { bodyFormat } });
      for (const item of ["a", "b"]) await call({ body: { item } });
      expect(asked).toHaveLength(1);
      for (const name of ["_method", ...choosing])
        await call({ body: { item: "a", [name]: "DELETE" } });
      await call({ body: { query: "mutation { drop }" } });
      expect(asked).toHaveLength(choosing.length + 3);
    }
  });
});

describe("with a description, a decision with always", () => {
  const put = (path: string): object => ({ method: "PUT", path, ...order });

  it("covers the path template, and the question names it", async () => {
    const { call, toolkit } = await open({ api: { openapi } });
    for (const path of ["/orders/7", "/orders/8", "/orders/a-b.2"]) await call(put(path));
    expect(asked.map((request) => request.always)).toEqual([
      "every later PUT /orders/{orderId} of Shop in this conversation: every order",
    ]);
    expect(await toolkit.listApprovals("t")).toMatchObject([
      { method: "PUT", path: "/orders/{orderId}" },
    ]);
    expect(server.requests).toHaveLength(3);
  });

  it("counts for the template that the question named: the digest covers it", async () => {
    for (const given of [{}, { api: { openapi } }])
      await (await open({ ...given, decide: () => ({ type: "reject" }) })).call(put("/orders/7"));
    const [path, template] = asked;
    expect([path, template].map(readCovered)).toEqual(["PUT /orders/7", "PUT /orders/{orderId}"]);
    expect(path?.digest).not.toBe(template?.digest);
  });

  it.each(["/orders/open", "/orders/7/", "/orders/7:cancel", "/orders/all", "/orders/7%2Flines"])(
    "does not cover %s by a template",
    async (path) => {
      const { call } = await open({ api: { openapi } });
      await call(put("/orders/7"));
      await call(put(path));
      expect(asked).toHaveLength(2);
      expect(readCovered(asked[1]) ?? `PUT ${path}`).toBe(`PUT ${path}`);
    },
  );

  it.each([
    ["/files/a", "PUT /files/{path}", "/files/a/b"],
    ["/reports/a.json", "PUT /reports/a.json", "/reports/b.json"],
  ])("of %s covers %s, and not %s", async (path, covered, other) => {
    const { call } = await open({ api: { openapi } });
    await call(put(path));
    await call(put(other));
    expect(readCovered(asked[0])).toBe(covered);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["nothing but parameters", "/{area}/{name}", "/users/7"],
    [
      "a parameter whose name is more than a name",
      "/notes/{id\n\nOnly this note \u202e}",
      "/notes/7",
    ],
  ])("covers the path alone where the template has %s", async (_what, template, path) => {
    const paths = { [template]: { post: { responses: { 200: { description: "Done" } } } } };
    const { call } = await open({ api: { openapi: await describePaths("other.json", paths) } });
    await call({ path });
    expect(asked.map(readCovered)).toEqual([`POST ${path}`]);
  });
});

describe("a decision with always that cannot last", () => {
  it.each<[string, object, CallContext | undefined, Given]>([
    ["the call has no thread", {}, {}, {}],
    ["chooses what it does", { body: { item: "chair", action: 1 } }, undefined, {}],
    ["the agent has no store", {}, undefined, { responseStore: "runtime" }],
    ["returned no owner", {}, undefined, { responseScope: () => "" }],
    [
      "returned no owner",
      {},
      undefined,
      {
        responseScope: () => {
          throw new Error("down");
        },
      },
    ],
  ])("counts once, and the answer has the reason: %s", async (why, input, context, given) => {
    const { call } = await open(given);
    for (const time of [1, 2]) {
      const answer = await call({ ...order, ...input }, context);
      expect(answer).toMatchObject({
        status: 200,
        notes: [
          expect.stringMatching(/^The decision about this call has `always`, and counts once: /),
        ],
      });
      expect(answer.notes[0]).toContain(why);
      expect(asked).toHaveLength(time);
      expect(asked[time - 1]).not.toHaveProperty("always");
    }
  });

  it("is an edit: the edited call is sent, and neither path is covered", async () => {
    const args = { method: "POST", path: "/carts", body: {} };
    const decide = ({ url }: ApprovalRequest): unknown =>
      url.endsWith("/orders")
        ? { type: "edit", editedAction: { name: "shop", args }, always: true }
        : { type: "reject" };
    const { call } = await open({ decide });
    const { notes } = await call(order);
    expect(notes).toEqual([
      expect.stringContaining("A person changed this call"),
      expect.stringContaining("counts once: a person edited the call"),
    ]);
    await call(order);
    await call(args);
    expect(asked).toHaveLength(3);
    expect(sent()).toEqual(["POST /carts", "POST /carts"]);
  });
});

describe("the decisions that last in a thread", () => {
  it("are listed for it, the oldest first, and without a secret in list or store", async () => {
    const put: string[] = [];
    const inner = openMapStore().responseStore;
    const responseStore: Store = {
      ...inner,
      put: async (namespace, key, value) => {
        put.push(JSON.stringify([namespace, key, value]));
        await inner.put(namespace, key, value);
      },
    };
    const { call, toolkit } = await open({
      responseStore,
      api: { baseUrl: `${server.url}/{tenant}`, variables: { tenant: "${TENANT}" } },
      secrets: { TENANT: secret },
      toolNames: { shop: "my_shop" },
    });
    await call(order);
    nowMs += hourMs;
    await call({ method: "DELETE", path: `/orders/${secret}`, body: undefined });
    await call(order, { configurable: { thread_id: 7 } });
    expect(await toolkit.listApprovals("t")).toEqual([
      {
        source: "my_shop",
        method: "POST",
        path: "/orders",
        expiresAt: "2026-11-24T10:00:00.000Z",
        digest: asked[0]?.digest,
      },
      {
        source: "my_shop",
        method: "DELETE",
        path: "/orders/[REDACTED]",
        expiresAt: "2026-11-24T11:00:00.000Z",
        digest: asked[1]?.digest,
      },
    ]);
    expect(await toolkit.listApprovals("7")).toHaveLength(1);
    expect(await toolkit.listApprovals("none")).toEqual([]);
    expect(put.filter((entry) => entry.includes("api-approvals")).length).toBeGreaterThan(3);
    expect(put.filter((entry) => entry.includes(secret))).toEqual([]);
  });

  it("end when they are revoked, also those that another toolkit with the same store noted", async () => {
    const responseStore = new InMemoryStore();
    const [one, other] = [await open({ responseStore }), await open({ responseStore })];
    await one.call(order);
    await one.call(order, { threadId: "u" });
    await other.call(order);
    expect(asked).toHaveLength(2);
    await other.toolkit.revokeApprovals("t");
    expect(await one.toolkit.listApprovals("t")).toEqual([]);
    await one.call(order);
    await one.call(order, { threadId: "u" });
    expect(asked).toHaveLength(3);
    expect(await other.toolkit.listApprovals("t")).toHaveLength(1);
  });

  it("do not come back when another process notes one at the moment of the revocation", async () => {
    const inner = openMapStore().responseStore;
    let beforeList = async (): Promise<void> => {};
    const responseStore: Store = {
      ...inner,
      put: async (namespace, key, value) => {
        if (key.endsWith("-list")) await beforeList();
        await inner.put(namespace, key, value);
      },
    };
    const { call, toolkit } = await open({ responseStore });
    const other = await open({ responseStore: inner });
    await call(order);
    beforeList = () => other.toolkit.revokeApprovals("t");
    await call({ path: "/carts" });
    beforeList = async () => {};
    expect(await toolkit.listApprovals("t")).toEqual([]);
    asked = [];
    await call(order);
    await call({ path: "/carts" });
    expect(asked).toHaveLength(2);
  });

  it.each(["-key", "-list"])(
    "are asked about again when the store loses the entry %s",
    async (lost) => {
      const { entries, responseStore } = openMapStore();
      const { call } = await open({ responseStore });
      await call(order);
      for (const key of entries.keys()) if (key.endsWith(lost)) entries.delete(key);
      await call(order);
      expect(asked).toHaveLength(2);
      await call(order);
      expect(asked).toHaveLength(2);
    },
  );

  it("are not used while the store fails: the person is asked, reads why nothing lasts, and nothing is listed or revoked", async () => {
    const fail = async (): Promise<never> => {
      throw new Error("down, password hunter2");
    };
    const { call, toolkit } = await open({ responseStore: { get: fail, put: fail, delete: fail } });
    const { status, notes } = await call(order);
    expect([status, notes, asked.length]).toEqual([
      200,
      [expect.stringContaining("counts once: the store that would keep it failed")],
      1,
    ]);
    const failure = { category: "not_configured", code: "store_failed" };
    await expect(toolkit.listApprovals("t")).rejects.toMatchObject(failure);
    await expect(toolkit.revokeApprovals("t")).rejects.toMatchObject(failure);
  });

  it("are in the agent's store with responseStore runtime; list and revoke receive that store", async () => {
    const store = new InMemoryStore();
    const { call, toolkit } = await open({ responseStore: "runtime" });
    for (const _time of [1, 2]) await call(order, { threadId: "t", store });
    expect(asked).toHaveLength(1);
    expect(await toolkit.listApprovals("t", { store })).toHaveLength(1);
    await expect(toolkit.revokeApprovals("t")).rejects.toMatchObject({ code: "no_store" });
    await toolkit.revokeApprovals("t", { store });
    await call(order, { threadId: "t", store });
    expect(asked).toHaveLength(2);
    await expect(toolkit.listApprovals("")).rejects.toMatchObject({ code: "no_thread" });
  });
});
