// What a call and an import cost beside what people write by hand: `node bench/overhead.mjs` after `npm run build:rooms`.
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { median } from "./pipeline.mjs";

const rounds = 400;
const importRuns = 7;
const atOnce = 256;
const waves = 8;
const skippedWaves = 3;

/** Rows `{ what, against, ratio, goal, ... }`. @param dist URL of the ESM build's index.js. @param onRow Gets each row when it is there. */
export async function benchOverhead({ dist }, onRow = () => {}) {
  const rows = [];
  for (const measure of [measureInvoke, measureConcurrent, measureImport])
    for (const row of [await measure(dist)].flat()) {
      rows.push(row);
      onRow(row);
    }
  return rows;
}

/** A server of 1 kB answers in this process, a bare `tool()` around `axios.get`, and ours. */
async function openTools(dist) {
  const { createApiSourceTool } = await import(dist);
  const { tool } = await import("@langchain/core/tools");
  const { default: axios } = await import("axios");
  const { z } = await import("zod");
  const body = JSON.stringify({
    items: Array.from({ length: 12 }, (_, id) => ({
      id,
      name: `Item number ${id}`,
      price: 12.5,
      state: "open",
      note: "short note",
    })),
  });
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  });
  // Under load a wave may take longer than the five seconds after which Node.js closes an idle connection.
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  // The bare tool keeps its connection, as ours does.
  const { Agent } = await import("node:http");
  const httpAgent = new Agent({ keepAlive: true });
  const bare = tool(
    async ({ path }) =>
      JSON.stringify(
        (
          await axios.get(baseUrl + path, {
            httpAgent,
            headers: { Authorization: "Bearer 0-token-for-the-bench" },
          })
        ).data,
      ),
    {
      name: "bare",
      description: "bare",
      schema: z.object({ path: z.string() }),
    },
  );
  const ours = createApiSourceTool(
    { name: "Bench", api: { baseUrl, authType: "bearer", limits: { concurrency: atOnce } } },
    { credentials: { bench: { token: "0-token-for-the-bench" } } },
  );
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { bare, ours, length: body.length, close };
}

/** `tool.invoke` for a 1 kB JSON answer, in turn with a bare `tool()` around `axios.get`. */
async function measureInvoke(dist) {
  const { bare, ours, length, close } = await openTools(dist);
  const times = { bare: [], ours: [] };
  for (let round = 0; round < rounds + 100; round += 1) {
    const measure = async (name, run) => {
      const start = performance.now();
      await run();
      if (round >= 100) times[name].push(performance.now() - start);
    };
    await measure("bare", () => bare.invoke({ path: "/items" }));
    await measure("ours", () => ours.invoke({ method: "GET", path: "/items" }));
  }
  close();
  const [oursMs, bareMs] = [median(times.ours), median(times.bare)];
  return {
    what: `tool.invoke, ${length} bytes of JSON (ms)`,
    ours: oursMs,
    against: "a bare tool() around axios.get",
    base: bareMs,
    ratio: oursMs / bareMs,
    leastRatio: Math.min(...times.ours) / Math.min(...times.bare),
    goal: 1.4,
  };
}

/** Many calls of 1 kB at once, in turn with as many of the bare tool: the time of all, and the longest block of the process meanwhile. */
async function measureConcurrent(dist) {
  const { bare, ours, close } = await openTools(dist);
  const runs = {
    bare: () => bare.invoke({ path: "/items" }),
    ours: () => ours.invoke({ method: "GET", path: "/items" }),
  };
  const times = { bare: [], ours: [] };
  const blocks = { bare: [], ours: [] };
  for (let wave = 0; wave < waves + skippedWaves; wave += 1)
    for (const name of wave % 2 === 0 ? ["bare", "ours"] : ["ours", "bare"]) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      // It measures from its second tick: without this wait it would miss the first block.
      await new Promise((resolve) => setTimeout(resolve, 10));
      const start = performance.now();
      await Promise.all(Array.from({ length: atOnce }, runs[name]));
      const ms = performance.now() - start;
      // A block is noted when the loop comes around.
      await new Promise((resolve) => setTimeout(resolve, 5));
      delay.disable();
      if (wave < skippedWaves) continue;
      times[name].push(ms);
      blocks[name].push(delay.max / 1e6);
    }
  close();
  const compare = (what, values, goal) => {
    const [oursMs, baseMs] = [median(values.ours), median(values.bare)];
    return {
      what: `${atOnce} calls of 1 kB at once: ${what} (ms)`,
      ours: oursMs,
      against: "a bare tool() around axios.get",
      base: baseMs,
      ratio: oursMs / baseMs,
      leastRatio: Math.min(...values.ours) / Math.min(...values.bare),
      goal,
    };
  };
  // 0.6 times the calls per second are 1 / 0.6 times the time.
  return [compare("time of all", times, 1 / 0.6), compare("longest block", blocks)];
}

/** Importing the package, in fresh processes in turn with importing what it can't do without. */
function measureImport(dist) {
  const base = 'import "@langchain/core/tools"; import "axios"; import "zod";';
  const times = { base: [], ours: [] };
  for (let run = 0; run <= importRuns; run += 1) {
    const [baseMs, oursMs] = [timeImport(base), timeImport(`import ${JSON.stringify(dist)};`)];
    if (run === 0) continue;
    times.base.push(baseMs);
    times.ours.push(oursMs);
  }
  const [oursMs, baseMs] = [median(times.ours), median(times.base)];
  return {
    what: "importing the package (ms)",
    ours: oursMs,
    against: "importing @langchain/core/tools, axios and zod",
    base: baseMs,
    ratio: oursMs / baseMs,
    leastRatio: Math.min(...times.ours) / Math.min(...times.base),
    goal: 1.2,
  };
}

/** Static imports run before the first line: the time since the process began counts. */
function timeImport(code) {
  const script = `${code} process.stdout.write(String(performance.now()));`;
  return Number(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
      cwd: fileURLToPath(new URL("..", import.meta.url)),
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = process.env.BENCH_DIST ?? new URL("../.cache/rooms/index.js", import.meta.url).href;
  await benchOverhead({ dist }, ({ what, ours, against, base, ratio, leastRatio, goal = "none" }) =>
    console.log(
      `${what}: ${ours.toFixed(2)} against ${base.toFixed(2)} (${against}): ${ratio.toFixed(2)} times (least ${leastRatio.toFixed(2)}); goal ${goal}`,
    ),
  );
}
