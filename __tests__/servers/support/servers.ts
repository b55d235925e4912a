/** Six servers of others, each with its configuration: httpbin, InfluxDB, json-server, express-pouchdb, PowerDNS, verdaccio. */

import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { findFreePort, type RunningServer, serversDirectory, startServer } from "./start-server.js";

interface User {
  readonly username: string;
  readonly password: string;
}

/** A server that gave a bearer token to its first user. */
export interface TokenServer extends RunningServer {
  readonly token: string;
}

const fromNpm = (path: string): string => join(serversDirectory, "node_modules", path);

async function askForToken(url: string, method: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} made no user: ${answer.status}.`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Answers any status, slowly, encoded or redirected, and says what it was sent. */
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

/** InfluxDB 1.6: a time series database that takes basic, `?u=&p=`, and JWTs signed with `sharedSecret` (HS256, `username` and `exp`). */
export async function startInfluxDb(user: User & { readonly sharedSecret: string }): Promise<RunningServer> {
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
  shared-secret = "${user.sharedSecret}"
`,
    }),
  });
  // Taken without a credential as long as there is no user, and never again.
  const q = `CREATE USER "${user.username}" WITH PASSWORD '${user.password}' WITH ALL PRIVILEGES`;
  const created = await fetch(`${server.url}/query`, { method: "POST", body: new URLSearchParams({ q }) });
  if (!created.ok) throw new Error(`InfluxDB made no user: ${await created.text()}`);
  return server;
}

/**
 * json-server with json-server-auth: a REST API over one JSON file, behind a bearer JWT that it gives out itself. `/orders` takes a token to read
 * and to write; `/notes` belongs to one user; `/news` is read-only for all.
 */
export async function startJsonServer(user: { email: string; password: string }): Promise<TokenServer> {
  const program = fromNpm("json-server-auth/dist/bin.js");
  const orders = Array.from({ length: 95 }, (_, index) => ({
    id: index + 1,
    status: index % 3 === 0 ? "paid" : "open",
    total: index + 0.5,
  }));
  const notes = [{ id: 1, userId: 99, text: "Somebody else's" }];
  const news = [{ id: 1, title: "Open on Sunday" }];
  const server = await startServer({
    name: "json-server",
    command: process.execPath,
    needs: [program],
    args: ({ port }) => [
      ...[program, "db.json", "--host", "127.0.0.1", "--port", String(port)],
      ...["-r", "routes.json"],
    ],
    files: () => ({
      "db.json": JSON.stringify({ users: [], orders, notes, news }),
      "routes.json": JSON.stringify({ users: 600, orders: 660, notes: 600, news: 444 }),
    }),
  });
  const { accessToken } = await askForToken(`${server.url}/register`, "POST", user);
  return { ...server, token: String(accessToken) };
}

/** The CouchDB API over databases in memory, behind basic. */
export function startPouchDb({ username, password }: User): Promise<RunningServer> {
  const program = resolve("__tests__/servers/support/pouchdb-process.cjs");
  return startServer({
    name: "pouchdb",
    command: process.execPath,
    needs: [fromNpm("express-pouchdb/package.json")],
    args: ({ directory, port }) => [program, serversDirectory, String(port), `${directory}/config.json`],
    files: () => ({
      "config.json": JSON.stringify({ admins: { [username]: password }, log: { level: "none" } }),
    }),
  });
}

const zonesSchema = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

/** A name server with an HTTP API behind an `X-API-Key` header, under `/api/v1/servers/localhost`. */
export function startPowerDns(apiKey: string): Promise<RunningServer> {
  return startServer({
    name: "powerdns",
    command: "/usr/sbin/pdns_server",
    needs: [zonesSchema, "/usr/bin/sqlite3"],
    args: ({ directory }) => [`--config-dir=${directory}`],
    files: async ({ directory, port }) => {
      const database = `${directory}/zones.sqlite3`;
      execFileSync("/usr/bin/sqlite3", [database, `.read ${zonesSchema}`]);
      return {
        "pdns.conf": `
launch=gsqlite3
gsqlite3-database=${database}
daemon=no
guardian=no
socket-dir=${directory}
local-address=127.0.0.1
local-port=${await findFreePort()}
api=yes
api-key=${apiKey}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${port}
webserver-allow-from=127.0.0.1
security-poll-suffix=
`,
      };
    },
  });
}

/** A package registry that takes bearer and basic, and lets its user routes be asked three times in ten minutes. */
export async function startVerdaccio(user: User): Promise<TokenServer> {
  const program = fromNpm("verdaccio/bin/verdaccio");
  const server = await startServer({
    name: "verdaccio",
    command: process.execPath,
    needs: [program],
    args: ({ directory, port }) => [
      ...[program, "--config", `${directory}/config.yaml`],
      ...["--listen", `127.0.0.1:${port}`],
    ],
    readyPath: "/-/ping",
    readyWithinMs: 40_000,
    // No uplink: nothing leaves this machine.
    files: ({ directory }) => ({
      "config.yaml": `
storage: ${directory}/storage
web: { enable: false }
auth:
  htpasswd: { file: ${directory}/htpasswd, max_users: 10 }
uplinks: {}
packages:
  "@private/*": { access: $authenticated, publish: $authenticated, unpublish: $authenticated }
  "**": { access: $all, publish: $authenticated, unpublish: $authenticated }
userRateLimit: { windowMs: 600000, max: 3 }
log: { type: stdout, format: json, level: http }
`,
    }),
  });
  const { username: name, password } = user;
  const path = `${server.url}/-/user/org.couchdb.user:${name}`;
  const { token } = await askForToken(path, "PUT", { name, password });
  return { ...server, token: String(token) };
}
