import { afterAll, describe, expect, it } from "@jest/globals";
import { type CallInput, type SourceAnswer, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/secrets.js";
import { startPouchDb } from "./support/servers.js";

const username = "keeper";
const password = makeSecret();
const basic = Buffer.from(`${username}:${password}`).toString("base64");

const server = await startPouchDb({ username, password });
afterAll(() => server.stop());

function send(input: CallInput): Promise<SourceAnswer> {
  const record = { name: "Garden", api: { baseUrl: server.url, authType: "basic" } };
  const options = { credentials: { garden: { username, password } } };
  return testSource(record, options, [password, basic]).call(input);
}

const put = (path: string, body?: object) => send({ method: "PUT", path, ...(body && { body }) });

/** Asks the server without the package. */
async function readDocument(path: string): Promise<unknown> {
  const answer = await fetch(server.url + path, { headers: { authorization: `Basic ${basic}` } });
  return answer.json();
}

describe("express-pouchdb by basic", () => {
  it("makes a database and a document, lists, changes and deletes them", async () => {
    expect((await put("/plants")).status).toBe(201);
    expect((await send({ method: "GET", path: "/_all_dbs" })).data).toContain("plants");
    const made = await send({ method: "POST", path: "/plants", body: { _id: "fern", height: 12.5 } });
    expect(made).toMatchObject({ status: 201, data: { ok: true, id: "fern" } });
    const { rev: _rev } = made.data as { rev: string };
    expect((await put("/plants/fern", { _rev, height: 13 })).status).toBe(201);
    expect(await readDocument("/plants/fern")).toMatchObject({ height: 13 });
    expect((await send({ method: "DELETE", path: "/plants" })).status).toBe(200);
    expect(await readDocument("/plants/fern")).toMatchObject({ error: "not_found" });
  });

  it("reads JSON that comes as plain text", async () => {
    const headers = [{ name: "Accept", value: "text/plain" }];
    const answer = await send({ method: "GET", path: "/", headers });
    expect(answer.data).toMatchObject({ "express-pouchdb": "Welcome!" });
    expect(answer.contentType).toBeUndefined();
  });

  it("reports a conflict, a database that exists, and what is not there, in the server's own words", async () => {
    await put("/trees");
    await put("/trees/oak", { age: 100 });
    const { status, error } = await put("/trees/oak", { age: 101 });
    const conflict = { message: "Document update conflict", code: "conflict", category: "conflict" };
    expect([status, error]).toEqual([409, expect.objectContaining({ ...conflict, retryable: false })]);
    expect(await readDocument("/trees/oak")).toMatchObject({ age: 100 });
    const exists = { code: "file_exists", category: "conflict" };
    expect(await put("/trees")).toMatchObject({ status: 412, error: exists });
    const missing = { message: "missing", code: "not_found", category: "not_found" };
    const elm = await send({ method: "GET", path: "/trees/elm" });
    expect(elm).toMatchObject({ status: 404, error: missing });
    const found = await send({ method: "POST", path: "/trees/_find", body: {} });
    const selector = { code: "bad_request", message: expect.stringContaining("selector") };
    expect(found).toMatchObject({ status: 400, error: selector });
  });

  it("leads through a list by next, and ends", async () => {
    await put("/seeds");
    const docs = Array.from({ length: 12 }, (_, index) => ({ _id: `seed-${10 + index}` }));
    await send({ method: "POST", path: "/seeds/_bulk_docs", body: { docs } });
    const seen: string[] = [];
    let input: CallInput | undefined = { method: "GET", path: "/seeds/_all_docs?limit=5&skip=0" };
    let calls = 0;
    for (; input !== undefined && calls < 10; calls += 1) {
      const { data, next } = await send(input);
      seen.push(...(data as { rows: { id: string }[] }).rows.map(({ id }) => id));
      input = next;
    }
    expect([calls, seen]).toEqual([3, docs.map(({ _id }) => _id)]);
  });
});
