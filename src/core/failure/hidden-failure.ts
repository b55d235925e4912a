/** Whether a body under 2xx reports that the call failed, distinguished from a record that has an `error`, a `status` or a `success` of its own. */

import { type JsonValue, listMembers } from "../base/exact-number.js";
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
import { isFieldMap } from "./field-maps.js";

/** The keys of an envelope. Any other key with a value in it makes the body a record, which is left alone. */
const envelopeKeys: ReadonlySet<string> = new Set(
  (
    "error errors err errorcode errorcodes errcode errno errormessage errormsg errmsg errordescription errordetail errordetails errortype " +
    "erroruri errorid errorinfo errorlist errormessages exception fault cause causes message messages msg detail details " +
    "description reason hint info help moreinfo documentationurl links type code codename status statuscode statustext stat " +
    "statusmessage httpstatus ok success successful issuccess succeeded iserror haserror haserrors response needed provided " +
    "responsemetadata responsestatus parameters warning warnings extensions locations path requestid traceid correlationid timestamp time " +
    "took elapsed apiversion version jsonrpc meta metadata debugid logid retryafter retryable subcode submsg validationerrors " +
    "fielderrors invalidparams xmlns lang ack build result resultcode refid"
  ).split(" "),
);
/** Where a `false` or `0` means "no result" too. */
const payloadKey = /^(?:data|results?|payload|content)$/;
/** Members of the root of an XML document, its own declarations among them; and mutations of a GraphQL answer. */
const [maxRootMembers, maxPayloads] = [20, 10] as const;
const messageKey = /^(?:message|msg|description|detail|reason|error|errmsg|code|data)$/;

/** Whether a 2xx body reports that the call failed. Only its top is looked at, never the rows of a list: rows are data. */
export function hasHiddenFailure({
  document: root,
  contentType = "",
  kind,
}: Pick<ResponseBody, "document" | "contentType" | "kind">): boolean {
  if (!isObject(root)) return false;
  if (/^application\/problem\+(?:json|xml)$/.test(contentType)) return true;
  if (kind === "xml") return isXmlFailure(root);
  const shape = toShape(root);
  return kind === "json" && (isGraphqlFailure(shape) || isFailedEnvelope(shape));
}

/** A SOAP fault, a document that is an error (S3, OGC), or an envelope (Flickr). */
function isXmlFailure(root: JsonObject): boolean {
  const elements = listMembers(root, maxRootMembers).filter(([key]) => !/^[?#@]/.test(key));
  const [[key, value] = ["", null]] = elements;
  const name = normalizeKey(key);
  if (elements.length !== 1) return false;
  if (/^(?:errors?|errorresponse|fault|exception|(?:service)?exceptionreport)$/.test(name))
    return !isBlank(value);
  if (!isObject(value)) return false;
  if (/^(?:rsp|[a-z]*response|result|api)$/.test(name)) return isFailedEnvelope(toShape(value));
  const body = name === "envelope" ? toShape(value).get("body")?.value : undefined;
  return isObject(body) && toShape(body).has("fault");
}

/**
 * GraphQL (specification, section 7.1): `errors` is a list of objects with a message beside nothing but `data` and `extensions`, or a
 * mutation's payload reports `userErrors`. A failed answer may still hold partial `data`; where that is a list it is a bulk operation's.
 */
function isGraphqlFailure(shape: Shape): boolean {
  const data = shape.get("data")?.value;
  const isAlone = [...shape.keys()].every((key) =>
    /^(?:data|errors|extensions|hasnext)$/.test(key),
  );
  if (!isAlone || Array.isArray(data)) return false;
  const members = isObject(data) ? listMembers(data, maxPayloads) : [];
  const payloads = members.map(([, payload]) => payload).filter(isObject);
  const lists = payloads.map((payload) => toShape(payload).get("usererrors")?.value);
  return [shape.get("errors")?.value, ...lists].some(
    (list) => Array.isArray(list) && isObject(list[0]) && typeof list[0]["message"] === "string",
  );
}

/** Whether a document has a message, and nothing but the members of an envelope. */
export function isErrorAlone(document: JsonObject): boolean {
  const shape = toShape(document);
  return shape.has("message") && isEnvelope(shape, false);
}

/** @param isPart - Of one that is looked at: its own parts are not looked at. */
function isFailedEnvelope(shape: Shape, isPart = false): boolean {
  return isEnvelope(shape, isPart) && reportsFailure(shape, isPart);
}

/** Whether nothing but envelope keys has a value: then the body has no record in it. */
function isEnvelope(shape: Shape, isPart: boolean): boolean {
  const isCall = shape.has("jsonrpc") || (shape.has("result") && shape.has("error"));
  // `{"status":"fail","data":{"title":"A title is required"}}` (https://github.com/omniti-labs/jsend).
  const isJsend = shape.get("status")?.value === "fail";
  return [...shape].every(([name, { value }]) => {
    if (envelopeKeys.has(name) || (isCall && name === "id") || (isJsend && name === "data"))
      return true;
    const isWithoutContent = isBlank(value) && value !== false && value !== 0;
    return (
      isWithoutContent ||
      (payloadKey.test(name) && isBlank(value)) ||
      (!isPart && isFailedPart(name, value))
    );
  });
}

/** Whether a member of an envelope reports a failure, or a message is beside a code that is an HTTP error status. Any other code has a meaning that only `errorWhen` of the record knows. */
function reportsFailure(shape: Shape, isPart: boolean): boolean {
  const message = toText((shape.get("message") ?? shape.get("msg") ?? shape.get("errors"))?.value);
  const code = ["statuscode", "code", "status"].map((key) => shape.get(key)).find(Boolean);
  if (message !== undefined && /^[45]\d\d$/.test(toText(code?.value) ?? "")) return true;
  return [...shape].some(([name, { value }]) => {
    if (isFailureFlag(name, value) || (!isPart && isFailedPart(name, value))) return true;
    if (/^(?:ok|(?:is)?success|successful|succeeded|response)$/.test(name))
      return isFalse(value, shape);
    if (/^(?:errors?|err|fault|exception)$/.test(name)) return isError(value, shape, name);
    if (/^(?:meta|messages|(?:response)?status)$/.test(name) && isObject(value))
      return !isPart && reportsFailure(toShape(value), true);
    if (name === "result") return isFailureWord(value);
    // The state of a job comes with the job's other members.
    if (/^stat(?:us)?$/.test(name)) return isFailureWord(value) && hasMember(shape, messageKey);
    return /^err(?:orcode|code|no|ormessage)$/.test(name) && isErrorFlag(toText(value));
  });
}

/** The whole answer is in one member, and that reports a failure: `{"data":{"success":false}}`. */
function isFailedPart(name: string, value: JsonValue): boolean {
  return (
    /^(?:response|data)$/.test(name) && isObject(value) && isFailedEnvelope(toShape(value), true)
  );
}

/** A member that reports, beside data too, that the call or a part of it failed. */
export function isFailureFlag(name: string, value: JsonValue): boolean {
  if (/^(?:iserror|haserrors?|errors)$/.test(name)) return value === true;
  return (
    (name === "success" && value === false) ||
    (/^(?:ack|resultcode)$/.test(name) && isFailureWord(value))
  );
}

/** The whole value of a member for the outcome. */
function isFailureWord(value: JsonValue | undefined): boolean {
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
    const hasWords =
      hasMember(own, messageKey) || hasMember(own, /^(?:type|errors|title|info|status|name)$/);
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
