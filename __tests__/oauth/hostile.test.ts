import { afterEach, describe, expect, it } from "@jest/globals";
import { type ClientOptions, createSourceClient } from "../../src/index.js";
import { sendJson } from "../support/http-server.js";
import {
  clientSecret,
  createTokenRecord,
  startTokenServer,
  type TokenServer,
  type TokenServerOptions,
} from "../support/token-server.js";

let server: TokenServer;
afterEach(() => server.close());

type Misbehave = NonNullable<TokenServerOptions["misbehave"]>;
const canary = "st0len-t0ken-9Zq4XyW7";

function open(oauth2: Record<string, unknown> = {}, options: ClientOptions = {}) {
  const lines: unknown[] = [];
  const log = (...all: unknown[]): void => void lines.push(all);
  const client = createSourceClient(createTokenRecord(server, oauth2), {
    secrets: { SHOP_CLIENT_SECRET: clientSecret, SHOP_REFRESH_TOKEN: server.makeRefreshToken() },
    logger: { debug: log, info: log, warn: log, error: log },
    sleep: async () => {},
    ...options,
  });
  return async (context = {}) => {
    const { content, artifact } = await client.call({ method: "GET", path: "/me" }, context);
    const all = content + JSON.stringify([artifact, lines]);
    for (const secret of [...server.canaries, canary]) expect(all).not.toContain(secret);
    return JSON.parse(content);
  };
}

const answer =
  (body: string, { status = 200, type = "application/json" } = {}): Misbehave =>
  (_request, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
    return true;
  };
const json = (body: unknown, status = 200): Misbehave => answer(JSON.stringify(body), { status });
const html = { type: "text/html" };
const token = { access_token: canary, token_type: "bearer" };
const busy: Misbehave = (_request, response) => {
  response.writeHead(429, { "retry-after": "120" }).end();
  return true;
};
const breakOff: Misbehave = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
  response.write('{"access_token":"');
  setTimeout(() => response.destroy(), 20);
  return true;
};

describe("a token endpoint that misbehaves", () => {
  it.each<[string, Misbehave, Record<string, unknown>]>([
    ["fails", json({ message: "down" }, 500), { category: "server_error", retryable: true }],
    ["is busy", busy, { category: "rate_limited", retryable: true, retryAfterSeconds: 120 }],
    ["is a page", answer("<h1>Log in</h1>", html), { category: "unexpected_content", retryable: false }],
    [
      "is a page of an error",
      answer("<h1>No</h1>", { ...html, status: 404 }),
      { category: "not_configured" },
    ],
    [
      "answers with an array",
      json([canary]),
      { category: "unexpected_content", code: "token_endpoint_failed" },
    ],
    ["answers without a token", json({ token: canary }), { code: "invalid_token_answer" }],
    [
      "gives a token that is no string",
      json({ ...token, access_token: { a: canary } }),
      { code: "invalid_token_answer" },
    ],
    ["wants proof with the token", json({ ...token, token_type: "mac" }), { code: "invalid_token_answer" }],
    ["wants proof by DPoP", json({ ...token, token_type: "DPoP" }), { code: "invalid_token_answer" }],
    [
      "adds a header to the token",
      json({ ...token, access_token: `${canary}\r\nX: 1` }),
      { code: "malformed_credentials" },
    ],
    ["answers with megabytes", json({ ...token, x: "y".repeat(3_000_000) }), { category: "too_large" }],
    ["breaks off", breakOff, { retryable: true }],
    [
      "does not know the client",
      json({ error: "invalid_client" }, 401),
      { category: "not_configured", code: "invalid_client" },
    ],
    [
      "refuses the client's own grant",
      json({ error: "invalid_grant" }, 400),
      { category: "not_configured", code: "invalid_grant" },
    ],
    ["does not know the scope", json({ error: "invalid_scope" }, 400), { code: "invalid_scope" }],
    [
      "says that the person did not agree",
      json({ error: "access_denied" }, 400),
      { code: "access_denied", hint: expect.stringContaining("ask the person again") },
    ],
    [
      "says no with 200",
      json({ error: "no_way", error_description: "wrong" }),
      { code: "no_way", message: expect.stringContaining("no_way: wrong") },
    ],
  ])("and %s is an answer that says so", async (_what, misbehave, error) => {
    server = await startTokenServer({ misbehave });
    expect((await open()()).error).toMatchObject(error);
    expect(server.requests.some(({ url }) => url.startsWith("/api"))).toBe(false);
  });

  it.each<[string, TokenServerOptions]>([
    ["no expiry", { expiresIn: null }],
    ["an expiry of null", { answer: { expires_in: null, refresh_token: null, scope: null } }],
    ["an expiry in a string", { answer: { expires_in: "3600" } }],
    ["an expiry that is none", { answer: { expires_in: "soon" } }],
    ["an expiry before now", { answer: { expires_in: -5 } }],
    ["no type", { answer: { token_type: undefined } }],
    ["a type in capitals", { answer: { token_type: "BEARER" } }],
    ["an ID token of someone else", { answer: { id_token: "e30.e30.x" } }],
  ])("and gives a token with %s has it used", async (_what, options) => {
    server = await startTokenServer(options);
    const ask = open();
    for (const _ of [1, 2]) expect((await ask()).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(1);
  });

  it("takes a form for an answer, as some give", async () => {
    server = await startTokenServer();
    const given = server.makeRefreshToken();
    server.options.misbehave = answer(`access_token=${given}&token_type=bearer&scope=a%2Cb`, {
      type: "application/x-www-form-urlencoded",
    });
    expect((await open()()).status).toBe(401);
    expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${given}`);
  });

  it("uses a token that lives a second for one call, or as long as it lives", async () => {
    server = await startTokenServer({ expiresIn: 1 });
    let nowMs = Date.now();
    const ask = open({ grant: "refresh_token" }, { clock: { now: () => nowMs } });
    for (let call = 0; call < 5; call += 1) {
      expect((await ask()).status).toBe(200);
      nowMs += 950;
    }
    expect(server.tokenRequests).toHaveLength(5);
    expect(server.refused).toBe(0);
  });

  it("is slow: a call ends by its own time, and the next one has what it brought", async () => {
    server = await startTokenServer({ delayMs: 300 });
    const ask = open();
    expect((await ask({ signal: AbortSignal.timeout(50) })).error.category).toBe("timeout");
    expect(server.requests.filter(({ url }) => url.startsWith("/api"))).toHaveLength(0);
    expect((await ask()).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(1);
  });

  it("names endpoints in its metadata that no secret goes to", async () => {
    server = await startTokenServer();
    const issuer = { tokenUrl: undefined, issuer: server.url };
    for (const evil of ["http://attacker.example/token", "ftp://a.example", "https://u:p@a.example/t", 7]) {
      server.options.metadata = { token_endpoint: evil };
      expect((await open(issuer)()).error).toMatchObject({ code: "discovery_failed" });
    }
    server.options.metadata = { issuer: "https://other.example" };
    expect((await open(issuer)()).error).toMatchObject({ code: "discovery_failed" });
    expect(server.tokenRequests).toHaveLength(0);
  });
});

describe("a secret that no option names", () => {
  it("is redacted where the token endpoint and another's answer repeat it", async () => {
    server = await startTokenServer();
    const refreshToken = server.makeRefreshToken("ada");
    const secrets: ClientOptions["secrets"] = (name) =>
      name === "SHOP_CLIENT_SECRET" ? clientSecret : refreshToken;
    const ask = open({ grant: "refresh_token" }, { secrets });
    for (const error of ["invalid_scope", "invalid_grant"]) {
      server.options.misbehave = json(
        { error, error_description: `${refreshToken} and ${clientSecret}` },
        400,
      );
      expect((await ask()).error.message).toContain(`${error}: [REDACTED] and [REDACTED]`);
    }
  });
});

describe("a token that the application gives itself", () => {
  it("comes before the record's oauth2", async () => {
    server = await startTokenServer();
    const ask = open({}, { credentials: { shop: { token: "own-t0ken-of-the-app" } } });
    await ask();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer own-t0ken-of-the-app",
    ]);
  });
});

describe("two clients with secrets of their own", () => {
  it("never share a token", async () => {
    server = await startTokenServer({
      misbehave: (request, response) => {
        sendJson(response, {
          access_token: `of-${new URLSearchParams(request.body).get("audience")}-x9Kq2Lm`,
          token_type: "bearer",
        });
        return true;
      },
    });
    for (const audience of ["ada", "eve"]) {
      await open({ audience })();
      const [called] = server.requests.filter(({ url }) => url.startsWith("/api")).slice(-1);
      expect(called?.headers.authorization).toBe(`Bearer of-${audience}-x9Kq2Lm`);
    }
  });
});
