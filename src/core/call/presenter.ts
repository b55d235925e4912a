/** The reader that an answer is for: a model, or code. */

import type { Answer } from "../answer/answer.js";
import type { ShowAnswerInput } from "../answer/show-answer.js";
import type { ParsedCall } from "./call-request.js";
import type { RunningCall } from "./running-call.js";

/** The reader of an answer. */
export interface Presenter {
  /** Refuses what such an answer has no place for. @throws ApiSourceError `invalid_input` */
  check?(request: ParsedCall): void;
  /** Whether a GET that names no page of its own gets all pages. @default false */
  readonly followsPages?: boolean;
  /** Whether the answer is written as one text. @default false */
  readonly isText?: boolean;
  show(call: RunningCall, input: ShowAnswerInput): Promise<Answer>;
}
