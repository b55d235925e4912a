/** Measures reading a body, from bytes to document, against `JSON.parse` of the same text. */

import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const runs = 9;
const nothingSecret = { redact: (text) => text, with: () => nothingSecret };

/** Compact rows with a price in each; `price` is the literal. */
function makeRows(megabytes, price) {
  const rows = [];
  for (let length = 0, index = 0; length < megabytes * 1e6; index += 1) {
    const day = String((index % 28) + 1).padStart(2, "0");
    const row = `{"id":${1000 + index},"name":"Item number ${index}","price":${price},"state":"${index % 3 ? "open" : "closed"}","createdAt":"2024-05-${day}T10:00:00Z","quantity":${index % 17},"tags":["a","b"],"note":"some words about this thing that are a bit longer"}`;
    rows.push(row);
    length += row.length + 1;
  }
  return `[${rows.join(",")}]`;
}

function makeFloats(megabytes) {
  const numbers = [];
  for (let index = 0; index < (megabytes * 1e6) / 20; index += 1) {
    numbers.push(`-${(index % 180) + (index % 7) / 7 + 10}`.slice(0, 8).padEnd(19, "37"));
  }
  return `{"type":"points","points":[${numbers.join(",")}]}`;
}

/** Name and maker of each body that the bench makes. */
const made = {
  "rows, 19.90, 1 MB": () => makeRows(1, "19.90"),
  "rows, 19.90, 5 MB": () => makeRows(5, "19.90"),
  "rows, 19.90, 10 MB": () => makeRows(10, "19.90"),
  "rows, 19.90, 20 MB": () => makeRows(20, "19.90"),
  "rows, 19.95, 10 MB": () => makeRows(10, "19.95"),
  "rows, 20 digits, 10 MB": () => makeRows(10, "12345678901234567890"),
  "rows, an emoji, 10 MB": () => `${makeRows(10, "19.90").slice(0, -1)},"\u{1f600}"]`,
  "pretty, 19.95, 10 MB": () => JSON.stringify(JSON.parse(makeRows(7, "19.95")), null, 2),
  "floats, 10 MB": () => makeFloats(10),
};

function median(values) {
  return values.toSorted((left, right) => left - right)[values.length >> 1];
}

async function measureRatio(readResponseBody, bytes) {
  const text = bytes.toString();
  const input = { bytes, headers: { "content-type": "application/json" }, redactor: nothingSecret };
  const native = [];
  const ours = [];
  for (let run = 0; run < runs + 2; run += 1) {
    globalThis.gc?.();
    let start = performance.now();
    JSON.parse(text);
    const nativeMs = performance.now() - start;
    globalThis.gc?.();
    start = performance.now();
    await readResponseBody(input);
    // The first two warm the compiler.
    if (run > 1) {
      ours.push(performance.now() - start);
      native.push(nativeMs);
    }
  }
  return { nativeMs: median(native), readMs: median(ours), ratio: median(ours) / median(native) };
}

/** Peak memory over that of a process that only holds the bytes, in multiples of the bytes; in a process of its own. */
async function measurePeak(dist, source) {
  const script = fileURLToPath(import.meta.url);
  const peak = async (mode) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--expose-gc",
      script,
      "--peak",
      mode,
      dist,
      source,
    ]);
    return JSON.parse(stdout);
  };
  const idle = await peak("idle");
  const one = await peak("read");
  const five = await peak("five");
  return { once: (one.rss - idle.rss) / one.bytes + 1, five: (five.rss - idle.rss) / five.bytes + 1 };
}

function load(source) {
  const make = made[source];
  return make === undefined ? readFileSync(source) : Buffer.from(make());
}

async function peakChild(mode, dist, source) {
  const { readResponseBody } = await import(pathToFileURL(join(dist, "response/read-response-body.js")).href);
  const input = { headers: { "content-type": "application/json" }, redactor: nothingSecret };
  await readResponseBody({ ...input, bytes: Buffer.from('[{"a":19.90}]') });
  const bytes = load(source);
  globalThis.gc();
  globalThis.gc();
  const before = process.memoryUsage().rss;
  let highest = before;
  for (let run = 0; run < (mode === "five" ? 5 : mode === "read" ? 1 : 0); run += 1) {
    await readResponseBody({ ...input, bytes: run === 0 ? bytes : Buffer.from(bytes) });
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  console.log(JSON.stringify({ rss: highest - before, bytes: bytes.length }));
}

/**
 * Takes the folder of the built ES modules and a folder of JSON bodies. Returns one row per body: its name, size in MB, milliseconds of
 * `JSON.parse` and of reading, their ratio, and (with `peak`) the peak memory in multiples of the bytes.
 */
export async function benchReading({ dist, corpusDir, peak = true }) {
  const { readResponseBody } = await import(pathToFileURL(join(dist, "response/read-response-body.js")).href);
  const files =
    corpusDir && existsSync(corpusDir) ? readdirSync(corpusDir).filter((name) => name.endsWith(".json")) : [];
  const large = files.map((name) => join(corpusDir, name)).filter((path) => statSync(path).size > 500_000);
  const rows = [];
  for (const source of [...Object.keys(made), ...large]) {
    const bytes = load(source);
    const times = await measureRatio(readResponseBody, bytes);
    const memory =
      peak && made[source] !== undefined && bytes.length > 9e6 ? await measurePeak(dist, source) : undefined;
    rows.push({ name: source.split("/").at(-1), megabytes: bytes.length / 1e6, ...times, memory });
  }
  return rows;
}

function print(rows) {
  const line = (cells) =>
    console.log(
      cells
        .map((cell, index) => String(cell)[index === 0 ? "padEnd" : "padStart"](index === 0 ? 30 : 12))
        .join(""),
    );
  line(["body", "MB", "parse ms", "read ms", "ratio", "peak x", "five x"]);
  for (const { name, megabytes, nativeMs, readMs, ratio, memory } of rows) {
    const figures = [megabytes, nativeMs, readMs, ratio, memory?.once, memory?.five];
    line([name, ...figures.map((figure) => (figure === undefined ? "" : figure.toFixed(2)))]);
  }
}

const [, script = "", ...args] = process.argv;
if (args[0] === "--peak") {
  await peakChild(args[1], args[2], args[3]);
} else if (resolve(script) === fileURLToPath(import.meta.url)) {
  const option = (name, fallback) => (args.includes(name) ? args[args.indexOf(name) + 1] : fallback);
  const here = fileURLToPath(new URL("..", import.meta.url));
  print(
    await benchReading({
      dist: resolve(option("--dist", join(here, "dist/esm"))),
      corpusDir: option("--corpus"),
    }),
  );
}
