/** The part of a kept document that a read asks for: queried, searched, or cut out. */

import { ApiSourceError } from "../errors.js";
import type { JsonValue } from "../json/exact-number.js";
import { findInDocument } from "../query/find-in-document.js";
import { loadSelectEngine, type SelectMiss } from "../query/select-json.js";
import { sliceDocument } from "../query/slice-document.js";
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
  readonly miss?: SelectMiss;
}

/** @throws ApiSourceError `invalid_input` for a wrong query, or a value that has no parts. */
export async function pickPart(whole: JsonValue, request: ReadRequest): Promise<Part> {
  const { select, find, offset = 0, limit } = request;
  const selected = select === undefined ? { document: whole } : (await loadSelectEngine()).run(whole, select);
  const { document } = selected;
  if ("miss" in selected && selected.miss !== undefined)
    return { document, isWhole: false, miss: selected.miss };
  if (find !== undefined) {
    const { document: matches, found, shown } = findInDocument(document, find, { offset, limit });
    const end = offset + shown;
    return {
      document: matches,
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
  const slice = sliceDocument(document, { offset, limit });
  if (slice === undefined) throw noParts();
  return {
    document: slice.document,
    isWhole: false,
    ...(slice.end < slice.total ? { next: { ...request, offset: slice.end } } : {}),
  };
}

function noParts(): ApiSourceError {
  return new ApiSourceError({
    message: "offset and limit take a part of a list, an object or a text; this is a single value.",
    category: "invalid_input",
    hint: "Leave offset and limit out, or select a list.",
  });
}
