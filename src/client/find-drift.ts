/** What a test of a source says of its description: whether the record and the API's own answer still fit it. */

import type { JsonValue } from "../json/exact-number.js";
import type { ApiSource } from "../source/api-source.js";
import type { ClientRuntime } from "./create-client-runtime.js";

export interface TestAnswer {
  /** Below the base URL. */
  readonly path: string;
  readonly status: number;
  readonly document?: JsonValue;
}

/** @returns sentences for a person; none for a source without a description. */
export async function findDrift(
  source: ApiSource,
  runtime: ClientRuntime,
  answer?: TestAnswer,
): Promise<string[]> {
  if (source.api.openapi === undefined) return [];
  const { description } = await runtime.knowledge.load(source);
  if (description === undefined) return [];
  const { findAnswerDrift, findRecordDrift } = await import("../map/drift.js");
  if (answer === undefined) return findRecordDrift(description, source);
  const { document } = answer;
  return document === undefined ? [] : findAnswerDrift(description, { ...answer, document });
}
