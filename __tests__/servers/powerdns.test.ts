import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, testConnection } from "langchain-api-sources";
import type { AnswerDocument } from "../support/shop-tool.js";
import { type CallInput, type SourceAnswer, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/secrets.js";
import { startPowerDns } from "./support/servers.js";

const apiKey = makeSecret();
const auth = { authType: "header" as const, headerName: "X-API-Key" };
const credentials = { dns: { apiKey } };

const server = await startPowerDns(apiKey);
afterAll(() => server.stop());

function send(input: CallInput, base = "/api/v1/servers/localhost"): Promise<SourceAnswer> {
  const record = { name: "DNS", api: { baseUrl: server.url + base, ...auth } };
  return testSource(record, { credentials }, [apiKey]).call(input);
}

/** What stands in the server's own database. */
function readRecords(zone: string): string[] {
  const sql = `SELECT records.name || ' ' || records.type || ' ' || content FROM records JOIN domains ON domains.id = domain_id
    WHERE domains.name = '${zone}' AND records.type <> 'SOA' ORDER BY 1`;
  const database = `${server.directory}/zones.sqlite3`;
  const out = execFileSync("/usr/bin/sqlite3", [database, sql], { encoding: "utf8" });
  return out.split("\n").filter((line) => line !== "");
}

const zone = (name: string): object => ({ name, kind: "Native", nameservers: ["ns1.example.org."] });

describe("PowerDNS with its key in a header", () => {
  it("makes a zone, lists it, reads it, changes it and deletes it", async () => {
    const made = await send({ method: "POST", path: "/zones", body: zone("example.org.") });
    expect(made).toMatchObject({ status: 201, data: { id: "example.org.", kind: "Native" } });
    const listed = await send({ method: "GET", path: "/zones", select: "[].id" });
    expect(listed.data).toEqual(["example.org."]);
    const records = [{ content: "192.0.2.5", disabled: false }];
    const rrsets = [{ name: "www.example.org.", type: "A", ttl: 60, changetype: "REPLACE", records }];
    const changed = await send({ method: "PATCH", path: "/zones/example.org.", body: { rrsets } });
    expect(changed.content).toMatch(/^\{"status":204\b/);
    expect(readRecords("example.org")).toContain("www.example.org A 192.0.2.5");
    const select = "rrsets[?type=='A'].records[].content";
    const read = await send({ method: "GET", path: "/zones/example.org.", select });
    expect(read.data).toEqual(["192.0.2.5"]);
    expect((await send({ method: "DELETE", path: "/zones/example.org." })).status).toBe(204);
    expect(readRecords("example.org")).toEqual([]);
  });

  it("reports what is wrong with a zone in the server's words", async () => {
    const body = { name: "example.net", kind: "Native" };
    const { status, error } = await send({ method: "POST", path: "/zones", body });
    expect([status, error?.category, error?.retryable]).toEqual([422, "validation", false]);
    expect(error?.message).toBe("DNS Name 'example.net' is not canonical");
  });

  it("reports a zone that exists, one that doesn't, in JSON and as text, and a method that is not taken", async () => {
    const twice = { method: "POST", path: "/zones", body: zone("twice.example.") };
    await send(twice);
    const absent = { method: "GET", path: "/zones/nowhere.example." };
    const asText = { ...absent, headers: [{ name: "Accept", value: "text/plain" }] };
    const put = { method: "PUT", path: "/zones" };
    const errors = await Promise.all([twice, absent, asText, put].map((input) => send(input)));
    expect(errors.map(({ status, error }) => [status, error?.category, error?.message])).toEqual([
      [409, "conflict", "Conflict"],
      [404, "not_found", "Not Found"],
      [404, "not_found", "Not Found"],
      [405, "method_not_allowed", expect.any(String)],
    ]);
  });

  it("makes its own description of 80 kB small, and answers questions about the whole", async () => {
    const docs = { method: "GET", path: "/api/docs" };
    const { artifact, content, shortened } = await send(docs, "");
    expect(artifact.bytes).toBeGreaterThan(60_000);
    expect(content.length).toBeLessThan(25_000);
    expect(shortened?.try).not.toHaveLength(0);
    for (const select of shortened?.try ?? [])
      expect((await send({ ...docs, select }, "")).error).toBeUndefined();
    const select = 'paths."/servers/{server_id}/zones".post.operationId';
    expect((await send({ ...docs, select }, "")).data).toBe("createZone");
  });
});

describe("PowerDNS with the description that it publishes", () => {
  /** The server's tools, with the description that it publishes itself. */
  async function open(accept: string) {
    const headers = { Accept: accept, "X-API-Key": apiKey };
    const published = await fetch(`${server.url}/api/docs`, { headers });
    const openapi = join(server.directory, `docs-${accept.replace(/\W/g, "-")}`);
    await writeFile(openapi, await published.text());
    const api = {
      baseUrl: `${server.url}/api/v1`,
      ...auth,
      openapi,
      testEndpoint: "/servers/localhost",
    };
    const record = { name: "DNS", api };
    const tools = (await ApiSourceToolkit.fromSources([record], { credentials })).getTools();
    const ask = async (name: string, input: Record<string, unknown>): Promise<AnswerDocument> =>
      JSON.parse(String(await tools.find((tool) => tool.name === name)?.invoke(input as never)));
    return { ask, record };
  }

  it.each(["application/json", "application/x-yaml"])(
    "in %s has a map, and zones are made and deleted by it",
    async (accept) => {
      const { ask, record } = await open(accept);
      const { data } = await ask("describe_api", { source: "dns" });
      expect(data.map).toContain("/servers");
      expect(data.map).toContain("/zones GET POST");
      const path = "/servers/localhost/zones";
      const name = `${accept.includes("json") ? "json" : "yaml"}.example.org.`;
      const made = await ask("dns", { method: "POST", path, body: zone(name) });
      expect(made).toMatchObject({ status: 201, data: { id: name } });
      expect((await ask("dns", { method: "DELETE", path: `${path}/${name}` })).status).toBe(204);
      const report = await testConnection(record, { credentials });
      expect(report).toMatchObject({ ok: true, credentialVerified: true });
    },
  );
});
