import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import { defineSource, SourceDirectory } from "langchain-api-sources";
import { useDirectory } from "../../support/temporary-directory.js";
import { asRecord } from "../../support/unchecked.js";

const shop = defineSource({
  name: "Shop",
  api: { baseUrl: "https://api.shop.example", authType: "bearer" },
});

const home = useDirectory();

async function open(): Promise<SourceDirectory> {
  return SourceDirectory.open(home());
}

describe("SourceDirectory.open", () => {
  it("lists nothing in a directory that is not there, and makes it with the first record", async () => {
    const directory = await SourceDirectory.open(home("new", "deep"));
    expect(await directory.list()).toEqual([]);
    await directory.put(shop);
    expect((await directory.list()).map(({ slug }) => slug)).toEqual(["shop"]);
  });

  it("refuses a path that is a file", async () => {
    await writeFile(home("file"), "");
    await expect(SourceDirectory.open(home("file"))).rejects.toMatchObject({
      category: "not_configured",
      message: expect.stringContaining("ENOTDIR"),
    });
  });
});

describe("put", () => {
  it("writes SLUG.json with two spaces and keys in the order given", async () => {
    const entry = await (await open()).put(shop);
    expect(entry.file).toBe(home("shop.json"));
    expect(await readFile(entry.file, "utf8")).toBe(`${JSON.stringify(shop, null, 2)}\n`);
  });

  it("replaces the record whole: what is not given again is gone", async () => {
    await writeFile(
      home("shop.json"),
      JSON.stringify({ ...shop, tagline: "Orders", "x-owner": "sales" }),
    );
    await (await open()).put(shop);
    expect(JSON.parse(await readFile(home("shop.json"), "utf8"))).toEqual(shop);
  });

  it("writes nothing for a wrong record, and lists every problem", async () => {
    const directory = await open();
    const wrong = directory.put(
      asRecord({ name: "Shop", api: { baseUrl: "nowhere", authType: "bear" } }),
    );
    await expect(wrong).rejects.toMatchObject({
      problems: [{ path: "api.baseUrl" }, { path: "api.authType" }],
    });
    expect(await readdir(home())).toEqual([]);
  });

  it("refuses the name of another API, and one that differs only in case and dashes", async () => {
    const directory = await open();
    await directory.put({ ...shop, slug: "my_shop" });
    const other = { name: "Other", slug: "my_shop", api: { baseUrl: "https://other.example" } };
    await expect(directory.put(other)).rejects.toMatchObject({
      category: "conflict",
      message: expect.stringContaining("https://api.shop.example"),
    });
    const near = directory.put({ ...other, slug: "My-Shop" });
    await expect(near).rejects.toMatchObject({ category: "conflict" });
    expect(await readdir(home())).toEqual(["my_shop.json"]);
  });

  it("replaces the record of a file that somebody named by hand", async () => {
    await writeFile(home("orders.json"), JSON.stringify(shop));
    const entry = await (await open()).put({ ...shop, tagline: "Orders" });
    expect(entry.file).toBe(home("orders.json"));
    expect(await readdir(home())).toEqual(["orders.json"]);
  });

  it("refuses to change a record that is in a file with others", async () => {
    const two = [shop, { ...shop, name: "Second" }];
    await writeFile(home("all.json"), JSON.stringify(two));
    const directory = await open();
    await expect(directory.put({ ...shop, tagline: "new" })).rejects.toMatchObject({
      category: "conflict",
    });
    await expect(directory.remove("shop")).rejects.toMatchObject({ category: "conflict" });
    expect(JSON.parse(await readFile(home("all.json"), "utf8"))).toEqual(two);
  });

  it("removes what a killed process left, once it is old", async () => {
    const abandoned = home(".shop.json.123.0123456789ab.tmp");
    await writeFile(abandoned, "half");
    const directory = await open();
    await directory.put(shop);
    expect(await readdir(home())).toContain(".shop.json.123.0123456789ab.tmp");
    await utimes(abandoned, 0, 0);
    await directory.put(shop);
    expect(await readdir(home())).toEqual(["shop.json"]);
  });
});

describe("list, get and remove", () => {
  it("list a broken file with its problem beside the others", async () => {
    await writeFile(home("broken.json"), '{"name": ');
    await writeFile(home("wrong.json"), '{"api": {"baseUrl": 7}}');
    const directory = await open();
    await directory.put(shop);
    const entries = await directory.list();
    expect(entries.map(({ slug, problems }) => [slug, problems.length > 0])).toEqual([
      ["broken", true],
      ["shop", false],
      ["wrong", true],
    ]);
    expect(entries[0]?.problems[0]?.message).toMatch(/not JSON: line 1/);
    expect(entries[2]?.record).toEqual({ api: { baseUrl: 7 } });
  });

  it("return and remove the record of a name, and report a missing one", async () => {
    const directory = await open();
    await directory.put(shop);
    expect([await directory.get("shop"), await directory.get("nobody")]).toEqual([shop, undefined]);
    expect([await directory.remove("shop"), await directory.remove("shop")]).toEqual([true, false]);
    expect(await readdir(home())).toEqual([]);
  });
});

describe("several writers", () => {
  it("never let a reader see half a record", async () => {
    const directory = await open();
    const tagline = "long enough that a write takes a moment ".repeat(2_000);
    let isOver = false;
    const write = async (name: string): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1)
        await directory.put({
          name,
          tagline: `${turn} ${tagline}`,
          api: { baseUrl: `https://${name}.example` },
        });
    };
    const writing = Promise.all([write("one"), write("two")]).finally(() => {
      isOver = true;
    });
    while (!isOver)
      expect((await directory.list()).flatMap(({ problems }) => problems)).toEqual([]);
    await writing;
    expect((await directory.list()).map(({ slug }) => slug)).toEqual(["one", "two"]);
  });

  it("of the same new name, or nearly the same: one wins, and the other fails", async () => {
    const names = ["my_shop", "my_shop", "My-Shop", "MY_SHOP", "my-shop"];
    const outcomes = await Promise.allSettled(
      names.map(async (slug, index) => {
        const api = { baseUrl: `https://api${index}.example` };
        return (await open()).put({ name: `API ${index}`, slug, api });
      }),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readdir(home())).toHaveLength(1);
  });
});

it("a document of a record is not listed, and is never replaced by a record that would have its name", async () => {
  const api = { ...shop.api, openapi: "billing.json" };
  await writeFile(home("shop.json"), JSON.stringify({ name: "Shop", api }));
  await writeFile(home("billing.json"), '{"openapi":"3.1.0"}');
  const directory = await open();
  expect((await directory.list()).map(({ slug }) => slug)).toEqual(["shop"]);
  await expect(directory.put({ ...shop, name: "Billing" })).rejects.toMatchObject({
    category: "conflict",
  });
  expect(await readFile(home("billing.json"), "utf8")).toBe('{"openapi":"3.1.0"}');
});
