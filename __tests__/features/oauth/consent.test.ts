import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { InMemoryStore } from "@langchain/langgraph";
import {
  ApiSourceToolkit,
  type ClientOptions,
  fileTokenStore,
  type TokenStore,
} from "langchain-api-sources";
import { checkPersonUrl } from "../../../src/features/oauth/consent.js";
import { sendJson } from "../../support/http-server.js";
import type { TestOptions } from "../../support/seams.js";
import { useDirectory } from "../../support/temporary-directory.js";
import {
  clientSecret,
  createTokenRecord,
  openShop,
  startTokenServer,
  type TokenServer,
} from "../../support/token-server.js";

const directory = useDirectory();
let server: TokenServer;

const secrets: Record<string, string> = { SHOP_CLIENT_SECRET: clientSecret };
const get = { method: "GET", path: "/me" };
const redirectUri = "https://app.example.com/callback";
/** RFC 8707: where a person agrees, in the request for the code's tokens, and in each renewal. */
const resource = "https://api.shop.example/v1";

beforeEach(async () => {
  server = await startTokenServer();
});
const byConsent = () => ({
  grant: "authorization_code",
  authorizationUrl: `${server.url}/authorize?tenant=1`,
  redirectUri,
  scopes: ["read"],
  resource,
  authorizationParameters: { prompt: "consent" },
});
const open = (oauth2: Record<string, unknown> = {}, options: TestOptions = {}) =>
  openShop(server, { ...byConsent(), ...oauth2 }, options);

/** A source with a device code, and the seams of a test. */
async function openDevice(
  clock = { now: () => Date.now() },
  given: ClientOptions = {},
): Promise<ApiSourceToolkit> {
  const deviceAuthorizationUrl = `${server.url}/device`;
  const record = createTokenRecord(server, { grant: "device_code", deviceAuthorizationUrl });
  const options = { secrets: (name: string) => secrets[name], ...given };
  return ApiSourceToolkit.fromSources([record], options, { clock });
}

describe("a source that a person has to authorize", () => {
  it("answers with the address, and works when they came back from it", async () => {
    const client = open();
    const { error, status } = await client.ask();
    expect(status).toBeUndefined();
    expect(error).toMatchObject({
      category: "unauthorized",
      retryable: false,
      code: "auth_required",
    });
    const url = new URL(error.details.auth_url);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: "1",
      prompt: "consent",
      response_type: "code",
      client_id: "the-client",
      redirect_uri: redirectUri,
      scope: "read",
      resource,
      state: expect.stringMatching(/^[\w-]{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    // Asked again, the same address: a person may have it open.
    expect((await client.ask()).error.details.auth_url).toBe(error.details.auth_url);
    const facts = await client.completeAuthorization(server.agree(error.details.auth_url, "ada"));
    expect(facts).toEqual({
      source: "shop",
      expiresInSeconds: expect.any(Number),
      renewable: true,
      scopes: ["read", "write"],
    });
    expect((await client.ask()).data.user).toBe("ada");
    expect(server.requests.filter(({ url: path }) => path.startsWith("/api"))).toHaveLength(1);
    server.revokeAccess();
    expect((await client.ask()).data.user).toBe("ada");
    const grants = ["authorization_code", "refresh_token"];
    expect(server.tokenRequests).toMatchObject(
      grants.map((grant_type) => ({ grant_type, resource })),
    );
  });

  it("reports an account and scopes without what the same answer issues", async () => {
    const issued = "r3fresh-0a1b2c3d4e5f";
    server.options.answer = {
      refresh_token: issued,
      name: `Ada ${issued}`,
      scope: `read ${issued}`,
    };
    const client = open();
    const facts = await client.completeAuthorization(
      server.agree((await client.ask()).error.details.auth_url, "ada"),
    );
    expect(facts).toMatchObject({ account: "Ada [REDACTED]", scopes: ["read", "[REDACTED]"] });
  });

  it("hides a code in the refusal of its own callback, and in other answers only when it was redeemed", async () => {
    const client = open();
    const begin = async (): Promise<string> =>
      server.agree((await client.ask()).error.details.auth_url, "active");
    server.options.misbehave = (_request, response) => {
      sendJson(response, { error: "invalid_grant", error_description: "no code active" }, 400);
      return true;
    };
    const forged = (await begin()).replace(/code=[^&]*/, "code=active");
    await expect(client.completeAuthorization(forged)).rejects.toMatchObject({
      message: expect.stringContaining("invalid_grant: no code [REDACTED]"),
    });
    delete server.options.misbehave;
    const callback = await begin();
    const code = new URL(callback).searchParams.get("code") ?? "";
    server.options.answer = { name: `Ada ${code}` };
    const { account } = await client.completeAuthorization(callback);
    expect(account).toBe("Ada [REDACTED]");
    expect((await client.ask()).data.user).toBe("active");
  });

  it.each<[string, () => object]>([
    [
      "expires_in as the time of its end",
      () => ({ expires_in: Math.ceil(Date.now() / 1_000) + 600 }),
    ],
    ["the same in milliseconds", () => ({ expires_in: Date.now() + 600_000 })],
    ["expires_at", () => ({ expires_in: null, expires_at: Math.ceil(Date.now() / 1_000) + 600 })],
    [
      "expires_at as a text",
      () => ({ expires_in: null, expires_at: new Date(Date.now() + 600_000).toISOString() }),
    ],
  ])("reads %s as the time that a token lives", async (_what, answer) => {
    server.options.answer = { ...answer() };
    const client = open();
    const callback = server.agree((await client.ask()).error.details.auth_url);
    const { expiresInSeconds = 0 } = await client.completeAuthorization(callback);
    expect(expiresInSeconds).toBeLessThanOrEqual(601);
    expect(expiresInSeconds).toBeGreaterThan(0);
  });

  it("reads no time of a token from a date without a zone", async () => {
    server.options.answer = { expires_in: null, expires_at: "2096-01-01 00:00:00" };
    const client = open();
    const callback = server.agree((await client.ask()).error.details.auth_url);
    const { expiresInSeconds } = await client.completeAuthorization(callback);
    expect(expiresInSeconds).toBeUndefined();
  });

  it.each<[string, object]>([
    ["scopes", { scopes: ["read", "write"] }],
    ["authorizationUrl", { authorizationUrl: "https://login.example.com/authorize" }],
    ["authorizationParameters", { authorizationParameters: {} }],
    ["audience", { audience: "https://api.shop.example" }],
  ])("shows another address when the record has other %s", async (_what, change) => {
    const tokenStore = fileTokenStore(directory());
    const find = async (oauth2: object) =>
      (await open({ ...oauth2 }, { tokenStore }).ask()).error.details.auth_url;
    const first = await find({});
    expect(await find({})).toBe(first);
    expect(await find(change)).not.toBe(first);
  });

  it("leaves a callback to the toolkit that has its source, and forgets the one before that nobody followed", async () => {
    const entries = new Set<string>();
    const files = fileTokenStore(directory());
    const tokenStore: TokenStore = {
      ...files,
      write: async (key, entry) => {
        if (key.source.startsWith("0")) entries.add(key.name);
        await files.write(key, entry);
      },
      remove: async (key) => {
        entries.delete(key.name);
        await files.remove(key);
      },
    };
    let nowMs = Date.now();
    const client = open({}, { tokenStore, clock: { now: () => nowMs } });
    await client.ask();
    nowMs += 900_000;
    const callback = server.agree((await client.ask()).error.details.auth_url, "ada");
    expect(entries.size).toBe(1);
    const other = { ...createTokenRecord(server, byConsent()), name: "Other" };
    const options = { secrets: (name: string) => secrets[name], tokenStore };
    const stranger = await ApiSourceToolkit.fromSources([other], options);
    await expect(stranger.completeAuthorization(callback)).rejects.toMatchObject({
      code: "unknown_state",
    });
    await client.completeAuthorization(callback);
    expect((await client.ask()).data.user).toBe("ada");
  });

  it("has a grant for each user whom userOf names, and none for a call of nobody", async () => {
    const client = open({}, { userOf: ({ context }) => Object(context).user });
    const [ada, eve] = ["ada", "eve"].map((user) => ({ context: { user } }));
    const callback = server.agree((await client.ask(ada)).error.details.auth_url, "ada");
    await expect(client.completeAuthorization(callback, eve)).rejects.toMatchObject({
      code: "unknown_state",
    });
    await client.completeAuthorization(callback, ada);
    expect((await client.ask(ada)).data.user).toBe("ada");
    expect((await client.ask(eve)).error.code).toBe("auth_required");
    const nobody = { configurable: { langgraph_auth_user_id: "service" } };
    for (const context of [undefined, nobody])
      expect((await client.ask(context)).error.code).toBe("unknown_user");
    const shared = openShop(server, {}, { userOf: () => undefined });
    expect((await shared.ask()).data.user).toBe("client");
  });

  /** A store that refuses grants while it is broken. */
  function createBrokenStore() {
    const files = fileTokenStore(directory());
    const state = { isBroken: true };
    const tokenStore: TokenStore = {
      ...files,
      write: async (key, entry) => {
        if (state.isBroken && "accessToken" in entry) throw new RangeError("disk full");
        await files.write(key, entry);
      },
    };
    return { state, tokenStore };
  }

  it("gives a grant that the store could not take to the calls of its process, and to the store later", async () => {
    const { state, tokenStore } = createBrokenStore();
    let nowMs = Date.now();
    const client = open({}, { tokenStore, clock: { now: () => nowMs } });
    const callback = server.agree((await client.ask()).error.details.auth_url, "ada");
    await expect(client.completeAuthorization(callback)).rejects.toMatchObject({
      code: "token_store_failed",
      message: expect.stringContaining("shop was authorized, but the grant is kept only in this"),
    });
    expect((await client.ask()).data.user).toBe("ada");
    state.isBroken = false;
    nowMs += 10_000;
    for (const each of [client, open({}, { tokenStore })])
      expect((await each.ask()).data.user).toBe("ada");
    expect(server.tokenRequests).toHaveLength(1);
  });

  it("uses no grant that the store could not take, and another toolkit forgot", async () => {
    const { state, tokenStore } = createBrokenStore();
    const record = createTokenRecord(server, byConsent());
    const options = { secrets: (name: string) => secrets[name], tokenStore };
    const [toolkit, another] = [
      await ApiSourceToolkit.fromSources([record], options),
      await ApiSourceToolkit.fromSources([record], options),
    ];
    const ask = async () => JSON.parse(await toolkit.tools[0]?.invoke(get));
    const { url } = await toolkit.startAuthorization("shop");
    await expect(toolkit.completeAuthorization(server.agree(url, "ada"))).rejects.toMatchObject({
      code: "token_store_failed",
    });
    expect((await ask()).data.user).toBe("ada");
    state.isBroken = false;
    await another.forgetAuthorization("shop");
    expect((await ask()).error.code).toBe("auth_required");
  });

  it("remembers nothing for a store that fails of a grant that was forgotten while a call read it", async () => {
    const files = fileTokenStore(directory());
    const state = { isBroken: false, held: [] as Promise<void>[] };
    let isRead = (): void => {};
    const reading = new Promise<void>((resolve) => {
      isRead = resolve;
    });
    const read: TokenStore["read"] = async (key) => {
      if (state.isBroken) throw new RangeError("no store");
      const entry = await files.read(key);
      const held = key.source === "shop" ? state.held.shift() : undefined;
      if (held !== undefined) isRead();
      await held;
      return entry;
    };
    const record = createTokenRecord(server, byConsent());
    const options = { secrets: (name: string) => secrets[name], tokenStore: { ...files, read } };
    const toolkit = await ApiSourceToolkit.fromSources([record], options);
    const ask = async () => JSON.parse(await toolkit.tools[0]?.invoke(get));
    const { url } = await toolkit.startAuthorization("shop");
    await toolkit.completeAuthorization(server.agree(url, "ada"));
    let goOn = (): void => {};
    state.held.push(
      new Promise((resolve) => {
        goOn = resolve;
      }),
    );
    const begun = ask();
    await reading;
    expect(await toolkit.forgetAuthorization("shop")).toBe(true);
    goOn();
    expect((await begun).data.user).toBe("ada");
    state.isBroken = true;
    expect((await ask()).error.code).toBe("token_store_failed");
  });

  it("polls until the store has the grant, and throws after the end of the code", async () => {
    const { state, tokenStore } = createBrokenStore();
    let nowMs = Date.now();
    const toolkit = await openDevice({ now: () => nowMs }, { tokenStore });
    const { poll } = await toolkit.startAuthorization("shop");
    server.agreeToDevice("WDJB-0");
    nowMs += 1_000;
    for (const _ of [1, 2])
      await expect(poll?.()).rejects.toMatchObject({ code: "token_store_failed" });
    state.isBroken = false;
    expect(await poll?.()).toMatchObject({ source: "shop" });
    expect(server.tokenRequests).toHaveLength(1);
    nowMs += 600_000;
    await expect(poll?.()).rejects.toMatchObject({ code: "expired_token" });
  });

  it("finds its endpoints by its issuer, and takes a callback of no other; the ID token names the account", async () => {
    const claims = Buffer.from('{"sub":"1","email":"ada@example.com"}').toString("base64url");
    server.options.answer = { id_token: `e30.${claims}.x`, name: "Ada" };
    const client = open({ tokenUrl: undefined, authorizationUrl: undefined, issuer: server.url });
    const comeBack = async (iss: string) =>
      `${server.agree((await client.ask()).error.details.auth_url, "ada")}&iss=${encodeURIComponent(iss)}`;
    const forged = client.completeAuthorization(await comeBack("https://other.example"));
    await expect(forged).rejects.toMatchObject({
      code: "authorization_failed",
      message: expect.stringContaining('unexpected "iss" (issuer) response parameter value'),
    });
    server.options.metadata = { authorization_response_iss_parameter_supported: true };
    const bare = server.agree((await client.ask()).error.details.auth_url, "ada");
    await expect(client.completeAuthorization(bare)).rejects.toMatchObject({
      message: expect.stringContaining('"iss" (issuer) missing'),
    });
    const twice = client.completeAuthorization(`${await comeBack(server.url)}&code=another`);
    await expect(twice).rejects.toMatchObject({
      message: expect.stringContaining("more than one `code`"),
    });
    expect(server.tokenRequests).toHaveLength(0);
    const facts = await client.completeAuthorization(await comeBack(server.url));
    expect(facts).toMatchObject({ account: "ada@example.com", renewable: true });
    expect((await client.ask()).data.user).toBe("ada");
  });

  it("takes a callback once and in time, and refuses one that did not begin here, or of a record that was changed", async () => {
    const tokenStore = new InMemoryStore();
    let nowMs = Date.now();
    const client = open({}, { tokenStore, clock: { now: () => nowMs } });
    const begin = async (): Promise<string> =>
      server.agree((await client.ask()).error.details.auth_url);
    const refuse = (url: string, by = client) =>
      expect(by.completeAuthorization(url)).rejects.toMatchObject({ code: "unknown_state" });
    const forged = (await begin()).replace(/state=[^&]*/, `state=${"x".repeat(32)}`);
    for (const wrong of [forged, "https://app.example.com/callback?code=1", "http://a b"])
      await refuse(wrong);
    await refuse(await begin(), open({ clientId: "another" }, { tokenStore }));
    const late = await begin();
    nowMs += 900_000;
    await refuse(late);
    expect(server.tokenRequests).toHaveLength(0);
    const callback = await begin();
    const bare = callback.replace(/code=[^&]*&/, "");
    await expect(client.completeAuthorization(bare)).rejects.toMatchObject({ code: "no_code" });
    await client.completeAuthorization(callback);
    await refuse(callback);
    expect(server.tokenRequests).toHaveLength(1);
  });

  it.each<[string, () => TestOptions["tokenStore"]]>([
    ["a process", () => undefined],
    ["files", () => fileTokenStore(directory())],
    ["LangGraph", () => new InMemoryStore()],
  ])("takes one callback once in a store of %s, however many take it at once", async (_, make) => {
    const tokenStore = make();
    const client = open({}, { tokenStore });
    const url = server.agree((await client.ask()).error.details.auth_url, "ada");
    const others = tokenStore === undefined ? [] : [open({}, { tokenStore })];
    const takers = [client, client, ...others].map((each) => each.completeAuthorization(url));
    const taken = await Promise.allSettled(takers);
    expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of taken)
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "unknown_state" });
    expect(server.tokenRequests).toHaveLength(1);
    expect((await client.ask()).data.user).toBe("ada");
  });

  it("has a grant for each user, and takes no callback for another", async () => {
    const client = open({}, { responseScope: ({ context }) => String(Object(context).user ?? "") });
    const ada = { context: { user: "ada" } };
    const eve = { context: { user: "eve" } };
    const { error } = await client.ask(ada);
    const callback = server.agree(error.details.auth_url, "ada");
    await expect(client.completeAuthorization(callback)).rejects.toMatchObject({
      code: "context_required",
    });
    await expect(client.completeAuthorization(callback, eve)).rejects.toMatchObject({
      code: "unknown_state",
    });
    const second = (await client.ask(ada)).error.details.auth_url;
    await client.completeAuthorization(server.agree(second, "ada"), ada);
    expect((await client.ask(ada)).data.user).toBe("ada");
    expect((await client.ask(eve)).error.code).toBe("auth_required");
    expect((await client.ask()).error).toMatchObject({
      category: "not_configured",
      code: "unknown_user",
    });
  });

  it("is asked for again when the grant is dead, with why, and a new grant takes its place", async () => {
    const client = open();
    await client.completeAuthorization(server.agree((await client.ask()).error.details.auth_url));
    server.revokeAccess();
    server.revokeGrants();
    const { error } = await client.ask();
    expect(error).toMatchObject({
      code: "auth_required",
      details: { auth_url: expect.any(String) },
    });
    expect(error.message).toMatch(/has ended \(invalid_grant: told invalid_grant\)/);
    const asked = server.tokenRequests.length;
    await client.ask();
    expect(server.tokenRequests).toHaveLength(asked);
    await client.completeAuthorization(server.agree(error.details.auth_url));
    expect((await client.ask()).status).toBe(200);
  });

  it("is authorized before a call needs it, and forgotten by every toolkit of the store", async () => {
    const record = createTokenRecord(server, byConsent());
    const options = {
      secrets: (name: string) => secrets[name],
      tokenStore: fileTokenStore(directory()),
    };
    const toolkit = await ApiSourceToolkit.fromSources([record], options);
    const another = await ApiSourceToolkit.fromSources([record], options);
    const { url, ...others } = await toolkit.startAuthorization("shop");
    expect(others).toEqual({ expiresAtMs: expect.any(Number) });
    await toolkit.completeAuthorization(server.agree(url, "ada"));
    const ask = async ({ tools: [tool] }: ApiSourceToolkit) => JSON.parse(await tool?.invoke(get));
    for (const each of [toolkit, another]) expect((await ask(each)).data.user).toBe("ada");
    expect(await toolkit.forgetAuthorization("shop")).toBe(true);
    expect(await toolkit.forgetAuthorization("shop")).toBe(false);
    for (const each of [toolkit, another])
      expect((await ask(each)).error.code).toBe("auth_required");
    await expect(toolkit.startAuthorization("shopp")).rejects.toMatchObject({
      code: "unknown_source",
    });
  });

  it.each([
    ["this", true],
    ["another", false],
  ])(
    "keeps no grant that is forgotten by %s toolkit while its callback is redeemed",
    async (_which, isOwn) => {
      const tokenStore = fileTokenStore(directory());
      const record = createTokenRecord(server, byConsent());
      const options = { secrets: (name: string) => secrets[name], tokenStore };
      const toolkit = await ApiSourceToolkit.fromSources([record], options);
      const another = await ApiSourceToolkit.fromSources([record], options);
      const { url } = await toolkit.startAuthorization("shop");
      const held = server.holdOne();
      const completed = toolkit.completeAuthorization(server.agree(url)).catch((error) => error);
      await held.arrived();
      expect(await (isOwn ? toolkit : another).forgetAuthorization("shop")).toBe(false);
      held.goOn();
      expect(await completed).toMatchObject({
        code: "authorization_failed",
        message: expect.stringContaining("was forgotten while"),
      });
      for (const { tools } of [toolkit, another])
        expect(JSON.parse(await tools[0]?.invoke(get)).error.code).toBe("auth_required");
    },
  );

  it("may be authorized in another process that shares the store", async () => {
    const tokenStore = new InMemoryStore();
    const { error } = await open({}, { tokenStore }).ask();
    const other = open({}, { tokenStore });
    await other.completeAuthorization(server.agree(error.details.auth_url, "ada"));
    // A server that gives no other refresh token: the first stays good.
    server.options.rotates = false;
    for (const _ of [1, 2, 3]) {
      expect((await open({}, { tokenStore }).ask()).data.user).toBe("ada");
      server.revokeAccess();
    }
  });

  it("is authorized by a device code that the application began, and not by a call", async () => {
    let nowMs = Date.now();
    const toolkit = await openDevice({ now: () => nowMs });
    const [tool] = toolkit.getTools();
    const ask = async () => JSON.parse(await tool?.invoke(get));
    const { error } = await ask();
    expect(error).toMatchObject({ code: "auth_required", details: { source: "shop" } });
    expect(error.hint).toContain("api-sources login shop");
    expect(server.requests).toHaveLength(0);
    const { poll, ...shown } = await toolkit.startAuthorization("shop");
    expect(shown).toMatchObject({ url: `${server.url}/activate`, userCode: "WDJB-0" });
    server.agreeToDevice("WDJB-0");
    // The server allows it to be asked a second later.
    nowMs += 999;
    expect(await poll?.()).toBeUndefined();
    expect(server.tokenRequests).toHaveLength(0);
    nowMs += 1;
    const polled = await Promise.all([poll?.(), poll?.()]);
    expect(polled).toEqual([
      expect.objectContaining({ source: "shop", renewable: true }),
      undefined,
    ]);
    expect(await poll?.()).toBeUndefined();
    expect(server.tokenRequests).toHaveLength(1);
    expect((await ask()).data.user).toBe("device");
  });

  const device = {
    device_code: "device-code-1",
    user_code: "WDJB-7",
    verification_uri: "https://login.example.com/device",
    expires_in: 900,
  };

  it.each<[string, object, object]>([
    ["Google's name", { verification_url: device.verification_uri }, { verification_uri: null }],
    ["numbers as text", { expires_in: "900", interval: "1" }, {}],
  ])("takes the answer of a device endpoint with %s", async (_what, changes, gone) => {
    server.options.misbehave = (_request, response) => {
      sendJson(response, { ...device, ...changes, ...gone });
      return true;
    };
    const toolkit = await openDevice();
    const { url, userCode, expiresAtMs } = await toolkit.startAuthorization("shop");
    expect([url, userCode]).toEqual([device.verification_uri, "WDJB-7"]);
    expect(expiresAtMs).toBeGreaterThan(Date.now() + 800_000);
  });

  it.each<[string, number, (response: ServerResponse) => void]>([
    ["states a wait", 60, (response) => sendJson(response, {}, 429, { "retry-after": "60" })],
    ["has a fault", 2, (response) => sendJson(response, { error: "invalid_grant" }, 502)],
    ["breaks off", 2, (response) => response.destroy()],
  ])(
    "goes on with its device code, more slowly, while a server %s",
    async (_what, seconds, fail) => {
      let nowMs = Date.now();
      const toolkit = await openDevice({ now: () => nowMs });
      const { poll } = await toolkit.startAuthorization("shop");
      server.agreeToDevice("WDJB-0");
      server.options.misbehave = (_request, response) => {
        fail(response);
        return true;
      };
      nowMs += 1_000;
      expect(await poll?.()).toBeUndefined();
      delete server.options.misbehave;
      nowMs += seconds * 1_000 - 1;
      expect(await poll?.()).toBeUndefined();
      expect(server.tokenRequests).toHaveLength(1);
      nowMs += 1;
      expect(await poll?.()).toMatchObject({ source: "shop", renewable: true });
    },
  );

  it("says what a device endpoint did not answer, and what to do after its code expired", async () => {
    server.options.misbehave = (_request, response) => {
      sendJson(response, { user_code: "WDJB-7" });
      return true;
    };
    const toolkit = await openDevice();
    await expect(toolkit.startAuthorization("shop")).rejects.toMatchObject({
      message: expect.stringContaining("/device contains no usable device code"),
      hint: expect.stringContaining("device authorization endpoint"),
    });
    delete server.options.misbehave;
    let nowMs = Date.now();
    const later = await openDevice({ now: () => nowMs });
    const { poll } = await later.startAuthorization("shop");
    server.options.misbehave = (_request, response) => {
      sendJson(response, { error: "expired_token" }, 400);
      return true;
    };
    nowMs += 2_000;
    await expect(poll?.()).rejects.toMatchObject({
      code: "expired_token",
      hint: expect.stringContaining("begin the authorization again"),
    });
  });
});

it.each([
  "javascript:alert(1)//https://",
  "http://login.example.com/",
  "",
  "http://127.0.0.1.a.example/",
])("a person is not sent to %j", (url) => {
  expect(() => checkPersonUrl(url)).toThrow(
    expect.objectContaining({ code: "unsafe_authorization_url" }),
  );
});
