/** A server with one job in the style of an API, a clock that only pauses move, and a tool that calls it. */

import type { ServerResponse } from "node:http";
import type { CallContext } from "../../src/core/base/runtime.js";
import type { ClientOptions } from "../../src/toolkit/client/client-options.js";
import { createSourceClient } from "../../src/toolkit/client/create-source-client.js";
import { type ReceivedRequest, startHttpServer } from "./http-server.js";
import type { AnswerDocument } from "./shop-tool.js";
import { asRequest } from "./unchecked.js";

export type JobApi = Awaited<ReturnType<typeof startJobApi>>;

/** Answers a request at a moment, in milliseconds since the start. */
export type RespondAt = (
  request: ReceivedRequest,
  response: ServerResponse,
  elapsedMs: number,
) => void;

/** @param settings - More members of `api`. @param base - The path of the base URL. */
export async function startJobApi(
  respond: RespondAt,
  settings: Record<string, unknown> = {},
  options: ClientOptions = {},
  base = "",
) {
  const startMs = 1_800_000_000_000;
  let nowMs = startMs;
  const pauses: number[] = [];
  const server = await startHttpServer((request, response) =>
    respond(request, response, nowMs - startMs),
  );
  const client = createSourceClient(
    { name: "Shop", api: { baseUrl: `${server.url}${base}`, ...settings } },
    options,
    {
      clock: { now: () => nowMs },
      sleep: async (delayMs, signal) => {
        signal?.throwIfAborted();
        pauses.push(delayMs);
        nowMs += delayMs;
      },
      random: () => 0,
    },
  );
  return {
    server,
    /** The pauses that the package asked for, in milliseconds. */
    pauses,
    /** Lets time pass without a call. */
    pass(milliseconds: number) {
      nowMs += milliseconds;
    },
    /** `METHOD url` of every request, in order. */
    lines: () => server.requests.map(({ method, url }) => `${method} ${url}`),
    ask: async (input: unknown, context?: CallContext): Promise<AnswerDocument> =>
      JSON.parse((await client.call(asRequest(input), context)).content),
  };
}
