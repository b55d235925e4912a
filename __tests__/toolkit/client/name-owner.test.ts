/** The limits of a caller whose credential is another value at each call: they belong to the caller. */

import { describe, expect, it } from "@jest/globals";
import { type CallContext, type ClientOptions, createSourceClient } from "langchain-api-sources";
import { noSleep, splitOptions, type TestOptions } from "../../support/seams.js";

type Api = Record<string, unknown>;
type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };

let values = 0;
const next = (): string => `value-${++values}-Kq83hZpW`;
const bearer = { authType: "bearer" };
const givers: [string, Api, ClientOptions][] = [
  ["a function", bearer, { credentials: () => ({ token: next() }) }],
  ["a token provider", bearer, { credentials: { shop: { token: next } } }],
  [
    "a credential provider",
    bearer,
    { credentials: { getCredential: async () => ({ token: next() }) } },
  ],
  [
    "a function of passwords",
    { authType: "basic" },
    { credentials: () => ({ username: "ada", password: next() }) },
  ],
  ["a function of secrets", { headers: { "X-Key": `\${KEY}` } }, { secrets: next }],
  ["a signer", {}, { credentials: { shop: { sign: () => ({ headers: { "X-Sign": next() } }) } } }],
];

/** A client whose API always answers so, and how many requests it was sent. */
function open(api: Api, options: TestOptions, answer: Answer = {}) {
  const sent: string[] = [];
  let nowMs = 1_000_000;
  const client = createSourceClient(
    {
      name: "Shop",
      api: {
        baseUrl: "https://api.shop.example",
        ...api,
        limits: { retries: 0, ...Object(api["limits"]) },
      },
    } as never,
    ...splitOptions({
      ...options,
      clock: { now: () => nowMs },
      sleep: noSleep,
      transport: ({ headers }) => {
        sent.push(headers["authorization"] ?? "");
        return { body: {}, ...answer };
      },
    }),
  );
  const ask = async (context: CallContext = {}): Promise<number> => {
    await client.call({ method: "GET", path: "/orders" }, context);
    nowMs += 1;
    return sent.length;
  };
  /** Calls it as a model does. */
  const askInThread = async (thread_id: string): Promise<number> => {
    await client.tool.execute(
      { method: "GET", path: "/orders" },
      {
        configurable: { thread_id },
      },
    );
    return sent.length;
  };
  return { ask, askInThread, sent };
}

describe.each(givers)("a value of %s that is another at each call", (_what, api, options) => {
  const limited: Answer = { status: 429, headers: { "retry-after": "60" } };

  it("keeps to the wait that the API stated", async () => {
    const { ask } = open(api, options, limited);
    await ask({ threadId: "a" });
    expect(await ask({ threadId: "b" })).toBe(1);
  });

  it("has one quota", async () => {
    const { ask } = open({ ...api, limits: { requestsPerMinute: 2, maxWaitMs: 1 } }, options);
    for (let calls = 0; calls < 4; calls += 1) await ask();
    expect(await ask()).toBe(2);
  });

  it("is one caller of the same failing call", async () => {
    const { askInThread } = open(api, options, { status: 500 });
    for (let calls = 0; calls < 4; calls += 1) await askInThread("a");
    expect(await askInThread("a")).toBe(3);
  });
});

it("a token that each body calls expired is renewed once in a minute, also where each is another", async () => {
  const expired = { status: 403, body: { error: { code: "token_expired" } } };
  const { ask } = open(bearer, { credentials: { shop: { token: next } } }, expired);
  const first = await ask();
  for (let calls = 0; calls < 3; calls += 1) await ask();
  expect([first, await ask()]).toEqual([2, 6]);
});

it("a token of a caller whom nothing names is renewed by a body once in a minute", async () => {
  let token = next();
  const provider = {
    token: () => token,
    onUnauthorized: () => {
      token = next();
    },
  };
  const expired = { status: 403, body: { error: { code: "token_expired" } } };
  const { ask } = open(bearer, { credentials: { shop: provider } }, expired);
  const unnamed = { context: new Date(0) };
  const first = await ask(unnamed);
  expect([first, await ask(unnamed), await ask(unnamed)]).toEqual([2, 3, 4]);
});

describe("the callers of a function", () => {
  const user = (name: string): CallContext => ({ configurable: { user: name } });
  const authenticated = (name: string): CallContext => ({
    configurable: { langgraph_auth_user: { identity: name } },
  });
  const nameOf = ({ configurable }: CallContext): string => String(configurable?.["user"]);

  it.each<[string, (name: string) => CallContext, TestOptions]>([
    ["configurable", user, {}],
    ["a private member of configurable", (name) => ({ configurable: { __user: name } }), {}],
    ["context", (name) => ({ context: { name } }), {}],
    ["userOf", user, { userOf: nameOf }],
    ["responseScope", user, { responseScope: nameOf }],
    ["the user that LangGraph authenticated", authenticated, {}],
    [
      "a thread, beside a context that is no plain data",
      (name) => ({ threadId: name, context: new Date(0) }),
      {},
    ],
  ])("are told apart by %s", async (_what, contextOf, options) => {
    const answer: Answer = { status: 429, headers: { "retry-after": "60" } };
    const { ask, sent } = open(
      bearer,
      { ...options, credentials: () => ({ token: next() }) },
      answer,
    );
    for (const name of ["ada", "bob", "ada", "bob"]) await ask(contextOf(name));
    expect(sent).toHaveLength(2);
  });
});
