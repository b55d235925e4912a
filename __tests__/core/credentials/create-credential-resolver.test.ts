import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import type { CallContext } from "../../../src/core/base/runtime.js";
import {
  type CredentialResolverOptions,
  createCredentialResolver,
} from "../../../src/core/credentials/create-credential-resolver.js";
import type { TokenProvider } from "../../../src/core/credentials/credential.js";
import type { ApiSource } from "../../../src/core/record/api-source.js";
import { parseSource } from "../../../src/core/record/parse-source.js";
import { makeApplication } from "../../support/application.js";
import { awaitRefusal } from "../../support/refusals.js";

type GivenOptions = Partial<CredentialResolverOptions>;

function makeSource(
  api: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): ApiSource {
  return parseSource({
    name: "Acme CRM",
    ...more,
    api: { baseUrl: "https://api.acme.test", ...api },
  });
}

const bearer = { authType: "bearer" };
const basic = { authType: "basic" };
const token = (text: string) => ({ kind: "token", token: text });
const pair = (username: string, password: string) => ({ kind: "basic", username, password });

function resolverWith(environment: Record<string, string>, options: GivenOptions = {}) {
  const readEnvironment = (name: string) => environment[name];
  return createCredentialResolver({ application: makeApplication(), ...options, readEnvironment });
}

/** What a call is sent with: from the environment, and from the option before it. */
function resolve(
  api: Record<string, unknown>,
  environment: Record<string, string>,
  credentials?: CredentialResolverOptions["credentials"],
) {
  return resolverWith(environment, { credentials }).resolveCredential(makeSource(api), {});
}

const both = { ACME_CRM_TOKEN: "t", ACME_CRM_API_KEY: "k" };

describe("resolveCredential", () => {
  it.each([
    ["the token before the API key", bearer, both, token("t")],
    ["the API key when the token is empty", bearer, { ...both, ACME_CRM_TOKEN: "" }, token("k")],
    [
      "a variable of the record",
      { ...bearer, credentialEnv: "MY_KEY" },
      { MY_KEY: "m" },
      token("m"),
    ],
    [
      "the first variable that is set",
      { ...bearer, credentialEnv: ["A", "B"] },
      { B: "b" },
      token("b"),
    ],
    ["a pair", basic, { ACME_CRM_USERNAME: "u", ACME_CRM_PASSWORD: "p" }, pair("u", "p")],
    ["an empty password", basic, { ACME_CRM_USERNAME: "u", ACME_CRM_PASSWORD: "" }, pair("u", "")],
    [
      "a named pair",
      { ...basic, credentialEnv: { username: "U" } },
      { U: "u", ACME_CRM_PASSWORD: "p" },
      pair("u", "p"),
    ],
    ["a listed pair", { ...basic, credentialEnv: ["U", "P"] }, { U: "u", P: "p" }, pair("u", "p")],
    [
      "a pair in one variable",
      { ...basic, credentialEnv: "PAIR" },
      { PAIR: "u:p:q" },
      pair("u", "p:q"),
    ],
    ["nothing for a source without authType", {}, both, undefined],
  ])("reads %s from the environment", async (_what, api, environment, expected) => {
    expect(await resolve(api, environment)).toEqual(expected);
  });

  it.each([
    ["a record", { acme_crm: { token: "given" } }],
    ["a record with an API key", { acme_crm: { apiKey: "given" } }],
    ["an async function", async () => ({ token: "given" })],
    ["a provider", { getCredential: async () => ({ token: "given" }) }],
  ])("takes %s before the environment", async (_what, credentials) => {
    expect(await resolve(bearer, both, credentials)).toEqual(token("given"));
  });

  it.each([
    ["a record", { other: { token: "given" } }],
    ["a function", () => undefined],
    ["a provider", { getCredential: async () => undefined }],
  ])("takes the environment when %s has no entry", async (_what, credentials) => {
    expect(await resolve(bearer, both, credentials)).toEqual(token("t"));
  });

  it("asks on each call, with the call's context", async () => {
    const credentials = (source: ApiSource, { context }: CallContext) => ({
      token: `${source.slug}-${context}`,
    });
    const resolver = resolverWith({}, { credentials });
    for (const context of ["a", "b"]) {
      const found = await resolver.resolveCredential(makeSource(bearer), { context });
      expect(found).toEqual(token(`acme_crm-${context}`));
    }
  });

  it.each([
    [bearer, {}, /ACME_CRM_TOKEN or ACME_CRM_API_KEY/],
    [basic, {}, /ACME_CRM_USERNAME and ACME_CRM_PASSWORD/],
    [basic, { ACME_CRM_USERNAME: "u" }, /must be set/],
    [basic, { ACME_CRM_USERNAME: "", ACME_CRM_PASSWORD: "" }, /ACME_CRM_PASSWORD/],
    [{ ...bearer, credentialEnv: "MY_KEY" }, both, /MY_KEY/],
    [{ ...basic, credentialEnv: "PAIR" }, { PAIR: "no colon" }, /PAIR/],
  ])(
    "names the variables to set when there is no credential (%j, %j)",
    async (api, environment, names) => {
      await expect(resolve(api, environment)).rejects.toMatchObject({
        category: "not_configured",
        code: "missing_credentials",
        hint: expect.stringMatching(names),
      });
    },
  );

  it.each([
    ["a line break in a bearer token", bearer, { token: "abc\r\nX-Evil: 1" }, "line break"],
    [
      "what no header carries",
      { authType: "header", headerName: "X-Key" },
      { token: "abc日" },
      "Latin-1",
    ],
    [
      "a lone surrogate in a query",
      { authType: "query", queryParam: "k" },
      { token: "abc\ud800" },
      "surrogate",
    ],
    ["a colon in a basic username", basic, { username: "abc:d", password: "p" }, "colon"],
    ["a username for bearer", bearer, { username: "abc", password: "p" }, "takes { token }"],
    ["a token for basic", basic, { token: "abc" }, "takes { username, password }"],
    ["a number", bearer, { token: 7 }, "takes { token }"],
    ["what is to sign and can't", bearer, { token: "abc", sign: 5 }, "`sign` is of type number"],
    [
      "what is to renew and can't",
      bearer,
      { token: "abc", onUnauthorized: {} },
      "`onUnauthorized` is of type object",
    ],
    ["a token of spaces", bearer, { apiKey: " \n" }, "the token is empty"],
    [
      "an empty pair",
      basic,
      { username: "", password: "" },
      "the username and the password are empty",
    ],
  ])("refuses %s and does not show it", async (_what, api, given, why) => {
    const error = await awaitRefusal(resolve(api, {}, { acme_crm: given as never }));
    expect(error).toMatchObject({ category: "not_configured", code: "malformed_credentials" });
    expect(error.message).toContain(why);
    expect(JSON.stringify(error) + error.stack).not.toContain("abc");
  });

  it("does not pass on the message of a function that fails, and writes it to the log", async () => {
    const reports: [string, unknown][] = [];
    const failure = new TypeError("vault says s3cret");
    const resolver = resolverWith(
      {},
      { credentials: () => Promise.reject(failure), application: makeApplication(reports) },
    );
    const source = makeSource(bearer);
    const error = await awaitRefusal(resolver.resolveCredential(source, {}));
    expect(error).toMatchObject({ code: "credential_lookup_failed" });
    expect(error.message).toMatch(/credentials option.*TypeError/);
    expect(error.message).not.toContain("s3cret");
    expect(reports).toEqual([["The application's credentials option failed.", failure.message]]);
  });
});

describe("a token provider", () => {
  /** A vault whose token the API stops taking when it is renewed. */
  function startVault(): {
    provider: TokenProvider;
    asked: CallContext[];
    renewals: CallContext[];
  } {
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

  async function resolveToken(
    given: TokenProvider,
    resolver = resolverWith({}, { credentials: () => given }),
  ) {
    const credential = await resolver.resolveCredential(makeSource(bearer), { threadId: "a" });
    if (credential?.kind !== "token") throw new Error("no token");
    return credential;
  }

  it("is asked on each call, with the call's context, and holds nothing that is known before", async () => {
    const { provider, asked } = startVault();
    const resolver = resolverWith({}, { credentials: { acme_crm: provider } });
    await resolver.resolveCredential(makeSource(bearer), { threadId: "a" });
    await resolver.resolveCredential(makeSource(bearer), { threadId: "b" });
    expect(asked).toEqual([{ threadId: "a" }, { threadId: "b" }]);
    expect(resolver.isStatic.credentials).toBe(false);
    expect(resolver.listStaticSecrets(makeSource(bearer), [])).toEqual([]);
  });

  it("receives a 401 once, however many calls received it, without the signal of the first", async () => {
    const { provider, renewals } = startVault();
    const resolver = resolverWith({}, { credentials: { acme_crm: provider } });
    const { signal } = new AbortController();
    const renewed = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const credential = await resolver.resolveCredential(makeSource(bearer), {
          threadId: "a",
          signal,
        });
        return credential?.kind === "token" ? credential.renew?.() : undefined;
      }),
    );
    expect(new Set(renewed.map((one) => JSON.stringify({ ...one, renew: 0 }))).size).toBe(1);
    expect(renewed[0]).toMatchObject(token("t1"));
    expect(renewals).toEqual([{ threadId: "a" }]);
  });

  it("does not receive a 401 for a token that another call has renewed since", async () => {
    const { provider, renewals } = startVault();
    const [first, second] = [await resolveToken(provider), await resolveToken(provider)];
    await first.renew?.();
    expect(await second.renew?.()).toMatchObject(token("t1"));
    expect(renewals).toHaveLength(1);
  });

  it("has no other token when it can't receive a 401 and gives the same again", async () => {
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
});

describe("resolveSecret", () => {
  it.each<[string, GivenOptions, string | undefined]>([
    ["the record", { secrets: { APP_KEY: "given" } }, "given"],
    ["the function", { secrets: (name) => `${name}-given` }, "APP_KEY-given"],
    ["the environment when the record has no entry", { secrets: { OTHER: "x" } }, "environment"],
    ["nothing for an empty value", { secrets: { APP_KEY: "" } }, undefined],
  ])("takes %s", async (_what, options, expected) => {
    const resolver = resolverWith({ APP_KEY: "environment" }, options);
    expect((await resolver.resolveSecret("APP_KEY", makeSource(), {}))?.reveal()).toBe(expected);
  });
});
