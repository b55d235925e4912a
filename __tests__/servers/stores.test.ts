import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { type Child, startChild } from "../support/child-process.js";
import { compilePrograms } from "../support/compiled-programs.js";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { startPostgres } from "./support/postgres.js";
import { startRedisServer } from "./support/redis-server.js";

const rows = Array.from({ length: 2_000 }, (_, id) => ({
  id,
  name: `Row ${id}`,
  note: "words ".repeat(20),
}));
/** A body of many megabytes. */
const many = Array.from({ length: 60_000 }, (_, id) => ({
  id,
  name: `Row ${id}`,
  note: "words ".repeat(20),
}));

const fileBytes = randomBytes(20_000_000);

interface Told {
  readonly answer: {
    status?: number;
    data?: unknown;
    notes?: string[];
    shortened?: { id?: string };
    file?: { id?: string; bytes: number };
    error?: { category: string };
  };
  readonly value: unknown;
  readonly logged: unknown[];
}

const api = await startHttpServer(({ url }, response) => {
  if (url.startsWith("/file")) {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    return response.end(fileBytes);
  }
  if (url.startsWith("/nul")) return sendJson(response, { rows, odd: "\0 \ud800" });
  sendJson(response, url.startsWith("/many") ? many : rows);
});
const program = await readFile("__tests__/servers/support/store-process.ts", "utf8");
const programs = await compilePrograms({
  folder: "store-process",
  programs: { "store-process.ts": program },
});
const [redis, postgres] = await Promise.all([startRedisServer(), startPostgres()]);
afterAll(() => Promise.all([redis.stop(), postgres.stop()]));

/** Two processes with one store. */
interface Pair {
  readonly one: Child<Told>;
  readonly two: Child<Told>;
  end(): Promise<unknown>;
}

async function startPair(store: string, roles: readonly string[] = []): Promise<Pair> {
  const start = (role?: string): Promise<Child<Told>> =>
    startChild(programs.pathOf("store-process.ts"), {
      store,
      url: addressOf(store),
      api: api.url,
      role,
    });
  const [one, two] = await Promise.all([start(roles[0]), start(roles[1])]);
  return { one, two, end: () => Promise.all([one.end(), two.end()]) };
}

function addressOf(store: string): string {
  return store === "postgres" ? postgres.url : `redis://127.0.0.1:${redis.port}`;
}

interface Kept {
  readonly name: string;
  readonly key: string;
  readonly expires: boolean;
}

/** What the store's server holds, as its own tools show it. */
async function listKept(store: string): Promise<Kept[]> {
  if (store === "postgres") {
    const lines = await postgres.query(
      "SELECT namespace_path, key, expires_at - now() BETWEEN '58 min' AND '61 min' FROM store ORDER BY created_at",
    );
    return lines.map((line) => {
      const [name = "", key = "", expires] = line.split("|");
      return { name, key, expires: expires === "t" };
    });
  }
  const client = new Redis(redis.port, "127.0.0.1");
  try {
    if (store === "redis-store") return await listKeptByRedisStore(client);
    const ids = await client.keys("api-responses:*");
    return await Promise.all(
      ids.map(async (id) => {
        const end = id.lastIndexOf(":");
        return {
          name: id.slice(0, end),
          key: id.slice(end + 1),
          expires: await expiresInAnHour(client, id),
        };
      }),
    );
  } finally {
    client.disconnect();
  }
}

async function listKeptByRedisStore(client: Redis): Promise<Kept[]> {
  const index = await client.hgetall("index");
  return await Promise.all(
    Object.entries(index).map(async ([id, text]) => {
      const { prefix, key } = JSON.parse(text);
      return { name: prefix, key, expires: await expiresInAnHour(client, id) };
    }),
  );
}

async function expiresInAnHour(client: Redis, id: string): Promise<boolean> {
  const seconds = await client.ttl(id);
  return seconds > 3_480 && seconds <= 3_660;
}

describe.each([
  ["postgres", "LangGraph's PostgresStore"],
  ["redis-store", "LangGraph's RedisStore"],
  ["redis", "a store of one's own on plain Redis"],
])("kept responses in two processes, in %s: %s", (store) => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(store);
  });
  afterAll(() => pair.end());

  it("are read by the other process, in the same thread only, whatever the thread is called", async () => {
    const { one, two } = pair;
    const thread = "user_7%\\ a.b:langgraph/Ü";
    const { answer, logged } = await one.ask({ thread, call: { method: "GET", path: "/rows" } });
    const id = answer.shortened?.id;
    expect({ status: answer.status, id, logged }).toEqual({
      status: 200,
      id: expect.stringMatching(/^r_/),
      logged: [],
    });
    expect((await two.ask({ thread, read: id, select: "length(@)" })).value).toBe(2_000);
    expect((await two.ask({ thread: "user-7", read: id })).value).toBeNull();
    const kept = await listKept(store);
    const separator = { postgres: ":", "redis-store": "\\.", redis: ":" }[store];
    const name = new RegExp(
      `^api-responses${separator}thread${separator}user-7-a-b-langgraph--[0-9a-f]{32}$`,
    );
    expect(kept.find(({ key }) => key === id)).toEqual({
      name: expect.stringMatching(name),
      key: id,
      expires: true,
    });
  });

  it("hold a body of many megabytes, and one with characters that a database refuses", async () => {
    const { one, two } = pair;
    const large = await one.ask({ thread: "t", call: { method: "GET", path: "/many" } });
    expect(
      (await two.ask({ thread: "t", read: large.answer.shortened?.id, select: "length(@)" })).value,
    ).toBe(60_000);
    const odd = await one.ask({ thread: "t", call: { method: "GET", path: "/nul" } });
    expect(odd.logged).toEqual([]);
    expect(
      (await two.ask({ thread: "t", read: odd.answer.shortened?.id, select: "odd" })).value,
    ).toMatch(/^\0 /);
  });

  it("hold a file of 20 MB, which another process reads byte for byte, and another thread does not", async () => {
    const { one, two } = pair;
    const { answer, logged } = await one.ask({
      thread: "f",
      call: { method: "GET", path: "/file.bin" },
    });
    expect([answer.notes, answer.file?.bytes, logged]).toEqual([undefined, 20_000_000, []]);
    const id = answer.file?.id ?? "";
    expect((await two.ask({ thread: "f", readFile: id })).value).toBe(
      createHash("sha256").update(fileBytes).digest("hex"),
    );
    expect((await two.ask({ thread: "g", readFile: id })).value).toBeNull();
    const kept = (await listKept(store)).filter(({ key }) => key === id);
    expect(kept).toEqual([expect.objectContaining({ expires: true })]);
  });
});

describe.each(["postgres", "redis-store", "redis"])(
  "marks of confidential sources, in %s",
  (store) => {
    let pair: Pair;
    beforeAll(async () => {
      pair = await startPair(store, ["confidential", "receiver"]);
    });
    afterAll(() => pair.end());

    it("hold the thread in another process, and no other thread, and do not end", async () => {
      const { one, two } = pair;
      const call = { method: "GET", path: "/rows", query: { limit: 1 } };
      const thread = `marked ${store}`;
      expect((await two.ask({ thread, call })).answer.status).toBe(200);
      expect(await one.ask({ thread, call })).toMatchObject({
        answer: { status: 200 },
        logged: [],
      });
      expect((await two.ask({ thread, call })).answer.error).toMatchObject({
        category: "approval_required",
      });
      expect((await two.ask({ thread: "another", call })).answer.status).toBe(200);
      if (store !== "postgres") return;
      const [left] = await postgres.query(
        "SELECT expires_at > now() + INTERVAL '50 years' FROM store WHERE namespace_path = 'api-confidential'",
      );
      expect(left).toBe("t");
    });
  },
);
