/**
 * How the work grows with inputs that are made to be slow: the time for twice the input, divided by the time for the input. 2 is in
 * proportion, 4 is the square. A test cannot assert this: another program on the machine would fail it.
 *   npm run build:rooms && node bench/growth.mjs
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const room = (path) => import(pathToFileURL(resolve(".cache/rooms", path)).href);
const { estimateTokens } = await room("core/view/count-tokens.js");
const { dropStack } = await room("core/failure/shown-text.js");
const { joinPages } = await room("core/call/join-pages.js");
const { readRateLimit } = await room("core/http/limits/read-rate-limit.js");

const listPage = (page, size) => ({
  data: [{ id: page }],
  included: Array.from({ length: size }, (_, index) => ({ id: page * 1e6 + index, name: "thing" })),
});
const now = { nowMs: 0, status: 200, method: "GET", path: "/" };

/** By name: a work on an input of this size, which is made before the clock starts. */
const works = {
  "tokens of private-use characters": (size) => [estimateTokens, "\ue000".repeat(size * 1_000)],
  "tokens of one long word": (size) => [estimateTokens, "A".repeat(size * 1_000)],
  "a stack that is dropped": (size) => [dropStack, `${"at a (".repeat(size * 200)} at 1`],
  "pages that are joined": (size) => [
    (pages) => joinPages(pages, ["data"]),
    Array.from({ length: size }, (_, page) => listPage(page, 300)),
  ],
  "a rate-limit header": (size) => [
    (headers) => readRateLimit({ headers, ...now }),
    { ratelimit: `${'"a\\"'.repeat(size * 500)};r=1`, "x-ratelimit-reset": "1m".repeat(size * 2_000) },
  ],
};

function leastMs(run, input) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 7; round += 1) {
    const startedMs = performance.now();
    run(input);
    least = Math.min(least, performance.now() - startedMs);
  }
  return least;
}

console.log(
  "what                               ms for n   ms for 2n   ratio (2: in proportion, 4: the square)",
);
for (const [name, make] of Object.entries(works)) {
  const [once, twice] = [60, 120].map((size) => leastMs(...make(size)));
  console.log(
    `${name.padEnd(34)} ${once.toFixed(2).padStart(8)} ${twice.toFixed(2).padStart(11)} ${(twice / once).toFixed(2).padStart(7)}`,
  );
}
