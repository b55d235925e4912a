/** Failures that a test makes a replay answer with. */

import { invalidInput } from "../errors.js";
import { quoteText } from "../text.js";
import type { ObservedRequest } from "../transport/observed-attempt.js";
import { Fault } from "../transport/send-failure.js";

/** Which request fails, and how: exactly one of `status`, `reset`, `timeout` and `truncate`. */
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
  /** The recorded body breaks off in its middle. */
  readonly truncate?: boolean | undefined;
}

const kinds = ["status", "reset", "timeout", "truncate"] as const;

/** @throws ApiSourceError `invalid_input` when the fault does not name exactly one failure. */
export function checkFault(fault: ReplayFault): void {
  const given = kinds.filter((kind) => fault[kind] !== undefined && fault[kind] !== false);
  if (typeof fault.path !== "string" || !fault.path.startsWith("/"))
    throw invalidInput(
      `fail: path is ${quoteText(String(fault.path))}.`,
      "Give the path below the base URL, such as /orders.",
    );
  if (given.length !== 1)
    throw invalidInput(
      `fail: the fault for ${quoteText(fault.path)} names ${given.length === 0 ? "no failure" : given.join(" and ")}.`,
      `Give exactly one of ${kinds.join(", ")}.`,
    );
}

export function isMeant(fault: ReplayFault, { method, url, baseUrl }: ObservedRequest): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, "");
  return new URL(url).pathname === `${basePath}${fault.path}`;
}

/** @throws what the transport takes for a broken connection, or for a time limit. */
export function throwFault({ reset, timeout }: ReplayFault): void {
  if (timeout === true) throw new Fault({ kind: "timeout" });
  if (reset === true)
    throw Object.assign(new Error("The replay broke the connection."), { code: "ECONNRESET" });
}
