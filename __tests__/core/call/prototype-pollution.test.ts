import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createApiSourceTool } from "langchain-api-sources";
import { isLongRun } from "../../support/long-run.js";
import { answerWith, type RawServer, startRawServer } from "../../support/raw-server.js";

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
const names = `
  proxy baseURL baseUrl auth socketPath transport adapter transformResponse transformRequest params paramsSerializer
  lookup host hostname port path method headers data url httpAgent httpsAgent agent validateStatus responseType
  maxRedirects beforeRedirect createConnection localAddress insecureHTTPParser maxBodyLength withXSRFToken
  query body select credentials secrets authenticate interceptor httpVersion family env formSerializer
  allowedHeaders idempotencyHeader credentialHeader errorWhen token username password ca cert key
`
  .trim()
  .split(/\s+/);

/** One name after the other in the long run, all at once in the short one. */
it.each(isLongRun ? names.map((name) => [[name]]) : [[names]])(
  "a polluted Object.prototype changes nothing in the request: %s",
  async (polluted) => {
    const tool = createApiSourceTool(
      { name: "Shop", api: { baseUrl: `${api.url}/v1`, authType: "bearer", limits: { retries: 0 } } },
      { credentials: { shop: { token: "p0llut10n-Zq9LmX41vK" } } },
    );
    const send = async (): Promise<readonly string[]> => {
      const before = api.requests.length;
      for (const method of ["GET", "POST"]) await tool.invoke({ method, path: "/items" }).catch(() => {});
      return api.requests.slice(before).map(({ head, body }) => `${head}\n\n${body}`);
    };
    const { port } = evil;
    const host = { host: "127.0.0.1", hostname: "127.0.0.1", port, protocol: "http" };
    const values = [
      ...[evil.url, `127.0.0.1:${port}`, "evil", () => evil.url],
      { ...host, "X-Evil": "1", username: "a", password: "b" },
    ];
    const clean = await send();
    for (const value of values) {
      for (const name of polluted) Reflect.set(Object.prototype, name, value);
      const sent = await send().finally(() => {
        for (const name of polluted) Reflect.deleteProperty(Object.prototype, name);
      });
      expect(sent).toEqual(clean);
    }
    expect(evil.requests).toEqual([]);
  },
);
