/** A transport with every dependency filled in, and a way to send one request by it in a line. */

import { silentLogger, systemClock } from "../../src/core/base/runtime.js";
import { createTransport } from "../../src/core/http/create-transport.js";
import { createDeadline } from "../../src/core/http/deadline.js";
import { SendError, type SendFailure } from "../../src/core/http/send-failure.js";
import type { Exchange, SendOptions, TransportOptions } from "../../src/core/http/transport.js";
import type { WireRequest } from "../../src/core/request/wire-request.js";
import { createRedactor, type Redactor } from "../../src/core/secrets/redactor.js";
import { Secret } from "../../src/core/secrets/secret.js";
import { makeApplication } from "./application.js";
import { awaitRefusal } from "./refusals.js";

export const canary = "s3cr3t-canary-0123456789";

export const canaryRedactor: Redactor = createRedactor([new Secret(canary)]);

export type TestCall = Partial<SendOptions> & {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
};

type TestRequest = Partial<WireRequest> & { readonly path?: string };

export type TestTransport = ReturnType<typeof createTestTransport>;

/** A pace that counts the turns that were taken. */
export function createTestLimiter() {
  let turns = 0;
  const take = async (): Promise<void> => {
    turns += 1;
  };
  return { rateLimit: { key: "k", limiter: { take } }, turns: () => turns };
}

/** `timeoutMs` is the deadline of each call, unless the call has its own. */
export function createTestTransport(
  baseUrl: string,
  options: Partial<Omit<TransportOptions, "limits" | "network">> & {
    readonly timeoutMs?: number;
    readonly limits?: Partial<TransportOptions["limits"]>;
    readonly network?: Partial<TransportOptions["network"]>;
  } = {},
) {
  const waits: number[] = [];
  const transport = createTransport({
    clock: systemClock,
    sleep: async (delayMs) => {
      waits.push(delayMs);
    },
    random: () => 0.5,
    logger: silentLogger,
    application: makeApplication(),
    baseUrl,
    ...options,
    network: { allowLocalAddresses: false, ...options.network },
    limits: { maxBytes: 10_000_000, retries: 2, maxWaitMs: 10_000, ...options.limits },
  });
  const send = async (
    { path = "/x", ...request }: TestRequest,
    call: TestCall = {},
  ): Promise<Exchange> => {
    const { signal, timeoutMs = options.timeoutMs ?? 30_000, ...rest } = call;
    const deadline = createDeadline({ timeoutMs, clock: systemClock, signal });
    const wire = { method: "GET", url: `${baseUrl}${path}`, headers: {}, ...request } as const;
    try {
      return await transport.send(wire, { baseUrl, redactor: canaryRedactor, deadline, ...rest });
    } finally {
      deadline.close();
    }
  };
  return {
    /** The waits that were asked for, in milliseconds; none of them is really waited. */
    waits,
    send,
    /** What failed in a call that must fail. */
    async fail(request: TestRequest, call?: TestCall): Promise<SendFailure> {
      const error = await send(request, call).then(
        ({ status }) => new Error(`expected a failure, got ${status}`),
        (reason: unknown) => reason,
      );
      if (error instanceof SendError) return error.failure;
      throw error;
    },
    /** The error of a call that a room below must refuse. */
    refuse: (request: TestRequest, call?: TestCall) => awaitRefusal(send(request, call)),
    close: () => transport.close(),
  };
}
