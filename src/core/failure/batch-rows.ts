/** Which lists of a document hold the outcomes of a batch, and which of their rows failed. */

import { type JsonValue, listKeys, listMembers } from "../base/exact-number.js";
import { isBlank, isObject, type JsonObject, type Shape, toShape, toText } from "../base/shape.js";

/** Rows that are read, lists in which they are looked for, and members of a row: one of more members is data. */
export const maxRows = 1_000;
const [maxLists, maxKeys] = [60, 200] as const;

/** A list of a document. */
export interface OutcomeList {
  /** `""` where the list is the document. */
  readonly name: string;
  readonly rows: readonly JsonValue[];
  /** Whether its rows are the outcomes of a batch; else only a row with `success: false` or a status of HTTP reports a failure. */
  readonly isBatch: boolean;
  /** Whether the response states that it is about a batch, or each row is an answer: it is one whatever the method was. */
  readonly isStated: boolean;
  /** The rows of the batch that succeeded, where the API lists them apart: then all of these failed. */
  readonly succeeded: readonly JsonValue[] | undefined;
}

/** Takes a document and the status of its response. Returns its lists. */
export function listOutcomes(document: JsonValue | undefined, status: number): OutcomeList[] {
  if (Array.isArray(document)) {
    const isStated =
      status === 207 || areAll(document, isRpcAnswer) || areAll(document, isHttpAnswer);
    const isBatch = isStated || areAll(document, isOutcome);
    return [{ name: "", rows: document, isBatch, isStated, succeeded: undefined }];
  }
  if (!isObject(document)) return [];
  const shape = toShape(document);
  const isFlagged = status === 207 || hasErrorFlag(shape);
  const isCounted = hasFailedCount(shape);
  return listMembers(document, maxLists).flatMap(([name, rows]) => {
    if (!Array.isArray(rows)) return [];
    const succeeded = name.toLowerCase() === "failed" ? findSucceeded(shape) : undefined;
    const isStated = isFlagged || holdsAnswers(name, rows);
    const isNamed = name === "responses" || (name === "results" && hasBareError(rows));
    const isBatch = isStated || isNamed || isCounted || succeeded !== undefined;
    return { name, rows, isBatch, isStated, succeeded };
  });
}

/** Elasticsearch's and Salesforce's flags. */
function hasErrorFlag(shape: Shape): boolean {
  return ["errors", "haserrors"].some((name) => shape.get(name)?.value === true);
}

/** How many failed at Kinesis, Firehose and EventBridge. */
function hasFailedCount(shape: Shape): boolean {
  return [...shape].some(
    ([name, { value }]) => /^failed[a-z]*count$/.test(name) && Number(toText(value)) > 0,
  );
}

/** Microsoft Graph's and OData's `responses`; the `results` of InfluxDB, one for each statement. */
function holdsAnswers(name: string, rows: readonly JsonValue[]): boolean {
  if (name === "responses") return areAll(rows, isHttpAnswer);
  return name === "results" && areAll(rows, isFailedStatement);
}

function isFailedStatement(row: JsonValue): boolean {
  return isObject(row) && "statement_id" in row && isBareError(row);
}

function hasBareError(rows: readonly JsonValue[]): boolean {
  return rows.slice(0, maxRows).some(isBareError);
}

/** The list beside `Failed` (SQS, SNS). Without one, `failed` may be a state of the rows. */
function findSucceeded(shape: Shape): readonly JsonValue[] | undefined {
  const list = (shape.get("successful") ?? shape.get("succeeded"))?.value;
  return Array.isArray(list) ? list : undefined;
}

function areAll(rows: readonly JsonValue[], test: (row: JsonValue) => boolean): boolean {
  return rows.length > 0 && rows.every((row, index) => index >= maxRows || test(row));
}

function isRpcAnswer(row: JsonValue): boolean {
  return isObject(row) && typeof row["jsonrpc"] === "string";
}

/** Salesforce's outcome of a record: a flag, and a list of errors. */
function isOutcome(row: JsonValue): boolean {
  return isObject(row) && typeof row["success"] === "boolean" && Array.isArray(row["errors"]);
}

/** A response within a list: of a batch in parts, and Facebook's. */
function isHttpAnswer(row: JsonValue): boolean {
  if (!isObject(row) || !("body" in row)) return false;
  const isOwn = listKeys(row).every((key) => /^(?:id|status|code|headers|body)$/.test(key));
  return isOwn && typeof (row["status"] ?? row["code"]) === "number";
}

/** A result that has nothing but an error, and perhaps its number (InfluxDB, FCM). */
function isBareError(row: JsonValue): boolean {
  return isObject(row) && listKeys(row).length < 3 && typeof row["error"] === "string";
}

/** A batch may wrap each row in its operation: `{"index":{"status":400,"error":{…}}}`. */
export function unwrap(row: JsonObject): JsonObject {
  const [key = "", ...others] = listKeys(row);
  const only = row[key];
  return others.length === 0 && isObject(only) ? only : row;
}

/** Whether the value of a member reports a failure. */
type Report = (value: JsonValue) => boolean;

/** The members of any row that may report one. */
const ofRow: readonly (readonly [name: string, report: Report])[] = [
  ["success", isFalse],
  ["ok", isFalse],
  ["httpstatuscode", isErrorStatus],
];
const reportsOfRow: ReadonlyMap<string, Report> = new Map(ofRow);
const reportsOfBatch: ReadonlyMap<string, Report> = new Map([
  ...ofRow,
  ["error", isErrorValue],
  ["errors", isErrorValue],
  ["errorcode", isErrorValue],
  ["status", isFailedState],
  ["statuscode", isFailedState],
  ["code", isFailedState],
]);

/** Takes a list. Returns the test whether one of its rows reports that it failed. */
export function createFailureTest({
  isBatch,
  succeeded,
}: OutcomeList): (row: JsonObject) => boolean {
  const reports = isBatch ? reportsOfBatch : reportsOfRow;
  return (row) => {
    if (succeeded !== undefined) return true;
    const outcome = unwrap(row);
    const keys = listKeys(outcome);
    if (keys.length > maxKeys) return false;
    return keys.some((key) => reports.get(key.toLowerCase())?.(outcome[key] ?? null) === true);
  };
}

function isFalse(value: JsonValue): boolean {
  return value === false;
}

function isErrorValue(value: JsonValue): boolean {
  return !isBlank(value) && value !== true;
}

function isFailedState(value: JsonValue): boolean {
  return isErrorStatus(value) || /^(?:failed|failure|error)$/.test(toText(value) ?? "");
}

/** Whether a row of a batch, without the operation around it, has an error, or an HTTP status of one. */
export function isRefused(row: JsonObject): boolean {
  return listMembers(row, maxKeys).some(([key, value]) => {
    const name = key.toLowerCase();
    if (isErrorName(name)) return isErrorValue(value);
    return /^(?:(?:http)?status(?:code)?|code)$/.test(name) && isErrorStatus(value);
  });
}

function isErrorName(name: string): boolean {
  return /^(?:errors?|errorcode)$/.test(name);
}

function isErrorStatus(value: JsonValue): boolean {
  return /^[45]\d\d$/.test(toText(value) ?? "");
}
