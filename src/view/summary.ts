/** The contract of making an answer small: what a summarizer takes and returns. */

import type { BodyKind } from "../body/response-body.js";
import type { JsonValue } from "../json/exact-number.js";
import type { HttpMethod } from "../source/api-source.js";

/** Estimates how many tokens a text costs. */
export type CountTokens = (text: string) => number;

/** Something the view leaves out of the body. */
export interface Omission {
  /** JMESPath of it; `@` is the whole body. `items[].body` speaks of that field in every row. */
  readonly path: string;
  /** How many elements, values or characters are shown whole. */
  readonly shown?: number;
  /** How many there are. */
  readonly of?: number;
  /** Its type and size, such as `string, up to 1,900 characters`; or, where there are many fields, their names by type. */
  readonly about?: string;
}

/** Runs a JMESPath over the whole body; undefined when it fails. */
export type RunSelect = (expression: string) => JsonValue | undefined;

export interface SummarizerInput {
  readonly document: JsonValue;
  readonly kind: BodyKind;
  /** The budget for `view`, `omitted` and `try` together, in tokens. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
  readonly runSelect: RunSelect;
  /** What was asked, for a model that summarises. */
  readonly request: {
    readonly source: string;
    readonly baseUrl: string;
    readonly method: HttpMethod;
    readonly path: string;
    readonly select?: string;
  };
  readonly signal?: AbortSignal;
  /** Told what failed where the view stands all the same: it goes to the log, redacted, and never to the model. */
  readonly onFailure?: (error: unknown) => void;
}

export interface Summary {
  /** JSON text of the view: a projection of the document. */
  readonly view: string;
  /** What the view leaves out; empty when it is whole. */
  readonly omitted: readonly Omission[];
  /** Up to three JMESPath expressions that were run on this very body and whose result fits the budget. */
  readonly try: readonly string[];
  /** Prose beside the view, by a model. */
  readonly summary?: string;
}

/** Makes a view of a body within a budget. The default is `projectionSummarizer()`. */
export interface Summarizer {
  summarize(input: SummarizerInput): Summary | Promise<Summary>;
}
