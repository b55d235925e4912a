/** httpbin: answers any status, slowly, encoded or redirected, and says what it was sent. */

import { type RunningServer, startServer } from "./start-server.js";

export function startHttpbin(): Promise<RunningServer> {
  return startServer({
    name: "httpbin",
    // Debian's own Python: another one on the machine doesn't know its packages.
    command: "/usr/bin/python3",
    needs: ["/usr/lib/python3/dist-packages/httpbin/core.py"],
    args: ({ port }) => ["-m", "httpbin.core", "--host", "127.0.0.1", "--port", String(port)],
    readyPath: "/status/204",
  });
}
