import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { BaseTracer, type Run } from "@langchain/core/tracers/base";
import { createAgent, fakeModel } from "langchain";
import { ApiSourceToolkit } from "langchain-api-sources";
import { type HttpServer, sendJson, startHttpServer } from "../support/http-server.js";

const secret = "9-tok-Kx81vQpL02";
const rows = Array.from({ length: 5_000 }, (_, id) => ({
  id,
  name: `Row ${id}`,
  note: `note ${"words ".repeat(30)} ${id}`,
}));
let api: HttpServer;

beforeAll(async () => {
  api = await startHttpServer(({ headers }, response) => {
    sendJson(response, { rows, echo: headers.authorization, end: "the very end of the body" });
  });
});
afterAll(() => api.close());

/** What LangSmith's tracer is: each run as it is sent, inputs and outputs included. */
class Traces extends BaseTracer {
  name = "traces";
  readonly runs: Run[] = [];
  protected override async persistRun(): Promise<void> {}
  override onToolEnd(run: Run): void {
    this.runs.push(run);
  }
}

it("shows a tracer of a call what the model sees, readable, and neither a secret nor the body", async () => {
  const traces = new Traces();
  const toolkit = await ApiSourceToolkit.fromSources(
    [{ name: "Shop", api: { baseUrl: api.url, authType: "bearer", headers: { "X-App": "${APP_KEY}" } } }],
    { credentials: { shop: { token: secret } }, secrets: { APP_KEY: `${secret}-2` } },
  );
  const args = { method: "POST", path: "/search", body: JSON.stringify({ q: "blue chairs" }) };
  const model = fakeModel()
    .respondWithTools([{ name: "shop", args, id: "call_1" }])
    .respond(new AIMessage("done"));
  const agent = createAgent({ model, tools: toolkit.getTools() });
  await agent.invoke({ messages: "Find chairs." }, { callbacks: [traces] });
  expect(traces.runs).toHaveLength(1);
  const [run] = traces.runs;
  expect(run?.name).toBe("shop");
  expect(run?.inputs).toEqual(args);
  const output = run?.outputs?.["output"];
  expect(JSON.parse(output.content)).toMatchObject({
    status: 200,
    shortened: { id: expect.stringMatching(/^r_/) },
  });
  expect(output.artifact).toMatchObject({ source: "shop", request: "POST /search", status: 200 });
  const text = JSON.stringify({ ...run, parent_run: undefined, child_runs: [] });
  expect(text).not.toContain(secret);
  expect(text).not.toContain("Row 4999");
  // The answer's budget of 2,000 tokens, and what a run is described by: the body has a million characters.
  expect(text.length).toBeLessThan(25_000);
  expect(run?.child_runs).toEqual([]);
});
