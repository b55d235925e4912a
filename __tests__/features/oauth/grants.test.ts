import { describe, expect, it } from "@jest/globals";
import { sendJson } from "../../support/http-server.js";
import { runsOf } from "../../support/long-run.js";
import {
  clientId,
  clientSecret,
  openShop,
  startTokenServer,
  type TokenServer,
  type TokenServerOptions,
} from "../../support/token-server.js";

let server: TokenServer;

const start = async (options: TokenServerOptions = {}): Promise<void> => {
  server = await startTokenServer(options);
};
const refreshing = { grant: "refresh_token" };
const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
const hour = 3_600_000;

/** A clock that goes on by hand. */
function createClock() {
  const clock = { nowMs: Date.now(), now: () => clock.nowMs };
  return clock;
}

describe("a token", () => {
  it("is obtained by client credentials once, by basic, and used until it expires", async () => {
    await start();
    const scopes = ["read", "write"];
    const resource = "https://api.shop.example/v1";
    const { ask } = openShop(server, {
      scopes,
      audience: "shop",
      resource,
      tokenParameters: { tenant: "r" },
    });
    expect(await ask()).toEqual({
      status: 200,
      data: { user: "client", echo: "Bearer [REDACTED]" },
    });
    await ask();
    const asked = {
      grant_type: "client_credentials",
      scope: "read write",
      audience: "shop",
      resource,
      tenant: "r",
    };
    expect(server.tokenRequests).toEqual([{ ...asked, authorization: basic }]);
  });

  it("is obtained by basic with the escapes of a form, and `-`, `_` and `.` as they are", async () => {
    await start();
    await openShop(server, {}, { secrets: { SHOP_CLIENT_SECRET: "a+b/c=d~e:f_g.h-i" } }).ask();
    const pair = "the-client:a%2Bb%2Fc%3Dd%7Ee%3Af_g.h-i";
    expect(server.tokenRequests).toMatchObject([
      { authorization: `Basic ${Buffer.from(pair).toString("base64")}` },
    ]);
  });

  it("is obtained without scopes that are empty", async () => {
    await start();
    const secrets = { SHOP_CLIENT_SECRET: clientSecret, EXTRA_SCOPE: " " };
    await openShop(server, { scopes: "" }).ask();
    await openShop(server, { scopes: ["$" + "{EXTRA_SCOPE}", "read"] }, { secrets }).ask();
    expect(server.tokenRequests.map(({ scope }) => scope)).toEqual([undefined, "read"]);
  });

  it("is obtained with the secret in the body, or without any", async () => {
    await start();
    await openShop(server, { clientAuthentication: "post" }).ask();
    await openShop(server, { ...refreshing, clientSecret: undefined }).ask();
    expect(server.tokenRequests).toMatchObject([
      { client_id: clientId, client_secret: clientSecret, authorization: "" },
      { grant_type: "refresh_token", client_id: clientId, authorization: "" },
    ]);
  });

  it("is renewed a tenth of its life, at most a minute, ahead of its end, and used while that fails", async () => {
    await start();
    const clock = createClock();
    const { ask } = openShop(server, {}, { clock });
    await ask();
    clock.nowMs += hour - 70_000;
    await ask();
    expect(server.tokenRequests).toHaveLength(1);
    clock.nowMs += 15_000;
    await ask();
    expect(server.tokenRequests).toHaveLength(2);
    server.options.misbehave = (_request, response) => {
      sendJson(response, {}, 500);
      return true;
    };
    clock.nowMs += hour - 40_000;
    expect((await ask()).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(3);
    clock.nowMs += 50_000;
    expect((await ask()).error).toMatchObject({ category: "server_error", retryable: true });
  });

  it("is renewed at once on a 401 where it had worked, and one that never worked once in ten seconds", async () => {
    await start();
    const [clock, stopwatch] = [createClock(), createClock()];
    const { ask } = openShop(server, {}, { clock, stopwatch });
    await ask();
    server.revokeAccess();
    expect((await ask()).status).toBe(200);
    // Another session of the same account ends this one's token each time.
    server.revokeAccess();
    expect((await ask()).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(3);
    server.options.misbehave = (_request, response) => {
      sendJson(response, { access_token: `bad-${Math.random()}-x8Kq2`, token_type: "bearer" });
      return true;
    };
    server.revokeAccess();
    for (const requests of [4, 5, 6]) {
      for (let call = 0; call < 5; call += 1)
        expect((await ask()).error.category).toBe("unauthorized");
      expect(server.tokenRequests).toHaveLength(requests);
      stopwatch.nowMs += 10_000;
      // The system's clock may be set back meanwhile.
      clock.nowMs -= 7_200_000;
    }
  });

  it.each([
    [307, "/token2"],
    [307, "/token/below"],
    [303, "/token/below"],
  ])(
    "never is asked for with the API's own headers, nor at where a %s to %s leads",
    async (status, location) => {
      await start({
        misbehave: (_request, response) => {
          response.writeHead(status, { location }).end();
          return true;
        },
      });
      const api = { headers: { "X-Api-Key": "$" + "{SHOP_CLIENT_SECRET}" }, query: { k: "v" } };
      const { error } = await openShop(server, {}, { api }).ask();
      expect(error).toMatchObject({ category: "refused_by_policy", code: "endpoint_redirected" });
      expect(server.requests.map(({ url, headers }) => [url, headers["x-api-key"]])).toEqual([
        ["/token", undefined],
      ]);
    },
  );
});

describe("50 calls at once", () => {
  it.each([
    ["at the instant of expiry", hour],
    ["when the API is the first to know", 0],
  ])("refresh once and all succeed %s", async (_when, laterMs) => {
    await start({ delayMs: 30 });
    const clock = createClock();
    const { ask } = openShop(server, refreshing, { clock });
    await ask();
    clock.nowMs += laterMs;
    server.revokeAccess();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect([server.tokenRequests.length, server.refused]).toEqual([2, 0]);
  });
});

describe("a call that waits for a renewal", () => {
  it("keeps its own deadline, and may be cancelled, without stopping it for the others", async () => {
    await start({ delayMs: 150 });
    const { ask } = openShop(server, refreshing);
    const stop = new AbortController();
    const patient = ask();
    const impatient = ask({ signal: AbortSignal.timeout(50) });
    const cancelled = ask({ signal: stop.signal });
    cancelled.catch(() => {});
    setTimeout(() => stop.abort(new Error("enough")), 40);
    await expect(cancelled).rejects.toThrow("enough");
    expect((await impatient).error.category).toBe("timeout");
    expect((await patient).status).toBe(200);
    expect(server.tokenRequests).toHaveLength(1);
  });
});

describe("a dead grant", () => {
  it("is reported, remembered, and not asked for again until there is another", async () => {
    await start();
    const secrets = {
      SHOP_CLIENT_SECRET: clientSecret,
      SHOP_REFRESH_TOKEN: server.makeRefreshToken("ada"),
    };
    const { ask } = openShop(server, refreshing, { secrets });
    await ask();
    server.revokeAccess();
    server.revokeGrants();
    const { error } = await ask();
    expect(error).toMatchObject({
      category: "unauthorized",
      code: "auth_required",
      details: { source: "shop" },
    });
    expect(error.message).toContain("invalid_grant");
    expect(error.hint).toContain("SHOP_REFRESH_TOKEN");
    const asked = server.tokenRequests.length;
    for (let call = 0; call < 5; call += 1) expect((await ask()).error.code).toBe("auth_required");
    expect(server.tokenRequests).toHaveLength(asked);
    secrets.SHOP_REFRESH_TOKEN = server.makeRefreshToken("ada");
    expect((await ask()).status).toBe(200);
  });
});

describe("users", () => {
  it("never have each other's token in interleaved calls", async () => {
    await start();
    const clock = createClock();
    const tokens = new Map(["ada", "eve"].map((user) => [user, server.makeRefreshToken(user)]));
    const { ask } = openShop(server, refreshing, {
      secrets: (name, _source, { configurable = {} }) =>
        name === "SHOP_REFRESH_TOKEN"
          ? tokens.get(Object(configurable["langgraph_auth_user"]).identity)
          : clientSecret,
      clock,
    });
    for (let round = 0; round < runsOf(50); round += 1) {
      if (round % 3 === 0) clock.nowMs += hour;
      if (round % 5 === 0) server.revokeAccess();
      const users = Array.from({ length: 20 }, () => (Math.random() < 0.5 ? "ada" : "eve"));
      const answers = await Promise.all(
        users.map((identity) => ask({ configurable: { langgraph_auth_user: { identity } } })),
      );
      expect(answers.map(({ data }) => data.user)).toEqual(users);
    }
    expect(server.refused).toBe(0);
  }, 60_000);
});
