/** The text, the codes and the status of one object of an error body; all keys are as `normalizeKey` writes them. */

import { isObject, type Shape, toText } from "../base/shape.js";

export function listWords(text: string): readonly string[] {
  return text.split(" ");
}

/** A `title` comes before its detail. */
const titleKeys = listWords("title summary");
/** Texts, best first. */
const proseKeys = listWords(
  "errordescription longmessage message errormessage errormsg errmsg msg detail description errorsummary statusmessage " +
    "faultstring defaultmessage diagnostics details text errors",
);
/** Texts that often are codes (`invalid_grant`): a code when there is another text. */
const eitherKeys = listWords("error err reason issue exception fault info");
/** Codes, most specific first. */
const codeKeys = listWords(
  "code errorcode errcode errno errorname statuscode faultcode error err reason issue type errortype name status " +
    "category exception fault",
);
/** Keys whose values become the message or the codes. */
export const messageKeys: readonly string[] = [...titleKeys, ...proseKeys, ...eitherKeys, ...codeKeys];
const codeLike = /^[\p{L}\p{N}_.:#/\\-]+$/u;
/** Words that report a failure but not which; AWS and SOAP name with the last three the side that caused it. */
export const stateWord: RegExp = /^(?:error|fail|failed|failure|false|nok|ok|success|user|sender|receiver)$/i;

/** The texts of the object as `title: detail`; undefined when it has none. */
export function readOwnText(shape: Shape): string | undefined {
  const list = (keys: readonly string[]): string[] =>
    keys.flatMap((key) => {
      const value = shape.get(key)?.value;
      const text = typeof value === "string" || isObject(value) ? toText(value) : undefined;
      return text ?? [];
    });
  const either = list(eitherKeys);
  const prose = [...list(proseKeys), ...either.filter((text) => !codeLike.test(text))];
  const detail = joinTexts(prose.length > 0 ? prose.slice(0, 3) : either.slice(-1));
  const [title = ""] = list(titleKeys);
  const isRepeated = reasonPhrase.test(title) || detail.toLowerCase().includes(title.toLowerCase());
  if (detail === "" || (title !== "" && !isRepeated && title.includes(detail))) return title || undefined;
  return isRepeated ? detail : `${title.replace(/[.:]$/, "")}: ${detail}`;
}

/** The object's own codes, most specific first. */
export function readOwnCodes(shape: Shape): string[] {
  return [...new Set(codeKeys.flatMap((key) => toCode(key, toText(shape.get(key)?.value)) ?? []))];
}

/** Of a type its name: `com.amazonaws…#ThrottlingException`, `ValidationException:http://…`; `about:blank` and RFC links have none. */
function toCode(key: string, text: string | undefined): string | undefined {
  if (text === undefined || text.length > 120 || text === "0") return undefined;
  if (key === "code" || key === "faultcode") return text;
  if (!codeLike.test(text)) return undefined;
  if (key === "name") return /^[A-Z0-9_]+$|(?:Error|Exception|Fault)$/.test(text) ? text : undefined;
  if (!/^(?:type|errortype|category|status)$/.test(key)) return text;
  if (stateWord.test(text) || /^\d+$|^about:blank$|^https?:\/\/[^/]*(?:ietf|rfc-editor|w3)\./.test(text))
    return undefined;
  return /^[a-z]+:\/\//.test(text) ? text : text.slice(text.lastIndexOf("#") + 1).split(":http")[0];
}

/** The HTTP status in the object, such as `{"statusCode":404}`; undefined unless it is an error status. */
export function readOwnStatus(shape: Shape): number | undefined {
  const texts = ["status", "statuscode", "code", "errorcode"].map(
    (key) => toText(shape.get(key)?.value) ?? "",
  );
  return Number(texts.find((text) => /^[45]\d\d$/.test(text))) || undefined;
}

const maxTexts = 5;
/** HTTP reason phrases (RFC 9110, section 15): they add nothing beside another text. */
export const reasonPhrase: RegExp =
  /^(?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|not acceptable|conflict|gone|precondition failed|(?:payload|content|request entity) too large|unsupported media type|unprocessable (?:entity|content)|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)\.?$/i;

/** One message without repetition; from the sixth text on they are counted. `""` for none. */
export function joinTexts(texts: readonly string[]): string {
  const specific = texts.filter((text) => !reasonPhrase.test(text));
  const all = [...new Set(specific.length > 0 ? specific : texts)];
  const kept = all.filter(
    (text) => !all.some((other) => other !== text && other.toLowerCase().includes(text.toLowerCase())),
  );
  const more = kept.length > maxTexts ? ` (and ${kept.length - maxTexts} more)` : "";
  const shown = kept.slice(0, maxTexts);
  return `${shown.map((text, at) => (at < shown.length - 1 || more ? text.replace(/(?<!\.)\.$/, "") : text)).join("; ")}${more}`;
}
