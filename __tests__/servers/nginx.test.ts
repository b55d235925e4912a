import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Credential } from "../../src/credentials/credential.js";
import { type TestedSource, testSource } from "./support/call-source.js";
import { makeSecret } from "./support/make-secret.js";
import { type Nginx, type NginxCredentials, startNginx } from "./support/nginx.js";

const credentials: NginxCredentials = {
  bearer: makeSecret(),
  header: makeSecret(),
  query: makeSecret(),
  basic: { username: "reader", password: makeSecret() },
};
const wrong = makeSecret();
const secrets = [
  credentials.bearer,
  credentials.header,
  credentials.query,
  credentials.basic.password,
  Buffer.from(`reader:${credentials.basic.password}`).toString("base64"),
  wrong,
];

let server: Nginx;
beforeAll(async () => {
  server = await startNginx(credentials);
});
afterAll(() => server.stop());

interface Door {
  readonly door: string;
  readonly auth: Readonly<Record<string, string>>;
  readonly right: Credential;
  readonly wrong: Credential;
  /** How this server refuses a wrong credential, and what our answer makes of it. */
  readonly refusal: object;
  readonly variables: string;
}

const doors: readonly Door[] = [
  {
    door: "bearer",
    auth: { authType: "bearer" },
    right: { token: credentials.bearer },
    wrong: { token: wrong },
    refusal: { status: 401, error: { message: "Bad credentials", category: "unauthorized" } },
    variables: "FILES_TOKEN or FILES_API_KEY",
  },
  {
    door: "header",
    auth: { authType: "header", headerName: "X-API-Key" },
    right: { apiKey: credentials.header },
    wrong: { apiKey: wrong },
    refusal: { status: 403, error: { message: "The API key is not valid.", code: "KEY_INVALID" } },
    variables: "FILES_TOKEN or FILES_API_KEY",
  },
  {
    door: "query",
    auth: { authType: "query", queryParam: "api_key" },
    right: { apiKey: credentials.query },
    wrong: { apiKey: wrong },
    // The server tells the key it was given: that stands redacted in the message and in the data.
    refusal: {
      status: 400,
      error: { message: "invalid api_key: [REDACTED]", category: "unauthorized" },
      data: { error: "invalid api_key: [REDACTED]" },
    },
    variables: "FILES_TOKEN or FILES_API_KEY",
  },
  {
    door: "basic",
    auth: { authType: "basic" },
    right: credentials.basic,
    wrong: { ...credentials.basic, password: wrong },
    refusal: { status: 401, error: { message: "401 Authorization Required", category: "unauthorized" } },
    variables: "FILES_USERNAME and FILES_PASSWORD",
  },
];

describe.each(doors)(
  "nginx behind $door",
  ({ door, auth, right, wrong: wrongCredential, refusal, variables }) => {
    const record = (): Record<string, unknown> => ({
      name: "Files",
      api: { baseUrl: `${server.url}/${door}`, ...auth },
    });
    const open = (credential?: Credential): TestedSource =>
      testSource(record(), credential === undefined ? {} : { credentials: { files: credential } }, secrets);

    it("lists a directory", async () => {
      const answer = await open(right).call({ method: "GET", path: "/" });
      expect(answer).toMatchObject({ status: 200, artifact: { request: "GET /", attempts: 1 } });
      expect(answer.data).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: "report.json", size: 48 })]),
      );
    });

    it("reads a file, with and without a tool call", async () => {
      const source = open(right);
      const input = { method: "GET", path: "/report.json" };
      const answer = await source.call(input);
      expect(answer.content).toMatch(
        /^{"status":200,"data":{"id":7,"title":"Quarterly report","total":19.9},"headers":{"etag":/,
      );
      expect(await source.callPlain(input)).toBe(answer.content);
    });

    it("writes a file and deletes it", async () => {
      const source = open(right);
      const file = join(server.directory, "files/made", `${door}.json`);
      const path = `/made/${door}.json`;
      const written = await source.call({ method: "PUT", path, body: '{"price":19.90}' });
      expect(JSON.parse(written.content)).toEqual({ status: 201, headers: { location: path } });
      expect(readFileSync(file, "utf8")).toBe('{"price":19.90}');
      expect((await source.call({ method: "GET", path })).content).toMatch(
        /^{"status":200,"data":{"price":19\.90}/,
      );
      expect((await source.call({ method: "DELETE", path })).content).toBe('{"status":204}');
      expect(existsSync(file)).toBe(false);
    });

    it("follows the redirect to a directory's own path and carries the credential there", async () => {
      const answer = await open(right).call({ method: "GET", path: "/archive", select: "[].name" });
      expect(answer).toMatchObject({ status: 200, data: ["old.json"], artifact: { attempts: 2 } });
    });

    it("tells a file that is not there and a method that is not taken", async () => {
      const source = open(right);
      const absent = await source.call({ method: "GET", path: "/nothing.json" });
      expect(absent).toMatchObject({
        status: 404,
        error: { message: "404 Not Found", category: "not_found", retryable: false },
        contentType: "text/html",
      });
      expect(absent.error?.hint).toContain(`${server.url}/${door}/nothing.json`);
      const refused = await source.call({ method: "POST", path: "/report.json", body: { a: 1 } });
      expect(refused).toMatchObject({
        status: 405,
        error: { category: "method_not_allowed", retryable: false },
      });
    });

    it("says that a wrong credential was not accepted, and where it comes from", async () => {
      const answer = await open(wrongCredential).call({ method: "GET", path: "/" });
      expect(answer).toMatchObject(refusal);
      expect(answer.error).toMatchObject({ retryable: false, hint: expect.stringContaining(variables) });
    });

    it("names the variables of a missing credential and sends nothing", async () => {
      const before = (await server.readRequests()).length;
      const answer = await open().call({ method: "GET", path: "/" });
      expect(answer.status).toBeUndefined();
      expect(answer.error).toMatchObject({ category: "not_configured", code: "missing_credentials" });
      expect(answer.error?.hint).toContain(variables);
      expect(await server.readRequests()).toHaveLength(before);
    });

    it("reaches no file outside the door", async () => {
      const before = (await server.readRequests()).length;
      const answer = await open(right).call({ method: "GET", path: "/..%2f..%2flogin" });
      expect(answer).toMatchObject({ error: { category: "refused_by_policy" } });
      expect(await server.readRequests()).toHaveLength(before);
    });

    it("takes an agent through reading, writing and an error", async () => {
      const path = `/made/agent-${door}.json`;
      const [listed, written, read, absent] = await open(right).runAgent([
        { method: "GET", path: "/", select: "[?type=='file'].name" },
        { method: "PUT", path, body: { from: "agent" } },
        { method: "GET", path },
        { method: "GET", path: "/nothing.json" },
      ]);
      expect(listed?.data).toEqual(expect.arrayContaining(["report.json", "prices.csv"]));
      expect(written?.status).toBe(201);
      expect(read?.data).toEqual({ from: "agent" });
      expect(absent?.error?.category).toBe("not_found");
      const [refused] = await open(wrongCredential).runAgent([{ method: "GET", path: "/" }]);
      expect(refused).toMatchObject(refusal);
    });
  },
);

describe("nginx with odd answers", () => {
  const open = (limits: object = {}): TestedSource =>
    testSource(
      { name: "Files", api: { baseUrl: `${server.url}/bearer`, authType: "bearer", limits } },
      { credentials: { files: { token: credentials.bearer } } },
      secrets,
    );
  const get = (path: string, limits?: object): ReturnType<TestedSource["call"]> =>
    open(limits).call({ method: "GET", path });

  it("reads CSV rows without touching a number, and a page by its title", async () => {
    const csv = await get("/prices.csv");
    expect(csv).toMatchObject({ contentType: "text/csv", data: [{ sku: "SKU-1", price: "19.90" }, {}] });
    expect((await get("/page.html")).data).toMatchObject({ title: "Intranet", text: "Welcome" });
  });

  it.each(["/rows.json", "/gzip/rows.json"])(
    "shrinks %s to the budget and keeps the whole for later",
    async (path) => {
      const answer = await get(path);
      expect(answer).toMatchObject({ status: 200, artifact: { bytes: expect.any(Number) } });
      expect(answer.artifact.bytes).toBeGreaterThan(500_000);
      expect(answer.content.length).toBeLessThan(25_000);
      expect(answer.shortened?.id).toBe(answer.artifact.responseId);
      expect(answer.data).toMatchObject({
        rows: expect.arrayContaining([expect.objectContaining({ id: 1, name: "Row 1" })]),
      });
    },
  );

  it("asks a large answer by an expression", async () => {
    const answer = await open().call({
      method: "GET",
      path: "/gzip/rows.json",
      select: "rows[?id==`1999`].name | [0]",
    });
    expect(answer).toMatchObject({ status: 200, data: "Row 1999" });
  });

  it("asks a kept answer again without another request", async () => {
    const source = open();
    const answer = await source.call({ method: "GET", path: "/rows.json?kept=1" });
    const id = answer.shortened?.id ?? "";
    const again = await source.readKept({ id, select: "rows[-1].name" });
    expect(again.data).toBe("Row 2000");
    const sent = (await server.readRequests()).filter((line) => line.includes("kept=1"));
    expect(sent).toHaveLength(1);
  });

  it("waits for a limit that opens soon, inside the call", async () => {
    const source = open();
    const calls = [1, 2].map(() => source.call({ method: "GET", path: "/brisk/report.json" }));
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const refused = (await server.readRequests()).filter(
      (line) => line === "GET /bearer/brisk/report.json 429",
    );
    expect(refused.length).toBeGreaterThan(0);
  });

  it("reports a limit that opens late, and sends nothing more to it until then", async () => {
    const source = open();
    const limits = { maxWaitMs: 1_000 };
    const input = { method: "GET", path: "/narrow/report.json" };
    expect((await source.call(input)).status).toBe(200);
    const impatient = open(limits);
    expect(await impatient.call(input)).toMatchObject({
      status: 429,
      error: {
        message: "Too many requests",
        category: "rate_limited",
        retryable: true,
        retryAfterSeconds: 30,
      },
      rateLimit: { retryAfterSeconds: 30 },
      artifact: { rateLimit: { retryAfterSeconds: 30 } },
    });
    const again = await impatient.call({ method: "GET", path: "/narrow/report.json?again=1" });
    expect(again.status).toBeUndefined();
    expect(again.error).toMatchObject({ category: "rate_limited", retryAfterSeconds: expect.any(Number) });
    expect(await server.readLog()).not.toContain("again=1");
    expect((await impatient.call({ method: "GET", path: "/report.json" })).status).toBe(200);
  });

  it("gives what arrived of a body that is too slow", async () => {
    const answer = await get("/slow/rows.json", { timeoutMs: 1_500 });
    expect(answer).toMatchObject({
      status: 200,
      error: { category: "timeout", retryable: true, details: { phase: "body" } },
      data: { rows: expect.arrayContaining([expect.objectContaining({ id: 1 })]) },
      partial: { bytes: expect.any(Number) },
    });
  });

  it("follows a redirect inside the base path only", async () => {
    expect(await get("/moved")).toMatchObject({ status: 200, data: { id: 7 }, artifact: { attempts: 2 } });
    const outside = [
      ["/away", "outside_base_path"],
      ["/login", "outside_base_path"],
      ["/upgrade", "http_to_https"],
    ] as const;
    for (const [path, reason] of outside) {
      const answer = await get(path);
      expect(answer.error).toMatchObject({
        category: "refused_by_policy",
        details: { redirect: { reason } },
      });
    }
    expect((await server.readRequests()).filter((line) => /\s\/(?:login|elsewhere)/.test(line))).toEqual([]);
  });

  it("shows no credential that a server writes into its Location", async () => {
    const source = testSource(
      { name: "Files", api: { baseUrl: `${server.url}/query`, authType: "query", queryParam: "api_key" } },
      { credentials: { files: { token: credentials.query } } },
      secrets,
    );
    const answer = await source.call({ method: "GET", path: "/away" });
    expect(answer.error?.message).toContain("/elsewhere");
  });

  it("repeats a read that failed on the way, and says how often", async () => {
    expect(await get("/broken")).toMatchObject({
      status: 502,
      error: { category: "server_error", retryable: true },
      artifact: { attempts: 3 },
    });
    expect(await get("/gone")).toMatchObject({
      error: { category: "network", code: "ECONNRESET", details: { attempts: 3 } },
    });
  });

  it("never repeats a write that failed on the way", async () => {
    const answer = await open().call({ method: "POST", path: "/gone", body: { a: 1 } });
    expect(answer.error).toMatchObject({ category: "network", retryable: false });
    const posts = (await server.readRequests()).filter((line) => line.startsWith("POST /bearer/gone"));
    expect(posts).toEqual(["POST /bearer/gone 444"]);
  });
});
