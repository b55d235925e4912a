import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { createSourceClient, type SourceClient } from "langchain-api-sources";
import { type Replay, recordTo, replayFrom } from "langchain-api-sources/testing";
import { type Respond, sendJson, startHttpServer } from "../../support/http-server.js";
import { noSleep, splitOptions, type TestOptions } from "../../support/seams.js";
import { useDirectory } from "../../support/temporary-directory.js";

const directory = useDirectory();
afterEach(() => void jest.restoreAllMocks());

function openShop(baseUrl: string, options: TestOptions, api: object = {}): SourceClient {
  const record = { name: "Shop", api: { baseUrl, authType: "bearer" as const, ...api } };
  const all = splitOptions({
    credentials: { shop: { token: "t0ken-of-the-recording" } },
    ...options,
  });
  return createSourceClient(record, ...all);
}

/** Runs a session against a real server and records it, then closes the server. */
async function record(
  respond: Respond,
  session: (shop: SourceClient) => Promise<unknown>,
  api: object = {},
): Promise<{ readonly recorded: unknown; readonly baseUrl: string }> {
  const real = await startHttpServer(respond);
  const shop = openShop(
    `${real.url}/v1`,
    { transport: recordTo(directory()), sleep: noSleep },
    api,
  );
  const recorded = await session(shop);
  await real.close();
  return { recorded, baseUrl: `${real.url}/v1` };
}

/** The same session without the server. */
async function replay<Result>(
  baseUrl: string,
  session: (shop: SourceClient) => Promise<Result>,
  api: object = {},
  prepare: (replayed: Replay) => void = () => {},
): Promise<{ readonly result: Result; readonly replayed: Replay }> {
  const replayed = replayFrom(directory());
  prepare(replayed);
  const credentials = { shop: { token: "another-token" } };
  return {
    result: await session(openShop(baseUrl, { transport: replayed, credentials }, api)),
    replayed,
  };
}

const contentOf = async (shop: SourceClient, request: unknown): Promise<string> =>
  (await shop.call(request as never)).content;
const readFile = (): string => readFileSync(directory("shop.json"), "utf8");
const entriesOf = (): { request: Record<string, unknown>; response: Record<string, unknown> }[] =>
  JSON.parse(readFile()).entries;

describe("a replay", () => {
  it.each([
    ["a status", { status: 503, body: { message: "Closed." } }, { status: 503 }],
    ["a broken connection", { reset: true }, { error: { category: "network" } }],
    ["a time limit", { timeout: true }, { error: { category: "timeout" } }],
  ])("fails with %s where a test asks for it", async (_what, fault, expected) => {
    const session = (shop: SourceClient) => contentOf(shop, { method: "GET", path: "/rows" });
    const { baseUrl } = await record(
      (_request, response) => sendJson(response, [{ id: 1 }, { id: 2 }]),
      session,
    );
    const { result } = await replay(baseUrl, session, { limits: { retries: 0 } }, (replayed) =>
      replayed.fail({ path: "/rows", ...fault }),
    );
    expect(JSON.parse(result)).toMatchObject(expected);
  });

  it("refuses a fault that names no failure or two, and reports one that no request reached", async () => {
    const { baseUrl } = await record(
      (_request, response) => sendJson(response, {}),
      (shop) => contentOf(shop, { method: "GET", path: "/" }),
    );
    const replayed = replayFrom(directory());
    expect(() => replayed.fail({ path: "x", status: 500 })).toThrow("begins with no slash");
    expect(() => replayed.fail({ path: "/x" })).toThrow("names no failure");
    expect(() => replayed.fail({ path: "/x", reset: true, status: 500 })).toThrow(
      "status and reset",
    );
    replayed.fail({ path: "/x", status: 500 });
    replayed.fail({ path: "/", status: 400, times: 2 });
    await contentOf(openShop(baseUrl, { transport: replayed }), { method: "GET", path: "/" });
    expect(() => replayed.assertAllUsed()).toThrow(
      /\n[^\n]+not sent\.\nNo request reached the fault for \/x\.$/,
    );
  });

  it("gives the recorded answers byte for byte, and numbers keep their digits", async () => {
    const session = async (shop: SourceClient) => [
      await contentOf(shop, { method: "GET", path: "/items?b=2&a=1" }),
      await contentOf(shop, { method: "POST", path: "/items", body: { name: "x", price: 19.9 } }),
      await contentOf(shop, { method: "GET", path: "/missing" }),
    ];
    const { recorded, baseUrl } = await record((request, response) => {
      if (request.url === "/v1/missing")
        return sendJson(response, { message: "No such item." }, 404);
      response.writeHead(200, { "content-type": "application/json", "x-request-id": "r-1" });
      response.end('{"total":19.95,"id":12345678901234567890}');
    }, session);
    const { result, replayed } = await replay(baseUrl, session);
    expect(result).toEqual(recorded);
    expect(result[0]).toContain("19.95");
    expect(result[0]).toContain("12345678901234567890");
    replayed.assertAllUsed();
  });

  it("matches whatever the order of the query and of a body's members", async () => {
    const { baseUrl } = await record(
      (_request, response) => sendJson(response, { ok: 1 }),
      async (shop) => {
        await contentOf(shop, { method: "GET", path: "/items", query: { a: "1", b: "2" } });
        await contentOf(shop, {
          method: "POST",
          path: "/items",
          body: { a: 1, b: { c: 2, d: [3] } },
        });
      },
    );
    const { result, replayed } = await replay(baseUrl, async (shop) => [
      await contentOf(shop, { method: "GET", path: "/items", query: { b: "2", a: "1" } }),
      await contentOf(shop, {
        method: "POST",
        path: "/items",
        body: { b: { d: [3], c: 2 }, a: 1 },
      }),
    ]);
    expect(result.map((each) => JSON.parse(each).status)).toEqual([200, 200]);
    replayed.assertAllUsed();
  });

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [
      {
        method: "GET",
        query: [
          { name: "a", value: "1" },
          { name: "a", value: "2" },
        ],
      },
      { method: "GET", query: { a: "1&2" } },
    ],
    [
      { method: "POST", body: { "a.b": 1 } },
      { method: "POST", body: { a: { b: 1 } } },
    ],
    [
      { method: "POST", body: { a: [1] } },
      { method: "POST", body: { "a[0]": 1 } },
    ],
    [
      { method: "POST", body: [1] },
      { method: "POST", body: { 0: 1 } },
    ],
  ])("takes %j for another request than %j", async (known, other) => {
    const { baseUrl } = await record(
      (_request, response) => sendJson(response, { ok: 1 }),
      async (shop) => void (await contentOf(shop, { path: "/items", ...known })),
    );
    const { result } = await replay(baseUrl, async (shop) => [
      await contentOf(shop, { path: "/items", ...other }),
      await contentOf(shop, { path: "/items", ...known }),
    ]);
    const [wrong, right] = result.map((each) => JSON.parse(each));
    expect(wrong.error.message).toMatch(/was not recorded\. Nearest: .* Differences: \S/);
    expect(right).toMatchObject({ status: 200 });
  });

  it("answers the same request in the recorded order, and then no more", async () => {
    let count = 0;
    const { baseUrl } = await record(
      (_request, response) => sendJson(response, { count: ++count }),
      async (shop) => {
        for (let each = 0; each < 2; each += 1)
          await contentOf(shop, { method: "GET", path: "/count" });
      },
    );
    const { result, replayed } = await replay(baseUrl, async (shop) => {
      const answers: { data?: { count: number }; error?: { code: string; message: string } }[] = [];
      for (let each = 0; each < 3; each += 1)
        answers.push(JSON.parse(await contentOf(shop, { method: "GET", path: "/count" })));
      return answers;
    });
    expect(result.slice(0, 2).map(({ data }) => data?.count)).toEqual([1, 2]);
    expect(result[2]?.error).toMatchObject({
      code: "not_recorded",
      message: expect.stringContaining("2 times"),
    });
    expect(() => replayed.assertAllUsed()).toThrow(
      "GET /count was recorded 2 times and sent once more.",
    );
  });

  it("names each recording that was not used, with what distinguishes it from others of its line", async () => {
    const order = (item: string) => (shop: SourceClient) =>
      contentOf(shop, { method: "POST", path: "/orders", body: { item } });
    const { baseUrl } = await record(
      (_request, response) => sendJson(response, {}),
      async (shop) => {
        for (const item of ["pen", "book", "book"]) await order(item)(shop);
      },
    );
    const { replayed } = await replay(baseUrl, order("book"));
    const left = ["pen", "book"].map(
      (item) => `shop: POST /orders with body.item ""${item}"" was recorded, but not sent.`,
    );
    expect(() => replayed.assertAllUsed()).toThrow(left.join("\n"));
  });

  it("fails a request that was not recorded, and names the nearest one with the members that differ", async () => {
    const { baseUrl } = await record(
      (_request, response) => sendJson(response, {}),
      (shop) =>
        contentOf(shop, { method: "POST", path: "/orders?dry=1", body: { item: "pen", count: 2 } }),
    );
    const { result, replayed } = await replay(baseUrl, (shop) =>
      contentOf(shop, { method: "POST", path: "/orders?dry=0", body: { item: "pen", count: 3 } }),
    );
    const { error } = JSON.parse(result);
    expect(error.message).toBe(
      'POST /orders?dry=0 was not recorded. Nearest: POST /orders?dry=1. Differences: query dry: recorded "1", sent "0"; body.count: recorded "2", sent "3".',
    );
    expect(() => replayed.assertAllUsed()).toThrow(
      "POST /orders?dry=1 was recorded, but not sent.",
    );
  });

  it("repeats retries, redirects and a broken connection without waiting", async () => {
    let calls = 0;
    const session = async (shop: SourceClient) => [
      await contentOf(shop, { method: "GET", path: "/busy" }),
      await contentOf(shop, { method: "GET", path: "/old" }),
      await contentOf(shop, { method: "GET", path: "/broken" }),
      await contentOf(shop, { method: "GET", path: "/half" }),
    ];
    const { recorded, baseUrl } = await record(
      (request, response) => {
        if (request.url === "/v1/old")
          return void response.writeHead(302, { location: "/v1/new" }).end();
        if (request.url === "/v1/broken") return void response.destroy();
        if (request.url === "/v1/half") {
          response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
          return void response.write('{"rows":[1,2,', () => response.destroy());
        }
        calls += 1;
        if (calls === 1) return void response.writeHead(503, { "retry-after": "9" }).end();
        sendJson(response, { url: request.url });
      },
      session,
      { limits: { retries: 1 } },
    );
    const { result, replayed } = await replay(baseUrl, session, { limits: { retries: 1 } });
    const withoutTimes = (answers: unknown) => JSON.stringify(answers).replace(/\\"ms\\":\d+/g, "");
    expect(withoutTimes(result)).toBe(withoutTimes(recorded));
    expect(JSON.parse(result[0] ?? "").waited).toMatchObject({
      requests: 2,
      why: "503, Retry-After 9",
    });
    expect(JSON.parse(result[3] ?? "").partial).toBeDefined();
    replayed.assertAllUsed();
  });

  it("answers a request that was sent after a pause of the API, and skips the pause", async () => {
    const session = (pauseMs: number) => async (shop: SourceClient) => {
      const first = await contentOf(shop, { method: "GET", path: "/rows" });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return [first, await contentOf(shop, { method: "GET", path: "/rows" })];
    };
    const api = { limits: { retries: 0, maxWaitMs: 100 } };
    let calls = 0;
    const respond: Respond = (_request, response) => {
      calls += 1;
      if (calls === 1) return void response.writeHead(429, { "retry-after": "1" }).end();
      sendJson(response, [{ id: 1 }]);
    };
    const { baseUrl } = await record(respond, session(1_100), api);
    const { result, replayed } = await replay(baseUrl, session(0), api);
    expect(result.map((content) => JSON.parse(content).status)).toEqual([429, 200]);
    replayed.assertAllUsed();
  });

  it("writes the time of a reset relative to the answer", async () => {
    const seconds = 1_800_000_000;
    jest.spyOn(Date, "now").mockReturnValue(seconds * 1_000);
    await record(
      (_request, response) => {
        const headers = {
          "x-ratelimit-remaining": "1",
          "x-ratelimit-limit": "100",
          "x-ratelimit-reset": `${seconds + 50}`,
        };
        sendJson(response, {}, 200, headers);
      },
      (shop) => contentOf(shop, { method: "GET", path: "/x" }),
    );
    expect(String(Object(entriesOf()[0]?.response["headers"])["x-ratelimit-reset"])).toBe(
      "{now+50 s}",
    );
    const text = readFile().replace("{now+50 s}", "{now+500 s}");
    writeFileSync(directory("shop.json"), text.replaceAll("\n", "\r\n"));
    const { result } = await replay("http://elsewhere.example/v1", (shop) =>
      contentOf(shop, { method: "GET", path: "/x" }),
    );
    expect(JSON.parse(result).rateLimit).toMatchObject({ resetInSeconds: 500 });
  });

  it("keeps bytes that are not text", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const { baseUrl } = await record(
      (_request, response) =>
        response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes),
      (shop) => shop.fetchBytes({ method: "GET", path: "/file" }),
    );
    const { result } = await replay(baseUrl, (shop) =>
      shop.fetchBytes({ method: "GET", path: "/file" }),
    );
    expect(Buffer.from(Object(result).bytes).equals(bytes)).toBe(true);
  });

  it("replays an upload whose boundary is another, and fails one whose part differs", async () => {
    const upload = (text: string) => (shop: SourceClient) =>
      contentOf(shop, {
        method: "POST",
        path: "/files",
        headers: { "Content-Type": "multipart/form-data" },
        body: { label: "a", file: { $text: text, name: "note.txt" } },
      });
    const { recorded, baseUrl } = await record(
      (request, response) =>
        sendJson(response, { parts: request.body.split("filename=").length - 1 }),
      upload("one"),
    );
    expect(recorded).toContain('"parts":1');
    expect((await replay(baseUrl, upload("one"))).result).toBe(recorded);
    const { message } = JSON.parse((await replay(baseUrl, upload("two"))).result).error;
    expect(message).toContain("Differences: body");
  });

  it("refuses a directory without recordings, a file that is not one, and production", async () => {
    expect(() => replayFrom(directory())).toThrow("contains no recordings");
    expect(() => replayFrom(directory("nowhere"))).toThrow("cannot be read (ENOENT)");
    for (const text of ['{"version":7}', '{"version":1,"entries":[']) {
      writeFileSync(directory("shop.json"), text);
      expect(() => replayFrom(directory())).toThrow("is not a recording of this version");
    }
    process.env["NODE_ENV"] = "production";
    try {
      expect(() => replayFrom(directory())).toThrow("NODE_ENV=production");
      expect(() => recordTo(directory())).toThrow("NODE_ENV=production");
    } finally {
      process.env["NODE_ENV"] = "test";
    }
  });
});

describe("a recording", () => {
  it("holds no credential, and what echoes one is redacted", async () => {
    await record(
      (request, response) =>
        sendJson(response, { echo: request.headers.authorization }, 200, {
          "x-echo": "t0ken-of-the-recording",
        }),
      (shop) =>
        contentOf(shop, {
          method: "POST",
          path: "/x?k=t0ken-of-the-recording",
          body: { k: "t0ken-of-the-recording" },
        }),
    );
    expect(readFile()).not.toContain("t0ken-of-the-recording");
    expect(readFile()).toContain("REDACTED");
  });

  it("lets the application remove what is personal, and refuses an entry that would contain a secret", async () => {
    const server = await startHttpServer((_request, response) =>
      sendJson(response, { name: "Ada" }),
    );
    const transport = recordTo(directory(), {
      redact: (entry) => ({
        ...entry,
        response: { status: 200, headers: {}, body: '{"name":"someone"}' },
      }),
    });
    await contentOf(openShop(server.url, { transport }), { method: "GET", path: "/me" });
    expect(readFile()).not.toContain("Ada");
    const leaking = recordTo(directory(), {
      redact: (entry) => ({
        ...entry,
        response: { status: 200, headers: {}, body: "t0ken-of-the-recording" },
      }),
    });
    const { error } = JSON.parse(
      await contentOf(openShop(server.url, { transport: leaking }), { method: "GET", path: "/me" }),
    );
    expect(error.code).toBe("recording_unsafe");
    expect(readFile()).not.toContain("t0ken-of-the-recording");
  });

  it("says that the request was sent where `redact` throws", async () => {
    const server = await startHttpServer((_request, response) => sendJson(response, { id: 7 }));
    const redact = (): never => {
      throw new Error("no such member: t0ken-of-the-recording");
    };
    const shop = openShop(server.url, { transport: recordTo(directory(), { redact }) });
    const { error } = JSON.parse(await contentOf(shop, { method: "POST", path: "/rows" }));
    expect(error).toMatchObject({
      code: "recording_failed",
      message: "The request was sent, but could not be recorded: no such member: [REDACTED].",
    });
  });

  it.each([
    ["application/xml", "<a><key>t0ken-of<![CDATA[-the-recording]]></key></a>"],
    ["text/html", "<p>t0ken-of<b></b>-the-recording</p>"],
  ])("refuses %s that is read to a secret", async (type, text) => {
    const server = await startHttpServer((_request, response) => {
      response.writeHead(200, { "content-type": type });
      response.end(text);
    });
    const shop = openShop(server.url, { transport: recordTo(directory()) });
    const content = await contentOf(shop, { method: "GET", path: "/a" });
    expect(JSON.parse(content).error.code).toBe("recording_unsafe");
  });

  it("refuses gzip that opens to a secret", async () => {
    const server = await startHttpServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/gzip" });
      response.end(gzipSync('{"key":"t0ken-of-the-recording"}'));
    });
    const shop = openShop(server.url, { transport: recordTo(directory()) });
    const { error } = JSON.parse(await contentOf(shop, { method: "GET", path: "/a.gz" }));
    expect(error.code).toBe("recording_unsafe");
    expect(readdirSync(directory())).toEqual([]);
  });

  it.each(["/path-t0ken-abcdef/a", "/a?X-Amz-Signature=path-t0ken-abcdef"])(
    "has of an address elsewhere the host and a hash, which a replay follows: %s",
    async (place) => {
      const files = await startHttpServer((_request, response) => sendJson(response, { a: 1 }));
      const elsewhere = files.url.replace("127.0.0.1", "localhost");
      const target = elsewhere + place;
      const api = { network: { downloadHosts: ["localhost"] } };
      const session = async (shop: SourceClient) =>
        JSON.parse(await contentOf(shop, { method: "GET", path: "/file" })).data;
      const link = `<${elsewhere}/v2/path-t0ken-abcdef>; rel="other"`;
      const { recorded, baseUrl } = await record(
        (_request, response) => response.writeHead(302, { location: target, link }).end(),
        session,
        api,
      );
      expect(recorded).toEqual({ a: 1 });
      expect(readFile()).not.toContain("t0ken-abcdef");
      expect(readFile()).toContain(`${elsewhere}/recorded-`);
      await files.close();
      const { result, replayed } = await replay(baseUrl, session, api);
      expect(result).toEqual(recorded);
      replayed.assertAllUsed();
    },
  );

  const session = "s3ssion-0a1b2c3d4e5f";
  const setCookie = { "set-cookie": `JSESSIONID=${session}; Path=/` };

  it.each<[string, Respond, readonly string[]]>([
    [
      "a renewed cookie that the body repeats",
      (_, to) => sendJson(to, { session }, 200, setCookie),
      ["/"],
    ],
    [
      "a cookie that a later body repeats",
      ({ url }, to) => sendJson(to, { session }, 200, url === "/v1/1" ? setCookie : {}),
      ["/1", "/2"],
    ],
    [
      "a cookie that an earlier body contains",
      ({ url }, to) => sendJson(to, { session }, 200, url === "/v1/2" ? setCookie : {}),
      ["/1", "/2"],
    ],
    [
      "a token that a header gives anew",
      (_, to) =>
        sendJson(to, { session }, 200, {
          "x-auth-token": session,
          authorization: `Bearer ${session}`,
        }),
      ["/"],
    ],
    [
      "a session id in the URL of a redirect",
      ({ url }, to) =>
        url === "/v1/1"
          ? to.writeHead(302, { location: `/v1/2;jsessionid=${session}` }).end()
          : sendJson(to, { url }),
      ["/1"],
    ],
    [
      "a token in the query of a redirect",
      ({ url }, to) =>
        url === "/v1/1"
          ? to.writeHead(302, { location: `/v1/2?token=${session}` }).end()
          : sendJson(to, { url }),
      ["/1"],
    ],
  ])("does not hold %s, and is replayed", async (_what, respond, paths) => {
    const run = async (shop: SourceClient) => {
      const statuses: number[] = [];
      for (const path of paths)
        statuses.push(JSON.parse(await contentOf(shop, { method: "GET", path })).status);
      return statuses;
    };
    const { recorded, baseUrl } = await record(respond, run);
    expect(readFile()).not.toContain(session);
    const { result, replayed } = await replay(baseUrl, run);
    expect(result).toEqual(recorded);
    expect(result).toEqual(paths.map(() => 200));
    replayed.assertAllUsed();
  });

  it("redacts a body in UTF-16 that contains the credential", async () => {
    await record(
      (_request, response) => {
        response.writeHead(200, { "content-type": "text/plain; charset=utf-16le" });
        response.end(Buffer.from("Ä t0ken-of-the-recording", "utf16le"));
      },
      (shop) => contentOf(shop, { method: "GET", path: "/" }),
    );
    const { entries } = JSON.parse(readFile());
    const bytes = Buffer.from(entries[0].response.body.base64, "base64").toString("latin1");
    expect(bytes.replaceAll("\0", "")).toBe("\xc4 [REDACTED]");
  });

  it("is added to by two recorders at once without loss", async () => {
    const real = await startHttpServer((request, response) =>
      sendJson(response, { is: request.url }),
    );
    const shops = [0, 1].map(() => openShop(real.url, { transport: recordTo(directory()) }));
    await Promise.all(
      shops.flatMap((shop, who) =>
        Array.from({ length: 10 }, (_, index) =>
          contentOf(shop, { method: "GET", path: `/${who}/${index}` }),
        ),
      ),
    );
    expect(entriesOf()).toHaveLength(20);
    expect(readdirSync(directory())).toEqual(["shop.json"]);
  });
});
