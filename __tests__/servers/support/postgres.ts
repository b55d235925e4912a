/** A real PostgreSQL for tests: Debian's, in a directory of its own, on loopback, by its own user where root runs the tests. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findFreePort } from "../../support/find-free-port.js";

const run = promisify(execFile);
const versions = "/usr/lib/postgresql";

export interface Postgres {
  readonly url: string;
  /** Rows of a query, their columns separated by `|`. */
  query(sql: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** @throws Error when PostgreSQL is not installed, or is not ready in time. */
export async function startPostgres(): Promise<Postgres> {
  const bin = findPrograms();
  const owner = await findOwner();
  const directory = await mkdtemp(join(tmpdir(), "test-postgres-"));
  if (owner !== undefined) await chown(directory, owner.uid, owner.gid);
  const cluster = join(directory, "cluster");
  const options = { ...owner, cwd: directory };
  await run(
    join(bin, "initdb"),
    ["-D", cluster, "-U", "tester", "-A", "trust", "--no-sync"],
    options,
  );
  const port = await findFreePort();
  const server = spawn(
    join(bin, "postgres"),
    ["-D", cluster, "-p", String(port), "-h", "127.0.0.1", "-k", directory, "-F"],
    { ...options, stdio: "ignore" },
  );
  const url = `postgresql://tester@127.0.0.1:${port}/postgres`;
  const query = async (sql: string): Promise<string[]> => {
    const { stdout } = await run(join(bin, "psql"), [url, "-X", "-A", "-t", "-c", sql]);
    return stdout.split("\n").filter((line) => line !== "");
  };
  await waitUntilReady(server, query);
  return {
    url,
    query,
    async stop() {
      const ended = new Promise((resolve) => server.once("close", resolve));
      // Immediate shutdown: PostgreSQL's documentation, section 19.5.
      server.kill("SIGQUIT");
      await ended;
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function findPrograms(): string {
  try {
    const [newest] = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
    if (newest !== undefined) return join(versions, newest, "bin");
  } catch {
    // Said below.
  }
  throw new Error(`PostgreSQL is not in ${versions}: run scripts/install-test-servers.sh first.`);
}

/** PostgreSQL refuses to run as root. */
async function findOwner(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string): Promise<number> =>
    Number((await run("id", [flag, "postgres"])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

async function waitUntilReady(
  server: ChildProcess,
  query: (sql: string) => Promise<string[]>,
): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode}.`);
    try {
      await query("SELECT 1");
      return;
    } catch {
      await sleep(100);
    }
  }
  server.kill("SIGQUIT");
  throw new Error("PostgreSQL was not ready in time.");
}
