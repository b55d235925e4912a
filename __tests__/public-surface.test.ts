import { readFileSync } from "node:fs";
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
