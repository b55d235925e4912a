/** InfluxDB 1.6: a time series database that takes basic, `?u=&p=` and a JWT. */

import { findFreePort } from "./find-free-port.js";
import { type RunningServer, startServer } from "./start-server.js";

export interface InfluxDbCredentials {
  readonly username: string;
  readonly password: string;
  /** Signs the JWTs it takes (HS256, claims `username` and `exp`). */
  readonly sharedSecret: string;
}

export async function startInfluxDb(credentials: InfluxDbCredentials): Promise<RunningServer> {
  const { username, password, sharedSecret } = credentials;
  const server = await startServer({
    name: "influxdb",
    command: "/usr/bin/influxd",
    args: ({ directory }) => ["-config", `${directory}/influxdb.conf`],
    readyPath: "/ping",
    files: async ({ directory, port }) => ({
      "influxdb.conf": `
reporting-enabled = false
bind-address = "127.0.0.1:${await findFreePort()}"
[meta]
  dir = "${directory}/meta"
[data]
  dir = "${directory}/data"
  wal-dir = "${directory}/wal"
[monitor]
  store-enabled = false
[http]
  bind-address = "127.0.0.1:${port}"
  auth-enabled = true
  log-enabled = false
  shared-secret = "${sharedSecret}"
`,
    }),
  });
  // Taken without a credential as long as there is no user, and never again.
  const created = await fetch(`${server.url}/query`, {
    method: "POST",
    body: new URLSearchParams({
      q: `CREATE USER "${username}" WITH PASSWORD '${password}' WITH ALL PRIVILEGES`,
    }),
  });
  if (!created.ok) throw new Error(`InfluxDB made no user: ${await created.text()}`);
  return server;
}
