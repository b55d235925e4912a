import { describe, expect, it } from "@jest/globals";
import { sendJson } from "../../support/http-server.js";
import { type ShopTool, startShopTool } from "../../support/shop-tool.js";

const total = 724;
const size = 100;
const rowsFrom = (start: number): object[] =>
  Array.from({ length: Math.min(size, total - start) }, (_, at) => ({
    id: start + at,
    state: at % 3 === 0 ? "open" : "closed",
    points: at % 5,
    title: `The export of list ${start + at} stops after a while`,
  }));

/** 724 issues in numbered pages of 100, with `Link` and `X-Total-Count`. */
const startIssues = (): Promise<ShopTool> =>
  startShopTool((request, response) => {
    const page = Number(new URL(request.url, "http://x").searchParams.get("page") ?? 1);
    const issues = rowsFrom((page - 1) * size);
    const isLast = page * size >= total;
    sendJson(response, { issues }, 200, {
      "x-total-count": String(total),
      ...(isLast ? {} : { link: `</issues?page=${page + 1}>; rel="next"` }),
    });
  });

const get = { method: "GET", path: "/issues" };
const note = "`select` ran on 100 of 724 rows (one page). Add `pages` to read all.";

describe("a select over one page of several", () => {
  it.each([
    "length(issues)",
    "group_by(issues, &state) | items(@)[*].{state: [0], count: length([1])}",
    "{count: length(issues), points: sum(issues[].points)}",
  ])("has the note with the counts: %s", async (select) => {
    const { ask } = await startIssues();
    const { error, notes } = await ask({ ...get, select });
    expect(error).toBeUndefined();
    expect(notes).toEqual([note]);
  });

  it("has no note over all pages, and one with the pages read where they end early", async () => {
    const { ask } = await startIssues();
    const all = await ask({ ...get, select: "length(issues)", pages: 20 });
    expect(all).toMatchObject({ data: total, pages: { complete: true } });
    expect(all.notes).toBeUndefined();
    const some = await ask({ ...get, select: "length(issues)", pages: 3 });
    expect(some.notes).toEqual(["`select` ran on 300 of 724 rows (3 pages)."]);
  });

  it("has the note on a read of the kept page, too", async () => {
    const { ask, read } = await startIssues();
    const { shortened } = await ask({ ...get, query: { page: 2 }, headers: null });
    const answer = await read({ id: shortened.id, select: "length(issues)" });
    expect(answer).toMatchObject({
      data: 100,
      notes: ["`select` ran on 100 of 724 rows (one page)."],
    });
  });

  it("has no note on a single record, or on a list without another page", async () => {
    const shop = await startShopTool((request, response) =>
      sendJson(
        response,
        request.url === "/list" ? { items: rowsFrom(700) } : { id: 1, total_items: 9, items: [1] },
      ),
    );
    for (const path of ["/cart", "/list"]) {
      const { notes } = await shop.ask({ method: "GET", path, select: "length(items)" });
      expect(notes).toBeUndefined();
    }
  });

  it("names the list where it uses the envelope as the list", async () => {
    const shop = await startShopTool((_request, response) =>
      sendJson(response, {
        object: "list",
        data: [{ id: 1 }, { id: 2 }],
        has_more: false,
        url: "/v1/x",
      }),
    );
    const answer = await shop.ask({ method: "GET", path: "/customers", select: "length(@)" });
    expect(answer).toMatchObject({
      data: 4,
      notes: [expect.stringMatching(/^The rows are in `data`: \d+\.$/)],
    });
  });
});

describe("offset on a kept envelope", () => {
  it("counts the rows of its list, and leads to the rest", async () => {
    const { ask, read } = await startIssues();
    const { shortened } = await ask(get);
    const part = await read({ id: shortened.id, offset: 90, limit: 4 });
    expect(part.data.map(({ id }: { id: number }) => id)).toEqual([90, 91, 92, 93]);
    expect(part.notes).toEqual(["offset and limit count the rows of `issues`."]);
    expect(part.next).toMatchObject({ offset: 94, limit: 4 });
    expect((await read({ id: shortened.id, offset: 100 })).error.message).toContain("100 elements");
  });
});
