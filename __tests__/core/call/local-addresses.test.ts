import { lookup } from "node:dns/promises";
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ClientOptions, createApiSourceTool } from "langchain-api-sources";
import { type RawServer, startRawServer } from "../../support/raw-server.js";

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer();
});
afterAll(() => server.close());

async function ask(
  baseUrl: string,
  settings = {},
  { path = "/x", ...options }: ClientOptions & { readonly path?: string } = {},
): Promise<{ status?: number; error?: { category: string; code?: string; hint: string } }> {
  const record = { name: "Inside", api: { baseUrl, limits: { retries: 0 }, ...settings } };
  const tool = createApiSourceTool(record, options);
  return JSON.parse(String((await tool.invoke({ method: "GET", path })) as unknown));
}

describe("a base URL that names a local address is meant", () => {
  it.each(["127.0.0.1", "localhost", "LOCALHOST", "api.localhost", "127.1", "0x7f.1", "2130706433"])(
    "%s",
    async (host) => {
      const { status, error } = await ask(`http://${host}:${server.port}`);
      // A resolver that does not know names under localhost says so; none is refused.
      if (host.endsWith(".localhost") && error !== undefined) expect(error.category).toBe("dns");
      else expect(status).toBe(200);
    },
  );

  it("the machine's own single-label name", async () => {
    const name = hostname().split(".")[0] ?? "localhost";
    const isKnown = await lookup(name).then(
      () => true,
      () => false,
    );
    const { error } = await ask(`http://${name}:${server.port}`);
    expect(error?.category).not.toBe("refused_by_policy");
    if (!isKnown) expect(error?.category).toBe("dns");
  });
});

describe("a variable of the base URL names no other host", () => {
  const ends = ["/", "#", "?", ":80", "\\"].map((end) => `evil.example${end}`);
  const addresses = ["127.0.0.1:1", "[::1]"];
  const parts = ["a@evil.example", "%2f", "..", "", "a b", "a\nb", "a%00", "-a", "é/", ...addresses];

  it.each([...ends, ...parts])("%j", async (tenant) => {
    const before = server.requests.length;
    const { error } = await ask(
      `http://{tenant}.localhost:${server.port}/v1`,
      { variables: { tenant: "${TENANT}" } },
      { secrets: { TENANT: tenant } },
    );
    expect(error?.category).toBe("not_configured");
    expect(server.requests.length).toBe(before);
  });
});

describe("a host that is a variable as a whole", () => {
  it.each(["127.0.0.1", "169.254.169.254", "10.0.0.5", "LOCALHOST", "api.localhost", "metadata"])(
    "is not %s, unless the record allows local addresses",
    async (host) => {
      const before = server.requests.length;
      const call = (settings: object): ReturnType<typeof ask> =>
        ask(
          `http://{host}:${server.port}`,
          { variables: { host: "${HOST}" }, limits: { retries: 0, timeoutMs: 2_000 }, ...settings },
          { secrets: { HOST: host } },
        );
      expect((await call({})).error).toMatchObject({
        category: "not_configured",
        hint: expect.stringContaining("allowLocalAddresses"),
      });
      expect(server.requests.length).toBe(before);
      if (/^127|^local/i.test(host))
        expect((await call({ network: { allowLocalAddresses: true } })).error).toBeUndefined();
    },
  );
});
