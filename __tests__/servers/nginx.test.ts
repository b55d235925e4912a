import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import type { ClientOptions, Credential } from "langchain-api-sources";
import { type TestedSource, testSource } from "./support/call-source.js";
import { startNginx } from "./support/nginx.js";
import { startRedisServer } from "./support/redis-server.js";
import { makeSecret } from "./support/secrets.js";

const secret = makeSecret();
const pair = { username: "reader", password: makeSecret() };
const inBase64 = Buffer.from(`reader:${pair.password}`).toString("base64");

const server = await startNginx({ bearer: secret, header: secret, query: secret, basic: pair });
afterAll(() => server.stop());

interface Given {
  readonly door?: string;
  readonly auth?: object;
  readonly credential?: Credential;
  readonly limits?: object;
  readonly options?: ClientOptions;
}

function open(given: Given = {}): TestedSource {
  const { door = "bearer", auth = { authType: "bearer" }, credential = { token: secret } } = given;
  const api = { baseUrl: `${server.url}/${door}`, limits: given.limits ?? {}, ...auth };
  const options = { credentials: { files: credential }, ...given.options };
  return testSource({ name: "Files", api }, options, [secret, pair.password, inBase64]);
}

const doors: readonly Given[] = [
  { door: "bearer" },
  { door: "header", auth: { authType: "header", headerName: "X-API-Key" } },
  { door: "query", auth: { authType: "query", queryParam: "api_key" } },
  { door: "basic", auth: { authType: "basic" }, credential: pair },
];

describe.each(doors)("nginx behind $door", (given) => {
  const path = `/made/${given.door}.json`;

  it("lists a directory, and reads a file with and without a tool call", async () => {
    const source = open(given);
    const listed = await source.call({ method: "GET", path: "/" });
    expect(listed).toMatchObject({ status: 200, artifact: { request: "GET /", attempts: 1 } });
    const file = expect.objectContaining({ name: "report.json", size: 48 });
    expect(listed.data).toEqual(expect.arrayContaining([file]));
    const input = { method: "GET", path: "/report.json" };
    const { content } = await source.call(input);
    expect(content).toMatch(
      /^{"status":200,"data":{"id":7,"title":"Quarterly report","total":19.9},"headers":{"etag":/,
    );
    expect(await source.callPlain(input)).toBe(content);
  });

  it("writes a file and deletes it", async () => {
    const source = open(given);
    const file = join(server.directory, "files", path);
    const written = await source.call({ method: "PUT", path, body: '{"price":19.90}' });
    expect(JSON.parse(written.content)).toEqual({ status: 201, headers: { location: path } });
    expect(readFileSync(file, "utf8")).toBe('{"price":19.90}');
    const read = await source.call({ method: "GET", path });
    expect(read.content).toMatch(/^{"status":200,"data":{"price":19\.90}/);
    expect((await source.call({ method: "DELETE", path })).content).toBe('{"status":204}');
    expect(existsSync(file)).toBe(false);
  });

  it("follows the redirect to a directory's own path and carries the credential there", async () => {
    const answer = await open(given).call({ method: "GET", path: "/archive", select: "[].name" });
    expect(answer).toMatchObject({ status: 200, data: ["old.json"], artifact: { attempts: 2 } });
  });

  it("takes an agent through reading, writing, an error, and a way out that is refused", async () => {
    const before = (await server.readRequests()).length;
    const [listed, written, read, absent, outside] = await open(given).runAgent([
      { method: "GET", path: "/", select: "[?type=='file'].name" },
      { method: "PUT", path, body: { from: "agent" } },
      { method: "GET", path },
      { method: "GET", path: "/nothing.json" },
      { method: "GET", path: "/..%2f..%2flogin" },
    ]);
    expect(listed?.data).toEqual(expect.arrayContaining(["report.json", "prices.csv"]));
    expect([written?.status, read?.data]).toEqual([201, { from: "agent" }]);
    expect(absent).toMatchObject({ status: 404, contentType: "text/html" });
    expect(absent?.error).toMatchObject({ message: "404 Not Found", category: "not_found" });
    expect(absent?.error?.hint).toContain("/nothing.json");
    expect(outside?.error?.category).toBe("refused_by_policy");
    expect((await server.readRequests()).length - before).toBe(4);
  });
});

describe("requestsPerMinute on a real Redis", () => {
  it("lets nginx see no more requests of all clients together than the quota", async () => {
    const redisServer = await startRedisServer();
    const clients = [1, 2, 3].map(() => new Redis(redisServer.port, "127.0.0.1"));
    const limits = { requestsPerMinute: 5, maxWaitMs: 0 };
    try {
      const [first, second, third] = clients.map((redis) => {
        const source = open({ limits, options: { redis } });
        return (count: number) =>
          Promise.all(
            Array.from({ length: count }, () => source.call({ method: "GET", path: "/report.json?q=1" })),
          );
      });
      const answers = (await Promise.all([first?.(6), second?.(6)])).flatMap((some = []) => some);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      for (const { status, error } of [...answers, ...((await third?.(1)) ?? [])]) {
        if (status === 200) continue;
        expect([status, error?.category]).toEqual([undefined, "rate_limited"]);
        expect(error?.retryAfterSeconds).toBeGreaterThan(0);
        expect(error?.retryAfterSeconds).toBeLessThanOrEqual(60);
      }
      expect((await server.readRequests()).filter((line) => line.includes("q=1"))).toHaveLength(5);
    } finally {
      for (const client of clients) client.disconnect();
      await redisServer.stop();
    }
  });
});
