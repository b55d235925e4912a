/** The large bodies that are measured: some made, some of a folder of recorded answers. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

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

/** Name, maker and, where there is one, the goal of each body that the bench makes: over `JSON.parse`, of the whole call and of its longest block. */
export const madeBodies = {
  "rows, 19.90, 1 MB": { make: () => makeRows(1, "19.90"), goal: 4.5 },
  "rows, 19.90, 5 MB": { make: () => makeRows(5, "19.90"), goal: 3 },
  "rows, 19.90, 10 MB": { make: () => makeRows(10, "19.90"), goal: 2.5, blockGoal: 1.5 },
  "rows, 19.90, 20 MB": { make: () => makeRows(20, "19.90"), goal: 2.5 },
  "rows, 19.95, 1 MB": { make: () => makeRows(1, "19.95"), goal: 3.5 },
  "rows, 19.95, 5 MB": { make: () => makeRows(5, "19.95"), goal: 2 },
  "rows, 19.95, 10 MB": { make: () => makeRows(10, "19.95"), goal: 1.5, blockGoal: 1.5 },
  "rows, 20 digits, 10 MB": { make: () => makeRows(10, "12345678901234567890") },
  "rows, an emoji, 10 MB": { make: () => `${makeRows(10, "19.90").slice(0, -1)},"\u{1f600}"]` },
  "pretty, 19.95, 10 MB": { make: () => JSON.stringify(JSON.parse(makeRows(7, "19.95")), null, 2) },
  "floats, 10 MB": { make: () => makeFloats(10) },
};

const recordedGoal = 3;
const largeBytes = 500_000;

/** @returns `{ name, goal?, blockGoal?, load() }` of every made body, and of each JSON file over 0.5 MB in the folder. */
export function listBodies(corpusDir) {
  const made = Object.entries(madeBodies).map(([name, { make, ...goals }]) => ({
    name,
    ...goals,
    load: () => Buffer.from(make()),
  }));
  const names =
    corpusDir === undefined
      ? []
      : readdirSync(corpusDir)
          .filter((name) => name.endsWith(".json"))
          .sort();
  const recorded = names.map((name) => ({
    name,
    goal: recordedGoal,
    load: () => readFileSync(join(corpusDir, name)),
  }));
  return [...made, ...recorded.filter(({ load }) => load().length > largeBytes)];
}
