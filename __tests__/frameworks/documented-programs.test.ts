/** The programs of docs/frameworks.md, as they are but for the API, the model and the folder of records. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { transformSync } from "@swc/core";
import { MockLanguageModelV4 } from "ai/test";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { openTestFolder } from "../support/test-folder.js";
import { scripted } from "./shop.js";

const programs = resolve(".cache/frameworks/src");
const call = { method: "GET", path: "/user/repos" };
const answered = '{"status":200,"data":[{"id":1,"open_issues":3}]}';

const records = openTestFolder();
const api = await startHttpServer((_request, response) =>
  sendJson(response, [{ id: 1, open_issues: 3 }]),
);
const openai = await startHttpServer(({ body }, response) => {
  const last = JSON.parse(body).messages.at(-1);
  const calls = [
    { id: "1", type: "function", function: { name: "github", arguments: JSON.stringify(call) } },
  ];
  const message =
    last.role === "tool"
      ? { role: "assistant", content: last.content }
      : { role: "assistant", content: null, tool_calls: calls };
  sendJson(response, { id: "1", choices: [{ index: 0, message, finish_reason: "stop" }] });
});

beforeAll(async () => {
  await records.write("github.json", {
    name: "GitHub",
    api: { baseUrl: api.url, authType: "bearer" },
  });
  mkdirSync(join(programs, "run"), { recursive: true });
  const env = { GITHUB_TOKEN: "0-token", OPENAI_API_KEY: "0-key", OPENAI_BASE_URL: openai.url };
  Object.assign(process.env, env);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Calls the tool, then says what the tool answered. */
function scriptedForAiSdk(): MockLanguageModelV4 {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }: { prompt: { role: string; content: unknown }[] }) => {
      const last = prompt.at(-1);
      const isAnswered = last?.role === "tool";
      const content = isAnswered
        ? [{ type: "text", text: JSON.stringify(last.content) }]
        : [{ type: "tool-call", toolCallId: "1", toolName: "github", input: JSON.stringify(call) }];
      const finishReason = { unified: isAnswered ? "stop" : "tool-calls", raw: undefined };
      return { content, finishReason, usage, warnings: [] } as never;
    },
  } as never);
}

async function runProgram(name: string, model?: unknown): Promise<string> {
  const text = readFileSync(join(programs, "docs", `${name}.ts`), "utf8")
    .replaceAll("https://api.github.com", api.url)
    .replaceAll("./sources", records.path)
    .replaceAll(/"openai[:/]gpt-5-mini"/g, "(globalThis as never)['scriptedModel']");
  const file = join(programs, "run", `${name}.mjs`);
  const { code } = transformSync(text, {
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "es6" },
  });
  writeFileSync(file, code);
  Object.assign(globalThis, { scriptedModel: model });
  const printed: string[] = [];
  jest.spyOn(console, "log").mockImplementation((...words) => {
    printed.push(words.join(" "));
  });
  await import(file);
  return printed.join("\n");
}

describe("a source as a tool of another framework", () => {
  it.each([
    ["ai-sdk", scriptedForAiSdk],
    ["openai-sdk", () => undefined],
    ["mastra", scriptedForAiSdk],
  ])("is called by %s, and its answer reaches the model", async (name, openModel) => {
    const printed = await runProgram(name, openModel());
    expect(api.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ["/user/repos", "Bearer 0-token"],
    ]);
    expect(printed.replaceAll("\\", "")).toContain(answered);
  });
});

describe("the recipes for LangChain", () => {
  it("give an interpreter whole answers", async () => {
    const code =
      'const { data } = JSON.parse(await tools.github({ method: "GET", path: "/user/repos" })); data.length';
    expect(await runProgram("interpreter", scripted("eval", { code }))).toBe("done");
    expect(api.requests.map(({ url }) => url)).toEqual(["/user/repos"]);
  });

  it("make a retry middleware", async () => {
    expect(await runProgram("retry")).toContain("toolRetry");
  });
});
