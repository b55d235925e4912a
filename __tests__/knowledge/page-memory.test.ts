import { afterEach, describe, expect, it } from "@jest/globals";
import { sendJson } from "../support/http-server.js";
import { type ShopTool, startShopTool } from "../support/shop-tool.js";

let shop: ShopTool | undefined;
afterEach(async () => {
  await shop?.close();
  shop = undefined;
});

const rowsFrom = (start: number): object[] => [0, 1, 2].map((at) => ({ id: start + at, name: `Item ${at}` }));

describe("a guessed next page that the model follows", () => {
  it.each([
    ["has a note when it brings the same rows again", () => rowsFrom(1), 1],
    ["has none when it brings other rows", (url: string) => rowsFrom(url.includes("?") ? 4 : 1), 0],
  ])("%s", async (_title, read, count) => {
    shop = await startShopTool((request, response) =>
      sendJson(response, { items: read(request.url), continuation: `c${request.url.length}` }),
    );
    const first = await shop.ask({ method: "GET", path: "/items" });
    expect(first.next).toBeDefined();
    const { pages: _pages, ...next } = first.next;
    const second = await shop.ask(next);
    const notes = ((second.notes ?? []) as string[]).filter((note) =>
      note.includes("repeats the rows of the page before"),
    );
    expect(notes).toHaveLength(count);
    // The first request was no guess: the same rows again are no news.
    const again = await shop.ask({ method: "GET", path: "/items" });
    expect(JSON.stringify(again.notes ?? [])).not.toContain("repeats the rows of the page before");
  });
});
