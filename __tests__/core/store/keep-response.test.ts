import { describe, expect, it } from "@jest/globals";
import { InMemoryStore } from "@langchain/langgraph";
import { AsyncBatchedStore } from "@langchain/langgraph-checkpoint";
import {
  type KeptResponse,
  keepResponse,
  loadEntry,
  loadKept,
  toNoteKey,
} from "../../../src/core/store/keep-response.js";
import {
  createMemoryStore,
  type ResponseStore,
  resolveRuntimeStore,
} from "../../../src/core/store/response-store.js";

const namespace = ["api-responses", "thread", "t1"];
const kept = {
  kind: "json",
  status: 200,
  source: "acme",
  request: "GET /a",
  expiresAt: 2_000,
} as const;

const keep = (store: ResponseStore, more: Partial<KeptResponse> = {}): Promise<string> =>
  keepResponse({ store, namespace }, { text: '{"a":1}', ...kept, ...more }, 0);

const load = async (
  store: ResponseStore,
  id: string,
  nowMs = 1_000,
  other = namespace,
): Promise<KeptResponse | undefined> =>
  (await loadKept({ store, namespace: other }, id, nowMs))?.response;

describe.each<[string, () => ResponseStore]>([
  ["the memory store", () => createMemoryStore()],
  ["LangGraph's InMemoryStore", () => new InMemoryStore()],
])("a response that is kept in %s", (_name, makeStore) => {
  it("comes back, under an unguessable id", async () => {
    const store = makeStore();
    const more = { contentType: "text/csv", partial: { bytes: 7, why: "cut" } };
    const ids = [await keep(store, more), await keep(store, more)];
    for (const id of ids) {
      expect(id).toMatch(/^r_[a-z0-9]{16}$/);
      expect(await load(store, id)).toEqual({ text: '{"a":1}', ...kept, ...more });
    }
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("is not a note: a note is found by its name alone", async () => {
    const named = { store: makeStore(), namespace };
    const key = toNoteKey("state");
    await keepResponse(named, { ...kept, text: "{}" }, 0, key);
    expect((await loadEntry(named, key, 1_000))?.response.text).toBe("{}");
    expect(await load(named.store, key)).toBeUndefined();
  });

  it("is found by no one else, not after its time, and under no other id", async () => {
    const store = makeStore();
    const id = await keep(store);
    expect(await load(store, id, 1_000, ["api-responses", "thread", "t2"])).toBeUndefined();
    for (const other of ["r_aaaaaaaaaaaaaaaa", "../r_1"])
      expect(await load(store, other)).toBeUndefined();
    expect(await load(store, id, 1_999)).toBeDefined();
    expect(await load(store, id, 2_000)).toBeUndefined();
    // It was deleted then.
    expect(await load(store, id)).toBeUndefined();
  });
});

/** What `put` was given after the value. */
function watchPuts<Store extends ResponseStore>(store: Store): { store: Store; rest: unknown[][] } {
  const rest: unknown[][] = [];
  const { put } = store;
  const watched = (...given: Parameters<typeof put>): Promise<unknown> => {
    rest.push(given.slice(3));
    return put.apply(store, given);
  };
  store.put = Object.defineProperty(watched, "length", { value: put.length });
  return { store, rest };
}

/** A store with an index of meanings, behind the queue of an agent's runtime, and what it embeds. */
function openIndexed(): { inner: InMemoryStore; queued: AsyncBatchedStore; embedded: string[] } {
  const embedded: string[] = [];
  const embeddings = {
    embedDocuments: async (texts: string[]) => {
      embedded.push(...texts);
      return texts.map(() => [0]);
    },
    embedQuery: async () => [0],
  };
  const inner = new InMemoryStore({ index: { dims: 1, embeddings: embeddings as never } });
  const queued = new AsyncBatchedStore(inner);
  queued.start();
  return { inner, queued, embedded };
}

describe("what is kept", () => {
  it("is put into each of LangGraph's stores in its own form: nothing to embed, and when it expires", async () => {
    const likePostgres = watchPuts({
      ...createMemoryStore(),
      put: async (_n: string[], _k: string, _v: object, _index: unknown, _options: unknown) => {},
    });
    const likeRedis = watchPuts({ ...createMemoryStore(), ttlConfig: undefined });
    const inMemory = watchPuts<ResponseStore>(new InMemoryStore());
    for (const { store } of [likePostgres, likeRedis, inMemory])
      await keep(store, { expiresAt: 3_600_000 });
    expect(likePostgres.rest).toEqual([[false, { ttl: 60 }]]);
    expect(likeRedis.rest).toEqual([[{ index: false, ttl: 60 }]]);
    expect(inMemory.rest).toEqual([[false]]);
  });

  it("is embedded by no store with an index of meanings, nor behind the queue of an agent's runtime", async () => {
    const { inner, queued, embedded } = openIndexed();
    await keep(inner);
    await keep(resolveRuntimeStore(queued));
    await queued.stop();
    expect(embedded).toEqual([]);
    expect(await inner.search(namespace)).toHaveLength(2);
  });

  it.each(["a\0b", "a\ud800b", "\0😀"])(
    "holds nothing that a store of PostgreSQL's jsonb refuses, and comes back as it was",
    async (text) => {
      const store = createMemoryStore();
      const { put } = store;
      const values: string[] = [];
      store.put = (at, key, value) => {
        values.push(JSON.stringify(value));
        return put(at, key, value);
      };
      const id = await keep(store, { text });
      expect(values.filter((value) => /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(value))).toEqual(
        [],
      );
      expect((await load(store, id))?.text === text).toBe(true);
    },
  );

  it.each([
    {},
    { ...kept, text: 1 },
    { ...kept, text: "", kind: "odd" },
    { ...kept, text: "", expiresAt: "" },
    { ...kept, text: "", expiresAt: 0 },
  ])("is not trusted when it comes back: %j", async (value) => {
    const store = createMemoryStore();
    await store.put(namespace, "r_aaaa", value);
    expect(await load(store, "r_aaaa")).toBeUndefined();
  });
});

describe("createMemoryStore", () => {
  const text = (length: number): Record<string, unknown> => ({ text: "x".repeat(length) });
  const listKeys = async (store: ResponseStore, keys: string): Promise<string> => {
    const found = [];
    for (const key of keys) if ((await store.get(namespace, key)) !== null) found.push(key);
    return found.join("");
  };

  it("lets the least recently used entry go when it is full, and refuses one larger than itself", async () => {
    const store = createMemoryStore({ maxBytes: 3_500 });
    for (const key of "abc") await store.put(namespace, key, text(500));
    await store.get(namespace, "a");
    await store.put(namespace, "d", text(500));
    expect(await listKeys(store, "abcd")).toBe("acd");
    await expect(store.put(namespace, "e", text(5_000))).rejects.toThrow(RangeError);
    expect(await listKeys(store, "abcde")).toBe("acd");
  });

  it("forgets an entry that was not read in time", async () => {
    let nowMs = 0;
    const store = createMemoryStore({ ttlMs: 100 }, { now: () => nowMs });
    for (const key of "ab") await store.put(namespace, key, text(1));
    nowMs = 90;
    await store.get(namespace, "a");
    nowMs = 150;
    expect(await listKeys(store, "ab")).toBe("a");
  });
});
