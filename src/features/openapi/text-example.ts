/** An example of a body in a text format: a value as NDJSON, CSV, YAML or XML has it. */

import { isPlainObject } from "../../core/base/input.js";
import { isLinesType } from "../../core/request/operation-form.js";
import { type ApiDocument, asObject, asString } from "./api-document.js";

/** @returns What the tool takes: a list for JSON lines, else a text. */
export function writeTextExample(
  document: ApiDocument,
  type: string,
  schema: unknown,
  value: unknown,
): unknown {
  if (isLinesType(type)) return Array.isArray(value) ? value : [value];
  if (typeof value === "string") return value;
  // YAML 1.2 has JSON in it.
  if (/yaml/.test(type)) return JSON.stringify(value);
  if (/xml/.test(type)) return writeXml(findRoot(document, schema), value);
  return /csv/.test(type) ? writeCsv([value].flat()) : "text";
}

function findRoot(document: ApiDocument, schema: unknown): string {
  return asString(asObject(document.follow(schema)["xml"])["name"]) ?? "root";
}

function writeXml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => writeXml(name, item)).join("");
  const content = isPlainObject(value)
    ? Object.entries(value)
        .map(([member, own]) => writeXml(member, own))
        .join("")
    : escapeXml(String(value));
  return content === "" ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function writeCsv(rows: readonly unknown[]): string {
  const objects = rows.filter(isPlainObject);
  const names = [...new Set(objects.flatMap((row) => Object.keys(row)))];
  if (names.length === 0) return "text";
  const lines = objects.map((row) => names.map((name) => writeCell(row[name])).join(","));
  return `${[names.map(writeCell).join(","), ...lines].join("\n")}\n`;
}

function writeCell(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
