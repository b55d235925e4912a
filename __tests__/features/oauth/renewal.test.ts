import { describe, expect, it } from "@jest/globals";
import { InMemoryStore } from "@langchain/langgraph";
import { silentLogger, systemSleep } from "../../../src/core/base/runtime.js";
import { sendToEndpoint } from "../../../src/features/oauth/token-endpoint.js";
import { createRuntimeTokenStore } from "../../../src/features/oauth/token-store.js";
import {
  ApiSourceToolkit,
  fileTokenStore,
  type TokenEntry,
  type TokenKey,
  type TokenStore,
} from "../../../src/index.js";
import type { TestOptions } from "../../support/seams.js";
import { useDirectory } from "../../support/temporary-directory.js";
import {
  clientSecret,
  createTokenRecord,
  openShop,
  startTokenServer,
  type TokenServer,
} from "../../support/token-server.js";

let server: TokenServer;

const open = (options: TestOptions) =>
  openShop(server, { grant: "refresh_token" }, { sleep: systemSleep, ...options }).ask;

/** A store that keeps the entry of one grant and gives its lease to whoever asks. */
function createOpenStore(changes: Partial<TokenStore> = {}) {
  const kept: { entry?: TokenEntry } = {};
  const marks = new Map<string, TokenEntry>();
  const isGrant = ({ source }: TokenKey): boolean => source === "shop";
  const tokenStore: TokenStore = {
    read: async (key) => (isGrant(key) ? kept.entry : marks.get(key.name)),
    write: async (key, entry) => {
      if (isGrant(key)) kept.entry = entry;
      else marks.set(key.name, entry);
    },
    remove: async (key) => {
      if (isGrant(key)) delete kept.entry;
      else marks.delete(key.name);
    },
    lease: async () => async () => {},
    ...changes,
  };
  return { kept, tokenStore };
}

/** What another process gets with a refresh token of its own. */
async function refreshElsewhere(): Promise<TokenEntry> {
  const [client_id, grant_type] = ["the-client", "refresh_token"];
  const body = new URLSearchParams({
    client_id,
    grant_type,
    refresh_token: server.makeRefreshToken("ada"),
  });
  const answer = await (await fetch(`${server.url}/token`, { method: "POST", body })).json();
  const { access_token: accessToken, refresh_token: refreshToken } = Object(answer);
  return {
    accessToken,
    refreshToken,
    obtainedAtMs: Date.now(),
    expiresAtMs: Date.now() + 3_600_000,
  };
}

const isRefused = (request: { readonly body: string }, refreshToken: unknown): boolean =>
  new URLSearchParams(request.body).get("refresh_token") === refreshToken;

describe("a renewal", () => {
  it.each([
    ["token, which is used", 3, () => ({})],
    ["refresh token, which is tried", 4, () => ({ accessToken: "old", expiresAtMs: 1 })],
  ])(
    "that is refused reads the store again: another process left a new %s",
    async (_what, requests, change) => {
      server = await startTokenServer();
      const { kept, tokenStore } = createOpenStore();
      const ask = open({ tokenStore });
      expect((await ask()).status).toBe(200);
      const newer = { ...(await refreshElsewhere()), ...change() };
      const spent = kept.entry?.["refreshToken"];
      kept.entry = { ...kept.entry, expiresAtMs: 1 };
      server.options.misbehave = (request, response) => {
        if (!isRefused(request, spent)) return false;
        kept.entry = newer;
        response
          .writeHead(400, { "content-type": "application/json" })
          .end('{"error":"invalid_grant"}');
        return true;
      };
      expect((await open({ tokenStore })()).data).toMatchObject({ user: "ada" });
      expect(server.tokenRequests).toHaveLength(requests);
    },
  );

  it("that waits for a store for ever holds no call after the time of a lease", async () => {
    server = await startTokenServer();
    let nowMs = Date.now();
    let reads = 0;
    const { tokenStore, kept } = createOpenStore({
      read: () => (++reads === 1 ? new Promise(() => {}) : Promise.resolve(kept.entry)),
    });
    const ask = open({ tokenStore, clock: { now: () => nowMs } });
    const end = new AbortController();
    const first = ask({ signal: end.signal }).catch((error: unknown) => error);
    while (reads === 0) await systemSleep(1);
    nowMs += 45_000;
    expect((await ask()).status).toBe(200);
    end.abort();
    await first;
  });

  it.each(["read", "write"] as const)(
    "that is forgotten during a %s of the store serves its own call alone",
    async (name) => {
      server = await startTokenServer();
      server.options.rotates = false;
      const { tokenStore, kept } = createOpenStore();
      if (name === "read") kept.entry = await refreshElsewhere();
      let isHeld = false;
      let goOn = (): void => {};
      const hold =
        <Given extends unknown[], Value>(use: (...given: Given) => Promise<Value>) =>
        async (...given: Given): Promise<Value> => {
          const value = await use(...given);
          const isFirst = !isHeld;
          isHeld = true;
          if (isFirst) await new Promise<void>((resolve) => (goOn = resolve));
          return value;
        };
      const held =
        name === "read" ? { read: hold(tokenStore.read) } : { write: hold(tokenStore.write) };
      const secrets = {
        SHOP_CLIENT_SECRET: clientSecret,
        SHOP_REFRESH_TOKEN: server.makeRefreshToken("ada"),
      };
      const record = createTokenRecord(server, { grant: "refresh_token" });
      const options = { secrets, tokenStore: { ...tokenStore, ...held } };
      const toolkit = await ApiSourceToolkit.fromSources([record], options);
      const [tool] = toolkit.getTools();
      const ask = async () => JSON.parse(await tool?.invoke({ method: "GET", path: "/me" })).status;
      const first = ask();
      while (!isHeld) await systemSleep(1);
      expect(await toolkit.forgetAuthorization("shop")).toBe(true);
      goOn();
      expect(await first).toBe(200);
      expect(kept.entry).toBeUndefined();
      const before = server.tokenRequests.length;
      expect(await ask()).toBe(200);
      expect(server.tokenRequests).toHaveLength(before + 1);
    },
  );

  it.each<[string, (fail: { store: boolean }) => void]>([
    [
      "a token server that hangs",
      () => {
        server.options.misbehave = () => true;
      },
    ],
    ["a store that fails", (fail) => Object.assign(fail, { store: true })],
  ])("ahead of time takes down no call for %s while the token lives", async (_what, breakIt) => {
    server = await startTokenServer({ expiresIn: 100 });
    let nowMs = Date.now();
    const fail = { store: false };
    const { tokenStore: kept } = createOpenStore();
    const read: TokenStore["read"] = (key) =>
      fail.store ? Promise.reject(new RangeError("no store")) : kept.read(key);
    const tokenStore: TokenStore = { ...kept, read };
    const seams = { tokenStore, clock: { now: () => nowMs }, sleep: systemSleep };
    const api = { limits: { timeoutMs: 6_000 } };
    const { ask } = openShop(server, { grant: "refresh_token" }, { ...seams, api });
    expect((await ask()).status).toBe(200);
    breakIt(fail);
    nowMs += 92_000;
    for (const _ of [1, 2]) expect((await ask()).data).toMatchObject({ user: "ada" });
  });

  it("has its refresh token kept before its access token is used", async () => {
    server = await startTokenServer();
    const events: string[] = [];
    const { kept, tokenStore } = createOpenStore({
      write: async (_key, entry) => {
        await systemSleep(30);
        kept.entry = entry;
        // What a store that knows JSON alone would take.
        expect(JSON.parse(JSON.stringify(entry))).toStrictEqual(entry);
        events.push(`kept after ${server.requests.map(({ url }) => url)}`);
      },
    });
    expect((await open({ tokenStore })()).status).toBe(200);
    expect(events).toEqual(["kept after /token"]);
    expect(server.requests.at(-1)?.url).toBe("/api/me");
  });

  it("that the store can't take lives on in this process, is reported, and is kept when the store can", async () => {
    server = await startTokenServer();
    const lines: unknown[] = [];
    let isBroken = true;
    const { kept, tokenStore } = createOpenStore({
      write: async (_key, entry) => {
        if (isBroken) throw new RangeError(`disk full: ${JSON.stringify(entry)}`);
        kept.entry = entry;
      },
    });
    const error = (...all: unknown[]): void => void lines.push(all);
    const ask = open({ tokenStore, logger: { ...silentLogger, error } });
    expect((await ask()).status).toBe(200);
    expect(JSON.stringify(lines)).toContain("RangeError");
    for (const canary of server.canaries) expect(JSON.stringify(lines)).not.toContain(canary);
    isBroken = false;
    server.revokeAccess();
    expect((await ask()).data.user).toBe("ada");
    expect([server.tokenRequests.length, server.refused]).toEqual([2, 0]);
    expect(server.canaries).toContain(kept.entry?.["refreshToken"]);
  });
});

it.each([
  ["has taken", false],
  ["is taking", true],
])("a renewal of a grant that the store %s meanwhile is kept", async (_what, isLate) => {
  server = await startTokenServer();
  let nowMs = Date.now();
  const state = { isBroken: true, isWriting: false };
  let takeIt = (): void => {};
  const taking = new Promise<void>((resolve) => {
    takeIt = resolve;
  });
  const { kept, tokenStore } = createOpenStore({
    write: async (_key, entry) => {
      if (state.isBroken) throw new RangeError("disk full");
      state.isWriting = true;
      await taking;
      kept.entry = entry;
    },
    lease: async () => {
      if (state.isBroken && state.isWriting) throw new RangeError("no lease");
      return async () => {};
    },
  });
  const ask = open({ tokenStore, clock: { now: () => nowMs } });
  expect((await ask()).status).toBe(200);
  state.isBroken = false;
  server.revokeAccess();
  const held = server.holdOne();
  const renewing = ask();
  await held.arrived();
  nowMs += 10_000;
  const waiting = ask();
  while (!state.isWriting) await systemSleep(1);
  // The store takes the older grant, and then fails for the newer one, or not.
  state.isBroken = isLate;
  if (!isLate) takeIt();
  held.goOn();
  expect((await renewing).status).toBe(200);
  takeIt();
  expect((await waiting).status).toBe(200);
  state.isBroken = false;
  nowMs += 10_000;
  expect((await ask()).status).toBe(200);
  server.revokeAccess();
  expect((await open({ tokenStore })()).status).toBe(200);
  expect(server.refused).toBe(0);
});

describe("a renewal of a person's grant that is under way", () => {
  const home = useDirectory();

  /** Two toolkits of one store; the one that is asked for has begun to renew the grant of ada. */
  async function beginRenewal(isOwn: boolean) {
    server = await startTokenServer();
    const record = createTokenRecord(server, {
      grant: "authorization_code",
      authorizationUrl: `${server.url}/authorize`,
    });
    const files = fileTokenStore(home("tokens"));
    const state: { failing?: "write" | "lease" | undefined } = {};
    const write: TokenStore["write"] = async (key, entry) => {
      if (state.failing === "write" && "accessToken" in entry) throw new RangeError("disk full");
      await files.write(key, entry);
    };
    const lease: TokenStore["lease"] = async (key, leaseMs) => {
      if (state.failing === "lease" && key.source === "shop") throw new RangeError("no lease");
      return files.lease(key, leaseMs);
    };
    const openToolkit = () =>
      ApiSourceToolkit.fromSources([record], {
        secrets: { SHOP_CLIENT_SECRET: clientSecret },
        tokenStore: { ...files, write, lease },
      });
    const ask = async ({ tools: [tool] }: ApiSourceToolkit) =>
      JSON.parse(await tool?.invoke({ method: "GET", path: "/me" }));
    const [first, second] = [await openToolkit(), await openToolkit()];
    const agree = async (user: string) =>
      first.completeAuthorization(server.agree((await first.startAuthorization("shop")).url, user));
    await agree("ada");
    server.revokeAccess();
    const held = server.holdOne();
    const renewed = ask(isOwn ? first : second);
    await held.arrived();
    const finish = (): typeof renewed => {
      held.goOn();
      return renewed;
    };
    return { ask, agree, openToolkit, first, finish, state };
  }

  it.each([
    ["this", true],
    ["another", false],
  ])(
    "by %s toolkit of the store gives way to the grant that a person gives meanwhile",
    async (_which, isOwn) => {
      const { ask, agree, openToolkit, first, finish } = await beginRenewal(isOwn);
      await agree("bob");
      expect((await ask(first)).data.user).toBe("bob");
      expect((await finish()).data.user).toBe("bob");
      for (const each of [first, await openToolkit()]) {
        expect((await ask(each)).data.user).toBe("bob");
        server.revokeAccess();
        expect((await ask(each)).data.user).toBe("bob");
      }
    },
  );

  it.each([
    ["the store takes neither", "write", "write"],
    ["the store takes only the later one", "write", undefined],
    ["the store gives no lease", "lease", "lease"],
  ] as const)(
    "gives way to the grant that a person gives meanwhile, where %s",
    async (_what, first, later) => {
      const { ask, agree, first: toolkit, finish, state } = await beginRenewal(true);
      state.failing = first;
      await expect(agree("bob")).rejects.toMatchObject({ code: "token_store_failed" });
      state.failing = later;
      await finish();
      for (const _ of [1, 2]) expect((await ask(toolkit)).data.user).toBe("bob");
    },
  );

  it.each([
    ["this", true],
    ["another", false],
  ])(
    "by %s toolkit of the store writes nothing back that was forgotten meanwhile",
    async (_which, isOwn) => {
      const { ask, openToolkit, first, finish } = await beginRenewal(isOwn);
      expect(await first.forgetAuthorization("shop")).toBe(true);
      expect((await finish()).data.user).toBe("ada");
      for (const each of [first, await openToolkit()])
        expect((await ask(each)).error.code).toBe("auth_required");
    },
  );
});

describe("a lease", () => {
  it("is one at a time, for each user, ends by itself, and is given back only by its owner", async () => {
    server = await startTokenServer();
    let nowMs = 1_000;
    const clock = { now: () => nowMs };
    const key = { source: "shop", user: "", name: "n" };
    const store = createRuntimeTokenStore(new InMemoryStore(), { clock, sleep: async () => {} });
    const release = await store.lease(key, 1_000);
    expect(await store.lease(key, 1_000)).toBeUndefined();
    expect(await store.lease({ ...key, user: "eve" }, 1_000)).toBeDefined();
    nowMs += 1_000;
    expect(await store.lease(key, 1_000)).toBeDefined();
    await release?.();
    expect(await store.lease(key, 1_000)).toBeUndefined();
  });

  it.each([
    ["is held where the clock of its owner is half a minute ahead", 30_000, false],
    ["is over where the clock was set back by an hour", 3_600_000, true],
  ])("%s", async (_what, aheadMs, isGiven) => {
    const shared = new InMemoryStore();
    const openAt = (nowMs: number): TokenStore =>
      createRuntimeTokenStore(shared, { clock: { now: () => nowMs }, sleep: async () => {} });
    const key = { source: "shop", user: "", name: "n" };
    expect(await openAt(10_000_000 + aheadMs).lease(key, 1_000)).toBeDefined();
    expect((await openAt(10_000_000).lease(key, 1_000)) !== undefined).toBe(isGiven);
  });
});

it("no secret is sent to a token endpoint without https, wherever its address came from", async () => {
  // No record can contain this address: it is refused when it is loaded.
  const request = { method: "POST", url: "http://login.example.com/token", headers: {} } as const;
  const sent = sendToEndpoint(request, {} as never);
  await expect(sent).rejects.toMatchObject({
    category: "refused_by_policy",
    code: "insecure_endpoint",
  });
});
