import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isJsonObject, type JsonValue } from "../../../src/core/base/exact-number.js";
import { findNextPage, type NextPage } from "../../../src/core/paging/find-next-page.js";
import { runsOf } from "../../support/long-run.js";
import { type PagedApi, pagedApis } from "../../support/paged-api.js";
import { jsonBody } from "../../support/response-body.js";

/** Follows `next` until there is none; the ids of all rows seen. */
function walk(api: PagedApi, rows: readonly number[], size: number): number[] {
  const { query = "", body } = api.first(size);
  let next: NextPage | undefined = {
    method: api.method,
    path: query === "" ? "/items" : `/items?${query}`,
    ...(body === undefined ? {} : { body }),
  };
  const seen: number[] = [];
  for (let step = 0; next !== undefined; step++) {
    expect(step).toBeLessThanOrEqual(rows.length + 2);
    const sent: NextPage = next;
    const [path = "", search = ""] = sent.path.split("?");
    const page = api.answer(rows, size, { query: new URLSearchParams(search), body: toObject(sent.body) });
    const before = seen.length;
    seen.push(...[...JSON.stringify(page.body).matchAll(/"id":(\d+)/g)].map((match) => Number(match[1])));
    // A bookmark that never ends goes on behind the last row.
    if (seen.length === before && JSON.stringify(page.body).includes("bookmark")) break;
    ({ next } = findNextPage({
      request: {
        method: sent.method,
        path,
        query: [...new URLSearchParams(search)],
        ...(sent.body === undefined ? {} : { body: sent.body }),
      },
      url: `https://api.example.com${sent.path}`,
      baseUrl: "https://api.example.com",
      headers: page.headers,
      document: jsonBody(page.body).document,
      reservedQueryNames: [],
    }));
  }
  return seen;
}

function toObject(body: JsonValue | undefined): { [key: string]: JsonValue } | undefined {
  return isJsonObject(body) ? body : undefined;
}

describe("following next", () => {
  it.each(pagedApis.map((api) => [api.name, api] as const))(
    "visits every row once and ends: %s",
    (_name, api) => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 10 }), (count, size) => {
          const rows = Array.from({ length: count }, (_, index) => index + 100);
          expect(walk(api, rows, size)).toEqual(rows);
        }),
        { numRuns: runsOf(60) },
      );
    },
  );
});
