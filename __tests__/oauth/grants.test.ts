import { afterEach, describe, expect, it } from "@jest/globals";
import { type ClientOptions, createSourceClient, type SourceClient } from "../../src/index.js";
import { sendJson } from "../support/http-server.js";
import { runsOf } from "../support/long-run.js";
import {
  clientId,
  clientSecret,
  createTokenRecord,
  startTokenServer,
  type TokenServer,
  type TokenServerOptions,
} from "../support/token-server.js";

let server: TokenServer;
afterEach(() => server.close());

const get = { method: "GET", path: "/me" };

function open(
  oauth2: Record<string, unknown> = {},
  { options = {}, api = {} }: { options?: ClientOptions; api?: Record<string, unknown> } = {},
): SourceClient {
  return createSourceClient(createTokenRecord(server, oauth2, api), {
    secrets: { SHOP_CLIENT_SECRET: clientSecret, SHOP_REFRESH: server.makeRefreshToken("ada") },
    ...options,
  });
}

const start = async (options: TokenServerOptions = {}): Promise<void> => {
  server = await startTokenServer(options);
};

async function ask(client: SourceClient, context = {}) {
  const { content } = await client.call(get, context);
  for (const canary of server.canaries) expect(content).not.toContain(canary);
  return JSON.parse(content);
}

const refreshing = { grant: "refresh_token", refreshToken: "$" + "{SHOP_REFRESH}" };
const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

describe("a token", () => {
  it("is got by client credentials once, by basic, and used until it expires", async () => {
    await start();
    const client = open({ scopes: ["read", "write"], audience: "shop", tokenParameters: { resource: "r" } });
    expect(await ask(client)).toEqual({ status: 200, data: { user: "client", echo: "Bearer [REDACTED]" } });
    await ask(client);
    expect(server.tokenRequests).toEqual([
      {
        grant_type: "client_credentials",
        scope: "read write",
        audience: "shop",
        resource: "r",
        authorization: basic,
      },
    ]);
  });

  it("is got with the secret in the body, or without any", async () => {
    await start();
    await ask(open({ clientAuthentication: "post" }));
    await ask(open({ ...refreshing, clientSecret: undefined }));
    expect(server.tokenRequests).toMatchObject([
      { client_id: clientId, client_secret: clientSecret, authorization: "" },
      { grant_type: "refresh_token", client_id: clientId, authorization: "" },
    ]);
  });

  it("is sent in a header or a query parameter where the record says so", async () => {
    await start();
    await ask(open({}, { api: { authType: "header", headerName: "X-Token" } }));
    expect(server.requests.at(-1)?.headers["x-token"]).toMatch(/^access-/);
    await ask(open({}, { api: { authType: "query", queryParam: "token" } }));
    expect(server.requests.at(-1)?.url).toMatch(/^\/api\/me\?token=access-/);
  });

  it("is got at the endpoint that the issuer names", async () => {
    await start();
    expect((await ask(open({ tokenUrl: undefined, issuer: server.url }))).status).toBe(200);
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/.well-known/openid-configuration",
      "/token",
      "/api/me",
    ]);
  });

  it.each([
    ["the one that came back", true, 2],
    ["the same where the server gives no other", false, 1],
  ])("is got by a refresh token; the next refresh uses %s", async (_which, rotates, tokens) => {
    await start({ rotates });
    const client = open(refreshing);
    expect((await ask(client)).data.user).toBe("ada");
    server.revokeAccess();
    expect((await ask(client)).data.user).toBe("ada");
    expect(new Set(server.tokenRequests.map((request) => request["refresh_token"])).size).toBe(tokens);
    expect(server.refused).toBe(0);
  });

  it("has the variable of its tool's name where the record names none", async () => {
    await start();
    const secrets = { SHOP_CLIENT_SECRET: clientSecret, SHOP_REFRESH_TOKEN: server.makeRefreshToken("eve") };
    expect((await ask(open({ grant: "refresh_token" }, { options: { secrets } }))).data.user).toBe("eve");
  });

  it("is renewed a tenth of its life, at most a minute, ahead of its end", async () => {
    await start({ expiresIn: 3_600 });
    let nowMs = Date.now();
    const client = open({}, { options: { clock: { now: () => nowMs } } });
    await ask(client);
    nowMs += 3_530_000;
    await ask(client);
    expect(server.tokenRequests).toHaveLength(1);
    nowMs += 15_000;
    await ask(client);
    expect(server.tokenRequests).toHaveLength(2);
  });

  it("is used while it lives when a renewal ahead of time fails", async () => {
    await start();
    let nowMs = Date.now();
    const client = open({}, { options: { clock: { now: () => nowMs }, sleep: async () => {} } });
    await ask(client);
    nowMs += 3_560_000;
    server.options.misbehave = (_request, response) => {
      sendJson(response, {}, 500);
      return true;
    };
    expect((await ask(client)).status).toBe(200);
    expect((await ask(client)).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(2);
    nowMs += 50_000;
    expect((await ask(client)).error).toMatchObject({ category: "server_error", retryable: true });
  });

  it("is renewed once on a 401, and a second 401 is the answer", async () => {
    await start();
    const client = open();
    await ask(client);
    server.revokeAccess();
    expect((await ask(client)).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(2);
    server.options.misbehave = (_request, response) => {
      sendJson(response, { access_token: `bad-${Math.random()}-x8Kq2`, token_type: "bearer" });
      return true;
    };
    server.revokeAccess();
    expect((await ask(client)).error.category).toBe("unauthorized");
    expect(server.tokenRequests).toHaveLength(3);
    for (let call = 0; call < 20; call += 1) await ask(client);
    expect(server.tokenRequests.length).toBeLessThan(12);
  });

  it("never is asked for with the API's own headers, nor sent after a redirect", async () => {
    await start({
      misbehave: (_request, response) => {
        response.writeHead(307, { location: "/token2" });
        response.end();
        return true;
      },
    });
    const client = open(
      {},
      { api: { headers: { "X-Api-Key": "$" + "{SHOP_CLIENT_SECRET}" }, query: { k: "v" } } },
    );
    expect((await ask(client)).error).toMatchObject({
      category: "refused_by_policy",
      code: "endpoint_redirected",
    });
    const [request] = server.requests;
    expect(server.requests).toHaveLength(1);
    expect(request?.url).toBe("/token");
    expect(request?.headers["x-api-key"]).toBeUndefined();
  });
});

describe("50 calls at once", () => {
  it.each([
    ["at the instant of expiry", 3_600_000],
    ["when the API is the first to know", 0],
  ])("refresh once and all succeed %s", async (_when, laterMs) => {
    await start({ delayMs: 30 });
    let nowMs = Date.now();
    const client = open(refreshing, { options: { clock: { now: () => nowMs } } });
    await ask(client);
    nowMs += laterMs;
    server.revokeAccess();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(client)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect([server.tokenRequests.length, server.refused]).toEqual([2, 0]);
  });
});

describe("a call that waits for a renewal", () => {
  it("keeps its own deadline, and may be cancelled, without stopping it for the others", async () => {
    await start({ delayMs: 150 });
    const client = open(refreshing);
    const stop = new AbortController();
    const patient = ask(client);
    const impatient = ask(client, { signal: AbortSignal.timeout(50) });
    const cancelled = client.call(get, { signal: stop.signal });
    cancelled.catch(() => {});
    setTimeout(() => stop.abort(new Error("enough")), 40);
    await expect(cancelled).rejects.toThrow("enough");
    expect((await impatient).error.category).toBe("timeout");
    expect((await patient).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(1);
  });
});

describe("a dead grant", () => {
  it("is said, remembered, and not asked for again until there is another", async () => {
    await start();
    const secrets: Record<string, string> = {
      SHOP_CLIENT_SECRET: clientSecret,
      SHOP_REFRESH: server.makeRefreshToken("ada"),
    };
    const client = open(refreshing, { options: { secrets } });
    await ask(client);
    server.revokeAccess();
    server.revokeGrants();
    const { error } = await ask(client);
    expect(error).toMatchObject({
      category: "unauthorized",
      code: "auth_required",
      details: { source: "shop" },
    });
    expect(error.message).toContain("invalid_grant");
    expect(error.hint).toContain("SHOP_REFRESH");
    const asked = server.tokenRequests.length;
    for (let call = 0; call < 5; call += 1) expect((await ask(client)).error.code).toBe("auth_required");
    expect(server.tokenRequests).toHaveLength(asked);
    secrets["SHOP_REFRESH"] = server.makeRefreshToken("ada");
    expect((await ask(client)).status).toBe(200);
  });
});

describe("users", () => {
  it("never have each other's token in interleaved calls", async () => {
    await start({ expiresIn: 1 });
    const secrets: Record<string, string> = {};
    for (const user of ["ada", "eve"]) secrets[user] = server.makeRefreshToken(user);
    const client = open(refreshing, {
      options: {
        secrets: (name, _source, { configurable = {} }) =>
          name === "SHOP_REFRESH"
            ? secrets[String(Object(configurable["langgraph_auth_user"]).identity)]
            : clientSecret,
      },
    });
    for (let round = 0; round < runsOf(50); round += 1) {
      if (round % 10 === 0) server.revokeAccess();
      const users = Array.from({ length: 20 }, () => (Math.random() < 0.5 ? "ada" : "eve"));
      const answers = await Promise.all(
        users.map((identity) => ask(client, { configurable: { langgraph_auth_user: { identity } } })),
      );
      expect(answers.map(({ data }) => data.user)).toEqual(users);
    }
    expect(server.refused).toBe(0);
  }, 60_000);
});
