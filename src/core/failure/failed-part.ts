/** Finds the part of a 2xx body that reports the failure of the whole call: the body itself, the end of a stream, or a batch all of whose members failed. */

import type { JsonValue } from "../base/exact-number.js";
import { isObject } from "../base/shape.js";
import type { ResponseBody } from "../body/response-body.js";
import type { HttpMethod } from "../record/api-source.js";
import { isRefused, listOutcomes, maxRows, type OutcomeList, unwrap } from "./batch-rows.js";
import { findFailedEnd } from "./failed-end.js";
import { hasHiddenFailure } from "./hidden-failure.js";

/**
 * Takes the body of a 2xx. Returns what reports that the call failed, to be read as an error body; `undefined` when nothing does. The rows
 * before the end of a stream, and those of a batch of which one succeeded, are data.
 */
export function findFailedPart(
  body: ResponseBody,
  status: number,
  method: HttpMethod,
): JsonValue | undefined {
  if (hasHiddenFailure(body)) return body.document;
  return findFailedEnd(body) ?? findFailedBatch(listOutcomes(body.document, status), method);
}

/** The rows of a batch of which each one failed, without the operation around each. A GET is no batch: it may read the outcomes of writes. */
function findFailedBatch(
  lists: readonly OutcomeList[],
  method: HttpMethod,
): JsonValue[] | undefined {
  for (const list of lists) {
    const isAnswer = list.isStated || (list.isBatch && method !== "GET");
    const failed = isAnswer ? readFailedRows(list) : undefined;
    if (failed !== undefined) return failed;
  }
  return undefined;
}

function readFailedRows({ rows, succeeded }: OutcomeList): JsonValue[] | undefined {
  if (rows.length === 0 || rows.length > maxRows) return undefined;
  const members = rows.flatMap((row) => (isObject(row) ? [unwrap(row)] : []));
  const areFailed = succeeded === undefined ? members.every(isRefused) : succeeded.length === 0;
  return members.length === rows.length && areFailed ? members : undefined;
}
