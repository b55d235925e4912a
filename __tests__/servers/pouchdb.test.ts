import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type CallInput, type TestedSource, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/make-secret.js";
import { startPouchDb } from "./support/pouchdb.js";
import type { RunningServer } from "./support/start-server.js";

const username = "keeper";
const password = makeSecret();
const wrong = makeSecret();
const basic = Buffer.from(`${username}:${password}`).toString("base64");

let server: RunningServer;
beforeAll(async () => {
  server = await startPouchDb({ username, password });
});
afterAll(() => server.stop());

function open(secret: string): TestedSource {
  const record = { name: "Garden", api: { baseUrl: server.url, authType: "basic" } };
  return testSource(record, { credentials: { garden: { username, password: secret } } }, [
    password,
    wrong,
    basic,
  ]);
}

/** Asks the server without the package. */
async function readDocument(path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(server.url + path, { headers: { authorization: `Basic ${basic}` } });
  return (await answer.json()) as Record<string, unknown>;
}

describe("express-pouchdb by basic", () => {
  it("makes a database and a document, reads, lists, changes and deletes them", async () => {
    const garden = open(password);
    expect(await garden.call({ method: "PUT", path: "/plants" })).toMatchObject({
      status: 201,
      data: { ok: true },
    });
    expect((await garden.call({ method: "GET", path: "/_all_dbs" })).data).toContain("plants");
    const made = await garden.call({ method: "POST", path: "/plants", body: { _id: "fern", height: 12.5 } });
    expect(made).toMatchObject({ status: 201, data: { ok: true, id: "fern" } });
    const { rev } = made.data as { rev: string };
    const changed = await garden.call({
      method: "PUT",
      path: "/plants/fern",
      body: { _rev: rev, height: 13 },
    });
    expect(changed.status).toBe(201);
    expect(await readDocument("/plants/fern")).toMatchObject({ height: 13 });
    expect((await garden.call({ method: "DELETE", path: "/plants" })).status).toBe(200);
    expect(await readDocument("/plants/fern")).toMatchObject({ error: "not_found" });
  });

  it("reads JSON that comes as plain text", async () => {
    const headers = [{ name: "Accept", value: "text/plain" }];
    const answer = await open(password).call({ method: "GET", path: "/", headers });
    expect(answer.data).toMatchObject({ "express-pouchdb": "Welcome!" });
    expect(answer.contentType).toBeUndefined();
  });

  it("tells a conflict, a database that exists, and what is not there, in the server's own words", async () => {
    const garden = open(password);
    await garden.call({ method: "PUT", path: "/trees" });
    await garden.call({ method: "PUT", path: "/trees/oak", body: { age: 100 } });
    expect(await garden.call({ method: "PUT", path: "/trees/oak", body: { age: 101 } })).toMatchObject({
      status: 409,
      error: {
        message: "Document update conflict",
        code: "conflict",
        category: "conflict",
        retryable: false,
      },
    });
    expect(await readDocument("/trees/oak")).toMatchObject({ age: 100 });
    expect(await garden.call({ method: "PUT", path: "/trees" })).toMatchObject({
      status: 412,
      error: { code: "file_exists", category: "conflict" },
    });
    expect(await garden.call({ method: "GET", path: "/trees/elm" })).toMatchObject({
      status: 404,
      error: { message: "missing", code: "not_found", category: "not_found" },
    });
    expect(await garden.call({ method: "POST", path: "/trees/_find", body: {} })).toMatchObject({
      status: 400,
      error: { code: "bad_request", message: expect.stringContaining("selector") },
    });
  });

  it("leads through a list by next, and ends", async () => {
    const garden = open(password);
    await garden.call({ method: "PUT", path: "/seeds" });
    const docs = Array.from({ length: 12 }, (_, index) => ({
      _id: `seed-${String(index).padStart(2, "0")}`,
    }));
    await garden.call({ method: "POST", path: "/seeds/_bulk_docs", body: { docs } });
    const seen: string[] = [];
    let input: CallInput | undefined = { method: "GET", path: "/seeds/_all_docs?limit=5&skip=0" };
    let calls = 0;
    while (input !== undefined && calls < 10) {
      const { data, next } = await garden.call(input);
      seen.push(...(data as { rows: { id: string }[] }).rows.map(({ id }) => id));
      input = next;
      calls += 1;
    }
    expect(seen).toEqual(docs.map(({ _id }) => _id));
    expect(calls).toBe(3);
  });

  it("says that a wrong password was not accepted", async () => {
    const answer = await open(wrong).call({ method: "PUT", path: "/refused" });
    expect(answer).toMatchObject({
      status: 401,
      error: { message: "Name or password is incorrect.", code: "unauthorized", category: "unauthorized" },
    });
    expect(answer.error?.hint).toContain("GARDEN_USERNAME and GARDEN_PASSWORD");
    expect((await readDocument("/refused"))["error"]).toBe("not_found");
  });

  it("takes an agent through a database, a document, a conflict and a wrong password", async () => {
    const [made, stored, listed, conflict] = await open(password).runAgent([
      { method: "PUT", path: "/herbs" },
      { method: "PUT", path: "/herbs/mint", body: '{"pots":3}' },
      { method: "GET", path: "/herbs/_all_docs", query: { include_docs: true }, select: "rows[].doc.pots" },
      { method: "PUT", path: "/herbs/mint", body: { pots: 4 } },
    ]);
    expect([made?.status, stored?.status, listed?.data]).toEqual([201, 201, [3]]);
    expect(conflict?.error?.category).toBe("conflict");
    expect(await readDocument("/herbs/mint")).toMatchObject({ pots: 3 });
    const [refused] = await open(wrong).runAgent([{ method: "GET", path: "/herbs" }]);
    expect(refused?.error?.category).toBe("unauthorized");
  });
});
