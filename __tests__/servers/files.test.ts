import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createSourceClient, type SourceClient } from "langchain-api-sources";
import { type Nginx, startNginx } from "./support/nginx.js";
import { makeSecret } from "./support/secrets.js";
import { startPouchDb } from "./support/servers.js";
import type { RunningServer } from "./support/start-server.js";

const secret = makeSecret();
const bytes = randomBytes(300_000);
const readFile = async (name: string) => (name === "leaf.bin" ? { bytes, name } : undefined);
const thread = { threadId: "files-on-servers" };

async function ask(
  client: SourceClient,
  request: { method: string; path: string; body?: unknown; headers?: unknown },
) {
  return JSON.parse((await client.call(request, thread)).content);
}

describe("WebDAV of nginx", () => {
  let server: Nginx;
  let client: SourceClient;
  beforeAll(async () => {
    const pair = { username: "reader", password: makeSecret() };
    server = await startNginx({ bearer: secret, header: secret, query: secret, basic: pair });
    const record = { name: "Files", api: { baseUrl: `${server.url}/bearer`, authType: "bearer" as const } };
    client = createSourceClient(record, { credentials: { files: { token: secret } }, readFile });
  });
  afterAll(() => server.stop());

  it("stores a file, gives it back, and takes a copy of it, byte for byte", async () => {
    expect(
      (await ask(client, { method: "PUT", path: "/kept/leaf.bin", body: { $file: "leaf.bin" } })).status,
    ).toBe(201);
    const { file } = await ask(client, { method: "GET", path: "/kept/leaf.bin" });
    expect(file).toMatchObject({ name: "leaf.bin", bytes: bytes.length });
    expect(
      (await ask(client, { method: "PUT", path: "/kept/copy.bin", body: { $file: file.id } })).status,
    ).toBe(201);
    const copy = await client.fetchBytes({ method: "GET", path: "/kept/copy.bin" });
    expect(Buffer.from(copy.bytes ?? []).equals(bytes)).toBe(true);
  });
});

describe("attachments of express-pouchdb, which speaks CouchDB's protocol", () => {
  let server: RunningServer;
  let client: SourceClient;
  beforeAll(async () => {
    server = await startPouchDb({ username: "keeper", password: secret });
    const record = { name: "Garden", api: { baseUrl: server.url, authType: "basic" as const } };
    client = createSourceClient(record, {
      credentials: { garden: { username: "keeper", password: secret } },
      readFile,
    });
  });
  afterAll(() => server.stop());

  it("go up with their type and come back byte for byte", async () => {
    await ask(client, { method: "PUT", path: "/plants" });
    const { data } = await ask(client, { method: "PUT", path: "/plants/fern", body: { height: 12 } });
    const stored = await ask(client, {
      method: "PUT",
      path: `/plants/fern/leaf.bin?rev=${data.rev}`,
      headers: { "Content-Type": "image/x-leaf" },
      body: { $file: "leaf.bin" },
    });
    expect(stored).toMatchObject({ status: 201, data: { ok: true } });
    const { file } = await ask(client, { method: "GET", path: "/plants/fern/leaf.bin" });
    expect(file).toMatchObject({ type: "image/x-leaf", bytes: bytes.length });
  });
});
