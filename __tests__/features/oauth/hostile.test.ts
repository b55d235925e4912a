import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { InMemoryStore } from "@langchain/langgraph";
import { createSourceClient } from "langchain-api-sources";
import { recordTo } from "langchain-api-sources/testing";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { useDirectory } from "../../support/temporary-directory.js";
import {
  clientSecret,
  createTokenRecord,
  openShop,
  startTokenServer,
  type TokenServer,
  type TokenServerOptions,
} from "../../support/token-server.js";

const directory = useDirectory();
let server: TokenServer;

type Misbehave = NonNullable<TokenServerOptions["misbehave"]>;
const canary = "st0len-t0ken-9Zq4XyW7";

const start = async (options: TokenServerOptions = {}): Promise<void> => {
  server = await startTokenServer(options);
  server.canaries.add(canary);
};
const answer =
  (body: string, { status = 200, type = "application/json", headers = {} } = {}): Misbehave =>
  (_request, response) => {
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
    return true;
  };
const json = (body: unknown, status = 200): Misbehave => answer(JSON.stringify(body), { status });
const html = { type: "text/html" };
const token = { access_token: canary, token_type: "bearer" };
const busy = answer("", { status: 429, headers: { "retry-after": "120" } });
const breakOff: Misbehave = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
  response.write('{"access_token":"');
  setTimeout(() => response.destroy(), 20);
  return true;
};
const noToken = { code: "invalid_token_answer" };
const isPage = { category: "unexpected_content", retryable: false };

describe("a token endpoint that misbehaves", () => {
  it.each<[string, Misbehave, Record<string, unknown>]>([
    ["fails", json({ message: "down" }, 500), { category: "server_error", retryable: true }],
    ["is busy", busy, { category: "rate_limited", retryable: true, retryAfterSeconds: 120 }],
    ["is a page", answer("<h1>Log in</h1>", html), isPage],
    ["answers with an array", json([canary]), { ...isPage, code: "token_endpoint_failed" }],
    ["answers without a token", json({ token: canary }), noToken],
    ["gives a token that is no string", json({ ...token, access_token: { a: canary } }), noToken],
    ["wants proof by DPoP", json({ ...token, token_type: "DPoP" }), noToken],
    [
      "adds a header to the token",
      json({ ...token, access_token: `${canary}\r\nX: 1` }),
      { code: "malformed_credentials" },
    ],
    [
      "answers with megabytes",
      json({ ...token, x: "y".repeat(3_000_000) }),
      { category: "too_large" },
    ],
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
  ])("and %s is an answer that reports so", async (_what, misbehave, error) => {
    await start({ misbehave });
    expect((await openShop(server).ask()).error).toMatchObject(error);
    expect(server.requests.some(({ url }) => url.startsWith("/api"))).toBe(false);
  });

  it.each<[string, TokenServerOptions]>([
    ["no expiry", { expiresIn: null }],
    ["an expiry of null", { answer: { expires_in: null, refresh_token: null, scope: null } }],
    ["an expiry in a string", { answer: { expires_in: "3600" } }],
    ["an expiry before now", { answer: { expires_in: -5 } }],
    ["no type", { answer: { token_type: undefined } }],
    ["an ID token of someone else", { answer: { id_token: "e30.e30.x" } }],
  ])("and gives a token with %s has it used", async (_what, options) => {
    await start(options);
    const { ask } = openShop(server);
    for (const _ of [1, 2]) expect((await ask()).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(1);
  });

  it("takes a form for an answer, as some give", async () => {
    await start({
      misbehave: answer(`access_token=${canary}&token_type=bearer&scope=a%2Cb`, {
        type: "application/x-www-form-urlencoded",
      }),
    });
    expect((await openShop(server).ask()).status).toBe(401);
    expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${canary}`);
  });
});

describe("metadata", () => {
  it.each([
    { token_endpoint: "http://attacker.example/token" },
    { token_endpoint: "ftp://a.example" },
    { token_endpoint: "https://u:p@a.example/t" },
    { token_endpoint: 7 },
    { issuer: "https://other.example" },
  ])(
    "that names an endpoint which no secret may go to, or another issuer, has nothing asked: %j",
    async (metadata) => {
      await start({ metadata });
      const { error } = await openShop(server, { tokenUrl: undefined, issuer: server.url }).ask();
      expect(error).toMatchObject({ code: "discovery_failed" });
      expect(server.tokenRequests).toHaveLength(0);
    },
  );

  it.each(["127.0.0.1", "localhost", "169.254.169.254", "[::1]"])(
    "of a server elsewhere leads to no address of this network: %s",
    async (host) => {
      await start();
      const issuer = "https://login.example.com";
      const asked: string[] = [];
      const { ask } = openShop(
        server,
        { tokenUrl: undefined, issuer },
        {
          transport: async ({ url }) => {
            asked.push(url);
            const metadata = { issuer, token_endpoint: `https://${host}/token` };
            return { status: 200, body: metadata };
          },
        },
      );
      expect((await ask()).error).toMatchObject({ code: "discovery_failed" });
      expect(asked.filter((url) => !url.startsWith(`${issuer}/.well-known/`))).toEqual([]);
    },
  );
});

describe("a secret that no option names", () => {
  it("is redacted where the token endpoint repeats it, in a process that only read it, too", async () => {
    await start();
    const refreshToken = server.makeRefreshToken("ada");
    const secrets = (name: string): string =>
      name === "SHOP_CLIENT_SECRET" ? clientSecret : refreshToken;
    const kept = new Map<string, Readonly<Record<string, unknown>>>();
    const tokenStore = {
      read: async () => kept.get("0"),
      write: async (_key: unknown, entry: Readonly<Record<string, unknown>>) =>
        void kept.set("0", entry),
      remove: async () => {},
      lease: async () => async () => {},
    };
    await openShop(server, { grant: "refresh_token" }, { secrets, tokenStore }).ask();
    server.revokeAccess();
    for (const error of ["invalid_scope", "invalid_grant"]) {
      server.options.misbehave = (request, response) => {
        const told = `${new URLSearchParams(request.body).get("refresh_token")} and ${clientSecret}`;
        sendJson(response, { error, error_description: told }, 400);
        return true;
      };
      const { ask } = openShop(server, { grant: "refresh_token" }, { secrets, tokenStore });
      expect((await ask()).error.message).toContain(`${error}: [REDACTED] and [REDACTED]`);
    }
  });

  const filled = "f1lled+in/Kq83hZ~pW9x";
  const gap = "$" + "{FILLED}";
  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ["a parameter of the token request", { tokenParameters: { assertion: `a-${gap}` } }],
    ["the path of the token endpoint", { realm: true }, { variables: { realm: gap } }],
    ["the audience", { audience: `https://a.example/${gap}` }],
    ["a scope", { scopes: [gap] }],
    ["the client secret in the header, where its escapes are in base64", { clientSecret: gap }],
    ["the client secret in the body", { clientSecret: gap, clientAuthentication: "post" }],
  ])("is redacted where an answer repeats what filled %s", async (_place, oauth2, api = {}) => {
    let isRefusing = true;
    let sent = "";
    const repeating = await startHttpServer(({ url, body, headers }, response) => {
      const pair = (headers.authorization ?? "").replace(/^Basic /, "");
      if (!url.startsWith("/token")) sendJson(response, { sent });
      else if (isRefusing) {
        sent = `${decodeURIComponent(url)} ${body} ${pair}`;
        sendJson(response, { error: "invalid_scope", error_description: sent }, 400);
      } else sendJson(response, { access_token: "a-t0ken-of-now-7Yq", token_type: "bearer" });
    });
    const heard: unknown[] = [];
    const { realm, ...given } = oauth2;
    const endpoint = realm === undefined ? {} : { tokenUrl: `${repeating.url}/token/{realm}` };
    const record = createTokenRecord(repeating, { ...given, ...endpoint }, api);
    const client = createSourceClient(record, {
      secrets: (name) => (name === "FILLED" ? filled : clientSecret),
      onCall: (call) => void heard.push(call),
      transport: recordTo(directory()),
    });
    const call = { method: "GET", path: "/me" } as const;
    heard.push(await client.call(call));
    isRefusing = false;
    heard.push(await client.call(call), readFileSync(directory("shop.json"), "utf8"));
    const shown = JSON.stringify(heard);
    const escaped = new URLSearchParams([["", filled]]).toString().slice(1);
    const pair = Buffer.from(`the-client:${escaped}`).toString("base64");
    expect(shown).toContain("[REDACTED]");
    expect([filled, escaped, pair].filter((form) => shown.includes(form))).toEqual([]);
  });
});

it("hides every leaf of a token answer that is named as something issued", async () => {
  const issued = ["s3ssion-key-of-now-5Tq", "api-s3cret-of-now-9Lw"];
  const repeating = await startHttpServer(({ url }, response) => {
    const [session_key, apiSecret] = issued;
    const members = { account: "acct-77-of-ada", extra: { session_key, apiSecret } };
    if (!url.startsWith("/token")) sendJson(response, members);
    else
      sendJson(response, { access_token: "a-t0ken-of-now-7Yq", token_type: "bearer", ...members });
  });
  const client = createSourceClient(createTokenRecord(repeating), {
    secrets: { SHOP_CLIENT_SECRET: clientSecret },
  });
  const { content } = await client.call({ method: "GET", path: "/me" });
  expect(JSON.parse(content).data).toEqual({
    account: "acct-77-of-ada",
    extra: { session_key: "[REDACTED]", apiSecret: "[REDACTED]" },
  });
});

describe("a token that the application gives itself", () => {
  it("comes before the record's oauth2", async () => {
    await start();
    await openShop(server, {}, { credentials: { shop: { token: "own-t0ken-of-the-app" } } }).ask();
    const sent = server.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(["Bearer own-t0ken-of-the-app"]);
  });
});

describe("two clients with one store", () => {
  it.each(["audience", "resource"])(
    "never share a token that they ask for with another %s",
    async (name) => {
      await start({
        misbehave: (request, response) => {
          const { host } = new URL(new URLSearchParams(request.body).get(name) ?? "");
          sendJson(response, { access_token: `of-${host}-x9Kq2Lm`, token_type: "bearer" });
          return true;
        },
      });
      const tokenStore = new InMemoryStore();
      for (const host of ["ada.example", "eve.example"]) {
        server.requests.length = 0;
        await openShop(server, { [name]: `https://${host}/v1` }, { tokenStore }).ask();
        const calls = server.requests.filter(({ url }) => url.startsWith("/api"));
        // The API accepts neither: a token of the other one would be sent, and then one that is asked for anew.
        expect(calls.map(({ headers }) => headers.authorization)).toEqual([
          `Bearer of-${host}-x9Kq2Lm`,
        ]);
      }
    },
  );
});
