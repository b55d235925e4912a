/** A server that nobody here wrote, as a process on loopback: started in its own directory, awaited, stopped with its children. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { closeSync, existsSync, openSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Where logs stay after a run. */
const serversDirectory: string = resolve(".cache/test-servers");

/** A port of 127.0.0.1 that nobody listens on, below those that systems take for outgoing connections (Linux: from 32768). */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(20_000, 32_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error("No free port was found.");
}

export interface ServerPlace {
  /** A new directory for its configuration and data, removed when it stops. */
  readonly directory: string;
  readonly port: number;
  /** `http://127.0.0.1:port`, without a slash at the end. */
  readonly url: string;
}

export interface ServerPlan {
  readonly name: string;
  /** The executable; `missing` is said when it is not there. */
  readonly command: string;
  readonly args: (place: ServerPlace) => readonly string[];
  /** Files of its directory: relative path to content. */
  readonly files?: (place: ServerPlace) => Readonly<Record<string, string>> | Promise<Record<string, string>>;
  /** What must be there besides the command. */
  readonly needs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What is asked until any answer comes. @default "/" */
  readonly readyPath?: string;
  /** @default 20000 */
  readonly readyWithinMs?: number;
}

export interface RunningServer extends ServerPlace {
  /** What it wrote to stdout and stderr so far. */
  readLog(): Promise<string>;
  stop(): Promise<void>;
}

/** Between finding a free port and listening on it somebody else can take it. */
const maxStarts = 3;

/**
 * Starts a server and waits until it answers.
 *
 * @throws Error when it is not installed, ends early, or is not ready in time; with the end of its log.
 */
export async function startServer(plan: ServerPlan): Promise<RunningServer> {
  for (const file of [plan.command, ...(plan.needs ?? [])]) requireFile(file, plan.name);
  let failure: unknown;
  for (let start = 0; start < maxStarts; start += 1) {
    try {
      return await startOnce(plan);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function startOnce(plan: ServerPlan): Promise<RunningServer> {
  const place = await prepare(plan);
  const logFile = join(place.directory, "output.log");
  const child = launch(plan, place, logFile);
  const closed = new Promise<void>((done) => child.once("close", () => done()));
  const kill = (): void => killGroup(child);
  process.once("exit", kill);
  const server: RunningServer = {
    ...place,
    readLog: () => readFile(logFile, "utf8"),
    async stop() {
      process.removeListener("exit", kill);
      kill();
      await closed;
      await keepLog(logFile, plan.name);
      await rm(place.directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await waitUntilReady(plan, place, child);
  } catch (error) {
    const log = (await server.readLog()).slice(-2_000);
    await server.stop();
    throw new Error(`${plan.name}: ${String(error)} The end of its log:\n${log}`);
  }
  return server;
}

/** The last log of each server and worker stays, to look at after a failure. */
async function keepLog(logFile: string, name: string): Promise<void> {
  const kept = join(serversDirectory, "logs", `${name}-${process.env["JEST_WORKER_ID"] ?? "0"}.log`);
  await mkdir(dirname(kept), { recursive: true });
  await copyFile(logFile, kept);
}

function requireFile(path: string, name: string): void {
  if (existsSync(path)) return;
  throw new Error(`${name} needs ${path}: run scripts/install-test-servers.sh first.`);
}

async function prepare(plan: ServerPlan): Promise<ServerPlace> {
  const directory = await mkdtemp(join(tmpdir(), `test-server-${plan.name}-`));
  // Some servers give up root for a user of their own, who must be able to enter.
  await chmod(directory, 0o755);
  const port = await findFreePort();
  const place = { directory, port, url: `http://127.0.0.1:${port}` };
  for (const [file, content] of Object.entries((await plan.files?.(place)) ?? {})) {
    const path = join(directory, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  return place;
}

function launch(plan: ServerPlan, place: ServerPlace, logFile: string): ChildProcess {
  // Appended to: a server may open the same file once more.
  const log = openSync(logFile, "a");
  const child = spawn(plan.command, plan.args(place), {
    cwd: place.directory,
    // A group of its own, so that it can be stopped with the children it starts.
    detached: true,
    stdio: ["ignore", log, log],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: place.directory,
      TMPDIR: place.directory,
      ...plan.environment,
    },
  });
  closeSync(log);
  return child;
}

async function waitUntilReady(plan: ServerPlan, place: ServerPlace, child: ChildProcess): Promise<void> {
  const { readyPath = "/", readyWithinMs = 20_000 } = plan;
  let failure: unknown;
  child.once("error", (error) => {
    failure = error;
  });
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    if (failure !== undefined) throw failure;
    const answered = await answers(place.url + readyPath);
    // Judged after the answer: one may have come from whoever has the port that this server wanted.
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}.`);
    if (answered) return;
    await sleep(50);
  }
  throw new Error(`It did not answer within ${readyWithinMs} ms.`);
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000), redirect: "manual" });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
