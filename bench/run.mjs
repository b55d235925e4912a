// Measures what the package promises and prints it beside its goals: `npm run bench -- [--corpus DIR] [--openapi DIR]`.
//   node --expose-gc bench/run.mjs [--dist DIR] [--corpus DIR] [--json]

import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { listBodies } from "./bodies.mjs";
import { benchCode } from "./code.mjs";
import { benchHostileBodies, hostileGoals } from "./hostile-bodies.mjs";
import { benchOpenApi } from "./openapi.mjs";
import { benchOverhead } from "./overhead.mjs";
import { benchPeakMemory } from "./peak-memory.mjs";
import { benchPipeline } from "./pipeline.mjs";
import { benchReach } from "./reach.mjs";
import { benchReading } from "./reading.mjs";
import { benchShrinking } from "./shrinking.mjs";

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const dist = resolve(
  option("--dist") ?? fileURLToPath(new URL("../.cache/rooms", import.meta.url)),
);
const corpusDir = option("--corpus") === undefined ? undefined : resolve(option("--corpus"));

const show = (figure) =>
  typeof figure !== "number"
    ? (figure ?? "")
    : figure >= 1000
      ? figure.toFixed(0)
      : figure.toFixed(2);
const atMost = (measured, goal) => ({
  measured,
  goal: goal === undefined ? undefined : `<= ${Number(goal.toFixed(2))}`,
  met: goal === undefined ? undefined : measured <= goal,
});

/** Prints rows in columns: the first to the left, the others to the right when they are figures. */
function printTable(title, columns, rows) {
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, index) =>
    Math.max(...cells.map((line) => String(line[index]).length)),
  );
  console.log(`\n${title}`);
  for (const line of cells) {
    const padded = line.map((cell, index) =>
      /^-?[\d.]+$/.test(cell) ? cell.padStart(widths[index]) : String(cell).padEnd(widths[index]),
    );
    console.log(`  ${padded.join("  ")}`.trimEnd());
  }
}

const goals = ["what", "against", "measured", "least", "goal", "met"];
const printGoals = (title, rows) =>
  printTable(
    title,
    goals,
    rows.map((row) => ({ ...row, met: row.met === undefined ? "" : row.met ? "yes" : "NO" })),
  );

/** A goal as the shrinking bench writes it: `>= 0.8`. */
function judge({ what, value, goal }) {
  const [, sign, limit] = /^([<>]=) ([\d.]+)$/.exec(goal) ?? [];
  const met =
    sign === undefined
      ? undefined
      : sign === "<="
        ? value <= Number(limit)
        : value >= Number(limit);
  return { what, against: "", measured: value, goal, met };
}

async function measureSpeed(bodies) {
  const overhead = [
    ...(await benchOverhead({ dist: pathToFileURL(join(dist, "index.js")).href })),
    ...(await benchCode({ dist })),
  ];
  const pipeline = await benchPipeline({ dist, bodies });
  const reading = await benchReading({ dist, bodies });
  printGoals(
    "Speed and size",
    overhead.map(({ what, against, ratio, leastRatio, goal }) => ({
      what,
      against,
      ...atMost(ratio, goal),
      least: leastRatio,
    })),
  );
  const against = "JSON.parse of the text";
  printGoals(
    "Bytes to final content, over the bare transfer",
    pipeline.map(({ name, ratio, leastRatio }, index) => ({
      what: name,
      against,
      ...atMost(ratio, bodies[index].goal),
      least: leastRatio,
    })),
  );
  printGoals(
    "The longest time that one answer keeps others waiting",
    pipeline.map(({ name, blockRatio, leastBlockRatio }, index) => ({
      what: name,
      against,
      ...atMost(blockRatio, bodies[index].blockGoal),
      least: leastBlockRatio,
    })),
  );
  printTable(
    "The same in milliseconds",
    ["body", "MB", "parse", "transfer", "call over transfer", "longest block"],
    [
      ...pipeline.map((row) => ({
        body: row.name,
        MB: row.megabytes,
        parse: row.parseMs,
        transfer: row.transferMs,
        "call over transfer": row.wholeMs,
        "longest block": row.blockMs,
      })),
    ],
  );
  printTable(
    "Reading alone (no secret to look for), over JSON.parse",
    ["body", "MB", "parse ms", "read ms", "ratio", "least"],
    reading.map((row) => ({
      body: row.name,
      MB: row.megabytes,
      "parse ms": row.parseMs,
      "read ms": row.readMs,
      ratio: row.ratio,
      least: row.leastRatio,
    })),
  );
  return { overhead, pipeline, reading };
}

async function measureMemory() {
  const memory = await benchPeakMemory({ dist });
  printGoals(
    "Peak memory of the process, in multiples of the body",
    memory.flatMap(({ name, once, five }) => [
      { what: `${name}: one answer`, against: "the body's bytes", ...atMost(once, 8) },
      { what: `${name}: five in a row`, against: "the body's bytes", ...atMost(five, 20) },
    ]),
  );
  return memory;
}

async function measureHostileBodies() {
  const hostile = await benchHostileBodies({ dist });
  printGoals(
    "Bodies of 10 MB that a hostile server may send: how long they keep others waiting, over JSON.parse of rows",
    hostile.map(({ name, kind, ratio }) => ({
      what: name,
      against: `read as ${kind}`,
      ...atMost(ratio, hostileGoals.ratio),
    })),
  );
  printGoals(
    "The same in MB above the start, when the answer is thrown away",
    hostile.map(({ name, peak, kept }) => ({
      what: name,
      against: `peak ${peak.toFixed(0)}`,
      ...atMost(kept, hostileGoals.keptMegabytes),
    })),
  );
  return hostile;
}

async function measureViews() {
  const shrinking = await benchShrinking({ dist, corpusDir });
  printTable(
    "Lookups that the view answers, beside cuts of equal length",
    [
      "body",
      "budget",
      "fill",
      "questions",
      "view",
      "head cut",
      "head and tail",
      "view / head",
      "ms",
    ],
    shrinking.bodies.map((row) => ({
      body: row.body,
      budget: String(row.budget),
      fill: row.fill,
      questions: row.questions && String(row.questions),
      view: row.lookups === undefined ? "" : String(row.lookups),
      "head cut": row.head === undefined ? "" : String(row.head),
      "head and tail": row.headAndTail === undefined ? "" : String(row.headAndTail),
      "view / head": row.ratio,
      ms: row.ms,
    })),
  );
  printGoals("Views and shrinking", shrinking.summary.map(judge));
  return shrinking;
}

async function measureReach() {
  const reach = await benchReach({ dist });
  printGoals(
    "Questions answered within one read_api_response, in percent",
    reach.map(({ kind, asked, answered }) => ({
      what: kind,
      against: `${asked} questions`,
      measured: (100 * answered) / asked,
      goal: ">= 100",
      met: answered === asked,
    })),
  );
  for (const { missed } of reach)
    for (const question of missed) console.log(`  missed: ${question}`);
  return reach;
}

async function measureOpenApi() {
  const folder = option("--openapi") === undefined ? undefined : resolve(option("--openapi"));
  const { rows, calls } = await benchOpenApi({ dist, folder });
  printGoals(
    `What a description costs and catches: ${folder === undefined ? "made ones" : "those of the folder"}`,
    rows.map((row) => ({ ...judge(row), against: row.against })),
  );
  for (const { call, found } of calls.refused) console.log(`  refused: ${call}: ${found[0].name}`);
  return rows;
}

console.log(
  `Node ${process.version}, ${availableParallelism()} processors, load ${loadavg()[0].toFixed(1)}. "measured" is of medians, "least" of the least of each.`,
);
const speed = await measureSpeed(listBodies(corpusDir));
const memory = await measureMemory();
const hostile = await measureHostileBodies();
const shrinking = await measureViews();
const reach = await measureReach();
const openApi = await measureOpenApi();
if (args.includes("--json"))
  console.log(JSON.stringify({ ...speed, memory, hostile, shrinking, reach, openApi }));
