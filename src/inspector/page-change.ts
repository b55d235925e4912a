/** What the page receives when something changed. */

import type { ConnectionReport } from "../connection/connection-report.js";
import type { ListedCall } from "./call-log.js";
import type { Question } from "./questions.js";

export interface PageChange {
  readonly sources: readonly ListedSource[];
  /** The calls since the last change. */
  readonly calls: readonly ListedCall[];
  readonly questions: readonly Question[];
  readonly canCall: boolean;
}

export interface ListedSource {
  readonly slug: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly methods: readonly string[];
  readonly isTesting: boolean;
  /** The last test. */
  readonly report?: ConnectionReport;
}
