/** The type of a record that was written outside of the call that takes it, as in a `const` or an imported JSON: its words have the type `string`. */

import type { ApiSource, ApiSourceRecord, AuthType } from "./api-source.js";

/** Words of any type string fit where a record has one of a few. */
type WithAnyWord<Value> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly WithAnyWord<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: WithAnyWord<Value[Name]> }
      : Value;

/** A value of the type `string` or `AuthType` may be the right word: it is judged when the record is read. The compiler judges a literal. */
type WithoutOpenWords<Value> = [AuthType] extends [Value]
  ? never
  : Value extends readonly (infer Item)[]
    ? readonly WithoutOpenWords<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: WithoutOpenWords<Value[Name]> }
      : Value;

/** Everything for a source that was read, and where only words whose value is not in their type keep `Given` from being a record; else nothing. */
type IfJudgedAtLoad<Given> = Given extends ApiSource
  ? unknown
  : Given extends ApiSourceRecord
    ? never
    : Given extends WithAnyWord<ApiSourceRecord>
      ? WithoutOpenWords<Given> extends ApiSourceRecord
        ? unknown
        : never
      : never;

/** A record, a source that was read, or a record whose words have the type `string`. */
export type RecordOf<Given> = ApiSourceRecord | (Given & IfJudgedAtLoad<Given>);

/** A list of them. */
export type RecordsOf<Given extends readonly object[]> =
  | readonly ApiSourceRecord[]
  | (Given & { readonly [Index in keyof Given]: RecordOf<Given[Index]> });
