/** Servers that end with the tests of the file that started them. */

import { afterAll, afterEach } from "@jest/globals";

interface StartedServer {
  readonly requests: readonly unknown[];
  close(): Promise<void>;
}

const started: StartedServer[] = [];
afterEach(() => {
  for (const { requests } of started) (requests as unknown[]).length = 0;
});
afterAll(() => Promise.all(started.map((server) => server.close())));

/** Clears what the server recorded after each test, and closes it after the last. @returns the server. */
export function endWithTests<Server extends StartedServer>(server: Server): Server {
  started.push(server);
  return server;
}
