// What the journal costs a call of 1 kB: the same tool with and without it, in turn. `node bench/journal.mjs` after `npm run build:rooms`.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "./pipeline.mjs";

const rounds = 600;

/** A row `{ what, against, ratio, goal }`. @param dist URL of the build's index.js. */
export async function benchJournal({ dist }) {
  const { createApiSourceTool, journalTo } = await import(dist);
  const body = JSON.stringify({
    items: Array.from({ length: 12 }, (_, id) => ({
      id,
      name: `Item ${id}`,
      price: 12.5,
      note: "short note",
    })),
  });
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const directory = mkdtempSync(join(tmpdir(), "journal-"));
  const record = { name: "Bench", api: { baseUrl: `http://127.0.0.1:${server.address().port}` } };
  const tools = {
    without: createApiSourceTool(record),
    with: createApiSourceTool(record, { onCall: journalTo(join(directory, "calls.jsonl")) }),
  };
  const times = { with: [], without: [] };
  for (let round = 0; round < rounds + 100; round += 1) {
    for (const name of round % 2 === 0 ? ["with", "without"] : ["without", "with"]) {
      const startMs = performance.now();
      await tools[name].invoke({ method: "GET", path: "/items" });
      if (round >= 100) times[name].push(performance.now() - startMs);
    }
  }
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
  const ratio = median(times.with) / median(times.without);
  return { what: "tool.invoke of 1 kB with journalTo", against: "without", ratio, goal: 1.03 };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(await benchJournal({ dist: new URL("../.cache/rooms/index.js", import.meta.url).href }));
