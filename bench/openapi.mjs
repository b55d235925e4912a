// What a description costs and what it catches: made documents, and with `--openapi DIR` a folder of published ones.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { listMistakes, listRightCalls } from "./openapi-calls.mjs";
import { makeDescription, makeGitLabLike } from "./openapi-documents.mjs";

const countTokens = (text) => encode(text).length;
const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];
const operationsOfEach = 25;

/** The functions of a build that are measured. */
export async function openRooms(dist) {
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  const { createSourceClient } = await load("index.js");
  const { compareCall } = await load("features/openapi/advise-call.js");
  const { adviseRoute } = await load("features/openapi/nearest.js");
  const { loadKnowledge } = await load("features/openapi/knowledge.js");
  const { parseSource } = await load("core/record/parse-source.js");
  return { createSourceClient, adviseRoute, compareCall, loadKnowledge, parseSource };
}

/** A source whose document is this file, on a host that no description names: its paths stand at the base URL. */
const toRecord = (file) => ({
  name: "Api",
  slug: "api",
  api: { baseUrl: "https://api.bench.invalid", openapi: file },
});
const toSource = (rooms, file) => rooms.parseSource(toRecord(file));

async function measureMap(rooms, file) {
  const knowledge = await rooms.loadKnowledge(toSource(rooms, file));
  const { map } = await rooms.createSourceClient(toRecord(file), { countTokens }).describe();
  const paths = readTree(map);
  const present = knowledge.description.listed.filter(({ path }) =>
    paths.has(path.replace(/(?<=.)\/$/, "")),
  );
  return {
    operations: knowledge.description.listed.length,
    tokens: countTokens(map),
    present: present.length / Math.max(1, knowledge.description.listed.length),
  };
}

/** Every path of a map, read back from its lines. */
function readTree(map) {
  const found = new Set();
  const stack = [];
  for (const line of map.split("\n")) {
    const level = /^ */.exec(line)[0].length;
    const own = /^ *(\S*?)(?=:|\s|$)/.exec(line)[1];
    stack.length = level;
    stack.push(own);
    const whole = stack.join("");
    found.add(whole);
    const inner = /\((\/.*)\)/.exec(line)?.[1];
    for (const part of inner?.split(", ") ?? []) found.add(whole + /^\S*/.exec(part)[0]);
  }
  return found;
}

async function measureOperations(rooms, files) {
  const tokens = [];
  for (const file of files) {
    const { listed } = (await rooms.loadKnowledge(toSource(rooms, file))).description;
    const client = rooms.createSourceClient(toRecord(file), { countTokens });
    for (const { path, method } of pick(listed, operationsOfEach)) {
      const told = await client.describe({ path, method });
      tokens.push(countTokens(JSON.stringify(told)));
    }
  }
  return tokens;
}

/** As many as asked for, spread over the list. */
function pick(list, most) {
  const step = Math.max(1, list.length / most);
  return Array.from(
    { length: Math.min(most, list.length) },
    (_, index) => list[Math.floor(index * step)],
  );
}

/** Which right calls have a name that would be answered unsent, what that costs, and which mistakes the hint of a failure names. */
export async function measureCalls(rooms, files) {
  const kinds = new Map();
  const result = { right: 0, refused: [], times: [] };
  for (const file of files) {
    const { description } = await rooms.loadKnowledge(toSource(rooms, file));
    for (const route of pick(description.listed, operationsOfEach)) {
      const operation = description.readOperation(route);
      for (const call of listRightCalls(description.document, operation)) {
        compare(rooms, description, call);
        const start = performance.now();
        const advice = compare(rooms, description, call);
        result.times.push(performance.now() - start);
        result.right += 1;
        const found = advice.filter(({ instead }) => instead !== undefined);
        if (found.length > 0)
          result.refused.push({ file, call: `${call.method} ${call.path}`, found });
      }
      for (const { kind, call, names } of listMistakes(description.document, operation)) {
        const known = kinds.get(kind) ?? { made: 0, found: 0, named: 0, missed: [] };
        const found = compare(rooms, description, call);
        known.made += 1;
        if (found.length > 0) known.found += 1;
        else known.missed.push({ file, call });
        const text = found.map(({ message, hint }) => `${message} ${hint}`).join(" ");
        if (found.length > 0 && names.some((name) => text.includes(name))) known.named += 1;
        kinds.set(kind, known);
      }
    }
  }
  return { ...result, kinds };
}

function compare(rooms, description, { method, path, query, body, contentType }) {
  const isJson = body !== undefined && contentType === "application/json";
  const value = isJson ? JSON.parse(new TextDecoder().decode(body)) : body && null;
  const call = { method, path, query, body: value, known: new Set() };
  const match = description.match(path, query).find(({ route }) => route.method === method);
  return match
    ? rooms.compareCall(description, match, call)
    : [rooms.adviseRoute(description, call)];
}

async function measureHeap() {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Reading a large document against parsing its text, and what is kept of it. */
async function measureReading(dist, bytes) {
  const folder = mkdtempSync(join(tmpdir(), "bench-openapi-"));
  try {
    const file = join(folder, "large.json");
    const text = JSON.stringify(makeDescription({ bytes }));
    writeFileSync(file, text);
    const { loadApiDocument } = await import(
      pathToFileURL(join(dist, "features/openapi/load-document.js")).href
    );
    const load = () => loadApiDocument(file);
    const ratios = [];
    for (let round = 0; round < 5; round += 1) {
      let start = performance.now();
      JSON.parse(readFileSync(file, "utf8"));
      const parse = performance.now() - start;
      start = performance.now();
      await load();
      ratios.push((performance.now() - start) / parse);
    }
    // Several copies, because what one takes is within the noise of the heap.
    const before = await measureHeap();
    const kept = [];
    for (let copy = 0; copy < 4; copy += 1) {
      kept.push(await load());
    }
    const memory = ((await measureHeap()) - before) / kept.length;
    return {
      bytes: text.length,
      ratio: median(ratios),
      megabytes: memory / 1e6,
      routes: kept[0].operations.length,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns rows `{ what, against, value, goal }`, and what was missed or refused. */
export async function benchOpenApi({ dist, folder }) {
  const rooms = await openRooms(dist);
  const own = mkdtempSync(join(tmpdir(), "bench-openapi-"));
  try {
    const files = folder === undefined ? writeMade(own) : await listReadable(rooms, folder);
    const gitLab = join(own, "gitlab.json");
    writeFileSync(gitLab, JSON.stringify(makeGitLabLike()));
    const map = await measureMap(rooms, gitLab);
    const rest =
      folder === undefined ? [] : files.filter((file) => /(?:tmdb|spotify)_oas/.test(file));
    const maps = await Promise.all(
      rest.map(async (file) => ({ file, ...(await measureMap(rooms, file)) })),
    );
    const tokens = await measureOperations(rooms, files);
    const calls = await measureCalls(rooms, files);
    const reading = await measureReading(dist, 10_000_000);
    return { rows: listRows({ files, map, maps, tokens, calls, reading }), calls };
  } finally {
    rmSync(own, { recursive: true });
  }
}

function writeMade(folder) {
  return Array.from({ length: 4 }, (_, seed) => {
    const file = join(folder, `made-${seed}.json`);
    writeFileSync(file, JSON.stringify(makeDescription({ seed, paths: 60 })));
    return file;
  });
}

async function listReadable(rooms, folder) {
  const files = readdirSync(folder)
    .filter((name) => /\.(?:json|ya?ml)$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
  const readable = [];
  for (const file of files) {
    const known = await rooms.loadKnowledge(toSource(rooms, file)).catch(() => undefined);
    if ((known?.description.listed.length ?? 0) > 0) readable.push(file);
  }
  return readable;
}

function listRows({ files, map, maps, tokens, calls, reading }) {
  const kinds = [...calls.kinds.values()];
  const sum = (name) => kinds.reduce((total, kind) => total + kind[name], 0);
  const made = sum("made");
  const of = `${files.length} documents`;
  return [
    {
      what: `map of ${map.operations} operations, tokens`,
      against: "GitLab-like",
      value: map.tokens,
      goal: "<= 5200",
    },
    { what: "operations present in it", against: "", value: map.present, goal: ">= 1" },
    ...maps.map((each) => ({
      what: `map of ${each.operations} operations, tokens`,
      against: /tmdb/.test(each.file) ? "RestBench TMDB" : "RestBench Spotify",
      value: each.tokens,
      goal: /tmdb/.test(each.file) ? "<= 260" : "<= 160",
    })),
    { what: "one operation, median tokens", against: of, value: median(tokens), goal: "<= 250" },
    ...[...calls.kinds].map(([kind, { made: count, found }]) => ({
      what: `found after a failure: ${kind}`,
      against: `${count} made`,
      value: found / count,
      goal: "",
    })),
    {
      what: "mistakes found after a failure",
      against: `${made} of ${kinds.length} kinds`,
      value: sum("found") / made,
      goal: ">= 0.95",
    },
    {
      what: "hint names the right thing",
      against: "of those found",
      value: sum("named") / sum("found"),
      goal: ">= 0.9",
    },
    {
      what: "right calls refused",
      against: `${calls.right} made`,
      value: calls.refused.length,
      goal: "<= 0",
    },
    {
      what: "names of one call, median ms",
      against: of,
      value: median(calls.times),
      goal: "<= 0.2",
    },
    {
      what: "reading 10 MB, times its parse",
      against: `${reading.routes} operations`,
      value: reading.ratio,
      goal: "<= 3",
    },
    {
      what: "memory kept of it, MB",
      against: `${(reading.bytes / 1e6).toFixed(1)} MB of text`,
      value: reading.megabytes,
      goal: "<= 30",
    },
  ];
}
