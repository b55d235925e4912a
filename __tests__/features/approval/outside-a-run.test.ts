import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, fakeModel, HumanMessage } from "langchain";
import {
  type ApiSourceRecord,
  type ApprovalDecision,
  type ApprovalRequest,
  type CallContext,
  type ClientOptions,
  createApiSourceTool,
  createSourceClient,
} from "langchain-api-sources";
import { z } from "zod";
import { canaries } from "../../support/canary-toolkit.js";
import { encodeEverywhere } from "../../support/encode-everywhere.js";
import { createCanaryFinder } from "../../support/find-canary.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { noSleep, splitOptions, type TestOptions } from "../../support/seams.js";

let statuses: number[] = [];
const server = await startHttpServer((request, response) =>
  sendJson(response, { did: `${request.method} ${request.url}` }, statuses.shift() ?? 200),
);
afterEach(() => {
  statuses = [];
});

interface Asked {
  readonly __interrupt__?: { readonly id?: string }[];
}

type Decide = (request: ApprovalRequest, context: CallContext) => unknown;

const withApprover = (decide: Decide): ClientOptions => ({
  approve: "writes",
  approver: async (request, context) => decide(request, context) as ApprovalDecision,
});
/** Options with an approver that answers so, and what it was asked. */
const watchApprover = (decision: unknown = { type: "reject" }) => {
  const asked: ApprovalRequest[] = [];
  const options = withApprover((request) => {
    asked.push(request);
    return decision;
  });
  return { asked, options };
};
const record = (api: object = {}): ApiSourceRecord => ({
  name: "Shop",
  api: { baseUrl: server.url, ...api },
});
const order = { method: "POST", path: "/orders", body: { item: "chair" } };
const openTool = (options: TestOptions, api: object = {}) => {
  const shop = createApiSourceTool(record(api), ...splitOptions(options));
  return async (input: object): Promise<unknown> =>
    JSON.parse(String(await shop.invoke(input as typeof order)));
};
/** An agent whose model makes one call, and then is done. */
const openAgent = (
  tools: unknown[],
  checkpointer?: MemorySaver,
  name = "shop",
  args: object = order,
) =>
  createAgent({
    model: fakeModel()
      .respondWithTools([{ name, args: { ...args }, id: "c1" }])
      .respond(new AIMessage("done"))
      .respond(new AIMessage("done")),
    tools: tools as never[],
    ...(checkpointer === undefined ? {} : { checkpointer }),
  });
const go = { messages: [new HumanMessage("go")] };
const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
const sent = (): string[] => server.requests.map(({ method, url }) => `${method} ${url}`);

describe("approval outside of a run", () => {
  it("is an error of its own category where no one can be asked", async () => {
    const call = openTool({ approve: "writes" });
    const refusal = {
      error: {
        category: "approval_required",
        retryable: false,
        hint: expect.stringContaining("approver"),
      },
    };
    expect(await call(order)).toMatchObject(refusal);
    const client = createSourceClient(record(), { approve: "writes" });
    expect(JSON.parse((await client.call(order)).content)).toMatchObject(refusal);
    expect((await client.callWhole(order)).answer).toMatchObject(refusal);
    expect(sent()).toEqual([]);
    expect(await call({ path: "/orders" })).toMatchObject({ status: 200 });
  });

  it.each([undefined, null, "", 0, { approve: false }])(
    "sends nothing where the function `approve` returns %j",
    async (returned) => {
      const call = openTool({ approve: (() => returned) as never });
      expect(await call(order)).toMatchObject({ error: { category: "not_configured" } });
      expect(sent()).toEqual([]);
    },
  );

  const plainText = [{ name: "Content-Type", value: "text/plain" }];
  const formType = [{ name: "Content-Type", value: "application/x-www-form-urlencoded" }];
  it.each<[string, object]>([
    ["a parameter", { path: "/orders/1?_method=delete" }],
    ["a parameter in `query`", { path: "/orders/1", query: { $method: "DELETE" } }],
    ["a member", { path: "/orders/1", body: { _method: "DELETE" } }],
    ["a member whose method is not known", { path: "/orders/1", body: { _method: ["DELETE"] } }],
    ["a field of a form", { path: "/orders/1", body: "a=1&_method=DELETE", headers: formType }],
    [
      "a field of a form whose sign is encoded",
      { path: "/orders/1", body: { $text: "_method%3DDELETE", type: formType[0]?.value } },
    ],
    [
      "a text that is encoded too many times to be read",
      { path: "/orders/1", body: `a=%${"25".repeat(20)}`, headers: plainText },
    ],
    ["a part beside a file", { path: "/orders/1", body: { _method: "DELETE", a: { $text: "x" } } }],
    [
      "a header",
      { path: "/orders/1", headers: [{ name: "X-HTTP-Method-Override", value: "DELETE" }] },
    ],
  ])("asks the function `approve` about the method that %s names, too", async (_where, input) => {
    const options = { approve: ({ method }: ApprovalRequest) => method === "DELETE" };
    const api = { allowedHeaders: ["X-HTTP-Method-Override", "Content-Type"] };
    const call = openTool(options, api);
    const asked = { error: { category: "approval_required" } };
    expect(await call({ method: "POST", ...input })).toMatchObject(asked);
    expect(sent()).toEqual([]);
    const callAllowed = openTool(options, { ...api, methodParameter: "allow" });
    expect(await callAllowed({ method: "POST", ...input })).toMatchObject({ status: 200 });
  });

  it("asks the approver, who sees the request and the call's context, before anything is sent", async () => {
    const seen: unknown[] = [];
    const call = openTool(
      withApprover((request, { configurable }) => {
        seen.push(request, configurable, sent());
        return { type: "approve", digest: request.digest };
      }),
    );
    expect(await call(order)).toMatchObject({ status: 200 });
    expect(seen).toEqual([
      {
        source: "shop",
        method: "POST",
        url: `${server.url}/orders`,
        body: '{"item":"chair"}',
        args: order,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      undefined,
      [],
    ]);
    expect(sent()).toEqual(["POST /orders"]);
  });

  it("has no part in the time of a call: a person's answer takes as long as it takes", async () => {
    let nowMs = 1_000_000;
    const ended: unknown[] = [];
    const call = openTool({
      ...withApprover(async (request) => {
        await setImmediate();
        nowMs += 90_000;
        return { type: "approve", digest: request.digest };
      }),
      clock: { now: () => nowMs },
      onCall: (event) => event.phase === "call" && ended.push([event.durationMs, event.approval]),
    });
    expect(await call(order)).toMatchObject({ status: 200 });
    expect(ended).toEqual([[0, "approve"]]);
  });

  it("shows a form as its fields, truncates a long body, and shows no body where the call has none", async () => {
    const { asked, options } = watchApprover();
    await openTool(options, { bodyFormat: "form" })({
      ...order,
      body: { name: "Ada Lovelace", tags: ["a b", "c\ntotal = 1"] },
    });
    const call = openTool(options);
    await call({ ...order, body: { note: "x".repeat(20_000) } });
    await call({ method: "DELETE", path: "/orders/1" });
    const blank = "\u202e\u200b\u3164\uffa0\u115f\u034f\ufe0f\u2800\u2066\u{e0041}";
    const headers = { "X-Note": "private\u00ad and\u00a0more" };
    const noted = openTool(options, { allowedHeaders: ["X-Note"] });
    await noted({ ...order, body: { to: `a${blank}b` }, headers });
    const typed = openTool(options, { allowedHeaders: ["Content-Type"] });
    await typed({ ...order, body: "\ufeffa", headers: { "Content-Type": "text/plain" } });
    const bodies = asked.map(({ body }) => body);
    expect(bodies[4]).toBe("\\u{feff}a");
    expect(bodies[0]).toBe("name = Ada Lovelace\ntags[] = a b\ntags[] = c\\ntotal = 1");
    expect(bodies[1]).toMatch(/^\{"note":"x{9991}… \(10011 more characters not shown\)$/);
    expect(bodies[2]).toBeUndefined();
    const escaped = [...blank].map((each) => `\\u{${each.codePointAt(0)?.toString(16)}}`).join("");
    expect(bodies[3]).toBe(`{"to":"a${escaped}b"}`);
    expect(asked[3]?.headers).toMatchObject({ "X-Note": "private\\u{ad} and\\u{a0}more" });
    expect(sent()).toEqual([]);
  });

  it("gives every other body, path, header and thread another digest", async () => {
    const { asked, options } = watchApprover();
    const client = createSourceClient(record({ idempotencyHeader: "Idempotency-Key" }), options);
    const calls = [
      order,
      order,
      { ...order, body: { item: "chairs" } },
      { ...order, path: "/order" },
      { ...order, method: "PUT" },
      { ...order, headers: { "If-Match": "1" } },
    ];
    for (const call of calls) await client.call(call);
    await client.call(order, { threadId: "other" });
    const digests = asked.map(({ digest }) => digest);
    expect(digests[1]).toBe(digests[0]);
    expect(new Set(digests).size).toBe(6);
  });

  it("checks an edit again, with its select, before it is sent, and reports the call that was sent", async () => {
    const edit =
      (args: object): Decide =>
      () => ({ type: "edit", editedAction: { name: "shop", args } });
    const changed = { method: "POST", path: "/orders", body: { item: "table" }, select: "did" };
    expect(await openTool(withApprover(edit(changed)))(order)).toMatchObject({
      status: 200,
      data: "POST /orders",
      notes: [expect.stringContaining('{"item":"table"}')],
    });
    server.requests.length = 0;
    const refused = openTool(withApprover(edit({ method: "DELETE", path: "/orders" })), {
      methods: ["GET", "POST"],
    });
    expect(await refused(order)).toMatchObject({ error: { category: "refused_by_policy" } });
    expect(await openTool(withApprover(edit({ ...changed, select: "did[" })))(order)).toMatchObject(
      {
        error: { category: "invalid_input" },
      },
    );
    expect(sent()).toEqual([]);
  });

  it("ends with the caller, who need not wait for the approver", async () => {
    const abortion = new AbortController();
    const client = createSourceClient(
      record(),
      withApprover(() => new Promise(() => {})),
    );
    const call = client.call(order, { signal: abortion.signal });
    setTimeout(() => abortion.abort(new Error("enough")), 20);
    await expect(call).rejects.toThrow("enough");
    expect(sent()).toEqual([]);
  });

  it("sends an equal write that was approved by itself as another write, for one user as for two", async () => {
    const { asked, options } = watchApprover({ type: "approve" });
    const client = createSourceClient(record({ idempotencyHeader: "Idempotency-Key" }), options);
    for (const threadId of ["ada", "ada", "bob"]) await client.call(order, { threadId });
    expect(asked).toHaveLength(3);
    const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(3);
  });

  it("asks once for a call that is sent again: a retry, and a renewed token", async () => {
    let token = "first-t0ken-1";
    const { asked, options } = watchApprover({ type: "approve" });
    const call = openTool(
      {
        ...options,
        credentials: {
          shop: {
            token: () => token,
            onUnauthorized: () => {
              token = "second-t0ken-2";
            },
          },
        },
        sleep: noSleep,
      },
      { authType: "bearer", idempotencyHeader: "Idempotency-Key" },
    );
    statuses = [503, 401, 200];
    expect(await call(order)).toMatchObject({ status: 200 });
    expect(asked).toHaveLength(1);
    const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("the ways into a run", () => {
  const config = { configurable: { thread_id: "t" } };

  it("refuses in a run that can't stop, and asks the approver there", async () => {
    for (const options of [
      { approve: "writes" },
      withApprover(() => ({ type: "approve" })),
    ] as ClientOptions[]) {
      const agent = openAgent([createApiSourceTool(record(), options)]);
      await agent.invoke(go);
    }
    expect(sent()).toEqual(["POST /orders"]);
  });

  it("stops the run from a call that another tool makes with bare arguments, as an interpreter does", async () => {
    const shop = createApiSourceTool(record(), { approve: "writes" });
    const interpreter = tool(
      async ({ times }) => {
        const answers: unknown[] = [];
        for (let time = 0; time < times; time += 1)
          answers.push(await shop.invoke({ ...order, body: { item: String(time) } }));
        return JSON.stringify(answers);
      },
      { name: "interpreter", description: "Runs code.", schema: z.object({ times: z.number() }) },
    );
    const agent = openAgent([interpreter], new MemorySaver(), "interpreter", { times: 2 });
    await agent.invoke(go, config);
    expect(sent()).toHaveLength(0);
    await agent.invoke(approve, config);
    expect(sent()).toHaveLength(1);
    await agent.invoke(approve, config);
    expect(server.requests.map(({ body }) => body)).toEqual(['{"item":"0"}', '{"item":"1"}']);
  });

  it("answers, and sends nothing, in a run that can't be read", async () => {
    const shop = createApiSourceTool(record(), { approve: "writes" });
    const checkpointer = {
      getTuple: async () => {
        throw new Error("the database of secrets is down");
      },
    };
    const broken = {
      configurable: {
        __pregel_checkpointer: checkpointer,
        __pregel_scratchpad: {},
        checkpoint_map: { "": "1" },
      },
      interrupt: () => ({ decisions: [{ type: "approve" }] }),
    };
    const answer = String(await shop.invoke(order, broken as object));
    expect(JSON.parse(answer)).toMatchObject({ error: { category: "approval_required" } });
    expect(answer).not.toContain("database");
    expect(sent()).toEqual([]);
  });

  it("sends nothing when the approval can't be recorded", async () => {
    const down = async (): Promise<never> => {
      throw new Error("down");
    };
    const responseStore = { get: async () => null, put: down, delete: down };
    const agent = openAgent(
      [createApiSourceTool(record(), { approve: "writes", responseStore })],
      new MemorySaver(),
    );
    const answer: Asked & { messages: { text: string }[] } = await agent.invoke(go, config);
    expect(answer.__interrupt__).toBeUndefined();
    expect(answer.messages.at(-2)?.text).toContain("not_noted");
    expect(sent()).toEqual([]);
  });
});

describe("a secret", () => {
  it("is in no question and in no answer to it, however the call spells it", async () => {
    const shown: unknown[] = [];
    const token = canaries.bearer;
    // What is spelled in another way already would be spelled in two in the question.
    const forms = encodeEverywhere(token).filter(({ text }) => !/[\\%]/.test(text));
    const told = [token, ...forms.map(({ text }) => text)];
    const args = { method: "POST", path: "/x", query: { q: told.slice(0, 20) }, body: { told } };
    const edit = { type: "edit", editedAction: { name: "shop", args: { ...args, method: "PUT" } } };
    for (const decision of [edit, { type: "reject", message: `no ${token}` }]) {
      const { asked, options } = watchApprover(decision);
      const call = openTool(
        { ...options, credentials: { shop: { token } } },
        { authType: "bearer" },
      );
      shown.push(await call(args), asked[0]);
    }
    expect(sent()).toHaveLength(1);
    expect(shown).not.toContain(undefined);
    expect(createCanaryFinder([token]).find(JSON.stringify(shown))).toBeUndefined();
  });
});
