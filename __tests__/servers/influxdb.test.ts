import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ClientOptions } from "../../src/client/client-options.js";
import { type TestedSource, testSource } from "./support/call-source.js";
import { startInfluxDb } from "./support/influxdb.js";
import { makeSecret, signJwt } from "./support/make-secret.js";
import type { RunningServer } from "./support/start-server.js";

const username = "operator";
const password = makeSecret();
const sharedSecret = makeSecret();
const wrong = makeSecret();
const inMinutes = (minutes: number): number => Math.floor(Date.now() / 1_000) + minutes * 60;
const token = signJwt({ username, exp: inMinutes(10) }, sharedSecret);
const oldToken = signJwt({ username, exp: inMinutes(-10) }, sharedSecret);
const secrets = [password, sharedSecret, wrong, token, oldToken];

let server: RunningServer;
beforeAll(async () => {
  server = await startInfluxDb({ username, password, sharedSecret });
  await ask("CREATE DATABASE plant");
  const lines = ["hall", "yard"].map(
    (room, index) => `temperature,room=${room} value=21.50 179524032812345678${index}`,
  );
  const written = await fetch(`${server.url}/write?db=plant`, {
    method: "POST",
    body: lines.join("\n"),
    headers,
  });
  expect(written.status).toBe(204);
});
afterAll(() => server.stop());

const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };

/** Asks the server without the package. */
async function ask(q: string): Promise<string> {
  const answer = await fetch(`${server.url}/query`, {
    method: "POST",
    body: new URLSearchParams({ q }),
    headers,
  });
  return answer.text();
}

function open(api: object, options: ClientOptions): TestedSource {
  return testSource({ name: "Metrics", api: { baseUrl: server.url, ...api } }, options, secrets);
}

const wrongUser = { username, password: wrong };
const modes = [
  {
    mode: "basic",
    api: { authType: "basic" },
    right: { credentials: { metrics: { username, password } } },
    wrong: { credentials: { metrics: wrongUser } },
    message: "authorization failed",
  },
  {
    mode: "query, with the user as a constant",
    api: { authType: "query", queryParam: "p", query: { u: username } },
    right: { credentials: { metrics: { token: password } } },
    wrong: { credentials: { metrics: { token: wrong } } },
    message: "authorization failed",
  },
  {
    mode: "query, with the user from a secret of its own",
    api: { authType: "query", queryParam: "p", query: { u: "${METRICS_USER}" } },
    right: { credentials: { metrics: { token: password } }, secrets: { METRICS_USER: username } },
    wrong: { credentials: { metrics: { token: wrong } }, secrets: { METRICS_USER: username } },
    message: "authorization failed",
  },
  {
    mode: "bearer, with a signed token",
    api: { authType: "bearer" },
    right: { credentials: { metrics: { token } } },
    wrong: { credentials: { metrics: { token: oldToken } } },
    message: "Token is expired",
  },
] as const;

describe.each(modes)("InfluxDB by $mode", ({ mode, api, right, wrong: wrongOptions, message }) => {
  const database = `made_${modes.findIndex((one) => one.mode === mode)}`;

  it("lists, reads and writes", async () => {
    const metrics = open(api, right);
    const select = "results[0].series[0].values[]";
    const listed = await metrics.call({
      method: "GET",
      path: "/query",
      query: { q: "SHOW DATABASES" },
      select,
    });
    expect(listed.data).toContain("plant");
    const query = { db: "plant", q: "SELECT value FROM temperature WHERE room = 'hall'" };
    const series = [
      { name: "temperature", columns: ["time", "value"], values: [[expect.any(String), 21.5]] },
    ];
    expect(await metrics.call({ method: "GET", path: "/query", query })).toMatchObject({
      status: 200,
      data: { results: [{ statement_id: 0, series }] },
    });
    const create = {
      method: "POST",
      path: "/query",
      query: [{ name: "q", value: `CREATE DATABASE ${database}` }],
    };
    expect((await metrics.call(create)).status).toBe(200);
    expect(await ask("SHOW DATABASES")).toContain(database);
  });

  it("reads an error that comes under 200, and one that doesn't", async () => {
    const metrics = open(api, right);
    const absent = await metrics.call({
      method: "GET",
      path: "/query",
      query: { db: "absent", q: "SELECT * FROM x" },
    });
    expect(absent).toMatchObject({
      status: 200,
      error: { message: "database not found: absent", category: "not_found", retryable: false },
    });
    const broken = await metrics.call({ method: "GET", path: "/query?db=plant&q=SELECT%20nonsense" });
    expect(broken).toMatchObject({
      status: 400,
      error: { category: "bad_request", message: expect.stringContaining("expected FROM") },
    });
  });

  it("says why a wrong credential was refused", async () => {
    const answer = await open(api, wrongOptions).call({ method: "GET", path: "/query?q=SHOW+DATABASES" });
    expect(answer).toMatchObject({
      status: 401,
      error: { message, category: "unauthorized", retryable: false },
    });
  });

  it("takes an agent through a list, a write, an error and a wrong credential", async () => {
    const [listed, dropped, failed] = await open(api, right).runAgent([
      { method: "GET", path: "/query", query: [{ name: "q", value: "SHOW DATABASES" }] },
      { method: "POST", path: "/query", query: { q: `DROP DATABASE ${database}` } },
      { method: "GET", path: "/query", query: "db=absent&q=SHOW+MEASUREMENTS;SELECT+*+FROM+x" },
    ]);
    expect(JSON.stringify(listed?.data)).toContain(database);
    expect(dropped?.status).toBe(200);
    expect(JSON.stringify(failed?.data)).toContain("database not found");
    expect(await ask("SHOW DATABASES")).not.toContain(database);
    const [refused] = await open(api, wrongOptions).runAgent([
      { method: "GET", path: "/query?q=SHOW+USERS" },
    ]);
    expect(refused?.error).toMatchObject({ category: "unauthorized", message });
  });
});

describe("InfluxDB", () => {
  const metrics = (api: object = {}): TestedSource =>
    open({ authType: "basic", ...api }, { credentials: { metrics: { username, password } } });

  it("gives times in nanoseconds with every digit", async () => {
    const query = { db: "plant", epoch: "ns", q: "SELECT value FROM temperature" };
    const answer = await metrics().call({ method: "GET", path: "/query", query });
    expect(answer.content).toContain("[1795240328123456780,21.5],[1795240328123456781,21.5]");
    const select = "results[0].series[0].values[*][0]";
    const times = await metrics().call({ method: "GET", path: "/query", query, select });
    expect(times.content).toContain("1795240328123456781");
  });

  it("reads several documents in one body", async () => {
    const query = { db: "plant", q: "SHOW MEASUREMENTS; SHOW TAG KEYS", chunked: true, chunk_size: 1 };
    const answer = await metrics().call({ method: "GET", path: "/query", query });
    expect(answer.data).toMatchObject([
      { results: [{ statement_id: 0, series: [{ name: "measurements" }] }] },
      { results: [{ statement_id: 1, series: [{ name: "temperature", values: [["room"]] }] }] },
    ]);
  });

  it("takes a form where the record says so", async () => {
    const body = { q: "CREATE DATABASE from_a_form" };
    const answer = await metrics({ bodyFormat: "form" }).call({ method: "POST", path: "/query", body });
    expect(answer.status).toBe(200);
    expect(await ask("SHOW DATABASES")).toContain("from_a_form");
  });

  it.each(["p", "u"])("keeps the model from setting its parameter %s", async (name) => {
    const api = { authType: "query", queryParam: "p", query: { u: username } };
    const source = open(api, { credentials: { metrics: { token: password } } });
    const answer = await source.call({ method: "GET", path: `/query?${name}=other&q=SHOW+USERS` });
    expect(answer.status).toBeUndefined();
    expect(answer.error).toMatchObject({
      category: "refused_by_policy",
      message: expect.stringContaining(`"${name}"`),
    });
  });

  it("says that a record without authType sends no credential", async () => {
    const answer = await open({}, {}).call({ method: "GET", path: "/query?q=SHOW+USERS" });
    expect(answer).toMatchObject({ status: 401, error: { category: "unauthorized" } });
    expect(answer.error?.hint).toContain('"authType": "basic"');
  });
});
