import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createApiSourceTool } from "../../src/toolkit/create-api-source-tool.js";
import { isLongRun } from "../support/long-run.js";
import { answerWith, type RawServer, startRawServer } from "../support/raw-server.js";

let api: RawServer;
let evil: RawServer;

beforeAll(async () => {
  api = await startRawServer((_request, socket) =>
    answerWith(socket, 200, "{}", { "Content-Type": "application/json" }),
  );
  evil = await startRawServer();
});
afterAll(() => Promise.all([api.close(), evil.close()]));

/** What gadgets of HTTP clients have been, and what our own options and inputs are called. */
const names = [
  ..."proxy baseURL baseUrl auth socketPath transport adapter transformResponse transformRequest params paramsSerializer".split(
    " ",
  ),
  ..."lookup host hostname port path method headers data url httpAgent httpsAgent agent validateStatus responseType".split(
    " ",
  ),
  ..."maxRedirects beforeRedirect createConnection localAddress insecureHTTPParser maxBodyLength withXSRFToken".split(
    " ",
  ),
  ..."query body select credentials secrets authenticate interceptor httpVersion family env formSerializer".split(
    " ",
  ),
  ..."allowedHeaders idempotencyHeader credentialHeader errorWhen token username password ca cert key".split(
    " ",
  ),
];

/** One name after the other in the long run, all at once in the short one. */
const pollutions = isLongRun ? names.map((name) => [name]) : [names];

it.each(pollutions.map((polluted) => [polluted.join(", ")] as const))(
  "a polluted Object.prototype changes nothing in the request: %s",
  async (list) => {
    const tool = createApiSourceTool(
      { name: "Shop", api: { baseUrl: `${api.url}/v1`, authType: "bearer", limits: { retries: 0 } } },
      { credentials: { shop: { token: "p0llut10n-Zq9LmX41vK" } } },
    );
    const values: readonly unknown[] = [
      evil.url,
      `127.0.0.1:${evil.port}`,
      {
        host: "127.0.0.1",
        hostname: "127.0.0.1",
        port: evil.port,
        protocol: "http",
        "X-Evil": "1",
        username: "a",
        password: "b",
      },
      "evil",
      () => evil.url,
    ];
    const clean = await send(tool);
    (evil.requests as unknown[]).length = 0;
    for (const value of values) {
      let polluted: Awaited<ReturnType<typeof send>>;
      for (const name of list.split(", ")) Reflect.set(Object.prototype, name, value);
      try {
        polluted = await send(tool);
      } finally {
        for (const name of list.split(", ")) Reflect.deleteProperty(Object.prototype, name);
      }
      expect(polluted).toEqual(clean);
    }
    expect(evil.requests).toEqual([]);
  },
);

async function send(tool: ReturnType<typeof createApiSourceTool>): Promise<readonly string[]> {
  const before = api.requests.length;
  for (const input of [
    { method: "GET", path: "/items" },
    { method: "POST", path: "/items" },
  ]) {
    await tool.invoke(input).catch(() => {});
  }
  return api.requests.slice(before).map(({ head, body }) => `${head}\n\n${body}`);
}
