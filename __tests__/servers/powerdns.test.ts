import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type TestedSource, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/make-secret.js";
import { startPowerDns } from "./support/powerdns.js";
import type { RunningServer } from "./support/start-server.js";

const apiKey = makeSecret();
const wrongKey = makeSecret();

let server: RunningServer;
beforeAll(async () => {
  server = await startPowerDns(apiKey);
});
afterAll(() => server.stop());

function open(token: string, base = "/api/v1/servers/localhost"): TestedSource {
  const api = { baseUrl: server.url + base, authType: "header", headerName: "X-API-Key" };
  return testSource({ name: "DNS", api }, { credentials: { dns: { token } } }, [apiKey, wrongKey]);
}

/** What stands in the server's own database. */
function readRecords(zone: string): string[] {
  const sql = `SELECT records.name || ' ' || records.type || ' ' || content FROM records JOIN domains ON domains.id = domain_id
    WHERE domains.name = '${zone}' AND records.type <> 'SOA' ORDER BY 1`;
  const out = execFileSync("/usr/bin/sqlite3", [`${server.directory}/zones.sqlite3`, sql], {
    encoding: "utf8",
  });
  return out.split("\n").filter((line) => line !== "");
}

const zone = (name: string): object => ({ name, kind: "Native", nameservers: ["ns1.example.org."] });

describe("PowerDNS with its key in a header", () => {
  it("makes a zone, lists it, reads it, changes it and deletes it", async () => {
    const dns = open(apiKey);
    expect(await dns.call({ method: "POST", path: "/zones", body: zone("example.org.") })).toMatchObject({
      status: 201,
      data: { id: "example.org.", kind: "Native" },
    });
    const listed = await dns.call({ method: "GET", path: "/zones", select: "[].id" });
    expect(listed.data).toEqual(["example.org."]);
    const record = { content: "192.0.2.5", disabled: false };
    const rrset = { name: "www.example.org.", type: "A", ttl: 60, changetype: "REPLACE", records: [record] };
    const changed = await dns.call({
      method: "PATCH",
      path: "/zones/example.org.",
      body: { rrsets: [rrset] },
    });
    expect(changed.content).toBe('{"status":204}');
    expect(readRecords("example.org")).toEqual([
      "example.org NS ns1.example.org",
      "www.example.org A 192.0.2.5",
    ]);
    const select = "rrsets[?type=='A'].records[].content";
    expect((await dns.call({ method: "GET", path: "/zones/example.org.", select })).data).toEqual([
      "192.0.2.5",
    ]);
    expect((await dns.call({ method: "DELETE", path: "/zones/example.org." })).status).toBe(204);
    expect(readRecords("example.org")).toEqual([]);
  });

  it("tells what is wrong with a zone, and shows what was sent", async () => {
    const body = { name: "example.net", kind: "Native" };
    const answer = await open(apiKey).call({ method: "POST", path: "/zones", body });
    expect(answer).toMatchObject({
      status: 422,
      error: { message: "DNS Name 'example.net' is not canonical", category: "validation", retryable: false },
    });
    expect(answer.error?.hint).toContain(JSON.stringify(body));
  });

  it("tells a zone that exists, one that doesn't, and a method that is not taken", async () => {
    const dns = open(apiKey);
    await dns.call({ method: "POST", path: "/zones", body: zone("twice.example.") });
    const twice = await dns.call({ method: "POST", path: "/zones", body: zone("twice.example.") });
    expect(twice).toMatchObject({ status: 409, error: { message: "Conflict", category: "conflict" } });
    const absent = await dns.call({ method: "GET", path: "/zones/nowhere.example." });
    expect(absent).toMatchObject({ status: 404, error: { message: "Not Found", category: "not_found" } });
    const put = await dns.call({ method: "PUT", path: "/zones" });
    expect(put).toMatchObject({ status: 405, error: { category: "method_not_allowed" } });
  });

  it("reads an error that is plain text, too", async () => {
    const headers = [{ name: "Accept", value: "text/plain" }];
    const answer = await open(apiKey).call({ method: "GET", path: "/zones/nowhere.example.", headers });
    expect(answer).toMatchObject({ status: 404, contentType: "text/plain", error: { message: "Not Found" } });
  });

  it("says that a wrong key was not accepted, and by which header it is sent", async () => {
    const answer = await open(wrongKey).call({ method: "GET", path: "/zones" });
    expect(answer).toMatchObject({
      status: 401,
      error: { message: "Unauthorized", category: "unauthorized", retryable: false },
    });
    expect(answer.error?.hint).toContain("X-API-Key");
    expect(answer.error?.hint).toContain("DNS_TOKEN or DNS_API_KEY");
  });

  it("makes its own description of 80 kB small, and answers questions about the whole", async () => {
    const docs = open(apiKey, "");
    const whole = await docs.call({ method: "GET", path: "/api/docs" });
    expect(whole.artifact.bytes).toBeGreaterThan(60_000);
    expect(whole.content.length).toBeLessThan(25_000);
    expect(whole.shortened?.try).not.toHaveLength(0);
    for (const select of whole.shortened?.try ?? []) {
      expect((await docs.call({ method: "GET", path: "/api/docs", select })).error).toBeUndefined();
    }
    const select = 'paths."/servers/{server_id}/zones".post.operationId';
    expect((await docs.call({ method: "GET", path: "/api/docs", select })).data).toBe("createZone");
  });

  it("takes an agent through a zone, its list, an error and a wrong key", async () => {
    const [made, listed, refused] = await open(apiKey).runAgent([
      { method: "POST", path: "/zones", body: JSON.stringify(zone("agent.example.")) },
      { method: "GET", path: "/zones?zone=agent.example.", select: "[].name" },
      { method: "POST", path: "/zones", body: { kind: "Native" } },
    ]);
    expect(made?.status).toBe(201);
    expect(listed?.data).toEqual(["agent.example."]);
    expect(refused?.error).toMatchObject({
      category: "validation",
      message: expect.stringContaining("'name'"),
    });
    expect(readRecords("agent.example")).toHaveLength(1);
    const [unauthorized] = await open(wrongKey).runAgent([{ method: "GET", path: "/zones" }]);
    expect(unauthorized?.error?.category).toBe("unauthorized");
  });
});
