/** Compares a value with a schema, without running a pattern of the document: for the hint of a failed call, and for an example. */

import { isPlainObject } from "../../core/base/input.js";
import { suggest } from "../../core/base/suggest.js";
import { quoteText } from "../../core/base/text.js";
import { redactedMarker } from "../../core/secrets/secret.js";
import { type Advice, compareNames, describeMissing, showName } from "./advice.js";
import { type ApiDocument, asList, asObject, type Plain } from "./api-document.js";
import { findNamedBranch } from "./discriminator.js";
import { listValues } from "./enumerations.js";
import { listBroken } from "./limits.js";
import {
  findMembers,
  listBranches,
  listTypes,
  type Members,
  readTypes,
  simplify,
} from "./schema.js";

/** When so much is found, values are no longer compared: the first mistakes lead to the others. */
export const maxAdvice = 6;
const maxDepth = 24;
/** The most items and members that are compared. */
const maxItems = 200;
const maxShown = 20;

export interface Walk {
  readonly document: ApiDocument;
  readonly found: Advice[];
  /** Whether the value travels as text, as a parameter does: `5` is an integer and a string there. */
  readonly isText: boolean;
  /** Whether the schema holds to the letter; else null and alternatives are the API's to judge, and a name that it does not have is an objection. */
  readonly isExact: boolean;
}

/** A place in a call. */
interface Place {
  readonly at: string;
  readonly depth: number;
  /** The place in words. */
  readonly subject?: string;
  /** Members that the schemas around this one know: where several are joined, only the outermost knows all the names. */
  readonly known?: Members;
}

/** False where the schema surely refuses the value; a schema that cannot be followed accepts every one. */
export function accepts(
  { document, isText }: Pick<Walk, "document" | "isText">,
  schema: unknown,
  value: unknown,
  depth: number = 0,
): boolean {
  const walk: Walk = { document, isText, found: [], isExact: true };
  compareValue(walk, schema, value, { at: "", depth });
  return walk.found.length === 0;
}

/** Adds what the schema has against a value. */
export function compareValue(walk: Walk, given: unknown, value: unknown, place: Place): void {
  const { document, found, isExact } = walk;
  const isEnough = found.length >= maxAdvice || (isExact && found.length > 0);
  if (isEnough || place.depth > maxDepth || value === undefined) return;
  // A redacted value is not the one that was sent.
  if (typeof value === "string" && value.includes(redactedMarker)) return;
  if (given === false && isExact) addLimit(walk, place, "No value fits.");
  if (!isPlainObject(given)) return;
  const schema = document.follow(given);
  // Documents forget `nullable` more often than not.
  if (value === null && (!isExact || schema["nullable"] === true)) return;
  const types = listTypes(schema);
  const isTyped = types.some((type) => isOf(type, value, walk.isText));
  if (types.length > 0 && !isTyped) {
    addType(walk, place, value, types);
    return;
  }
  compareChoice(walk, schema, value, place);
  const isNumber = walk.isText && types.some((type) => type === "integer" || type === "number");
  const measured = isNumber && !types.includes("string") ? Number(value) : value;
  for (const limit of listBroken(schema, measured)) addLimit(walk, place, `It has ${limit}.`);
  const known = isPlainObject(value) ? listKnown(walk, schema, value, place) : undefined;
  const inner = { ...place, depth: place.depth + 1, known };
  for (const branch of listBranches(schema["allOf"])) compareValue(walk, branch, value, inner);
  compareAlternatives(walk, schema, value, inner);
  if (isPlainObject(value)) compareMembers(walk, schema, value, inner);
  else if (Array.isArray(value))
    for (const [index, item] of value.slice(0, maxItems).entries())
      compareValue(walk, asList(schema["prefixItems"])[index] ?? schema["items"], item, {
        at: `${place.at}[${index}]`,
        depth: place.depth + 1,
      });
}

function isOf(type: string, value: unknown, isText: boolean): boolean {
  if (!isText || typeof value === "object")
    return nameType(value) === type || (type === "number" && typeof value === "number");
  const text = String(value);
  if (type === "integer") return /^[+-]?\d{1,40}$/.test(text);
  if (type === "number") return Number.isFinite(Number(text));
  if (type === "boolean") return /^(?:true|false|0|1)$/i.test(text);
  return type === "string";
}

function nameType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** The members that an object may have; names besides them are objections, but to the letter. */
function listKnown(
  walk: Walk,
  schema: Plain,
  value: Plain,
  { at, known }: Place,
): Members | undefined {
  if (known !== undefined || walk.isExact) return known;
  const members = findMembers(walk.document, schema);
  if (members.isOpen) return members;
  const place = { kind: "unknown_member", at } as const;
  const given = Object.keys(value);
  const described = [...members.names.keys()];
  walk.found.push(...compareNames(place, given, described));
  return members;
}

/** Between real alternatives the API decides, where the schema does not hold to the letter. */
function compareAlternatives(walk: Walk, schema: Plain, value: unknown, place: Place): void {
  if (walk.isExact) {
    const hint = "It must fit one of the alternatives.";
    if (!fitsOne(walk, schema, value, place.depth)) addLimit(walk, place, hint);
    return;
  }
  const isReal = (branch: unknown): boolean => asObject(branch)["type"] !== "null";
  const named = isPlainObject(value) ? findNamedBranch(schema, value) : undefined;
  if (named !== undefined) {
    compareValue(walk, named, value, place);
    return;
  }
  for (const name of ["anyOf", "oneOf"]) {
    const branches = listBranches(schema[name]);
    const [only, ...others] = branches.filter(isReal);
    if (others.length === 0) compareValue(walk, only, value, place);
  }
}

/** Branches with a format or a pattern may differ by what is not looked at here. */
const unread = ["pattern", "format", "not", "if"];

function fitsOne(walk: Walk, schema: Plain, value: unknown, depth: number): boolean {
  const fits = (branch: unknown): boolean => accepts(walk, branch, value, depth);
  const choices = listBranches(schema["anyOf"]);
  if (choices.length > 0 && !choices.some(fits)) return false;
  const alternatives = listBranches(schema["oneOf"]);
  if (alternatives.length === 0) return true;
  const fitting = alternatives.filter(fits).map(walk.document.follow);
  const isSure = (part: Plain): boolean => !unread.some((name) => Object.hasOwn(part, name));
  const sure = fitting.filter(isSure);
  return fitting.length > 0 && sure.length <= 1;
}

function compareMembers(
  walk: Walk,
  schema: Plain,
  value: Plain,
  { at, depth, known }: Place,
): void {
  const { document } = walk;
  for (const name of asList(schema["required"]).slice(0, maxItems).map(String)) {
    if (Object.hasOwn(value, name)) continue;
    const { names } = known ?? findMembers(document, schema);
    const member = document.follow(names.get(name));
    const place = `${at}.${name}`;
    // A request may lack what only an answer has.
    if (member["readOnly"] !== true)
      add(walk, describeMissing(place, showName(place), readTypes(document, member)));
  }
  const properties = asObject(schema["properties"]);
  const others = schema["patternProperties"] === undefined ? schema["additionalProperties"] : {};
  for (const [name, member] of Object.entries(value).slice(0, maxItems)) {
    const isOwn = Object.hasOwn(properties, name);
    // A name that another of the joined schemas knows is not one besides those of this.
    if (isOwn || known?.names.has(name) !== true)
      compareValue(walk, isOwn ? properties[name] : others, member, { at: `${at}.${name}`, depth });
  }
}

/** A parameter travels as text, and a list as `a,b`; the values of a list are not divided again. */
export function compareText(
  walk: Walk,
  given: unknown,
  text: string,
  { at, subject }: Pick<Place, "at" | "subject">,
): void {
  const schema = simplify(walk.document, walk.document.follow(given));
  const types = listTypes(schema);
  if (text === "" || types.includes("object")) return;
  const isList = types.includes("array");
  if (isList && listTypes(walk.document.follow(schema["items"])).includes("array")) return;
  const parts = isList ? text.split(/[,|\s]+/).filter(Boolean) : [text];
  const own = isList ? schema["items"] : schema;
  for (const part of parts.slice(0, maxItems))
    compareValue({ ...walk, isText: true }, own, part, { at, subject, depth: 0 });
}

/** An enumeration has up to a thousand values: only an object is compared as a text. */
function isListed(values: readonly unknown[], value: unknown, isText: boolean): boolean {
  if (values.includes(value)) return true;
  if (!isText && typeof value !== "object") return false;
  const write = isText ? String : (each: unknown): string => JSON.stringify(each);
  const text = write(value);
  // `True` is `true` to a reader of text; a word in another case is another word.
  return values.some(
    (each) => write(each) === (typeof each === "boolean" ? text.toLowerCase() : text),
  );
}

function compareChoice(walk: Walk, schema: Plain, value: unknown, { at, subject }: Place): void {
  const values = listValues(schema);
  if (values === undefined || isListed(values, value, walk.isText)) return;
  const text = writeValue(value);
  const named = new Map(
    values.filter((each) => each !== null).map((each) => [writeValue(each), showValue(each, 40)]),
  );
  const nearest = named.size > 1 ? suggest(text, [...named.keys()])?.name : undefined;
  const likeliest = nearest === undefined ? "" : `; the nearest is ${named.get(nearest)}`;
  const shown = [...named.values()].slice(0, maxShown);
  const more = named.size > maxShown ? ` and ${named.size - maxShown} more` : "";
  const hint = `It is one of ${shown.join(", ")}${more}${likeliest}.`;
  const message = `${subject ?? showName(at)} is ${showValue(value, 80)}.`;
  add(walk, { kind: "enum", at, message, hint });
}

/** A number is not in quotes: of the number 1 and the text "1" one may be right and the other wrong. */
function showValue(value: unknown, maxCharacters: number): string {
  const isBare = typeof value === "number" || typeof value === "boolean";
  return isBare ? String(value) : quoteText(writeValue(value), maxCharacters);
}

function writeValue(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function addType(walk: Walk, place: Place, value: unknown, types: readonly string[]): void {
  const { at, subject = showName(at) } = place;
  const given = walk.isText ? quoteText(writeValue(value), 80) : withArticle(nameType(value));
  const hint = `It must be ${types.map(withArticle).join(" or ")}.`;
  const message = `${subject} is ${given}.`;
  add(walk, { kind: "type", at, message, hint });
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function addLimit(walk: Walk, place: Place, hint: string): void {
  const { at, subject = showName(at) } = place;
  const message = `${subject} is not within its limits.`;
  add(walk, { kind: "limit", at, message, hint });
}

export function add({ found }: Walk, advice: Advice): void {
  if (found.length < maxAdvice) found.push(advice);
}
