/** Every function that an application can give, and what becomes of a call when one throws, rejects, or never answers. */

import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { type ClientOptions, createSourceClient } from "langchain-api-sources";
import { startHttpServer } from "../support/http-server.js";

const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}` }));
const server = await startHttpServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(request.url === "/rows" ? rows : { ok: true }));
});
const secret = "s3cret-value-1";
const sealed = () => new TypeError(`the vault is sealed, ${secret}`);
const fail = (): never => {
  throw sealed();
};
const reject = (): Promise<never> => Promise.reject(sealed());
const never = () => new Promise<never>(() => {});

interface Watched {
  readonly lines: [message: string, data: Readonly<Record<string, unknown>>][];
  ask(request: object, context?: object): Promise<ReturnType<typeof JSON.parse>>;
}

function watch(
  options: ClientOptions,
  api: Record<string, unknown> = {},
  timeoutMs = 10_000,
): Watched {
  const lines: Watched["lines"] = [];
  const warn = (message: string, data: Readonly<Record<string, unknown>> = {}): void =>
    void lines.push([message, data]);
  const ignore = (): void => {};
  const logger = { debug: ignore, info: ignore, warn, error: warn };
  const client = createSourceClient(
    { name: "Shop", api: { baseUrl: server.url, limits: { timeoutMs }, ...api } },
    { logger, ...options },
  );
  return {
    lines,
    ask: async (request, context = {}) =>
      JSON.parse((await client.call(request as never, context)).content),
  };
}

const bearer = { authType: "bearer" };
const get = { method: "GET", path: "/rows" };
const post = { method: "POST", path: "/rows", body: { a: 1 } };
const upload = { method: "POST", path: "/rows", body: { $file: "a.txt" } };
const failingStore = { get: reject, put: reject, delete: reject };
const rejectTokens = { read: reject, write: reject, remove: reject, lease: reject };
const neverTokens = { read: never, write: never, remove: never, lease: never };
const grant = {
  grant: "client_credentials",
  tokenUrl: `${server.url}/token`,
  clientId: "id",
  clientSecret: "${SHOP_SECRET}",
};

/** What each option is called in the log, options that fail, a request that needs it, and whether the call still succeeds. */
const functions: readonly [
  what: string,
  options: ClientOptions,
  more?: { readonly api?: object; readonly request?: object; readonly isOk?: true },
][] = [
  ["credentials option", { credentials: fail }, { api: bearer }],
  ["credentials option", { credentials: reject }, { api: bearer }],
  ["credentials option", { credentials: { getCredential: reject } }, { api: bearer }],
  ["credentials option", { credentials: { shop: { token: fail } } }, { api: bearer }],
  ["`sign` of the credential", { credentials: { shop: { sign: fail } } }],
  ["secrets option", { secrets: reject }, { api: { headers: { "X-Key": "${SHOP_KEY}" } } }],
  ["approve", { approve: fail }, { request: post }],
  ["approve", { approve: reject }, { request: post }],
  ["approver", { approve: "all", approver: fail }],
  ["approver", { approve: "all", approver: reject }],
  ["transport", { transport: fail }],
  ["transport", { transport: reject }],
  ["readFile", { readFile: reject }, { request: upload }],
  [
    "tokenStore",
    { tokenStore: rejectTokens, secrets: { SHOP_SECRET: "secret-of-client" } },
    { api: { ...bearer, oauth2: grant } },
  ],
  ["responseScope", { responseScope: fail }, { isOk: true }],
  ["responseScope", { responseScope: reject as never }, { isOk: true }],
  ["summarizer", { maxTokens: 100, summarizer: { summarize: fail } }, { isOk: true }],
  ["summarizer", { maxTokens: 100, summarizer: { summarize: reject } }, { isOk: true }],
  ["countTokens", { countTokens: fail }, { isOk: true }],
  ["countTokens", { countTokens: reject as never }, { isOk: true }],
  ["onCall", { onCall: fail }, { isOk: true }],
  ["onCall", { onCall: reject }, { isOk: true }],
];

it("a secret that is no text is an error of the function", async () => {
  const secrets = (() => 12345678) as never;
  const { ask, lines } = watch({ secrets }, { headers: { "X-Key": "${SHOP_KEY}" } });
  expect((await ask(get)).error).toMatchObject({ category: "not_configured" });
  expect(JSON.stringify(lines)).toContain("neither a string nor undefined");
});

describe("a function of the application that throws or rejects", () => {
  it.each(functions)("%s is reported with its stack", async (what, options, more = {}) => {
    const { api = {}, request = get, isOk = false } = more;
    const { ask, lines } = watch(options, { ...api });
    const answer = await ask(request, { threadId: "t" });
    expect(answer.error === undefined).toBe(isOk);
    if (!isOk) expect(answer.error).toMatchObject({ category: "not_configured" });
    expect(JSON.stringify(answer)).not.toContain("vault");
    const reports = lines.filter(([message]) => message === `The application's ${what} failed.`);
    const [, data] = reports.at(-1) ?? [];
    expect(data?.["error"]).toMatch(/^TypeError/);
    expect(data?.["stack"]).toContainEqual(expect.stringContaining("application-functions.test"));
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it.each(["fail", "reject"])(
    "onProgress is reported, whether it throws or rejects",
    async (how) => {
      const { ask, lines } = watch({});
      const onProgress = how === "fail" ? fail : reject;
      const answer = await ask({ ...get, pages: 2 }, { onProgress });
      expect(answer.error).toBeUndefined();
      expect(lines.map(([message]) => message)).toContain("The application's onProgress failed.");
    },
  );

  it.each([
    ["throws", fail],
    ["rejects", reject],
  ])("a logger that %s changes no answer", async (_how, write) => {
    const logger = { debug: write, info: write, warn: write, error: write };
    const { ask } = watch({ logger, onCall: fail });
    expect((await ask(get)).error).toBeUndefined();
    // A rejection that no one catches would end the process in a later turn.
    await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it("is not what a time limit of the caller is reported as", async () => {
    const { ask, lines } = watch({ approve: never });
    const { error } = await ask(post, { signal: AbortSignal.timeout(20) });
    expect(error.category).toBe("timeout");
    expect(lines).toEqual([]);
  });

  it("reports a store that fails", async () => {
    const { ask, lines } = watch({ responseStore: failingStore, maxTokens: 100 });
    expect((await ask(get, { threadId: "t" })).error).toBeUndefined();
    expect(JSON.stringify(lines)).toContain("TypeError");
  });
});

describe("without a logger", () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it("a failure is a warning of the process, once for each function", async () => {
    const warnings: unknown[][] = [];
    jest.spyOn(process, "emitWarning").mockImplementation((...given) => void warnings.push(given));
    const { ask } = watch({ logger: undefined, credentials: fail, onCall: reject }, bearer);
    await ask(get);
    await ask(get);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(warnings.map(([text]) => String(text).split(" failed.")[0]).sort()).toEqual([
      "The application's credentials option",
      "The application's onCall",
    ]);
    expect(warnings[0]?.[1]).toMatchObject({
      type: "ApiSourceWarning",
      detail: expect.stringContaining("application-functions.test"),
    });
    expect(JSON.stringify(warnings)).not.toContain(secret);
  });
});

describe("a function that never answers", () => {
  const waiting: readonly [string, ClientOptions, object, object?][] = [
    ["credentials", { credentials: never }, bearer],
    ["a token", { credentials: { shop: { token: never } } }, bearer],
    ["sign", { credentials: { shop: { sign: never } } }, {}],
    ["secrets", { secrets: never }, { headers: { "X-Key": "${SHOP_KEY}" } }],
    ["approve", { approve: never }, {}, post],
    ["transport", { transport: never }, {}],
    ["readFile", { readFile: never }, {}, upload],
    ["a summarizer", { maxTokens: 100, summarizer: { summarize: never } }, {}],
    [
      "a token store",
      { tokenStore: neverTokens, secrets: { SHOP_SECRET: "secret-of-client" } },
      { ...bearer, oauth2: grant },
    ],
  ];

  it.each(waiting)(
    "%s is ended by the call's own deadline",
    async (what, options, api, request = get) => {
      const isSummary = what === "a summarizer";
      // On a busy machine the answer that is summarized needs longer than the others, which never come.
      const { ask } = watch(options, { ...api }, isSummary ? 2_000 : 60);
      const answer = await ask(request);
      // The body is there: an answer that is late by its summary is shown without one.
      if (isSummary) expect(answer.status).toBe(200);
      else expect(answer.error).toMatchObject({ category: "timeout" });
    },
  );

  it.each([...waiting, ["an approver", { approve: "all", approver: never }, {}] as const])(
    "%s is ended by the caller",
    async (_what, options, api = {}, request = get) => {
      const { ask } = watch(options, { ...api });
      const caller = new AbortController();
      const call = ask(request, { signal: caller.signal });
      setTimeout(() => caller.abort(new Error("enough")), 20);
      await expect(call).rejects.toThrow("enough");
    },
  );
});

describe("a transport function", () => {
  const code = (name: string) => Object.assign(new Error("x"), { code: name });
  it.each([
    ["ECONNREFUSED", code("ECONNREFUSED"), "network"],
    ["UND_ERR_SOCKET of fetch", new TypeError("x", { cause: code("UND_ERR_SOCKET") }), "network"],
    ["CERT_HAS_EXPIRED", code("CERT_HAS_EXPIRED"), "tls"],
    ["ENOTFOUND", code("ENOTFOUND"), "dns"],
  ])("that fails with %s is a connection that failed", async (_what, error, category) => {
    const { ask, lines } = watch(
      { transport: () => Promise.reject(error) },
      { limits: { retries: 0 } },
    );
    expect((await ask(get)).error.category).toBe(category);
    expect(lines).toEqual([]);
  });

  it.each([
    ["no code", new TypeError("x is not a function")],
    ["a code of a file", code("ENOENT")],
    ["a code of Node's for wrong arguments", code("ERR_INVALID_ARG_TYPE")],
    ["something that is no error", "text"],
  ])("that fails with %s is answered internal_error", async (_what, error) => {
    const { ask, lines } = watch({ transport: () => Promise.reject(error) });
    expect((await ask(get)).error).toMatchObject({ code: "internal_error", retryable: false });
    expect(lines.map(([message]) => message)).toEqual(["The application's transport failed."]);
  });
});
