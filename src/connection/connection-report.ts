/** What a connection test tells: one verdict, what it means, and what to change. */

import type { ConnectionVerdict, Verdict } from "../diagnosis/verdict-words.js";

export type { ConnectionVerdict };

/**
 * The report of one source.
 *
 * @example
 * const report = await testConnection(record);
 * if (!report.ok) console.error(`${report.verdict}: ${report.message}\n${report.fix}`);
 */
export interface ConnectionReport {
  /** The tool's name; the record's name or host when the record is wrong. */
  readonly source: string;
  /** Whether the source answers as it should. */
  readonly ok: boolean;
  readonly verdict: ConnectionVerdict;
  /** Whether the answer proves that the credential is right: only when the endpoint refuses a request without it. */
  readonly credentialVerified: boolean;
  readonly status?: number;
  readonly durationMs: number;
  /** The request line with the full URL, redacted, such as `GET https://api.example.com/user`; absent when none was built. */
  readonly request?: string;
  /** What happened, in the user's words. */
  readonly message: string;
  /** What to change; it names the field of the record or the variable. `""` when there is nothing to fix. */
  readonly fix: string;
  /** A line that reproduces the call when pasted, with `$NAME` in place of the credential. */
  readonly curl?: string;
  /** What is questionable about the record although it works. */
  readonly warnings: readonly string[];
}

/** What one step of the test found out. */
export interface Finding extends Verdict {
  /** @default false */
  readonly credentialVerified?: boolean;
  /** More to know although it is not the cause. */
  readonly notes?: readonly string[];
}
