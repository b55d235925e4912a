import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { fakeModel } from "langchain";
import { type CallEvent, type ClientOptions, createSourceClient, modelSummarizer } from "../../src/index.js";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

const secret = "9-tok-Kx81vQpL02";
let api: HttpServer;
let busy = 0;

beforeAll(async () => {
  api = await startHttpServer(({ url }, response) => {
    if (url.startsWith("/busy") && busy-- > 0) return sendJson(response, { message: "busy" }, 503);
    if (url.startsWith("/missing")) return sendJson(response, { message: `no ${secret}` }, 404);
    if (url.startsWith("/pages")) {
      const page = Number(new URL(url, "http://x").searchParams.get("page") ?? "1");
      return sendJson(response, {
        items: [{ id: page }],
        ...(page < 3 ? { next: `/pages?page=${page + 1}` } : {}),
      });
    }
    if (url.startsWith("/rows"))
      return sendJson(response, { rows: Array.from({ length: 900 }, (_, id) => ({ id })) });
    sendJson(response, { a: 1 });
  });
});
afterAll(() => api.close());
beforeEach(() => {
  api.requests.length = 0;
  busy = 0;
});

const sealed = (): Error => new Error("the vault is sealed", { cause: new Error(`refused ${secret}`) });

type Line = [message: string, data: Record<string, unknown>];

function watch(options: ClientOptions & { baseUrl?: string } = {}) {
  const events: CallEvent[] = [];
  const lines: Line[] = [];
  const log = (message: string, data: unknown): void => {
    lines.push([message, data as Record<string, unknown>]);
  };
  const record = {
    name: "Shop",
    api: { baseUrl: options.baseUrl ?? api.url, authType: "bearer", paths: { deny: ["/admin"] } },
  };
  const client = createSourceClient(record, {
    credentials: { shop: { token: secret } },
    sleep: async () => {},
    logger: { debug: () => {}, info: log, warn: log, error: log },
    onCall: (event) => events.push(event),
    ...options,
  });
  return { client, events, lines };
}

const phases = (events: readonly CallEvent[]): unknown[] =>
  events.map(({ phase, ...event }) => [phase, event.path, "category" in event ? event.category : undefined]);

describe("onCall", () => {
  it("is told before and after a request, whose it is, and what became of it; retries are one request", async () => {
    const { client, events } = watch();
    busy = 1;
    const context = { context: { userId: "u1" }, threadId: "t1" };
    await client.call({ method: "GET", path: "/busy", query: { token: secret } }, context);
    const request = {
      source: "shop",
      method: "GET",
      path: "/busy?token=[REDACTED]",
      context: { userId: "u1" },
      threadId: "t1",
    };
    expect(events).toEqual([
      { phase: "before", ...request },
      { phase: "after", ...request, status: 200, bytes: 7, attempts: 2, durationMs: expect.any(Number) },
    ]);
    expect(api.requests).toHaveLength(2);
  });

  it("is told of each page", async () => {
    const { client, events } = watch();
    await client.call({ path: "/pages", pages: 3 });
    expect(phases(events)).toEqual(
      ["/pages", "/pages?page=2", "/pages?page=3"].flatMap((path) => [
        ["before", path, undefined],
        ["after", path, undefined],
      ]),
    );
  });

  it.each<[string, Record<string, unknown>, ClientOptions & { baseUrl?: string }, unknown[]]>([
    [
      "an API's error",
      { path: "/missing" },
      {},
      [
        ["before", "/missing", undefined],
        ["after", "/missing", "not_found"],
      ],
    ],
    [
      "a broken connection",
      { path: "/x" },
      { baseUrl: "http://127.0.0.1:1" },
      [
        ["before", "/x", undefined],
        ["after", "/x", "network"],
      ],
    ],
    ["a refusal of the policy", { path: "/admin" }, {}, [["refused", "/admin", "refused_by_policy"]]],
    ["a wrong input", { path: "/x", select: "a[" }, {}, [["refused", undefined, "invalid_input"]]],
    [
      "a missing credential",
      { path: "/x" },
      { credentials: {}, readEnvironment: () => undefined },
      [["refused", "/x", "not_configured"]],
    ],
  ])("is told how %s ends", async (_what, request, options, expected) => {
    const { client, events } = watch(options);
    await client.call(request);
    expect(phases(events)).toEqual(expected);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it("is told of a quota that refuses, and of no request then", async () => {
    const { client, events } = watch({});
    const limited = createSourceClient(
      { ...client.source, api: { ...client.source.api, limits: { requestsPerMinute: 1, maxWaitMs: 0 } } },
      { credentials: { shop: { token: secret } }, onCall: (event) => events.push(event) },
    );
    await limited.call({ path: "/x" });
    await limited.call({ path: "/x" });
    expect(phases(events)).toEqual([
      ["before", "/x", undefined],
      ["after", "/x", undefined],
      ["refused", "/x", "rate_limited"],
    ]);
  });

  it("is told that a call was cancelled", async () => {
    const controller = new AbortController();
    const transport = () => new Promise<never>(() => controller.abort(new Error("enough")));
    const { client, events, lines } = watch({ transport });
    await expect(client.call({ path: "/x" }, { signal: controller.signal })).rejects.toThrow("enough");
    expect(phases(events)).toEqual([
      ["before", "/x", undefined],
      ["after", "/x", "cancelled"],
    ]);
    expect(lines).toEqual([["Call", expect.objectContaining({ source: "shop", category: "cancelled" })]]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("the audit is full");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("the audit is full");
      },
    ],
  ])("changes no answer when it %s; the log says why", async (_how, onCall) => {
    const { client, lines } = watch({ onCall });
    expect((await client.call({ path: "/x" })).ok).toBe(true);
    expect(lines).toContainEqual(["The application's onCall failed.", { error: "Error: the audit is full" }]);
  });
});

describe("the log", () => {
  it("has one line for a call, and the reason of one that got no answer", async () => {
    const { client, lines } = watch();
    await client.call({ path: "/x" });
    await client.call({ method: "POST", path: "/missing", body: { note: "a body" } });
    await client.call({ path: "/admin" });
    await client.call({ path: "/a\n/../b" });
    const durationMs = expect.any(Number);
    expect(lines).toEqual([
      ["Call", { source: "shop", method: "GET", path: "/x", status: 200, durationMs, bytes: 7, attempts: 1 }],
      [
        "Call",
        {
          source: "shop",
          method: "POST",
          path: "/missing",
          status: 404,
          category: "not_found",
          durationMs,
          bytes: expect.any(Number),
          attempts: 1,
        },
      ],
      [
        "Call",
        {
          source: "shop",
          method: "GET",
          path: "/admin",
          category: "refused_by_policy",
          durationMs,
          reason: expect.stringContaining("/admin"),
        },
      ],
      [
        "Call",
        expect.objectContaining({
          path: "/a /../b",
          category: expect.any(String),
          reason: expect.any(String),
        }),
      ],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${secret}|a body`));
  });

  it.each<[string, ClientOptions, string]>([
    [
      "a credential function",
      {
        credentials: () =>
          Promise.reject(new Error("the vault is sealed", { cause: new Error(`refused ${secret}`) })),
      },
      "The application's credentials option failed.",
    ],
    [
      "a summarizer",
      {
        maxTokens: 1,
        summarizer: {
          summarize: () =>
            Promise.reject(new Error("the vault is sealed", { cause: new Error(`refused ${secret}`) })),
        },
      },
      "The summarizer failed; the projection is shown.",
    ],
    [
      "a summarizer's model",
      { maxTokens: 300, summarizer: modelSummarizer(fakeModel().alwaysThrow(sealed())) },
      "The summarizer's model failed; the projection is shown.",
    ],
  ])("names what failed in %s, and why, without a secret", async (_what, options, message) => {
    const { client, lines } = watch(options);
    const { content } = await client.call({ path: "/rows" });
    expect(lines).toContainEqual(
      [message, { source: "shop", error: "Error: the vault is sealed; cause: Error: refused [hidden]" }].map(
        (each) =>
          typeof each === "string"
            ? each
            : {
                ...each,
                error: expect.stringMatching(/sealed; cause: Error: refused (\[hidden\]|\[REDACTED\])$/),
              },
      ),
    );
    expect(content).not.toContain("sealed");
  });
});
