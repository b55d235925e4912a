import { expect, it } from "@jest/globals";
import { sendJson } from "../../support/http-server.js";
import { startShopTool } from "../../support/shop-tool.js";

it("the hint of a 404 names the nearest path above that was answered before, and no other", async () => {
  const shop = await startShopTool(({ url }, response) =>
    sendJson(response, {}, /^\/(?:shops\/7\/)?orders$/.test(url) ? 200 : 404),
  );
  const hintOf = async (path: string): Promise<string> =>
    (await shop.ask({ method: "GET", path })).error?.hint ?? "";
  expect(await hintOf("/shops/7/orders/1")).not.toContain("answered before");
  for (const path of ["/orders", "/shops/7/orders"]) await shop.ask({ method: "GET", path });
  expect(await hintOf("/shops/7/orders/1/lines")).toContain(
    "GET /shops/7/orders was answered before",
  );
  expect(await hintOf("/shops/7")).not.toContain("answered before");
});
