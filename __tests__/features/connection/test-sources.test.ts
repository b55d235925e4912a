import { afterEach, describe, expect, it } from "@jest/globals";
import type { ApiSourceRecord } from "../../../src/core/record/api-source.js";
import { parseSource } from "../../../src/core/record/parse-source.js";
import { ApiSourceToolkit } from "../../../src/toolkit/api-source-toolkit.js";
import { createServices } from "../../../src/toolkit/client/create-services.js";
import { testSources } from "../../../src/toolkit/client/test-connection.js";
import { answerWith, type RawServer, startRawServer } from "../../support/raw-server.js";

let server: RawServer | undefined;

afterEach(async () => {
  await server?.close();
});

/** Answers all who wait as soon as `count` of them do, and notes how many waited at most. */
async function startGathering(count: number): Promise<{ url: string; most: () => number }> {
  const waiting: (() => void)[] = [];
  let most = 0;
  server = await startRawServer((request, socket) => {
    waiting.push(() => answerWith(socket, 200, JSON.stringify(request.target)));
    most = Math.max(most, waiting.length);
    // One too many would come in this time; a server that answers at once would never see it.
    if (waiting.length === count) {
      setTimeout(() => {
        for (const answer of waiting.splice(0)) answer();
      }, 25);
    }
  });
  return { url: server.url, most: () => most };
}

const record = (baseUrl: string, index: number): ApiSourceRecord => ({
  name: `Source ${index}`,
  api: { baseUrl, testEndpoint: `/items/${index}` },
});

describe("testSources", () => {
  it("tests fifty sources at once and keeps their order", async () => {
    const { url, most } = await startGathering(50);
    const toolkit = await ApiSourceToolkit.fromSources(
      Array.from({ length: 50 }, (_, index) => record(url, index)),
    );
    const reports = await toolkit.testConnections();
    expect(reports.map(({ source }) => source)).toEqual(
      Array.from({ length: 50 }, (_, index) => `source_${index}`),
    );
    expect(reports.every(({ ok }) => ok)).toBe(true);
    expect(most()).toBe(50);
  });

  it.each([
    [1, 1],
    [3, 3],
    [2.7, 2],
    [99, 6],
    [Number.POSITIVE_INFINITY, 6],
  ])("runs at most concurrency %p: %i", async (concurrency, expected) => {
    const { url, most } = await startGathering(expected);
    const sources = Array.from({ length: 6 }, (_, index) => parseSource(record(url, index)));
    const tests = testSources(sources, createServices(sources), { concurrency });
    expect((await tests).map(({ verdict }) => verdict)).toEqual(Array(6).fill("ok"));
    expect(most()).toBe(expected);
  });

  it("rejects with the reason of a caller who cancels", async () => {
    const controller = new AbortController();
    server = await startRawServer(() => controller.abort("enough"));
    const sources = [0, 1, 2].map((index) => parseSource(record(server?.url ?? "", index)));
    const tests = testSources(sources, createServices(sources), { signal: controller.signal });
    await expect(tests).rejects.toBe("enough");
  });

  it("does not blame the credential for a limit that holds without a credential", async () => {
    server = await startRawServer((request, socket) =>
      request.headers["authorization"] === undefined
        ? answerWith(socket, 401, "{}", {
            "X-RateLimit-Limit": "60",
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": "3000",
          })
        : answerWith(socket, 200, "{}"),
    );
    const api: ApiSourceRecord["api"] = { baseUrl: server.url, testEndpoint: "/user", authType: "bearer" };
    const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api }], {
      credentials: { shop: { token: "sk-canary-4f9a1c7be20d" } },
    });
    expect(await toolkit.testConnections()).toMatchObject([{ verdict: "ok", credentialVerified: true }]);
    const [tool] = toolkit.getTools();
    expect(await tool?.invoke({ method: "GET", path: "/user" })).toContain('"status":200');
  });
});
