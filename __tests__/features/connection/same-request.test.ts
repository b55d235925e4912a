import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type ConnectionReport, createSourceClient, testConnection } from "langchain-api-sources";
import type { ApiFields } from "../../../src/core/record/record-types.js";
import { runsOf } from "../../support/long-run.js";
import { type RecordedRequest, startRawServer } from "../../support/raw-server.js";

const run = promisify(execFile);
const server = await startRawServer();

const nasty = `a'b"c $HOME \`id\` \\ !! #x; (y) & | < > * ? ~ [z] {w} %41`;
const env: Readonly<Record<string, string>> = {
  SHOP_TOKEN: nasty,
  SHOP_USERNAME: "some one",
  SHOP_PASSWORD: `${nasty}:ü€`,
  PAIR: "someone:pa$$",
  LONE: "sk-4711:",
  SECOND: "second-secret-1",
  THIRD: 'b\'e "ta" $&+',
  TENANT: "acme corp",
};
const seams = { readEnvironment: (name: string) => env[name] };

const anyOf = (texts: string): fc.Arbitrary<string> => fc.constantFrom(...texts.split("|"));
const segment = anyOf("user|käse|a b|%41|x;y=1|2024-01-01|{tenant}|a:b|@me|~x");
const value = anyOf("1|a b|größe|x&y=z|${SECOND}|pre-${SECOND}|100%||a+b|'q'");
const headerValue = fc.oneof(
  anyOf("1|application/vnd.x+json|café|${SECOND}|a-${THIRD}_b|${SECOND}${THIRD}||2022-11-28"),
  fc.constant(nasty),
);
const auths: readonly Partial<ApiFields>[] = [
  {},
  { authType: "bearer" },
  { authType: "bearer", authScheme: "Token" },
  { authType: "bearer", authScheme: "" },
  { authType: "header", headerName: "X-Api-Key" },
  { authType: "query", queryParam: "k[x]" },
  { authType: "basic" },
  { authType: "basic", credentialEnv: "PAIR" },
  { authType: "basic", credentialEnv: "LONE" },
];
/** One for each way to send a credential: what may go wrong in a shell, in each place. */
const examples = auths.map((auth) => ({
  ...{ base: "/v1", segments: ["käse"], end: "", own: "?q=größe&x=[1]{2}", auth },
  headers: { "X-A": nasty, "X-B": "a-${THIRD}_b", "X-Empty": "" },
  query: { "filter[a]": "x y'z", $top: "1" },
}));
const settings = fc.record({
  base: anyOf("|/|/v1|/v1/|/api/{tenant}"),
  segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
  end: anyOf("|/"),
  own: anyOf("|?|?a=1|?a=1&b=%20&c|?q=größe&x=[1]{2}"),
  auth: fc.constantFrom(...auths),
  headers: fc.dictionary(anyOf("X-A|accept|User-Agent|Accept-Language|Prefer"), headerValue),
  query: fc.dictionary(anyOf("v|filter[x]|$top|größe"), value),
});

/** Runs the line of a report in a real shell. @returns what the server received. */
async function paste({ curl = "" }: ConnectionReport): Promise<object[]> {
  const from = server.requests.length;
  await run("/bin/sh", ["-c", curl], { env: { PATH: process.env["PATH"] ?? "", ...env } });
  return server.requests.slice(from).map(toComparable);
}

/** A connection's own headers are curl's or Node's, and curl has a spelling of its own for a parameter that it encodes. */
function toComparable({ method, target, headers, body }: RecordedRequest): object {
  const { connection: _own, ...rest } = headers;
  const decoded = decodeURIComponent(target.replaceAll("+", "%20"));
  return { method, target: decoded, headers: rest, body: body.toString("latin1") };
}

describe("the request of a connection test", () => {
  it("is the tool's, byte for byte, and what the curl line of the report sends", async () => {
    let pasted = 0;
    await fc.assert(
      fc.asyncProperty(
        settings,
        async ({ base, segments, end, own, auth: credential, headers, query }) => {
          const testEndpoint = `/${segments.join("/")}${end}${own}`;
          const hasTenant = `${base}${testEndpoint}`.includes("{tenant}");
          const variables: Record<string, string> = hasTenant ? { tenant: "${TENANT}" } : {};
          const constants = { headers, query, variables };
          const api = {
            baseUrl: `${server.url}${base}`,
            testEndpoint,
            ...constants,
            ...credential,
          };
          const from = server.requests.length;
          const report = await testConnection({ name: "Shop", api }, {}, seams);
          const tested = server.requests[from];
          const before = server.requests.length;
          const path = testEndpoint.replaceAll("{tenant}", "acme%20corp");
          await createSourceClient({ name: "Shop", api }, {}, seams).call({ method: "GET", path });
          const called = server.requests[before];
          expect([report.verdict, tested?.head]).toEqual([
            expect.stringMatching(/ok$/),
            called?.head,
          ]);
          expect(tested?.body).toEqual(called?.body);
          // A shell has the letters of a header in UTF-8, and a secret in a URL is not encoded.
          const isOther =
            /[^ -~]/.test(Object.values(headers).join()) || report.warnings.length > 0;
          if (tested === undefined || isOther) return;
          expect(await paste(report)).toEqual([toComparable(tested)]);
          pasted += 1;
        },
      ),
      { numRuns: runsOf(200), examples: examples.map((each): [typeof each] => [each]) },
    );
    expect(pasted).toBeGreaterThanOrEqual(auths.length);
  });
});

describe("the curl line of a report", () => {
  const test = (api: object, options?: object) =>
    testConnection(
      { name: "Shop", api: { baseUrl: `${server.url}/v1`, testEndpoint: "/user", ...api } },
      options,
      seams,
    );

  it("is readable for a plain source", async () => {
    const headers =
      "-H 'Accept: application/json, */*;q=0.5' -H 'Accept-Encoding: gzip, deflate, br' -H 'User-Agent: langchain-api-sources/0.1.0'";
    expect((await test({ authType: "bearer" })).curl).toBe(
      `curl -i --compressed -g -H "Authorization: Bearer $SHOP_TOKEN" ${headers} ${server.url}/v1/user`,
    );
    const { curl } = await test({ authType: "query", queryParam: "key" });
    expect(curl).toContain('--url-query "key=$SHOP_TOKEN"');
  });

  it("has a secret in its URL by its variable, and names it: its value is to be percent-encoded", async () => {
    const query = { s: "${SECOND}", t: "pre-${SECOND}-x" };
    const report = await test({
      testEndpoint: "/{id}/user",
      variables: { id: "${SECOND}" },
      query,
    });
    expect(report.warnings.join()).toContain(
      "The curl line has $SECOND in its URL: percent-encode the value",
    );
    const [tested] = server.requests.map(toComparable);
    expect(await paste(report)).toEqual([tested]);
  });

  it("names what it omits", async () => {
    const network = { proxy: "http://user:${PROXY_PASSWORD}@127.0.0.1:9" };
    const secrets = { PROXY_PASSWORD: "proxy-secret-1" };
    const report = await test({ baseUrl: "http://api.invalid", network }, { secrets });
    expect(report.warnings.join()).toMatch(/leaves out `api\.network\.proxy`: add --proxy/);
    expect(JSON.stringify(report)).not.toContain("proxy-secret-1");
  });
});
