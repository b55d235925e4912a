/** Reads an error body by the shapes that APIs share: RFC 9457; texts and codes beside or inside `error`; lists and maps of errors by field; GraphQL; SOAP. Keys are compared as `normalizeKey` writes them. */

import type { JsonValue } from "../base/exact-number.js";
import {
  isBlank,
  isObject,
  type JsonObject,
  normalizeKey,
  type Shape,
  toShape,
  toText,
} from "../base/shape.js";
import { joinTexts, reasonPhrase } from "./shown-text.js";

/** The parts of an error body; each is empty when the body lacks it. */
export interface ErrorBody {
  /** As the API wrote it, not yet cleaned or truncated. */
  readonly message?: string;
  /** The API's own codes, the most specific first. */
  readonly codes: readonly string[];
  /** Field name to its messages. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Other scalars of the error object under the API's own names. */
  readonly particulars: ReadonlyMap<string, JsonValue>;
  /** The HTTP status in the body. */
  readonly status?: number;
}

const splitWords = (text: string): readonly string[] => text.split(" ");

/** A `title` comes before its detail. */
const titleKeys = splitWords("title summary");
/** Texts, best first. */
const proseKeys = splitWords(
  "errordescription longmessage message errormessage errormsg errmsg msg detail description errorsummary statusmessage " +
    "faultstring defaultmessage diagnostics details text errors",
);
/** Texts that often are codes (`invalid_grant`): a code when there is another text. */
const eitherKeys = splitWords("error err reason issue exception fault info");
/** Codes, most specific first. */
const codeKeys = splitWords(
  "code errorcode errcode errno errorname statuscode faultcode error err reason issue type errortype name status " +
    "category exception fault",
);
/** Keys whose values become the message or the codes. */
const messageKeys: readonly string[] = [...titleKeys, ...proseKeys, ...eitherKeys, ...codeKeys];
const codeLike = /^[\p{L}\p{N}_.:#/\\-]+$/u;
/** Words that report a failure but not which; AWS and SOAP name with the last three the side that caused it. */
export const stateWord: RegExp =
  /^(?:error|fail|failed|failure|false|nok|ok|success|user|sender|receiver)$/i;
/** Objects and lists to look into, in this order. */
const partKeys = splitWords(
  "envelope body fault errorresponse response error err exception status meta errors messages message errormessages " +
    "errordetails fielderrors fieldviolations validationerrors violations invalidparams modelstate usererrors errorlist " +
    "problems issues issue detail details causes errorcauses rootcause extensions errorchain innererror " +
    "responsemetadata responsestatus elements",
);
/** Scalars that repeat the request or the status; every other scalar of an error object is kept as a particular. */
const noiseKeys: ReadonlySet<string> = new Set([
  ...messageKeys,
  ...splitWords(
    "timestamp time date path instance ok success httpstatus httpcode version apiversion object jsonrpc id method url xmlns " +
      "soap env xsi took response stat ack build resultcode shortmessage haserrors iserror file line stack stacktrace trace traceback",
  ),
]);
/** Members that name the field wherever an error has them, and those that name it only in a list of errors. */
const fieldKeys = splitWords("param parameter field fieldname propertyname target attribute");
const listedFieldKeys = splitWords(
  "fields property propertypath attr loc pointer instancepath expression",
);
/** Parts whose members are keyed by field when they are not an error themselves. */
const fieldMapKeys =
  /^(?:(?:field|validation)?errors|error|messages?|details?|modelstate|violations|issues|params|fields)$/;
/** Names under which an API files errors that belong to no field. */
const generalKeys = /^(?:nonfielderrors|base|all|general|global|errors|detail)$/;
/** Lists that usually are data: read only when nothing else has a text. */
const dataKeys = /^(?:data|results?|warnings)$/i;
const [maxDepth, maxItems, maxMembers] = [10, 20, 60] as const;

/** Reads the tree of an error body. Bounded in depth and in the number of members looked at. */
export function readErrorBody(tree: JsonValue): ErrorBody {
  const reader = new BodyReader();
  reader.isGraphql = isObject(tree) && "data" in tree && Array.isArray(tree["errors"]);
  reader.visit(tree, "", 0);
  return reader;
}

class BodyReader implements ErrorBody {
  readonly codes: string[] = [];
  readonly fields: Map<string, string[]> = new Map();
  readonly particulars: Map<string, JsonValue> = new Map();
  status: number | undefined;
  readonly #texts: string[] = [];
  /** Whether `path` in an error is a place in the answer, not in the input. */
  isGraphql = false;
  #visitsLeft = 300;

  get message(): string | undefined {
    const prose = this.#texts.filter((text) => !this.codes.includes(text));
    if (this.#texts.length > 0)
      return joinTexts(prose.length > 0 ? prose : this.#texts.slice(0, 1));
    const byField = [...this.fields]
      .slice(0, 5)
      .map(([field, texts]) => `${field}: ${texts.join(", ")}`);
    return byField.length > 0 ? byField.join("; ") : this.codes[0];
  }

  visit(value: JsonValue | undefined, key: string, depth: number): void {
    if (value === undefined || depth > maxDepth || this.#visitsLeft-- <= 0) return;
    if (isObject(value)) this.#visitObject(value, key, depth);
    else if (typeof value === "string") this.#addText(toText(value));
    else if (Array.isArray(value))
      for (const item of value.slice(0, maxItems))
        if (isObject(item)) this.#visitItem(item, key, depth + 1);
        else this.visit(item, key, depth + 1);
  }

  /** An error of a list: one that names a field is that field's. */
  #visitItem(item: JsonObject, list: string, depth: number): void {
    const shape = toShape(item);
    const field = this.#findField(shape, list);
    if (field === undefined) {
      this.#visitObject(item, messageKeys.some((name) => shape.has(name)) ? "" : list, depth);
      return;
    }
    const codes = readOwnCodes(shape);
    this.#addField(field, readOwnText(shape) ?? codes[0] ?? "invalid");
    this.#addCodes(codes);
  }

  #visitObject(value: JsonObject, key: string, depth: number): void {
    if (isFieldMap(key, value) || (depth < 2 && isBareFieldMap(value))) {
      this.#visitFields(value, "", 0);
      return;
    }
    const shape = toShape(value);
    const text = readOwnText(shape);
    const codes = readOwnCodes(shape);
    this.#addText(text);
    this.#addCodes(codes);
    this.status ??= readOwnStatus(shape);
    const field = text === undefined ? undefined : this.#findField(shape);
    if (field !== undefined && text !== undefined) this.#addField(field, text);
    this.#addParticulars(shape);
    this.#visitParts(shape, partKeys, depth);
    // WordPress keeps its field errors in `data.params`; whatever else is in `data` is not an error.
    const data = shape.get("data")?.value;
    if (isObject(data)) this.visit(data["params"], "params", depth + 1);
    if (this.#texts.length + this.fields.size > 0) return;
    // Data, or a wrapper around something known, such as the payload of a GraphQL mutation.
    for (const [name, item] of Object.entries(value).slice(0, 5))
      if (isObject(item) || (Array.isArray(item) && dataKeys.test(name)))
        this.visit(item, "", depth + 1);
  }

  #visitParts(shape: Shape, keys: readonly string[], depth: number): void {
    for (const key of keys) {
      const part = shape.get(key)?.value;
      if (typeof part === "object" && !isBlank(part)) this.visit(part, key, depth + 1);
    }
  }

  /** Takes every message of a map under the dotted name of its field; `""` for none. */
  #visitFields(value: JsonValue, field: string, depth: number): void {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, maxItems)) this.#visitFields(item, field, depth + 1);
      return;
    }
    const shape = isObject(value) && depth > 0 ? toShape(value) : undefined;
    const text =
      shape === undefined ? toText(value) : (readOwnText(shape) ?? readOwnCodes(shape)[0]);
    if (text !== undefined) field === "" ? this.#addText(text) : this.#addField(field, text);
    else if (isObject(value))
      for (const [key, item] of Object.entries(value).slice(0, maxMembers)) {
        const inner = field === "" ? key : `${field}.${key}`;
        this.#visitFields(item, generalKeys.test(normalizeKey(key)) ? field : inner, depth + 1);
      }
  }

  /** Such as `user.email`, or a JSON pointer as given. */
  #findField(error: Shape, list?: string): string | undefined {
    const isPlace = !this.isGraphql && !error.has("locations") && !error.has("extensions");
    const inList = [
      ...listedFieldKeys,
      ...(isPlace ? ["path"] : []),
      // Elsewhere than in a list about parameters it is the error's own.
      ...(/param|field|valid|violation/.test(list ?? "") ? ["name"] : []),
    ];
    // JSON:API.
    const source = error.get("source")?.value;
    const pointer = isObject(source) ? (source["pointer"] ?? source["parameter"]) : undefined;
    const keys = list === undefined ? fieldKeys : [...fieldKeys, ...inList];
    const named = [pointer, ...keys.map((key) => error.get(key)?.value)];
    return named.map(toFieldName).find((name) => name !== undefined);
  }

  #addText(text: string | undefined): void {
    if (text !== undefined && this.#texts.length < 50) this.#texts.push(text);
  }

  #addCodes(codes: readonly string[]): void {
    for (const code of codes)
      if (this.codes.length < 20 && !this.codes.includes(code)) this.codes.push(code);
  }

  #addField(field: string, message: string): void {
    const messages = this.fields.get(field) ?? [];
    if (messages.length < 10 && !messages.includes(message)) messages.push(message);
    if (this.fields.size < 100) this.fields.set(field, messages);
  }

  #addParticulars(shape: Shape): void {
    for (const [name, { key, value }] of shape) {
      if (noiseKeys.has(name) || isBlank(value) || this.particulars.size >= 8) continue;
      const isLong = typeof value === "string" && value.length > 300;
      const isTree = typeof value === "object" && toText(value) === undefined;
      if (!isLong && !isTree && !this.particulars.has(key)) this.particulars.set(key, value);
    }
  }
}

function toFieldName(value: JsonValue | undefined): string | undefined {
  if (!Array.isArray(value)) return typeof value === "string" ? toText(value) : undefined;
  const parts = value.slice(0, 12).map((part) => toText(part));
  return parts.length > 0 && parts.every((part) => part !== undefined)
    ? parts.join(".")
    : undefined;
}

/** Whether the member `key` of an error body holds errors by field, rather than being one error itself. */
export function isFieldMap(key: string, value: JsonObject): boolean {
  if (!fieldMapKeys.test(key)) return false;
  const shape = toShape(value);
  const isText = (name: string): boolean =>
    ["string", "number"].includes(typeof shape.get(name)?.value);
  if (splitWords("message msg code errorcode errormessage").some(isText)) return false;
  if (splitWords("error errors fault exception").some((name) => shape.has(name))) return false;
  const values = Object.values(value).slice(0, maxMembers);
  const takesTexts = key !== "error" && !/^(?:message|detail)/.test(key);
  return values.length > 0 && values.every((item) => isOfField(takesTexts ? [item].flat() : item));
}

/** Whether a whole body is such a map (Django, Rails): every member a list of texts, or an object of such, and not only under names for lists of errors. */
function isBareFieldMap(value: JsonObject): boolean {
  const entries = Object.entries(value).slice(0, maxMembers);
  return (
    entries.some(([key]) => !partKeys.includes(normalizeKey(key)) && !dataKeys.test(key)) &&
    entries.every(
      ([, item]) =>
        isTextList(item) || (isOfField(item) && Object.values(item ?? []).every(isTextList)),
    )
  );
}

function isTextList(value: JsonValue): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.slice(0, maxItems).every((text) => typeof text === "string")
  );
}

/** A list of texts or errors, or an object of such lists. */
function isOfField(value: JsonValue): boolean {
  const isTextOrObject = (item: JsonValue): boolean => typeof item === "string" || isObject(item);
  if (Array.isArray(value))
    return value.length > 0 && value.slice(0, maxItems).every(isTextOrObject);
  const inner = isObject(value) ? Object.values(value).slice(0, maxItems) : [];
  return inner.length > 0 && inner.every((item) => Array.isArray(item));
}

/** The texts of the object as `title: detail`; undefined when it has none. */
function readOwnText(shape: Shape): string | undefined {
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
  if (detail === "" || (title !== "" && !isRepeated && title.includes(detail)))
    return title || undefined;
  return isRepeated ? detail : `${title.replace(/[.:]$/, "")}: ${detail}`;
}

/** The object's own codes, most specific first. */
function readOwnCodes(shape: Shape): string[] {
  return [...new Set(codeKeys.flatMap((key) => toCode(key, toText(shape.get(key)?.value)) ?? []))];
}

/** Of a type its name: `com.amazonaws…#ThrottlingException`, `ValidationException:http://…`; `about:blank` and RFC links have none. */
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
function readOwnStatus(shape: Shape): number | undefined {
  const texts = ["status", "statuscode", "code", "errorcode"].map(
    (key) => toText(shape.get(key)?.value) ?? "",
  );
  return Number(texts.find((text) => /^[45]\d\d$/.test(text))) || undefined;
}
