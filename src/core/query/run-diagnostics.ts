/** Observations of a run about names, kinds and case, and the notes about sure mistakes: a correct query has none. */

import {
  isJsonContainer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listKeys,
} from "../base/exact-number.js";
import { suggest } from "../base/suggest.js";
import { clipText, plural, quoteText } from "../base/text.js";
import { listNodes, type NodeOf, type SyntaxNode } from "./compile-expression.js";
import { describeObject, describeRows, describeSide } from "./describe-rows.js";
import { kindOf } from "./kinds.js";

const maxNotes = 5;
const maxPlaces = 20;
const maxNames = 200;
/** Elements and members that are visited, of all names together: of a larger document no name is reported as missing. */
const maxVisited = 400_000;
/** Nodes that are looked into: a query can have hundreds. */
const maxExamined = 20;
const longestPath = 500;
/** Longer strings are not compared without case. */
const longestCased = 200;

/** The evaluator reports to it where each name, comparison and list of the expression led. */
export class RunDiagnostics {
  readonly #visited = new Set<SyntaxNode>();
  readonly #unmatched = new Map<SyntaxNode, JsonValue[]>();
  #usesRootAsList = false;
  #nullKeys = 0;
  #noNumbers: { readonly first: string; readonly count: number } | undefined;

  /** @param rows - The member names that lead to the rows of the document; undefined where it has none, or is the list itself. */
  constructor(private readonly rows?: readonly string[]) {}

  /** A name was there, two values were comparable, rows were a list: at one place, which is enough. */
  visited(node: SyntaxNode): void {
    this.#visited.add(node);
  }

  /** @param places - What has no such name, or is not a list; of a comparison its two sides. */
  unmatched(node: SyntaxNode, ...places: readonly JsonValue[]): void {
    const known = this.#unmatched.get(node);
    if (known === undefined) this.#unmatched.set(node, [...places]);
    else if (node.type === "Field" && known.length < maxPlaces) known.push(...places);
  }

  /** Two sides that may be of two kinds; of a test for equality two strings that may differ only in case. */
  compared(node: NodeOf<"Comparator">, left: JsonValue, right: JsonValue): void {
    const isEquality = node.name === "EQ" || node.name === "NE";
    if (isEquality && typeof left === "string" && typeof right === "string" && left !== right) {
      const mayBeSame = left.length === right.length && left.length <= longestCased;
      if (mayBeSame && left.toLowerCase() === right.toLowerCase())
        this.unmatched(node, left, right);
    } else if (kindOf(left) === kindOf(right)) this.visited(node);
    else if (![left, right].some((side) => side === null || side === ""))
      this.unmatched(node, left, right);
  }

  /** The expression used the root, an object, as if it were the list of rows. */
  usedRootAsList(): void {
    this.#usesRootAsList = true;
  }

  /** Rows whose key is null were put under the text "null". */
  groupedByNull(count: number): void {
    this.#nullKeys = Math.max(this.#nullKeys, count);
  }

  /** A text that `to_number` gave null for. */
  noNumber(text: string): void {
    const { first = text, count = 0 } = this.#noNumbers ?? {};
    this.#noNumbers = { first, count: count + 1 };
  }

  /** Whole sentences, at most five. A name is missing when no record has it, not even one that the query passed over. */
  listNotes(tree: SyntaxNode, root: JsonValue): string[] {
    const nodes = [...listNodes(tree)];
    const written = new Set(nodes.flatMap((node) => (node.type === "Field" ? [node.name] : [])));
    const provided = new Set(nodes.flatMap(listProvided).flatMap(listNames));
    const notes = new Set<string>();
    if (this.#usesRootAsList) notes.add(describeRows(root, this.rows));
    const adds = nodes.some((node) => node.type === "Function" && /^(?:sum|avg)$/.test(node.name));
    if (this.#nullKeys > 0)
      notes.add(
        `${plural(this.#nullKeys, "row")} with null as the key of group_by() are under "null".`,
      );
    if (this.#noNumbers !== undefined && adds) notes.add(describeNoNumbers(this.#noNumbers));
    const ofEach = new Set(nodes.flatMap(listStepsOfEach));
    const compared = new Set(
      nodes.flatMap((node) => (node.type === "Comparator" ? [node.right] : [])),
    );
    const listed = new Set<string>();
    const unmatched = [...this.#unmatched]
      .filter(([node]) => !this.#visited.has(node))
      .slice(0, maxExamined);
    const optional = listOptional(root, unmatched);
    for (const [node, places] of unmatched) {
      if (notes.size >= maxNotes) break;
      if (node.type === "Comparator") notes.add(describeSides(node, places));
      else if ((node.type === "Index" || node.type === "Slice") && ofEach.has(node))
        notes.add(describeStep(node, places[0] ?? null));
      else if (node.type !== "Field") {
        // The beginning of a text is a slice, too.
        if (typeof places[0] !== "string") notes.add(describeObject(node, places[0]));
      } else if (!isJsonContainer(root))
        notes.add(`The document is a ${kindOf(root)} and has no keys.`);
      else if (!optional.has(node)) {
        const keys = listKnownKeys(places);
        const akin = provided.has(node) ? suggest(node.name, keys)?.name : "";
        const known = describeKeys(keys);
        if (compared.has(node)) notes.add(describeBareText(node.name));
        else if (akin !== undefined && !written.has(akin))
          notes.add(describeMissing(node.name, keys) + (listed.has(known) ? "" : known));
        listed.add(known);
      }
    }
    return [...notes].map((note) => note.charAt(0).toUpperCase() + note.slice(1));
  }
}

function describeNoNumbers({
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

/**
 * The names that a record at the same path as one without the name has, list positions aside: a filter, an index or `max_by` selects
 * rows, and the others may have the name. One walk for all names, level by level; a document too large to be walked may have them all.
 */
function listOptional(
  root: JsonValue,
  unmatched: readonly (readonly [SyntaxNode, readonly JsonValue[]])[],
): ReadonlySet<SyntaxNode> {
  const sought = unmatched.flatMap(([node, places]) =>
    node.type === "Field" && places.some(isJsonContainer)
      ? [{ node, without: new Set(places), lacking: new Set<string>(), having: new Set<string>() }]
      : [],
  );
  const open: [JsonValue[] | JsonObject, string][] =
    isJsonContainer(root) && sought.length > 0 ? [[root, ""]] : [];
  let left = maxVisited;
  for (const [value, path] of open) {
    for (const { node, without, lacking, having } of sought) {
      if (without.has(value)) lacking.add(path);
      if (isJsonObject(value) && Object.hasOwn(value, node.name)) having.add(path);
    }
    left -= Array.isArray(value) ? value.length : listKeys(value).length;
    if (left < 0) return new Set(sought.map(({ node }) => node));
    if (path.length <= longestPath) for (const inner of listInner(value, path)) open.push(inner);
  }
  const found = sought.filter(({ lacking, having }) =>
    [...lacking].some((path) => having.has(path)),
  );
  return new Set(found.map(({ node }) => node));
}

/** The containers in a container, each with its path. */
function* listInner(
  value: JsonValue[] | JsonObject,
  path: string,
): Generator<[JsonValue[] | JsonObject, string], void> {
  if (Array.isArray(value)) {
    const element = `${path}[]`;
    for (const item of value) if (isJsonContainer(item)) yield [item, element];
    return;
  }
  for (const key of listKeys(value)) {
    const item = value[key];
    if (isJsonContainer(item)) yield [item, `${path}.${key}`];
  }
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
  const names = new Set<string>();
  for (const place of new Set(places)) {
    const row = Array.isArray(place) ? place.slice(0, maxNames).find(isJsonObject) : place;
    if (Array.isArray(place) && row === undefined && place.length > 0) names.add("[]");
    for (const key in isJsonObject(row) ? row : {}) {
      if (names.size >= maxNames) break;
      names.add(Array.isArray(place) ? `[].${key}` : key);
    }
  }
  return [...names];
}
