import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { writeJsonSchema } from "../../../src/core/record/json-schema.js";
import { recordSchema } from "../../../src/core/record/record-schema.js";

/** A part of the JSON Schema, with our own words kept. */
interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly anyOf?: readonly Node[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly page?: string;
}

/** What the page has between the markers: a list, nested as a record is. */
function writeFieldList(): string {
  return listFields(writeJsonSchema(recordSchema, true) as Node, "").join("\n");
}

function listFields(node: Node, indent: string): string[] {
  const members = [node, ...(node.anyOf ?? [])].flatMap(({ properties = {} }) =>
    Object.entries(properties),
  );
  return members.flatMap(([name, field]) => [
    `${indent}- \`${name}\`: ${describeField(field)}`,
    ...listFields(field, `${indent}  `),
  ]);
}

function describeField(field: Node): string {
  const values = field.enum?.map((word) => `\`${word}\``).join(", ");
  const parts = [
    // What is between braces is code; what is between backticks is already.
    field.description?.replace(/`[^`]*`|"\$\{\w+\}"|\{\w+\}/g, (code) =>
      code.startsWith("`") ? code : `\`${code}\``,
    ),
    values && `One of ${values}.`,
    describeDefault(field.default),
    field.page && `[Details](${field.page}).`,
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" ");
}

function describeDefault(value: unknown): string {
  if (typeof value === "number") return `Default: ${value.toLocaleString("en")}.`;
  return ["string", "boolean"].includes(typeof value) ? `Default: \`${String(value)}\`.` : "";
}

const page = "docs/records.md";
const between = /(<!-- fields -->\n)[\s\S]*?(\n<!-- end of fields -->)/;

it("the list of docs/records.md is that of the schema (UPDATE_DOCS=1 writes it)", () => {
  const text = readFileSync(page, "utf8");
  const right = text.replace(
    between,
    (_whole, start, end) => `${start}\n${writeFieldList()}\n${end}`,
  );
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(page, right);
  expect(text === right || process.env["UPDATE_DOCS"] === "1").toBe(true);
  expect(text).toMatch(between);
});
