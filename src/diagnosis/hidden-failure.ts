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
const errorKeys = listWords("error errors err fault exception");
const faultRoots =
  /^(?:errors?|errorresponse|apierror|fault|serviceexceptionreport|exceptionreport|exception)$/;

/** Whether a 2xx body reports that the call failed. Only its top is looked at, never the rows of a list: whatever stands in rows is data. */
export function hasHiddenFailure({ document: root, contentType = "", kind }: ResponseBody): boolean {
  if (!isObject(root)) return false;
  if (/^application\/problem\+(?:json|xml)$/.test(contentType)) return true;
  return kind === "xml" ? isXmlFailure(root) : kind === "json" && isFailure(root);
}

function isXmlFailure(root: JsonObject): boolean {
  const [[key = "", value] = [], ...others] = Object.entries(root).filter(([name]) => !/^[?#@]/.test(name));
  const name = normalizeKey(key);
  if (others.length > 0) return false;
  if (faultRoots.test(name)) return !isEmpty(value);
  if (!isObject(value)) return false;
  const body = name === "envelope" ? toShape(value).get("body")?.value : undefined;
  if (isObject(body)) return toShape(body).has("fault");
  return /^(?:rsp|response|result|api)$/.test(name) && isFailure(value);
}

function isFailure(root: JsonObject): boolean {
  const shape = toShape(root);
  return isGraphqlFailure(shape) || isListed(shape) || (isEnvelope(shape) && saysFailure(shape));
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

/** JSend's `{"status":"fail","data":{"title":"A title is required"}}`, and `{"results":[{"error":"database not found: x"}]}`. */
function isListed(shape: Shape): boolean {
  const data = shape.get("data")?.value;
  if (shape.get("status")?.value === "fail" && isObject(data))
    return (
      hasOnly(shape, "status data message code") &&
      isListOf(Object.values(data), (value) => typeof value === "string")
    );
  const results = shape.size === 1 ? shape.get("results")?.value : undefined;
  return isListOf(results, (item) => isObject(item) && typeof item["error"] === "string");
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
  const isTold = tellingKeys.some((key) => shape.has(key));
  const read = (keys: string): (JsonValue | undefined)[] =>
    listWords(keys).map((key) => shape.get(key)?.value);
  return (
    read("ok success successful issuccess succeeded response").some((value) => isNo(value, isTold)) ||
    read("iserror haserror haserrors").includes(true) ||
    errorKeys.some((key) => isErrorMember(key, shape)) ||
    hasErrorCode(shape) ||
    read("meta status responsestatus header").some((part) => isObject(part) && hasErrorCode(toShape(part))) ||
    // The state of a job comes with the job's other members.
    (isTold && read("status stat").some((value) => /^(?:error|fail)$/i.test(toText(value) ?? ""))) ||
    hasFailedStatus(shape)
  );
}

/** A lone `0` may be a count of successes; beside a message it says no. */
function isNo(value: JsonValue | undefined, isTold: boolean): boolean {
  if (typeof value === "string") return /^(?:false|no|0)$/i.test(value);
  return value === false || (value === 0 && isTold);
}

/** A record that is itself called `error` (a crash tracker's) has an identity; an error has a text, a code or fields. */
function isErrorMember(key: string, shape: Shape): boolean {
  const value = shape.get(key)?.value;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "string") return isComplaint(value);
  if (isObject(value)) {
    const own = toShape(value);
    if (["id", "createdat", "updatedat"].some((name) => own.has(name))) return false;
    const tells = [...tellingKeys, "type", "errors", "title", "info", "status", "name"];
    return tells.some((name) => own.has(name)) || isFieldMap(key, value);
  }
  // A lone number may be a measured error; beside a message it is a code.
  const isTold = listWords("message msg description detail reason").some((name) => shape.has(name));
  return isTold && (value === true || (typeof value === "number" && value !== 0));
}

/** `error: "0"`, `"none"`, `"false"`, `"ok"`: some APIs say so when all is well. */
function isComplaint(text: string | undefined): boolean {
  const isWell = /^\s*(?:0+|false|none|null|nil|no|no error|ok|success|n\/a|-|2\d\d)?\s*$/i;
  return text !== undefined && !isWell.test(text);
}

function hasErrorCode(shape: Shape): boolean {
  const read = (keys: string): (string | undefined)[] =>
    listWords(keys).map((key) => toText(shape.get(key)?.value));
  const numbers = read("errorcode errcode errno");
  const isWell = numbers.some((text) => /^0+$/.test(text ?? ""));
  return !isWell && [...numbers, ...read("errormessage errormsg errmsg errordescription")].some(isComplaint);
}

/** A message beside a code that is an HTTP error status, or beside any failing code and an explicit `data: null`. */
function hasFailedStatus(shape: Shape): boolean {
  const message = toText((shape.get("message") ?? shape.get("msg") ?? shape.get("errors"))?.value);
  if (message === undefined || /^(?:success\w*|ok|done)\b/i.test(message)) return false;
  const keys = listWords("statuscode code cod status");
  const entry = keys.map((key) => shape.get(key)).find(Boolean);
  const code = toText(entry?.value) ?? "";
  if (/^[45]\d\d$/.test(code)) return true;
  const isFailing = /^-?\d{1,9}$/.test(code) && isComplaint(code);
  return isFailing && shape.get("data")?.value === null && entry?.key !== "status";
}
