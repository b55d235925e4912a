/** What the rule on confidential sources is about: values that were shown, and the requests that repeat them. */

import { ApiSourceError } from "../errors.js";
import type { BuiltRequest } from "../policy/wire-request.js";
import type { CallContext } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import { clipText, quoteText } from "../text.js";

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

const mostCharacters = 600;

/** `values of the confidential source payroll: employees[].iban (id)`, for each source. */
export function describeFlow(values: readonly FlowValue[]): string {
  const sources = [...new Set(values.map(({ source }) => source))];
  const texts = sources.map((source) => {
    const own = values.filter((each) => each.source === source);
    if (own.every(({ kind }) => kind === "unknown"))
      return `perhaps values of ${source === "*" ? "a confidential source" : `the confidential source ${source}`} (some shown values can't be compared)`;
    const fields = own
      .filter(({ kind }) => kind !== "unknown")
      .map(({ field, kind }) => `${quoteText(field, 100).slice(1, -1)} (${kind})`);
    return `values of the confidential source ${source}: ${fields.join(", ")}`;
  });
  return clipText(texts.join("; "), mostCharacters);
}

/** The answer to a request that must not be sent. */
export function refuseFlow(values: readonly FlowValue[]): ApiSourceError {
  return new ApiSourceError({
    message: `The request repeats ${describeFlow(values)}. Nothing was sent.`,
    category: "refused_by_policy",
    code: "confidential_values",
    details: { flow: values },
    hint: "Leave these values out. The user can change the option `flow` or the record.",
  });
}
