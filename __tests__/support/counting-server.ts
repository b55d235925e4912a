/** A server that counts how many requests are open at once. How busy the machine is changes nothing. */

import type { ServerResponse } from "node:http";
import { type ReceivedRequest, startHttpServer } from "./http-server.js";

/** In milliseconds: a request beyond the expected ones arrives within it. */
const watchMs = 50;

/**
 * Starts a server that answers nothing until `expected` requests are open, and from then on each after a moment in which one
 * more would be counted. With fewer it waits until its test ends. The path `/` is answered at once, and not counted.
 */
export async function startCountingServer(
  expected: number,
  reply: (response: ServerResponse, request: ReceivedRequest) => void,
) {
  let [open, mostOpen] = [0, 0];
  let waiting: (() => void)[] = [];
  const server = await startHttpServer((request, response) => {
    if (request.url === "/") return reply(response, request);
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    waiting.push(() => {
      open -= 1;
      reply(response, request);
    });
    if (mostOpen < expected) return;
    for (const answer of waiting) setTimeout(answer, watchMs);
    waiting = [];
  });
  /** How many requests were open at once, at most. */
  return { ...server, mostOpen: () => mostOpen };
}
