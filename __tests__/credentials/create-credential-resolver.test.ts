import { describe, expect, it } from "@jest/globals";
import {
  type CredentialResolverOptions,
  createCredentialResolver,
} from "../../src/credentials/create-credential-resolver.js";
import { nameCredentialVariables } from "../../src/credentials/credential-variables.js";
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
    ["an empty token", bearer, { token: "" }],
  ])("refuses %s from the option", async (_what, api, credential) => {
    const resolver = resolverWith({}, { credentials: { acme_crm: credential as never } });
    await expect(resolver.resolveCredential(makeSource(api), {})).rejects.toMatchObject({
      code: "malformed_credentials",
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

describe("nameCredentialVariables", () => {
  it("writes a hyphen of the slug as an underscore", () => {
    const source = makeSource(bearer, { slug: "acme-crm" });
    expect(nameCredentialVariables(source)).toEqual(["ACME_CRM_TOKEN", "ACME_CRM_API_KEY"]);
  });
});
