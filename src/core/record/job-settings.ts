/** `api.jobs` of a record: where the jobs of an API report their state, and which states end one. */

/** How the jobs of an API report their state; each place is a JMESPath over a response's body. */
export interface JobSettings {
  /** The member with the state. */
  readonly status: string;
  /** The states of a finished job. */
  readonly done: readonly string[];
  /** The states of a failed job. @default the usual ones, such as "failed" and "canceled" */
  readonly failed?: readonly string[];
  /** The member of the first response with the URL of the job. @default the response's headers */
  readonly location?: string;
  /** The member of the finished job with the URL of its result, which is then read. */
  readonly result?: string;
}
