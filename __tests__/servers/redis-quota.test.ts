import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { type RedisServer, startRedisServer } from "../support/redis-server.js";
import { type SourceAnswer, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/make-secret.js";
import { type Nginx, startNginx } from "./support/nginx.js";

const secret = makeSecret();
const password = makeSecret();

let server: Nginx;
let redisServer: RedisServer;
const clients: Redis[] = [];
beforeAll(async () => {
  const basic = { username: "reader", password };
  [server, redisServer] = await Promise.all([
    startNginx({ bearer: secret, header: secret, query: secret, basic }),
    startRedisServer(),
  ]);
});
afterAll(async () => {
  for (const client of clients) client.disconnect();
  await Promise.all([server.stop(), redisServer.stop()]);
});

/** Calls as one process does that has a Redis client of its own. */
function callTimes(count: number, path: string): Promise<SourceAnswer[]> {
  const redis = new Redis(redisServer.port, "127.0.0.1");
  clients.push(redis);
  const limits = { requestsPerMinute: 5, maxWaitMs: 0 };
  const api = { baseUrl: `${server.url}/bearer`, authType: "bearer", limits };
  const source = testSource({ name: "Files", api }, { credentials: { files: { token: secret } }, redis }, [
    secret,
  ]);
  return Promise.all(Array.from({ length: count }, () => source.call({ method: "GET", path })));
}

describe("requestsPerMinute on a real Redis", () => {
  it("lets nginx see no more requests of all clients together than the quota", async () => {
    const answers = (
      await Promise.all([callTimes(6, "/report.json?q=1"), callTimes(6, "/report.json?q=1")])
    ).flat();
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = answers.filter(({ error }) => error?.category === "rate_limited");
    expect(refused).toHaveLength(7);
    for (const { status, error } of refused) {
      expect(status).toBeUndefined();
      expect(error?.retryAfterSeconds).toBeGreaterThan(0);
      expect(error?.retryAfterSeconds).toBeLessThanOrEqual(60);
    }
    const [late] = await callTimes(1, "/report.json?q=1");
    expect(late?.error?.category).toBe("rate_limited");
    const seen = (await server.readRequests()).filter((line) => line.includes("q=1"));
    expect(seen).toHaveLength(5);
  });
});
