import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { testConnection } from "../../src/connection/test-connection.js";
import type { ApiSettingsRecord } from "../../src/source/api-source.js";
import { runsOf } from "../support/long-run.js";
import { type RawServer, type RecordedRequest, startRawServer } from "../support/raw-server.js";

const run = promisify(execFile);

let server: RawServer;

beforeAll(async () => {
  server = await startRawServer();
});

afterAll(async () => {
  await server.close();
});

/** What both must have in common; a connection's own headers are curl's or Node's. */
function toComparable({ method, target, headers, body }: RecordedRequest): object {
  const { connection: _own, ...rest } = headers;
  return { method, target, headers: rest, body: body.toString("latin1") };
}

/** Runs the line of a test in a real shell and returns what the server got from the test and from the line. */
async function compare(
  api: Partial<ApiSettingsRecord>,
  env: Readonly<Record<string, string>>,
): Promise<{ curl: string; tested: RecordedRequest; pasted: RecordedRequest; warnings: readonly string[] }> {
  const from = server.requests.length;
  const settings = { baseUrl: `${server.url}/v1`, testEndpoint: "/user", ...api };
  const report = await testConnection(
    { name: "Shop", api: settings },
    { readEnvironment: (name) => env[name] },
  );
  const [tested] = server.requests.slice(from);
  const before = server.requests.length;
  const { curl = "", warnings } = report;
  await run("/bin/sh", ["-c", curl], { env: { PATH: process.env["PATH"] ?? "", ...env } });
  const [pasted] = server.requests.slice(before);
  if (tested === undefined || pasted === undefined)
    throw new Error(`nothing came: ${JSON.stringify(report)}`);
  return { curl, tested, pasted, warnings };
}

const nasty = `a'b"c $HOME \`id\` \\ !! #x; (y) & | < > * ? ~ [z] {w} %41`;

describe("the curl line of a report", () => {
  it.each([
    ["bearer", { authType: "bearer" }, { SHOP_TOKEN: "sk-4711-abcdef" }],
    ["a nasty token", { authType: "bearer" }, { SHOP_TOKEN: nasty }],
    ["another scheme", { authType: "bearer", authScheme: "Token" }, { SHOP_TOKEN: "sk-4711-abcdef" }],
    ["no scheme", { authType: "bearer", authScheme: "" }, { SHOP_TOKEN: "sk-4711-abcdef" }],
    ["a header", { authType: "header", headerName: "X-Api-Key" }, { SHOP_API_KEY: nasty }],
    ["basic", { authType: "basic" }, { SHOP_USERNAME: "some one", SHOP_PASSWORD: `${nasty}:ü€` }],
    [
      "basic without a password",
      { authType: "basic" },
      { SHOP_USERNAME: "sk-4711-abcdef", SHOP_PASSWORD: "" },
    ],
    [
      "basic in one variable",
      { authType: "basic", credentialEnv: "SHOP_PAIR" },
      { SHOP_PAIR: "someone:pa$$" },
    ],
    [
      "the query",
      { authType: "query", queryParam: "key", testEndpoint: "/user?a=1" },
      { SHOP_TOKEN: "sk-4711-abcdef" },
    ],
    ["the query alone", { authType: "query", queryParam: "key" }, { SHOP_TOKEN: "sk-4711-abcdef" }],
    ["no credential", {}, {}],
    [
      "constants",
      {
        headers: { "X-A": nasty, "X-Empty": "", Accept: "text/csv" },
        query: { "filter[a]": "x y'z", $top: "1" },
      },
      {},
    ],
    [
      "secrets",
      { headers: { "X-A": "a-${A}_b", "X-B": "${A}${B}" }, query: { s: "${A}", t: "pre-${A}-x" } },
      { A: "alpha-secret-1", B: 'b\'e "ta" $&+' },
    ],
    [
      "a secret in the path",
      { testEndpoint: "/{tenant}/user", variables: { tenant: "${A}" } },
      { A: "alpha-secret-1" },
    ],
    ["unicode", { testEndpoint: "/käse?q=größe&x=[1]{2}" }, {}],
  ] as const)("sends what the test sent: %s", async (_title, api, env) => {
    const { tested, pasted } = await compare(api, env);
    expect(toComparable(pasted)).toEqual(toComparable(tested));
  });

  it("says which secret has to be percent-encoded before the line is pasted", async () => {
    const { curl, warnings } = await compare(
      { authType: "query", queryParam: "key" },
      { SHOP_TOKEN: "a/b=c" },
    );
    expect(curl).toContain("/v1/user?key=$SHOP_TOKEN");
    expect(warnings).toContain(
      "The curl line has $SHOP_TOKEN in its URL: percent-encode the value before you paste the line.",
    );
  });

  it("is readable for a plain source", async () => {
    const { curl } = await compare({ authType: "bearer" }, { SHOP_TOKEN: "sk-4711-abcdef" });
    expect(curl).toBe(
      `curl -i --compressed -H "Authorization: Bearer $SHOP_TOKEN" -H 'Accept: application/json, */*;q=0.5' -H 'Accept-Encoding: gzip, deflate, br' -H 'User-Agent: langchain-api-sources/0.1.0' ${server.url}/v1/user`,
    );
  });

  it("puts the variable into the URL of a query credential", async () => {
    const { curl } = await compare(
      { authType: "query", queryParam: "key" },
      { SHOP_TOKEN: "sk-4711-abcdef" },
    );
    expect(curl.endsWith(`"${server.url}/v1/user?key=$SHOP_TOKEN"`)).toBe(true);
  });

  it("says what it leaves out", async () => {
    const network = { proxy: "http://user:${PROXY_PASSWORD}@127.0.0.1:9" };
    const api = {
      baseUrl: "http://api.invalid",
      testEndpoint: "/user",
      network,
      headers: { "X-A": "caf\u00e9" },
    };
    const report = await testConnection(
      { name: "Shop", api },
      { secrets: { PROXY_PASSWORD: "proxy-secret-1" } },
    );
    expect(report.warnings.join()).toMatch(/leaves out `api\.network\.proxy`: add --proxy/);
    expect(JSON.stringify(report)).not.toContain("proxy-secret-1");
  });

  it("sends what the test sent, whatever the values", async () => {
    const text = fc
      .string({
        unit: fc.constantFrom(..."ab1 '\"$`\\!&;|<>(){}[]*?~#%=+-_.,:/@^"),
        maxLength: 12,
      })
      .filter((value) => !value.includes("${"));
    // A secret that is not the same in a URL has to be encoded by hand: the test endpoint has none.
    const secret = fc.string({
      unit: fc.constantFrom(..."ab1'\"$`\\!&;|(){}[]*~#%=+_"),
      minLength: 8,
      maxLength: 14,
    });
    await fc.assert(
      fc.asyncProperty(
        text,
        text,
        secret,
        fc.constantFrom("bearer", "basic"),
        async (header, query, value, authType) => {
          const { tested, pasted } = await compare(
            {
              authType: authType as "bearer",
              headers: { "X-A": header.trim(), "X-S": `x\${S}y` },
              query: { q: query },
            },
            { S: value, SHOP_TOKEN: value, SHOP_USERNAME: "someone", SHOP_PASSWORD: value },
          );
          expect(toComparable(pasted)).toEqual(toComparable(tested));
        },
      ),
      { numRuns: runsOf(25) },
    );
  });
});
