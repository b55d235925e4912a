/** Reads bodies of 10 MB that a hostile server may send, each in a process of its own: how long others wait, and what it costs in memory. */

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { longestBlock } from "./pipeline.mjs";

const size = 10_000_000;
/** What an answer may keep others waiting, over `JSON.parse` of rows of the same size; and MB above the start once it is thrown away. */
const goals = { ratio: 3, keptMegabytes: 64 };

/** `open`, as many units as fit, `close`. */
function fill(open, unit, close = "", separator = "") {
  const parts = [];
  for (let length = open.length, index = 0; length < size; index += 1) {
    const part = unit(index) + separator;
    parts.push(part);
    length += part.length;
  }
  return open + parts.join("").slice(0, separator === "" ? undefined : -separator.length) + close;
}
const repeat = (text, close = "") => fill("", () => text, close);
const row = (index) =>
  `{"id":${index},"name":"row ${index}","state":"open","amount":${index % 1000},"city":"Delft","note":"some words of text here"}`;

/** By name: the media type, and what makes the text. */
const bodies = {
  rows: ["application/json", () => fill("[", row, "]", ",")],
  prices: [
    "application/json",
    () =>
      fill(
        "[",
        (index) => `{"id":${index},"name":"row ${index}","price":${index % 1000}.90}`,
        "]",
        ",",
      ),
  ],
  "numbers that all change": ["application/json", () => fill("[", () => "1.0", "]", ",")],
  text: ["text/plain", () => repeat("some words of text that never end ")],
  "one string": ["application/json", () => `"${repeat("x")}"`],
  emoji: ["application/json", () => `"${repeat("\u{1f600}").slice(0, size / 2)}"`],
  escapes: ["application/json", () => `"${repeat("\\n")}"`],
  brackets: ["application/json", () => repeat("[")],
  "100,000 levels": ["application/json", () => `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  "empty lists": ["application/json", () => fill("[", () => "[]", "]", ",")],
  "empty objects": ["application/json", () => fill("[", () => "{}", "]", ",")],
  "a million keys": ["application/json", () => fill("{", (index) => `"k${index}":1`, "}", ",")],
  "a key for each row": [
    "application/json",
    () => fill("[", (index) => `{"k${index}":1}`, "]", ","),
  ],
  "one key again and again": ["application/json", () => fill("{", () => '"a":1', "}", ",")],
  "long keys of _": [
    "application/json",
    () => fill("{", (index) => `"${"_".repeat(60_000)}${index}":1`, "}", ","),
  ],
  NaN: ["application/json", () => fill("[", () => "NaN", "]", ",")],
  "raw line breaks in a string": ["application/json", () => `["${repeat("\n")}"]`],
  "rows that end in the middle": ["application/json", () => fill("[", row, "", ",").slice(0, -9)],
  NDJSON: ["application/x-ndjson", () => fill("", row, "", "\n")],
  "NDJSON of {}": ["application/x-ndjson", () => fill("", () => "{}", "", "\n")],
  "NDJSON, broken": ["application/x-ndjson", () => `${fill("", row, "", "\n")}\n{"a":}\n{}`],
  events: ["text/event-stream", () => fill("", (index) => `data: {"id":${index}}`, "", "\n\n")],
  XML: [
    "application/xml",
    () => fill("<a>", (index) => `<row id="${index}"><name>row ${index}</name></row>`, "</a>"),
  ],
  "XML attributes": ["application/xml", () => fill("<a ", (index) => `a${index}="" `, "/>")],
  "XML, unclosed tags": ["application/xml", () => `<?xml version="1.0"?>${repeat("<a>")}`],
  "XML, wrong closing tags": [
    "application/xml",
    () => `<?xml version="1.0"?>${"<a>".repeat(900)}${repeat("</b>")}`,
  ],
  "XML entities": ["application/xml", () => `<a>${repeat("&amp;")}</a>`],
  HTML: [
    "text/html",
    () =>
      fill(
        "<html>",
        (index) => `<div class="row"><p>row ${index} <b>bold</b></p></div>`,
        "</html>",
      ),
  ],
  "HTML, unclosed tags": ["text/html", () => repeat("<p>")],
  "HTML, <": ["text/html", () => repeat("<")],
  CSV: [
    "text/csv",
    () =>
      fill(
        "id,name,amount,city,note\n",
        (index) => `${index},row ${index},${index % 1000},Delft,"some words, of text"`,
        "",
        "\n",
      ),
  ],
  "CSV of commas": ["text/csv", () => repeat(",")],
  "CSV of quotes": ["text/csv", () => `a\n${repeat('"')}`],
  "CSV, a quote that never ends": ["text/csv", () => `a,b\n"${repeat("x,\n")}`],
  "CSV, equal names": ["text/csv", () => `${"a,".repeat(9_999)}a\n${repeat("1,2\n")}`],
  "CSV of short lines": ["text/csv", () => repeat("1\n")],
};

function readPeak() {
  const book = "/proc/self/status";
  const line = existsSync(book) ? /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(book, "utf8")) : null;
  return (line === null ? process.resourceUsage().maxRSS : Number(line[1])) / 1000;
}

/** Runs in the child: reads the body that a file holds. */
async function measure(dist, type, file) {
  const same = (value) => value;
  const nothingSecret = { redact: same, redactBody: same, with: () => nothingSecret };
  const { readResponseBody } = await import(
    pathToFileURL(join(dist, "core/body/read-response-body.js")).href
  );
  const bytes = readFileSync(file);
  const read = (body) =>
    readResponseBody({ bytes: body, headers: { "content-type": type }, redactor: nothingSecret });
  // The code is loaded, and warm, before.
  for (let round = 0; round < 20; round += 1) await read(bytes.subarray(0, 30_000));
  globalThis.gc?.();
  const before = { peak: readPeak(), now: process.memoryUsage().rss / 1e6 };
  const blocks = [];
  let kind = "";
  let peak = 0;
  for (let round = 0; round < 3; round += 1) {
    const block = await longestBlock(async () => {
      if (type === "JSON.parse") JSON.parse(bytes.toString());
      else ({ kind } = await read(bytes));
    });
    blocks.push(block);
    if (round === 0) peak = readPeak() - before.peak;
    globalThis.gc?.();
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  const kept = process.memoryUsage().rss / 1e6 - before.now;
  const block = Math.min(...blocks);
  process.stdout.write(JSON.stringify({ block, peak, kept, kind }));
}

/** Takes the folder of the built ES modules, and names of bodies where not all are measured. Returns one row per body: what it was read as, how long it kept others waiting (ms, and over `JSON.parse` of rows), and MB. */
export async function benchHostileBodies({ dist, only }) {
  const run = promisify(execFile);
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  const file = join(folder, "body");
  const measureIn = async (type, text) => {
    writeFileSync(file, text);
    const args = ["--expose-gc", fileURLToPath(import.meta.url), dist, type, file];
    return JSON.parse((await run(process.execPath, args, { timeout: 240_000 })).stdout);
  };
  const parse = await measureIn("JSON.parse", bodies.rows[1]());
  const rows = [];
  for (const [name, [type, make]] of Object.entries(bodies)) {
    if (only !== undefined && !only.includes(name)) continue;
    const { block, peak, kept, kind } = await measureIn(type, make());
    rows.push({ name, kind, block, ratio: block / parse.block, peak, kept });
  }
  rmSync(folder, { recursive: true });
  return rows;
}

export { goals as hostileGoals };

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure(...process.argv.slice(2));
