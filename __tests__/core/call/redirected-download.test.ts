import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, type ClientOptions } from "langchain-api-sources";
import { startHttpServer } from "../../support/http-server.js";
import { type AnswerDocument, type ShopTool, startShopTool } from "../../support/shop-tool.js";

const secret = "s3cr3t-canary-0123456789";
const signature = "X-Amz-Signature=0badc0ffee0ddf00d";
const bytes = randomBytes(5_000);

let shop: ShopTool;
/** Where the API redirects a request to. */
let location: string;
/** What the storage answers with. */
let stored: { status: number; headers?: Record<string, string>; body?: Buffer };
const storage = await startHttpServer((_request, response) => {
  response.writeHead(stored.status, stored.headers);
  response.end(stored.body);
});

beforeEach(() => {
  stored = { status: 200, headers: { "Content-Type": "application/octet-stream" }, body: bytes };
  // The API is 127.0.0.1: another origin by its name and by its port.
  location = `http://localhost:${storage.port}/bucket/a.bin?${signature}`;
});

const asked = { method: "GET", path: "/files/a.bin" };

/** The record names `localhost`, without a port, unless the settings say something else. */
async function start(
  settings: Record<string, unknown> = {},
  options: ClientOptions = {},
): Promise<ShopTool> {
  shop = await startShopTool(
    (_request, response) => {
      response.writeHead(302, { Location: location, "Set-Cookie": "session=1" });
      response.end();
    },
    { network: { downloadHosts: ["localhost"] }, limits: { retries: 0 }, ...settings },
    options,
  );
  return shop;
}

const ask = async (
  settings: Record<string, unknown> = {},
  input: object = asked,
): Promise<AnswerDocument> => (await start(settings)).ask(input);

describe("a GET that is redirected to a host of network.downloadHosts", () => {
  it("is a file, and the signature of its URL is not in the answer", async () => {
    const answer = await ask();
    expect(answer).toMatchObject({ status: 200, file: { name: "a.bin", bytes: 5_000 } });
    expect(Buffer.from((await shop.toolkit.readFile(answer.file.id)) ?? [])).toEqual(bytes);
    expect(JSON.stringify(answer)).not.toContain("0badc0ffee");
    expect(storage.requests.map(({ method, url }) => [method, url])).toEqual([
      ["GET", `/bucket/a.bin?${signature}`],
    ]);
  });

  it.each([
    ["bearer", {}],
    ["header", { headerName: "X-Api-Key" }],
    ["query", { queryParam: "key" }],
    ["basic", {}],
  ])(
    "carries no %s credential, constant or model header, query or cookie to it",
    async (authType, more) => {
      const constants = { headers: { "X-Tenant": "constant-7" }, query: { plan: "constant-8" } };
      const token =
        authType === "basic" ? { username: "ada", password: secret } : { token: secret };
      await start({ authType, ...more, ...constants }, { credentials: { shop: token } });
      const headers = { "X-Model": "model-9", Accept: "application/vnd.model-9" };
      // The second call would send what the first one was given.
      for (const _ of [1, 2])
        expect((await shop.ask({ ...asked, headers, query: { part: "model-9" } })).status).toBe(
          200,
        );
      const sent = JSON.stringify(shop.server.requests.map(({ url, headers }) => [url, headers]));
      for (const each of ["constant-7", "constant-8", "model-9"]) expect(sent).toContain(each);
      expect(storage.requests).toHaveLength(2);
      for (const { url, headers } of storage.requests) {
        expect(url).toBe(`/bucket/a.bin?${signature}`);
        expect(headers).toEqual({
          host: `localhost:${storage.port}`,
          accept: "*/*",
          connection: "close",
        });
      }
    },
  );

  it("is not followed to the host that this one redirects to, even where the record names it", async () => {
    stored = {
      status: 302,
      headers: { Location: `http://localhost:${storage.port}/second?${signature}` },
    };
    const { error } = await ask();
    expect(storage.requests).toHaveLength(1);
    expect(error).toMatchObject({ category: "refused_by_policy" });
    expect(error.details.redirect).toEqual({
      status: 302,
      target: `http://localhost:${storage.port}/second`,
      reason: "second_host",
    });
  });

  it.each([
    ["another name", () => ["storage.example"]],
    ["another port", () => ["localhost:1"]],
    ["a wildcard above the name", () => ["*.localhost.example"]],
    ["none", () => undefined],
  ])(
    "is not followed where the record names %s, and the refusal names the setting",
    async (_name, hosts) => {
      const { error } = await ask({ network: { downloadHosts: hosts() } });
      expect(storage.requests).toEqual([]);
      expect(error).toMatchObject({ category: "refused_by_policy" });
      expect(error.hint).toContain('"localhost" to network.downloadHosts');
      expect(JSON.stringify(error)).not.toMatch(/base URL|0badc0ffee/);
    },
  );

  it("is not followed to an address, which no record can name", async () => {
    location = `http://127.0.0.1:${storage.port}/x`;
    const { error } = await ask();
    expect(error.category).toBe("refused_by_policy");
    expect(error.hint).not.toContain('add "');
    expect(storage.requests).toEqual([]);
    for (const host of "127.0.0.1 127.1 2130706433 0x7f000001 [::1] *.1 * *.com".split(" ")) {
      const record = {
        name: "Shop",
        api: { baseUrl: shop.server.url, network: { downloadHosts: [host] } },
      };
      await expect(ApiSourceToolkit.fromSources([record])).rejects.toThrow(/downloadHosts/);
    }
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"])("is not a %s", async (method) => {
    const { error } = await ask({}, { method, path: "/files/a.bin", body: { a: 1 } });
    expect(error.category).toBe("refused_by_policy");
    expect(storage.requests).toEqual([]);
  });

  it("is not followed where its URL repeats the credential", async () => {
    location = `http://localhost:${storage.port}/a.bin?key=${encodeURIComponent(secret)}`;
    await start(
      { authType: "query", queryParam: "key" },
      { credentials: { shop: { token: secret } } },
    );
    const answer = JSON.stringify(await shop.ask(asked));
    expect(storage.requests).toEqual([]);
    expect(answer).toContain("download_secret");
    expect(answer).not.toContain(secret);
  });

  it("leaves the source's credential and quota alone when it fails there", async () => {
    const renewed: unknown[] = [];
    const credential = { token: () => secret, onUnauthorized: () => void renewed.push(1) };
    await start({ authType: "bearer" }, { credentials: { shop: credential } });
    for (const [status, category] of [
      [401, "forbidden"],
      [403, "forbidden"],
      [404, "not_found"],
      [429, "rate_limited"],
      [429, "rate_limited"],
    ] as const) {
      stored = { status, headers: { "Retry-After": "3600" } };
      const { error } = await shop.ask(asked);
      expect(error.category).toBe(category);
      expect(error.hint).toContain(`localhost:${storage.port}`);
    }
    expect(renewed).toEqual([]);
    // No cooldown of the API: each call was sent.
    expect(shop.server.requests).toHaveLength(5);
  });
});
