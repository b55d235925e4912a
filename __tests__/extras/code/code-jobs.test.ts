import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createApiCodeTool } from "../../../src/extras/code/create-api-code-tool.js";
import { ApiSourceToolkit } from "../../../src/toolkit/api-source-toolkit.js";
import { type HttpServer, sendJson, startHttpServer } from "../../support/http-server.js";

type Answer = ReturnType<typeof JSON.parse>;

let server: HttpServer;
/** How often the job is read before it is finished. */
let readsUntilDone = 0;
beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    if (request.method === "POST") {
      response.writeHead(202, { location: "/jobs/7", "content-type": "application/json" });
      return void response.end('{"status":"queued"}');
    }
    readsUntilDone -= 1;
    sendJson(response, { status: readsUntilDone < 0 ? "done" : "running" });
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  readsUntilDone = 3;
});

/** On a clock that only `sleep` advances. */
async function open() {
  let nowMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += ms;
  };
  const records = [{ name: "Shop", api: { baseUrl: server.url, limits: { retries: 0 } } }];
  const toolkit = await ApiSourceToolkit.fromSources(records, {}, { sleep, clock: { now: () => nowMs } });
  const tool = createApiCodeTool(toolkit, { writes: "allow", timeoutMs: 5_000 });
  return async (code: string): Promise<Answer> => JSON.parse(await tool.invoke({ code }));
}

describe("wait and until in code", () => {
  it("follow a job that a write started, within one call", async () => {
    const run = await open();
    const { data, calls } =
      await run(`const { ok, data, job } = await api.shop.post("/exports", { body: {}, wait: 60 });
      return [ok, data.status, job.path, job.polls]`);
    expect(data).toEqual([true, "done", "/jobs/7", 4]);
    expect(calls).toMatchObject({ used: 1, requests: 5 });
  });

  it("repeat a GET until its data fulfils the condition; the time does not count as the run's", async () => {
    const run = await open();
    const { data } = await run(
      `const before = Date.now(); const { data, job } = await api.shop.get("/jobs/7", { until: "status=='done'" }); return [data.status, job.polls, job.ms]`,
    );
    expect(data).toEqual(["done", 3, 7_000]);
  });

  it("are never shared: each call is made", async () => {
    const run = await open();
    const { calls } = await run(
      `const get = () => api.shop.get("/jobs/7", { wait: 1 }); await Promise.all([get(), get()])`,
    );
    expect(calls).toMatchObject({ used: 2, sent: 2 });
  });
});
