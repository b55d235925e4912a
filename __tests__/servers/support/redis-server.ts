/** A real Redis for tests: `redis-server` of the system on a free loopback port, in memory only. */

import { spawn } from "node:child_process";
import { findFreePort } from "../../support/find-free-port.js";

export interface RedisServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts a Redis.
 *
 * @throws Error when `redis-server` is not installed: a quota that was never tried on a real Redis is not tested.
 */
export async function startRedisServer(): Promise<RedisServer> {
  const port = await findFreePort();
  const options = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    server.once("error", () => {
      reject(
        new Error(
          "redis-server is not installed; install it (Debian: `apt-get install redis-server`).",
        ),
      );
    });
    server.once("close", (code) =>
      reject(new Error(`redis-server ended with code ${code} before it was ready.`)),
    );
    let output = "";
    server.stdout.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("Ready to accept connections")) resolve();
    });
  });
  return {
    port,
    async stop() {
      server.kill();
      await ended;
    },
  };
}
