import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createSourceClient } from "../../src/client/create-source-client.js";
import { testConnection } from "../../src/connection/test-connection.js";
import { runsOf } from "../support/long-run.js";
import { type RawServer, startRawServer } from "../support/raw-server.js";

let server: RawServer;

beforeAll(async () => {
  server = await startRawServer();
});

afterAll(async () => {
  await server.close();
});

const env: Readonly<Record<string, string>> = {
  SHOP_TOKEN: "sk-4711-abcdef/+=&",
  SHOP_USERNAME: "some one",
  SHOP_PASSWORD: "pä$$ word:1",
  SECOND: "second-secret-1",
  TENANT: "acme corp",
};

const segment = fc.constantFrom(
  "user",
  "käse",
  "a b",
  "%41",
  "x;y=1",
  "2024-01-01",
  "{tenant}",
  "a:b",
  "@me",
  "~x",
);
const value = fc.constantFrom(
  "1",
  "a b",
  "größe",
  "x&y=z",
  "${SECOND}",
  "pre-${SECOND}",
  "100%",
  "",
  "a+b",
  "'q'",
);
const headerValue = fc.constantFrom(
  "1",
  "application/vnd.x+json",
  "café",
  "${SECOND}",
  "a-${SECOND}-b",
  "",
  "2022-11-28",
);
const auth = fc.constantFrom(
  {},
  { authType: "bearer" },
  { authType: "bearer", authScheme: "Token" },
  { authType: "bearer", authScheme: "" },
  { authType: "header", headerName: "X-Api-Key" },
  { authType: "query", queryParam: "api_key" },
  { authType: "query", queryParam: "k[x]" },
  { authType: "basic" },
);

const settings = fc.record({
  base: fc.constantFrom("", "/", "/v1", "/v1/", "/api/{tenant}"),
  segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
  slash: fc.boolean(),
  own: fc.constantFrom("", "?", "?a=1", "?a=1&b=%20&c", "?q=größe"),
  auth,
  headers: fc.dictionary(
    fc.constantFrom("X-A", "accept", "User-Agent", "Accept-Language", "Prefer"),
    headerValue,
  ),
  query: fc.dictionary(fc.constantFrom("v", "filter[x]", "$top", "größe"), value),
  methods: fc.constantFrom<string[]>(["GET"], ["GET", "POST"]),
});

describe("the request of a connection test", () => {
  it("is the tool's, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(
        settings,
        async ({ base, segments, slash, own, auth: authentication, headers, query, methods }) => {
          const testEndpoint = `/${segments.join("/")}${slash ? "/" : ""}${own}`;
          const api = {
            baseUrl: `${server.url}${base}`,
            testEndpoint,
            headers,
            query,
            methods,
            variables: { tenant: "${TENANT}" },
            ...authentication,
          };
          const options = { readEnvironment: (name: string) => env[name] };
          const from = server.requests.length;
          const report = await testConnection({ name: "Shop", api }, options);
          const tested = server.requests[from];
          const before = server.requests.length;
          const path = testEndpoint.replaceAll("{tenant}", "acme%20corp");
          await createSourceClient({ name: "Shop", api }, options).call({ method: "GET", path });
          const called = server.requests[before];
          expect([report.verdict, tested?.head]).toEqual([expect.stringMatching(/ok$/), called?.head]);
          expect(tested?.body).toEqual(called?.body);
        },
      ),
      { numRuns: runsOf(40) },
    );
  }, 30_000);
});
