// What hostile code costs the process that runs it: the longest time its event loop is blocked, and its memory above idle.
// Each attack runs in a process of its own: node bench/code-attacks.mjs [NAME…]
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const goals = { blockedMs: 500, oneRunMb: 300, manyRunsMb: 600 };
const dist = fileURLToPath(new URL("../.cache/rooms", import.meta.url));

const attacks = {
  "race over kept": {
    code: "const all = []; for (let i = 0; i < 390; i++) all.push(kept(ID)); await Promise.race(all); for (;;) await null",
  },
  "race over kept, writes approved": {
    options: { writes: "approve" },
    code: "const all = []; for (let i = 0; i < 390; i++) all.push(kept(ID)); await Promise.race(all); await Promise.allSettled(all)",
  },
  "198 GETs of 5 MB": {
    code: "await Promise.allSettled(Array.from({ length: 198 }, () => api.one.get('/text/5')))",
  },
  "198 GETs of 5 MB, writes approved": {
    options: { writes: "approve" },
    code: "await Promise.allSettled(Array.from({ length: 198 }, () => api.one.get('/text/5')))",
  },
  "100 GETs of rows of 5 MB": {
    code: "await Promise.allSettled(Array.from({ length: 100 }, (_, i) => api.one.get('/rows/5?' + i)))",
  },
  "198 other GETs of 5 MB while it computes": {
    code: "for (let i = 0; i < 198; i++) api.one.get('/text/5?' + i).then(() => { const t = Date.now(); while (Date.now() < t + 200); }); await new Promise(() => {})",
  },
  "another Promise": {
    code: "let go; globalThis.Promise = class { constructor(f) { for (;;) f(() => {}, () => {}) } }; for (;;) try { api.one.get('/text/0.001'); await 0 } catch {}",
  },
  "another Promise, large": {
    code: "globalThis.Promise = class { constructor(f) { for (;;) f(() => {}, () => {}) } }; const body = 'z'.repeat(1e6); for (;;) try { api.one.get('/text/0.001', { query: { body } }); await 0 } catch {}",
  },
  "another Map": {
    code: "Map.prototype.set = function () {}; Map.prototype.get = () => ({ resolve() {}, reject() {}, place: {}, characters: 1e12 }); for (;;) try { api.one.get('/text/0.001'); await 0 } catch {}",
  },
  "400,000 keys": { code: "const o = {}; for (let i = 0; i < 4e5; i++) o['k' + i] = i; return o" },
  "200,000 keys of lists": { code: "const o = {}; for (let i = 0; i < 2e5; i++) o['k' + i] = [i]; return o" },
  "a list of 3,000,000 numbers": { code: "return Array.from({ length: 3e6 }, () => 1)" },
  "records with keys of their own": {
    code: "return Array.from({ length: 3e4 }, (_, i) => ({ ['a' + i]: 1, ['b' + i]: { ['c' + i]: 2 } }))",
  },
  "a text of 9.9 MB": { code: "return 'abc \\\\u00e9 '.repeat(1.1e6).slice(0, 9.9e6)" },
  "a state of 100 MB": { code: "state.x = 'x'.repeat(4e7); return 1" },
  "a message of 40 MB": { code: "throw new Error('x'.repeat(4e7))" },
  "an error that writes itself": {
    code: "String.prototype.slice = () => 'x'.repeat(3e7); throw new Error('x')",
  },
  "lines of a log": { code: "for (;;) console.log('x'.repeat(9000))" },
  "lines of a log, unsliced": {
    code: "String.prototype.slice = function () { return this }; const s = 'x'.repeat(2e7); for (;;) console.log(s)",
  },
  "refused calls": {
    code: "for (;;) await Promise.allSettled(Array.from({ length: 100 }, () => api.one.get('/../' + 'x'.repeat(50000))))",
  },
  "arguments of 1 MB": {
    options: { writes: "allow" },
    code: "const body = {}; for (let i = 0; i < 4e4; i++) body['key' + i] = { a: [i] }; await Promise.allSettled(Array.from({ length: 20 }, () => api.one.post('/text/0.001', { body })))",
  },
  "40 runs at once": {
    runs: 40,
    code: "const a = []; for (let i = 0; i < 90; i++) a.push(new Uint8Array(1e6).fill(1)); await Promise.allSettled(Array.from({ length: 20 }, () => api.one.get('/text/5'))); return a.length",
  },
  "40 runs that fill and compute": {
    runs: 40,
    options: { cpuMs: 1000 },
    code: "const a = []; for (;;) { a.push(new Uint8Array(1e6).fill(1)); if (a.length > 100) a.length = 0; }",
  },
};

async function attack({ code, runs = 1, options = {} }) {
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  const { ApiSourceToolkit } = await load("index.js");
  const { createApiCodeTool } = await load("extras/code/create-api-code-tool.js");
  const records = [{ name: "One", api: { baseUrl: process.env.ATTACKED, limits: { maxBytes: 10_000_000 } } }];
  const toolkit = await ApiSourceToolkit.fromSources(records);
  const tool = createApiCodeTool(toolkit, { timeoutMs: 20_000, ...options });
  const invoke = async (text) => JSON.parse(await tool.invoke({ code: text }));
  await invoke("return (await api.one.get('/text/0.001')).ok");
  // An answer of 9.6 MB that is kept: its id takes the place of ID.
  const kept = /\bID\b/.test(code)
    ? JSON.parse(await toolkit.getTools()[0].invoke({ method: "GET", path: "/rows/9.6" })).shortened.id
    : "";
  globalThis.gc?.();
  const idle = process.memoryUsage().rss;
  let [peak, last, blockedMs] = [idle, performance.now(), 0];
  let used = process.cpuUsage();
  const heart = setInterval(() => {
    const now = performance.now();
    // On a shared machine the process waits for a processor, too: a block costs time of both clocks.
    const { user, system } = process.cpuUsage(used);
    blockedMs = Math.max(blockedMs, Math.min(now - last - 5, (user + system) / 1000));
    [last, used] = [now, process.cpuUsage()];
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  last = performance.now();
  const startedMs = last;
  const answers = await Promise.all(
    Array.from({ length: runs }, () => invoke(code.replaceAll("ID", JSON.stringify(kept)))),
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(heart);
  const ends = [
    ...new Set(
      answers.map(({ error }) =>
        error === undefined ? "returned" : `${error.code ?? error.category}: ${error.message.slice(0, 60)}`,
      ),
    ),
  ];
  process.send({ blockedMs, mb: (peak - idle) / 1e6, tookMs: performance.now() - startedMs, ends });
}

function serve() {
  const rows = (mb) =>
    JSON.stringify(
      Array.from({ length: Math.round(mb * 9_000) }, (_, id) => ({
        id,
        name: `row ${id}`,
        price: id / 4,
        text: "x".repeat(60),
      })),
    );
  const bodies = new Map();
  const server = createServer((request, response) => {
    const [, kind, mb] = request.url.split("?")[0].split("/");
    const key = `${kind} ${mb}`;
    if (!bodies.has(key))
      bodies.set(
        key,
        kind === "rows" ? rows(Number(mb)) : JSON.stringify({ text: "x".repeat(Number(mb) * 1e6) }),
      );
    response.setHeader("Content-Type", "application/json");
    response.end(bodies.get(key));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

async function measure(name, url) {
  const child = fork(fileURLToPath(import.meta.url), [name], {
    env: { ...process.env, ATTACKED: url },
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  let [result, said] = [undefined, ""];
  child.stderr.on("data", (text) => {
    said = `${said}${text}`.slice(-300);
  });
  child.on("message", (message) => {
    result = message;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 180_000);
  const ended = await new Promise((resolve) => child.on("exit", (exit, signal) => resolve(signal ?? exit)));
  clearTimeout(timer);
  return (
    result ?? {
      blockedMs: Number.NaN,
      mb: Number.NaN,
      tookMs: Number.NaN,
      ends: [`the process ended: ${ended} ${said.split("\n").at(-2) ?? ""}`],
    }
  );
}

if (process.send !== undefined) {
  await attack(attacks[process.argv[2]]);
  process.exit(0);
}
const server = await serve();
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(attacks);
for (const name of names) {
  const { blockedMs, mb, tookMs, ends } = await measure(name, `http://127.0.0.1:${server.address().port}`);
  const most = attacks[name].runs === undefined ? goals.oneRunMb : goals.manyRunsMb;
  const isWithin = blockedMs <= goals.blockedMs && mb <= most;
  console.log(
    `${isWithin ? "within" : "OVER  "} ${name}: blocked ${Math.round(blockedMs)} ms (${goals.blockedMs}), ${Math.round(mb)} MB (${most}), ${(tookMs / 1000).toFixed(1)} s; ${ends.join(" | ")}`,
  );
}
server.close();
server.closeAllConnections();
