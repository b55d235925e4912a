/** A transport with every dependency filled in, and a way to send one request by it in a line. */

import type { ApiSourceError } from "../../src/errors.js";
import type { WireRequest } from "../../src/policy/wire-request.js";
import { silentLogger, systemClock } from "../../src/runtime.js";
import type { Redactor } from "../../src/secrets/redactor.js";
import {
  createTransport,
  type SendOptions,
  type TransportOptions,
} from "../../src/transport/create-transport.js";
import type { Exchange } from "../../src/transport/exchange.js";

export const canary = "s3cr3t-canary-0123456789";

/** Knows the canary, as it is and percent-encoded. */
export const canaryRedactor: Redactor = {
  redact: (text) => text.replaceAll(canary, "[REDACTED]"),
  with: () => canaryRedactor,
};

export interface TestTransport {
  /** The waits that were asked for, in milliseconds; none of them is really waited. */
  readonly waits: number[];
  send(
    request: Partial<WireRequest> & { readonly path?: string },
    call?: Partial<SendOptions>,
  ): Promise<Exchange>;
  /** The error of a call that must fail. */
  fail(
    request: Partial<WireRequest> & { readonly path?: string },
    call?: Partial<SendOptions>,
  ): Promise<ApiSourceError>;
  close(): void;
}

/** `timeoutMs` is also the deadline of each call, unless the call has its own. */
export function createTestTransport(
  baseUrl: string,
  options: Partial<Omit<TransportOptions, "limits" | "network">> & {
    readonly limits?: Partial<TransportOptions["limits"]>;
    readonly network?: Partial<TransportOptions["network"]>;
  } = {},
): TestTransport {
  const waits: number[] = [];
  const limits = { timeoutMs: 5_000, maxBytes: 10_000_000, retries: 2, maxWaitMs: 10_000, ...options.limits };
  const transport = createTransport({
    clock: systemClock,
    sleep: async (delayMs) => {
      waits.push(delayMs);
    },
    random: () => 0.5,
    logger: silentLogger,
    baseUrl,
    ...options,
    network: { allowLocalAddresses: false, ...options.network },
    limits,
  });
  const send: TestTransport["send"] = ({ path = "/x", ...request }, call = {}) =>
    transport.send(
      { method: "GET", url: `${baseUrl}${path}`, headers: {}, ...request },
      { baseUrl, redactor: canaryRedactor, deadlineMs: Date.now() + limits.timeoutMs, ...call },
    );
  return {
    waits,
    send,
    fail: (request, call) =>
      send(request, call).then(
        (exchange) => {
          throw new Error(`expected a failure, got ${exchange.status}`);
        },
        (error: ApiSourceError) => error,
      ),
    close: () => transport.close(),
  };
}
