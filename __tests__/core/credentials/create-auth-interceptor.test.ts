import { describe, expect, it } from "@jest/globals";
import axios, { type AxiosRequestConfig } from "axios";
import {
  createAuthInterceptor,
  findCredentialHeader,
} from "../../../src/core/credentials/create-auth-interceptor.js";
import type { UsableCredential } from "../../../src/core/credentials/credential.js";
import { type ApiSource, authTypes } from "../../../src/core/record/api-source.js";
import { parseSource } from "../../../src/core/record/parse-source.js";
import { startHttpServer } from "../../support/http-server.js";

const token: UsableCredential = { kind: "token", token: "tok-1 2&3=é" };
const basic: UsableCredential = { kind: "basic", username: "ünal", password: "p:ss wörd" };
const encode = (pair: string): string => `Basic ${Buffer.from(pair).toString("base64")}`;

const server = await startHttpServer();

function makeSource(authType: string, more: Record<string, unknown> = {}): ApiSource {
  const needed = { header: { headerName: "X-Api-Key" }, query: { queryParam: "api_key" } };
  const extra = authType === "header" || authType === "query" ? needed[authType] : {};
  return parseSource({ name: "Acme", api: { baseUrl: server.url, authType, ...extra, ...more } });
}

/** What arrives of a request that the interceptor was run on so many times. */
async function send(
  source: ApiSource,
  credential: UsableCredential,
  url = `${server.url}/a?x=%20y`,
  { times = 1, ...config }: AxiosRequestConfig & { times?: number } = {},
) {
  const client = axios.create(config);
  for (let count = 0; count < times; count += 1) {
    const attach = createAuthInterceptor(source, server.url, credential);
    if (attach !== undefined) client.interceptors.request.use(attach);
  }
  await client.get(url);
  const { headers, url: sent } = server.requests.at(-1) ?? {};
  return { url: sent, authorization: headers?.authorization, key: headers?.["x-api-key"] };
}

const expected: Readonly<Record<string, object>> = {
  bearer: { url: "/a?x=%20y", authorization: "Bearer tok-1 2&3=é" },
  header: { url: "/a?x=%20y", key: "tok-1 2&3=é" },
  query: { url: "/a?x=%20y&api_key=tok-1%202%263%3D%C3%A9" },
  basic: { url: "/a?x=%20y", authorization: encode("ünal:p:ss wörd") },
};

describe.each([...authTypes])("authType %s", (authType) => {
  const credential = authType === "basic" ? basic : token;

  it("attaches the credential once to a request to the source's origin, however often it runs", async () => {
    for (const times of [1, 3]) {
      expect(await send(makeSource(authType), credential, undefined, { times })).toEqual(
        expected[authType],
      );
    }
  });

  it("overrides a value that is there already, in whatever case", async () => {
    const headers = { authorization: "mine", "x-API-key": "mine" };
    const sent = await send(makeSource(authType), credential, undefined, { headers });
    expect(sent).toEqual({ authorization: "mine", key: "mine", ...expected[authType] });
  });

  it("sends nothing to another origin, or where there is a baseURL beside the URL", async () => {
    const source = makeSource(authType);
    const others = ["http://localhost.evil.test/a", "https://127.0.0.1/a", "/a", "not a url"];
    const tails = [".evil.test/a", "@evil.test/a", "0/a"].map((tail) => `${server.url}${tail}`);
    const refused = { category: "refused_by_policy" };
    for (const url of [...others, ...tails]) {
      await expect(send(source, credential, url)).rejects.toMatchObject(refused);
    }
    const beside = send(source, credential, undefined, { baseURL: "http://evil.test" });
    await expect(beside).rejects.toMatchObject(refused);
    expect(server.requests).toEqual([]);
  });

  it("refuses the other kind of credential and does not show it", () => {
    const other = authType === "basic" ? token : basic;
    expect(() => createAuthInterceptor(makeSource(authType), server.url, other)).toThrow(
      expect.objectContaining({
        category: "not_configured",
        message: expect.not.stringContaining("tok-1"),
      }),
    );
  });
});

it.each([
  ["Token", "Token tok-1 2&3=é"],
  ["", "tok-1 2&3=é"],
])("authScheme %j is sent as %j", async (authScheme, authorization) => {
  expect(await send(makeSource("bearer", { authScheme }), token)).toMatchObject({ authorization });
});

it("an empty password is sent", async () => {
  const sent = await send(makeSource("basic"), { kind: "basic", username: "key", password: "" });
  expect(sent).toMatchObject({ authorization: encode("key:") });
});

it("a source without authType has no interceptor and no credential header", () => {
  const source = parseSource({ api: { baseUrl: server.url } });
  expect(createAuthInterceptor(source, server.url, undefined)).toBeUndefined();
  expect(findCredentialHeader(source)).toBeUndefined();
});

it.each([
  ["bearer", "Authorization"],
  ["basic", "Authorization"],
  ["header", "X-Api-Key"],
  ["query", undefined],
])("the credential header of %s is %s", (authType, header) => {
  expect(findCredentialHeader(makeSource(authType))).toBe(header);
});

it("a request to another origin is not signed", async () => {
  let signed = 0;
  const signer: UsableCredential = {
    kind: "signer",
    sign: async () => {
      signed += 1;
      return undefined;
    },
  };
  const refused = { category: "refused_by_policy" };
  await expect(
    send(makeSource("bearer"), signer, "http://127.0.0.1.evil.test/a"),
  ).rejects.toMatchObject(refused);
  expect(signed).toBe(0);
});
