/** Every way in on seven servers, by a call and by the connection test; and what else a connection test may meet on them. */

import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ApiSourceToolkit, type ConnectionReport, type Credential } from "langchain-api-sources";
import { withSeams } from "../support/seams.js";
import { asRecords } from "../support/unchecked.js";
import { checkConnection, testSource } from "./support/call-source.js";
import { startNginx } from "./support/nginx.js";
import { findSecret, makeSecret, signJwt } from "./support/secrets.js";
import {
  startHttpbin,
  startInfluxDb,
  startJsonServer,
  startPouchDb,
  startPowerDns,
  startVerdaccio,
  type TokenServer,
} from "./support/servers.js";
import type { RunningServer } from "./support/start-server.js";

const secret = makeSecret();
const wrong = makeSecret();
const sharedSecret = makeSecret();
const username = "reader";
const nowSeconds = Math.floor(Date.now() / 1_000);
const jwt = signJwt({ username, exp: nowSeconds + 600 }, sharedSecret);
const oldJwt = signJwt({ username, exp: nowSeconds - 600 }, sharedSecret);
const inBase64 = Buffer.from(`${username}:${secret}`).toString("base64");

interface Servers {
  readonly nginx: RunningServer;
  readonly powerdns: RunningServer;
  readonly influxdb: RunningServer;
  readonly verdaccio: TokenServer;
  readonly pouchdb: RunningServer;
  readonly json: TokenServer;
  readonly httpbin: RunningServer;
}

let servers: Servers;
beforeAll(async () => {
  const user = { username, password: secret };
  const [nginx, powerdns, influxdb, verdaccio, pouchdb, json, httpbin] = await Promise.all([
    startNginx({ bearer: secret, header: secret, query: secret, basic: user }),
    startPowerDns(secret),
    startInfluxDb({ ...user, sharedSecret }),
    startVerdaccio(user),
    startPouchDb(user),
    startJsonServer({ email: "reader@shop.example", password: secret }),
    startHttpbin(),
  ]);
  servers = { nginx, powerdns, influxdb, verdaccio, pouchdb, json, httpbin };
});
afterAll(() => Promise.all(Object.values(servers).map((server: RunningServer) => server.stop())));

const bearer = { authType: "bearer" };
const header = { authType: "header", headerName: "X-API-Key" };
const query = { authType: "query", queryParam: "api_key" };
const basic = { authType: "basic" };
const byPassword = { authType: "query", queryParam: "p", query: { u: username } };

/** Which server, and what follows its URL in `api.baseUrl`; a path; how the credential is sent; and the credential. */
type Case = readonly [
  at: keyof Servers | readonly [keyof Servers, string],
  path: string,
  auth?: object | undefined,
  credential?: Credential | (() => Credential) | undefined,
];

const right: Credential = { token: secret };
const rightPair: Credential = { username, password: secret };
const wrongToken: Credential = { token: wrong };
const wrongPair: Credential = { username, password: wrong };
const jsonToken = (): Credential => ({ token: servers.json.token });
const verdaccioToken = (): Credential => ({ token: servers.verdaccio.token });
const dns = ["powerdns", "/api/v1/servers/localhost"] as const;
const databases = "/query?q=SHOW+DATABASES";

function allSecrets(): string[] {
  return [secret, wrong, sharedSecret, jwt, oldJwt, inBase64, servers.verdaccio.token, servers.json.token];
}

function toRecord([at, testEndpoint, auth = {}]: Case): { name: string; api: object } {
  const [server, base] = typeof at === "string" ? [at, ""] : at;
  const baseUrl = servers[server].url + base;
  return { name: "Thing", api: { baseUrl, testEndpoint, limits: { timeoutMs: 1_500 }, ...auth } };
}

function toOptions([, , , credential]: Case) {
  const given = typeof credential === "function" ? credential() : credential;
  return given === undefined ? {} : { credentials: { thing: given } };
}

const check = (one: Case): Promise<ConnectionReport> =>
  checkConnection(toRecord(one), toOptions(one), allSecrets());

const call = (one: Case) =>
  testSource(toRecord(one), toOptions(one), allSecrets()).call({ method: "GET", path: one[1] });

/** A way in that is right, another credential, and what the server says to that. */
type Way = readonly [title: string, right: Case, wrong: Credential, refusal: RegExp];

const ways: readonly Way[] = [
  ["nginx by bearer", [["nginx", "/bearer"], "/report.json", bearer, right], wrongToken, /Bad credentials/],
  ["nginx by header", [["nginx", "/header"], "/report.json", header, right], wrongToken, /not valid/],
  // The server repeats the key it was given.
  ["nginx by query", [["nginx", "/query"], "/report.json", query, right], wrongToken, /\[REDACTED\]/],
  ["nginx by basic", [["nginx", "/basic"], "/report.json", basic, rightPair], wrongPair, /Required/],
  [
    "nginx after a redirect",
    [["nginx", "/bearer"], "/archive", bearer, right],
    wrongToken,
    /Bad credentials/,
  ],
  ["PowerDNS", [dns, "/zones", header, right], wrongToken, /Unauthorized|X-API-Key/],
  ["InfluxDB by basic", ["influxdb", databases, basic, rightPair], wrongPair, /authorization failed/],
  ["InfluxDB by query", ["influxdb", databases, byPassword, right], wrongToken, /authorization failed/],
  [
    "InfluxDB by a signed token",
    ["influxdb", databases, bearer, { token: jwt }],
    { token: oldJwt },
    /expired/,
  ],
  ["PouchDB", ["pouchdb", "/_config", basic, rightPair], wrongPair, /Name or password is incorrect/],
  ["json-server", ["json", "/orders?_limit=1", bearer, jsonToken], wrongToken, /jwt malformed/],
];

describe("a source on a real server", () => {
  it.each(ways)("is let in, and a connection test proves it: %s", async (_title, one) => {
    expect((await call(one)).status).toBe(200);
    const proven = { ok: true, verdict: "ok", credentialVerified: true, status: 200, fix: "" };
    expect(await check(one)).toMatchObject(proven);
  });

  // nginx answers 400 to a wrong key in the query, and nothing in that response names the credential.
  it.each(ways.filter(([title]) => title !== "nginx by query"))(
    "tells a wrong credential in the server's words, and where it comes from: %s",
    async (_title, [at, path, auth], credential, refusal) => {
      const variables = "username" in credential ? "THING_USERNAME and THING_PASSWORD" : "THING_TOKEN";
      const { error } = await call([at, path, auth, credential]);
      expect(error).toMatchObject({ message: expect.stringMatching(refusal), retryable: false });
      expect(error?.hint).toContain(variables);
      const report = await check([at, path, auth, credential]);
      expect(report).toMatchObject({ ok: false, verdict: "invalid_credentials", credentialVerified: false });
      expect(report.message).toMatch(refusal);
      expect(report.fix).not.toBe("");
    },
  );

  it.each(ways)(
    "names the variables of a missing credential, and sends nothing: %s",
    async (_title, [at, path, auth, given]) => {
      const isPair = typeof given === "object" && "username" in given;
      const variables = isPair ? "THING_USERNAME and THING_PASSWORD" : "THING_TOKEN or THING_API_KEY";
      const answer = await call([at, path, auth]);
      expect(answer.status).toBeUndefined();
      expect(answer.error).toMatchObject({ category: "not_configured", code: "missing_credentials" });
      expect(answer.error?.hint).toContain(variables);
      const report = await check([at, path, auth]);
      expect(report).toMatchObject({ ok: false, verdict: "missing_credentials" });
      expect([report.status, report.fix]).toEqual([undefined, expect.stringContaining(variables)]);
    },
  );

  it.each(ways.filter(([title]) => /nginx by|by query/.test(title)))(
    "has a curl line that works when pasted: %s",
    async (_title, one) => {
      const { curl = "" } = await check(one);
      const run = (value: string): string => {
        const own = { THING_TOKEN: value, THING_USERNAME: username, THING_PASSWORD: value };
        const env = { PATH: process.env["PATH"] ?? "", ...own };
        const stdio = ["ignore", "pipe", "ignore"] as const;
        return execFileSync("/bin/sh", ["-c", curl], { encoding: "utf8", stdio: [...stdio], env });
      };
      expect(run(secret)).toMatch(/^HTTP\/1\.1 200 /);
      expect(run(wrong)).toMatch(/^HTTP\/1\.1 40[013] /);
    },
  );
});

describe("testConnection", () => {
  it.each<[string, Case]>([
    ["InfluxDB's ping", ["influxdb", "/ping", basic, rightPair]],
    ["PouchDB's root", ["pouchdb", "/", basic, rightPair]],
    ["verdaccio's whoami", ["verdaccio", "/-/whoami", bearer, verdaccioToken]],
    ["verdaccio's whoami, with a wrong token", ["verdaccio", "/-/whoami", bearer, wrongToken]],
    ["json-server's open list", ["json", "/news", bearer, jsonToken]],
    ["httpbin's empty answer", ["httpbin", "/status/204", bearer, right]],
  ])("reports that %s answers anyone", async (_title, one) => {
    const report = await check(one);
    expect(report).toMatchObject({ ok: true, verdict: "anonymous_ok", credentialVerified: false });
    expect(report.fix).toContain("api.testEndpoint");
    expect(report.warnings.join()).not.toContain("base64");
  });

  it.each<[string, Case, RegExp]>([
    ["basic", [["nginx", "/basic"], "/report.json", bearer, right], /"authType": "basic"/],
    ["a digest", ["httpbin", "/digest-auth/auth/u/p", bearer, right], /no authType/],
    ["a header", [dns, "/zones", bearer, right], /^Set "authType": "header", "headerName": "X-API-Key"/],
    [
      "another scheme",
      ["json", "/orders?_limit=1", { ...bearer, authScheme: "Token" }, jsonToken],
      /"authScheme" under `api`, which is "Token": most APIs take "Bearer"/,
    ],
    // A password in the query is more likely to be wrong than the way it is sent.
    ["basic, perhaps", ["influxdb", databases, byPassword, wrongToken], /^First check .* announces Basic/],
    ["the same key", [dns, "/zones", header, wrongToken], /^Check (?!.*headerName)/],
  ])("names what the server asks for: %s", async (_title, one, fix) => {
    const { verdict, fix: told } = await check(one);
    expect([verdict, told]).toEqual(["invalid_credentials", expect.stringMatching(fix)]);
  });

  const nginx = (path: string): Case => [["nginx", "/bearer"], path, bearer, right];
  const httpbin = (path: string): Case => ["httpbin", path, bearer, right];
  const influx = (path: string): Case => ["influxdb", path, basic, rightPair];
  const tokenIn = (text: (token: string) => string): Case => [
    "json",
    "/orders/1",
    bearer,
    () => ({ token: text(servers.json.token) }),
  ];

  it.each<[ConnectionReport["verdict"], string, Case, RegExp]>([
    ["malformed_credentials", "a pasted scheme", tokenIn((token) => `Bearer ${token}`), /Bearer /],
    ["malformed_credentials", "quotation marks", tokenIn((token) => `"${token}"`), /quotation mark/],
    ["not_found", "a wrong path", nginx("/nothing"), /nothing/],
    ["not_found", "a doubled part", nginx("/bearer/report.json"), /"testEndpoint": "\/report.json"/],
    ["not_found", "a wrong version", [["powerdns", "/api/v2"], "/servers", header, right], /v2/],
    ["not_found", "a missing part", [["powerdns", "/v1"], "/servers", header, right], /:\d+\/api\/v1"/],
    ["redirected", "a login page", nginx("/login"), /credential/],
    ["redirected", "a way out of the base path", nginx("/away"), /api\.baseUrl/],
    ["redirected", "a way to HTTPS", nginx("/upgrade"), /"baseUrl": "https:/],
    ["redirected", "another host", httpbin("/redirect-to?url=https%3A%2F%2Fapi.example%2Fv2"), /baseUrl/],
    ["server_error", "a bad gateway", nginx("/broken"), /later/],
    ["unreachable", "a connection that is closed at once", nginx("/gone"), /./],
    ["timeout", "a body that drips", nginx("/slow/rows.json"), /limits\.timeoutMs/],
    ["timeout", "an answer that does not begin", httpbin("/delay/5"), /limits\.timeoutMs/],
    ["bad_request", "a missing parameter", influx("/query"), /missing required parameter/],
    ["error_in_body", "a failure under 200", influx("/query?db=absent&q=SELECT+*+FROM+x"), /testEndpoint/],
    ["method_not_allowed", "a path to write to", influx("/write"), /GET/],
    ["not_an_api", "a start page", ["json", "/", bearer, jsonToken], /baseUrl/],
    ["missing_permissions", "a 403 without a word", httpbin("/status/403"), /permission/],
    ["missing_header", "a 415", httpbin("/status/415"), /Content-Type/],
    ["rate_limited", "a 429", httpbin("/status/429"), /requestsPerMinute/],
    ["unexpected_status", "a teapot", httpbin("/status/418"), /testEndpoint/],
  ])("gives %s for %s, and what to change", async (verdict, _title, one, told) => {
    const report = await check(one);
    expect(report).toMatchObject({ verdict, ok: false, credentialVerified: false });
    expect(`${report.message}\n${report.fix}`).toMatch(told);
  });

  it("reports that a port speaks plain HTTP", async () => {
    const baseUrl = servers.nginx.url.replace("http:", "https:");
    const record = { name: "Thing", api: { baseUrl, testEndpoint: "/bearer/report.json", ...bearer } };
    const report = await checkConnection(record, { credentials: { thing: right } }, allSecrets());
    expect(report).toMatchObject({ verdict: "tls", fix: expect.stringContaining('"baseUrl": "http://') });
  });

  it("knows verdaccio's user by its own route, until the limit of that route", async () => {
    const user = (credential: Case[3]): Case => ["verdaccio", "/-/npm/v1/user", bearer, credential];
    expect(await check(user(verdaccioToken))).toMatchObject({ verdict: "ok", credentialVerified: true });
    expect(await check(user(wrongToken))).toMatchObject({ verdict: "invalid_credentials", status: 401 });
    const limited = await check(user(verdaccioToken));
    expect(limited).toMatchObject({ verdict: "rate_limited", ok: false, status: 429 });
    expect(limited.fix).toMatch(/ seconds \(about \d+ minutes\)/);
  });

  it("reports on all servers at once, in their order", async () => {
    const cases: readonly (readonly [Case, ConnectionReport["verdict"]])[] = [
      [nginx("/report.json"), "ok"],
      [[dns, "/zones", header, wrongToken], "invalid_credentials"],
      [["pouchdb", "/", basic, rightPair], "anonymous_ok"],
      [httpbin("/delay/5"), "timeout"],
    ];
    const slugs = cases.map((_, index) => `thing_${index}`);
    const records = cases.map(([one], index) => ({ ...toRecord(one), slug: slugs[index] }));
    const credentials = Object.fromEntries(cases.map(([one], index) => [slugs[index], one[3]]));
    const options = { credentials: credentials as never, ...withSeams({ readEnvironment: () => undefined }) };
    const reports = await (await ApiSourceToolkit.fromSources(asRecords(records), options)).testConnections();
    expect(reports.map(({ source, verdict }) => [source, verdict])).toEqual(
      cases.map(([, verdict], index) => [slugs[index], verdict]),
    );
    expect(findSecret(JSON.stringify(reports), allSecrets())).toBeUndefined();
  });
});
