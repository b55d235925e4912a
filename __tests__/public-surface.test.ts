import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { connectionVerdicts } from "../src/core/failure/cause.js";
import * as surface from "../src/index.js";
import { codesOf, readTable } from "./support/documents.js";

const codesOfTable = (page: string, heading: string): (string | undefined)[] =>
  readTable(page, heading).map(([cell = ""]) => codesOf(cell)[0]);

describe("langchain-api-sources", () => {
  it("is one file of named exports, with no `export *`", () => {
    expect(readFileSync("src/index.ts", "utf8")).not.toMatch(/export \*|export default/);
  });
});

describe("the reference", () => {
  it("has every error category in its table, in their order", () => {
    expect(codesOfTable("docs/answers.md", "Category")).toEqual([...surface.errorCategories]);
  });

  it("has every verdict of the connection test in its table, in their order", () => {
    expect(codesOfTable("docs/connection-test.md", "Verdict")).toEqual([...connectionVerdicts]);
  });
});

describe("the packed documents", () => {
  it("link only to what is packed with them", () => {
    const { files } = JSON.parse(readFileSync("package.json", "utf8"));
    const folders = readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`);
    const pages = ["README.md", "examples/README.md", ...folders].filter((name) => name.endsWith(".md"));
    const broken = pages.flatMap((page) =>
      [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
        .map(([, link = ""]) => join(dirname(page), link))
        .filter((target) => !existsSync(target) || !files.includes(target.split("/")[0]))
        .map((target) => `${page}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
