import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type TestedSource, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/secrets.js";
import { startInfluxDb } from "./support/servers.js";

const username = "operator";
const password = makeSecret();
const sharedSecret = makeSecret();
const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };

const server = await startInfluxDb({ username, password, sharedSecret });
beforeAll(async () => {
  await ask("CREATE DATABASE plant");
  const lines = ["hall", "yard"].map(
    (room, index) => `temperature,room=${room} value=21.50 179524032812345678${index}`,
  );
  const init = { method: "POST", body: lines.join("\n"), headers };
  expect((await fetch(`${server.url}/write?db=plant`, init)).status).toBe(204);
});
afterAll(() => server.stop());

/** Asks the server without the package. */
async function ask(q: string): Promise<string> {
  const init = { method: "POST", body: new URLSearchParams({ q }), headers };
  return (await fetch(`${server.url}/query`, init)).text();
}

function open(api: object = {}): TestedSource {
  const byPassword = { authType: "query", queryParam: "p", query: { u: username } };
  const settings = { baseUrl: server.url, ...("authType" in api ? api : { ...byPassword, ...api }) };
  const credentials = { metrics: "authType" in api ? { username, password } : { token: password } };
  const options = { credentials, secrets: { METRICS_USER: username } };
  return testSource({ name: "Metrics", api: settings }, options, [password, sharedSecret]);
}

const get = (query: object, more: object = {}) => ({ method: "GET", path: "/query", query, ...more });

describe("InfluxDB", () => {
  it.each<[string, object]>([
    ["basic", { authType: "basic" }],
    ["a password in the query, and the user as a constant", {}],
    ["a password in the query, and the user from a secret of its own", { query: { u: "${METRICS_USER}" } }],
  ])("lists, reads and writes by %s", async (mode, api) => {
    const metrics = open(api);
    const select = "results[0].series[0].values[]";
    expect((await metrics.call(get({ q: "SHOW DATABASES" }, { select }))).data).toContain("plant");
    const q = "SELECT value FROM temperature WHERE room = 'hall'";
    const columns = ["time", "value"];
    const series = [{ name: "temperature", columns, values: [[expect.any(String), 21.5]] }];
    const read = { status: 200, data: { results: [{ statement_id: 0, series }] } };
    expect(await metrics.call(get({ db: "plant", q }))).toMatchObject(read);
    const database = `made_${mode.length}`;
    const query = [{ name: "q", value: `CREATE DATABASE ${database}` }];
    expect((await metrics.call({ method: "POST", path: "/query", query })).status).toBe(200);
    expect(await ask("SHOW DATABASES")).toContain(database);
  });

  it("has errors under 200, and others", async () => {
    const absent = await open().call(get({ db: "absent", q: "SELECT * FROM x" }));
    const error = { message: "database not found: absent", category: "bad_request", retryable: false };
    expect(absent).toMatchObject({ status: 200, error });
    const broken = await open().call(get({ db: "plant", q: "SELECT nonsense" }));
    expect(broken).toMatchObject({ status: 400, error: { category: "bad_request" } });
    expect(broken.error?.message).toContain("expected FROM");
  });

  it("gives times in nanoseconds with every digit", async () => {
    const query = { db: "plant", epoch: "ns", q: "SELECT value FROM temperature" };
    const answer = await open().call(get(query));
    expect(answer.content).toContain("[1795240328123456780,21.5],[1795240328123456781,21.5]");
    const times = await open().call(get(query, { select: "results[0].series[0].values[*][0]" }));
    expect(times.content).toContain("1795240328123456781");
  });

  it("reads several documents in one body", async () => {
    const q = "SHOW MEASUREMENTS; SHOW TAG KEYS";
    const answer = await open().call(get({ db: "plant", q, chunked: true, chunk_size: 1 }));
    expect(answer.data).toMatchObject([
      { results: [{ statement_id: 0, series: [{ name: "measurements" }] }] },
      { results: [{ statement_id: 1, series: [{ name: "temperature", values: [["room"]] }] }] },
    ]);
  });

  it("takes a form where the record asks for it", async () => {
    const body = { q: "CREATE DATABASE from_a_form" };
    const answer = await open({ bodyFormat: "form" }).call({ method: "POST", path: "/query", body });
    expect(answer.status).toBe(200);
    expect(await ask("SHOW DATABASES")).toContain("from_a_form");
  });

  it.each(["p", "u"])("has its parameter %s set by the record alone", async (name) => {
    const answer = await open().call({ method: "GET", path: `/query?${name}=other&q=SHOW+USERS` });
    expect([answer.status, answer.error?.category]).toEqual([undefined, "refused_by_policy"]);
    expect(answer.error?.message).toContain(`"${name}"`);
  });

  it("has its scheme named where a record sends no credential", async () => {
    const record = { name: "Metrics", api: { baseUrl: server.url } };
    const { status, error } = await testSource(record, {}, []).call(get({ q: "SHOW USERS" }));
    expect([status, error?.category]).toEqual([401, "unauthorized"]);
    expect(error?.hint).toContain('"authType": "basic"');
  });
});
