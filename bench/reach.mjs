/** Asks made lists every kind of question and counts which are answered within one `read_api_response` after the call. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeLists } from "./make-lists.mjs";
import { startServer } from "./pipeline.mjs";

const lookupsPerBody = 10;

const follow = (value, keys) => keys.reduce((at, key) => at?.[key], value);
const toKeys = (path) => (path === "" ? [] : path.split("."));
const quote = (keys) => keys.map((key) => JSON.stringify(key)).join(".");
const literal = (value) => `\`${JSON.stringify(value)}\``;

/** Questions `{ kind, select, answer }`; the answer is computed here, from the value. */
function ask({ value, rows, label, asked }) {
  const list = follow(value, toKeys(rows));
  const path = rows === "" ? "" : quote(toKeys(rows));
  const all = `${path}[]`;
  const questions = [
    { kind: "count", select: path === "" ? "length(@)" : `length(${path})`, answer: list.length },
  ];
  const labelKeys = toKeys(label);
  const fields = asked.map(toKeys);
  for (let index = 0; index < lookupsPerBody; index += 1) {
    const row = list[Math.floor((index * list.length) / lookupsPerBody)];
    const keys = fields[index % fields.length];
    questions.push({
      kind: "lookup",
      select: `${path}[?${quote(labelKeys)} == ${literal(follow(row, labelKeys))}] | [0].${quote(keys)}`,
      answer:
        list.find((each) => follow(each, labelKeys) === follow(row, labelKeys)) &&
        follow(row, keys),
    });
  }
  for (const keys of fields) {
    const values = list.map((row) => follow(row, keys));
    const same = list.filter((row) => follow(row, keys) === values[0]);
    if (values[0] !== undefined && values[0] !== null) {
      questions.push({
        kind: "filter",
        select: `length(${path}[?${quote(keys)} == ${literal(values[0])}])`,
        answer: same.length,
      });
    }
    if (values.every((each) => typeof each === "number")) {
      questions.push({
        kind: "sum",
        select: `sum(${all}.${quote(keys)})`,
        answer: values.reduce((sum, each) => sum + each, 0),
      });
    }
    const groups = new Set(values);
    if (values.every((each) => typeof each === "string") && groups.size <= 20) {
      questions.push({
        kind: "group",
        select: `map(&{key:[0],count:length([1])}, items(group_by(${path === "" ? "@" : path}, &${quote(keys)})))`,
        answer: [...groups].map((key) => ({
          key,
          count: values.filter((each) => each === key).length,
        })),
      });
    }
  }
  return questions;
}

function isSame(given, expected) {
  if (typeof expected === "number") return Math.abs(given - expected) <= Math.abs(expected) * 1e-9;
  if (!Array.isArray(expected)) return given === expected;
  const sorted = (list) =>
    JSON.stringify(list.toSorted((one, other) => (one.key < other.key ? -1 : 1)));
  return Array.isArray(given) && sorted(given) === sorted(expected);
}

/** Rows `{ kind, asked, answered, missed }` for each kind of question. */
export async function benchReach({ dist }) {
  const { ApiSourceToolkit } = await import(pathToFileURL(join(dist, "index.js")).href);
  const bodies = makeLists().filter(({ asked }) => asked !== undefined);
  const { server, baseUrl } = await startServer(
    bodies.map(({ value }) => Buffer.from(JSON.stringify(value))),
  );
  const toolkit = await ApiSourceToolkit.fromSources([
    { name: "Bench", api: { baseUrl, network: { allowLocalAddresses: true } } },
  ]);
  const [tool, reader] = toolkit.getTools();
  const kinds = new Map();
  for (const [index, body] of bodies.entries()) {
    const { shortened } = JSON.parse(await tool.invoke({ method: "GET", path: `/${index}` }));
    for (const { kind, select, answer } of ask(body)) {
      const row = kinds.get(kind) ?? { kind, asked: 0, answered: 0, missed: [] };
      kinds.set(kind, row);
      const read = JSON.parse(await reader.invoke({ id: shortened.id, select }));
      row.asked += 1;
      if (isSame(read.data, answer)) row.answered += 1;
      else row.missed.push(`${body.name}: ${select}`);
    }
  }
  server.closeAllConnections();
  server.close();
  return [...kinds.values()];
}
