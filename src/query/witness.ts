/** What a run saw of names and kinds, and the notes about what can't have been meant: a query that is right has none. */

import { isJsonContainer, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { clipText, findDistance, quoteText } from "../text.js";
import { listNodes, type NodeOf, type SyntaxNode } from "./compile-expression.js";
import { type Kind, kindOf } from "./kinds.js";

const maxNotes = 5;
const maxPlaces = 20;
const maxNames = 200;
const maxShownNames = 20;
/** Containers looked at before a name is said to be missing. */
const maxWalked = 200_000;
const longestPath = 500;

/** Told by the evaluator where each name and comparison of the expression led. */
export class Witness {
  readonly #found = new Set<SyntaxNode>();
  readonly #missing = new Map<NodeOf<"Field">, JsonValue[]>();
  readonly #mismatched = new Map<NodeOf<"Comparator">, readonly [Kind, Kind]>();
  readonly #lists = new Map<SyntaxNode, JsonValue>();

  sawField(node: NodeOf<"Field">): void {
    this.#found.add(node);
  }

  /** @param place - What has no such member; not null. */
  missedField(node: NodeOf<"Field">, place: JsonValue): void {
    const places = this.#missing.get(node);
    if (places === undefined) this.#missing.set(node, [place]);
    else if (places.length < maxPlaces) places.push(place);
  }

  sawComparison(node: NodeOf<"Comparator">): void {
    this.#found.add(node);
  }

  missedComparison(node: NodeOf<"Comparator">, left: Kind, right: Kind): void {
    if (!this.#mismatched.has(node)) this.#mismatched.set(node, [left, right]);
  }

  /** `[]`, `[*]` or `[?…]` stands after an object. */
  missedList(node: SyntaxNode, place: JsonValue): void {
    this.#lists.set(node, place);
  }

  /** Whole sentences, at most five. A name is missing when it stood nowhere, not in rows that the query passed over either. */
  listNotes(tree: SyntaxNode, root: JsonValue): string[] {
    const compared = new Set<SyntaxNode>();
    const optional = new Set<SyntaxNode>();
    const asked = new Set<SyntaxNode>();
    for (const node of listNodes(tree)) {
      if (node.type === "Comparator") compared.add(node.right);
      for (const path of listPresenceTests(node)) addPath(path, asked);
      if (node.type === "OrExpression") addPath(node.left, optional);
      if (node.type === "Ternary") addPath(node.condition, optional);
      if (node.type === "Function" && node.name === "not_null")
        for (const child of node.children) addPath(child, optional);
    }
    const missing = [...this.#missing]
      .filter(([node]) => !this.#found.has(node) && !optional.has(node))
      .filter(([{ name }, places]) => !isInLikePlace(root, name, places))
      .filter(([node, places]) => !asked.has(node) || hasAkin(node.name, listNames(places)))
      .map(([node, places]) => describeMissing(node.name, places, compared.has(node)));
    const mismatched = [...this.#mismatched]
      .filter(([node]) => !this.#found.has(node))
      .map(([node, kinds]) => describeMismatch(node, kinds));
    const objects = [...this.#lists].map(([node, place]) => describeObject(node, place));
    return [...new Set([...missing, ...mismatched, ...objects])].slice(0, maxNotes);
  }
}

/** Paths whose presence is what a node asks for, so that their absence is an answer: `[?deleted_at]`, `!sold`, `error == null`. */
function listPresenceTests(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "NotExpression") return [node.child];
  if (node.type === "Comparator") {
    const isNull = (side: SyntaxNode): boolean => side.type === "Literal" && side.value === null;
    return isNull(node.left) || isNull(node.right) ? [node.left, node.right] : [];
  }
  if (node.type !== "FilterProjection") return [];
  const tests: SyntaxNode[] = [node.condition];
  for (const each of tests)
    if (each.type === "AndExpression" || each.type === "OrExpression") tests.push(each.left, each.right);
  return tests;
}

/**
 * Whether the name stands in a record at the same path as one that was asked for it, list positions aside: a filter, an index or
 * `max_by` picks rows, and the name may stand in the others.
 */
function isInLikePlace(root: JsonValue, name: string, places: readonly JsonValue[]): boolean {
  const asked = new Set<JsonValue>(places);
  const withName = new Set<string>();
  const paths = new Set<string>();
  const open: (readonly [JsonValue, string])[] = [[root, ""]];
  for (let read = 0, at = open.pop(); at !== undefined && read < maxWalked; at = open.pop(), read += 1) {
    const [value, path] = at;
    if (path.length > longestPath) continue;
    if (Array.isArray(value)) for (const item of value) open.push([item, `${path}[]`]);
    if (!isJsonObject(value)) continue;
    if (asked.has(value)) paths.add(path);
    if (Object.hasOwn(value, name)) withName.add(path);
    for (const key of Object.keys(value))
      if (isJsonContainer(value[key] ?? null)) open.push([value[key] ?? null, `${path}.${key}`]);
  }
  return [...paths].some((path) => withName.has(path));
}

/** Names of a plain path, whose absence the expression itself provides for (`a.b || c`). */
function addPath(node: SyntaxNode, names: Set<SyntaxNode>): void {
  const open: SyntaxNode[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.type === "Field") names.add(next);
    if (next.type === "Subexpression" || next.type === "IndexExpression" || next.type === "OrExpression")
      open.push(next.left, next.right);
  }
}

function describeMissing(name: string, places: readonly JsonValue[], isCompared: boolean): string {
  const shown = quoteText(name, 80);
  if (isCompared)
    return `There is no key ${shown} there; a string to compare with stands in single quotes: '${clipText(name, 80)}'.`;
  const names = listNames(places);
  if (names.length === 0) return `There is no key ${shown}: ${describePlace(places[0] ?? null)}.`;
  const nearest = findNearest(name, names);
  const more = names.length > maxShownNames ? " …" : "";
  const keys = names
    .slice(0, maxShownNames)
    .map((key) => clipText(key, 60))
    .join(", ");
  return nearest === undefined
    ? `There is no key ${shown} at that place; the keys are: ${keys}${more}.`
    : `There is no key ${shown} at that place, but ${quoteText(nearest, 80)}; the keys are: ${keys}${more}.`;
}

/** Most lists of APIs stand in a wrapper: `{"orders": […]}`. */
function describeObject(node: SyntaxNode, place: JsonValue): string {
  const lists = listNames([place])
    .filter((name) => isJsonObject(place) && Array.isArray(place[name]))
    .map((name) => `${clipText(name, 60)}[]`);
  const inside = lists.length === 0 ? "" : `, or a list in it: ${lists.slice(0, 3).join(", ")}`;
  return `[] takes a list, and ${describeSide(node)} is an object: write .* for its values, items(…)[*]${inside}.`;
}

function describePlace(place: JsonValue): string {
  const kind = kindOf(place);
  return kind === "object"
    ? "the object at that place is empty"
    : `what stands there is ${kind === "array" ? "an empty list" : `a ${kind}`}, which has no keys`;
}

/** A list has no names of its own, but its rows have. */
function listNames(places: readonly JsonValue[]): string[] {
  const names = new Set<string>();
  for (const place of places) {
    const row = Array.isArray(place) ? place.find(isJsonObject) : place;
    const before = Array.isArray(place) ? "[]." : "";
    if (Array.isArray(place) && row === undefined && place.length > 0) names.add("[]");
    if (!isJsonObject(row)) continue;
    for (const key in row) {
      if (names.size >= maxNames) return [...names];
      names.add(before + key);
    }
  }
  return [...names];
}

/** The one that was surely meant: another case, other punctuation, or a slip of one or two letters. */
export function findNearest(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string): string =>
    text
      .slice(0, 60)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  const wanted = plain(name);
  const ranked = names.map((key) => ({ key, slips: findDistance(wanted, plain(key)) }));
  const best = ranked.sort((one, other) => one.slips - other.slips)[0];
  return best !== undefined && best.slips <= Math.min(2, wanted.length / 3) ? best.key : undefined;
}

/** Whether one of the names may have been meant: `asignee` by `assignee_id`. */
function hasAkin(name: string, names: readonly string[]): boolean {
  return [name, name.replace(/_?ids?$/i, "")].some((each) => findNearest(each, names) !== undefined);
}

function describeMismatch(
  { left, right }: NodeOf<"Comparator">,
  [one, other]: readonly [Kind, Kind],
): string {
  const literal = [left, right].find((node) => node.type === "Literal");
  const written =
    literal?.type === "Literal" && !isJsonObject(literal.value)
      ? String(literal.value).slice(0, 40)
      : undefined;
  const said = `${describeSide(left)} is ${article(one)} and ${describeSide(right)} is ${article(other)}: they are never equal and have no order.`;
  if (one === "array" || other === "array") return `${said} contains(list, value) looks into a list.`;
  if (written === undefined) return `${said} to_number(…) and to_string(…) convert.`;
  const wantsString = (literal === left ? other : one) === "string";
  return `${said} Write ${wantsString ? `'${written}'` : `\`${written}\``}.`;
}

function describeSide(node: SyntaxNode): string {
  if (node.type === "Field") return quoteText(node.name, 80);
  if (node.type === "Literal") return clipText(JSON.stringify(node.value), 40);
  if (node.type === "Subexpression") return describeSide(node.right);
  return node.type === "Function" ? `${node.name}(…)` : "what stands there";
}

function article(kind: Kind): string {
  return kind === "array" || kind === "object" ? `an ${kind}` : `a ${kind}`;
}
