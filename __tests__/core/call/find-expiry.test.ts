/** Which answers renew a token, and which requests are sent again with the new one. */

import { describe, expect, it } from "@jest/globals";
import { type ClientOptions, createSourceClient } from "langchain-api-sources";

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Holds the answer to a path back. */
  readonly hold?: (path: string) => Promise<void> | undefined;
  /** Whether no other token is issued. */
  readonly isLast?: boolean;
}

const secrets = { SHOP_SECRET: "s3cr3t-abc-123", SHOP_PASSWORD: "pa55-word-123" };
const base = "https://api.shop.example";
const issuers = {
  oauth2: {
    oauth2: {
      grant: "client_credentials",
      tokenUrl: `${base}/token`,
      clientId: "id",
      clientSecret: "${SHOP_SECRET}",
    },
  },
  login: {
    login: { path: "/token", body: { password: "${SHOP_PASSWORD}" }, tokenAt: "access_token" },
  },
  function: {},
} as const;
type Issuer = keyof typeof issuers;

/** An API whose first token is over, which it reports by the answer `expired`; `always`: for every token. */
function open(expired: Answer, issuer: Issuer, api: object = {}, always = false) {
  let tokens = issuer === "function" ? 1 : 0;
  let nowMs = Date.UTC(2026, 2, 1);
  const sent: string[] = [];
  const transport = async ({
    method,
    url,
    headers,
  }: {
    method: string;
    url: string;
    headers: Readonly<Record<string, string>>;
  }) => {
    if (url === `${base}/token`) {
      if (expired.isLast === true && tokens > 0)
        return { status: 400, body: { error: "invalid_client" } };
      tokens += 1;
      return {
        body: { access_token: `tok-000000000${tokens}`, token_type: "bearer", expires_in: 3600 },
      };
    }
    sent.push(`${method} ${headers["authorization"]?.slice(-1)}`);
    const isFirst = headers["authorization"] === "Bearer tok-0000000001";
    if (!isFirst && !always) return { body: { ok: true } };
    const { status, body = {}, headers: given = {}, hold } = expired;
    await hold?.(new URL(url).pathname);
    return {
      status,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...given },
    };
  };
  const provider = {
    token: () => `tok-000000000${tokens}`,
    onUnauthorized: () => {
      tokens += 1;
    },
  };
  const credentials: ClientOptions["credentials"] = issuer === "function" ? { shop: provider } : {};
  const record = {
    name: "Shop",
    api: {
      baseUrl: base,
      authType: "bearer",
      limits: { retries: 0 },
      allowedHeaders: ["Content-Type", "X-Csrf-Token"],
      ...issuers[issuer],
      ...api,
    },
  };
  const client = createSourceClient(record as never, { secrets, credentials, transport }, {
    clock: { now: () => nowMs },
  } as never);
  const call = async (request: object = { path: "/a" }) =>
    JSON.parse((await client.call({ method: "GET", ...request } as never)).content);
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return { call, sent, count: () => tokens, wait };
}

const post = (body: unknown) => ({ method: "POST", path: "/a", body });
const invalid = { "www-authenticate": 'Bearer realm="x", error="invalid_token"' };
const renewing: readonly [what: string, answer: Answer, api?: object][] = [
  ["401", { status: 401 }],
  ["498 (ArcGIS)", { status: 498 }],
  ["419 (Laravel)", { status: 419 }],
  ["440 (IIS)", { status: 440 }],
  ["403 with RFC 6750's challenge", { status: 403, headers: invalid }],
  ["404 with RFC 6750's challenge", { status: 404, headers: invalid }],
  ["400 invalid_token (RFC 6750)", { status: 400, body: { error: "invalid_token" } }],
  ["403 token_expired", { status: 403, body: { code: "token_expired", message: "x" } }],
  ["400 ExpiredToken (AWS)", { status: 400, body: { __type: "ExpiredToken", message: "x" } }],
  [
    "403 with a code of Azure",
    { status: 403, body: { error: { code: "ExpiredAuthenticationToken", message: "x" } } },
  ],
  [
    "400 with a code of AWS in a namespace",
    { status: 400, body: { __type: "com.amazonaws.sts#ExpiredTokenException", message: "x" } },
  ],
  ["200 with RFC 6750's challenge", { status: 200, headers: invalid }],
  [
    "403 TOKEN_EXPIRED in a list",
    { status: 403, body: { errors: [{ code: "TOKEN_EXPIRED", message: "x" }] } },
  ],
  ["200 with expiredWhen", { status: 200, body: { code: 7 } }, { expiredWhen: "code == `7`" }],
  ["404 with expiredWhen", { status: 404, body: { code: 7 } }, { expiredWhen: "code == `7`" }],
];

describe.each<Issuer>(["oauth2", "login", "function"])("a token of %s", (issuer) => {
  it.each(renewing)(
    "is renewed once after %s, and the read is sent once more",
    async (_what, answer, api = {}) => {
      const { call, sent, count } = open(answer, issuer, api);
      expect(await call()).toMatchObject({ status: 200, data: { ok: true } });
      expect([sent, count()]).toEqual([["GET 1", "GET 2"], 2]);
    },
  );

  it.each<[string, Answer, object?]>([
    ["403 forbidden", { status: 403, body: { code: "forbidden" } }],
    ["403 csrf_token_expired", { status: 403, body: { code: "csrf_token_expired" } }],
    ["404 invalid_token in the body", { status: 404, body: { error: "invalid_token" } }],
    [
      "403 insufficient_scope",
      { status: 403, headers: { "www-authenticate": 'Bearer error="insufficient_scope"' } },
    ],
    [
      "400 invalid_token of a page",
      { status: 400, body: { error: "invalid_token" } },
      { path: "/a", query: { pageToken: "x" } },
    ],
    [
      "a token in the body",
      { status: 400, body: { error: "invalid_token" } },
      post({ token: "x" }),
    ],
    [
      "a token inside of the body",
      { status: 400, body: { error: "invalid_token" } },
      post({ devices: [{ push: { deviceToken: "x" } }] }),
    ],
    [
      "a token in a text",
      { status: 400, body: { error: "invalid_token" } },
      { ...post("a=1&token=x"), headers: { "Content-Type": "text/plain" } },
    ],
    [
      "a token in a header",
      { status: 403, body: { error: "invalid_token" } },
      { path: "/a", headers: { "X-Csrf-Token": "x" } },
    ],
  ])("is not renewed after %s", async (_what, answer, request = { path: "/a" }) => {
    const { call, sent, count } = open(answer, issuer);
    expect((await call(request)).error).toBeDefined();
    expect([sent.length, count()]).toEqual([1, 1]);
  });
});

describe("a write whose token was not valid", () => {
  const write = post({ a: 1 });
  it.each<[string, Answer, object?]>([
    ["400 token_expired", { status: 400, body: { code: "token_expired" } }],
    ["401", { status: 401 }],
    ["403 with the challenge", { status: 403, headers: invalid }],
    ["498", { status: 498 }],
    ["419", { status: 419 }],
    ["200 with expiredWhen", { status: 200, body: { code: 7 } }, { expiredWhen: "code == `7`" }],
  ])("is sent again after %s", async (_what, answer, api = {}) => {
    const { call, sent } = open(answer, "oauth2", api);
    expect((await call(write)).data).toEqual({ ok: true });
    expect(sent).toEqual(["POST 1", "POST 2"]);
  });

  it("keeps its answer where the token could not be renewed after it", async () => {
    const { call, sent } = open({ status: 500, headers: invalid, isLast: true }, "oauth2");
    const { error, notes } = await call(write);
    expect([error.category, sent]).toEqual(["server_error", ["POST 1"]]);
    expect(notes).toEqual([expect.stringContaining("The POST was not sent again")]);
  });

  it.each<[string, Answer, object?]>([
    ["500 with the challenge", { status: 500, headers: invalid }],
    ["404 with expiredWhen", { status: 404, body: { code: 7 } }, { expiredWhen: "code == `7`" }],
    ["502 with expiredWhen", { status: 502, body: { code: 7 } }, { expiredWhen: "code == `7`" }],
  ])("is not sent again after %s, and the answer says so", async (_what, answer, api = {}) => {
    const { call, sent, count } = open(answer, "oauth2", api);
    const { error, notes } = await call(write);
    expect(error).toBeDefined();
    expect(notes).toEqual([expect.stringContaining("The POST was not sent again with a new one")]);
    expect([sent, count()]).toEqual([["POST 1"], 2]);
  });
});

it.each<Issuer>(["oauth2", "login", "function"])(
  "a body causes one renewal of a token of %s in a minute",
  async (issuer) => {
    const answer = { status: 403, body: { code: "token_expired" } };
    const { call, count, wait } = open(answer, issuer, {}, true);
    for (let each = 0; each < 5; each += 1) {
      await call();
      wait(11_000);
    }
    expect(count()).toBe(2);
    wait(60_000);
    await call();
    expect(count()).toBe(3);
  },
);

it.each<Issuer>(["oauth2", "login", "function"])(
  "a call whose token of %s another call has renewed meanwhile is sent again with the new one",
  async (issuer) => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hold = (path: string) => (path === "/late" ? held : undefined);
    const answer = { status: 403, body: { code: "token_expired" }, hold };
    const { call, sent, count } = open(answer, issuer);
    const late = call({ path: "/late" });
    const early = await call({ path: "/early" });
    release();
    expect([early.data, (await late).data]).toEqual([{ ok: true }, { ok: true }]);
    expect([sent, count()]).toEqual([["GET 1", "GET 1", "GET 2", "GET 2"], 2]);
  },
);
