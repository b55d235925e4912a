import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { describe, expect, it } from "@jest/globals";
import { takeLock } from "../../../src/core/base/disk.js";
import { useDirectory } from "../../support/temporary-directory.js";

const directory = useDirectory();

/** No process has it: Linux gives no id above 2 to the power of 22. */
const deadPid = 2 ** 22 + 1;

async function readLock(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(path, "utf8"));
}

describe("takeLock", () => {
  it("takes over the lock of a process that died, and not one of another process namespace", async () => {
    const path = directory("one.lock");
    await takeLock(path, 60_000);
    const own = await readLock(path);
    // A container with the same host name that shares the folder: its process ids mean other processes.
    const other = { ...own, pid: deadPid, host: `${String(own["host"])}-other` };
    await writeFile(path, JSON.stringify(other));
    expect(await takeLock(path, 60_000)).toBeUndefined();
    await writeFile(path, JSON.stringify({ ...own, pid: deadPid }));
    expect(await takeLock(path, 60_000)).toBeDefined();
  });

  it("names the host, and on Linux the start of the system and the process namespace", async () => {
    const path = directory("two.lock");
    await takeLock(path, 60_000);
    const { host } = await readLock(path);
    const pattern = existsSync("/proc/self/ns/pid") ? / [\da-f-]{36} pid:\[\d+\]$/ : /$/;
    expect(String(host).startsWith(hostname())).toBe(true);
    expect(host).toMatch(pattern);
  });

  it("takes over the lock of another namespace when its time is up", async () => {
    const path = directory("three.lock");
    const held = { holder: "a", pid: 1, host: "other", untilMs: 0 };
    await writeFile(path, JSON.stringify(held));
    expect(await takeLock(path, 60_000)).toBeDefined();
  });
});
