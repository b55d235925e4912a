/** What an application is told of each request, for metrics and audit; every string is redacted, and no body is in it. */

import type { ErrorCategory } from "../errors.js";
import type { CallContext, Clock, Logger } from "../runtime.js";
import type { ApiSource } from "../source/api-source.js";
import type { CallArtifact } from "./outcome.js";

/** Which request, and whose. */
export interface CallEventRequest {
  /** The tool's name. */
  readonly source: string;
  readonly method: string;
  /** The path below the base URL as sent, its query included; of a call that was refused, as it was asked for. */
  readonly path: string;
  /** The agent's typed run-time context, as the call got it. */
  readonly context?: unknown;
  readonly threadId?: string;
}

/** How a request ended. */
export interface CallEventResult {
  /** Absent when no answer came. */
  readonly status?: number;
  /** Why it failed; absent when it succeeded. */
  readonly category?: ErrorCategory;
  readonly durationMs: number;
  /** Size of the body, decompressed. */
  readonly bytes?: number;
  /** How many requests were sent, retries and redirects included. */
  readonly attempts?: number;
}

/**
 * `before`: a request is about to be sent; each page of a call with `pages` is one. `after`: its answer was read, or it failed. `refused`: a call
 * ended without any request, and why.
 */
export type CallEvent =
  | (CallEventRequest & { readonly phase: "before" })
  | (CallEventRequest & CallEventResult & { readonly phase: "after" })
  | (Partial<CallEventRequest> &
      Pick<CallEventRequest, "source"> & {
        readonly phase: "refused";
        readonly category: ErrorCategory;
        readonly reason: string;
        readonly durationMs: number;
      });

/** Is told of each request. It is not waited for, and what it throws is logged. */
export type OnCall = (event: CallEvent) => unknown;

export interface CallObserver {
  /** Watches one request: `begin` when it is about to be sent, `end` when its answer was read or it failed. */
  watch(source: ApiSource, requestLine: string, context: CallContext): RequestWatch;
  /** One line for a call that is over, and `refused` where nothing was sent. `reason` is why it failed, in words. */
  report(
    artifact: CallArtifact,
    context: CallContext,
    end: {
      readonly isSent: boolean;
      /** What was asked for, where no request could be built: `GET /x`, redacted. */
      readonly asked: string;
      readonly reason: string | undefined;
    },
  ): void;
}

export interface RequestWatch {
  begin(): void;
  end(result: Omit<CallEventResult, "durationMs">): void;
}

export interface ObserverOptions {
  readonly onCall: OnCall | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly describeError: (error: unknown) => string;
}

export function createCallObserver({ onCall, logger, clock, describeError }: ObserverOptions): CallObserver {
  const warn = (error: unknown): void =>
    logger.warn("The application's onCall failed.", { error: describeError(error) });
  const tell = (event: CallEvent): void => {
    try {
      // It may be asynchronous: nobody else would see it fail.
      Promise.resolve(onCall?.(event)).catch(warn);
    } catch (error) {
      warn(error);
    }
  };
  return {
    watch({ slug }, requestLine, context) {
      const request = { source: slug, ...splitRequestLine(requestLine), ...whoseCall(context) };
      let startedMs: number | undefined;
      return {
        begin() {
          startedMs = clock.now();
          tell({ phase: "before", ...request });
        },
        end(result) {
          if (startedMs === undefined) return;
          tell({ phase: "after", ...request, ...result, durationMs: clock.now() - startedMs });
        },
      };
    },
    report({ source, request, ...known }, context, { isSent, asked, reason }) {
      const text = request ?? asked;
      const line = text === "" ? {} : splitRequestLine(text);
      const { category, status, durationMs } = known;
      const why = status === undefined && reason !== undefined ? { reason } : {};
      logger.info("Call", { source, ...line, ...known, ...why });
      if (isSent || category === undefined || reason === undefined) return;
      tell({ phase: "refused", source, ...line, ...whoseCall(context), category, reason, durationMs });
    },
  };
}

/** `GET /x?y=1` as method and path. Nobody has judged what was only asked for: it must not begin a line of its own in a log. */
function splitRequestLine(line: string): Pick<CallEventRequest, "method" | "path"> {
  const [method = "", ...path] = line.replace(/\p{Cc}/gu, "\u{fffd}").split(" ");
  return { method, path: path.join(" ") };
}

function whoseCall({
  context,
  threadId,
  configurable,
}: CallContext): Pick<CallEventRequest, "context" | "threadId"> {
  const thread = threadId ?? configurable?.["thread_id"];
  return {
    ...(context === undefined ? {} : { context }),
    ...(typeof thread === "string" ? { threadId: thread } : {}),
  };
}
