/** Tells a 2xx body that reports a failure from a record that merely has an `error`, a `status` or a `success` of its own. */

import type { ResponseBody } from "../body/response-body.js";
import { isJsonNumber, type JsonValue } from "../json/exact-number.js";
import {
  isEmpty,
  isObject,
  type JsonObject,
  normalizeKey,
  type Shape,
  toShape,
  toText,
} from "../json/shape.js";
import { isGraphqlFailure } from "./is-graphql-failure.js";
import { isFieldMap } from "./read-field-map.js";

/** What an envelope consists of. Any other key with a value in it makes the body a record, which is left alone. */
const envelopeKeys: ReadonlySet<string> = new Set([
  ..."error errors err errorcode errcode errno errormessage errormsg errmsg errordescription errordetails".split(
    " ",
  ),
  ..."errorcodes errortype erroruri errorid errorinfo errorkey errorlist errormessages exception fault cause causes".split(
    " ",
  ),
  ..."message messages msg detail details description reason hint info help helplink moreinfo documentationurl".split(
    " ",
  ),
  ..."docurl links type code cod status statuscode statustext stat statusmessage httpstatus httpcode".split(
    " ",
  ),
  ..."resultcode returncode ok success successful issuccess succeeded response needed provided".split(" "),
  ..."responsemetadata parameters warning warnings extensions locations path requestid traceid".split(" "),
  ..."correlationid timestamp time servertime took elapsed apiversion version jsonrpc meta metadata header".split(
    " ",
  ),
  ..."responsestatus debugid logid retryafter retryable subcode errorsubcode xml lang isok iserror haserror".split(
    " ",
  ),
  ..."haserrors codename validationerrors fielderrors invalidparams xmlns".split(" "),
]);

/** Where a `false` or `0` stands for "no result" too. */
const payloadKeys: ReadonlySet<string> = new Set(["data", "result", "results", "payload", "content"]);
const tellingKeys: readonly string[] = [
  "message",
  "msg",
  "description",
  "detail",
  "reason",
  "error",
  "errmsg",
  "code",
];
const successKeys = ["ok", "success", "successful", "issuccess", "succeeded", "isok"];
const failureKeys = ["iserror", "haserror", "haserrors"];
const codeKeys = ["errorcode", "errcode", "errno"];
const textKeys = ["errormessage", "errormsg", "errmsg", "errordescription"];
const failedStates: ReadonlySet<string> = new Set(["error", "fail"]);
const refusals: ReadonlySet<string> = new Set([
  "requestdenied",
  "overquerylimit",
  "overdailylimit",
  "invalidrequest",
]);
const maxEnvelopeKeys = 60;
const faultRoots =
  /^(?:error|errors|errorresponse|apierror|errormessage|fault|soapfault|serviceexceptionreport|exceptionreport|serviceexception|exception)$/;
const answerRoots = /^(?:rsp|response|result|api|envelope|ows|lfm)$/;

/**
 * The part of a 2xx document that reports a failure; undefined when the call succeeded. Only the top of the document is
 * looked at, never the rows of a list: whatever stands in rows is data.
 */
export function findFailureUnderSuccess(body: ResponseBody): JsonValue | undefined {
  const { document } = body;
  if (document === undefined) return undefined;
  const root = document;
  if (!isObject(root)) return undefined;
  if (body.contentType === "application/problem+json" || body.contentType === "application/problem+xml")
    return document;
  if (body.kind !== "json" && body.kind !== "xml") return undefined;
  const found = body.kind === "xml" ? isXmlFailure(root) : isFailure(root);
  return found ? document : undefined;
}

function isXmlFailure(root: JsonObject): boolean {
  const elements = Object.entries(root).filter(([key]) => !/^[?#@]/.test(key));
  const [only] = elements;
  if (only === undefined || elements.length > 1) return false;
  const [key, value] = only;
  const name = normalizeKey(key);
  if (faultRoots.test(name)) return !isEmpty(value);
  if (!isObject(value)) return false;
  if (name === "envelope") return isSoapFault(value);
  return answerRoots.test(name) && isFailure(value);
}

function isSoapFault(envelope: JsonObject): boolean {
  const body = toShape(envelope).get("body")?.value;
  return isObject(body) && toShape(body).has("fault");
}

function isFailure(root: JsonObject): boolean {
  const shape = toShape(root);
  if (isGraphqlFailure(shape) || isColumnFailure(shape)) return true;
  if (isFailList(shape)) return true;
  if (!isEnvelope(shape)) return false;
  return saysFailure(shape);
}

/** Whether nothing but envelope keys has a value: then the body has no record in it. */
function isEnvelope(shape: Shape): boolean {
  if (shape.size > maxEnvelopeKeys) return false;
  const isCall = shape.has("jsonrpc") || (shape.has("result") && shape.has("error"));
  for (const [name, { value }] of shape) {
    if (envelopeKeys.has(name) || (isCall && name === "id")) continue;
    if (!saysNothing(value) && !(payloadKeys.has(name) && isEmpty(value))) return false;
  }
  return true;
}

function saysNothing(value: JsonValue | undefined): boolean {
  return isEmpty(value) && value !== false && value !== 0;
}

function saysFailure(shape: Shape): boolean {
  const text = (key: string): string | undefined => toText(shape.get(key)?.value);
  const isTold = tellingKeys.some((key) => shape.has(key));
  if (successKeys.some((key) => isNo(shape.get(key)?.value, isTold))) return true;
  if (hasErrorMember(shape)) return true;
  if (failureKeys.some((key) => shape.get(key)?.value === true)) return true;
  if (codeKeys.some((key) => isNonZero(text(key))) || textKeys.some((key) => isComplaint(text(key))))
    return true;
  if (["meta", "status", "responsestatus", "header"].some((key) => isFailedHeader(shape, key))) return true;
  return hasFailedState(shape) || hasFailedCode(shape);
}

/** A lone `0` may be a count of successes; beside a message it says no. */
function isNo(value: JsonValue | undefined, isTold: boolean): boolean {
  return (
    value === false ||
    (value === 0 && isTold) ||
    (typeof value === "string" && /^(?:false|no|0)$/i.test(value))
  );
}

function hasErrorMember(shape: Shape): boolean {
  for (const key of ["error", "errors", "err", "fault", "exception"]) {
    const value = shape.get(key)?.value;
    if (Array.isArray(value) && value.length > 0) return true;
    if (isObject(value) && isErrorObject(key, value)) return true;
    const said = toText(value);
    const isTold = ["message", "msg", "description", "detail", "reason"].some((name) => shape.has(name));
    // A lone number may be a measured error; beside a message it is a code.
    if ((isJsonNumber(value) || value === true) && isTold && Number(value) !== 0) return true;
    if (typeof value === "string" && said !== undefined && isComplaint(said)) return true;
  }
  return false;
}

/** A record that is itself called `error` (a crash tracker's) has an identity; an error has a text, a code or fields. */
function isErrorObject(key: string, value: JsonObject): boolean {
  const shape = toShape(value);
  const isRecord = shape.has("id") || shape.has("createdat") || shape.has("updatedat");
  if (isRecord) return false;
  return (
    [...tellingKeys, "type", "errors", "title", "info", "status", "name"].some((name) => shape.has(name)) ||
    isFieldMap(key, value)
  );
}

/** `error: "0"`, `"none"`, `"false"`, `"ok"`: some APIs say so when all is well. */
function isComplaint(text: string | undefined): boolean {
  return text !== undefined && !/^(?:0|false|none|null|nil|no|no error|ok|success|n\/a|-)$/i.test(text);
}

function isNonZero(text: string | undefined): boolean {
  return text !== undefined && !/^(?:0+|ok|success|none|false)$/i.test(text) && !/^2\d\d$/.test(text);
}

function isFailedHeader(shape: Shape, key: string): boolean {
  const header = shape.get(key)?.value;
  if (!isObject(header)) return false;
  const inner = toShape(header);
  const hasCode = codeKeys.some((name) => isNonZero(toText(inner.get(name)?.value)));
  return hasCode || textKeys.some((name) => isComplaint(toText(inner.get(name)?.value)));
}

/** JSend's `{"status":"error","message":…}`; `stat` is Flickr's. The state of a job comes with the job's other members. */
function hasFailedState(shape: Shape): boolean {
  for (const key of ["status", "stat"]) {
    const state = toText(shape.get(key)?.value);
    if (state === undefined) continue;
    if (refusals.has(normalizeKey(state)) && /^[A-Z_]+$/.test(state)) return true;
    const isTold = ["message", "msg", "code", "description", "reason", "detail", "err"].some((name) =>
      shape.has(name),
    );
    if (failedStates.has(state.toLowerCase()) && isTold) return true;
  }
  return false;
}

/** A message beside a code that is an HTTP error status, or beside any failing code and an explicit `data: null`. */
function hasFailedCode(shape: Shape): boolean {
  const message = toText((shape.get("message") ?? shape.get("msg") ?? shape.get("errors"))?.value);
  if (message === undefined || /^(?:success\w*|ok|done)\b/i.test(message)) return false;
  const entry = shape.get("statuscode") ?? shape.get("code") ?? shape.get("cod") ?? shape.get("status");
  const code = toText(entry?.value);
  if (code === undefined || !/^-?\d{1,9}$/.test(code)) return false;
  if (/^[45]\d\d$/.test(code)) return true;
  return shape.get("data")?.value === null && isNonZero(code) && entry?.key !== "status";
}

/** JSend's `{"status":"fail","data":{"title":"A title is required"}}`: those two members and texts by field. */
function isFailList(shape: Shape): boolean {
  const data = shape.get("data")?.value;
  if (shape.get("status")?.value !== "fail" || !isObject(data) || isEmpty(data)) return false;
  const onlyThese = [...shape.keys()].every((key) => ["status", "data", "message", "code"].includes(key));
  return (
    onlyThese &&
    Object.values(data)
      .slice(0, 50)
      .every((value) => typeof value === "string")
  );
}

/** InfluxDB: `{"results":[{"statement_id":0,"error":"database not found: x"}]}`; the list is of statements, not of rows. */
function isColumnFailure(shape: Shape): boolean {
  const results = shape.get("results")?.value;
  if (shape.size > 2 || !Array.isArray(results)) return false;
  return results.slice(0, 100).some((result) => {
    if (!isObject(result) || typeof result["error"] !== "string") return false;
    return Object.keys(result).every((key) =>
      ["statement_id", "error", "series", "messages", "partial"].includes(key),
    );
  });
}
