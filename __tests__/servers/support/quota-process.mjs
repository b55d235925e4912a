// One of several processes that share a quota: reports every attempt of a round.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Redis } from "ioredis";

const { directory, port, client, calls, quota } = JSON.parse(process.argv[2]);
const load = (file) => import(pathToFileURL(join(directory, "core", file)).href);
const { createLimiter } = await load("http/limits/own-limits.js");
const { systemStopwatch: stopwatch, systemSleep: sleep } = await load("base/runtime.js");
const { createApplication } = await load("base/application.js");

const connection = new Redis({ host: "127.0.0.1", port });
await connection.ping();
/** What rate-limiter-flexible uses of the package `redis` (version 4 and later), over the same connection. */
const nodeRedis = {
  isReady: true,
  isOpen: true,
  eval: (script, { keys, arguments: values }) =>
    connection.eval(script, keys.length, ...keys, ...values),
};
const redis = client === "ioredis" ? connection : nodeRedis;
const application = createApplication({ describeError: String, redact: String });
const limiter = createLimiter({ ...quota, stopwatch, sleep, application, redis });

const attempt = () =>
  limiter.take(quota.source, { maxWaitMs: 0 }).then(
    () => ({ sent: true }),
    ({ category }) => ({ sent: false, category }),
  );
process.on("disconnect", () => process.exit());
process.on("message", async () => {
  process.send({ attempts: await Promise.all(Array.from({ length: calls }, attempt)) });
});
process.send("ready");
