/** One of several processes that share a store: a toolkit in it calls and reads as it is told. Compiled and started by the test. */

import { createHash } from "node:crypto";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { RedisStore } from "@langchain/langgraph-checkpoint-redis/store";
import { ApiSourceToolkit, type ResponseStore } from "langchain-api-sources";
import { createClient } from "redis";

interface Setup {
  readonly store: "postgres" | "redis-store" | "redis";
  readonly url: string;
  readonly api: string;
  /** The process has one of two sources: a confidential one, or one that looks for the marks of others. */
  readonly role?: "confidential" | "receiver";
}

interface Task {
  readonly thread: string;
  readonly call?: Record<string, unknown>;
  readonly read?: string;
  readonly select?: string;
  /** The id of a file: what is measured of it comes back. */
  readonly readFile?: string;
}

const setup: Setup = JSON.parse(process.argv[2] ?? "{}");
const logged: unknown[] = [];
const log = (message: string, data?: unknown): void => {
  logged.push([message, data]);
};

const responseStore = await openStore(setup);
const { role, api: baseUrl } = setup;
const record =
  role === "confidential"
    ? { name: "Payroll", api: { baseUrl, confidential: true } }
    : { name: "Shop", api: { baseUrl } };
const toolkit = await ApiSourceToolkit.fromSources([record], {
  responseStore,
  ...(role === "receiver" ? { flow: "hold" as const } : {}),
  logger: { debug: () => {}, info: () => {}, warn: log, error: log },
});
const [shop] = toolkit.getTools();

// PostgresStore listens to no error of its pool: without this, a database that ends its connections ends the process.
process.on("uncaughtException", (error) => log("uncaught", error.message));
// The end, wanted or not: nothing of a test that failed may live on.
process.on("disconnect", () => process.exit());
process.on("message", async ({ thread, call, read, select, readFile }: Task) => {
  const config = { configurable: { thread_id: thread } };
  if (call !== undefined) {
    const answer = JSON.parse(String(await shop?.invoke(call, config)));
    process.send?.({ answer, logged: logged.splice(0) });
    return;
  }
  if (readFile !== undefined) {
    const bytes = await toolkit.readFile(readFile, { threadId: thread });
    const sha256 = bytes && createHash("sha256").update(bytes).digest("hex");
    process.send?.({ value: sha256 ?? null, logged: logged.splice(0) });
    return;
  }
  const value = await toolkit.readResponse(read ?? "", {
    threadId: thread,
    ...(select === undefined ? {} : { select }),
  });
  process.send?.({ value: value ?? null, logged: logged.splice(0) });
});
process.send?.("ready");

async function openStore({ store, url }: Setup): Promise<ResponseStore> {
  if (store === "postgres") {
    const postgres = PostgresStore.fromConnString(url);
    await postgres.setup();
    return postgres;
  }
  const client = createClient({ url });
  client.on("error", () => {});
  await client.connect();
  if (store === "redis-store") return new RedisStore(withModules(client) as never);
  return {
    get: async (namespace, key) => {
      const text = await client.get([...namespace, key].join(":"));
      return text === null ? null : { value: JSON.parse(text) };
    },
    put: (namespace, key, value) =>
      client.set([...namespace, key].join(":"), JSON.stringify(value), { EX: 3_600 }),
    delete: (namespace, key) => client.del([...namespace, key].join(":")),
  };
}

interface Indexed {
  readonly prefix: string;
  readonly key: string;
}

/**
 * Debian's Redis has neither JSON nor a search over it. The commands that `RedisStore` uses of those modules are carried out here,
 * on plain keys of the same server, with a hash as the index; everything else is the server's own.
 */
function withModules(client: ReturnType<typeof createClient>): object {
  const read = async (id: string): Promise<unknown> => JSON.parse((await client.get(id)) ?? "null");
  return {
    async del(id: string) {
      await client.hDel("index", id);
      return await client.del(id);
    },
    expire: (id: string, seconds: number) => client.expire(id, seconds),
    json: {
      get: read,
      async set(id: string, _path: string, value: Indexed) {
        const { prefix, key } = value;
        await client.hSet("index", id, JSON.stringify({ prefix, key }));
        return await client.set(id, JSON.stringify(value));
      },
    },
    ft: {
      create: async () => "OK",
      async search(_index: string, query: string) {
        const words = /@prefix:\(([^)]*)\)/.exec(query)?.[1]?.split(" ") ?? [];
        const key = /@key:\{([^}]*)\}/.exec(query)?.[1]?.replaceAll("\\", "");
        const documents: { id: string; value: unknown }[] = [];
        for (const [id, text] of Object.entries(await client.hGetAll("index"))) {
          const indexed = JSON.parse(text) as Indexed;
          const tokens = indexed.prefix.split(/[.-]/);
          if (indexed.key !== key || !words.every((word) => tokens.includes(word))) continue;
          const value = await read(id);
          if (value !== null) documents.push({ id, value });
        }
        return { total: documents.length, documents };
      },
    },
  };
}
