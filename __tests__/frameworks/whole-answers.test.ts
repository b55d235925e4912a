/** Whole answers that deepagents puts into a file, because they are large. */

import { expect, it } from "@jest/globals";
import { createDeepAgent } from "deepagents";
import { ApiSourceToolkit } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../support/http-server.js";
import { type ScriptedCall, scriptedSteps, toolTexts } from "./shop.js";

const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, note: `row ${id} `.repeat(10) }));

const api = await startHttpServer((_request, response) => sendJson(response, { items: rows }));

/** Requests the rows, then makes another call about the file that the answer names. */
async function readFile(toCall: (path: string) => ScriptedCall): Promise<string> {
  const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api: { baseUrl: api.url } }]);
  const model = scriptedSteps((last) => {
    if (last?.type !== "tool") return [{ name: "shop", args: { method: "GET", path: "/rows" } }];
    const [path] = last.name === "shop" ? (/\/large_tool_results\/[\w.]*\w/.exec(last.text) ?? []) : [];
    return path === undefined ? [] : [toCall(path)];
  });
  const agent = createDeepAgent({ model, tools: toolkit.getTools({ answers: "whole" }) });
  const [, text = ""] = toolTexts(await agent.invoke({ messages: [{ role: "user", content: "Read." }] }));
  return text;
}

it("a page of the file has whole rows", async () => {
  const page = await readFile((path) => ({
    name: "read_file",
    args: { file_path: path, offset: 2_001, limit: 2 },
  }));
  expect(page).toContain(JSON.stringify(rows[2_000]));
  expect(page).toContain(JSON.stringify(rows[2_001]));
  expect(page).not.toContain('"id":2002');
});

it("a search of the file gives the row alone", async () => {
  const found = await readFile((path) => ({ name: "grep", args: { pattern: '"id":2500,', path } }));
  expect(found).toContain(JSON.stringify(rows[2_500]));
  expect(found).not.toContain('"id":2501');
});
