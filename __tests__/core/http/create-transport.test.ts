import { readFile } from "node:fs/promises";
import { inspect } from "node:util";
import { beforeEach, describe, expect, it } from "@jest/globals";
import axios from "axios";
import { explainFailure } from "../../../src/core/failure/explain-failure.js";
import { packageVersion } from "../../../src/core/http/wire.js";
import { answerWith, type RawServer, startRawServer } from "../../support/raw-server.js";
import {
  canary,
  createTestTransport,
  type TestCall,
  type TestTransport,
} from "../../support/test-transport.js";

let api: RawServer;
let transport: TestTransport;

beforeEach(async () => {
  api = await startRawServer((request, socket) => {
    const status = Number(request.headers["x-answer"] ?? 200);
    answerWith(socket, status, '{"a":1}', {
      "Content-Type": "application/json",
      "X-Two": "1\r\nX-Two: 2",
    });
  });
  transport = createTestTransport(`${api.url}/v1`);
});

const authenticate: TestCall["authenticate"] = (config) => {
  config.headers.set("Authorization", `Bearer ${canary}`, true);
  config.url = `${config.url}?key=${canary}`;
  return config;
};

describe("a transport", () => {
  it("sends nothing but the default headers, and returns status, headers and bytes", async () => {
    const exchange = await transport.send({ path: "/things?q=a%20b" });
    expect(api.requests[0]?.head.split("\r\n")).toEqual([
      "GET /v1/things?q=a%20b HTTP/1.1",
      "Accept: application/json, */*;q=0.5",
      "Accept-Encoding: gzip, deflate, br",
      `User-Agent: langchain-api-sources/${packageVersion}`,
      `Host: 127.0.0.1:${api.port}`,
      "Connection: keep-alive",
    ]);
    expect(exchange).toMatchObject({
      status: 200,
      headers: { "content-type": "application/json", "x-two": ["1", "2"] },
      url: `${api.url}/v1/things?q=a%20b`,
      attempts: 1,
    });
    expect(Buffer.from(exchange.body).toString()).toBe('{"a":1}');
    expect(exchange.failure).toBeUndefined();
    expect(packageVersion).toBe(JSON.parse(await readFile("package.json", "utf8")).version);
  });

  it("sends body and headers as they are given, in place of the defaults", async () => {
    const body = Buffer.from('{"n":19.90,"é":"\\u2028"}');
    const headers = {
      "content-type": "application/json",
      accept: "text/csv",
      "USER-AGENT": "mine",
    };
    await transport.send({ method: "POST", body, headers });
    expect(api.requests[0]?.body.equals(body)).toBe(true);
    const length = { "content-length": String(body.length) };
    expect(api.requests[0]?.headers).toMatchObject({
      accept: "text/csv",
      "user-agent": "mine",
      ...length,
    });
    expect(api.requests[0]?.headers["content-type"]).toBe("application/json");
  });

  it("takes nothing from axios.defaults, which belong to the application", async () => {
    axios.defaults.headers.common["X-Application"] = "leak";
    axios.defaults.params = { leak: 1 };
    try {
      await transport.send({ path: "/things" });
    } finally {
      delete axios.defaults.headers.common["X-Application"];
      delete axios.defaults.params;
    }
    expect(api.requests[0]?.target).toBe("/v1/things");
    expect(api.requests[0]?.headers).not.toHaveProperty("x-application");
  });

  it("reuses a connection for GET and gives each POST its own", async () => {
    for (const method of ["GET", "GET", "POST", "POST", "GET"] as const)
      await transport.send({ method });
    expect(api.requests.map(({ connection }) => connection)).toEqual([0, 0, 1, 2, 0]);
  });

  it("keeps the connections of a hundred GETs at once for the next hundred", async () => {
    const sendMany = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 100 }, () => transport.send({})));
    await sendMany();
    await sendMany();
    expect(api.connections.opened).toBeLessThanOrEqual(100);
  });

  it("refuses a URL of another origin before anything is sent", async () => {
    const evil = await startRawServer();
    const error = await transport.refuse({ url: `${evil.url}/v1/x` });
    expect(error).toMatchObject({ category: "refused_by_policy" });
    expect(evil.connections.opened).toBe(0);
  });

  it("finishes the calls under way after close, and leaves no connection open", async () => {
    const calls = [transport.send({}), transport.send({})];
    transport.close();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    while (api.connections.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

describe("a secret", () => {
  it("is on the request and on nothing that comes back, whatever the depth it is inspected to", async () => {
    const exchange = await transport.send({}, { authenticate });
    expect(api.requests[0]?.headers.authorization).toBe(`Bearer ${canary}`);
    await api.close();
    const error = await transport.fail(
      { path: `/${canary}`, headers: { "X-Second": canary } },
      { authenticate },
    );
    expect(error).toMatchObject({ kind: "connection", code: "ECONNREFUSED" });
    const all = [exchange, error, explainFailure(error, "https://api.example.com")];
    expect(inspect(all, { depth: 20, showHidden: true })).not.toContain(canary);
  });

  it("is in nothing that is kept of a foreign error that an interceptor throws", async () => {
    const fail = (): never => {
      throw new Error(canary);
    };
    const error = await transport.fail({}, { authenticate: fail });
    expect(inspect(error, { showHidden: true })).not.toContain(canary);
    expect(error).toMatchObject({ kind: "connection", attempts: 0 });
  });
});
