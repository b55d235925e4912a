import { chmod, link, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { fileTokenStore, type TokenKey, type TokenStore } from "langchain-api-sources";
import { nameProcessSpace } from "../../../src/core/base/disk.js";
import { createMemoryTokenStore } from "../../../src/features/oauth/token-store.js";
import { runsOf } from "../../support/long-run.js";
import { useDirectory } from "../../support/temporary-directory.js";

const directory = useDirectory();
afterEach(() => void jest.restoreAllMocks());

const key: TokenKey = { source: "shop", user: "ada@example.com", name: "n1" };
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
/** The one file that an entry is kept in. */
async function findFile(): Promise<string> {
  const [file = ""] = (await readdir(directory())).filter((name) => name.endsWith(".json"));
  return directory(file);
}

describe("fileTokenStore", () => {
  it("keeps an entry for its owner alone, one file for each key, and gives it back", async () => {
    const folder = directory("new");
    const store = fileTokenStore(folder);
    expect(await store.read(key)).toBeUndefined();
    await store.write(key, { a: 1 });
    await store.write({ ...key, user: "eve" }, { a: 2 });
    expect(await store.read(key)).toEqual({ a: 1 });
    expect(await fileTokenStore(folder).read({ ...key, user: "eve" })).toEqual({ a: 2 });
    const files = (await readdir(folder)).filter((name) => name.endsWith(".json"));
    expect(files).toHaveLength(2);
    expect(files.join()).not.toMatch(/ada|eve/);
    for (const name of files) expect(await modeOf(join(folder, name))).toBe(0o600);
    expect(await modeOf(folder)).toBe(0o700);
    await store.remove(key);
    expect(await store.read(key)).toBeUndefined();
  });

  it("closes a file that others could read when it writes it again, and keeps nothing in a broken one", async () => {
    const store = fileTokenStore(directory());
    await store.write(key, { a: 1 });
    const file = await findFile();
    await chmod(file, 0o644);
    await store.write(key, { a: 2 });
    expect(await modeOf(file)).toBe(0o600);
    await writeFile(file, '{"accessToken":"s3cret-half');
    expect(await store.read(key)).toBeUndefined();
    await store.write(key, { a: 3 });
    expect(await store.read(key)).toEqual({ a: 3 });
  });

  it("gives its lease to one at a time, and again when it was given back or is over", async () => {
    const store = fileTokenStore(directory());
    const release = await store.lease(key, 60_000);
    expect(await fileTokenStore(directory()).lease(key, 60_000)).toBeUndefined();
    expect(await store.lease({ ...key, user: "eve" }, 60_000)).toBeDefined();
    await release?.();
    const short = await store.lease(key, 1);
    await new Promise((later) => setTimeout(later, 5));
    const next = await store.lease(key, 60_000);
    expect([short, next].every(Boolean)).toBe(true);
    // What comes late gives nothing back that is another's.
    await short?.();
    expect(await store.lease(key, 1)).toBeUndefined();
  });

  /** A lock of a process that is dead. */
  const dead = async () => ({
    holder: "x",
    pid: 2 ** 22 + 12_345,
    host: await nameProcessSpace(),
    untilMs: Date.now() + 60_000,
  });
  async function openLocked(lock: object): Promise<{ store: TokenStore; path: string }> {
    const store = fileTokenStore(directory());
    await store.write(key, {});
    const path = `${await findFile()}.lock`;
    await writeFile(path, JSON.stringify(lock));
    return { store, path };
  }

  it("takes over the lock of no process elsewhere", async () => {
    const { store } = await openLocked({ ...(await dead()), host: "elsewhere" });
    expect(await store.lease(key, 60_000)).toBeUndefined();
  });

  it("takes over the lock of a process that is dead once, whenever others find it", async () => {
    for (let round = 0; round < runsOf(200); round += 1) {
      const { store, path } = await openLocked(await dead());
      const taken = await Promise.all(
        Array.from({ length: 30 }, async () => {
          await new Promise((later) => setTimeout(later, Math.random() * 20));
          return store.lease(key, 60_000);
        }),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      await rm(path);
    }
  });

  it("takes over a lock that another process was killed over, after ten seconds", async () => {
    const { store, path } = await openLocked(await dead());
    await link(path, `${path}.over`);
    expect(await store.lease(key, 60_000)).toBeUndefined();
    jest.spyOn(Date, "now").mockReturnValue(Date.now() + 11_000);
    expect(await store.lease(key, 60_000)).toBeUndefined();
    expect(await store.lease(key, 60_000)).toBeDefined();
  });

  it("removes what an authorization that was never finished left behind", async () => {
    const store = fileTokenStore(directory());
    const begun = { source: "0authorization", user: "", name: "s" };
    await store.write(begun, { verifier: "v" });
    await store.write(key, {});
    for (const name of await readdir(directory())) await utimes(directory(name), 1, 1);
    await store.write({ ...key, user: "eve" }, {});
    expect(await store.read(begun)).toBeUndefined();
    expect(await store.read(key)).toEqual({});
  });
});

it("the store of one process leases a grant to one at a time", async () => {
  const store = createMemoryTokenStore();
  const key = { source: "shop", user: "u", name: "grant" };
  const release = await store.lease(key, 1_000);
  expect(await store.lease(key, 1_000)).toBeUndefined();
  await release?.();
  expect(await store.lease(key, 1_000)).toBeDefined();
});
