/** Failures that a test asks of a replay, and the requests that they meet. */

import { invalidInput } from "../../core/base/errors.js";
import { quoteText } from "../../core/base/text.js";
import type { ObservedRequest, OwnAnswer } from "../../core/http/own-transport.js";
import { Fault } from "../../core/http/send-failure.js";

/** A request that fails, and how: exactly one of `status`, `reset` and `timeout`. */
export interface ReplayFault {
  /** The path below the base URL, without its query, such as `/orders`. */
  readonly path: string;
  /** @default any */
  readonly method?: string | undefined;
  /** How many requests fail. @default 1 */
  readonly times?: number | undefined;
  /** The API answers with this status, 200 to 599, and with `headers` and `body`. */
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A string as it is, any other value as JSON. @default no body */
  readonly body?: unknown;
  /** The connection breaks before a response. */
  readonly reset?: boolean | undefined;
  /** No response arrives within the source's limit. It is reported at once, not after that time. */
  readonly timeout?: boolean | undefined;
}

export interface Faults {
  /** @throws ApiSourceError `invalid_input` when the fault does not name exactly one failure. */
  add(fault: ReplayFault): void;
  /**
   * @returns the answer of a fault for this request, and undefined where there is none
   * @throws the failure of a connection, where the fault is one
   */
  play(observed: ObservedRequest): OwnAnswer | undefined;
  /** A sentence for each fault that no request reached. */
  listUnreached(): readonly string[];
}

export function createFaults(): Faults {
  const faults: { readonly fault: ReplayFault; left: number }[] = [];
  return {
    add(fault) {
      checkFault(fault);
      faults.push({ fault, left: fault.times ?? 1 });
    },
    play(observed) {
      const due = faults.find(({ fault, left }) => left > 0 && isMeant(fault, observed));
      if (due === undefined) return undefined;
      due.left -= 1;
      return toAnswer(due.fault);
    },
    listUnreached: () =>
      faults
        .filter(({ fault, left }) => left === (fault.times ?? 1))
        .map(({ fault }) => `No request reached the fault for ${fault.path}.`),
  };
}

function toAnswer({ status, headers = {}, body, timeout }: ReplayFault): OwnAnswer {
  if (status !== undefined) return { status, headers, body };
  // The transport takes these for a time limit and for a broken connection.
  if (timeout === true) throw new Fault({ kind: "timeout" });
  throw Object.assign(new Error("The replay broke the connection."), { code: "ECONNRESET" });
}

const kinds = ["status", "reset", "timeout"] as const;

/** @throws ApiSourceError `invalid_input` when the fault does not name exactly one failure. */
function checkFault(fault: ReplayFault): void {
  if (!String(fault.path).startsWith("/"))
    throw invalidInput(
      `fail: the path ${quoteText(String(fault.path))} begins with no slash.`,
      'Write it below the base URL, such as "/orders".',
    );
  const given = kinds.filter((kind) => fault[kind] !== undefined && fault[kind] !== false);
  if (given.length !== 1)
    throw invalidInput(
      `fail: the fault for ${quoteText(fault.path)} names ${given.length === 0 ? "no failure" : given.join(" and ")}.`,
      `Give exactly one of ${kinds.join(", ")}.`,
    );
}

function isMeant(fault: ReplayFault, { method, url, baseUrl }: ObservedRequest): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, "");
  return new URL(url).pathname === `${basePath}${fault.path}`;
}
