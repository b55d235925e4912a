// Prints what a reader of `src` has to take in. Tokens, tokens a line and regular expressions have no limit: a limit would be met by packing.
// npm run ruler -- [--rooms] [--functions] [--conditionals] [--comments] [--state]
import { measureSources } from "./measure-sources.mjs";

const floors = ["core", "features", "toolkit", "extras", "cli"];
const flags = new Set(process.argv.slice(2));
const files = measureSources("src");

console.log(describe("src", files));
for (const floor of floors) console.log(describe(`  ${floor}`, listBelow(floor)));
if (flags.has("--rooms")) {
  for (const room of listRooms()) console.log(describe(`    ${room}`, listBelow(room)));
}

const tokens = sum(files, (file) => file.tokens);
const lines = sum(files, (file) => file.lines);
const expressions = sum(files, (file) => file.regularExpressions);
const longFunctions = files
  .flatMap(({ file, functions }) => functions.map((each) => ({ file, ...each })))
  .filter((each) => each.lines > 50)
  .sort((a, b) => b.lines - a.lines);
const stateful = files.filter(({ state }) => state.length > 0);

const figures = {
  "functions over 50 lines": longFunctions.length,
  "regular expressions": expressions,
  "regular expressions per 1,000 tokens": ((1_000 * expressions) / tokens).toFixed(2),
  "conditionals in conditionals": sum(files, (file) => file.nestedConditionals.length),
  "types that are only inferred": sum(files, (file) => file.inferredTypes),
  "modules that keep state": stateful.length,
  "inverted comments": sum(files, (file) => file.invertedComments.length),
  "characters a line": (sum(files, (file) => file.characters) / lines).toFixed(1),
  "longest line": Math.max(...files.map((file) => file.longestLine)),
};
for (const [name, figure] of Object.entries(figures)) console.log(`${name}: ${figure}`);

if (flags.has("--functions")) {
  for (const { file, name, line, lines } of longFunctions)
    console.log(`  ${lines} lines: ${name} (src/${file}:${line})`);
}
if (flags.has("--conditionals")) {
  for (const { file, nestedConditionals } of files)
    for (const { line } of nestedConditionals) console.log(`  src/${file}:${line}`);
}
if (flags.has("--comments")) {
  for (const { file, invertedComments } of files)
    for (const { line, text } of invertedComments) console.log(`  src/${file}:${line} ${text}`);
}
if (flags.has("--state")) {
  for (const { file, state } of stateful) console.log(`  src/${file}: ${state.join(", ")}`);
}

function describe(title, list) {
  const [ofTokens, ofLines] = [sum(list, ({ tokens }) => tokens), sum(list, ({ lines }) => lines)];
  const figures = `${pad(ofTokens, 7)} tokens ${pad(ofLines, 6)} lines ${pad(list.length, 4)} files`;
  return `${title.padEnd(26)} ${figures} ${pad((ofTokens / ofLines).toFixed(2), 5)} tokens a line`;
}

function listBelow(folder) {
  return files.filter(({ file }) => file.startsWith(`${folder}/`));
}

function listRooms() {
  const rooms = files.map(({ file }) => file.split("/").slice(0, 2).join("/"));
  return [...new Set(rooms)].filter((room) => !room.endsWith(".ts"));
}

function sum(list, pick) {
  return list.reduce((total, each) => total + pick(each), 0);
}

function pad(value, width) {
  return String(value).padStart(width);
}
