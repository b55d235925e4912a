import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { testConnection } from "../../src/connection/test-connection.js";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import type { AnswerDocument } from "../support/shop-tool.js";
import { makeSecret } from "./support/make-secret.js";
import { startPowerDns } from "./support/powerdns.js";
import type { RunningServer } from "./support/start-server.js";

const apiKey = makeSecret();
let server: RunningServer;
let directory: string;

beforeAll(async () => {
  server = await startPowerDns(apiKey);
  directory = await mkdtemp(join(tmpdir(), "powerdns-"));
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

/** The server's tools, with the description that it publishes itself. */
async function open(accept: string) {
  const published = await fetch(`${server.url}/api/docs`, {
    headers: { Accept: accept, "X-API-Key": apiKey },
  });
  const openapi = join(directory, `docs-${accept.replace(/\W/g, "-")}`);
  await writeFile(openapi, await published.text());
  const api = { baseUrl: `${server.url}/api/v1`, authType: "header", headerName: "X-API-Key", openapi };
  const record = { name: "DNS", api: { ...api, testEndpoint: "/servers/localhost" } };
  const credentials = { dns: { apiKey } };
  const tools = (await ApiSourceToolkit.fromSources([record], { credentials })).getTools();
  const ask = async (name: string, input: Record<string, unknown>): Promise<AnswerDocument> =>
    JSON.parse(String(await tools.find((tool) => tool.name === name)?.invoke(input as never)));
  return { ask, record, credentials };
}

describe("PowerDNS with the description that it publishes", () => {
  it.each(["application/json", "application/x-yaml"])(
    "in %s has a map, and zones are made, read and deleted by it",
    async (accept) => {
      const { ask } = await open(accept);
      const { data } = await ask("describe_api", { source: "dns" });
      expect(data.map).toContain("/servers");
      expect(data.map).toContain("/zones GET POST");
      const name = `${accept.includes("json") ? "json" : "yaml"}.example.org.`;
      const zone = { name, kind: "Native", nameservers: ["ns1.example.org."] };
      const made = await ask("dns", { method: "POST", path: "/servers/localhost/zones", body: zone });
      expect(made).toMatchObject({ status: 201, data: { id: name } });
      expect(await ask("dns", { method: "GET", path: `/servers/localhost/zones/${name}` })).toMatchObject({
        status: 200,
      });
      expect(await ask("dns", { method: "DELETE", path: `/servers/localhost/zones/${name}` })).toMatchObject({
        status: 204,
      });
    },
  );

  it("has mistakes answered before the server sees them", async () => {
    const { ask } = await open("application/json");
    const unsent = async (input: Record<string, unknown>): Promise<string> => {
      const { error, status } = await ask("dns", input);
      expect([error.code, status]).toEqual(["preflight", undefined]);
      return `${error.message} ${error.hint}`;
    };
    expect(await unsent({ method: "GET", path: "/servers/localhost/zone" })).toContain("/zones");
    expect(await unsent({ method: "DELETE", path: "/servers/localhost/zones" })).toContain("GET, POST");
    const zone = { name: "a.example.org.", kind: "Nativ", nameservers: [] };
    expect(await unsent({ method: "POST", path: "/servers/localhost/zones", body: zone })).toContain(
      '"Native"',
    );
  });

  it("passes the connection test", async () => {
    const { record, credentials } = await open("application/json");
    expect(await testConnection(record, { credentials })).toMatchObject({
      ok: true,
      credentialVerified: true,
    });
  });
});
