/** The cheap signs before the search for a next page stand for the tables of names behind them. */

import { describe, expect, it } from "@jest/globals";
import { normalizeKey } from "../../../src/core/base/shape.js";
import {
  cursorRows,
  linkKey,
  pageCountHeaders,
  signInHeaders,
  signOfCursor,
  signOfLink,
  totalHeaders,
} from "../../../src/core/paging/paging-names.js";
import { sendJson } from "../../support/http-server.js";
import { startShopTool } from "../../support/shop-tool.js";

/** A flat record has no list of chunks, beside which an `end` is a cursor. */
const stated = cursorRows.filter(({ beside }) => beside !== "chunk").map((row) => row.stated);

describe("the sign of a cursor", () => {
  it.each(stated)("is in the name of each row: %s", (name) => {
    expect(name).toMatch(signOfCursor);
  });

  it.each(stated.filter((name) => !name.includes(".")))(
    "leads to a note or a next page from a record of plain values: %s",
    async (name) => {
      const record = { name: "lamp", [name.replace("^", "")]: "k-7", more: "k-7" };
      const { ask } = await startShopTool((_request, response) => sendJson(response, record), {});
      const { next, notes } = await ask({ method: "GET", path: "/rows" });
      const row = cursorRows.find((each) => each.stated === name);
      const isAlone = row?.beside === undefined || row.beside === "+token";
      if (isAlone) expect(next ?? notes).toBeDefined();
    },
  );
});

describe("the sign of a link", () => {
  const ends = ["Link", "Url", "Uri", "Href"];
  const before = ["@odata.next", "hydra:next", "next", "next_page_", "nextRecords", "after_"];
  const links = before.flatMap((name) => ends.map((end) => `${name}${end}`));
  const escaped = "\\u006eextLink";

  it.each([...links, "next_results", "more_url", "more_topics_url", "moreUri", escaped])(
    "leads to the next page from a record of plain values: %s",
    async (name) => {
      const key: string = JSON.parse(`"${name}"`);
      expect(normalizeKey(key)).toMatch(linkKey);
      expect(signOfCursor.test(name) || signOfLink.test(name)).toBe(true);
      const { ask } = await startShopTool((_request, response) => {
        response.setHeader("content-type", "application/json");
        response.end(`{"name":"lamp","${name}":"/rows?from=k-7"}`);
      }, {});
      const { next } = await ask({ method: "GET", path: "/rows" });
      expect(next).toMatchObject({ path: "/rows?from=k-7" });
    },
  );
});

describe("the sign in headers", () => {
  const others = ["link", "x-ms-continuation", "x-next-cursor", "x-next-page", "content-range"];
  const counting = ["cmr-hits", "x-apify-pagination-total", "total"];

  it.each([...totalHeaders, ...pageCountHeaders, ...others, ...counting])(
    "is in the name of %s",
    (name) => {
      expect(name).toMatch(signInHeaders);
    },
  );
});
