/**
 * Two processes of one service: they share a quota and what was kept, through one Redis; one is killed in the middle, and the other goes
 * on. Without a key. Needs `redis-server` (Debian: apt-get install redis-server), or a Redis of yours in REDIS_URL.
 *
 *   npm run example:two-processes-one-redis
 */

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { ApiSourceToolkit, defineSource, type ResponseStore } from "langchain-api-sources";
import { shopCredentials, startShopServer } from "./shop-server.js";
import { say } from "./transcript.js";

const quota = 8;
const [shopUrl, redisUrl] = process.argv.slice(2);
if (shopUrl === undefined || redisUrl === undefined) await runStory();
else await runWorker(shopUrl, redisUrl);

/** One process of the service: calls and reads as it is told. */
async function runWorker(shopAt: string, redisAt: string): Promise<void> {
  const redis = new Redis(redisAt);
  const source = defineSource({
    name: "Shop",
    api: {
      baseUrl: `${shopAt}/bearer`,
      authType: "bearer",
      limits: { requestsPerMinute: quota, maxWaitMs: 0 },
    },
  });
  const toolkit = await ApiSourceToolkit.fromSources([source], {
    credentials: { shop: { token: shopCredentials.bearer } },
    redis,
    responseStore: keepIn(redis),
  });
  const [shop, reader] = toolkit.getTools();
  process.on("disconnect", () => process.exit());
  process.on("message", async (input: Record<string, unknown>) => {
    const tool = "id" in input ? reader : shop;
    const answer = await tool?.invoke(input, { configurable: { thread_id: "t1" } });
    process.send?.(JSON.parse(String(answer)));
  });
  process.send?.("ready");
}

/** A store is `get`, `put` and `delete`; LangGraph's `PostgresStore` and `RedisStore` fit as they are. */
function keepIn(redis: Redis): ResponseStore {
  const keyOf = (namespace: string[], key: string): string => [...namespace, key].join(":");
  return {
    async get(namespace, key) {
      const text = await redis.get(keyOf(namespace, key));
      return text === null ? null : { value: JSON.parse(text) };
    },
    put: (namespace, key, value) =>
      redis.set(keyOf(namespace, key), JSON.stringify(value), "EX", 3_600),
    delete: (namespace, key) => redis.del(keyOf(namespace, key)),
  };
}

async function runStory(): Promise<void> {
  const shop = await startShopServer();
  const redis = process.env["REDIS_URL"] === undefined ? await startRedis() : undefined;
  const at = process.env["REDIS_URL"] ?? redis?.url ?? "";
  const [one, two] = [await startWorker(shop.url, at), await startWorker(shop.url, at)];
  try {
    say("bold", "What one process kept, the other reads");
    const { shortened } = await ask(one, "one", { method: "GET", path: "/orders?limit=300" });
    await ask(two, "two", { id: shortened?.id, select: "length(orders)" });

    say("bold", "\nOne process is killed in the middle of a call; the other reads and calls on");
    one.send({ method: "GET", path: "/orders?limit=500" });
    one.kill("SIGKILL");
    await once(one, "exit");
    await ask(two, "two", { id: shortened?.id, select: "max(orders[].total)" });

    say("bold", `\nThe quota of ${quota} requests in a minute counts those of both`);
    for (let last = 200; last === 200; )
      last = (await ask(two, "two", { method: "GET", path: "/me" })).status ?? 0;
    say("dim", `\n  the shop received ${shop.requests.length} requests in all`);
  } finally {
    two.disconnect();
    redis?.stop();
    await shop.close();
  }
}

interface Answer {
  readonly status?: number;
  readonly data?: unknown;
  readonly error?: { readonly message: string };
  readonly shortened?: { readonly id: string };
}

async function ask(
  worker: ChildProcess,
  name: string,
  input: Record<string, unknown>,
): Promise<Answer> {
  const answered = once(worker, "message");
  worker.send(input);
  const [answer]: Answer[] = await answered;
  const told = answer?.error?.message ?? answer?.shortened?.id ?? JSON.stringify(answer?.data);
  console.log(`  process ${name}  ${JSON.stringify(input)}\n               ${told}`);
  return answer ?? {};
}

async function startWorker(...args: string[]): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(import.meta.url), args);
  await once(worker, "message");
  return worker;
}

async function startRedis(): Promise<{ url: string; stop(): void }> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const server = spawn("redis-server", ["--port", `${port}`, "--bind", "127.0.0.1", "--save", ""]);
  for await (const text of server.stdout) if (String(text).includes("Ready to accept")) break;
  return { url: `redis://127.0.0.1:${port}`, stop: () => server.kill() };
}
