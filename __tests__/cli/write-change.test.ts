import { describe, expect, it } from "@jest/globals";
import { defineSource, SourceDirectory } from "langchain-api-sources";
import { writeChange } from "../../src/cli/record-change.js";
import { useDirectory } from "../support/temporary-directory.js";

const baseUrl = "https://api.shop.example";
const api = { baseUrl, authType: "bearer" as const, headers: { "X-A": "a" } };
const shop = defineSource({ name: "Shop", tagline: "Orders", api });

const home = useDirectory();

async function openShop() {
  const directory = await SourceDirectory.open(home());
  await directory.put(shop);
  return { directory, before: (await directory.get("shop")) ?? {} };
}

describe("writeChange", () => {
  it("loses no change of several commands that have read the same record", async () => {
    const { directory, before } = await openShop();
    const { tagline: _unset, ...untitled } = shop;
    await Promise.all(
      [
        untitled,
        { ...shop, api: { ...api, testEndpoint: "/me" } },
        { ...shop, api: { ...api, methods: ["GET" as const] } },
        { ...shop, api: { ...api, headers: { ...api.headers, "X-B": "b" } } },
        { ...shop, api: { ...api, headers: {} } },
        { ...shop, api: { baseUrl, authType: "basic" as const, headers: api.headers } },
      ].map(async (record) => writeChange(await SourceDirectory.open(home()), "shop", before, record)),
    );
    expect(await directory.get("shop")).toEqual({
      name: "Shop",
      api: { baseUrl, authType: "basic", headers: { "X-B": "b" }, testEndpoint: "/me", methods: ["GET"] },
    });
  });

  it("writes nothing that is wrong together, and nothing of a source that was removed since", async () => {
    const { directory, before } = await openShop();
    const open = { name: "Shop", api: { baseUrl } };
    await directory.put(open);
    const after = { ...shop, api: { ...api, authScheme: "Token" } };
    await expect(writeChange(directory, "shop", before, after)).rejects.toMatchObject({
      problems: [{ path: "api.authScheme" }],
    });
    expect(await directory.get("shop")).toEqual(open);
    await directory.remove("shop");
    await expect(writeChange(directory, "shop", before, after)).rejects.toThrow("was removed meanwhile");
    expect(await directory.list()).toEqual([]);
  });
});
