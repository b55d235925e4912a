/** The benchmark with an agent in it is playable: tasks, calls and answers pass through its door, and the server's state is what counts. */

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { compilePrograms } from "./support/compiled-programs.js";
import { isLongRun } from "./support/long-run.js";
import { openTestFolder } from "./support/test-folder.js";

/** Plays with lines on standard input; what was printed, and the transcript's entries. */
async function play(dist: string, folder: string, door: string, tasks: string, lines: readonly unknown[]) {
  const options = ["--door", door, "--tasks", tasks, "--dist", dist, "--transcript", folder];
  const child = spawn(process.execPath, [resolve("bench/agent/run.mjs"), ...options]);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await new Promise((done) => child.on("close", done));
  const transcript = await readFile(join(folder, `${door}.jsonl`), "utf8");
  return {
    printed,
    entries: transcript
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

const get = (path: string, rest = {}) => ({ tool: "sykkel", input: { method: "GET", path, ...rest } });
const write = (method: string, path: string, rest = {}) => ({
  tool: "sykkel",
  input: { method, path, ...rest },
});

describe("npm run bench", () => {
  it("names files of src that exist", () => {
    const programs = readdirSync("bench").filter((name) => name.endsWith(".mjs"));
    const named = programs.flatMap((name) =>
      [...readFileSync(`bench/${name}`, "utf8").matchAll(/"([a-z-]+(?:\/[a-z-]+)+)\.js"/g)].map(
        ([, file]) => file,
      ),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((file) => !existsSync(`src/${file}.ts`))).toEqual([]);
  });
});

describe("npm run bench:agent -- --door", () => {
  let dist = "";
  const folder = openTestFolder();

  beforeAll(async () => {
    dist = join((await compilePrograms({ folder: "bench-agent-test" })).directory, "src");
  }, 60_000);

  it("plays a question and two actions with this package, and counts what was right, calls and characters", async () => {
    const select = "length(bikes[?state=='maintenance' && battery < `20`])";
    const { printed, entries } = await play(dist, folder.path, "package", "11,12,14", [
      get("/bikes", { select }),
      { answer: 6 },
      get("/stations", { select: "[?name=='Tromsø Market'].[id, version]" }),
      { answer: "done" }, // The capacity is as it was.
      write("POST", "/exports", { body: { of: "rides", format: "csv", month: "2026-03" } }),
      { answer: "done" },
    ]);
    const results = entries.filter((entry) => "right" in entry);
    expect(results.map(({ task, right, calls }) => ({ task, right, calls }))).toEqual([
      { task: 11, right: true, calls: 1 },
      { task: 12, right: false, calls: 1 },
      { task: 14, right: true, calls: 1 },
    ]);
    const answers = entries.flatMap((entry) => ("tool" in entry ? [entry.answer] : []));
    expect(JSON.parse(answers[0])).toMatchObject({ status: 200, data: 6 });
    expect(JSON.parse(answers[2])).toMatchObject({ status: 202, waited: { requests: 2 } });
    expect(printed).toContain(`package: right 2/3, calls 3, characters ${answers.join("").length}`);
    expect(printed).toContain("Tool read_api_response:");
    expect(printed).not.toContain("fleet-benchmark-credential-0");
  });

  const doors: [string, object[], RegExp][] = [
    [
      "cut",
      [{ tool: "request", input: { method: "GET", path: "/bikes" } }],
      /truncated: \d+ characters in all\]/,
    ],
    [
      "files",
      [
        { tool: "request", input: { method: "GET", path: "/bikes" } },
        { tool: "grep", input: { file: "1.txt", pattern: '"state": "maintenance"', count: true } },
      ],
      /^\d+ lines$/,
    ],
    [
      "sandbox",
      [
        {
          tool: "run_javascript",
          input: { code: "const { data } = await request({ path: '/bikes' });\nreturn data.bikes.length;" },
        },
      ],
      /^360$/,
    ],
    [
      "code",
      [
        {
          tool: "run_api_code",
          input: { code: "const { data } = await api.sykkel.get('/bikes');\nreturn data.bikes.length;" },
        },
      ],
      /"data":360/,
    ],
  ];
  // One of them each time, all in the long run.
  it.each(doors.slice(0, isLongRun ? doors.length : 1))(
    "answers calls with %s",
    async (kind, calls, shape) => {
      const { entries } = await play(dist, folder.path, kind, "11", [...calls, { answer: "6" }]);
      expect(entries.at(-2).answer).toMatch(shape);
      expect(entries.at(-1)).toMatchObject({ task: 11, right: true, calls: calls.length });
    },
  );
});
