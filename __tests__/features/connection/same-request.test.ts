import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createSourceClient, testConnection } from "langchain-api-sources";
import { runsOf } from "../../support/long-run.js";
import { startRawServer } from "../../support/raw-server.js";

const server = await startRawServer();

const env: Readonly<Record<string, string>> = {
  SHOP_TOKEN: "sk-4711-abcdef/+=&",
  SHOP_USERNAME: "some one",
  SHOP_PASSWORD: "pä$$ word:1",
  SECOND: "second-secret-1",
  TENANT: "acme corp",
};

const anyOf = (texts: string): fc.Arbitrary<string> => fc.constantFrom(...texts.split("|"));
const segment = anyOf("user|käse|a b|%41|x;y=1|2024-01-01|{tenant}|a:b|@me|~x");
const value = anyOf("1|a b|größe|x&y=z|${SECOND}|pre-${SECOND}|100%||a+b|'q'");
const headerValue = anyOf("1|application/vnd.x+json|café|${SECOND}|a-${SECOND}-b||2022-11-28");
const auth = fc.constantFrom(
  {},
  { authType: "bearer" },
  { authType: "bearer", authScheme: "Token" },
  { authType: "bearer", authScheme: "" },
  { authType: "header", headerName: "X-Api-Key" },
  { authType: "query", queryParam: "k[x]" },
  { authType: "basic" },
);
const settings = fc.record({
  base: anyOf("|/|/v1|/v1/|/api/{tenant}"),
  segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
  end: anyOf("|/"),
  own: anyOf("|?|?a=1|?a=1&b=%20&c|?q=größe"),
  auth,
  headers: fc.dictionary(anyOf("X-A|accept|User-Agent|Accept-Language|Prefer"), headerValue),
  query: fc.dictionary(anyOf("v|filter[x]|$top|größe"), value),
});

describe("the request of a connection test", () => {
  it("is the tool's, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(settings, async ({ base, segments, end, own, auth: credential, headers, query }) => {
        const testEndpoint = `/${segments.join("/")}${end}${own}`;
        const constants = { headers, query, variables: { tenant: "${TENANT}" } };
        const api = { baseUrl: `${server.url}${base}`, testEndpoint, ...constants, ...credential };
        const seams = { readEnvironment: (name: string) => env[name] };
        const from = server.requests.length;
        const report = await testConnection({ name: "Shop", api }, {}, seams);
        const tested = server.requests[from];
        const before = server.requests.length;
        const path = testEndpoint.replaceAll("{tenant}", "acme%20corp");
        await createSourceClient({ name: "Shop", api }, {}, seams).call({ method: "GET", path });
        const called = server.requests[before];
        expect([report.verdict, tested?.head]).toEqual([expect.stringMatching(/ok$/), called?.head]);
        expect(tested?.body).toEqual(called?.body);
      }),
      { numRuns: runsOf(100) },
    );
  }, 60_000);
});
