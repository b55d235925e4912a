import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ApiSourceError } from "../../src/errors.js";
import type { QueryPair } from "../../src/policy/parse-query.js";
import { type ResolvedUrl, resolveUrl } from "../../src/policy/resolve-url.js";
import { combineHostilePaths, knownHostilePaths } from "../support/hostile-paths.js";
import { encodedOncePaths, legitimatePaths, legitimateQueryStrings } from "../support/legitimate-paths.js";
import { staysUnderBase } from "../support/lenient-server.js";
import { isLongRun, runsOf } from "../support/long-run.js";
import { type RawServer, startRawServer } from "../support/raw-server.js";

/** In the short run one of eleven: each start, dot pair, tail and separator is among them. */
const hostilePaths = [...combineHostilePaths()].filter((_, index) => isLongRun || index % 11 === 0);

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer();
});
afterAll(() => server.close());

interface Given {
  readonly baseUrl?: string;
  readonly query?: readonly QueryPair[];
  readonly constantQuery?: Readonly<Record<string, string>>;
  readonly reservedQueryNames?: readonly string[];
}

function resolve(path: string, given: Given = {}): ResolvedUrl {
  return resolveUrl({
    baseUrl: `${server.url}/v1`,
    path,
    query: [],
    constantQuery: {},
    reservedQueryNames: ["api_key"],
    ...given,
  });
}

function refusalOf(path: unknown, given: Given = {}): ApiSourceError | undefined {
  try {
    resolve(path as string, given);
    return undefined;
  } catch (error) {
    if (error instanceof ApiSourceError) return error;
    throw error;
  }
}

function send(url: string): Promise<void> {
  return new Promise((done, fail) => {
    request(url, { agent: false }, (response) => response.resume().on("end", done))
      .on("error", fail)
      .end();
  });
}

/** What arrives at the server for a URL. */
async function targetOf(url: string): Promise<string> {
  await send(url);
  return server.requests.at(-1)?.target ?? "";
}

describe("resolveUrl refuses", () => {
  it.each(knownHostilePaths.map((path) => [path.slice(0, 60), path]))("%j", (_, path) => {
    const error = refusalOf(path);
    expect(["refused_by_policy", "invalid_input"]).toContain(error?.category);
    expect(error?.hint).not.toBe("");
  });

  it.each(knownHostilePaths.map((path) => [path.slice(0, 60), path]))(
    "%j under a base without a path",
    (_, path) => {
      expect(refusalOf(path, { baseUrl: server.url })).toBeDefined();
    },
  );

  it("every combination of start, dots, tail and separator", () => {
    const accepted = hostilePaths.filter((path) => refusalOf(path) === undefined);
    expect(accepted).toEqual([]);
  });

  it("every combination after an absolute URL of the same API", () => {
    const accepted = hostilePaths.filter(
      (path, index) =>
        index % 7 === 0 && refusalOf(`${server.url}/v1/${path.replace(/^\//, "")}`) === undefined,
    );
    expect(accepted).toEqual([]);
  });

  it.each([[undefined], [null], [1], [true], [{}], [["a"]], [() => "a"]])(
    "%p, which is no string",
    (path) => {
      expect(refusalOf(path)?.category).toBe("invalid_input");
    },
  );

  it("nothing with a raw control character in its message", () => {
    for (const path of knownHostilePaths) {
      const error = refusalOf(path);
      expect(`${error?.message}${error?.hint}`).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    }
  });

  it("a placeholder by its name", () => {
    expect(refusalOf("/users/{userId}/posts")).toMatchObject({
      category: "invalid_input",
      hint: expect.stringContaining("{userId}"),
    });
  });
});

describe("resolveUrl accepts", () => {
  it.each(legitimatePaths)("%s byte for byte", async (path) => {
    const { url } = resolve(path);
    const target = `/v1${path.startsWith("/") ? "" : "/"}${path}`;
    expect(url).toBe(`${server.url}${target}`);
    expect(await targetOf(url)).toBe(target);
    expect(staysUnderBase(target, "/v1")).toBe(true);
  });

  it.each(encodedOncePaths)("%j, encoded once", async (given, sent) => {
    const { url, path } = resolve(given);
    expect(path).toBe(`/${sent}`);
    expect(await targetOf(url)).toBe(`/v1/${sent}`);
    expect(resolve(path).path).toBe(path);
  });

  it.each(legitimateQueryStrings)("the query string %s byte for byte", async (query) => {
    const kept = query.replace("&&", "&");
    expect(await targetOf(resolve(`/x?${query}`).url)).toBe(`/v1/x?${kept}`);
    expect(await targetOf(resolve(`?${query}`).url)).toBe(`/v1?${kept}`);
  });

  it("nothing that a lenient server reads outside the base path, whatever is thrown at it", () => {
    const piece = fc.constantFrom(
      ..."/ / // \\ . .. ... ; ;x %2f %5c %2e %252e %25 %252f %c0 %ae %e0%80%ae %u002e a b : @ ? # = & % %00 %0a %3b %3f".split(
        " ",
      ),
      ..."%CC%87|\u0307|%E2%80%8B|%252f%CC%87|．．|‥|。|／|＼|⁄|∕|％|；|\u200b|\u00ad|é|ﬀ|\u0338|{|}|{x}|http:|//evil|%ef%bc%8e|\t|\n| |+|%20|\ufeff|%25252e".split(
        "|",
      ),
    );
    let accepted = 0;
    const runs = runsOf(10_000);
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
        (path) => {
          if (refusalOf(path) !== undefined) return;
          accepted += 1;
          const { url } = resolve(path);
          expect(new URL(url).href).toBe(url);
          expect(url.startsWith(`${server.url}/v1`)).toBe(true);
          expect(staysUnderBase(url.slice(server.url.length), "/v1")).toBe(true);
        },
      ),
      { numRuns: runs },
    );
    expect(accepted).toBeGreaterThan(runs / 100);
  });

  it("arbitrary text only as what arrives byte for byte on the wire", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 30 }), async (path) => {
        if (refusalOf(path) !== undefined) return;
        const { url } = resolve(path);
        expect(`${server.url}${await targetOf(url)}`).toBe(url);
      }),
      { numRuns: runsOf(200) },
    );
  });
});

describe("resolveUrl with an absolute URL of the same API", () => {
  const base = "https://api.example.com/v1";
  it.each([
    ["https://api.example.com/v1/users?page=2", base, "https://api.example.com/v1/users?page=2"],
    ["HTTPS://API.example.com:443/v1/users", base, "https://api.example.com/v1/users"],
    ["https://api.example.com/v1", base, "https://api.example.com/v1"],
    ["https://api.example.com/v1/", base, "https://api.example.com/v1/"],
    ["https://api.example.com/v1?a=1", base, "https://api.example.com/v1?a=1"],
    ["https://api.example.com/v1/日本", base, "https://api.example.com/v1/%E6%97%A5%E6%9C%AC"],
    ["https://xn--bcher-kva.example/a", "https://bücher.example", "https://xn--bcher-kva.example/a"],
    ["https://bücher.example/a", "https://xn--bcher-kva.example", "https://xn--bcher-kva.example/a"],
    ["http://[::1]:8080/v1/a", "http://[0:0::1]:8080/v1", "http://[::1]:8080/v1/a"],
    ["https://h.example", "https://h.example", "https://h.example/"],
    ["https://h.example/ü/a", "https://h.example/ü", "https://h.example/%C3%BC/a"],
  ])("accepts %s under %s", (path, baseUrl, url) => {
    expect(resolve(path, { baseUrl }).url).toBe(url);
  });

  it.each([
    "https://api.example.com.evil.example/v1/x",
    "https://api.example.com@evil.example/v1/x",
    "https://evil.example/v1/x",
    "https://evil.example\\@api.example.com/v1/x",
    "https://user@api.example.com/v1/x",
    "https://:@api.example.com/v1/x",
    "https://@api.example.com/v1/x",
    "https://api.example.com:8443/v1/x",
    "https://api.example.com./v1/x",
    "https://sub.api.example.com/v1/x",
    "https://example.com/v1/x",
    "http://api.example.com/v1/x",
    "https://аpi.example.com/v1/x",
    "https://ａpi.example.com/v1/x",
    "https://api。example.com/v1/x",
    "https://api%2eexample.com/v1/x",
    "https://api.ex\tample.com/v1/x",
    "https://api.example\n.com/v1/x",
    "https://api.ex\u00adample.com/v1/x",
    "https://api.example.com%23.evil.example/v1/x",
    "https://api.example.com:443:443/v1/x",
    "https://api.example.com:99999/v1/x",
    "https:///api.example.com/v1/x",
    "https:/api.example.com/v1/x",
    "https:api.example.com/v1/x",
    "//api.example.com/v1/x",
    "wss://api.example.com/v1/x",
    "blob:https://api.example.com/v1/x",
    "https://api.example.com/",
    "https://api.example.com",
    "https://api.example.com/v1evil/x",
    "https://api.example.com/V1/x",
    "https://api.example.com/v2/x",
    "https://api.example.com/v1/../admin",
    "https://api.example.com/v1/%2e%2e/admin",
    "https://api.example.com/v1/..%2fadmin",
    "https://api.example.com/%76%31/x",
    "https://api.example.com/a/../v1/x",
    "https://api.example.com//v1/x",
    "https://api.example.com/v1//evil.example",
    "https://api.example.com/v1/x#y",
    "https://[::1/v1/x",
  ])("refuses %s", (path) => {
    expect(refusalOf(path, { baseUrl: base })).toBeDefined();
  });
});

describe("resolveUrl with different base URLs", () => {
  it.each([
    ["https://h.example", "", "https://h.example/", "/"],
    ["https://h.example/", "", "https://h.example/", "/"],
    ["https://h.example", "/", "https://h.example/", "/"],
    ["https://h.example", "a", "https://h.example/a", "/a"],
    ["https://h.example/v1", "", "https://h.example/v1", ""],
    ["https://h.example/v1/", "", "https://h.example/v1/", ""],
    ["https://h.example/v1/", "/", "https://h.example/v1/", "/"],
    ["https://h.example/v1/", "a", "https://h.example/v1/a", "/a"],
    ["https://h.example/v1", "/v1/users", "https://h.example/v1/v1/users", "/v1/users"],
    ["https://h.example/a/b/c", "d", "https://h.example/a/b/c/d", "/d"],
    ["https://h.example:8443/v1", "a", "https://h.example:8443/v1/a", "/a"],
    ["http://[2001:db8::1]:8080/v1", "a", "http://[2001:db8::1]:8080/v1/a", "/a"],
    ["https://H.example/%7Euser", "a", "https://h.example/%7Euser/a", "/a"],
  ])("joins %s and %j", (baseUrl, path, url, below) => {
    expect(resolve(path, { baseUrl })).toMatchObject({ url, path: path === "" ? "" : below });
  });
});

describe("resolveUrl with query parameters", () => {
  it("joins constant ones, those in the path and those given", () => {
    const { url, query } = resolve("/x?b=2&c=%2B", {
      query: [["d", "ä b"]],
      constantQuery: { "api-version": "1" },
    });
    expect(url).toBe(`${server.url}/v1/x?api-version=1&b=2&c=%2B&d=%C3%A4%20b`);
    expect(query).toEqual([
      ["b", "2"],
      ["c", "+"],
      ["d", "ä b"],
    ]);
  });

  it.each([
    "x?api_key=1",
    "x?API_KEY=1",
    "x?api_key[]=1",
    "x?a=1;api_key=2",
    "x?a=1;%61pi_key=2",
    "x?%61pi_key=1",
    "x?%2561pi_key=1",
    "x?+api_key=1",
    "x?api.key=1",
    "x?version=2",
    "x?VERSION=1",
    "?api_key",
    "x?a=1&&api_key=2",
    "x?;api_key=1",
    "x?a=1;version=2",
  ])("refuses the reserved name in %s", (path) => {
    expect(refusalOf(path, { constantQuery: { version: "1" } })?.category).toBe("refused_by_policy");
  });

  it("refuses a reserved name among the given ones", () => {
    expect(refusalOf("x", { query: [["Api_Key", "1"]] })?.category).toBe("refused_by_policy");
  });

  it("drops what an API's own link repeats of the configuration", () => {
    const path = `${server.url}/v1/x?version=1&api_key=%5BREDACTED%5D&page=2&secret=[REDACTED]`;
    const { url, query } = resolve(path, { constantQuery: { version: "1", secret: "s" } });
    expect(url).toBe(`${server.url}/v1/x?version=1&secret=s&page=2`);
    expect(query).toEqual([["page", "2"]]);
  });

  it("encodes in the path's query string what can't stand there, once", () => {
    expect(resolve("x?q='a b'&日=\"|^`<>\\").url).toBe(
      `${server.url}/v1/x?q=%27a%20b%27&%E6%97%A5=%22%7C%5E%60%3C%3E%5C`,
    );
  });

  it("leaves braces in a query alone", () => {
    expect(resolve("x?q={id}").url).toBe(`${server.url}/v1/x?q=%7Bid%7D`);
    expect(resolve("x", { query: [["q", "{id}"]] }).url).toBe(`${server.url}/v1/x?q=%7Bid%7D`);
  });

  it.each(["%ff", "\ufdfa", "&a=1", ";a=", "%2525"])(
    "refuses a megabyte of %j before it judges it",
    (text) => {
      const long = text.repeat(1_000_000 / text.length);
      const start = process.cpuUsage();
      for (const pair of [
        ["q", long],
        [long, "1"],
      ] as const)
        expect(refusalOf("x", { query: [pair] })?.category).toBe("invalid_input");
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1_000).toBeLessThan(600);
    },
  );

  it("refuses a URL of more than 8,000 characters, wherever they come from", () => {
    expect(refusalOf("x", { query: [["q", "a".repeat(8000)]] })?.category).toBe("invalid_input");
    expect(refusalOf("日".repeat(1000))?.category).toBe("invalid_input");
    expect(refusalOf("a".repeat(4000))?.category).toBe("invalid_input");
    expect(resolve("a".repeat(3999)).path).toHaveLength(4000);
  });
});
