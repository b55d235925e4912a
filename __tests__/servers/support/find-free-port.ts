/** A port of 127.0.0.1 that nobody listens on at the moment of asking. */

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems take for outgoing connections (Linux: from 32768), which come and go all the time. */
const lowestPort = 20_000;
const highestPort = 32_000;

export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(lowestPort, highestPort);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${lowestPort} and ${highestPort} was found.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
