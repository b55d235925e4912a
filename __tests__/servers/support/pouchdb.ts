/** express-pouchdb: the CouchDB API over databases in memory, behind basic. */

import { resolve } from "node:path";
import { npmServerFile } from "./npm-server-file.js";
import { type RunningServer, serversDirectory, startServer } from "./start-server.js";

export function startPouchDb(admin: { username: string; password: string }): Promise<RunningServer> {
  return startServer({
    name: "pouchdb",
    command: process.execPath,
    needs: [npmServerFile("express-pouchdb/package.json")],
    args: ({ directory, port }) => [
      resolve("__tests__/servers/support/pouchdb-process.cjs"),
      serversDirectory,
      String(port),
      `${directory}/config.json`,
    ],
    files: () => ({
      "config.json": JSON.stringify({
        admins: { [admin.username]: admin.password },
        log: { level: "none" },
      }),
    }),
  });
}
