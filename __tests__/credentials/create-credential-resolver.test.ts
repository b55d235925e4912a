import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import {
  type CredentialResolverOptions,
  createCredentialResolver,
} from "../../src/credentials/create-credential-resolver.js";
import type { TokenProvider } from "../../src/credentials/credential.js";
import { listCredentialVariables } from "../../src/credentials/credential-variables.js";
import type { CallContext } from "../../src/runtime.js";
import type { ApiSource } from "../../src/source/api-source.js";
import { parseSource } from "../../src/source/parse-source.js";

function makeSource(api: Record<string, unknown> = {}, more: Record<string, unknown> = {}): ApiSource {
  return parseSource({ name: "Acme CRM", ...more, api: { baseUrl: "https://api.acme.test", ...api } });
}

const bearer = { authType: "bearer" };
const basic = { authType: "basic" };

function resolverWith(environment: Record<string, string>, options: CredentialResolverOptions = {}) {
  return createCredentialResolver({ ...options, readEnvironment: (name) => environment[name] });
}

describe("resolveCredential", () => {
  it.each([
    ["a token", bearer, { ACME_CRM_TOKEN: "t" }, { kind: "token", token: "t" }],
    ["an API key", bearer, { ACME_CRM_API_KEY: "k" }, { kind: "token", token: "k" }],
    [
      "the token before the API key",
      bearer,
      { ACME_CRM_TOKEN: "t", ACME_CRM_API_KEY: "k" },
      { kind: "token", token: "t" },
    ],
    [
      "the API key when the token is empty",
      bearer,
      { ACME_CRM_TOKEN: "", ACME_CRM_API_KEY: "k" },
      { kind: "token", token: "k" },
    ],
    [
      "a variable of the record",
      { ...bearer, credentialEnv: "MY_KEY" },
      { MY_KEY: "m" },
      { kind: "token", token: "m" },
    ],
    [
      "the first variable that is set",
      { ...bearer, credentialEnv: ["A", "B"] },
      { B: "b" },
      { kind: "token", token: "b" },
    ],
    [
      "a username and a password",
      basic,
      { ACME_CRM_USERNAME: "u", ACME_CRM_PASSWORD: "p" },
      { kind: "basic", username: "u", password: "p" },
    ],
    [
      "an empty password that is set",
      basic,
      { ACME_CRM_USERNAME: "u", ACME_CRM_PASSWORD: "" },
      { kind: "basic", username: "u", password: "" },
    ],
    [
      "two variables of the record",
      { ...basic, credentialEnv: { username: "U", password: "P" } },
      { U: "u", P: "p" },
      { kind: "basic", username: "u", password: "p" },
    ],
    ["nothing for a source without authType", {}, { ACME_CRM_TOKEN: "t" }, undefined],
  ])("reads %s from the environment", async (_what, api, environment, expected) => {
    expect(await resolverWith(environment).resolveCredential(makeSource(api), {})).toEqual(expected);
  });

  it.each([
    ["a record", { acme_crm: { token: "given" } }],
    ["a record with an API key", { acme_crm: { apiKey: "given" } }],
    ["a function", () => ({ token: "given" })],
    ["an async function", async () => ({ token: "given" })],
    ["a provider", { getCredential: async () => ({ token: "given" }) }],
  ])("takes %s before the environment", async (_what, credentials) => {
    const resolver = resolverWith({ ACME_CRM_TOKEN: "environment" }, { credentials });
    expect(await resolver.resolveCredential(makeSource(bearer), {})).toEqual({
      kind: "token",
      token: "given",
    });
  });

  it.each([
    ["a record", { other: { token: "given" } }],
    ["a function", () => undefined],
    ["a provider", { getCredential: async () => undefined }],
  ])("takes the environment when %s has no entry", async (_what, credentials) => {
    const resolver = resolverWith({ ACME_CRM_TOKEN: "environment" }, { credentials });
    expect(await resolver.resolveCredential(makeSource(bearer), {})).toMatchObject({ token: "environment" });
  });

  it("asks on each call, with the call's context", async () => {
    const resolver = resolverWith(
      {},
      { credentials: (source, { context }) => ({ token: `${source.slug}-${context}` }) },
    );
    expect(await resolver.resolveCredential(makeSource(bearer), { context: "a" })).toMatchObject({
      token: "acme_crm-a",
    });
    expect(await resolver.resolveCredential(makeSource(bearer), { context: "b" })).toMatchObject({
      token: "acme_crm-b",
    });
  });

  it.each([
    [bearer, ["ACME_CRM_TOKEN", "ACME_CRM_API_KEY"]],
    [basic, ["ACME_CRM_USERNAME", "ACME_CRM_PASSWORD"]],
    [{ ...bearer, credentialEnv: "MY_KEY" }, ["MY_KEY"]],
  ])("names the variables to set when there is none (%j)", async (api, names) => {
    const failure = resolverWith({}).resolveCredential(makeSource(api), {});
    await expect(failure).rejects.toMatchObject({ category: "not_configured", code: "missing_credentials" });
    const hint: string = await failure.catch((error) => error.hint);
    for (const name of names) expect(hint).toContain(name);
  });

  it.each([
    ["a line break in a bearer token", bearer, { ACME_CRM_TOKEN: "abc\r\nX-Evil: 1" }],
    [
      "a character outside Latin-1 in a header",
      { authType: "header", headerName: "X-Key" },
      { ACME_CRM_TOKEN: "ab日c" },
    ],
    ["a colon in a basic username", basic, { ACME_CRM_USERNAME: "abc:d", ACME_CRM_PASSWORD: "p" }],
  ])("refuses %s without showing it", async (_what, api, environment) => {
    const failure = resolverWith(environment).resolveCredential(makeSource(api), {});
    await expect(failure).rejects.toMatchObject({
      category: "not_configured",
      code: "malformed_credentials",
    });
    const error: Error = await failure.catch((thrown) => thrown);
    expect(JSON.stringify(error) + error.message + error.stack).not.toMatch(/abc|ab日c/);
  });

  it("accepts any character in a query credential, which is percent-encoded", async () => {
    const resolver = resolverWith({ ACME_CRM_TOKEN: "日\n本" });
    const source = makeSource({ authType: "query", queryParam: "key" });
    expect(await resolver.resolveCredential(source, {})).toMatchObject({ token: "日\n本" });
  });

  it.each([
    ["a username for bearer", bearer, { username: "u", password: "p" }],
    ["a token for basic", basic, { token: "t" }],
    ["a number", bearer, { token: 7 }],
  ])("refuses %s from the option", async (_what, api, credential) => {
    const resolver = resolverWith({}, { credentials: { acme_crm: credential as never } });
    await expect(resolver.resolveCredential(makeSource(api), {})).rejects.toMatchObject({
      code: "malformed_credentials",
    });
  });

  it.each([
    ["an empty token", bearer, { token: "" }, "the token is empty"],
    ["a token of spaces", bearer, { apiKey: " \n" }, "the token is empty"],
    ["an empty pair", basic, { username: "", password: "" }, "the username and the password are empty"],
  ])("says of %s that it is empty", async (_what, api, credential, message) => {
    const resolver = resolverWith({}, { credentials: { acme_crm: credential } });
    await expect(resolver.resolveCredential(makeSource(api), {})).rejects.toMatchObject({
      code: "malformed_credentials",
      message: expect.stringContaining(message),
    });
  });

  it("says which variable is set, but empty", async () => {
    const failure = resolverWith({ ACME_CRM_API_KEY: "" }).resolveCredential(makeSource(bearer), {});
    await expect(failure).rejects.toMatchObject({
      message:
        'No credential is configured for Acme CRM (authType "bearer"). Set, but empty: ACME_CRM_API_KEY.',
    });
  });

  it("does not pass on the message of a function that fails", async () => {
    const resolver = resolverWith(
      {},
      { credentials: () => Promise.reject(new TypeError("vault says s3cret")) },
    );
    const failure = resolver.resolveCredential(makeSource(bearer), {});
    await expect(failure).rejects.toMatchObject({
      code: "credential_lookup_failed",
      message: expect.stringContaining("TypeError"),
    });
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining("s3cret") });
  });

  it("reads no inherited member of the credentials record", async () => {
    const resolver = resolverWith({}, { credentials: {} });
    const source = makeSource(bearer, { slug: "constructor" });
    await expect(resolver.resolveCredential(source, {})).rejects.toMatchObject({
      code: "missing_credentials",
    });
  });
});

describe("a token provider", () => {
  /** A vault whose token the API stops taking when it is renewed. */
  function startVault(): { provider: TokenProvider; asked: CallContext[]; renewals: CallContext[] } {
    const asked: CallContext[] = [];
    const renewals: CallContext[] = [];
    const provider: TokenProvider = {
      token: (context) => {
        asked.push(context);
        return `t${renewals.length}`;
      },
      onUnauthorized: async (context) => {
        await setTimeout(5);
        renewals.push(context);
      },
    };
    return { provider, asked, renewals };
  }

  async function resolveToken(given: TokenProvider, context: CallContext = {}) {
    const resolver = resolverWith({}, { credentials: { acme_crm: given } });
    const credential = await resolver.resolveCredential(makeSource(bearer), context);
    if (credential?.kind !== "token") throw new Error("no token");
    return credential;
  }

  it("is asked on each call, with the call's context, and holds nothing that is known before", async () => {
    const { provider, asked } = startVault();
    const resolver = resolverWith({}, { credentials: { acme_crm: provider } });
    const source = makeSource(bearer);
    await resolver.resolveCredential(source, { threadId: "a" });
    await resolver.resolveCredential(source, { threadId: "b" });
    expect(asked).toEqual([{ threadId: "a" }, { threadId: "b" }]);
    expect(resolver.isStatic.credentials).toBe(false);
    expect(resolver.listStaticSecrets(source, [])).toEqual([]);
  });

  it("may come from a function too", async () => {
    const resolver = resolverWith({}, { credentials: () => startVault().provider });
    expect(await resolver.resolveCredential(makeSource(bearer), {})).toMatchObject({ token: "t0" });
  });

  it("is told of a 401 once, however many calls got it, without the signal of the first", async () => {
    const { provider, renewals } = startVault();
    const resolver = resolverWith({}, { credentials: { acme_crm: provider } });
    const { signal } = new AbortController();
    const calls = Array.from({ length: 50 }, () =>
      resolver.resolveCredential(makeSource(bearer), { threadId: "a", signal }),
    );
    const credentials = await Promise.all(calls);
    const renewed = await Promise.all(
      credentials.map((credential) => (credential?.kind === "token" ? credential.renew?.() : undefined)),
    );
    expect(new Set(renewed.map((one) => (one?.kind === "token" ? one.token : undefined)))).toEqual(
      new Set(["t1"]),
    );
    expect(renewals).toEqual([{ threadId: "a" }]);
  });

  it("isn't told of a token that another call has renewed since", async () => {
    const { provider, renewals } = startVault();
    const first = await resolveToken(provider);
    const second = await resolveToken(provider);
    await first.renew?.();
    expect(await second.renew?.()).toMatchObject({ token: "t1" });
    expect(renewals).toHaveLength(1);
  });

  it("renews the tokens of two users apart", async () => {
    const renewed: unknown[] = [];
    const provider: TokenProvider = {
      token: ({ threadId }) => `${threadId}-token`,
      onUnauthorized: async ({ threadId }) => {
        await setTimeout(5);
        renewed.push(threadId);
      },
    };
    const resolver = resolverWith({}, { credentials: { acme_crm: provider } });
    const source = makeSource(bearer);
    const credentials = await Promise.all(
      ["ana", "bo"].map((threadId) => resolver.resolveCredential(source, { threadId })),
    );
    await Promise.all(credentials.map((one) => (one?.kind === "token" ? one.renew?.() : undefined)));
    expect(renewed).toEqual(["ana", "bo"]);
  });

  it("has no other token when it can't be told and gives the same again", async () => {
    const credential = await resolveToken({ token: () => "same" });
    expect(await credential.renew?.()).toBeUndefined();
  });

  it.each<[string, TokenProvider, string]>([
    ["throws", { token: () => Promise.reject(new Error("s3cret")) }, "credential_lookup_failed"],
    ["gives an empty token", { token: () => "" }, "malformed_credentials"],
    ["gives no string", { token: () => JSON.parse("7") }, "malformed_credentials"],
  ])("that %s is answered with an error that doesn't quote it", async (_what, provider, code) => {
    const failure = resolveToken(provider);
    await expect(failure).rejects.toMatchObject({ category: "not_configured", code });
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining("s3cret") });
  });

  it("that fails to renew may be told again", async () => {
    let failures = 1;
    const credential = await resolveToken({
      token: () => "t",
      onUnauthorized: () => {
        failures -= 1;
        if (failures === 0) throw new Error("vault is down");
      },
    });
    await expect(credential.renew?.()).rejects.toMatchObject({ code: "credential_lookup_failed" });
    expect(await credential.renew?.()).toMatchObject({ token: "t" });
  });
});

describe("resolveSecret", () => {
  it.each([
    ["the record", { secrets: { APP_KEY: "given" } }, "given"],
    ["the function", { secrets: (name: string) => `${name}-given` }, "APP_KEY-given"],
    ["the environment", {}, "environment"],
    ["the environment when the record has no entry", { secrets: { OTHER: "x" } }, "environment"],
  ])("takes %s", async (_what, options, expected) => {
    const secret = await resolverWith({ APP_KEY: "environment" }, options).resolveSecret(
      "APP_KEY",
      makeSource(),
      {},
    );
    expect(secret?.reveal()).toBe(expected);
  });

  it("gives undefined when nobody has it", async () => {
    expect(await resolverWith({}).resolveSecret("APP_KEY", makeSource(), {})).toBeUndefined();
  });
});

describe("listCredentialVariables", () => {
  it("writes a hyphen of the slug as an underscore", () => {
    const source = makeSource(bearer, { slug: "acme-crm" });
    expect(listCredentialVariables(source)).toEqual(["ACME_CRM_TOKEN", "ACME_CRM_API_KEY"]);
  });
});
