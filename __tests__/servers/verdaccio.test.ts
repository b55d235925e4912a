import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "@jest/globals";
import type { Credential } from "langchain-api-sources";
import { type TestedSource, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/secrets.js";
import { startVerdaccio } from "./support/servers.js";

const user = { username: "writer", password: makeSecret() };
const wrong = makeSecret();

const server = await startVerdaccio(user);
afterAll(() => server.stop());

function open(authType: string, credential: Credential): TestedSource {
  const record = { name: "Registry", api: { baseUrl: server.url, authType } };
  const options = { credentials: { registry: credential } };
  return testSource(record, options, [user.password, wrong, server.token]);
}

const tarball = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3, 4]);

/** What a package manager sends to publish one version. */
function publish(name: string) {
  const shasum = createHash("sha1").update(tarball).digest("hex");
  const file = `${name}-1.0.0.tgz`;
  const dist = { tarball: `${server.url}/${name}/-/${file}`, shasum };
  const data = tarball.toString("base64");
  const attachment = { content_type: "application/octet-stream", data, length: tarball.length };
  const versions = { "1.0.0": { name, version: "1.0.0", dist } };
  const tags = { "dist-tags": { latest: "1.0.0" } };
  const body = { _id: name, name, ...tags, versions, _attachments: { [file]: attachment } };
  return { method: "PUT", path: `/${name}`, body };
}

/** Asks the server without the package. */
const isPublished = (name: string): Promise<boolean> => fetch(`${server.url}/${name}`).then(({ ok }) => ok);

describe.each(["bearer", "basic"])("verdaccio by %s", (authType) => {
  const name = `paper-${authType}`;
  const right = (): TestedSource => open(authType, authType === "basic" ? user : { token: server.token });

  it("publishes once, reads, finds, and gives the file's digest", async () => {
    const registry = right();
    expect(await registry.call(publish(name))).toMatchObject({ status: 201, data: { success: true } });
    expect(await isPublished(name)).toBe(true);
    const again = await registry.call(publish(name));
    expect(again).toMatchObject({ status: 409, error: { category: "conflict", retryable: false } });
    const select = "versions.*.version";
    expect((await registry.call({ method: "GET", path: `/${name}`, select })).data).toEqual(["1.0.0"]);
    const query = { text: name, size: 5 };
    const found = await registry.call({ method: "GET", path: "/-/v1/search", query });
    expect(found.data).toMatchObject({ objects: [{ package: { name } }] });
    const file = await registry.call({ method: "GET", path: `/${name}/-/${name}-1.0.0.tgz` });
    expect(file.data).toMatchObject({ bytes: tarball.length });
    const { data } = await registry.call({ method: "GET", path: "/-/whoami" });
    expect(data).toMatchObject({ username: user.username });
  });

  it("distinguishes a name that can't be a package's from a package that isn't there", async () => {
    const broken = await right().call({ method: "PUT", path: "/broken", body: { a: 1 } });
    const invalid = { message: "bad incoming package data", category: "validation" };
    expect(broken).toMatchObject({ status: 422, error: invalid });
    for (const path of ["/absent", "/@private/absent", "/@private%2fabsent"]) {
      const { status, error } = await right().call({ method: "GET", path });
      expect([status, error?.category]).toEqual([404, "not_found"]);
      expect(error?.message).toBe("no such package available");
    }
  });

  it("reports that a wrong credential was not accepted, where the server does", async () => {
    const registry = open(authType, authType === "basic" ? { ...user, password: wrong } : { token: wrong });
    for (const input of [{ method: "GET", path: "/@private/absent" }, publish("refused")]) {
      const { status, error } = await registry.call(input);
      expect([status, error?.category, error?.retryable]).toEqual([401, "unauthorized", false]);
      expect(error?.message).toContain("authorization required");
    }
    expect(await isPublished("refused")).toBe(false);
  });
});

describe("verdaccio's limit", () => {
  const ask = (registry = open("bearer", { token: server.token })) =>
    registry.call({ method: "GET", path: `/-/user/org.couchdb.user:${user.username}` });

  it("is shown when it is nearly used up, reported when it is, and not run into again", async () => {
    const registry = open("bearer", { token: server.token });
    const first = await ask(registry);
    expect(first.artifact.rateLimit).toMatchObject({ limit: 3, remaining: 2 });
    expect(first.rateLimit).toBeUndefined();
    await ask(registry);
    const last = await ask(registry);
    const used = { limit: 3, remaining: 0, resetInSeconds: expect.any(Number) };
    expect(last).toMatchObject({ status: 200, rateLimit: used });
    const refused = await ask(registry);
    expect(refused.status).toBeUndefined();
    expect(refused.error).toMatchObject({ category: "rate_limited", retryable: true });
    expect(refused.error?.retryAfterSeconds).toEqual(expect.any(Number));
  });

  it("is a 429 with an HTML body to a client that did not know, with the time to come back", async () => {
    const { status, error, artifact } = await ask();
    expect([status, error?.category, error?.retryable]).toEqual([429, "rate_limited", true]);
    expect(artifact).toMatchObject({ attempts: 1, rateLimit: { limit: 3, remaining: 0 } });
    expect(error?.message).toContain("Too many requests");
    expect(error?.retryAfterSeconds).toBeGreaterThan(500);
    expect(error?.retryAfterSeconds).toBeLessThanOrEqual(600);
  });
});
