import { describe, expect, it } from "@jest/globals";
import {
  type ApiSourceRecord,
  type CallEvent,
  type CallRequest,
  type ClientOptions,
  createSourceClient,
} from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { noSleep, splitOptions, type TestOptions } from "../../support/seams.js";

const secret = "9-tok-Kx81vQpL02";
/** How many requests of `/busy` are refused. */
let busy = 0;
const api = await startHttpServer(({ url }, response) => {
  if (url.startsWith("/busy") && busy-- > 0) return sendJson(response, { message: "busy" }, 503);
  if (url.startsWith("/missing")) return sendJson(response, { message: `no ${secret}` }, 404);
  if (url.startsWith("/pages")) {
    const page = Number(new URL(url, "http://x").searchParams.get("page") ?? "1");
    const next = page < 3 ? { next: `/pages?page=${page + 1}` } : {};
    return sendJson(response, { items: [{ id: page }], ...next });
  }
  if (url.startsWith("/rows"))
    return sendJson(response, { rows: Array.from({ length: 900 }, (_, id) => ({ id })) });
  sendJson(response, { a: 1 });
});

const sealed = (): Error =>
  new Error("the vault is sealed", { cause: new Error(`refused ${secret}`) });

type Line = [message: string, data: Record<string, unknown>];

function watch({ baseUrl, ...options }: TestOptions & { baseUrl?: string } = {}) {
  /** Those before and after requests. */
  const events: CallEvent[] = [];
  /** Those of whole calls. */
  const calls: CallEvent[] = [];
  const lines: Line[] = [];
  const log = (message: string, data: unknown): void => {
    lines.push([message, data as Record<string, unknown>]);
  };
  const record: ApiSourceRecord = {
    name: "Shop",
    api: { baseUrl: baseUrl ?? api.url, authType: "bearer", paths: { deny: ["/admin"] } },
  };
  const client = createSourceClient(
    record,
    ...splitOptions({
      credentials: { shop: { token: secret } },
      sleep: noSleep,
      logger: { debug: () => {}, info: log, warn: log, error: log },
      onCall: (event) => {
        if (event.phase !== "attempt") (event.phase === "call" ? calls : events).push(event);
      },
      ...options,
    }),
  );
  return { client, events, calls, lines };
}

const phases = (events: readonly CallEvent[]): unknown[] =>
  events.map(({ phase, ...event }) => [
    phase,
    event.path,
    "category" in event ? event.category : undefined,
  ]);

describe("onCall", () => {
  it("receives an event before and after a request, with whose it is and what became of it; retries are one request", async () => {
    const { client, events } = watch();
    busy = 1;
    const context = { context: { userId: "u1" }, threadId: "t1" };
    await client.call({ method: "GET", path: "/busy", query: { token: secret } }, context);
    const request = {
      source: "shop",
      method: "GET",
      path: "/busy?token=[REDACTED]",
      ...context,
      callId: expect.any(String),
    };
    expect(events).toEqual([
      { phase: "before", ...request },
      {
        phase: "after",
        ...request,
        status: 200,
        bytes: 7,
        attempts: 2,
        durationMs: expect.any(Number),
      },
    ]);
    expect(api.requests).toHaveLength(2);
  });

  it("is called once for a whole call: its pages, its waits, and the tokens of its answer", async () => {
    const { client, calls } = watch();
    busy = 1;
    const { artifact } = await client.call({ method: "GET", path: "/busy" }, { threadId: "t1" });
    await client.call({ method: "GET", path: "/pages", pages: 3 });
    await client.call({ method: "GET", path: "/admin" });
    expect(artifact.tokens).toBeGreaterThan(0);
    expect(calls).toMatchObject([
      {
        path: "/busy",
        status: 200,
        attempts: 2,
        tokens: artifact.tokens,
        waitedMs: expect.any(Number),
      },
      { path: "/pages", attempts: 3 },
      { path: "/admin", category: "refused_by_policy", reason: expect.stringContaining("/admin") },
    ]);
    expect(calls[0]).toMatchObject({ threadId: "t1", durationMs: expect.any(Number) });
  });

  const nowhere = { baseUrl: "http://127.0.0.1:1" };
  const unset = { credentials: {}, readEnvironment: () => undefined };

  it.each<[string, CallRequest, TestOptions & { baseUrl?: string }, string[], string]>([
    ["an API's error", { path: "/missing" }, {}, ["before", "after"], "not_found"],
    ["a broken connection", { path: "/x" }, nowhere, ["before", "after"], "network"],
    ["a wrong input", { path: "/x", select: "a[" }, {}, [], "invalid_input"],
    ["a missing credential", { path: "/x" }, unset, [], "not_configured"],
  ])("receives how %s ends", async (_what, request, options, phases, category) => {
    const { client, events, calls } = watch(options);
    await client.call(request);
    expect(events.map(({ phase }) => phase)).toEqual(phases);
    expect([...events, ...calls].at(-1)).toMatchObject({ category });
    expect(JSON.stringify([events, calls])).not.toContain(secret);
  });

  it("receives that a call was cancelled", async () => {
    const controller = new AbortController();
    const transport = () => new Promise<never>(() => controller.abort(new Error("enough")));
    const { client, events, lines } = watch({ transport });
    await expect(client.call({ path: "/x" }, { signal: controller.signal })).rejects.toThrow(
      "enough",
    );
    expect(phases(events)).toEqual([
      ["before", "/x", undefined],
      ["after", "/x", "cancelled"],
    ]);
    expect(lines).toEqual([
      ["Call", expect.objectContaining({ source: "shop", category: "cancelled" })],
    ]);
  });

  const fail = (): never => {
    throw new Error("the audit is full");
  };

  it.each([
    ["throws", fail],
    ["rejects", async () => fail()],
  ])("changes no answer when it %s; the log has the reason", async (_how, onCall) => {
    const { client, lines } = watch({ onCall });
    expect((await client.call({ path: "/x" })).ok).toBe(true);
    expect(lines).toContainEqual([
      "The application's onCall failed.",
      { error: "Error: the audit is full", stack: expect.any(Array) },
    ]);
  });
});

describe("the log", () => {
  it("has one line for a call, and the reason of one without an answer", async () => {
    const { client, lines } = watch();
    await client.call({ path: "/x" });
    await client.call({ method: "POST", path: "/missing", body: { note: "a body" } });
    await client.call({ path: "/admin" });
    await client.call({ path: "/a\n/../b" });
    const durationMs = expect.any(Number);
    const tokens = expect.any(Number);
    const answered = { source: "shop", durationMs, bytes: expect.any(Number), tokens, attempts: 1 };
    const refused = { source: "shop", durationMs, tokens, category: "refused_by_policy" };
    const missing = { method: "POST", path: "/missing", status: 404, category: "not_found" };
    expect(lines).toEqual([
      ["Call", { ...answered, method: "GET", path: "/x", status: 200 }],
      ["Call", { ...answered, ...missing }],
      [
        "Call",
        { ...refused, method: "GET", path: "/admin", reason: expect.stringContaining("/admin") },
      ],
      ["Call", expect.objectContaining({ path: "/a /../b", reason: expect.any(String) })],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${secret}|a body`));
  });

  const reject = (): Promise<never> => Promise.reject(sealed());

  it.each<[string, ClientOptions, string]>([
    [
      "a credential function",
      { credentials: reject },
      "The application's credentials option failed.",
    ],
    [
      "a summarizer",
      { maxTokens: 1, summarizer: { summarize: reject } },
      "The application's summarizer failed.",
    ],
  ])("names what failed in %s, and why, without a secret", async (_what, options, message) => {
    const { client, lines } = watch(options);
    const { content } = await client.call({ path: "/rows" });
    const error = expect.stringMatching(
      /^Error: the vault is sealed; cause: Error: refused \[(hidden|REDACTED)\]$/,
    );
    expect(lines).toContainEqual([message, { source: "shop", error, stack: expect.any(Array) }]);
    expect(content).not.toContain("sealed");
  });
});
