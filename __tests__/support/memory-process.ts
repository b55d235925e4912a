/** Calls a tool in a process of its own and tells by how much its resident memory grew at most. */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { transform } from "@swc/core";

export interface MemoryProcess {
  /** Peak resident memory of one call, above that of a small call before, and the answer's first characters. */
  call(baseUrl: string, path: string): Promise<{ readonly grownBytes: number; readonly answer: string }>;
  remove(): Promise<void>;
}

const child = `
import { readFileSync } from "node:fs";
import { createApiSourceTool } from "./toolkit/create-api-source-tool.js";
const [baseUrl, path] = process.argv.slice(2);
const rss = () => process.memoryUsage.rss();
const tool = createApiSourceTool({ name: "A", api: { baseUrl, authType: "bearer", limits: { retries: 0 } } }, { credentials: { a: { token: "m3m0ry-Zq9LmX41vK" } } });
await tool.invoke({ method: "GET", path: "/small" });
const before = rss();
let peak = before;
const timer = setInterval(() => { peak = Math.max(peak, rss()); }, 1);
const answer = await tool.invoke({ method: "GET", path });
clearInterval(timer);
const high = /^VmHWM:\\s*(\\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
peak = Math.max(peak, rss(), high === null ? 0 : Number(high[1]) * 1024);
process.stdout.write(JSON.stringify({ grownBytes: peak - before, answer: String(answer).slice(-400) }), () => process.exit(0));
`;

/** Compiles all of `src` once, into a directory of its own. */
export async function createMemoryProcess(): Promise<MemoryProcess> {
  const directory = await mkdtemp(join(tmpdir(), "memory-process-"));
  const files = (await readdir("src", { recursive: true })).filter((name) => name.endsWith(".ts"));
  await Promise.all(
    files.map(async (file) => {
      const { code } = await transform(await readFile(join("src", file), "utf8"), {
        jsc: { target: "es2022", parser: { syntax: "typescript" } },
        module: { type: "es6" },
      });
      await mkdir(join(directory, dirname(file)), { recursive: true });
      await writeFile(join(directory, file.replace(/\.ts$/, ".js")), code);
    }),
  );
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  await symlink(resolve("node_modules"), join(directory, "node_modules"));
  const script = join(directory, "child.js");
  await writeFile(script, child);
  return {
    async call(baseUrl, path) {
      const { stdout } = await promisify(execFile)(process.execPath, [script, baseUrl, path]);
      return JSON.parse(stdout);
    },
    remove: () => rm(directory, { recursive: true }),
  };
}
