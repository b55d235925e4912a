/** Reads what one error object itself says: its text, its codes, and the status it claims. */

import type { JsonValue } from "../json/exact-number.js";
import { isObject, type Shape, toText } from "../json/shape.js";
import { joinTexts } from "./join-texts.js";
import { codeKeys, textKeys, textOrCodeKeys, titleKeys } from "./key-roles.js";

const maxTexts = 3;
const codeLike = /^[\p{L}\p{N}_.:#/\\-]+$/u;
const stateWords = new Set([
  "error",
  "fail",
  "failed",
  "failure",
  "ko",
  "false",
  "nok",
  "ok",
  "success",
  "error.list",
  // AWS and SOAP say with these whose fault it is.
  "user",
  "sender",
  "receiver",
]);

/** The texts of the object joined as `title: detail`; undefined when it has none. */
export function readOwnText(shape: Shape): string | undefined {
  const found = [...textsOf(shape, titleKeys).slice(0, 1), ...mainTexts(shape)];
  return found.length === 0 ? undefined : joinTexts(found.map((text, depth) => ({ text, depth })));
}

function mainTexts(shape: Shape): string[] {
  const prose = textsOf(
    shape,
    textKeys.filter((key) => !textOrCodeKeys.has(key)),
  );
  const either = textsOf(shape, [...textOrCodeKeys]);
  const withProse = either.filter((text) => !codeLike.test(text));
  if (prose.length + withProse.length > 0) return [...prose, ...withProse].slice(0, maxTexts);
  return either.length > 1 ? either.slice(1, 2) : either;
}

function textsOf(shape: Shape, keys: readonly string[]): string[] {
  const texts: string[] = [];
  for (const key of keys) {
    const value = shape.get(key)?.value;
    if (typeof value !== "string" && !isObject(value)) continue;
    const text = toText(value);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

/** The object's own codes, most specific first. */
export function readOwnCodes(shape: Shape): string[] {
  const codes: string[] = [];
  for (const key of codeKeys) {
    const code = toCode(key, shape.get(key)?.value);
    if (code !== undefined && !codes.includes(code)) codes.push(code);
  }
  return codes;
}

function toCode(key: string, value: JsonValue | undefined): string | undefined {
  const text = toText(value);
  if (text === undefined || text.length > 120 || text === "0") return undefined;
  if (key === "code" || key === "faultcode" || key === "exceptioncode") return text;
  if (!codeLike.test(text)) return undefined;
  if (key === "type" || key === "errortype") return toStateCode(text) && toTypeCode(text);
  if (key === "name") return /^[A-Z0-9_]+$|(?:Error|Exception|Fault)$/.test(text) ? text : undefined;
  if (key === "category" || key === "status") return toStateCode(text);
  return text;
}

/** `com.amazonaws…#ThrottlingException` and `ValidationException:http://…` hold a name; `about:blank` and RFC links hold none. */
function toTypeCode(text: string): string | undefined {
  if (text === "about:blank" || /^https?:\/\/[^/]*(?:ietf|rfc-editor|httpstatuses|w3)\.[a-z]+\//.test(text)) {
    return undefined;
  }
  if (/^[a-z]+:\/\//.test(text)) return text;
  const afterHash = text.slice(text.lastIndexOf("#") + 1);
  return afterHash.split(":http")[0];
}

function toStateCode(text: string): string | undefined {
  return /^\d+$/.test(text) || stateWords.has(text.toLowerCase()) ? undefined : text;
}

/** The HTTP status the object claims, such as `{"statusCode":404}`; undefined unless it is an error status. */
export function readOwnStatus(shape: Shape): number | undefined {
  for (const key of [
    "status",
    "statuscode",
    "httpstatus",
    "httpstatuscode",
    "httpcode",
    "cod",
    "code",
    "errorcode",
  ]) {
    const text = toText(shape.get(key)?.value);
    if (text !== undefined && /^[45]\d\d$/.test(text)) return Number(text);
  }
  return undefined;
}
