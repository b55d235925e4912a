// Which files and functions one warm GET enters that is answered by `{"ok":true}`: `npm run meter` (`-- --list` names the functions, too;
// `-- --rooms DIR` the compiled sources to use, `-- --json` the numbers alone).
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values: asked } = parseArgs({
  options: { list: { type: "boolean" }, json: { type: "boolean" }, rooms: { type: "string" } },
});
const rooms = pathToFileURL(
  `${resolve(asked.rooms ?? fileURLToPath(new URL("../.cache/rooms", import.meta.url)))}/`,
);

/** @returns `{ files: Map(file -> names of functions), functions }`: distinct functions, and how often functions were entered. */
async function meterOneCall() {
  const { createApiSourceTool } = await import(new URL("index.js", rooms).href);
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"ok":true}');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const record = { name: "Meter", api: { baseUrl: `http://127.0.0.1:${server.address().port}` } };
  const tool = createApiSourceTool(
    { ...record, api: { ...record.api, authType: "bearer" } },
    credentials,
  );
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  // Warm: what only a first call does is not counted.
  for (let round = 0; round < 3; round += 1) await tool.invoke(call);
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await tool.invoke(call);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  server.closeAllConnections();
  server.close();
  return readCoverage(result);
}

const credentials = { credentials: { meter: { token: "0-token-for-the-meter" } } };
const call = { method: "GET", path: "/" };

function readCoverage(scripts) {
  const files = new Map();
  let entries = 0;
  for (const { url, functions } of scripts.filter((script) => script.url.startsWith(rooms.href))) {
    const entered = functions.filter(({ ranges: [{ count }] }) => count > 0);
    if (entered.length === 0) continue;
    const names = entered.map(
      ({ functionName, ranges: [{ count }] }) => `${functionName || "(arrow)"} ${count}`,
    );
    files.set(relative(fileURLToPath(rooms), fileURLToPath(url)), names);
    entries += entered.reduce((sum, { ranges: [{ count }] }) => sum + count, 0);
  }
  const functions = [...files.values()].reduce((sum, names) => sum + names.length, 0);
  return { files, functions, entries };
}

const { files, functions, entries } = await meterOneCall();
if (asked.json) console.log(JSON.stringify({ files: files.size, functions, entries }));
else {
  for (const [file, names] of [...files].sort())
    console.log(`${file}: ${asked.list ? names.join(", ") : names.length}`);
  console.log(`\n${files.size} files, ${functions} functions, entered ${entries} times`);
}
