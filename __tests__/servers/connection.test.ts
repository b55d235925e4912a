import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ConnectionReport } from "../../src/connection/connection-report.js";
import type { Credential } from "../../src/credentials/credential.js";
import { ApiSourceToolkit } from "../../src/toolkit/api-source-toolkit.js";
import { checkConnection } from "./support/check-connection.js";
import { findSecret } from "./support/find-secret.js";
import { startHttpbin } from "./support/httpbin.js";
import { startInfluxDb } from "./support/influxdb.js";
import { type JsonServer, startJsonServer } from "./support/json-server.js";
import { makeSecret, signJwt } from "./support/make-secret.js";
import { startNginx } from "./support/nginx.js";
import { startPouchDb } from "./support/pouchdb.js";
import { startPowerDns } from "./support/powerdns.js";
import type { RunningServer } from "./support/start-server.js";
import { startVerdaccio, type Verdaccio } from "./support/verdaccio.js";

const secret = makeSecret();
const wrong = makeSecret();
const sharedSecret = makeSecret();
const username = "reader";
const nowSeconds = Math.floor(Date.now() / 1_000);
const jwt = signJwt({ username, exp: nowSeconds + 600 }, sharedSecret);
const oldJwt = signJwt({ username, exp: nowSeconds - 600 }, sharedSecret);

interface Servers {
  readonly nginx: RunningServer;
  readonly powerdns: RunningServer;
  readonly influxdb: RunningServer;
  readonly verdaccio: Verdaccio;
  readonly pouchdb: RunningServer;
  readonly json: JsonServer;
  readonly httpbin: RunningServer;
}

let servers: Servers;
beforeAll(async () => {
  const basic = { username, password: secret };
  const [nginx, powerdns, influxdb, verdaccio, pouchdb, json, httpbin] = await Promise.all([
    startNginx({ bearer: secret, header: secret, query: secret, basic }),
    startPowerDns(secret),
    startInfluxDb({ ...basic, sharedSecret }),
    startVerdaccio(basic),
    startPouchDb(basic),
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

interface Case {
  /** Which server, and what follows its URL in `api.baseUrl`. */
  readonly at: readonly [keyof Servers, string?];
  readonly endpoint: string;
  readonly auth?: object;
  readonly credential?: Credential | ((all: Servers) => Credential);
}

const right: Credential = { token: secret };
const rightPair: Credential = { username, password: secret };
const wrongPair: Credential = { username, password: wrong };
const dns = ["powerdns", "/api/v1/servers/localhost"] as const;
const jsonToken = ({ json }: Servers): Credential => ({ token: json.token });

function allSecrets(): string[] {
  const pair = Buffer.from(`${username}:${secret}`).toString("base64");
  return [secret, wrong, sharedSecret, jwt, oldJwt, pair, servers.verdaccio.token, servers.json.token];
}

function toRecord({ at: [server, basePath = ""], endpoint, auth = {} }: Case): { name: string; api: object } {
  const baseUrl = servers[server].url + basePath;
  return { name: "Thing", api: { baseUrl, testEndpoint: endpoint, limits: { timeoutMs: 1_500 }, ...auth } };
}

function check(one: Case): Promise<ConnectionReport> {
  const credential = typeof one.credential === "function" ? one.credential(servers) : one.credential;
  const options = credential === undefined ? {} : { credentials: { thing: credential } };
  return checkConnection(toRecord(one), options, allSecrets());
}

const inBase64 = Buffer.from(`${username}:${secret}`).toString("base64");
const databases = "/query?q=SHOW+DATABASES";
const byPassword = { authType: "query", queryParam: "p", query: { u: username } };

describe("testConnection with the right credential", () => {
  it.each<[string, Case]>([
    [
      "nginx by bearer",
      { at: ["nginx", "/bearer"], endpoint: "/report.json", auth: bearer, credential: right },
    ],
    [
      "nginx by header",
      { at: ["nginx", "/header"], endpoint: "/report.json", auth: header, credential: right },
    ],
    ["nginx by query", { at: ["nginx", "/query"], endpoint: "/report.json", auth: query, credential: right }],
    [
      "nginx by basic",
      { at: ["nginx", "/basic"], endpoint: "/report.json", auth: basic, credential: rightPair },
    ],
    [
      "nginx after a redirect",
      { at: ["nginx", "/bearer"], endpoint: "/moved", auth: bearer, credential: right },
    ],
    ["PowerDNS", { at: dns, endpoint: "/zones", auth: header, credential: right }],
    ["InfluxDB by basic", { at: ["influxdb"], endpoint: databases, auth: basic, credential: rightPair }],
    ["InfluxDB by query", { at: ["influxdb"], endpoint: databases, auth: byPassword, credential: right }],
    [
      "InfluxDB by bearer",
      { at: ["influxdb"], endpoint: databases, auth: bearer, credential: { token: jwt } },
    ],
    ["PouchDB", { at: ["pouchdb"], endpoint: "/_config", auth: basic, credential: rightPair }],
    ["json-server", { at: ["json"], endpoint: "/orders?_limit=1", auth: bearer, credential: jsonToken }],
    ["httpbin", { at: ["httpbin"], endpoint: "/bearer", auth: bearer, credential: right }],
    [
      "httpbin by basic",
      { at: ["httpbin"], endpoint: `/basic-auth/${username}/${secret}`, auth: basic, credential: rightPair },
    ],
  ])("proves it on %s", async (_title, one) => {
    expect(await check(one)).toMatchObject({
      ok: true,
      verdict: "ok",
      credentialVerified: true,
      status: 200,
      fix: "",
    });
  });

  it.each<[string, Case]>([
    ["InfluxDB's ping", { at: ["influxdb"], endpoint: "/ping", auth: basic, credential: rightPair }],
    ["PouchDB's root", { at: ["pouchdb"], endpoint: "/", auth: basic, credential: rightPair }],
    ["PouchDB's session", { at: ["pouchdb"], endpoint: "/_session", auth: basic, credential: rightPair }],
    [
      "verdaccio's whoami",
      {
        at: ["verdaccio"],
        endpoint: "/-/whoami",
        auth: bearer,
        credential: ({ verdaccio: { token } }) => ({ token }),
      },
    ],
    [
      "verdaccio's whoami, with a wrong token",
      { at: ["verdaccio"], endpoint: "/-/whoami", auth: bearer, credential: { token: wrong } },
    ],
    ["json-server's open list", { at: ["json"], endpoint: "/news", auth: bearer, credential: jsonToken }],
    ["httpbin's empty answer", { at: ["httpbin"], endpoint: "/status/204", auth: bearer, credential: right }],
  ])("says that %s answers anyone", async (_title, one) => {
    const report = await check(one);
    expect(report).toMatchObject({ ok: true, verdict: "anonymous_ok", credentialVerified: false });
    expect(report.fix).toContain("api.testEndpoint");
    expect(report.warnings.join()).not.toContain("base64");
  });

  it("says that there is nothing to check where the record has no authType", async () => {
    const report = await check({ at: ["httpbin"], endpoint: "/uuid" });
    expect(report).toMatchObject({ ok: true, verdict: "ok", credentialVerified: false });
  });
});

describe("testConnection with a wrong credential", () => {
  it.each<[string, Case, RegExp]>([
    [
      "nginx by bearer",
      { at: ["nginx", "/bearer"], endpoint: "/report.json", auth: bearer, credential: { token: wrong } },
      /Bad credentials/,
    ],
    [
      "nginx by header, a 403",
      { at: ["nginx", "/header"], endpoint: "/report.json", auth: header, credential: { token: wrong } },
      /not valid/,
    ],
    [
      "nginx by query, a 400 that repeats it",
      { at: ["nginx", "/query"], endpoint: "/report.json", auth: query, credential: { token: wrong } },
      /\[REDACTED\]/,
    ],
    [
      "nginx by basic",
      { at: ["nginx", "/basic"], endpoint: "/report.json", auth: basic, credential: wrongPair },
      /Authorization Required/,
    ],
    ["PowerDNS", { at: dns, endpoint: "/zones", auth: header, credential: { token: wrong } }, /X-API-Key/],
    [
      "InfluxDB by basic",
      { at: ["influxdb"], endpoint: databases, auth: basic, credential: wrongPair },
      /authorization failed/,
    ],
    [
      "InfluxDB by query",
      { at: ["influxdb"], endpoint: databases, auth: byPassword, credential: { token: wrong } },
      /authorization failed/,
    ],
    [
      "InfluxDB by a token that is over",
      { at: ["influxdb"], endpoint: databases, auth: bearer, credential: { token: oldJwt } },
      /expired at .* ago/,
    ],
    [
      "PouchDB",
      { at: ["pouchdb"], endpoint: "/", auth: basic, credential: wrongPair },
      /Name or password is incorrect/,
    ],
    [
      "json-server",
      { at: ["json"], endpoint: "/orders?_limit=1", auth: bearer, credential: { token: wrong } },
      /jwt malformed/,
    ],
    [
      "httpbin by basic",
      { at: ["httpbin"], endpoint: "/basic-auth/reader/other", auth: basic, credential: wrongPair },
      /401/,
    ],
  ])("says so on %s, in the server's words", async (_title, one, message) => {
    const report = await check(one);
    expect(report).toMatchObject({ ok: false, verdict: "invalid_credentials", credentialVerified: false });
    expect(report.message).toMatch(message);
    expect(report.fix).not.toBe("");
  });

  it.each<[string, Case, RegExp]>([
    [
      "a bearer token where basic is asked for",
      { at: ["nginx", "/basic"], endpoint: "/report.json", auth: bearer, credential: right },
      /"authType": "basic"/,
    ],
    [
      "a bearer token where a digest is asked for",
      { at: ["httpbin"], endpoint: "/digest-auth/auth/u/p", auth: bearer, credential: right },
      /no authType/,
    ],
    [
      "a bearer token where PowerDNS announces the header of its key",
      { at: dns, endpoint: "/zones", auth: bearer, credential: right },
      /^Set "authType": "header", "headerName": "X-API-Key"/,
    ],
    [
      "a word before the token that json-server does not know",
      {
        at: ["json"],
        endpoint: "/orders?_limit=1",
        auth: { ...bearer, authScheme: "Token" },
        credential: jsonToken,
      },
      /"authScheme" under `api`, which is "Token": most APIs take "Bearer"/,
    ],
  ])("names what the server asks for instead of %s", async (_title, one, fix) => {
    expect(await check(one)).toMatchObject({
      verdict: "invalid_credentials",
      fix: expect.stringMatching(fix),
    });
  });

  it.each<[string, Case]>([
    [
      "a password in the query",
      { at: ["influxdb"], endpoint: databases, auth: byPassword, credential: { token: wrong } },
    ],
    ["a bearer token", { at: ["influxdb"], endpoint: databases, auth: bearer, credential: { token: wrong } }],
  ])(
    "believes the credential to be wrong before the Basic that InfluxDB announces for %s",
    async (_title, one) => {
      const { fix } = await check(one);
      expect(fix).toMatch(
        /^First check .* If it is right, the server announces Basic: set "authType": "basic"/,
      );
    },
  );

  it("sends a key of PowerDNS to be checked, not to be sent in another way", async () => {
    const { fix } = await check({ at: dns, endpoint: "/zones", auth: header, credential: { token: wrong } });
    expect(fix).toMatch(/^Check (?!.*headerName)/);
  });

  it.each<[string, Case, RegExp]>([
    [
      "is pasted with its scheme",
      {
        at: ["json"],
        endpoint: "/orders/1",
        auth: bearer,
        credential: ({ json }) => ({ token: `Bearer ${json.token}` }),
      },
      /begins with `Bearer `/,
    ],
    [
      "is in quotes",
      {
        at: ["json"],
        endpoint: "/orders/1",
        auth: bearer,
        credential: ({ json }) => ({ token: `"${json.token}"` }),
      },
      /quotation mark/,
    ],
    [
      "is in base64 already",
      {
        at: ["pouchdb"],
        endpoint: "/_config",
        auth: basic,
        credential: { username: inBase64, password: "" },
      },
      /base64 already/,
    ],
  ])("tells a credential that %s", async (_title, one, message) => {
    expect(await check(one)).toMatchObject({
      verdict: "malformed_credentials",
      message: expect.stringMatching(message),
    });
  });

  it.each<[string, Case, string]>([
    [
      "nginx",
      { at: ["nginx", "/bearer"], endpoint: "/report.json", auth: bearer },
      "THING_TOKEN or THING_API_KEY",
    ],
    ["PowerDNS", { at: dns, endpoint: "/zones", auth: header }, "THING_TOKEN or THING_API_KEY"],
    [
      "InfluxDB by query",
      { at: ["influxdb"], endpoint: databases, auth: byPassword },
      "THING_TOKEN or THING_API_KEY",
    ],
    ["PouchDB", { at: ["pouchdb"], endpoint: "/", auth: basic }, "THING_USERNAME and THING_PASSWORD"],
    ["verdaccio", { at: ["verdaccio"], endpoint: "/-/whoami", auth: bearer }, "THING_TOKEN or THING_API_KEY"],
    ["json-server", { at: ["json"], endpoint: "/orders", auth: bearer }, "THING_TOKEN or THING_API_KEY"],
    ["httpbin", { at: ["httpbin"], endpoint: "/bearer", auth: bearer }, "THING_TOKEN or THING_API_KEY"],
  ])("names the variables where the one for %s is missing", async (_title, one, variables) => {
    const report = await check(one);
    expect(report).toMatchObject({ ok: false, verdict: "missing_credentials" });
    expect(report.status).toBeUndefined();
    expect(report.fix).toContain(variables);
  });
});

describe("testConnection on what else goes wrong", () => {
  const nginx = (endpoint: string): Case => ({
    at: ["nginx", "/bearer"],
    endpoint,
    auth: bearer,
    credential: right,
  });
  const httpbin = (endpoint: string): Case => ({
    at: ["httpbin"],
    endpoint,
    auth: bearer,
    credential: right,
  });

  it.each<[ConnectionReport["verdict"], string, Case, RegExp]>([
    ["not_found", "a wrong path", nginx("/nothing"), /nothing/],
    ["not_found", "a doubled part", nginx("/bearer/report.json"), /"testEndpoint": "\/report.json"/],
    [
      "not_found",
      "a wrong version",
      { at: ["powerdns", "/api/v2/servers/localhost"], endpoint: "/zones", auth: header, credential: right },
      /v2/,
    ],
    [
      "not_found",
      "a doubled version",
      { at: ["powerdns", "/api/v1"], endpoint: "/api/v1/servers", auth: header, credential: right },
      /"\/servers"/,
    ],
    [
      "not_found",
      "a version without the part before it",
      { at: ["powerdns", "/v1"], endpoint: "/servers", auth: header, credential: right },
      /"baseUrl": "http:\/\/127\.0\.0\.1:\d+\/api\/v1"/,
    ],
    ["redirected", "a login page", nginx("/login"), /credential in/],
    ["redirected", "a way out of the base path", nginx("/away"), /api\.baseUrl/],
    ["redirected", "a way to HTTPS", nginx("/upgrade"), /"baseUrl": "https:/],
    [
      "redirected",
      "a way to another host",
      httpbin("/redirect-to?url=https%3A%2F%2Fapi.example%2Fv2"),
      /api\.baseUrl/,
    ],
    ["server_error", "a bad gateway", nginx("/broken"), /later/],
    ["server_error", "a failing endpoint", httpbin("/status/500"), /./],
    ["unreachable", "a connection that is closed at once", nginx("/gone"), /./],
    ["timeout", "a body that drips", nginx("/slow/rows.json"), /limits\.timeoutMs/],
    ["timeout", "an answer that does not begin", httpbin("/delay/5"), /limits\.timeoutMs/],
    [
      "bad_request",
      "a missing parameter",
      { at: ["influxdb"], endpoint: "/query", auth: basic, credential: rightPair },
      /"\/query\?q=…".*`api\.query`/,
    ],
    [
      "error_in_body",
      "a failure under 200",
      {
        at: ["influxdb"],
        endpoint: "/query?db=absent&q=SELECT+*+FROM+x",
        auth: basic,
        credential: rightPair,
      },
      /testEndpoint/,
    ],
    [
      "method_not_allowed",
      "a path to write to",
      { at: ["influxdb"], endpoint: "/write", auth: basic, credential: rightPair },
      /GET/,
    ],
    [
      "not_an_api",
      "a start page",
      { at: ["json"], endpoint: "/", auth: bearer, credential: jsonToken },
      /baseUrl/,
    ],
    ["missing_permissions", "a 403 without a word", httpbin("/status/403"), /permission/],
    ["missing_header", "a 415", httpbin("/status/415"), /Content-Type/],
    ["rate_limited", "a 429", httpbin("/status/429"), /requestsPerMinute/],
    ["unexpected_status", "a teapot", httpbin("/status/418"), /testEndpoint/],
  ])("gives %s for %s, and what to change", async (verdict, _title, one, fix) => {
    const report = await check(one);
    expect(report).toMatchObject({ verdict, ok: false, credentialVerified: false });
    expect(report.message).not.toBe("");
    expect(report.fix).toMatch(fix);
  });

  it("tells that a port speaks plain HTTP", async () => {
    const baseUrl = servers.nginx.url.replace("http:", "https:");
    const record = { name: "Thing", api: { baseUrl, testEndpoint: "/bearer/report.json", ...bearer } };
    const report = await checkConnection(record, { credentials: { thing: right } }, allSecrets());
    expect(report).toMatchObject({ verdict: "tls", fix: expect.stringContaining('"baseUrl": "http://') });
  });

  it("knows verdaccio's user by its own route, until the limit of that route", async () => {
    const endpoint = "/-/npm/v1/user";
    const user = (token: string): Case => ({
      at: ["verdaccio"],
      endpoint,
      auth: bearer,
      credential: { token },
    });
    const { token } = servers.verdaccio;
    expect(await check(user(token))).toMatchObject({ verdict: "ok", credentialVerified: true });
    expect(await check(user(wrong))).toMatchObject({ verdict: "invalid_credentials", status: 401 });
    const limited = await check(user(token));
    expect(limited).toMatchObject({ verdict: "rate_limited", ok: false, status: 429 });
    expect(limited.message).toContain("alive");
    expect(limited.fix).toMatch(/ seconds \(about \d+ minutes\)/);
  });
});

describe("the curl line", () => {
  it.each<[string, Case]>([
    ["bearer", { at: ["nginx", "/bearer"], endpoint: "/report.json", auth: bearer, credential: right }],
    ["header", { at: ["nginx", "/header"], endpoint: "/report.json", auth: header, credential: right }],
    ["query", { at: ["nginx", "/query"], endpoint: "/report.json", auth: query, credential: right }],
    ["basic", { at: ["nginx", "/basic"], endpoint: "/report.json", auth: basic, credential: rightPair }],
    ["query with a constant", { at: ["influxdb"], endpoint: databases, auth: byPassword, credential: right }],
  ])("works when pasted, by %s", async (_title, one) => {
    const { curl = "" } = await check(one);
    const run = (value: string): string =>
      execFileSync("/bin/sh", ["-c", curl], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        env: {
          PATH: process.env["PATH"] ?? "",
          THING_TOKEN: value,
          THING_USERNAME: username,
          THING_PASSWORD: value,
        },
      });
    expect(run(secret)).toMatch(/^HTTP\/1\.1 200 /);
    expect(run(wrong)).toMatch(/^HTTP\/1\.1 40[013] /);
  });
});

describe("toolkit.testConnections", () => {
  it("reports on all servers at once, in their order", async () => {
    const cases: readonly (readonly [string, Case, Credential, ConnectionReport["verdict"]])[] = [
      ["files", { at: ["nginx", "/bearer"], endpoint: "/report.json", auth: bearer }, right, "ok"],
      ["dns", { at: dns, endpoint: "/zones", auth: header }, { token: wrong }, "invalid_credentials"],
      ["metrics", { at: ["influxdb"], endpoint: databases, auth: byPassword }, right, "ok"],
      ["garden", { at: ["pouchdb"], endpoint: "/", auth: basic }, rightPair, "anonymous_ok"],
      ["shop", { at: ["json"], endpoint: "/", auth: bearer }, right, "not_an_api"],
      ["bin", { at: ["httpbin"], endpoint: "/delay/5", auth: bearer }, right, "timeout"],
    ];
    const records = cases.map(([slug, one]) => ({ ...toRecord(one), slug }));
    const credentials = Object.fromEntries(cases.map(([slug, , credential]) => [slug, credential]));
    const toolkit = await ApiSourceToolkit.fromSources(records, {
      credentials,
      readEnvironment: () => undefined,
    });
    const reports = await toolkit.testConnections();
    expect(reports.map(({ source, verdict }) => [source, verdict])).toEqual(
      cases.map(([slug, , , verdict]) => [slug, verdict]),
    );
    expect(findSecret(JSON.stringify(reports), allSecrets())).toBeUndefined();
  });
});
