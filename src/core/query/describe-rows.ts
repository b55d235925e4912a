/** Names the parts of an expression that are objects where it takes lists, and what lists their members or has the rows. */

import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../base/exact-number.js";
import { clipText, quoteText } from "../base/text.js";
import type { SyntaxNode } from "./compile-expression.js";
import { writeKey } from "./find-in-document.js";

/** An object of objects: its values may be rows. */
function isOfObjects(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value ?? null)) return false;
  const [first, second] = Object.values(value as JsonObject);
  return isJsonObject(first ?? null) && isJsonObject(second ?? null);
}

export function describeRows(root: JsonValue, rows: readonly string[] | undefined): string {
  if (rows === undefined) {
    const advice = isOfObjects(root) ? ": `values(@)` lists its members, as in values(@)[].id" : "";
    return `The document is an object, not a list${advice}.`;
  }
  let list: JsonValue | undefined = root;
  for (const key of rows) list = isJsonObject(list) ? list[key] : undefined;
  const count = Array.isArray(list) ? `: ${list.length}` : "";
  return `The rows are in \`${clipText(rows.map(writeKey).join("."), 200)}\`${count}.`;
}

export function describeObject(node: SyntaxNode, value: JsonValue | undefined): string {
  const left = "left" in node ? node.left : undefined;
  const name = left === undefined ? "the value" : describeSide(left);
  const inner = left?.type === "Flatten" ? left.child : left;
  const path = inner?.type === "Field" ? writeKey(inner.name) : "…";
  const advice = isOfObjects(value) ? `: \`values(${path})\` lists its members` : "";
  return `${name} is an object, not a list${advice}.`;
}

export function describeSide(node: SyntaxNode): string {
  if (node.type === "Field") return quoteText(node.name, 80);
  if (node.type === "Literal") return clipText(writeJson(node.value), 40);
  if (node.type === "Subexpression") return describeSide(node.right);
  if (node.type === "Flatten") return describeSide(node.child);
  return node.type === "Function" ? `${node.name}(…)` : "the value";
}
