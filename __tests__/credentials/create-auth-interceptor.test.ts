import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import axios, { type AxiosInstance } from "axios";
import {
  createAuthInterceptor,
  findCredentialHeader,
} from "../../src/credentials/create-auth-interceptor.js";
import type { UsableCredential } from "../../src/credentials/credential.js";
import { type ApiSource, authTypes } from "../../src/source/api-source.js";
import { parseSource } from "../../src/source/parse-source.js";
import { type HttpServer, startHttpServer } from "../support/http-server.js";

const token: UsableCredential = { kind: "token", token: "tok-1 2&3=é" };
const basic: UsableCredential = { kind: "basic", username: "ünal", password: "p:ss wörd" };

let server: HttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

function makeSource(authType: string, more: Record<string, unknown> = {}): ApiSource {
  const needed = { header: { headerName: "X-Api-Key" }, query: { queryParam: "api_key" } };
  const extra = authType === "header" || authType === "query" ? needed[authType] : {};
  return parseSource({ name: "Acme", api: { baseUrl: server.url, authType, ...extra, ...more } });
}

function makeClient(source: ApiSource, credential: UsableCredential): AxiosInstance {
  const client = axios.create();
  const attach = createAuthInterceptor(source, server.url, credential);
  if (attach !== undefined) client.interceptors.request.use(attach);
  return client;
}

const credentialOf = (authType: string): UsableCredential => (authType === "basic" ? basic : token);

describe.each(authTypes.map((authType) => ({ authType })))("authType $authType", ({ authType }) => {
  it("attaches the credential to a request to the source's origin", async () => {
    await makeClient(makeSource(authType), credentialOf(authType)).get(`${server.url}/a?x=%20y`);
    const sent = server.requests[0];
    expect({
      url: sent?.url,
      authorization: sent?.headers.authorization,
      key: sent?.headers["x-api-key"],
    }).toEqual(
      {
        bearer: { url: "/a?x=%20y", authorization: "Bearer tok-1 2&3=é", key: undefined },
        header: { url: "/a?x=%20y", authorization: undefined, key: "tok-1 2&3=é" },
        query: {
          url: "/a?x=%20y&api_key=tok-1%202%263%3D%C3%A9",
          authorization: undefined,
          key: undefined,
        },
        basic: {
          url: "/a?x=%20y",
          authorization: `Basic ${Buffer.from("ünal:p:ss wörd").toString("base64")}`,
          key: undefined,
        },
      }[authType],
    );
  });

  it.each(["http://localhost.evil.test/a", "https://127.0.0.1/a", "/a", "not a url"])(
    "sends nothing to %s",
    async (url) => {
      const client = makeClient(makeSource(authType), credentialOf(authType));
      await expect(client.get(url)).rejects.toMatchObject({ category: "refused_by_policy" });
      expect(server.requests).toEqual([]);
    },
  );

  it.each([".evil.test/a", "@evil.test/a", "0/a"])(
    "sends nothing to the source's origin and then %s",
    async (tail) => {
      const client = makeClient(makeSource(authType), credentialOf(authType));
      await expect(client.get(`${server.url}${tail}`)).rejects.toMatchObject({
        category: "refused_by_policy",
      });
      expect(server.requests).toEqual([]);
    },
  );

  it("sends nothing when a baseURL stands beside the URL", async () => {
    const client = makeClient(makeSource(authType), credentialOf(authType));
    await expect(client.get(`${server.url}/a`, { baseURL: "http://evil.test" })).rejects.toMatchObject({
      category: "refused_by_policy",
    });
  });

  it("overrides a value that is there already, in whatever case", async () => {
    const client = makeClient(makeSource(authType), credentialOf(authType));
    await client.get(`${server.url}/a`, { headers: { authorization: "mine", "x-API-key": "mine" } });
    const name = authType === "header" ? "x-api-key" : "authorization";
    const expectMine = authType === "query";
    expect(server.requests[0]?.headers[name] === "mine").toBe(expectMine);
  });

  it("attaches it once, however often the interceptor runs", async () => {
    const source = makeSource(authType);
    const client = makeClient(source, credentialOf(authType));
    const again = createAuthInterceptor(source, server.url, credentialOf(authType));
    if (again !== undefined) {
      client.interceptors.request.use(again);
      client.interceptors.request.use(again);
    }
    await client.get(`${server.url}/a`);
    const sent = server.requests[0];
    expect(sent?.url.split("api_key").length).toBe(authType === "query" ? 2 : 1);
    expect(sent?.rawHeaders.filter((name) => /^(authorization|x-api-key)$/i.test(name)).length).toBe(
      authType === "query" ? 0 : 1,
    );
  });

  it("refuses the other kind of credential without showing it", () => {
    const other = authType === "basic" ? token : basic;
    expect(() => createAuthInterceptor(makeSource(authType), server.url, other)).toThrow(
      expect.objectContaining({ category: "not_configured", message: expect.not.stringContaining("tok-1") }),
    );
  });
});

describe("bearer", () => {
  it.each([
    ["Token", "Token tok-1 2&3=é"],
    ["", "tok-1 2&3=é"],
  ])("sends authScheme %j as %j", async (authScheme, expected) => {
    await makeClient(makeSource("bearer", { authScheme }), token).get(`${server.url}/a`);
    expect(server.requests[0]?.headers.authorization).toBe(expected);
  });
});

describe("basic", () => {
  it("sends an empty password", async () => {
    await makeClient(makeSource("basic"), { kind: "basic", username: "key", password: "" }).get(
      `${server.url}/a`,
    );
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("key:").toString("base64")}`);
  });
});

describe("a source without authType", () => {
  it("has no interceptor and no credential header", () => {
    const source = parseSource({ api: { baseUrl: server.url } });
    expect(createAuthInterceptor(source, server.url, undefined)).toBeUndefined();
    expect(findCredentialHeader(source)).toBeUndefined();
  });
});

describe("findCredentialHeader", () => {
  it.each([
    ["bearer", "Authorization"],
    ["basic", "Authorization"],
    ["header", "X-Api-Key"],
    ["query", undefined],
  ])("is, for %s, %s", (authType, expected) => {
    expect(findCredentialHeader(makeSource(authType))).toBe(expected);
  });
});
