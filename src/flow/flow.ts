/** What the rule on confidential sources is about: values that were shown, and the requests that repeat them. */

import type { BuiltRequest } from "../policy/wire-request.js";
import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";

/** What happens to a request that repeats values of a confidential source: a person decides, it is refused, or it is sent and reported. */
export type FlowRule = "hold" | "refuse" | "report";

/** A value of a confidential source in a request to another one; never the value itself. */
export interface FlowValue {
  /** The confidential source. */
  readonly source: string;
  /** The member it was shown in, such as `employees[].iban`; `*` where it is not known which values the request contains. */
  readonly field: string;
  readonly kind: "text" | "id" | "number" | "file" | "unknown";
}

/** A request before it is sent. */
export interface SentRequest {
  readonly source: ApiSource;
  readonly built: BuiltRequest;
  /** What the application configured of it: base URL, constant headers and parameters. */
  readonly configured: unknown;
  readonly context: CallContext;
}

/** Where the memory is kept. Each function rejects when the store does. */
export interface FlowEntries {
  /** Whether it is known without a look that nothing is kept. */
  isEmpty(context: CallContext): boolean;
  /** Names the thread of a call, and whose it is. */
  nameThread(context: CallContext): string;
  get(name: string, context: CallContext): Promise<Readonly<Record<string, unknown>> | undefined>;
  put(name: string, value: Record<string, unknown>, context: CallContext): Promise<void>;
  /** What `addWriter` noted; undefined for a thread without a writer. */
  getWriters(name: string, context: CallContext): Promise<FlowWriters | undefined>;
  /**
   * Adds a writer to those of a thread.
   *
   * @param added - `isSure`: whether no other process that adds one at that time may remove it. That takes a second.
   */
  addWriter(
    name: string,
    added: { readonly writer: string; readonly isSure: boolean },
    context: CallContext,
  ): Promise<void>;
}

/** Who writes what was shown in a thread. */
export interface FlowWriters {
  readonly writers: readonly string[];
  /** Whether another writer may be missing. */
  readonly isLost: boolean;
}
