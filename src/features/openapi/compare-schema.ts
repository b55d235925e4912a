/** Compares a value with a schema: names, types, enumerations, required members; whatever else a schema asks for is left to the API. */

import { isPlainObject } from "../../core/base/input.js";
import { suggest } from "../../core/base/suggest.js";
import { quoteText } from "../../core/base/text.js";
import { type ApiDocument, asList, asObject, type Plain } from "./api-document.js";
import { listValues } from "./enumerations.js";
import { findMembers, listBranches, listTypes, type Members, simplify } from "./schema.js";

export interface Advice {
  readonly kind:
    | "unknown_path"
    | "unknown_parameter"
    | "unknown_member"
    | "missing"
    | "type"
    | "enum";
  /** Where: a segment of the path, `{id}`, a parameter's name, or a place in the body such as `body.lines[0].amount`. */
  readonly at: string;
  readonly message: string;
  /** The names that exist instead. */
  readonly hint: string;
  /** An unknown name, with the nearest that the call lacks, and the one that it surely is. */
  readonly name?: string;
  readonly nearest?: string;
  readonly instead?: string;
}

/** When so much is found, values are no longer compared: the first mistakes lead to the others. */
export const maxAdvice = 6;
const maxDepth = 24;
/** The most names and items that are compared, and shown, of a hostile document or call. */
const maxGiven = 20;
const maxItems = 200;
const maxShown = 20;

export interface Walk {
  readonly document: ApiDocument;
  readonly found: Advice[];
}

export function add({ found }: Walk, advice: Advice): void {
  if (found.length < maxAdvice) found.push(advice);
}

export function compareNames(
  { found }: Walk,
  kind: "unknown_parameter" | "unknown_member",
  given: readonly string[],
  described: readonly string[],
  known: ReadonlySet<string>,
  place: string = "body",
): void {
  const bases = new Set(given.map(findBase));
  const right = new Set([...described, ...known].map(findBase));
  const others = described.filter((name) => !bases.has(findBase(name)) && !known.has(name));
  for (const name of [...bases].filter((each) => !right.has(each)).slice(0, maxGiven)) {
    const at = kind === "unknown_parameter" ? name : `${place}.${name}`;
    const subject =
      kind === "unknown_parameter" ? `query parameter ${showName(name)}` : showName(at);
    const near = suggest(name, others);
    const likeliest =
      near === undefined ? "" : `The nearest to ${quoteText(name, 80)} is \`${near.name}\`. `;
    const choices =
      described.length === 0
        ? "It takes none."
        : `There are ${described.slice(0, maxShown).join(", ")}.`;
    const meant = suggest(name, others.map(findBase));
    const instead = meant?.isSure
      ? others.find((other) => findBase(other) === meant.name)
      : undefined;
    const hint = likeliest + choices;
    found.push({
      kind,
      at,
      message: `There is no ${subject}.`,
      hint,
      name,
      nearest: near?.name,
      instead,
    });
  }
}

/** `ids[]`, `ids[0]` and `filter[state]` are written for `ids` and `filter`. */
export function findBase(name: string): string {
  const bracket = name.indexOf("[");
  return bracket > 0 ? name.slice(0, bracket) : name;
}

/** @param known - Members that the schemas around this one know: where several are joined, only the outermost knows all the names. */
export function compareValue(
  walk: Walk,
  given: unknown,
  value: unknown,
  { at, depth, known }: { readonly at: string; readonly depth: number; readonly known?: Members },
): void {
  const { document, found } = walk;
  // Documents forget `nullable` more often than not.
  if (value === null || value === undefined || !isPlainObject(given)) return;
  if (found.length >= maxAdvice || depth > maxDepth) return;
  const schema = simplify(document, document.follow(given));
  const types = listTypes(schema);
  if (types.length > 0 && !types.some((type) => isOf(type, value))) {
    addType(walk, at, `${showName(at)} is ${withArticle(nameType(value))}.`, types);
    return;
  }
  const own = isPlainObject(value) ? (known ?? findMembers(document, schema)) : undefined;
  if (own !== undefined && known === undefined && !own.isOpen)
    compareNames(
      walk,
      "unknown_member",
      Object.keys(Object(value)),
      [...own.names.keys()],
      new Set(),
      at,
    );
  for (const branch of [...listBranches(schema["allOf"]), ...listOnlyAlternative(schema)])
    compareValue(walk, branch, value, { at, depth: depth + 1, known: own });
  if (typeof value !== "object") compareChoice(walk, schema, value, at, showName(at));
  else if (Array.isArray(value))
    for (const [index, item] of value.slice(0, maxItems).entries())
      compareValue(walk, schema["items"], item, { at: `${at}[${index}]`, depth: depth + 1 });
  else {
    for (const name of asList(schema["required"]).slice(0, maxItems).map(String)) {
      const member = document.follow(own?.names.get(name));
      if (!Object.hasOwn(value, name) && member["readOnly"] !== true)
        addMissing(walk, `${at}.${name}`, showName(`${at}.${name}`), listTypes(member));
    }
    const properties = asObject(schema["properties"]);
    for (const [name, each] of Object.entries(value).slice(0, maxItems))
      if (Object.hasOwn(properties, name))
        compareValue(walk, properties[name], each, { at: `${at}.${name}`, depth: depth + 1 });
  }
}

/** The branch of `anyOf` or `oneOf` where the other one is `null`; between real alternatives the API decides. */
function listOnlyAlternative(schema: Plain): readonly unknown[] {
  return ["anyOf", "oneOf"].flatMap((name) => {
    const branches = listBranches(schema[name]).filter(
      (branch) => asObject(branch)["type"] !== "null",
    );
    return branches.length === 1 ? branches : [];
  });
}

/** A parameter travels as text: `5` is an integer there, and `a,b` a list; the values of a list are not divided again. */
export function compareText(
  walk: Walk,
  given: unknown,
  text: string,
  at: string,
  subject: string,
): void {
  const schema = simplify(walk.document, walk.document.follow(given));
  const types = listTypes(schema);
  if (text === "" || types.includes("object")) return;
  if (types.includes("array")) {
    if (listTypes(walk.document.follow(schema["items"])).includes("array")) return;
    const parts = text.split(/[,|\s]+/).filter(Boolean);
    for (const part of parts.slice(0, maxItems))
      compareText(walk, schema["items"], part, at, subject);
    return;
  }
  if (types.length > 0 && !types.some((type) => isTextOf(type, text))) {
    addType(walk, at, `${subject} is ${quoteText(text, 80)}.`, types);
    return;
  }
  compareChoice(walk, schema, text, at, subject);
}

function compareChoice(
  walk: Walk,
  schema: Plain,
  value: unknown,
  at: string,
  subject: string,
): void {
  const values = listValues(schema);
  if (values === undefined) return;
  const text = String(value);
  // `True` is `true` to a reader of text; a word in another case is another word.
  if (
    values.some((each) => String(each) === (typeof each === "boolean" ? text.toLowerCase() : text))
  )
    return;
  const names = values.filter((each) => each !== null).map(String);
  const nearest = names.length > 1 ? suggest(text, names)?.name : undefined;
  const likeliest = nearest === undefined ? "" : `; the nearest is ${quoteText(nearest, 40)}`;
  const shown = names.slice(0, maxShown).map((each) => quoteText(each, 40));
  const more = names.length > maxShown ? ` and ${names.length - maxShown} more` : "";
  const hint = `It is one of ${shown.join(", ")}${more}${likeliest}.`;
  add(walk, { kind: "enum", at, message: `${subject} is ${quoteText(text, 80)}.`, hint });
}

function addType(walk: Walk, at: string, message: string, types: readonly string[]): void {
  add(walk, {
    kind: "type",
    at,
    message,
    hint: `It must be ${types.map(withArticle).join(" or ")}.`,
  });
}

export function addMissing(
  walk: Walk,
  at: string,
  subject: string,
  types: readonly string[],
): void {
  const type = types.length === 0 ? "" : `, of type ${types.join(" or ")}`;
  const hint = `Add ${showName(at)}${type}.`;
  add(walk, { kind: "missing", at, message: `${subject} is missing.`, hint });
}

function isTextOf(type: string, text: string): boolean {
  if (type === "integer") return /^[+-]?\d{1,40}$/.test(text);
  if (type === "number") return Number.isFinite(Number(text));
  return type !== "boolean" || /^(?:true|false|0|1)$/i.test(text);
}

function isOf(type: string, value: unknown): boolean {
  return nameType(value) === type || (type === "number" && typeof value === "number");
}

function nameType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** A name in code marks, whatever characters it has. */
export function showName(name: string): string {
  return `\`${quoteText(name, 200).slice(1, -1)}\``;
}
