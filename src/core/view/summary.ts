/** The contract of making an answer small: what a summarizer takes and returns. */

import type { JsonValue } from "../base/exact-number.js";
import type { BodyKind } from "../body/response-body.js";
import type { HttpMethod } from "../record/api-source.js";

/** Estimates how many tokens a text costs. */
export type CountTokens = (text: string) => number;

/** Something that the view omits. */
export interface Omission {
  /** JMESPath of it; `@` is the whole body, `items[]` the rows of a list. */
  readonly path: string;
  /** How many elements, values or characters are shown whole. */
  readonly shown?: number;
  /** How many there are. */
  readonly of?: number;
  /** The kind of the part, such as `rows`; for fields of rows their names by type: `string: city, street; always "EUR": currency`. */
  readonly about?: string;
}

export interface SummarizerInput {
  /** The parsed body. */
  readonly document: JsonValue;
  /** The form that the body had. */
  readonly kind: BodyKind;
  /** The budget for `view`, `omitted` and `try` together, in tokens. */
  readonly maxTokens: number;
  /** Counts tokens as the toolkit does. */
  readonly countTokens: CountTokens;
  /** Whether the reader goes on where the view ends: a text is then shown from its beginning alone. @default false */
  readonly isReadOn?: boolean;
  /** The request that was answered, for a model that summarises. */
  readonly request: {
    readonly source: string;
    readonly baseUrl: string;
    readonly method: HttpMethod;
    readonly path: string;
    readonly select?: string;
    /** Words of its query and body: where many texts of a field have one, that field comes first. */
    readonly words?: readonly string[];
    /** Names of the members that a write sent: they come first. */
    readonly members?: readonly string[];
  };
  /** Ends the work when the call ends. */
  readonly signal?: AbortSignal;
}

export interface Summary {
  /** JSON text of the view: a projection of the document. */
  readonly view: string;
  /** The parts that the view omits; empty when it is whole. */
  readonly omitted: readonly Omission[];
  /** Up to two JMESPath expressions for this body; they were not run. */
  readonly try: readonly string[];
  /** Prose beside the view, by a model. */
  readonly summary?: string;
}

/** Makes a view of a body within a budget. The default is `projectionSummarizer()`; it is used, too, where another one fails. */
export interface Summarizer {
  /** Makes a body fit the budget. */
  summarize(input: SummarizerInput): Summary | Promise<Summary>;
}
