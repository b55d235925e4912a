/** What is wrong with a record, by the parser and by the JSON Schema. */

import { type Schema, Validator } from "@cfworker/json-schema";
import {
  apiSourceJsonSchema,
  parseSource,
  type RecordProblem,
  SourceRecordError,
} from "langchain-api-sources";

export const schema: Schema = JSON.parse(JSON.stringify(apiSourceJsonSchema));
const validator = new Validator(schema, "7", false);

/** Whether the JSON Schema accepts it, as the JSON that an editor reads. */
export const isValid = (record: unknown): boolean =>
  validator.validate(JSON.parse(JSON.stringify(record))).valid;

/** What the parser finds; nothing for a record that it accepts. */
export function findProblems(value: unknown, file?: string): readonly RecordProblem[] {
  try {
    parseSource(value, file === undefined ? {} : { file });
  } catch (error) {
    if (error instanceof SourceRecordError) return error.problems;
    throw error;
  }
  return [];
}
