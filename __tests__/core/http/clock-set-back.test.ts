/** What lasts for a span lasts no longer when the system's clock is set back. */

import { expect, it } from "@jest/globals";
import { ApiSourceToolkit } from "langchain-api-sources";
import { sendJson, startHttpServer } from "../../support/http-server.js";
import { noSleep } from "../../support/seams.js";

const twoHoursMs = 7_200_000;
const server = await startHttpServer(({ url }, response) => {
  if (state.fails === undefined) return sendJson(response, { access_token: "t-1", ok: true });
  const isAsked = !state.fails.startsWith("/") || url === state.fails;
  const status = isAsked ? (state.fails === "500" ? 500 : 429) : 200;
  sendJson(response, { error: "busy" }, status, status === 429 ? { "retry-after": "2" } : {});
});
const state: { fails: string | undefined } = { fails: undefined };
const limits = { retries: 0 };
const oauth2 = {
  grant: "client_credentials" as const,
  tokenUrl: `${server.url}/token`,
  clientId: "c",
  clientSecret: "${CSEC}",
};

it.each([
  { what: "the API", fails: "429", times: 1, afterMs: 2_500, api: {} },
  {
    what: "the token server",
    fails: "/token",
    times: 1,
    afterMs: 2_500,
    api: { authType: "bearer" as const, oauth2 },
  },
  { what: "a call that failed three times", fails: "500", times: 3, afterMs: 31_000, api: {} },
])("a wait for $what ends in its time", async ({ fails, times, afterMs, api }) => {
  let dateMs = Date.now();
  let spanMs = 1_000;
  const record = { name: "A", api: { baseUrl: server.url, limits, ...api } };
  const seams = {
    clock: { now: () => dateMs },
    stopwatch: { now: () => spanMs },
    sleep: noSleep,
  };
  const options = { secrets: async () => "a-client-secret" };
  const toolkit = await ApiSourceToolkit.fromSources([record], options, seams);
  const [tool] = toolkit.getTools();
  const call = async () => {
    const context = { configurable: { thread_id: "t" } };
    return JSON.parse(String(await tool?.invoke({ method: "GET", path: "/x" }, context)));
  };
  state.fails = fails;
  for (let time = 0; time < times; time += 1) expect(await call()).toHaveProperty("error");
  state.fails = undefined;
  expect((await call()).error).toMatchObject({ retryAfterSeconds: expect.any(Number) });
  dateMs -= twoHoursMs;
  spanMs += afterMs;
  expect(await call()).toMatchObject({ status: 200 });
});
