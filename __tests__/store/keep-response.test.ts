import { describe, expect, it } from "@jest/globals";
import { InMemoryStore } from "@langchain/langgraph";
import { AsyncBatchedStore } from "@langchain/langgraph-checkpoint";
import { createSourceClient } from "../../src/index.js";
import { createMemoryStore } from "../../src/store/create-memory-store.js";
import type { KeptResponse } from "../../src/store/keep-response.js";
import { keepResponse, loadKeptResponse } from "../../src/store/keep-response.js";
import { type ResponseStore, resolveRuntimeStore } from "../../src/store/response-store.js";

const scope = ["api-responses", "thread", "t1"];

function makeResponse(more: Partial<KeptResponse> = {}): KeptResponse {
  return {
    text: '{"a":1}',
    kind: "json",
    status: 200,
    source: "acme",
    request: "GET /a",
    expiresAt: 2_000,
    ...more,
  };
}

async function keep(store: ResponseStore, response: KeptResponse): Promise<string> {
  return (await keepResponse({ store, namespace: scope }, response, 0)).id;
}

/** What `put` was given after the value. */
function watchPuts<Store extends ResponseStore>(store: Store): { store: Store; rest: unknown[][] } {
  const rest: unknown[][] = [];
  const { put } = store;
  store.put = Object.defineProperty(
    (...given: Parameters<typeof put>) => {
      rest.push(given.slice(3));
      return put.apply(store, given);
    },
    "length",
    { value: put.length },
  );
  return { store, rest };
}

const stores: [string, () => ResponseStore][] = [
  ["the memory store", () => createMemoryStore()],
  ["LangGraph's InMemoryStore", () => new InMemoryStore()],
];

describe.each(stores)("keepResponse and loadKeptResponse on %s", (_name, makeStore) => {
  it("gives back what was kept, under an unguessable id", async () => {
    const store = makeStore();
    const response = makeResponse({ contentType: "text/csv", partial: { bytes: 7, why: "cut" } });
    const ids = [await keep(store, response), await keep(store, response)];
    for (const id of ids) {
      expect(id).toMatch(/^r_[a-z0-9]{16}$/);
      expect(await loadKeptResponse({ store, namespace: scope }, id, 1_000)).toEqual(response);
    }
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("keeps a text of many megabytes in parts, and cuts no character in two", async () => {
    const store = makeStore();
    const text = `x${"😀".repeat(4_500_000)}`;
    const id = await keep(store, makeResponse({ text }));
    expect((await loadKeptResponse({ store, namespace: scope }, id, 1_000))?.text === text).toBe(true);
    await store.delete(scope, `${id}_1`);
    expect(await loadKeptResponse({ store, namespace: scope }, id, 1_000)).toBeUndefined();
  });

  it.each([
    ["of another scope", ["api-responses", "thread", "t2"], undefined, 1_000],
    ["that has expired", scope, undefined, 2_000],
    ["that never was", scope, "r_aaaaaaaaaaaaaaaa", 1_000],
    ["that is none", scope, "../r_1", 1_000],
    ["of a part", scope, "_1", 1_000],
  ])("finds nothing under an id %s", async (_what, namespace, id, nowMs) => {
    const store = makeStore();
    const kept = await keep(store, makeResponse());
    const asked = id === "_1" ? `${kept}_1` : (id ?? kept);
    expect(await loadKeptResponse({ store, namespace }, asked, nowMs)).toBeUndefined();
  });
});

describe("keepResponse", () => {});

describe("what is kept", () => {
  it("is told to each of LangGraph's stores in its own words: nothing to embed, and when it ends", async () => {
    const expiresAt = 3_600_000;
    const likePostgres = watchPuts({
      ...createMemoryStore(),
      put: async (_n: string[], _k: string, _v: object, _index: unknown, _options: unknown) => {},
    });
    const likeRedis = watchPuts({ ...createMemoryStore(), ttlConfig: undefined });
    const inMemory = watchPuts<ResponseStore>(new InMemoryStore());
    for (const { store } of [likePostgres, likeRedis, inMemory])
      await keep(store, makeResponse({ expiresAt }));
    expect(likePostgres.rest).toEqual([[false, { ttl: 60 }]]);
    expect(likeRedis.rest).toEqual([[{ index: false, ttl: 60 }]]);
    expect(inMemory.rest).toEqual([[false]]);
  });

  it("is embedded by no store with an index of meanings, nor behind the queue of an agent's runtime", async () => {
    const embedded: string[] = [];
    const embeddings = {
      embedDocuments: async (texts: string[]) => {
        embedded.push(...texts);
        return texts.map(() => [0]);
      },
      embedQuery: async () => [0],
    };
    const store = new InMemoryStore({ index: { dims: 1, embeddings: embeddings as never } });
    const queued = new AsyncBatchedStore(store);
    queued.start();
    await keep(store, makeResponse());
    await keep(resolveRuntimeStore(queued), makeResponse());
    await queued.stop();
    expect(embedded).toEqual([]);
    expect(await store.search(scope)).toHaveLength(2);
  });

  it("is as little embedded where it is a token", async () => {
    const embedded: string[] = [];
    const embed = async (texts: string[]): Promise<number[][]> => {
      embedded.push(...texts);
      return texts.map(() => [0]);
    };
    const embeddings = { embedDocuments: embed, embedQuery: async () => [0] };
    const inner = new InMemoryStore({ index: { dims: 1, embeddings: embeddings as never } });
    const store = new AsyncBatchedStore(inner);
    store.start();
    const client = createSourceClient(
      {
        name: "Shop",
        api: {
          baseUrl: "https://api.shop.example",
          authType: "bearer",
          login: { path: "/login", body: { password: "${PASSWORD}" }, tokenAt: "token" },
        },
      },
      {
        secrets: { PASSWORD: "0-password" },
        tokenStore: "runtime",
        transport: ({ url }) => ({ body: url.endsWith("/login") ? { token: "0-token-of-shop" } : {} }),
      },
    );
    const { ok } = await client.call({ path: "/" }, { store });
    await store.stop();
    expect({ ok, kept: (await inner.listNamespaces({})).length > 0, embedded }).toEqual({
      ok: true,
      kept: true,
      embedded: [],
    });
  });

  it.each(["a\0b", "a\ud800b", `\0${"😀".repeat(2_500_000)}`])(
    "holds nothing that a store of PostgreSQL's jsonb refuses, and comes back as it was",
    async (text) => {
      const store = createMemoryStore();
      const values: string[] = [];
      const watched: ResponseStore = {
        ...store,
        put: (namespace, key, value) => {
          values.push(JSON.stringify(value));
          return store.put(namespace, key, value);
        },
      };
      const id = await keep(watched, makeResponse({ text }));
      expect(values.filter((value) => /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(value))).toEqual([]);
      expect((await loadKeptResponse({ store, namespace: scope }, id, 0))?.text === text).toBe(true);
    },
  );
});

describe("loadKeptResponse", () => {
  it.each([{}, { text: 1 }, { ...makeResponse(), kind: "odd" }, { ...makeResponse(), expiresAt: "soon" }])(
    "trusts nothing that a store holds: %j",
    async (value) => {
      const store = createMemoryStore();
      await store.put(scope, "r_aaaa", value);
      expect(await loadKeptResponse({ store, namespace: scope }, "r_aaaa", 0)).toBeUndefined();
    },
  );
});

describe("createMemoryStore", () => {
  const text = (length: number): Record<string, unknown> => ({ text: "x".repeat(length) });

  it("lets the least recently used entry go when it is full", async () => {
    const store = createMemoryStore({ maxBytes: 3_500 });
    for (const key of ["a", "b", "c"]) await store.put(scope, key, text(500));
    await store.get(scope, "a");
    await store.put(scope, "d", text(500));
    const left = await Promise.all(
      ["a", "b", "c", "d"].map(async (key) => (await store.get(scope, key)) !== null),
    );
    expect(left).toEqual([true, false, true, true]);
  });

  it("refuses an entry larger than itself and keeps the others", async () => {
    const store = createMemoryStore({ maxBytes: 2_000 });
    await store.put(scope, "a", text(500));
    await expect(store.put(scope, "b", text(5_000))).rejects.toThrow(RangeError);
    expect(await store.get(scope, "a")).not.toBeNull();
  });

  it("forgets an entry that nobody read in time", async () => {
    let nowMs = 0;
    const store = createMemoryStore({ ttlMs: 100, clock: { now: () => nowMs } });
    await store.put(scope, "a", text(1));
    await store.put(scope, "b", text(1));
    nowMs = 90;
    await store.get(scope, "a");
    nowMs = 150;
    expect([await store.get(scope, "a"), await store.get(scope, "b")].map((entry) => entry !== null)).toEqual(
      [true, false],
    );
  });
});
