import { afterEach, expect, it } from "@jest/globals";
import { type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;
afterEach(() => shop.close());

it.each([
  ["text/csv", "id,name\n1,A\n"],
  ["application/xml", "<a>é</a>"],
  ["application/soap+xml; charset=utf-8", "<a/>"],
  ["text/plain", '{"not":"read"'],
  ["application/x-www-form-urlencoded", "a=1&b=x"],
])("a text is sent as it is under the call's Content-Type %s", async (type, body) => {
  shop = await startShopTool((_request, response) => response.end("{}"));
  const answer = await shop.ask({ method: "POST", path: "/", body, headers: { "Content-Type": type } });
  expect(answer.error).toBeUndefined();
  const [request] = shop.server.requests;
  expect([request?.headers["content-type"], request?.body]).toEqual([type, body]);
});
