import { describe, expect, it } from "@jest/globals";
import type { ClientOptions } from "langchain-api-sources";
import { sendJson } from "../../support/http-server.js";
import type { TestOptions } from "../../support/seams.js";
import { type ShopTool, startShopTool } from "../../support/shop-tool.js";

const tokens = ["old-t0ken-4Kq9XmZw", "new-t0ken-7Rb2LcVy", "third-t0ken-1Ps8NdHj"];

let shop: ShopTool;

/** A provider whose token goes on to the next at each `onUnauthorized`; the API takes the one at `accepted`. */
async function start(
  accepted: number,
  options: TestOptions = {},
  api: { readonly expiredWhen?: string } = {},
): Promise<void> {
  let current = 0;
  const onUnauthorized = async (): Promise<void> => {
    await new Promise((later) => setTimeout(later, 20));
    current += 1;
  };
  shop = await startShopTool(
    (request, response) => {
      const isAccepted = request.headers.authorization === `Bearer ${tokens[accepted]}`;
      const refusal = api.expiredWhen === undefined ? 401 : 200;
      const code = isAccepted || refusal === 401 ? undefined : "token_expired";
      const body = { code, echo: request.headers.authorization, url: request.url };
      sendJson(response, body, isAccepted ? 200 : refusal);
    },
    { authType: "bearer", ...api },
    { credentials: { shop: { token: () => tokens[current] ?? "", onUnauthorized } }, ...options },
  );
}

describe("the credential before", () => {
  const rotated = (): (() => string) => {
    let count = 0;
    return () => tokens[count++ % tokens.length] ?? "";
  };
  const token = rotated();
  const given = rotated();
  const secret = rotated();
  it.each<[string, Record<string, unknown>, ClientOptions]>([
    ["a provider", { authType: "bearer" }, { credentials: { shop: { token } } }],
    ["a function", { authType: "bearer" }, { credentials: () => ({ token: given() }) }],
    ["a function of secrets", { headers: { "X-Key": `\${KEY}` } }, { secrets: secret }],
  ])("of %s is redacted when the API repeats it", async (_what, api, options) => {
    const seen: string[] = [];
    shop = await startShopTool(
      ({ headers }, response) => {
        seen.push(headers.authorization?.slice(7) ?? String(headers["x-key"]));
        sendJson(response, { seen });
      },
      api,
      options,
    );
    for (let calls = 1; calls <= tokens.length; calls += 1) {
      const { data } = await shop.ask({ method: "GET", path: "/" });
      expect(data.seen).toEqual(seen.map(() => "[REDACTED]"));
    }
    expect(new Set(seen)).toEqual(new Set(tokens));
  });
});

describe("a 401", () => {
  it.each(["GET", "POST"])(
    "has a %s sent once more with another token, which is redacted, too",
    async (method) => {
      await start(1);
      const answer = await shop.ask({
        method,
        path: "/",
        ...(method === "POST" ? { body: {} } : {}),
      });
      expect(answer).toMatchObject({
        status: 200,
        data: { echo: expect.stringContaining("[REDACTED]") },
      });
      expect(JSON.stringify(answer)).not.toContain("t0ken");
      expect(shop.server.requests).toHaveLength(2);
    },
  );

  it("has the other token redacted in the final text, too, wherever that comes from", async () => {
    const view = JSON.stringify([`summed up with ${tokens[1]}`]);
    const summarizer = { summarize: () => ({ view, omitted: [], try: [] }) };
    await start(1, { summarizer, maxTokens: 60 });
    const { data } = await shop.ask({ method: "GET", path: `/?long=${"x".repeat(900)}` });
    expect(data).toEqual(["summed up with [REDACTED]"]);
  });

  it("is the answer when the other token is not accepted either", async () => {
    await start(2);
    const answer = await shop.ask({ method: "GET", path: "/" });
    expect(answer.error.category).toBe("unauthorized");
    expect(shop.server.requests).toHaveLength(2);
  });
});

it("A provider that never answers holds no call after a minute", async () => {
  let nowMs = Date.now();
  let asked = 0;
  const onUnauthorized = (): Promise<void> => {
    asked += 1;
    return asked === 1 ? new Promise(() => {}) : Promise.resolve();
  };
  const token = (): string => (asked < 2 ? tokens[0] : tokens[1]) ?? "";
  await start(1, {
    credentials: { shop: { token, onUnauthorized } },
    clock: { now: () => nowMs },
  });
  const end = new AbortController();
  const first = shop.ask({ method: "GET", path: "/" }, { signal: end.signal }).catch(() => {});
  while (asked === 0) await new Promise((later) => setTimeout(later, 1));
  nowMs += 60_000;
  expect((await shop.ask({ method: "GET", path: "/" })).status).toBe(200);
  end.abort();
  await first;
});

describe("expiredWhen", () => {
  it.each([
    ["has a call sent once more with another token", "code == 'token_expired'", 2, 200, undefined],
    ["that is not true leaves the answer as it is", "code == 'other'", 1, 200, undefined],
    ["that can't be run leaves the answer as it is", "sum(code)", 1, 200, undefined],
  ])("%s", async (_what, expiredWhen, requests, status, category) => {
    await start(1, {}, { expiredWhen });
    const answer = await shop.ask({ method: "POST", path: "/", body: {} });
    expect([answer.status, answer.error?.category]).toEqual([status, category]);
    expect(shop.server.requests).toHaveLength(requests);
  });

  it("is the answer, of category unauthorized, when the other token is not accepted either", async () => {
    await start(2, {}, { expiredWhen: "code == 'token_expired'" });
    const answer = await shop.ask({ method: "GET", path: "/" });
    expect(answer).toMatchObject({
      status: 200,
      error: { category: "unauthorized", code: "token_expired" },
    });
    expect(shop.server.requests).toHaveLength(2);
  });
});
