// Tasks over an API, played by a model or by whoever sits at the door:
//   npm run bench:agent -- --model openai:gpt-5-mini     [--kinds package,code,cut,files,sandbox]
//   npm run bench:agent -- --door package                one JSON a line: {"tool": NAME, "input": {…}} or {"answer": …}
// Both take [--tasks 1,2,3] [--transcript FOLDER] [--dist DIR] [--combined]: the kinds of this package (package, described, code) then have call_api. Prints right, calls and characters read.
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { playWithModel } from "./play-with-model.mjs";
import { describeResults, openSession } from "./session.mjs";
import { kinds } from "./toolsets.mjs";

const { values } = parseArgs({
  options: {
    model: { type: "string" },
    door: { type: "string" },
    kinds: { type: "string", default: Object.keys(kinds).join(",") },
    tasks: { type: "string", default: "" },
    transcript: { type: "string", default: ".cache/bench-agent" },
    dist: { type: "string", default: ".cache/rooms" },
    combined: { type: "boolean", default: false },
  },
});

const chosen = values.door === undefined ? values.kinds.split(",") : [values.door];
const unknown = chosen.filter((kind) => !Object.hasOwn(kinds, kind));
if ((values.model === undefined) === (values.door === undefined) || unknown.length > 0) {
  console.error(
    `Give --model PROVIDER:NAME, or --door KIND. Kinds: ${Object.keys(kinds).join(", ")}.`,
  );
  process.exit(2);
}
for (const kind of chosen) {
  const form = values.combined ? `${kind}-combined` : kind;
  const transcript = join(values.transcript, `${form}.jsonl`);
  const session = await openSession({
    kind,
    dist: pathToFileURL(join(resolve(values.dist), "index.js")).href,
    numbers: values.tasks.split(",").filter(Boolean).map(Number),
    transcript,
    combined: values.combined,
  });
  if (values.door === undefined) await playWithModel(session, values.model);
  else await playAtDoor(session);
  console.log(`${describeResults(form, session.results)}\n  transcript: ${transcript}`);
  await session.close();
}

/** Prints the tools and the first task, then takes a call or an answer from each line of standard input. */
async function playAtDoor(session) {
  for (const { name, description, schema } of session.tools) {
    const input = "_zod" in schema ? z.toJSONSchema(schema) : schema;
    console.log(`Tool ${name}: ${description}\nInput: ${JSON.stringify(input)}\n`);
  }
  const left = [...session.tasks];
  const begin = () => {
    const [task] = left;
    if (task === undefined) return false;
    session.begin(task);
    console.log(`\nTask ${task.number}: ${task.ask}`);
    return true;
  };
  if (!begin()) return;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    const said = readLine(line);
    if (said === undefined)
      console.log('One JSON a line: {"tool": NAME, "input": {…}} or {"answer": …}');
    else if ("answer" in said) {
      session.finish(
        left.shift(),
        typeof said.answer === "string" ? said.answer : JSON.stringify(said.answer),
      );
      if (!begin()) return;
    } else console.log(await session.call(said.tool, said.input));
  }
}

function readLine(line) {
  try {
    const said = JSON.parse(line);
    if (said && typeof said === "object") return said;
  } catch {}
  return undefined;
}
