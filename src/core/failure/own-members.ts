/** The statements of an object in an error body: its text, its codes, and an HTTP status. */

import type { JsonValue } from "../base/exact-number.js";
import { isObject, type Shape, toText } from "../base/shape.js";
import {
  codeKeys,
  codeLike,
  eitherKeys,
  partKeys,
  proseKeys,
  stateWord,
  titleKeys,
} from "./error-keys.js";
import { joinTexts, reasonPhrase } from "./shown-text.js";

/** The texts of the object as `title: detail`; undefined when it has none. */
export function readOwnText(shape: Shape): string | undefined {
  const list = (keys: readonly string[]): string[] =>
    keys.flatMap((key) => {
      const value = shape.get(key)?.value ?? null;
      // OGC repeats its ExceptionText; a list under `errors` has errors of its own.
      const values = Array.isArray(value) && key !== "errors" ? value.slice(0, 3) : [value];
      const isText = (each: JsonValue): boolean => typeof each === "string" || isObject(each);
      return values.filter(isText).flatMap((each) => toText(each) ?? []);
    });
  const either = list(eitherKeys);
  const prose = [...list(proseKeys), ...either.filter((text) => !codeLike.test(text))];
  const detail = joinTexts(prose.length > 0 ? prose.slice(0, 3) : either.slice(-1));
  const [title = ""] = list(titleKeys);
  const isRepeated = reasonPhrase.test(title) || detail.toLowerCase().includes(title.toLowerCase());
  if (detail === "" || (title !== "" && !isRepeated && title.includes(detail)))
    return title || undefined;
  return isRepeated ? detail : `${title.replace(/[.:]$/, "")}: ${detail}`;
}

/** The object's own codes, most specific first. */
export function readOwnCodes(shape: Shape): string[] {
  const codes = codeKeys.flatMap((key) => {
    const value = shape.get(key)?.value;
    // `<error code="5">No</error>` is a part with a code and a text of its own.
    const isPart = isObject(value) && partKeys.includes(key);
    return isPart ? [] : (toCode(key, toText(value)) ?? []);
  });
  return [...new Set(codes)];
}

/** Reads the name of a type: `com.amazonaws…#ThrottlingException`, `ValidationException:http://…`; `about:blank` and RFC links have none. */
function toCode(key: string, text: string | undefined): string | undefined {
  if (text === undefined || text.length > 120 || text === "0") return undefined;
  if (key === "code" || key === "faultcode") return text;
  if (!codeLike.test(text)) return undefined;
  if (key === "name")
    return /^[A-Z0-9_]+$|(?:Error|Exception|Fault)$/.test(text) ? text : undefined;
  if (!/^(?:type|errortype|category|status)$/.test(key)) return text;
  if (
    stateWord.test(text) ||
    /^\d+$|^about:blank$|^https?:\/\/[^/]*(?:ietf|rfc-editor|w3)\./.test(text)
  )
    return undefined;
  return /^[a-z]+:\/\//.test(text) ? text : text.slice(text.lastIndexOf("#") + 1).split(":http")[0];
}

/** The HTTP status in the object, such as `{"statusCode":404}`; undefined unless it is an error status. */
export function readOwnStatus(shape: Shape): number | undefined {
  const texts = ["status", "statuscode", "httpstatus", "httpcode", "code", "errorcode"].map(
    (key) => toText(shape.get(key)?.value) ?? "",
  );
  return Number(texts.find((text) => /^[45]\d\d$/.test(text))) || undefined;
}
