import { describe, expect, it } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createApiCodeTool } from "langchain-api-sources/code";
import { authTypes, canaries, makeCanaryToolkit, openEars } from "../../support/canary-toolkit.js";
import { encodeEverywhere } from "../../support/encode-everywhere.js";
import { createCanaryFinder } from "../../support/find-canary.js";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { openNode } from "../../support/one-node.js";
import { openCode } from "./open-code.js";

const finder = createCanaryFinder(Object.values(canaries));

// Whatever it is asked, it echoes every secret in every encoding.
const echo = Object.values(canaries).flatMap((secret) =>
  encodeEverywhere(secret).map(({ text }) => text),
);
const server = await startHttpServer((request, response) => {
  const status = request.url.includes("fail") ? 403 : 200;
  const headers = { Location: `/x?${echo[10]}` };
  sendJson(response, { message: echo.slice(0, 20).join(" "), echo }, status, headers);
});

/** Ways in which code may hand on what it got, some past every redaction of the final text. */
const ways: Record<string, string> = {
  "a result": "return data",
  "a reversed result": "return JSON.stringify(data).split('').reverse().join('')",
  "a log": "for (const each of data.echo) console.log(each)",
  "an error": "throw new Error(JSON.stringify(data).slice(0, 1500))",
  "an error of the API": "return (await api[NAME].get('/fail')).error",
  "a state": "state.all = data.echo.slice(0, 60); return Object.keys(state)",
  "a request":
    "return (await api[NAME].get('/again', { query: { q: JSON.stringify(data).slice(0, 500) } })).ok",
  headers: "return (await api[NAME].get('/x')).headers ?? null",
};

describe("a secret that an API echoes in every encoding", () => {
  it.each(Object.entries(ways))(
    "enters neither the sandbox nor any exit by %s",
    async (_name, way) => {
      const ears = openEars();
      const tool = createApiCodeTool(await makeCanaryToolkit(server.url, ears), {
        maxTokens: 100_000,
      });
      for (const authType of authTypes) {
        const code = `const NAME = ${JSON.stringify(authType)}; const { data } = await api[NAME].get("/echo");\n${way}`;
        const message = await tool.invoke({
          type: "tool_call",
          id: "c",
          name: "run_api_code",
          args: { code },
        });
        ears.hear("message", message);
        const { data } = JSON.parse(String(message.content));
        if (typeof data === "string") ears.hear("reversed", [...data].reverse().join(""));
      }
      expect(server.requests.length).toBeGreaterThan(0);
      for (const { exit, text } of ears.heard)
        expect([exit, finder.find(text)]).toEqual([exit, undefined]);
    },
  );
});

it.each(["name", "message", "line"])(
  "an error of code is shown where a secret is the word %s",
  async (token) => {
    const { run } = await openCode(
      { baseUrl: server.url, authType: "bearer" },
      {},
      { credentials: { shop: { token } } },
    );
    const { error } = await run(`throw new RangeError("no ${token} here")`);
    expect(error).toMatchObject({ category: "code_error", code: "RangeError" });
    expect(error.message).toMatch(/^RangeError: no \[REDACTED\] here, in /);
  },
);

describe("a secret in a run that stops for a person", () => {
  it("is in no question, no replay log and no checkpoint", async () => {
    const ears = openEars();
    const tool = createApiCodeTool(await makeCanaryToolkit(server.url, ears), {
      writes: "approve",
    });
    const code = `const { data } = await api.bearer.get("/echo"); return api.query.post("/x", { body: { all: data.echo.slice(0, 30) } })`;
    const saver = new MemorySaver();
    const run = openNode(new ToolNode([tool]), saver);
    const call = { name: "run_api_code", args: { code }, id: "c1", type: "tool_call" as const };
    const messages = [new AIMessage({ content: "", tool_calls: [call] })];
    const state = await run({ messages }, { thread_id: "t" });
    expect(state).toHaveProperty("__interrupt__");
    ears.hear("state", state);
    ears.hear(
      "checkpoints",
      JSON.stringify([saver.storage, saver.writes], (_key, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value,
      ),
    );
    expect(ears.heard.some(({ exit }) => exit === "store")).toBe(true);
    for (const { exit, text } of ears.heard)
      expect([exit, finder.find(text)]).toEqual([exit, undefined]);
  });
});
