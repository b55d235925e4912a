import { request } from "node:http";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { combineHostilePaths, knownHostilePaths } from "../../support/hostile-paths.js";
import {
  encodedOncePaths,
  legitimatePaths,
  legitimateQueryStrings,
} from "../../support/legitimate-paths.js";
import { staysUnderBase } from "../../support/lenient-server.js";
import { isLongRun, runsOf } from "../../support/long-run.js";
import { startRawServer } from "../../support/raw-server.js";
import { isHarmless, origin, pathPieces, refusalOf, resolve } from "../../support/resolving.js";
import { words } from "../../support/words.js";

/** In the short run one of eleven: each start, dot pair, tail and separator is among them. */
const hostilePaths = [...combineHostilePaths()].filter((_, index) => isLongRun || index % 11 === 0);

const server = await startRawServer();

/** What arrives at a server for a URL. */
async function targetOf(url: string): Promise<string> {
  await new Promise((done, fail) => {
    request(`${server.url}${url.slice(origin.length)}`, { agent: false }, (response) =>
      response.resume().on("end", done),
    )
      .on("error", fail)
      .end();
  });
  return server.requests.at(-1)?.target ?? "";
}

describe("resolveUrl refuses", () => {
  it.each(["/v1", ""])(
    "every known hostile path under the base path %j, in words that steer no one",
    (base) => {
      for (const path of knownHostilePaths) {
        const error = refusalOf(path, { baseUrl: `${origin}${base}` });
        const said = `${error?.message} ${error?.hint}`;
        expect([path, error?.category]).toEqual([
          path,
          expect.stringMatching(/^(?:refused_by|invalid_in)/),
        ]);
        expect(said).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      }
    },
  );

  it("combinations of start, dots, tail and separator, also after an absolute URL of the same API", () => {
    const absolute = hostilePaths.map((path) => `${origin}/v1/${path.replace(/^\//, "")}`);
    expect([...hostilePaths, ...absolute].filter((path) => refusalOf(path) === undefined)).toEqual(
      [],
    );
  });

  it.each([[undefined], [null], [1], [true], [{}], [["a"]], [() => "a"]])(
    "%p, which is not a string",
    (path) => {
      expect(refusalOf(path)?.category).toBe("invalid_input");
    },
  );

  it.each([[" /a"], ["/a "], ["\u00a0/a"]])(
    "%j, a slip, as wrong input and not by the policy",
    (path) => {
      expect(refusalOf(path)?.category).toBe("invalid_input");
    },
  );

  it("a placeholder by its name", () => {
    const hint = expect.stringContaining("{userId}");
    expect(refusalOf("/users/{userId}/posts")).toMatchObject({ category: "invalid_input", hint });
  });

  it.each(["GET /orders", "delete /orders/7", "/POST%20/orders"])(
    "refuses a path that begins with a method: %s",
    (path) => {
      expect(refusalOf(path)).toMatchObject({
        category: "invalid_input",
        message: expect.stringContaining("begins with a method"),
      });
      expect(refusalOf("/GET orders")).toBeUndefined();
    },
  );
});

describe("resolveUrl accepts", () => {
  it("legitimate paths and query strings byte for byte", async () => {
    for (const path of legitimatePaths) {
      const target = `/v1${path.startsWith("/") ? "" : "/"}${path}`;
      expect(await targetOf(resolve(path).url)).toBe(target);
      expect([target, staysUnderBase(target, "/v1")]).toEqual([target, true]);
    }
    for (const query of legitimateQueryStrings) {
      const kept = query.replace("&&", "&");
      expect(await targetOf(resolve(`/x?${query}`).url)).toBe(`/v1/x?${kept}`);
      expect(await targetOf(resolve(`?${query}`).url)).toBe(`/v1?${kept}`);
    }
  });

  it("what URLs have an encoding for, encoded once", async () => {
    for (const [given, sent] of encodedOncePaths) {
      const { url, path } = resolve(given);
      expect([path, await targetOf(url)]).toEqual([`/${sent}`, `/v1/${sent}`]);
      expect(resolve(path).path).toBe(path);
    }
  });

  it("nothing that a lenient server reads outside the base path, whatever is thrown at it", () => {
    const path = fc
      .array(fc.constantFrom(...pathPieces), { maxLength: 8 })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(path, (text) => expect([text, isHarmless(text)]).not.toEqual([text, "escaped"])),
      {
        numRuns: runsOf(10_000),
      },
    );
  });

  it("arbitrary text only as what arrives byte for byte on the wire", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 30 }), async (path) => {
        if (refusalOf(path) !== undefined) return;
        const { url } = resolve(path);
        expect(`${origin}${await targetOf(url)}`).toBe(url);
      }),
      { numRuns: runsOf(200) },
    );
  });
});

describe("resolveUrl with an absolute URL of the same API", () => {
  it.each([
    [`${origin}/v1/users?page=2`, `${origin}/v1`, `${origin}/v1/users?page=2`],
    ["HTTPS://API.example.com:443/v1/users", `${origin}/v1`, `${origin}/v1/users`],
    [`${origin}/v1`, `${origin}/v1`, `${origin}/v1`],
    [`${origin}/v1/日本`, `${origin}/v1`, `${origin}/v1/%E6%97%A5%E6%9C%AC`],
    [
      "https://xn--bcher-kva.example/a",
      "https://bücher.example",
      "https://xn--bcher-kva.example/a",
    ],
    [
      "https://bücher.example/a",
      "https://xn--bcher-kva.example",
      "https://xn--bcher-kva.example/a",
    ],
    ["http://[::1]:8080/v1/a", "http://[0:0::1]:8080/v1", "http://[::1]:8080/v1/a"],
    ["https://h.example", "https://h.example", "https://h.example/"],
    ["https://h.example/ü/a", "https://h.example/ü", "https://h.example/%C3%BC/a"],
  ])("accepts %s under %s", (path, baseUrl, url) => {
    expect(resolve(path, { baseUrl }).url).toBe(url);
  });

  it.each([
    ...words(`
      api.example.com.evil.example api.example.com@evil.example evil.example evil.example\\@api.example.com
      user@api.example.com :@api.example.com @api.example.com api.example.com:8443 api.example.com. sub.api.example.com
      example.com аpi.example.com ａpi.example.com api。example.com api%2eexample.com api.ex\u00adample.com [::1
      api.example.com%23.evil.example api.example.com:443:443 api.example.com:99999 api.ex\tample.com /api.example.com
    `),
    "api.example\n.com",
  ])("refuses the host %j", (host) => {
    expect(refusalOf(`https://${host}/v1/x`)).toBeDefined();
  });

  it.each(["http://", "https:/", "https:", "//", "wss://", "blob:https://"])(
    "refuses the scheme %s",
    (scheme) => {
      expect(refusalOf(`${scheme}api.example.com/v1/x`)).toBeDefined();
    },
  );

  it.each([
    ..."/|/v1evil/x|/V1/x|/v2/x|/v1/../admin|/v1/%2e%2e/admin|/v1/..%2fadmin|/%76%31/x|/a/../v1/x|//v1/x".split(
      "|",
    ),
    ...["", "/v1//evil.example", "/v1/x#y"],
  ])("refuses the path %j of it", (path) => {
    expect(refusalOf(`${origin}${path}`)).toBeDefined();
  });
});

describe("resolveUrl with different base URLs", () => {
  it.each([
    ["https://h.example/", "", "https://h.example/", ""],
    ["https://h.example/v1/", "", "https://h.example/v1/", ""],
    ["https://h.example/v1/", "a", "https://h.example/v1/a", "/a"],
    ["https://h.example/v1", "/v1/users", "https://h.example/v1/v1/users", "/v1/users"],
    ["https://H.example/%7Euser", "a", "https://h.example/%7Euser/a", "/a"],
  ])("joins %s and %j", (baseUrl, given, url, path) => {
    expect(resolve(given, { baseUrl })).toMatchObject({ url, path });
  });
});

describe("resolveUrl with query parameters", () => {
  it("joins constant ones, those in the path and those given", () => {
    const { url, query } = resolve("/x?b=2&c=%2B", {
      query: [["d", "ä b"]],
      constantQuery: { version: "1" },
    });
    expect(url).toBe(`${origin}/v1/x?version=1&b=2&c=%2B&d=%C3%A4%20b`);
    expect(Object.fromEntries(query)).toEqual({ b: "2", c: "+", d: "ä b" });
  });

  it("refuses a reserved name in the path's query and among the given ones", () => {
    for (const path of ["x?API_KEY=1", "x?a=1;version=2"])
      expect(refusalOf(path, { constantQuery: { version: "1" } })?.category).toBe(
        "refused_by_policy",
      );
    expect(refusalOf("x", { query: [["Api_Key", "1"]] })?.category).toBe("refused_by_policy");
  });

  it("drops what an API's own link repeats of the configuration", () => {
    const path = `${origin}/v1/x?version=1&api_key=%5BREDACTED%5D&page=2&secret=[REDACTED]`;
    const { url, query } = resolve(path, { constantQuery: { version: "1", secret: "s" } });
    expect([url, query]).toEqual([`${origin}/v1/x?version=1&secret=s&page=2`, [["page", "2"]]]);
  });

  it("encodes in the path's query string what can't be there, once, braces too", () => {
    const sent = "q=%27a%20b%27&%E6%97%A5=%22%7C%5E%60%3C%3E%5C%7Bid%7D";
    expect(resolve("x?q='a b'&日=\"|^`<>\\{id}").url).toBe(`${origin}/v1/x?${sent}`);
    expect(resolve("x", { query: [["q", "{id}"]] }).url).toBe(`${origin}/v1/x?q=%7Bid%7D`);
  });

  it("refuses a URL of more than 8,000 characters, wherever they come from", () => {
    expect(refusalOf("x", { query: [["q", "a".repeat(8000)]] })?.category).toBe("invalid_input");
    expect(refusalOf("日".repeat(1000))?.category).toBe("invalid_input");
    expect(refusalOf("a".repeat(4000))?.category).toBe("invalid_input");
    expect(resolve("a".repeat(3999)).path).toHaveLength(4000);
  });

  it.each(["%ff", "\ufdfa", "&a=1", ";a=", "%2525"])(
    "refuses a megabyte of %j before it judges it",
    (text) => {
      const long = text.repeat(1_000_000 / text.length);
      for (const query of [[["q", long]], [[long, "1"]]] as const) {
        expect(refusalOf("x", { query })?.category).toBe("invalid_input");
      }
    },
  );
});
