/** Distinguishes a 2xx body that reports a failure from a record that merely has an `error`, a `status` or a `success` of its own. */

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
import type { ResponseBody } from "../body/response-body.js";
import { isFieldMap } from "./error-fields.js";
import { listWords } from "./error-words.js";

/** What an envelope consists of. Any other key with a value in it makes the body a record, which is left alone. */
const envelopeKeys: ReadonlySet<string> = new Set(
  listWords(
    "error errors err errorcode errcode errno errormessage errormsg errmsg errordescription errordetails errorcodes " +
      "errortype erroruri errorid errorinfo errorlist errormessages exception fault cause causes message messages msg " +
      "detail details description reason hint info help moreinfo documentationurl links type code codename status " +
      "statuscode statustext stat statusmessage httpstatus resultcode returncode ok success successful issuccess " +
      "succeeded response needed provided responsemetadata parameters warning warnings extensions locations path " +
      "requestid traceid correlationid timestamp time took elapsed apiversion version jsonrpc meta metadata header " +
      "responsestatus debugid logid retryafter retryable subcode iserror haserror haserrors validationerrors " +
      "fielderrors invalidparams xmlns xml lang ack build result",
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
  return /^(?:rsp|[a-z]*response|result|api)$/.test(name) && isFailure(value);
}

function isFailure(root: JsonObject): boolean {
  const shape = toShape(root);
  return isGraphqlFailure(shape) || isListed(shape) || isFailedEnvelope(shape) || isWrapped(shape);
}

function isFailedEnvelope(shape: Shape): boolean {
  return isEnvelope(shape) && reportsFailure(shape);
}

/** `{"data":{"success":false}}`, `{"messages":{"resultCode":"Error",…}}`: an envelope with nothing beside it. */
function isWrapped(shape: Shape): boolean {
  const [[name, { value }] = ["", { value: null }], ...others] = [...shape].filter(
    ([, entry]) => !isBlank(entry.value),
  );
  const isWrapper = /^(?:data|messages|response|result)$/.test(name) && isObject(value);
  return isWrapper && others.length === 0 && isFailedEnvelope(toShape(value));
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

/** Which members of an envelope report a failure, and with which values. */
const reports: readonly (readonly [
  keys: RegExp,
  isReport: (value: JsonValue, envelope: Shape, key: string) => boolean,
])[] = [
  [/^(?:ok|success|successful|issuccess|succeeded)$/, isFalse],
  [/^(?:iserror|haserrors?)$/, (value) => value === true],
  [/^(?:errors?|err|fault|exception)$/, isError],
  [/^(?:meta|(?:response)?status|header)$/, (value) => isObject(value) && hasErrorCode(toShape(value))],
  [/^(?:ack|resultcode|result)$/, (value) => isFailureWord(value)],
  // The state of a job comes with the job's other members.
  [/^stat(?:us)?$/, (value, envelope) => isFailureWord(value) && hasMember(envelope, messageKey)],
];

function reportsFailure(shape: Shape): boolean {
  const isReported = [...shape].some(([name, { value }]) =>
    reports.some(([keys, isReport]) => keys.test(name) && isReport(value, shape, name)),
  );
  return isReported || hasErrorCode(shape) || hasFailedStatus(shape);
}

/** The whole value of a member for the outcome. */
function isFailureWord(value: JsonValue): boolean {
  return /^(?:error|fail|failure)$/i.test(toText(value) ?? "");
}

function hasMember(shape: Shape, keys: RegExp): boolean {
  return [...shape.keys()].some((name) => keys.test(name));
}

/** A lone `0` may be a count of successes; beside a message it is false. */
function isFalse(value: JsonValue, envelope: Shape): boolean {
  if (typeof value === "string") return /^(?:false|no|0)$/i.test(value);
  return value === false || (value === 0 && hasMember(envelope, messageKey));
}

/** A record that is itself called `error` (a crash tracker's) has an identity; an error has a text, a code or fields. */
function isError(value: JsonValue, envelope: Shape, key: string): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "string") return isErrorFlag(value);
  if (isObject(value)) {
    const own = toShape(value);
    const isRecord = hasMember(own, /^(?:id|createdat|updatedat)$/);
    const hasWords = hasMember(own, messageKey) || hasMember(own, /^(?:type|errors|title|info|status|name)$/);
    return !isRecord && (hasWords || isFieldMap(key, value));
  }
  // A lone number may be a measured error; beside a message it is a code.
  const isFlag = value === true || (typeof value === "number" && value !== 0);
  return isFlag && hasMember(envelope, /^(?:message|msg|description|detail|reason)$/);
}

/** The flag of an error; its whole value is `"0"`, `"none"`, `"ok"` or the like in a success. Words within a text decide nothing. */
function isErrorFlag(text: string | undefined): boolean {
  const successValue = /^\s*(?:0+|false|none|null|nil|no|no error|ok|success|n\/a|-|2\d\d)?\s*$/i;
  return text !== undefined && !successValue.test(text);
}

function hasErrorCode(shape: Shape): boolean {
  const list = (keys: RegExp): (string | undefined)[] =>
    [...shape].flatMap(([name, { value }]) => (keys.test(name) ? [toText(value)] : []));
  const codes = list(/^err(?:orcode|code|no)$/);
  if (codes.some((text) => /^0+$/.test(text ?? ""))) return false;
  return [...codes, ...list(/^err(?:ormessage|ormsg|msg|ordescription)$/)].some(isErrorFlag);
}

/** A message beside a code that is an HTTP error status. Any other code has a meaning that only `errorWhen` of the record knows. */
function hasFailedStatus(shape: Shape): boolean {
  const message = toText((shape.get("message") ?? shape.get("msg") ?? shape.get("errors"))?.value);
  const entry = ["statuscode", "code", "status"].map((key) => shape.get(key)).find(Boolean);
  return message !== undefined && /^[45]\d\d$/.test(toText(entry?.value) ?? "");
}
