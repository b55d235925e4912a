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

const get = (path: string, limits: object = {}) => open({ limits }).call({ method: "GET", path });

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

describe("nginx with odd answers", () => {
  it("reads CSV rows without touching a number, and a page by its title", async () => {
    const csv = await get("/prices.csv");
    expect(csv).toMatchObject({ contentType: "text/csv", data: [{ sku: "SKU-1", price: "19.90" }, {}] });
    expect((await get("/page.html")).data).toMatchObject({ title: "Intranet", text: "Welcome" });
  });

  it.each(["/rows.json", "/gzip/rows.json"])(
    "shrinks %s to the budget, and answers queries on the whole without another request",
    async (path) => {
      const source = open();
      const answer = await source.call({ method: "GET", path: `${path}?kept=1` });
      expect(answer.artifact.bytes).toBeGreaterThan(500_000);
      expect(answer.content.length).toBeLessThan(25_000);
      expect(answer.data).toMatchObject({
        rows: expect.arrayContaining([expect.objectContaining({ id: 1, name: "Row 1" })]),
      });
      const id = answer.shortened?.id ?? "";
      expect(id).toBe(answer.artifact.responseId);
      expect((await source.readKept({ id, select: "rows[-1].name" })).data).toBe("Row 2000");
      const sent = (await server.readRequests()).filter((line) => line.includes(`${path}?kept=1`));
      expect(sent).toHaveLength(1);
      const select = "rows[?id==`1999`].name | [0]";
      expect((await source.call({ method: "GET", path, select })).data).toBe("Row 1999");
    },
  );

  it("waits for a limit that opens soon, inside the call", async () => {
    const source = open();
    const calls = [1, 2].map(() => source.call({ method: "GET", path: "/brisk/report.json" }));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await server.readRequests()).toContain("GET /bearer/brisk/report.json 429");
  });

  it("reports a limit that opens late, and sends nothing more to it until then", async () => {
    const input = { method: "GET", path: "/narrow/report.json" };
    expect((await open().call(input)).status).toBe(200);
    const impatient = open({ limits: { maxWaitMs: 1_000 } });
    const limited = await impatient.call(input);
    expect(limited).toMatchObject({ status: 429, artifact: { rateLimit: { retryAfterSeconds: 30 } } });
    const error = { message: "Too many requests", category: "rate_limited", retryable: true };
    expect(limited.error).toMatchObject({ ...error, retryAfterSeconds: 30 });
    const again = await impatient.call({ method: "GET", path: "/narrow/report.json?again=1" });
    expect(again.status).toBeUndefined();
    expect(again.error).toMatchObject({ category: "rate_limited", retryAfterSeconds: expect.any(Number) });
    expect(await server.readLog()).not.toContain("again=1");
    expect((await impatient.call({ method: "GET", path: "/report.json" })).status).toBe(200);
  });

  it("gives what arrived of a body that is too slow", async () => {
    const answer = await get("/slow/rows.json", { timeoutMs: 1_500 });
    expect(answer).toMatchObject({ status: 200, partial: { bytes: expect.any(Number) } });
    expect(answer.error).toMatchObject({ category: "timeout", retryable: true, details: { phase: "body" } });
    expect(answer.data).toMatchObject({ rows: expect.arrayContaining([expect.objectContaining({ id: 1 })]) });
  });

  it("follows a redirect inside the base path only", async () => {
    expect(await get("/moved")).toMatchObject({ status: 200, data: { id: 7 }, artifact: { attempts: 2 } });
    for (const [path, reason] of [
      ["/away", "outside_base_path"],
      ["/login", "outside_base_path"],
      ["/upgrade", "http_to_https"],
    ] as const) {
      const { error } = await get(path);
      expect(error).toMatchObject({ category: "refused_by_policy", details: { redirect: { reason } } });
    }
    expect((await server.readRequests()).filter((line) => /\s\/(?:login|elsewhere)/.test(line))).toEqual([]);
  });

  it("shows no credential that a server writes into its Location", async () => {
    const given = { door: "query", auth: { authType: "query", queryParam: "api_key" } };
    const answer = await open(given).call({ method: "GET", path: "/away" });
    expect(answer.error?.message).toContain("/elsewhere");
  });

  it("repeats a read that failed on the way, and never a write", async () => {
    const broken = await get("/broken");
    expect(broken).toMatchObject({ status: 502, artifact: { attempts: 3 } });
    expect(broken.error).toMatchObject({ category: "server_error", retryable: true });
    const gone = { category: "network", code: "ECONNRESET", details: { attempts: 3 } };
    expect((await get("/gone")).error).toMatchObject(gone);
    const write = await open().call({ method: "POST", path: "/gone", body: { a: 1 } });
    expect(write.error).toMatchObject({ category: "network", retryable: false });
    const posts = (await server.readRequests()).filter((line) => line.startsWith("POST /bearer/gone"));
    expect(posts).toEqual(["POST /bearer/gone 444"]);
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
