/** What a run saw of names and kinds, and the notes about what can't have been meant: a query that is right has none. */

import { isJsonContainer, isJsonObject, type JsonValue } from "../json/exact-number.js";
import { writeJson } from "../json/write-json.js";
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

/** Told by the evaluator where each name, comparison and list of the expression led. */
export class Witness {
  readonly #seen = new Set<SyntaxNode>();
  readonly #missed = new Map<SyntaxNode, JsonValue[]>();

  /** A name was there, two values were of one kind, rows were a list: at one place, which is enough. */
  saw(node: SyntaxNode): void {
    this.#seen.add(node);
  }

  /** @param places - What has no such name, or is no list; of a comparison its two sides. */
  missed(node: SyntaxNode, ...places: readonly JsonValue[]): void {
    const known = this.#missed.get(node);
    if (known === undefined) this.#missed.set(node, [...places]);
    else if (node.type === "Field" && known.length < maxPlaces) known.push(...places);
  }

  /** Whole sentences, at most five. A name is missing when it stood nowhere, not in rows that the query passed over either. */
  listNotes(tree: SyntaxNode, root: JsonValue): string[] {
    const nodes = [...listNodes(tree)];
    const written = new Set(nodes.flatMap((node) => (node.type === "Field" ? [node.name] : [])));
    const compared = new Set(nodes.flatMap((node) => (node.type === "Comparator" ? [node.right] : [])));
    const provided = new Set(nodes.flatMap(listProvided).flatMap(listNames));
    const notes = new Set<string>();
    for (const [node, places] of this.#missed) {
      if (this.#seen.has(node)) continue;
      if (node.type === "Comparator") notes.add(describeMismatch(node, places));
      else if (node.type !== "Field") notes.add(describeObject(node, places));
      else if (!isInLikePlace(root, node.name, places)) {
        const akin = provided.has(node) ? findAkin(node.name, listKeys(places)) : "";
        if (akin !== undefined && !written.has(akin))
          notes.add(describeMissing(node.name, places, compared.has(node)));
      }
    }
    return [...notes].slice(0, maxNotes);
  }
}

/** Parts whose absence the expression provides for: `[?deleted_at]`, `!sold`, `error == null`, `nick || name`. */
function listProvided(node: SyntaxNode): SyntaxNode[] {
  const isNull = (side: SyntaxNode): boolean => side.type === "Literal" && side.value === null;
  if (node.type === "NotExpression") return [node.child];
  if (node.type === "Comparator" && (isNull(node.left) || isNull(node.right))) return [node.left, node.right];
  if (node.type === "OrExpression") return [node.left];
  if (node.type === "Ternary") return [node.condition];
  if (node.type === "Function" && node.name === "not_null") return node.children;
  if (node.type !== "FilterProjection") return [];
  const tests: SyntaxNode[] = [node.condition];
  for (const each of tests)
    if (each.type === "AndExpression" || each.type === "OrExpression") tests.push(each.left, each.right);
  return tests;
}

/** The names of a plain path. */
function listNames(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "Field") return [node];
  const isPath = ["Subexpression", "IndexExpression", "OrExpression"].includes(node.type);
  return isPath && "left" in node ? [...listNames(node.left), ...listNames(node.right)] : [];
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
    if (asked.has(value)) paths.add(path);
    if (isJsonObject(value) && Object.hasOwn(value, name)) withName.add(path);
    for (const [key, item] of Object.entries(value ?? {}))
      if (isJsonContainer(item)) open.push([item, Array.isArray(value) ? `${path}[]` : `${path}.${key}`]);
  }
  return [...paths].some((path) => withName.has(path));
}

function describeMissing(name: string, places: readonly JsonValue[], isCompared: boolean): string {
  const shown = quoteText(name, 80);
  if (isCompared)
    return `There is no key ${shown} there; a string to compare with stands in single quotes: '${clipText(name, 80)}'.`;
  const keys = listKeys(places);
  if (keys.length === 0) {
    const kind = kindOf(places[0] ?? null);
    const empty = kind === "array" || kind === "object" ? `an empty ${kind}` : `a ${kind}`;
    return `There is no key ${shown}: what stands there is ${empty}.`;
  }
  const nearest = findNearest(name, keys);
  const but = nearest === undefined ? "" : `, but ${quoteText(nearest, 80)}`;
  const listed = keys.slice(0, maxShownNames).map((key) => clipText(key, 60));
  const more = keys.length > maxShownNames ? " …" : "";
  return `There is no key ${shown} at that place${but}; the keys are: ${listed.join(", ")}${more}.`;
}

/** Most lists of APIs stand in a wrapper: `{"orders": […]}`. */
function describeObject(node: SyntaxNode, [place = null]: readonly JsonValue[]): string {
  const lists = Object.entries(isJsonObject(place) ? place : {})
    .filter(([, value]) => Array.isArray(value))
    .map(([name]) => `${clipText(name, 60)}[]`);
  const inside = lists.length === 0 ? "" : `, or a list in it: ${lists.slice(0, 3).join(", ")}`;
  const side = "left" in node ? describeSide(node.left) : "what stands there";
  return `[] takes a list, and ${side} is an object: write .* for its values, items(…)[*]${inside}.`;
}

/** A list has no names of its own, but its rows have. */
function listKeys(places: readonly JsonValue[]): string[] {
  const names = new Set<string>();
  for (const place of places) {
    const row = Array.isArray(place) ? place.find(isJsonObject) : place;
    if (Array.isArray(place) && row === undefined && place.length > 0) names.add("[]");
    for (const key of isJsonObject(row) ? Object.keys(row).slice(0, maxNames) : [])
      names.add(Array.isArray(place) ? `[].${key}` : key);
  }
  return [...names].slice(0, maxNames);
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

/** Also `asignee` for `assignee_id`. */
function findAkin(name: string, names: readonly string[]): string | undefined {
  return findNearest(name, names) ?? findNearest(name.replace(/_?ids?$/i, ""), names);
}

function describeMismatch({ left, right }: NodeOf<"Comparator">, sides: readonly JsonValue[]): string {
  const [one = "null", other = "null"] = sides.map(kindOf);
  const said = `${describeSide(left)} is ${article(one)} and ${describeSide(right)} is ${article(other)}: they are never equal and have no order.`;
  if (one === "array" || other === "array") return `${said} contains(list, value) looks into a list.`;
  const literal = [left, right].find((node) => node.type === "Literal");
  if (literal?.type !== "Literal" || isJsonObject(literal.value))
    return `${said} to_number(…) and to_string(…) convert.`;
  const written = String(literal.value).slice(0, 40);
  const wantsString = (literal === left ? other : one) === "string";
  return `${said} Write ${wantsString ? `'${written}'` : `\`${written}\``}.`;
}

function describeSide(node: SyntaxNode): string {
  if (node.type === "Field") return quoteText(node.name, 80);
  if (node.type === "Literal") return clipText(writeJson(node.value), 40);
  if (node.type === "Subexpression") return describeSide(node.right);
  if (node.type === "Flatten") return describeSide(node.child);
  return node.type === "Function" ? `${node.name}(…)` : "what stands there";
}

function article(kind: Kind): string {
  return kind === "array" || kind === "object" ? `an ${kind}` : `a ${kind}`;
}
