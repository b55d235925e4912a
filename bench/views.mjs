// What a view shows of bodies that it was not made for: lookups over a cut of equal length, the share of the budget that is not data,
// rows with an identity, plain rows shown whole, and stretches of rows with the same fields.
//   node bench/views.mjs [--dist DIR] [--corpus DIR] [--show NAME [--budget N]]

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findLabel, follow, listShortFields, loadTools, writeWithEnds } from "./shrinking.mjs";
import { listShapes } from "./view-shapes.mjs";

const budgets = [2_000, 5_000];
const leastRows = 5;
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isPlain = (value) => value === null || typeof value !== "object";
const isPlainRow = (row) => Array.isArray(row) && row.length > 1 && row.length <= 24 && row.every(isPlain);

/** Every list or map of records with what identifies its rows. */
function listTables(value) {
  const tables = [];
  const visit = (at, keys) => {
    if (isPlain(at)) return;
    const rows = Object.values(at);
    const isMap = isRecord(at) && rows.length >= 20;
    if (rows.length >= leastRows && (Array.isArray(at) || isMap)) {
      if (rows.every(isRecord)) tables.push({ keys, rows: at, label: findLabel(rows) ?? findAnyLabel(rows) });
    }
    for (const [key, item] of Object.entries(at)) visit(item, [...keys, key]);
  };
  visit(value, []);
  return tables;
}

/** The first value, a URL included, in which all rows differ. */
function findAnyLabel(rows) {
  const own = Object.keys(rows[0] ?? {}).filter((key) => isPlain(rows[0][key]));
  const fields = [...own.filter((key) => key === "id"), ...own];
  const found = fields.find((key) => new Set(rows.map((row) => row[key])).size === rows.length);
  return found === undefined ? undefined : [found];
}

/** The short values of each row that are not the same in all rows. */
function listQuestions({ keys, rows, label }) {
  const list = Object.values(rows);
  const isConstant = (field) => list.every((row) => follow(row, field) === follow(list[0], field));
  const fields = new Map(
    list.flatMap((row) => listShortFields(row)).map((field) => [field.join("."), field]),
  );
  const asked = new Set([...fields].filter(([, field]) => !isConstant(field)).map(([name]) => name));
  asked.delete(label.join("."));
  return Object.entries(rows).flatMap(([index, row]) =>
    listShortFields(row)
      .filter((field) => asked.has(field.join(".")))
      .map((field) => ({ label: [...keys, index, ...label], field: [...keys, index, ...field] })),
  );
}

/** Shown rows: how many have their identity, and in how many stretches they have the same fields. */
function countRows(shown, { keys, rows, label }) {
  const found = follow(shown, keys);
  const counted = { named: 0, identified: 0, blocks: 0 };
  if (found === undefined || found === null) return counted;
  const seen = Object.entries(found);
  // Of each field the rows between its last value shown and the first one not shown: there it ends.
  const ends = new Map();
  for (const [at, [index, row]] of seen.entries()) {
    if (label !== undefined && follow(rows[index], label) !== undefined) {
      counted.named += 1;
      if (follow(row, label) === follow(rows[index], label)) counted.identified += 1;
    }
    for (const field of listShortFields(rows[index])) {
      const name = field.join(".");
      const end = ends.get(name) ?? { last: -1, first: seen.length };
      if (follow(row, field) === undefined) end.first = Math.min(end.first, at);
      else end.last = at;
      ends.set(name, end);
    }
  }
  counted.blocks = countStretches(
    [...ends.values()].filter(({ last, first }) => last >= 0 && first < seen.length),
  );
  return counted;
}

/**
 * How many stretches of rows have the same fields: with other resources in each row two fields that end together have their first
 * missing value in different rows. The fewest rows at which all of them can have ended, and one stretch more; a field that comes
 * back counts for itself.
 */
function countStretches(ends) {
  const returning = ends.filter(({ last, first }) => last > first).length;
  let [stretches, row] = [1 + returning, -1];
  for (const { last, first } of ends
    .filter((end) => end.last < end.first)
    .sort((a, b) => a.first - b.first)) {
    if (last < row) continue;
    stretches += 1;
    row = first;
  }
  return stretches;
}

function measure({ name, value, document }, budget, { summarize, estimateTokens }) {
  const { view, omitted, try: queries } = summarize(document, budget);
  const rest = omitted.length === 0 ? "" : JSON.stringify({ omitted, try: queries });
  const shown = JSON.parse(view);
  const tables = typeof value === "string" ? [] : listTables(value);
  const rows = tables.map((table) => countRows(shown, table));
  const sum = (key) => rows.reduce((total, each) => total + (each[key] ?? 0), 0);
  const size = ({ rows: list }) => JSON.stringify(list).length;
  const [main] = tables.filter(({ label }) => label !== undefined).sort((a, b) => size(b) - size(a));
  const questions = main === undefined ? [] : listQuestions(main);
  const { starts, ends } = writeWithEnds(value);
  const { length } = view + rest;
  const isInCut = (path) => ends.get(`/${path.join("/")}`) <= length && starts.has(`/${path.join("/")}`);
  const isInView = (path) => follow(shown, path) !== undefined && follow(shown, path) === follow(value, path);
  const plain = countPlainRows(value, shown);
  return {
    name,
    budget,
    isCut: omitted.length > 0,
    questions: questions.length,
    lookups: questions.filter(({ label, field }) => isInView(label) && isInView(field)).length,
    head: questions.filter(({ label, field }) => isInCut(label) && isInCut(field)).length,
    notData: rest === "" ? 0 : estimateTokens(rest) / budget,
    fill: estimateTokens(view + rest) / budget,
    named: sum("named"),
    identified: sum("identified"),
    ...plain,
    mostBlocks: Math.max(0, ...rows.map(({ blocks }) => blocks)),
  };
}

/** Arrays of at most 24 plain values that are elements of a list or fields of a row of one. */
function countPlainRows(whole, shown, isInList = false) {
  const counted = { plain: 0, wholePlain: 0 };
  if (isPlain(shown) || isPlain(whole)) return counted;
  if (isPlainRow(whole) && isInList) {
    const isWhole = JSON.stringify(whole) === JSON.stringify(shown);
    return { plain: 1, wholePlain: isWhole ? 1 : 0 };
  }
  for (const key of Object.keys(shown)) {
    const inside = countPlainRows(whole[key], shown[key], isInList || Array.isArray(whole));
    counted.plain += inside.plain;
    counted.wholePlain += inside.wholePlain;
  }
  return counted;
}

/** Of each body the value to compare with, and the document as the package reads it: with the digits of large numbers. */
function loadBodies(corpusDir, { parseJson }) {
  const files = corpusDir === undefined || !existsSync(corpusDir) ? [] : readdirSync(corpusDir);
  const recorded = files
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ name, isRecorded: true, text: readFileSync(join(corpusDir, name), "utf8") }));
  const made = listShapes().map(({ name, value }) => ({
    name,
    isRecorded: false,
    text: JSON.stringify(value),
  }));
  return [...made, ...recorded].map((body) => ({
    ...body,
    value: JSON.parse(body.text),
    document: parseJson(body.text),
  }));
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const total = (rows, key) => rows.reduce((sum, row) => sum + row[key], 0);

function summarizeRows(rows) {
  const asked = rows.filter((row) => row.isCut && row.questions > 0);
  const cut = rows.filter((row) => row.isCut);
  const capped = asked.map(({ lookups, head }) => Math.min(10, lookups / Math.max(1, head)));
  return {
    "lookups over the cut, all together": total(asked, "lookups") / total(asked, "head"),
    "lookups over the cut, geometric mean (each at most 10)": Math.exp(
      capped.reduce((sum, ratio) => sum + Math.log(Math.max(0.1, ratio)), 0) / capped.length,
    ),
    "lookups over the cut, median": median(capped),
    "bodies with fewer lookups than the cut":
      asked.filter(({ lookups, head }) => lookups < head).length / asked.length,
    "share of the budget that is not data, mean": total(cut, "notData") / cut.length,
    "share of the budget that is not data, most": Math.max(...cut.map(({ notData }) => notData)),
    "fill of the budget, mean": total(cut, "fill") / cut.length,
    "rows with identity": total(rows, "identified") / total(rows, "named"),
    "plain rows shown whole": total(rows, "wholePlain") / total(rows, "plain"),
    "most stretches of rows with the same fields, in one list": Math.max(
      ...rows.map((row) => row.mostBlocks),
    ),
  };
}

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const tools = await loadTools(option("--dist") ?? ".cache/rooms");
const bodies = loadBodies(option("--corpus") === undefined ? undefined : resolve(option("--corpus")), tools);
const show = option("--show");
if (show !== undefined) {
  const { document } = bodies.find(({ name }) => name === show || name === `${show}.json`) ?? {};
  const { view, omitted, try: queries } = tools.summarize(document, Number(option("--budget") ?? 2_000));
  console.log(view);
  for (const each of [...omitted, ...queries]) console.log(JSON.stringify(each));
} else {
  const rows = bodies.flatMap((body) =>
    budgets.map((budget) => ({ isRecorded: body.isRecorded, ...measure(body, budget, tools) })),
  );
  console.table(
    rows.map(
      ({
        name,
        budget,
        questions,
        lookups,
        head,
        notData,
        fill,
        named,
        identified,
        plain,
        wholePlain,
        mostBlocks,
      }) => ({
        name,
        budget,
        questions,
        lookups,
        head,
        notData: notData.toFixed(2),
        fill: fill.toFixed(2),
        identity: `${identified}/${named}`,
        plain: `${wholePlain}/${plain}`,
        blocks: mostBlocks,
      }),
    ),
  );
  for (const budget of budgets)
    for (const isRecorded of [true, false]) {
      const here = rows.filter((row) => row.budget === budget && row.isRecorded === isRecorded);
      if (here.length === 0) continue;
      console.log(`\n${isRecorded ? "recorded" : "made"} bodies, ${budget} tokens`);
      for (const [what, value] of Object.entries(summarizeRows(here)))
        console.log(`  ${what.padEnd(60)}${value.toFixed(3)}`);
    }
}
