/** One play of the tasks with one kind of tools: counts calls and characters, and writes the transcript, one JSON a line. */

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createFleet } from "./fleet.mjs";
import { startFleetServer } from "./server.mjs";
import { describeExpected, isRight, listTasks } from "./tasks.mjs";
import { kinds } from "./toolsets.mjs";

/**
 * Opens the server and the tools. Before each task the server has its first state again, so what was read stays true.
 *
 * @param options `kind`, `dist` (URL of the ESM build), `numbers` (tasks to play; all when it is empty), `transcript` (a file), `combined`
 * (whether this package's tool is the one for all sources).
 */
export async function openSession({ kind, dist, numbers = [], transcript, combined = false }) {
  const server = await startFleetServer();
  const { tools, close } = await kinds[kind]({ baseUrl: server.baseUrl, dist, combined });
  const tasks = listTasks(createFleet()).filter(
    ({ number }) => numbers.length === 0 || numbers.includes(number),
  );
  const results = [];
  let current = { calls: 0, characters: 0 };
  mkdirSync(dirname(transcript), { recursive: true });
  writeFileSync(transcript, "");
  const record = (entry) => appendFileSync(transcript, `${JSON.stringify(entry)}\n`);

  return {
    tools,
    tasks,
    results,
    /** Brings the server's first state back, and counts from zero. */
    begin(task) {
      server.reset();
      current = { calls: 0, characters: 0 };
      record({ task: task.number, ask: task.ask });
    },
    /** Calls a tool; what it answers, as text. */
    async call(name, input) {
      const chosen = tools.find((each) => each.name === name);
      const text = chosen ? await invoke(chosen, input) : `There is no tool ${name}.`;
      current.calls += 1;
      current.characters += text.length;
      record({ tool: name, input, answer: text });
      return text;
    },
    /** Takes the player's answer to a task. */
    finish(task, said) {
      const right = isRight(task, { said, state: server.fleet(), fresh: createFleet() });
      const result = {
        task: task.number,
        right,
        ...current,
        said,
        expected: describeExpected(task, createFleet()),
      };
      results.push(result);
      record(result);
    },
    async close() {
      await close();
      await server.close();
    },
  };
}

async function invoke(chosen, input) {
  try {
    const answer = await chosen.invoke(input);
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  } catch (error) {
    // LangChain's own check of the input throws; an agent reads that as the tool's answer.
    return `Error: ${error.message}`;
  }
}

/** The results as lines: what was right, calls, characters, and each task that went wrong. */
export function describeResults(kind, results) {
  const total = (read) => results.reduce((sum, each) => sum + read(each), 0);
  const right = total((each) => Number(each.right));
  const wrong = results.filter((each) => !each.right);
  return [
    `${kind}: right ${right}/${results.length}, calls ${total(({ calls }) => calls)}, characters ${total(({ characters }) => characters)}`,
    ...wrong.map(
      ({ task, said, expected }) => `  wrong: task ${task}, said ${said}, expected ${expected}`,
    ),
  ].join("\n");
}
