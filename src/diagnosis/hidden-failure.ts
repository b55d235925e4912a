/** Tells a 2xx body that reports a failure from a record that merely has an `error`, a `status` or a `success` of its own. */

import type { ResponseBody } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";
import {
  isEmpty,
  isObject,
  type JsonObject,
  normalizeKey,
  type Shape,
  toShape,
  toText,
} from "../json/shape.js";
import { isFieldMap } from "./error-fields.js";
import { listWords } from "./error-words.js";

/** What an envelope consists of. Any other key with a value in it makes the body a record, which is left alone. */
const envelopeKeys: ReadonlySet<string> = new Set(
  listWords(
    "error errors err errorcode errcode errno errormessage errormsg errmsg errordescription errordetails errorcodes " +
      "errortype erroruri errorid errorinfo errorlist errormessages exception fault cause causes message messages msg " +
      "detail details description reason hint info help moreinfo documentationurl links type code cod codename status " +
      "statuscode statustext stat statusmessage httpstatus resultcode returncode ok success successful issuccess " +
      "succeeded response needed provided responsemetadata parameters warning warnings extensions locations path " +
      "requestid traceid correlationid timestamp time took elapsed apiversion version jsonrpc meta metadata header " +
      "responsestatus debugid logid retryafter retryable subcode iserror haserror haserrors validationerrors " +
      "fielderrors invalidparams xmlns xml lang",
  ),
);
/** Where a `false` or `0` stands for "no result" too. */
const payloadKeys = listWords("data result results payload content");
const tellingKeys = listWords("message msg description detail reason error errmsg code");
const faultRoots =
  /^(?:errors?|errorresponse|apierror|fault|serviceexceptionreport|exceptionreport|exception)$/;

/** Whether a 2xx body reports that the call failed. Only its top is looked at, never the rows of a list: whatever stands in rows is data. */
export function hasHiddenFailure({ document: root, contentType = "", kind }: ResponseBody): boolean {
  if (!isObject(root)) return false;
  if (/^application\/problem\+(?:json|xml)$/.test(contentType)) return true;
  if (kind === "xml") return isXmlFailure(root);
  return kind === "json" && isFailure(root);
}

function isXmlFailure(root: JsonObject): boolean {
  const [only, ...others] = Object.entries(root).filter(([key]) => !/^[?#@]/.test(key));
  if (only === undefined || others.length > 0) return false;
  const [key, value] = only;
  const name = normalizeKey(key);
  if (faultRoots.test(name)) return !isEmpty(value);
  if (!isObject(value)) return false;
  const soapBody = name === "envelope" ? toShape(value).get("body")?.value : undefined;
  if (name === "envelope") return isObject(soapBody) && toShape(soapBody).has("fault");
  return /^(?:rsp|response|result|api)$/.test(name) && isFailure(value);
}

function isFailure(root: JsonObject): boolean {
  const shape = toShape(root);
  if (isGraphqlFailure(shape) || isFailList(shape) || isResultFailure(shape)) return true;
  return isEnvelope(shape) && saysFailure(shape);
}

/**
 * GraphQL (specification, section 7.1): `errors` is a list of objects with a message beside nothing but `data` and `extensions`, or a
 * mutation's payload reports `userErrors`. A failed answer may still hold partial `data`; where that is a list it is a bulk operation's.
 */
function isGraphqlFailure(shape: Shape): boolean {
  const data = shape.get("data")?.value;
  if (!hasOnly(shape, "data errors extensions hasnext") || Array.isArray(data)) return false;
  const payloads = isObject(data) ? Object.values(data).slice(0, 10).filter(isObject) : [];
  const lists = payloads.map((payload) => toShape(payload).get("usererrors")?.value);
  return [shape.get("errors")?.value, ...lists].some((list) =>
    isListOf(list, (item) => isObject(item) && typeof item["message"] === "string"),
  );
}

/** JSend's `{"status":"fail","data":{"title":"A title is required"}}`: those members and texts by field. */
function isFailList(shape: Shape): boolean {
  const data = shape.get("data")?.value;
  if (shape.get("status")?.value !== "fail" || !isObject(data)) return false;
  const isTexts = isListOf(Object.values(data), (value) => typeof value === "string");
  return isTexts && hasOnly(shape, "status data message code");
}

/** A body that is nothing but results, each of them an error: `{"results":[{"statement_id":0,"error":"database not found: x"}]}`. */
function isResultFailure(shape: Shape): boolean {
  const results = shape.get("results")?.value;
  return shape.size === 1 && isListOf(results, (item) => isObject(item) && typeof item["error"] === "string");
}

function hasOnly(shape: Shape, keys: string): boolean {
  const allowed = listWords(keys);
  return [...shape.keys()].every((key) => allowed.includes(key));
}

/** Whether it is a list with something in it, each of the kind. */
function isListOf(value: JsonValue | undefined, isKind: (item: JsonValue) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.slice(0, 100).every(isKind);
}

/** Whether nothing but envelope keys has a value: then the body has no record in it. */
function isEnvelope(shape: Shape): boolean {
  const isCall = shape.has("jsonrpc") || (shape.has("result") && shape.has("error"));
  return [...shape].every(([name, { value }]) => {
    if (envelopeKeys.has(name) || (isCall && name === "id")) return true;
    const saysNothing = isEmpty(value) && value !== false && value !== 0;
    return saysNothing || (payloadKeys.includes(name) && isEmpty(value));
  });
}

function saysFailure(shape: Shape): boolean {
  const read = (key: string): JsonValue | undefined => shape.get(key)?.value;
  const isTold = tellingKeys.some((key) => shape.has(key));
  return (
    listWords("ok success successful issuccess succeeded response").some((key) => isNo(read(key), isTold)) ||
    hasErrorMember(shape) ||
    ["iserror", "haserror", "haserrors"].some((key) => read(key) === true) ||
    hasErrorCode(shape) ||
    ["meta", "status", "responsestatus", "header"].some((key) => {
      const header = read(key);
      return isObject(header) && hasErrorCode(toShape(header));
    }) ||
    hasFailedState(shape) ||
    hasFailedStatus(shape)
  );
}

/** A lone `0` may be a count of successes; beside a message it says no. */
function isNo(value: JsonValue | undefined, isTold: boolean): boolean {
  if (typeof value === "string") return /^(?:false|no|0)$/i.test(value);
  return value === false || (value === 0 && isTold);
}

function hasErrorMember(shape: Shape): boolean {
  const isTold = listWords("message msg description detail reason").some((name) => shape.has(name));
  return listWords("error errors err fault exception").some((key) => {
    const value = shape.get(key)?.value;
    if (Array.isArray(value)) return value.length > 0;
    if (isObject(value)) return isErrorObject(key, value);
    if (typeof value === "string") return isComplaint(toText(value));
    // A lone number may be a measured error; beside a message it is a code.
    return isTold && (value === true || (typeof value === "number" && value !== 0));
  });
}

/** A record that is itself called `error` (a crash tracker's) has an identity; an error has a text, a code or fields. */
function isErrorObject(key: string, value: JsonObject): boolean {
  const shape = toShape(value);
  if (["id", "createdat", "updatedat"].some((name) => shape.has(name))) return false;
  const tells = [...tellingKeys, "type", "errors", "title", "info", "status", "name"];
  return tells.some((name) => shape.has(name)) || isFieldMap(key, value);
}

/** `error: "0"`, `"none"`, `"false"`, `"ok"`: some APIs say so when all is well. */
function isComplaint(text: string | undefined): boolean {
  const isWell = /^(?:0+|false|none|null|nil|no|no error|ok|success|n\/a|-|2\d\d)$/i;
  return text !== undefined && !isWell.test(text);
}

function hasErrorCode(shape: Shape): boolean {
  const numbers = listWords("errorcode errcode errno").map((key) => toText(shape.get(key)?.value));
  const texts = listWords("errormessage errormsg errmsg errordescription").map((key) =>
    toText(shape.get(key)?.value),
  );
  return !numbers.some((text) => /^0+$/.test(text ?? "")) && [...numbers, ...texts].some(isComplaint);
}

/** JSend's `{"status":"error","message":…}`; the state of a job comes with the job's other members. Google Maps refuses in capitals. */
function hasFailedState(shape: Shape): boolean {
  const isTold = [...tellingKeys, "err"].some((name) => shape.has(name));
  return ["status", "stat"].some((key) => {
    const state = toText(shape.get(key)?.value) ?? "";
    const isRefusal = /^(?:REQUEST_DENIED|INVALID_REQUEST|OVER_\w+_LIMIT)$/.test(state);
    return isRefusal || (isTold && /^(?:error|fail)$/i.test(state));
  });
}

/** A message beside a code that is an HTTP error status, or beside any failing code and an explicit `data: null`. */
function hasFailedStatus(shape: Shape): boolean {
  const message = toText((shape.get("message") ?? shape.get("msg") ?? shape.get("errors"))?.value);
  if (message === undefined || /^(?:success\w*|ok|done)\b/i.test(message)) return false;
  const entry = listWords("statuscode code cod status")
    .map((key) => shape.get(key))
    .find(Boolean);
  const code = toText(entry?.value) ?? "";
  if (/^[45]\d\d$/.test(code)) return true;
  const isFailing = /^-?\d{1,9}$/.test(code) && isComplaint(code);
  return isFailing && shape.get("data")?.value === null && entry?.key !== "status";
}
