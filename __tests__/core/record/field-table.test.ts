import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { writeFieldTable } from "../../support/field-table.js";

const page = "docs/records.md";
const between = /(<!-- fields -->\n)[\s\S]*?(\n<!-- end of fields -->)/;

it("the table of docs/records.md is that of the schema (UPDATE_DOCS=1 writes it)", () => {
  const text = readFileSync(page, "utf8");
  const right = text.replace(between, (_whole, start, end) => `${start}\n${writeFieldTable()}\n${end}`);
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(page, right);
  expect(text === right || process.env["UPDATE_DOCS"] === "1").toBe(true);
  expect(text).toMatch(between);
});
