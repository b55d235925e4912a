/** A port for a server that takes no other than the one it is given. */

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** What was given before: a server may not listen there yet. */
const given = new Set<number>();
/** Test files run at the same time: the ports of each have another remainder. */
const files = 16;
const file = Number(process.env["JEST_WORKER_ID"] ?? 0) % files;

/** A port of 127.0.0.1 that nobody listens on, below those that systems take for outgoing connections (Linux: from 32768). */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(20_000 / files, 32_000 / files) * files + file;
    if (given.has(port)) continue;
    given.add(port);
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer();
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error("No free port was found.");
}
