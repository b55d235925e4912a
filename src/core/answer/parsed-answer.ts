/** The type of an answer as an application has it. */

import type { Answer as WrittenAnswer } from "./answer.js";

/** What `content` contains, once it is parsed. */
export interface Answer extends Omit<WrittenAnswer, "data"> {
  /** The body, or a part of it; of several pages all rows. */
  readonly data?: unknown;
}
