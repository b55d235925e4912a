import { describe, expect, it } from "@jest/globals";
import { isMap, listKeys, listMembers } from "../../../src/core/base/exact-number.js";
import { toShape } from "../../../src/core/base/shape.js";
import { parseCallRequest } from "../../../src/core/call/call-request.js";
import { listOutcomes } from "../../../src/core/failure/batch-rows.js";
import { readErrorBody } from "../../../src/core/failure/error-body.js";
import { hasHiddenFailure } from "../../../src/core/failure/hidden-failure.js";
import { findPartialFailures } from "../../../src/core/failure/partial-failures.js";
import { clipJson } from "../../../src/core/failure/shown-text.js";
import { findNextPage } from "../../../src/core/paging/find-next-page.js";
import { loadQueryEngine } from "../../../src/core/query/query-engine.js";

function makeWide(members: number, last: Record<string, unknown> = {}) {
  const entries = Array.from({ length: members }, (_, index) => [`k${index}`, index]);
  return { ...Object.fromEntries(entries), ...last };
}

/** A list that notes how far it is read. */
function makeWatched(length: number) {
  const seen = { most: -1 };
  const list = new Proxy(
    Array.from({ length }, () => 1),
    {
      get(target, name, receiver) {
        if (typeof name === "string" && /^\d+$/.test(name))
          seen.most = Math.max(seen.most, Number(name));
        return Reflect.get(target, name, receiver);
      },
      ownKeys() {
        throw new Error("The keys of a list were listed.");
      },
    },
  );
  return { seen, list };
}

describe("an object with more than 5,000 members", () => {
  const map = makeWide(5_001);

  it("is a map, without a shape", () => {
    expect([isMap(map), isMap(makeWide(5_000))]).toEqual([true, false]);
    expect(toShape(map).size).toBe(0);
    expect(toShape(makeWide(5_000)).size).toBe(200);
  });

  it("reports no failure, no code and no fields", () => {
    const failed = makeWide(5_001, { success: false, message: "no", error: { code: "x" } });
    const body = { kind: "json" as const, document: failed, text: "", bytes: 1 };
    expect(hasHiddenFailure(body)).toBe(false);
    expect(readErrorBody({ error: failed })).toMatchObject({ codes: [], message: undefined });
    expect(readErrorBody({ errors: makeWide(5_001) }).fields.size).toBe(0);
    expect(findPartialFailures(failed)).toEqual([]);
  });

  it("has its keys listed once to find the next page", () => {
    const listings: string[] = [];
    const document = new Proxy(makeWide(6_000), {
      ownKeys(target) {
        listings.push("keys");
        return Reflect.ownKeys(target);
      },
    });
    const request = { method: "GET" as const, path: "/hosts", query: [] };
    const url = "https://api.example.com/hosts";
    const about = { request, url, baseUrl: "https://api.example.com", headers: {} };
    expect(findNextPage({ ...about, document, reservedQueryNames: [] }).candidates).toEqual([]);
    expect(listings).toEqual(["keys"]);
  });

  it("has its keys listed once, and its first members taken", () => {
    expect(listKeys(map)).toBe(listKeys(map));
    expect(listMembers(map, 2)).toEqual([
      ["k0", 0],
      ["k1", 1],
    ]);
  });
});

describe("a long list", () => {
  it("is read up to the characters that are shown", () => {
    const { seen, list } = makeWatched(500_000);
    expect(clipJson(list, 300).truncated).toBe(true);
    expect(seen.most).toBeLessThan(200);
  });

  it("is read to its first row where that is no outcome of a batch", () => {
    const { seen, list } = makeWatched(500_000);
    expect(listOutcomes(list, 200)).toEqual([expect.objectContaining({ isBatch: false })]);
    expect(seen.most).toBe(0);
  });

  it("is not spread to note a missing name", async () => {
    const engine = await loadQueryEngine();
    const { notes } = engine.run(
      { rows: Array.from({ length: 200_000 }, () => []) },
      "rows[].x || y",
    );
    expect(notes.join()).toContain('no key "y"');
  });
});

describe("an input of a megabyte", () => {
  const text = "a=1&".repeat(250_000);
  it.each([
    ["query", text],
    ["query", JSON.stringify(makeWide(70_000))],
    ["query", makeWide(5_001)],
    ["headers", text],
    ["headers", Array.from({ length: 5_001 }, () => ["a", "b"])],
  ])("is refused by its length before it is parsed: %s", (name, value) => {
    expect(() => parseCallRequest({ method: "GET", path: "/", [name]: value })).toThrow(
      expect.objectContaining({
        category: "invalid_input",
        message: expect.stringMatching(
          /^(?:query|headers) has \d+ (?:characters|members); at most/,
        ),
      }),
    );
  });
});
