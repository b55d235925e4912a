/** Measures the peak memory of calls that answer with a large body, each kind in a process of its own. */

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { madeBodies } from "./bodies.mjs";
import { openClient, startServer } from "./pipeline.mjs";

const measured = ["rows, 19.90, 10 MB", "rows, an emoji, 10 MB", "floats, 10 MB"];

/** The highest resident memory so far, in bytes. Linux counts a parent's in `maxRSS`, so its own book is read where there is one. */
function readPeak() {
  const book = "/proc/self/status";
  const line = existsSync(book) ? /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(book, "utf8")) : null;
  return (line === null ? process.resourceUsage().maxRSS : Number(line[1])) * 1024;
}

/** Runs in the child: what the highest resident memory grew by. */
async function runCalls(dist, baseUrl, count) {
  const client = await openClient(dist, baseUrl);
  await client.call({ method: "GET", path: "/0" });
  const before = readPeak();
  for (let run = 0; run < count; run += 1) {
    const { ok, content } = await client.call({ method: "GET", path: "/1" });
    if (!ok) throw new Error(content);
  }
  process.stdout.write(String(readPeak() - before));
}

/** Rows `{ name, once, five }`: multiples of the body's bytes for one call, and for five in a row whose answers are all kept. */
export async function benchPeakMemory({ dist }) {
  const rows = [];
  for (const name of measured) {
    const body = Buffer.from(madeBodies[name].make());
    // The small body has each kind of work done once before.
    const { server, baseUrl } = await startServer([
      Buffer.from(
        JSON.stringify(
          Array.from({ length: 2_000 }, (_, id) => ({ id, price: 1.5, note: "some words" })),
        ),
      ),
      body,
    ]);
    const peak = async (count) => {
      const script = [fileURLToPath(import.meta.url), "--calls", dist, baseUrl, String(count)];
      const { stdout } = await promisify(execFile)(process.execPath, script);
      return Number(stdout) / body.length;
    };
    rows.push({ name, once: await peak(1), five: await peak(5) });
    server.closeAllConnections();
    server.close();
  }
  return rows;
}

const [mode, dist, baseUrl, count] = process.argv.slice(2);
if (mode === "--calls") await runCalls(dist, baseUrl, Number(count));
