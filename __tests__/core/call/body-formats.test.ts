import { afterEach, describe, expect, it } from "@jest/globals";
import { type ShopTool, startShopTool } from "../../support/shop-tool.js";

let shop: ShopTool;
afterEach(() => shop.close());

async function send(contentType: string | undefined, body: unknown, settings = {}) {
  shop = await startShopTool((_request, response) => response.end("{}"), settings);
  const headers = contentType === undefined ? {} : { headers: { "Content-Type": contentType } };
  const answer = await shop.ask({ method: "POST", path: "/", body, ...headers });
  const [request] = shop.server.requests;
  return { error: answer.error, sent: request && [request.headers["content-type"], request.body] };
}

describe("a body", () => {
  it.each([
    [undefined, { a: 1 }, ["application/json", '{"a":1}']],
    [
      "application/x-www-form-urlencoded",
      { a: 1, b: [2] },
      ["application/x-www-form-urlencoded", "a=1&b[]=2"],
    ],
    ["application/x-www-form-urlencoded", "a=1&b=x", ["application/x-www-form-urlencoded", "a=1&b=x"]],
    ["text/csv", "id,name\n1,A\n", ["text/csv", "id,name\n1,A\n"]],
    ["application/xml", "<a>é</a>", ["application/xml", "<a>é</a>"]],
    ["application/soap+xml; charset=utf-8", "<a/>", ["application/soap+xml; charset=utf-8", "<a/>"]],
    ["text/plain", '{"not":"read"', ["text/plain", '{"not":"read"']],
    ["application/merge-patch+json", { a: null }, ["application/merge-patch+json", '{"a":null}']],
  ])("under the call's Content-Type %s is sent so", async (type, body, sent) => {
    const result = await send(type, body);
    expect(result.error).toBeUndefined();
    expect(result.sent?.map((part) => decodeURIComponent(String(part)))).toEqual(sent);
  });

  it.each([
    ["multipart/form-data; boundary=x", "--x", {}, "multipart"],
    ["text/csv", { a: 1 }, {}, "one string"],
    ["text/csv", "a,b", { bodyFormat: "json" }, "JSON type"],
    ["application/json", {}, { bodyFormat: "form" }, "added for you"],
  ])("under %s that can't be is refused with what would be right", async (type, body, settings, said) => {
    const result = await send(type, body, settings);
    expect(result.sent).toBeUndefined();
    expect(result.error.hint).toContain(said);
  });
});
