// How much of a large answer can be looked up in its shrunk view, how full the budget is, and what shrinking costs.
//   node bench/shrinking.mjs [--dist DIR] [--corpus DIR] [--json]

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { makeLargeBody, makeLists } from "./make-lists.mjs";

const budgets = [2_000, 5_000];
const shortText = 40;
const namingKeys = [
  "full_name",
  "title",
  "name",
  "label",
  "login",
  "key",
  "slug",
  "number",
  "sku",
  "id",
  "id_str",
];

/** Writes compact JSON and notes where each leaf ends. */
export function writeWithEnds(value) {
  const ends = new Map();
  const starts = new Map();
  let text = "";
  const write = (at, path) => {
    if (at === null || typeof at !== "object") {
      starts.set(path, text.length);
      text += JSON.stringify(at);
      ends.set(path, text.length);
      return;
    }
    const isArray = Array.isArray(at);
    text += isArray ? "[" : "{";
    let first = true;
    for (const [key, item] of Object.entries(at)) {
      if (!first) text += ",";
      first = false;
      if (!isArray) text += `${JSON.stringify(key)}:`;
      write(item, `${path}/${key}`);
    }
    text += isArray ? "]" : "}";
  };
  write(value, "");
  return { text, starts, ends };
}

export const follow = (value, keys) =>
  keys.reduce(
    (at, key) =>
      at !== null && typeof at === "object" && Object.hasOwn(at, key) ? at[key] : undefined,
    value,
  );
const toKeys = (path) => (path === "" ? [] : path.split("."));
const isShort = (value) =>
  typeof value === "number" ||
  typeof value === "boolean" ||
  (typeof value === "string" && value !== "" && value.length <= shortText && !/:\/\//.test(value));

/** Short fields of a record, through its nested records. */
export function listShortFields(record, keys = [], found = []) {
  for (const [key, value] of Object.entries(record)) {
    if (isShort(value)) found.push([...keys, key]);
    else if (
      value !== null &&
      typeof value === "object" &&
      !Array.isArray(value) &&
      keys.length < 3
    )
      listShortFields(value, [...keys, key], found);
  }
  return found;
}

/** The largest list of records of a recorded body, and what names its rows. */
function findRows(value) {
  let best;
  const visit = (at, keys) => {
    if (at === null || typeof at !== "object" || keys.length > 5) return;
    if (Array.isArray(at)) {
      const records = at.filter(
        (row) => row !== null && typeof row === "object" && !Array.isArray(row),
      );
      const size = records.length === at.length && at.length >= 8 ? JSON.stringify(at).length : 0;
      if (size > (best?.size ?? 0)) best = { keys, rows: at, size };
      return;
    }
    for (const [key, item] of Object.entries(at)) visit(item, [...keys, key]);
  };
  visit(value, []);
  if (best === undefined) return undefined;
  const label = findLabel(best.rows);
  return label === undefined ? undefined : { rows: best.keys, label };
}

export function findLabel(rows) {
  const fields = listShortFields(rows[0]).filter((keys) => namingKeys.includes(keys.at(-1)));
  fields.sort(
    (a, b) => a.length - b.length || namingKeys.indexOf(a.at(-1)) - namingKeys.indexOf(b.at(-1)),
  );
  return fields.find(
    (keys) => new Set(rows.map((row) => follow(row, keys))).size >= rows.length * 0.9,
  );
}

/** Every question: which row, its label, and one short field of it. */
function listQuestions(value, { rows, label, asked }) {
  const list = follow(value, rows);
  const questions = [];
  for (const [index, row] of Object.entries(list)) {
    const fields =
      asked?.map(toKeys).filter((keys) => isShort(follow(row, keys))) ?? listShortFields(row);
    for (const keys of fields) {
      if (keys.join(".") !== label.join("."))
        questions.push({ label: [...rows, index, ...label], field: [...rows, index, ...keys] });
    }
  }
  return questions;
}

function countInView(value, view, questions) {
  const shown = JSON.parse(view);
  const stands = (keys) =>
    follow(shown, keys) !== undefined && follow(shown, keys) === follow(value, keys);
  return questions.filter(({ label, field }) => stands(label) && stands(field)).length;
}

function countInCut({ starts, ends }, questions, isShown) {
  const stands = (keys) => {
    const path = `/${keys.join("/")}`;
    return isShown(starts.get(path), ends.get(path));
  };
  return questions.filter(({ label, field }) => stands(label) && stands(field)).length;
}

export async function loadTools(dist) {
  const from = (file) => import(pathToFileURL(join(resolve(dist), file)).href);
  const [{ project }, { estimateTokens }, { parseJson }] = await Promise.all([
    from("core/view/projection-summarizer.js"),
    from("core/view/count-tokens.js"),
    from("core/base/parse-json.js"),
  ]);
  const summarize = (document, maxTokens) =>
    project({
      document,
      kind: "json",
      maxTokens,
      countTokens: estimateTokens,
      request: {
        source: "bench",
        baseUrl: "https://api.example.test/v1",
        method: "GET",
        path: "/",
      },
    });
  return { summarize, estimateTokens, parseJson };
}

function measureBody(body, maxTokens, { summarize, estimateTokens }) {
  const { view, omitted } = summarize(body.value, maxTokens);
  const written = body.written;
  const said = omitted.length === 0 ? "" : JSON.stringify(omitted);
  const row = {
    body: body.name,
    budget: maxTokens,
    cut: omitted.length > 0,
    fill: countTokens(view + said) / maxTokens,
    viewFill: countTokens(view) / maxTokens,
    estimate: estimateTokens(view) / countTokens(view),
  };
  if (body.questions === undefined) return row;
  const { length } = view;
  const head = countInCut(written, body.questions, (_, end) => end <= length);
  const half = length / 2;
  const both = countInCut(
    written,
    body.questions,
    (start, end) => end <= half || start >= written.text.length - half,
  );
  const lookups = countInView(body.value, view, body.questions);
  return {
    ...row,
    questions: body.questions.length,
    lookups,
    head,
    headAndTail: both,
    ratio: lookups / Math.max(1, head),
  };
}

/** Whether all that `less` shows stands in `more`, too; a clipped string may go on there. */
function isContained(less, more) {
  if (less === null || typeof less !== "object") {
    const isClipped = typeof less === "string" && less.endsWith("…") && typeof more === "string";
    return less === more || (isClipped && more.startsWith(less.slice(0, -1)));
  }
  if (more === null || typeof more !== "object" || Array.isArray(less) !== Array.isArray(more))
    return false;
  return Object.keys(less).every(
    (key) => Object.hasOwn(more, key) && isContained(less[key], more[key]),
  );
}

/** Over how many steps from one budget to the next larger one something is lost. */
function countLosses(value, { summarize }) {
  const views = [300, 500, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 10_000, 12_000, 20_000].map(
    (budget) => JSON.parse(summarize(value, budget).view),
  );
  return views.slice(1).filter((view, index) => !isContained(views[index], view)).length;
}

const isReference = (key) => /(?:_ids?|[a-z]Ids?)$/.test(key) && key !== "node_id";

/** Of the shown rows of the largest list: those with what identifies them, and with all references that they have. */
function countRows(value, { rows, label }, { summarize }) {
  const shown = follow(JSON.parse(summarize(value, 2_000).view), rows) ?? [];
  const whole = follow(value, rows);
  const counted = { shown: shown.length, named: 0, referring: 0 };
  for (const [index, row] of shown.entries()) {
    if (follow(row, label) !== undefined) counted.named += 1;
    const level = follow(whole[index], label.slice(0, -1)) ?? {};
    const keys = Object.keys(level).filter((key) => isReference(key) && isShort(level[key]));
    const constant = (key) =>
      new Set(whole.map((each) => follow(each, [...label.slice(0, -1), key]))).size === 1;
    const own = follow(row, label.slice(0, -1)) ?? {};
    if (keys.every((key) => Object.hasOwn(own, key) || constant(key))) counted.referring += 1;
  }
  return counted;
}

function prepare({ name, value, rows, label, asked }) {
  const written = writeWithEnds(value);
  const place =
    rows === undefined ? findRows(value) : { rows: toKeys(rows), label: toKeys(label), asked };
  return {
    name,
    value,
    written,
    place,
    ...(place === undefined ? {} : { questions: listQuestions(value, place) }),
  };
}

/** The least of several runs: other work on the machine only adds. */
/** The least time of several runs; what `prepare` makes for each is not timed. */
const best = (times, run, prepare) => {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < times; index += 1) {
    const prepared = prepare?.();
    const start = performance.now();
    run(prepared);
    least = Math.min(least, performance.now() - start);
  }
  return least;
};

function measureTimes({ summarize, parseJson }) {
  const rows = [];
  for (const megabytes of [5, 10, 20]) {
    const text = makeLargeBody(megabytes * 1e6);
    const parseMs = best(7, () => JSON.parse(text));
    for (const maxTokens of budgets) {
      const document = parseJson(text);
      rows.push({
        megabytes,
        budget: maxTokens,
        shrinkMs: best(10, () => summarize(document, maxTokens)),
        parseMs,
      });
    }
  }
  return rows.map((row) => ({ ...row, ofParse: row.shrinkMs / row.parseMs }));
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Measures everything and returns `{ bodies, times, summary }`. */
export async function benchShrinking({ dist = ".cache/rooms", corpusDir } = {}) {
  const tools = await loadTools(dist);
  const made = makeLists();
  // The same lists, asked for any short field rather than for what people ask.
  const sources = [
    ...made,
    ...made
      .filter(({ asked }) => asked !== undefined)
      .map(({ asked, ...body }) => ({ ...body, name: `${body.name}, any field` })),
  ];
  if (corpusDir !== undefined) {
    for (const file of readdirSync(corpusDir)
      .filter((name) => name.endsWith(".json"))
      .sort()) {
      sources.push({
        name: file,
        value: JSON.parse(readFileSync(join(corpusDir, file), "utf8")),
        recorded: true,
      });
    }
  }
  const bodies = [];
  let losses = 0;
  const rowsShown = { shown: 0, named: 0, referring: 0 };
  for (const source of sources) {
    const body = prepare(source);
    losses += countLosses(body.value, tools);
    if (Array.isArray(follow(body.value, body.place?.rows ?? []))) {
      const counted = body.place === undefined ? {} : countRows(body.value, body.place, tools);
      for (const key of Object.keys(counted)) rowsShown[key] += counted[key];
    }
    for (const maxTokens of budgets) {
      const row = measureBody(body, maxTokens, tools);
      bodies.push({
        ...row,
        recorded: source.recorded === true,
        asked: source.asked !== undefined,
        ms: best(9, () => tools.summarize(body.value, maxTokens)),
      });
    }
  }
  const times = measureTimes(tools);
  const of = (budget, megabytes) =>
    times.find((row) => row.budget === budget && row.megabytes === megabytes).shrinkMs;
  const cut = bodies.filter((row) => row.cut);
  const summary = [
    { what: "steps to a larger budget that show less", value: losses, goal: "<= 0" },
    {
      what: "rows shown with what identifies them",
      value: rowsShown.named / rowsShown.shown,
      goal: ">= 1",
    },
    {
      what: "rows shown with their references",
      value: rowsShown.referring / rowsShown.shown,
      goal: ">= 0.8",
    },
    {
      what: "fill of the budget, median (real tokenizer)",
      value: median(cut.map((row) => row.fill)),
      goal: ">= 0.8",
    },
    {
      what: "fill of the budget, most",
      value: Math.max(...bodies.map((row) => row.fill)),
      goal: "<= 1.1",
    },
    ...budgets.flatMap((budget) => {
      const here = cut.filter((row) => row.budget === budget && row.ratio !== undefined);
      return [
        [
          "asked of made lists",
          here.filter((row) => row.asked),
          budget === 2_000 ? ">= 7" : ">= 6",
        ],
        [
          "any short field of made lists",
          here.filter((row) => !row.asked && !row.recorded),
          ">= 3",
        ],
        ["any short field of recorded lists", here.filter((row) => row.recorded), ">= 3"],
      ]
        .filter(([, rows]) => rows.length > 0)
        .flatMap(([what, rows, goal]) => [
          {
            what: `lookups over the head cut at ${budget}, ${what}: median`,
            value: median(rows.map((row) => row.ratio)),
            goal,
          },
          {
            what: `lookups over the head cut at ${budget}, ${what}: all together`,
            value:
              rows.reduce((sum, row) => sum + row.lookups, 0) /
              rows.reduce((sum, row) => sum + row.head, 0),
            goal,
          },
          {
            what: `lookups over the head cut at ${budget}, ${what}: least`,
            value: Math.min(...rows.map((row) => row.ratio)),
            goal: ">= 1",
          },
        ]);
    }),
    ...budgets.map((budget) => ({
      what: `shrinking 10 MB over JSON.parse, ${budget} tokens`,
      value: times.find((row) => row.budget === budget && row.megabytes === 10).ofParse,
      goal: "<= 0.03",
    })),
    ...budgets.map((budget) => ({
      what: `shrinking 20 MB over 5 MB, ${budget} tokens`,
      value: of(budget, 20) / of(budget, 5),
      goal: "<= 1.1",
    })),
    { what: "slowest body, ms", value: Math.max(...bodies.map((row) => row.ms)), goal: "a few" },
  ];
  return { bodies, times, summary };
}

function print({ bodies, times, summary }) {
  const figure = (value) =>
    typeof value === "number" ? (Number.isInteger(value) ? String(value) : value.toFixed(2)) : "-";
  const line = (cells) =>
    console.log(
      cells.map((cell, index) => (index === 0 ? cell.padEnd(44) : cell.padStart(11))).join(""),
    );
  line([
    "body",
    "budget",
    "fill",
    "view",
    "est/real",
    "questions",
    "lookups",
    "head",
    "head+tail",
    "ratio",
    "ms",
  ]);
  for (const row of bodies)
    line([
      row.body,
      ...[
        row.budget,
        row.fill,
        row.viewFill,
        row.estimate,
        row.questions,
        row.lookups,
        row.head,
        row.headAndTail,
        row.ratio,
        row.ms,
      ].map(figure),
    ]);
  console.log();
  line(["size", "budget", "shrink ms", "parse ms", "of parse"]);
  for (const row of times)
    line([
      `${row.megabytes} MB`,
      ...[row.budget, row.shrinkMs, row.parseMs].map(figure),
      row.ofParse.toFixed(4),
    ]);
  console.log();
  for (const { what, value, goal } of summary)
    console.log(`${what.padEnd(82)}${value.toFixed(3).padStart(10)}   ${goal}`);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const option = (name) =>
    process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
  const result = await benchShrinking({
    dist: option("--dist") ?? ".cache/rooms",
    corpusDir: option("--corpus"),
  });
  if (process.argv.includes("--json")) console.log(JSON.stringify(result, undefined, 2));
  else print(result);
}
