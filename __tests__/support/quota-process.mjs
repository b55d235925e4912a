// One of several processes that share a quota: prepares itself, waits for the word to go, and reports every attempt.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Redis } from "ioredis";

const { directory, port, client, calls, maxWaitMs, quota: quotaOptions } = JSON.parse(process.argv[2]);
const { createLimiter } = await import(pathToFileURL(join(directory, "limits/create-limiter.js")).href);

const connection = new Redis({ host: "127.0.0.1", port });
await connection.ping();

/** What rate-limiter-flexible uses of the package `redis` (version 4 and later), over the same connection. */
const nodeRedis = {
  isReady: true,
  isOpen: true,
  eval: (script, { keys, arguments: values }) => connection.eval(script, keys.length, ...keys, ...values),
};

const redis = client === "ioredis" ? connection : nodeRedis;
const limiter = createLimiter({ ...quotaOptions, redis });

// The end, wanted or not: nothing of a test that failed may live on.
process.on("disconnect", () => process.exit());

process.on("message", async () => {
  const startedMs = Date.now();
  const attempts = await Promise.all(
    Array.from({ length: calls }, async () => {
      try {
        await limiter.take(quotaOptions.source, { maxWaitMs });
        return { sent: true, atMs: Date.now() };
      } catch (error) {
        return { sent: false, atMs: Date.now(), category: error.category };
      }
    }),
  );
  process.send({ startedMs, attempts });
});
process.send("ready");
