/** PowerDNS: a name server with an HTTP API behind an `X-API-Key` header. */

import { execFileSync } from "node:child_process";
import { findFreePort } from "./find-free-port.js";
import { type RunningServer, startServer } from "./start-server.js";

const schemaFile = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

/** Its API is under `/api/v1/servers/localhost`. */
export function startPowerDns(apiKey: string): Promise<RunningServer> {
  return startServer({
    name: "powerdns",
    command: "/usr/sbin/pdns_server",
    needs: [schemaFile, "/usr/bin/sqlite3"],
    args: ({ directory }) => [`--config-dir=${directory}`],
    files: async ({ directory, port }) => {
      const database = `${directory}/zones.sqlite3`;
      execFileSync("/usr/bin/sqlite3", [database, `.read ${schemaFile}`]);
      return {
        "pdns.conf": [
          "launch=gsqlite3",
          `gsqlite3-database=${database}`,
          "daemon=no",
          "guardian=no",
          `socket-dir=${directory}`,
          "local-address=127.0.0.1",
          `local-port=${await findFreePort()}`,
          "api=yes",
          `api-key=${apiKey}`,
          "webserver=yes",
          "webserver-address=127.0.0.1",
          `webserver-port=${port}`,
          "webserver-allow-from=127.0.0.1",
          "security-poll-suffix=",
          "",
        ].join("\n"),
      };
    },
  });
}
