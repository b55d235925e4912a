/** Measures reading a body alone, from bytes to document, against `JSON.parse` of the same text: the part of a call that grows with the body. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "./pipeline.mjs";

const same = (value) => value;
const nothingSecret = { redact: same, redactBody: same, with: () => nothingSecret };

async function measureBody(readResponseBody, { name, load }) {
  const bytes = load();
  const text = bytes.toString();
  const input = { bytes, headers: { "content-type": "application/json" }, redactor: nothingSecret };
  const native = [];
  const ours = [];
  const isLarge = bytes.length > 4e6;
  const skipped = isLarge ? 3 : 15;
  const rounds = isLarge ? 9 : 31;
  for (let round = 0; round < rounds + skipped; round += 1) {
    let start = performance.now();
    JSON.parse(text);
    const nativeMs = performance.now() - start;
    start = performance.now();
    await readResponseBody(input);
    // The first ones warm the compiler.
    if (round >= skipped) {
      ours.push(performance.now() - start);
      native.push(nativeMs);
    }
  }
  const [parseMs, readMs] = [median(native), median(ours)];
  return {
    name,
    megabytes: bytes.length / 1e6,
    parseMs,
    readMs,
    ratio: readMs / parseMs,
    leastRatio: Math.min(...ours) / Math.min(...native),
  };
}

/**
 * Takes the folder of the built ES modules and bodies `{ name, load() }`. Returns one row per body: its name, size in MB, milliseconds
 * of `JSON.parse` and of reading without any secret, and their ratio, of the medians and of the least.
 */
export async function benchReading({ dist, bodies }) {
  const { readResponseBody } = await import(
    pathToFileURL(join(dist, "core/body/read-response-body.js")).href
  );
  const rows = [];
  for (const body of bodies) rows.push(await measureBody(readResponseBody, body));
  return rows;
}
