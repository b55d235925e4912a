// What running code costs: the start of a run, and a hundred GETs of 1 kB from code against the same through the client.
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { median } from "./pipeline.mjs";

const calls = 100;
const rounds = 7;

export async function benchCode({ dist }) {
  const load = (file) => import(pathToFileURL(join(resolve(dist), file)).href);
  const { ApiSourceToolkit, createSourceClient } = await load("index.js");
  const { createApiCodeTool } = await load("extras/code/create-api-code-tool.js");
  const body = JSON.stringify({ id: 1, text: "x".repeat(1_000) });
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(body);
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => server.on("listening", listening));
  const record = { name: "One", api: { baseUrl: `http://127.0.0.1:${server.address().port}` } };
  const toolkit = await ApiSourceToolkit.fromSources([record]);
  const tool = createApiCodeTool(toolkit);
  const client = createSourceClient(record);
  const runs = {
    start: () => tool.invoke({ code: "return 1" }),
    code: () =>
      tool.invoke({
        code: `for (let i = 0; i < ${calls}; i++) await api.one.get("/x"); return "done"`,
      }),
    client: async () => {
      for (let made = 0; made < calls; made += 1) await client.call({ method: "GET", path: "/x" });
    },
  };
  const times = { start: [], code: [], client: [] };
  try {
    // The first of each loads what it needs.
    for (let round = -1; round < rounds; round += 1) {
      for (const [name, run] of Object.entries(runs)) {
        const startedMs = performance.now();
        await run();
        if (round >= 0) times[name].push(performance.now() - startedMs);
      }
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const ratios = times.code.map((ms, index) => ms / times.client[index]);
  return [
    {
      what: "start of a run of code after the first",
      against: "milliseconds",
      ratio: median(times.start),
      leastRatio: Math.min(...times.start),
      goal: 30,
    },
    {
      what: `${calls} GETs of 1 kB from code`,
      against: "the same through the client",
      ratio: median(ratios),
      leastRatio: Math.min(...ratios),
      goal: 1.3,
    },
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = fileURLToPath(new URL("../.cache/rooms", import.meta.url));
  for (const { what, against, ratio, leastRatio, goal } of await benchCode({ dist }))
    console.log(
      `${what} (${against}): ${ratio.toFixed(2)} (least ${leastRatio.toFixed(2)}); goal ${goal}`,
    );
  process.exit(0);
}
