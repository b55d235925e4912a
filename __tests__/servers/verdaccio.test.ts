import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Credential } from "../../src/credentials/credential.js";
import { type TestedSource, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/make-secret.js";
import { startVerdaccio, type Verdaccio } from "./support/verdaccio.js";

const username = "writer";
const password = makeSecret();
const wrong = makeSecret();

let server: Verdaccio;
beforeAll(async () => {
  server = await startVerdaccio({ username, password });
});
afterAll(() => server.stop());

function open(authType: string, credential: Credential): TestedSource {
  const record = { name: "Registry", api: { baseUrl: server.url, authType } };
  return testSource(record, { credentials: { registry: credential } }, [password, wrong, server.token]);
}

const tarball = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3, 4]);

/** What a package manager sends to publish one version. */
function publication(name: string): object {
  const shasum = createHash("sha1").update(tarball).digest("hex");
  const file = `${name}-1.0.0.tgz`;
  const version = { name, version: "1.0.0", dist: { tarball: `${server.url}/${name}/-/${file}`, shasum } };
  const attachment = {
    content_type: "application/octet-stream",
    data: tarball.toString("base64"),
    length: tarball.length,
  };
  return {
    _id: name,
    name,
    "dist-tags": { latest: "1.0.0" },
    versions: { "1.0.0": version },
    _attachments: { [file]: attachment },
  };
}

/** Asks the server without the package. */
function isPublished(name: string): Promise<boolean> {
  return fetch(`${server.url}/${name}`).then(({ ok }) => ok);
}

const modes = [
  { authType: "bearer", right: () => ({ token: server.token }), wrong: { token: wrong } },
  { authType: "basic", right: () => ({ username, password }), wrong: { username, password: wrong } },
] as const;

describe.each(modes)("verdaccio by $authType", ({ authType, right, wrong: wrongCredential }) => {
  const name = `paper-${authType}`;

  it("publishes, reads, finds, and gives the file's digest", async () => {
    const registry = open(authType, right());
    const published = await registry.call({ method: "PUT", path: `/${name}`, body: publication(name) });
    expect(published).toMatchObject({ status: 201, data: { success: true } });
    expect(await isPublished(name)).toBe(true);
    const select = "versions.*.version";
    expect((await registry.call({ method: "GET", path: `/${name}`, select })).data).toEqual(["1.0.0"]);
    const found = await registry.call({
      method: "GET",
      path: "/-/v1/search",
      query: { text: name, size: 5 },
    });
    expect(found.data).toMatchObject({ objects: [{ package: { name } }] });
    const file = await registry.call({ method: "GET", path: `/${name}/-/${name}-1.0.0.tgz` });
    const sha256 = createHash("sha256").update(tarball).digest("hex");
    expect(file.data).toMatchObject({ bytes: tarball.length, sha256 });
  });

  it("knows who is asking", async () => {
    const answer = await open(authType, right()).call({ method: "GET", path: "/-/whoami" });
    expect(answer).toMatchObject({ status: 200, data: { username } });
  });

  it("tells a conflict, a package that is no package, and one that isn't there", async () => {
    const registry = open(authType, right());
    const again = await registry.call({ method: "PUT", path: `/${name}`, body: publication(name) });
    expect(again).toMatchObject({ status: 409, error: { category: "conflict", retryable: false } });
    const broken = await registry.call({ method: "PUT", path: "/broken", body: { a: 1 } });
    expect(broken).toMatchObject({
      status: 422,
      error: { message: "bad incoming package data", category: "validation" },
    });
    for (const path of ["/absent", "/@private/absent", "/@private%2fabsent"]) {
      const absent = await registry.call({ method: "GET", path });
      expect(absent).toMatchObject({
        status: 404,
        error: { message: "no such package available", category: "not_found" },
      });
    }
  });

  it("says that a wrong credential was not accepted, where the server says so", async () => {
    const registry = open(authType, wrongCredential);
    for (const input of [
      { method: "GET", path: "/@private/absent" },
      { method: "PUT", path: "/refused", body: publication("refused") },
    ]) {
      const answer = await registry.call(input);
      expect(answer).toMatchObject({ status: 401, error: { category: "unauthorized", retryable: false } });
      expect(answer.error?.message).toContain("authorization required");
    }
    expect(await isPublished("refused")).toBe(false);
    // This server shrugs where nothing is protected.
    expect(await registry.call({ method: "GET", path: "/-/whoami" })).toMatchObject({
      status: 200,
      data: {},
    });
  });

  it("takes an agent through a publication, a search, a conflict and a wrong credential", async () => {
    const made = `agent-${authType}`;
    const publish = { method: "PUT", path: `/${made}`, body: publication(made) };
    const [published, found, again] = await open(authType, right()).runAgent([
      publish,
      { method: "GET", path: `/-/v1/search?text=${made}`, select: "objects[].package.name" },
      publish,
    ]);
    expect(published?.status).toBe(201);
    expect(found?.data).toContain(made);
    expect(again?.error?.category).toBe("conflict");
    expect(await isPublished(made)).toBe(true);
    const [refused] = await open(authType, wrongCredential).runAgent([
      { method: "GET", path: "/@private/absent" },
    ]);
    expect(refused?.error?.category).toBe("unauthorized");
  });
});

describe("verdaccio's limit", () => {
  const user = { method: "GET", path: `/-/user/org.couchdb.user:${username}` };

  it("is shown when it is nearly used up, told when it is, and not run into again", async () => {
    const registry = open("bearer", { token: server.token });
    const first = await registry.call(user);
    expect(first.artifact.rateLimit).toMatchObject({
      limit: 3,
      remaining: 2,
      resetInSeconds: expect.any(Number),
    });
    expect(first.rateLimit).toBeUndefined();
    await registry.call(user);
    const last = await registry.call(user);
    expect(last).toMatchObject({
      status: 200,
      rateLimit: { limit: 3, remaining: 0, resetInSeconds: expect.any(Number) },
    });
    const refused = await registry.call(user);
    expect(refused.status).toBeUndefined();
    expect(refused.error).toMatchObject({
      category: "rate_limited",
      retryable: true,
      retryAfterSeconds: expect.any(Number),
    });
  });

  it("is a 429 with an HTML body to whoever did not know, with the time to come back", async () => {
    const answer = await open("bearer", { token: server.token }).call(user);
    expect(answer).toMatchObject({
      status: 429,
      error: {
        category: "rate_limited",
        retryable: true,
        message: expect.stringContaining("Too many requests"),
      },
      rateLimit: { limit: 3, remaining: 0 },
      artifact: { attempts: 1, rateLimit: { limit: 3, remaining: 0 } },
    });
    expect(answer.error?.retryAfterSeconds).toBeGreaterThan(500);
    expect(answer.error?.retryAfterSeconds).toBeLessThanOrEqual(600);
  });
});
