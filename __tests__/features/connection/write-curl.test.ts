import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { testConnection } from "langchain-api-sources";
import type { ApiSettingsRecord } from "../../../src/core/record/api-source.js";
import { type RecordedRequest, startRawServer } from "../../support/raw-server.js";

const run = promisify(execFile);

const server = await startRawServer();

type Env = Readonly<Record<string, string>>;

/** What both must have in common; a connection's own headers are curl's or Node's. */
function toComparable({ method, target, headers, body }: RecordedRequest): object {
  const { connection: _own, ...rest } = headers;
  return { method, target, headers: rest, body: body.toString("latin1") };
}

/** Runs the line of a test in a real shell, and expects the server to get from it what it got from the test. */
async function compare(api: Partial<ApiSettingsRecord>, env: Env): Promise<string> {
  const from = server.requests.length;
  const settings = { baseUrl: `${server.url}/v1`, testEndpoint: "/user", ...api };
  const readEnvironment = (name: string): string | undefined => env[name];
  const { curl = "" } = await testConnection({ name: "Shop", api: settings }, {}, { readEnvironment });
  const before = server.requests.length;
  await run("/bin/sh", ["-c", curl], { env: { PATH: process.env["PATH"] ?? "", ...env } });
  const [tested, pasted] = [server.requests[from], server.requests[before]];
  if (tested === undefined || pasted === undefined) throw new Error(`nothing came from ${curl}`);
  expect(toComparable(pasted)).toEqual(toComparable(tested));
  return curl;
}

const nasty = `a'b"c $HOME \`id\` \\ !! #x; (y) & | < > * ? ~ [z] {w} %41`;
const plain = { SHOP_TOKEN: "sk-4711-abcdef" };
const inQuery = { authType: "query", queryParam: "key" } as const;

describe("the curl line of a report", () => {
  it.each<[string, Partial<ApiSettingsRecord>, Env]>([
    ["a nasty token", { authType: "bearer" }, { SHOP_TOKEN: nasty }],
    ["a header", { authType: "header", headerName: "X-Api-Key" }, { SHOP_API_KEY: nasty }],
    ["basic", { authType: "basic" }, { SHOP_USERNAME: "some one", SHOP_PASSWORD: `${nasty}:ü€` }],
    ["basic without a password", { authType: "basic" }, { SHOP_USERNAME: "sk-4711", SHOP_PASSWORD: "" }],
    ["basic in one variable", { authType: "basic", credentialEnv: "PAIR" }, { PAIR: "someone:pa$$" }],
    ["the query", { ...inQuery, testEndpoint: "/user?a=1" }, plain],
    [
      "constants",
      { headers: { "X-A": nasty, "X-Empty": "" }, query: { "filter[a]": "x y'z", $top: "1" } },
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
  ])("sends what the test sent: %s", async (_title, api, env) => {
    await compare(api, env);
  });

  it("is readable for a plain source", async () => {
    const headers =
      "-H 'Accept: application/json, */*;q=0.5' -H 'Accept-Encoding: gzip, deflate, br' -H 'User-Agent: langchain-api-sources/0.1.0'";
    const curl = await compare({ authType: "bearer" }, plain);
    expect(curl).toBe(
      `curl -i --compressed -g -H "Authorization: Bearer $SHOP_TOKEN" ${headers} ${server.url}/v1/user`,
    );
    expect(await compare(inQuery, plain)).toContain('--url-query "key=$SHOP_TOKEN"');
  });

  it("names the secret to percent-encode before the line is pasted", async () => {
    const api = { baseUrl: server.url, testEndpoint: "/user", query: { key: "${A}" } };
    const report = await testConnection({ name: "Shop", api }, {}, { readEnvironment: () => "a/b=c" });
    const warning = "The curl line has $A in its URL: percent-encode the value";
    expect(report.warnings.join()).toContain(warning);
  });

  it("names what it omits", async () => {
    const network = { proxy: "http://user:${PROXY_PASSWORD}@127.0.0.1:9" };
    const api = { baseUrl: "http://api.invalid", testEndpoint: "/user", network };
    const secrets = { PROXY_PASSWORD: "proxy-secret-1" };
    const report = await testConnection({ name: "Shop", api }, { secrets });
    expect(report.warnings.join()).toMatch(/leaves out `api\.network\.proxy`: add --proxy/);
    expect(JSON.stringify(report)).not.toContain("proxy-secret-1");
  });
});
