/** What one error object says of itself: its text, its codes, the status it claims; and how several texts become one message. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, type Shape, toText } from "../json/shape.js";
import { codeKeys, proseKeys, proseOrCodeKeys, reasonPhrase, titleKeys } from "./error-keys.js";

const codeLike = /^[\p{L}\p{N}_.:#/\\-]+$/u;
/** Words that say that something failed, not what; AWS and SOAP say with the last three whose fault it is. */
const stateWord = /^(?:error|fail|failed|failure|false|nok|ok|success|user|sender|receiver|\d+)$/i;

/** The texts of the object joined as `title: detail`; undefined when it has none. */
export function readOwnText(shape: Shape): string | undefined {
  const found = [...listTexts(shape, titleKeys).slice(0, 1), ...listMainTexts(shape)];
  return found.length === 0 ? undefined : joinTexts(found.map((text, depth) => ({ text, depth })));
}

function listMainTexts(shape: Shape): string[] {
  const either = listTexts(shape, proseOrCodeKeys);
  const prose = [...listTexts(shape, proseKeys), ...either.filter((text) => !codeLike.test(text))];
  if (prose.length > 0) return prose.slice(0, 3);
  return either.length > 1 ? either.slice(1, 2) : either;
}

function listTexts(shape: Shape, keys: readonly string[]): string[] {
  const parameters = shape.get("parameters")?.value;
  return keys.flatMap((key) => {
    const value = shape.get(key)?.value;
    const text = typeof value === "string" || isObject(value) ? toText(value) : undefined;
    return text === undefined ? [] : [fillPlaceholders(text, parameters)];
  });
}

/** `No such entity with %fieldName = %1` beside `parameters`, an object or a list (Magento and kin). */
function fillPlaceholders(text: string, parameters: JsonValue | undefined): string {
  if (!text.includes("%") || (!Array.isArray(parameters) && !isObject(parameters))) return text;
  const values = Array.isArray(parameters)
    ? Object.fromEntries(parameters.map((item, index) => [index + 1, item]))
    : parameters;
  return text.replace(/%([A-Za-z]\w{0,40}|\d{1,2})/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (toText(values[name]) ?? whole) : whole,
  );
}

/** The object's own codes, most specific first. */
export function readOwnCodes(shape: Shape): string[] {
  const codes = codeKeys.map((key) => toCode(key, toText(shape.get(key)?.value)));
  return [...new Set(codes.filter((code) => code !== undefined))];
}

function toCode(key: string, text: string | undefined): string | undefined {
  if (text === undefined || text.length > 120 || text === "0") return undefined;
  if (key === "code" || key === "faultcode") return text;
  if (!codeLike.test(text)) return undefined;
  if (key === "name") return /^[A-Z0-9_]+$|(?:Error|Exception|Fault)$/.test(text) ? text : undefined;
  if (!/^(?:type|errortype|category|status)$/.test(key)) return text;
  return stateWord.test(text) ? undefined : toTypeName(text);
}

/** `com.amazonaws…#ThrottlingException` and `ValidationException:http://…` hold a name; `about:blank` and RFC links hold none. */
function toTypeName(text: string): string | undefined {
  if (text === "about:blank" || /^https?:\/\/[^/]*(?:ietf|rfc-editor|w3)\.[a-z]+\//.test(text))
    return undefined;
  if (/^[a-z]+:\/\//.test(text)) return text;
  return text.slice(text.lastIndexOf("#") + 1).split(":http")[0];
}

/** The HTTP status the object claims, such as `{"statusCode":404}`; undefined unless it is an error status. */
export function readOwnStatus(shape: Shape): number | undefined {
  const keys = ["status", "statuscode", "httpstatus", "httpcode", "code", "errorcode"];
  const text = keys
    .map((key) => toText(shape.get(key)?.value))
    .find((value) => /^[45]\d\d$/.test(value ?? ""));
  return text === undefined ? undefined : Number(text);
}

export interface SaidText {
  readonly text: string;
  /** How deep in the body it stands. */
  readonly depth: number;
}

const maxTexts = 5;

/** One message that says nothing twice. A deeper text follows a colon, texts side by side a semicolon; from the sixth on they are counted. */
export function joinTexts(texts: readonly SaidText[]): string {
  const distinct = dropRepeats(texts);
  let joined = "";
  for (const [index, { text, depth }] of distinct.slice(0, maxTexts).entries()) {
    if (index === 0) joined = text;
    else if (index === 1 && depth > (distinct[0]?.depth ?? 0))
      joined = `${joined.replace(/[.:]$/, "")}: ${text}`;
    else joined = `${dropStop(joined)}; ${text}`;
  }
  return distinct.length > maxTexts ? `${dropStop(joined)} (and ${distinct.length - maxTexts} more)` : joined;
}

function dropStop(text: string): string {
  return text.replace(/(?<!\.)\.$/, "");
}

/** `Bad Request` goes beside a text that says what was bad; so does what another text says, too. */
function dropRepeats(texts: readonly SaidText[]): SaidText[] {
  const telling = texts.filter(({ text }) => !reasonPhrase.test(text));
  const kept: SaidText[] = [];
  for (const said of telling.length > 0 ? telling : texts) {
    const lower = said.text.toLowerCase();
    if (kept.some(({ text }) => text.toLowerCase().includes(lower))) continue;
    const narrower = kept.findIndex(({ text }) => lower.includes(text.toLowerCase()));
    if (narrower >= 0) kept[narrower] = said;
    else kept.push(said);
  }
  return kept;
}
