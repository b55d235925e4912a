/** What an answer is made with: what the process gives, the budget, the redactor, and where a large body is kept. */

import type { Host } from "../base/runtime.js";
import type { SecretRegistry } from "../secrets/redactor.js";
import type { KeptResponses } from "../store/kept-responses.js";
import type { CountTokens, Summarizer } from "../view/summary.js";

export interface AnswerServices {
  readonly host: Host;
  readonly answers: AnswerSettings;
  readonly secrets: SecretRegistry;
  readonly kept: KeptResponses;
}

/** As the application's options have them. */
export interface AnswerSettings {
  readonly countTokens: CountTokens;
  /** The budget of sources whose record sets none. */
  readonly maxTokens: number | undefined;
  readonly summarizer: Summarizer | undefined;
  /** Whether an answer may name a kept body. */
  readonly readApiResponse: boolean;
}
