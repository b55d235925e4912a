/** Distinguishes a 2xx body that reports a failure from a record that merely has an `error`, a `status` or a `success` of its own. */

import type { ResponseBody } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";
import {
  isBlank,
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
/** Where a `false` or `0` means "no result" too. */
const payloadKey = /^(?:data|results?|payload|content)$/;
const messageKey = /^(?:message|msg|description|detail|reason|error|errmsg|code)$/;
const faultRoots =
  /^(?:errors?|errorresponse|apierror|fault|serviceexceptionreport|exceptionreport|exception)$/;

/** Whether a 2xx body reports that the call failed. Only its top is looked at, never the rows of a list: rows are data. */
export function hasHiddenFailure({ document: root, contentType = "", kind }: ResponseBody): boolean {
  if (!isObject(root)) return false;
  if (/^application\/problem\+(?:json|xml)$/.test(contentType)) return true;
  return kind === "xml" ? isXmlFailure(root) : kind === "json" && isFailure(root);
}

function isXmlFailure(root: JsonObject): boolean {
  const [[key = "", value] = [], ...others] = Object.entries(root).filter(([name]) => !/^[?#@]/.test(name));
  const name = normalizeKey(key);
  if (others.length > 0) return false;
  if (faultRoots.test(name)) return !isBlank(value);
  if (!isObject(value)) return false;
  const body = name === "envelope" ? toShape(value).get("body")?.value : undefined;
  if (isObject(body)) return toShape(body).has("fault");
  return /^(?:rsp|response|result|api)$/.test(name) && isFailure(value);
}

function isFailure(root: JsonObject): boolean {
  const shape = toShape(root);
  return isGraphqlFailure(shape) || isListed(shape) || (isEnvelope(shape) && reportsFailure(shape));
}

/**
 * GraphQL (specification, section 7.1): `errors` is a list of objects with a message beside nothing but `data` and `extensions`, or a
 * mutation's payload reports `userErrors`. A failed answer may still hold partial `data`; where that is a list it is a bulk operation's.
 */
function isGraphqlFailure(shape: Shape): boolean {
  const data = shape.get("data")?.value;
  if (!hasOnly(shape, /^(?:data|errors|extensions|hasnext)$/) || Array.isArray(data)) return false;
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
      hasOnly(shape, /^(?:status|data|message|code)$/) &&
      isListOf(Object.values(data), (value) => typeof value === "string")
    );
  const results = shape.size === 1 ? shape.get("results")?.value : undefined;
  return isListOf(results, (item) => isObject(item) && typeof item["error"] === "string");
}

function hasOnly(shape: Shape, keys: RegExp): boolean {
  return [...shape.keys()].every((key) => keys.test(key));
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
    const isWithoutContent = isBlank(value) && value !== false && value !== 0;
    return isWithoutContent || (payloadKey.test(name) && isBlank(value));
  });
}

function reportsFailure(shape: Shape): boolean {
  const hasMessage = listValues(shape, messageKey).length > 0;
  const isFalse = (value: JsonValue): boolean =>
    // A lone `0` may be a count of successes; beside a message it is false.
    typeof value === "string"
      ? /^(?:false|no|0)$/i.test(value)
      : value === false || (value === 0 && hasMessage);
  return (
    listValues(shape, /^(?:ok|success|successful|issuccess|succeeded|response)$/).some(isFalse) ||
    listValues(shape, /^(?:iserror|haserrors?)$/).includes(true) ||
    [...shape].some(([name, { value }]) => isErrorMember(name, value, shape)) ||
    hasErrorCode(shape) ||
    listValues(shape, /^(?:meta|(?:response)?status|header)$/).some(
      (part) => isObject(part) && hasErrorCode(toShape(part)),
    ) ||
    // The state of a job comes with the job's other members.
    (hasMessage &&
      listValues(shape, /^stat(?:us)?$/).some((value) => /^(?:error|fail)$/i.test(toText(value) ?? ""))) ||
    hasFailedStatus(shape)
  );
}

function listValues(shape: Shape, keys: RegExp): JsonValue[] {
  return [...shape].flatMap(([name, { value }]) => (keys.test(name) ? [value] : []));
}

/** A record that is itself called `error` (a crash tracker's) has an identity; an error has a text, a code or fields. */
function isErrorMember(key: string, value: JsonValue, shape: Shape): boolean {
  if (!/^(?:errors?|err|fault|exception)$/.test(key)) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "string") return isErrorFlag(value);
  if (isObject(value)) {
    const own = [...toShape(value).keys()];
    if (own.some((name) => /^(?:id|createdat|updatedat)$/.test(name))) return false;
    const errorKey = /^(?:type|errors|title|info|status|name)$/;
    return own.some((name) => messageKey.test(name) || errorKey.test(name)) || isFieldMap(key, value);
  }
  // A lone number may be a measured error; beside a message it is a code.
  const hasMessage = listValues(shape, /^(?:message|msg|description|detail|reason)$/).length > 0;
  return hasMessage && (value === true || (typeof value === "number" && value !== 0));
}

/** The flag of an error; its whole value is `"0"`, `"none"`, `"ok"` or the like in a success. Words within a text decide nothing. */
function isErrorFlag(text: string | undefined): boolean {
  const successValue = /^\s*(?:0+|false|none|null|nil|no|no error|ok|success|n\/a|-|2\d\d)?\s*$/i;
  return text !== undefined && !successValue.test(text);
}

function hasErrorCode(shape: Shape): boolean {
  const numbers = listValues(shape, /^err(?:orcode|code|no)$/).map(toText);
  const texts = listValues(shape, /^err(?:ormessage|ormsg|msg|ordescription)$/).map(toText);
  return !numbers.some((text) => /^0+$/.test(text ?? "")) && [...numbers, ...texts].some(isErrorFlag);
}

/** A message beside a code that is an HTTP error status. Any other code has a meaning that only `errorWhen` of the record knows. */
function hasFailedStatus(shape: Shape): boolean {
  const message = toText((shape.get("message") ?? shape.get("msg") ?? shape.get("errors"))?.value);
  const entry = ["statuscode", "code", "cod", "status"].map((key) => shape.get(key)).find(Boolean);
  return message !== undefined && /^[45]\d\d$/.test(toText(entry?.value) ?? "");
}
