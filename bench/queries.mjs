// How long hostile and ordinary queries hold the event loop on bodies of 10 MB, and how much memory they take.
//   node --expose-gc bench/queries.mjs [--dist DIR] [--json]

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const megabytes = 10;

function makeRows() {
  const rows = [];
  for (let id = 0, length = 0; length < megabytes * 1e6; id += 1) {
    const row = {
      id,
      name: `thing number ${id}`,
      price: (id % 9_973) / 100,
      state: id % 3 ? "open" : "closed",
      note: "x".repeat(60),
    };
    length += JSON.stringify(row).length + 1;
    rows.push(row);
  }
  return { o: Object.fromEntries(rows.slice(0, 1_000).map((row) => [`k${row.id}`, row])), items: rows };
}

const line = "ab ".repeat((megabytes * 1e6) / 3);
const texts = {
  text: "a".repeat(megabytes * 1e6),
  pattern: `${"a".repeat(5_000)}b`,
  spaces: " ".repeat(megabytes * 1e6 - 1),
  line,
};
const doubled = (levels) => Array.from({ length: levels }, () => "[@,@]").join("|");

/** Body and expression. */
const hostile = [
  ["texts", "replace('a','b','c',`4294967295`)"],
  ["rows", `${doubled(30)}|to_string(@)`],
  ["rows", `${doubled(30)} == ${doubled(30)}`.replace("==", "| [0] == [1] | @ ==")],
  ["rows", "length(items[].to_string($))"],
  ["rows", "items[].length(merge($.o,$.o))"],
  ["rows", "group_by(items,&$)"],
  ["rows", "let $all=items in map(&length($all[?id==`1`]),items)"],
  ["rows", "map(&[@,@,@,@],items)|[][]|map(&[@,@,@,@],@)|[][]"],
  ["rows", "sort_by(items,&to_string(@))"],
  ["rows", "map(&sum($.items[:4000].id),items)"],
  ["rows", "map(&sort_by($.items[:4000],&price),items)"],
  ["rows", "items[?contains($.items[:4000],`{}`)]"],
  ["rows", "items[].length(keys($.o))"],
  ["rows", "to_string(items)|[@,@,@,@]|to_string(@)"],
  ["rows", "items[?$.items==@]"],
  ["rows", "max_by(items,&join('',[to_string($.o)]))"],
  ["rows", "items[*].*.to_string(@)|[][]|sort(@)"],
  ["texts", "trim(spaces)"],
  ["texts", "trim(join('',[spaces,'x',spaces]))"],
  ["texts", "contains(text,pattern)"],
  ["texts", "find_last(text,pattern)"],
  ["texts", "contains(text,'aaaaaaab')"],
  ["texts", "contains(text,'aaaaaaaaaaaaaaaaaaaaaaaab')"],
  ["texts", "length(split(text,pattern))"],
  ["texts", "length(split(text,'a'))"],
  ["texts", "length(replace(text,'a','aaaaaaaaaa'))"],
  ["texts", "reverse(line)"],
  ["texts", "line[::-1]"],
  ["texts", "line[-20:]"],
  ["texts", "upper(line)"],
  ["texts", "[text,line,text,line]"],
  ["texts", "pad_left('a',`30000000`,'x')"],
  ["texts", "length(pad_left('a',`31000000`,'x'))"],
  ["rows", `${"(".repeat(3_990)}`],
  ["rows", `${"!".repeat(3_990)}a`],
  ["rows", `${"a.".repeat(1_900)}a`],
  ["rows", `${"a b ".repeat(999)}`],
  ["rows", `${"'".repeat(3_999)}`],
  ["rows", `${'\\"'.repeat(1_999)}`],
];
const ordinary = [
  ["rows", "items[?state=='open'].{id:id,name:name,price:price}"],
  ["rows", "items(group_by(items,&state))[].{k:[0],n:length([1]),sum:sum([1][].price)}"],
  ["rows", "sort_by(items,&price)[-10:]"],
  ["rows", "sort_by(items,&name)[:10].name"],
  ["rows", "sum(items[].price)"],
  ["rows", "items[?contains(name,'number 77')]"],
  ["rows", "@"],
  ["rows", "to_string(@)"],
  ["texts", "line[0:2000]"],
  ["texts", "length(text)"],
];

const args = process.argv.slice(2);
const dist = args.includes("--dist") ? args[args.indexOf("--dist") + 1] : ".cache/rooms";
const load = (file) => import(pathToFileURL(resolve(dist, file)).href);
const { loadQueryEngine } = await load("query/query-engine.js");
const { findInDocument } = await load("query/find-in-document.js");
const engine = await loadQueryEngine();
const bodies = { rows: makeRows(), texts };

function measure(name, run) {
  global.gc?.();
  const before = process.memoryUsage();
  const cpu = process.cpuUsage();
  const started = performance.now();
  let outcome = "answered";
  try {
    run();
  } catch (error) {
    outcome = error.code ?? error.name;
  }
  const ms = Math.round(performance.now() - started);
  const cpuMs = Math.round(process.cpuUsage(cpu).user / 1e3);
  const after = process.memoryUsage();
  const mb = Math.round((after.heapUsed + after.external - before.heapUsed - before.external) / 1e6);
  return { name: name.length > 70 ? `${name.slice(0, 70)}…` : name, outcome, ms, cpuMs, mb };
}

const show = (result) => {
  if (!args.includes("--json"))
    console.log(
      `${String(result.ms).padStart(6)} ms (${String(result.cpuMs).padStart(5)} of the processor) ${String(result.mb).padStart(5)} MB  ${result.outcome.padEnd(18)} ${result.name}`,
    );
  return result;
};
const results = [...hostile, ...ordinary].map(([body, expression]) =>
  show(measure(expression, () => engine.run(bodies[body], expression))),
);
results.push(show(measure("find a word in rows", () => findInDocument(bodies.rows, "number 77"))));
results.push(show(measure("find a long string in a text", () => findInDocument(texts.text, texts.pattern))));
results.push(show(measure("find every letter", () => findInDocument(texts.text, "a"))));
results.push(show(measure("JSON.parse of the same rows", () => JSON.parse(JSON.stringify(bodies.rows)))));
if (args.includes("--json")) console.log(JSON.stringify(results));
