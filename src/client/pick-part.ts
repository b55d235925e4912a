/** The part of a kept document that a read asks for: queried, searched, or cut out. */

import type { BodyKind } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";
import { findInDocument } from "../query/find-in-document.js";
import { loadQueryEngine, type QueryMiss } from "../query/query-engine.js";
import { readPart } from "../query/read-part.js";
import type { ReadRequest } from "./read-request.js";

export interface Part {
  readonly document: JsonValue;
  /** Whether it is the whole body. */
  readonly isWhole: boolean;
  /** The JMESPath from the whole body to it; absent when no query leads there. */
  readonly expression?: string;
  /** The input for the part that follows; absent at the end. */
  readonly next?: ReadRequest;
  /** Set when the query found nothing because a name is not there. */
  readonly miss?: QueryMiss;
  /** What the query can't have meant so; absent for a right one. */
  readonly notes?: readonly string[];
}

/** @throws ApiSourceError `invalid_input` for a wrong query, a value that has no parts, or an offset beyond its end. */
export async function pickPart(whole: JsonValue, request: ReadRequest, kind: BodyKind): Promise<Part> {
  const { select } = request;
  if (select === undefined) return pickFrom(whole, request);
  const { value, notes, miss } = (await loadQueryEngine()).run(whole, select, { kind });
  if (miss !== undefined) return { document: value, isWhole: false, miss };
  return { ...pickFrom(value, request), ...(notes.length === 0 ? {} : { notes }) };
}

function pickFrom(document: JsonValue, request: ReadRequest): Part {
  const { select, find, offset = 0, limit } = request;
  if (find !== undefined) {
    const { value, found, shown } = findInDocument(document, find, { offset, limit });
    const end = offset + shown;
    return {
      document: value,
      isWhole: false,
      ...(end < found ? { next: { ...request, offset: end } } : {}),
    };
  }
  if (request.offset === undefined && limit === undefined) {
    return {
      document,
      isWhole: select === undefined,
      ...(select === undefined ? {} : { expression: select }),
    };
  }
  const part = readPart(document, { offset, limit });
  return {
    document: part.value,
    isWhole: false,
    ...(part.end < part.total ? { next: { ...request, offset: part.end } } : {}),
  };
}
