import { afterEach, expect, it } from "@jest/globals";
import { type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;
afterEach(() => shop.close());

it("deletes the oldest files of a thread over 100 MB, and no other thread's", async () => {
  const large = Buffer.alloc(24_000_000, 7);
  shop = await startShopTool((_request, response) => {
    response.writeHead(200, { "Content-Type": "image/png" });
    response.end(large);
  });
  const load = async (thread: string): Promise<string> => {
    const config = { configurable: { thread_id: thread } };
    return (await shop.ask({ method: "GET", path: "/a.png" }, config)).file.id;
  };
  const other = await load("other");
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) ids.push(await load("one"));
  const found = await Promise.all(ids.map((id) => shop.toolkit.readFile(id, { threadId: "one" })));
  expect(found.map((file) => file?.length)).toEqual([undefined, ...Array(4).fill(24_000_000)]);
  expect((await shop.toolkit.readFile(other, { threadId: "other" }))?.length).toBe(24_000_000);
});
