/** The notes about the parts of an expression that matched nothing: one rule for each kind of part. */

import { isJsonContainer, isJsonObject, type JsonValue, listKeys } from "../base/exact-number.js";
import { suggest } from "../base/suggest.js";
import { clipText, plural, quoteText } from "../base/text.js";
import { listNodes, type NodeOf, type SyntaxNode } from "./compile-expression.js";
import { describeObject, describeSide } from "./describe-rows.js";
import { kindOf } from "./kinds.js";
import { listOptional, type Unmatched } from "./optional-names.js";

const maxNames = 200;

/** The parts of an expression that the notes about one of them depend on. */
export interface Query {
  readonly root: JsonValue;
  /** The names that are written in it. */
  readonly written: ReadonlySet<string>;
  /** Names whose absence it provides for. */
  readonly provided: ReadonlySet<SyntaxNode>;
  /** Indexes and slices that are taken of each element. */
  readonly ofEach: ReadonlySet<SyntaxNode>;
  /** The right sides of its comparisons, and what functions look for in a text: a text may be meant there. */
  readonly compared: ReadonlySet<SyntaxNode>;
  /** Names that another record has. */
  readonly optional: ReadonlySet<SyntaxNode>;
  /** Whether it has a sum or a mean. */
  readonly addsUp: boolean;
  /** The lists of keys that were looked through: each is written once. */
  readonly listed: Set<string>;
}

export function readQuery(tree: SyntaxNode, root: JsonValue, unmatched: Unmatched): Query {
  const nodes = [...listNodes(tree)];
  const fields = nodes.flatMap((node) => (node.type === "Field" ? [node.name] : []));
  return {
    root,
    written: new Set(fields),
    provided: new Set(nodes.flatMap(listProvided).flatMap(listNames)),
    ofEach: new Set(nodes.flatMap(listStepsOfEach)),
    compared: new Set(nodes.flatMap(listCompared)),
    optional: listOptional(root, unmatched),
    addsUp: nodes.some((node) => node.type === "Function" && /^(?:sum|avg)$/.test(node.name)),
    listed: new Set(),
  };
}

const searches = /^(?:contains|ends_with|replace|split|starts_with)$/;

function listCompared(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "Comparator") return [node.right];
  return node.type === "Function" && searches.test(node.name) ? node.children.slice(1) : [];
}

/** The note about a part that matched nothing; undefined where that may be meant. */
export function describeNode(
  node: SyntaxNode,
  places: readonly JsonValue[],
  query: Query,
): string | undefined {
  if (node.type === "Comparator") return describeSides(node, places);
  if (node.type === "Field") return describeField(node, places, query);
  const [first = null] = places;
  const isStep = node.type === "Index" || node.type === "Slice";
  if (isStep && query.ofEach.has(node)) return describeStep(node, first);
  // The beginning of a text is a slice, too.
  return typeof first === "string" ? undefined : describeObject(node, places[0]);
}

function describeField(
  node: NodeOf<"Field">,
  places: readonly JsonValue[],
  query: Query,
): string | undefined {
  if (!isJsonContainer(query.root))
    return `The document is a ${kindOf(query.root)} and has no keys.`;
  if (query.optional.has(node)) return undefined;
  const keys = listKnownKeys(places);
  const known = describeKeys(keys);
  const isNew = !query.listed.has(known);
  query.listed.add(known);
  if (query.compared.has(node)) return describeBareText(node.name);
  const divided = keys.find((key) => isDivided(key, node.name, query.written));
  if (divided !== undefined)
    return `${quoteText(divided, 80)} is a single key: write it in double quotes.`;
  if (isMeant(node, keys, query)) return undefined;
  return describeMissing(node.name, keys) + (isNew ? known : "");
}

/** No key in use is longer. */
const longestDivided = 200;

/** Whether the expression has a key such as `odata.type` or `x-id` in parts, of which the first is missing. */
function isDivided(key: string, name: string, written: ReadonlySet<string>): boolean {
  if (key.length > longestDivided) return false;
  const parts = key.split(/[.-]/);
  return parts.length > 1 && parts[0] === name && parts.every((part) => written.has(part));
}

/** A name whose absence the expression provides for is a mistake only where a key that it does not name is nearly the same. */
function isMeant(
  node: NodeOf<"Field">,
  keys: readonly string[],
  { provided, written }: Query,
): boolean {
  if (!provided.has(node)) return false;
  const akin = suggest(node.name, keys)?.name;
  return akin === undefined || written.has(akin);
}

export function describeNullKeys(count: number): string {
  return `${plural(count, "row")} with null as the key of group_by() are under "null".`;
}

export function describeNoNumbers({
  first,
  count,
}: {
  readonly first: string;
  readonly count: number;
}): string {
  return `Of ${plural(count, "text")}, such as ${quoteText(first, 40)}, to_number() made null, which sum() and avg() leave out.`;
}

/** The indexes and slices that a projection takes of each element; those of a new object or a function are meant so. */
function listStepsOfEach(node: SyntaxNode): SyntaxNode[] {
  return /Projection$/.test(node.type) && "right" in node ? listSteps(node.right) : [];
}

function listSteps(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "Index" || node.type === "Slice") return [node];
  const isPath = /(?:Projection|Subexpression|IndexExpression)$/.test(node.type) && "left" in node;
  return isPath ? [...listSteps(node.left), ...listSteps(node.right)] : [];
}

function describeStep(node: NodeOf<"Index" | "Slice">, value: JsonValue): string {
  const bounds = node.type === "Index" ? [node.value] : [node.start, node.stop];
  const written = `[${bounds.map((bound) => bound ?? "").join(":")}]`;
  return `${written} is taken of each element, and one is ${describeKind(value)}, not a list. \`| ${written}\` takes it of all elements.`;
}

/** `==true` and `=="open"` compare with the member of that name. */
function describeBareText(name: string): string {
  if (name === "true" || name === "false")
    return `\`== ${name}\` names a key: write == \`${name}\` with the backticks.`;
  return `${quoteText(name, 80)} is a key here, and does not exist: write a text in single quotes.`;
}

const mostKeys = 15;

function describeKeys(keys: readonly string[]): string {
  if (keys.length === 0) return "";
  const more = keys.length > mostKeys ? ` and ${keys.length - mostKeys} more` : "";
  return ` Keys: ${clipText(
    keys
      .slice(0, mostKeys)
      .map((key) => clipText(key, 40))
      .join(", "),
    250,
  )}${more}.`;
}

/** Parts whose absence the expression provides for: `[?deleted_at]`, `!sold`, `error == null`, `nick || name`. */
function listProvided(node: SyntaxNode): SyntaxNode[] {
  const isNull = (side: SyntaxNode): boolean => side.type === "Literal" && side.value === null;
  if (node.type === "NotExpression") return [node.child];
  if (node.type === "Comparator" && (isNull(node.left) || isNull(node.right)))
    return [node.left, node.right];
  if (node.type === "OrExpression") return [node.left];
  if (node.type === "Ternary") return [node.condition];
  if (node.type === "Function" && node.name === "not_null") return node.children;
  if (node.type !== "FilterProjection") return [];
  const tests: SyntaxNode[] = [node.condition];
  for (const each of tests)
    if (each.type === "AndExpression" || each.type === "OrExpression")
      tests.push(each.left, each.right);
  return tests;
}

/** The names of a plain path. */
function listNames(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "Field") return [node];
  const isPath = ["Subexpression", "IndexExpression", "OrExpression"].includes(node.type);
  return isPath && "left" in node ? [...listNames(node.left), ...listNames(node.right)] : [];
}

function describeMissing(name: string, keys: readonly string[]): string {
  if (name.length <= 80 && keys.includes(`[].${name}`))
    return `${quoteText(name)} is a key of each element of the list: write \`[].${name}\`.`;
  const nearest = suggest(name, keys)?.name;
  const but = nearest === undefined ? "" : `; the nearest is ${quoteText(nearest, 80)}`;
  // A longer name could be a secret, and half of one would not be found by its redaction.
  return name.length > 80
    ? `The query names a key that does not exist${but}.`
    : `There is no key ${quoteText(name)}${but}.`;
}

function describeSides({ left, right }: NodeOf<"Comparator">, sides: readonly JsonValue[]): string {
  const texts = sides.flatMap((side) => (typeof side === "string" ? [quoteText(side, 80)] : []));
  if (texts.length === 2)
    return `${describeSide(left)} and ${describeSide(right)} differ only in case: ${texts.join(", ")}.`;
  const [one, other] = sides.map(describeKind);
  return `${describeSide(left)} is ${one} and ${describeSide(right)} is ${other}.`;
}

function describeKind(value: JsonValue): string {
  return `${/^[ao]/.test(kindOf(value)) ? "an" : "a"} ${kindOf(value)}`;
}

/** A list has no names of its own, but its rows have. */
function listKnownKeys(places: readonly JsonValue[]): string[] {
  const names = [...new Set(places)].flatMap(listNamesIn);
  return [...new Set(names)].slice(0, maxNames);
}

function listNamesIn(place: JsonValue): readonly string[] {
  if (isJsonObject(place)) return listKeys(place).slice(0, maxNames);
  if (!Array.isArray(place) || place.length === 0) return [];
  const row = place.slice(0, maxNames).find(isJsonObject);
  return row === undefined ? ["[]"] : listNamesIn(row).map((key) => `[].${key}`);
}
