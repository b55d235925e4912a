import { describe, expect, it } from "@jest/globals";
import { type ApiSourceRecord, ApiSourceToolkit } from "langchain-api-sources";
import { answerWith, startRawServer } from "../../support/raw-server.js";

/** Answers all who wait as soon as `count` of them do, and notes how many waited at most. */
async function startGathering(count: number): Promise<{ url: string; most: () => number }> {
  const waiting: (() => void)[] = [];
  let most = 0;
  const server = await startRawServer((request, socket) => {
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

describe("testConnections", () => {
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

  it("rejects with the reason of a caller who cancels", async () => {
    const controller = new AbortController();
    const server = await startRawServer(() => controller.abort("enough"));
    const records = [0, 1, 2].map((index) => record(server.url, index));
    const toolkit = await ApiSourceToolkit.fromSources(records);
    await expect(toolkit.testConnections({ signal: controller.signal })).rejects.toBe("enough");
  });

  it("does not blame the credential for a limit that holds without a credential", async () => {
    const server = await startRawServer((request, socket) =>
      request.headers["authorization"] === undefined
        ? answerWith(socket, 401, "{}", {
            "X-RateLimit-Limit": "60",
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": "3000",
          })
        : answerWith(socket, 200, "{}"),
    );
    const api: ApiSourceRecord["api"] = {
      baseUrl: server.url,
      testEndpoint: "/user",
      authType: "bearer",
    };
    const toolkit = await ApiSourceToolkit.fromSources([{ name: "Shop", api }], {
      credentials: { shop: { token: "sk-canary-4f9a1c7be20d" } },
    });
    expect(await toolkit.testConnections()).toMatchObject([
      { verdict: "ok", credentialVerified: true },
    ]);
    const [tool] = toolkit.getTools();
    expect(await tool?.invoke({ method: "GET", path: "/user" })).toContain('"status":200');
  });
});
