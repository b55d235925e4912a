/** The identity of a call for those who observe it: its id, its user, and its trace. */

import { randomBytes, randomUUID } from "node:crypto";
import type { CallContext, Host } from "../base/runtime.js";
import { clipText } from "../base/text.js";
import type { UserOf } from "./call-event.js";

export interface CallIdentity {
  readonly callId: string;
  readonly user: string | undefined;
  /** Gives the `traceparent` of the next request; absent without the option `traces`. */
  readonly trace: (() => string) | undefined;
}

/** The functions that name calls. */
export interface Observation extends Pick<Host, "application"> {
  /** As the options have it. @default no user */
  readonly userOf?: UserOf | undefined;
  /** Gives the application's active span as a `traceparent`; absent where requests are sent none. */
  readonly findActiveTrace?: (() => string | undefined) | undefined;
  /** Redacts the user's name, which is the application's text. */
  readonly redact: (text: string) => string;
}

/** Names a call. */
export function identifyCall(observation: Observation, context: CallContext): CallIdentity {
  const { findActiveTrace, redact } = observation;
  const callId = randomUUID();
  const user = askForUser(observation, context);
  const shown = user && clipText(redact(user), maxUserCharacters);
  return { callId, user: shown, trace: findActiveTrace && createTrace(callId, findActiveTrace) };
}

/**
 * W3C Trace Context: a child of the application's active span. Without one, all requests of a call are one trace, whose id is that of the call, and
 * each has a random parent.
 */
function createTrace(callId: string, findActiveTrace: () => string | undefined): () => string {
  const traceId = callId.replaceAll("-", "");
  return () => findActiveTrace() ?? `00-${traceId}-${randomBytes(8).toString("hex")}-01`;
}

const maxUserCharacters = 200;

/** The application's function may fail in any way: then the call has no user, and the log has the error. */
export function askForUser(
  { userOf, application }: Pick<Observation, "userOf" | "application">,
  context: CallContext,
): string | undefined {
  if (userOf === undefined) return undefined;
  const given = { what: "The application's userOf" };
  try {
    const user: unknown = application.askNow(given, () => userOf(context));
    if (user === undefined || user === null || user === "") return undefined;
    if (typeof user === "string") return user;
    application.report(given, new TypeError("userOf has to return a string."));
  } catch {
    // The error that it threw is reported.
  }
  return undefined;
}
