/** verdaccio: a package registry that takes bearer and basic, and counts the requests of its user routes. */

import { npmServerFile } from "./npm-server-file.js";
import { type RunningServer, startServer } from "./start-server.js";

export interface Verdaccio extends RunningServer {
  /** What it gave the user for the password: a bearer token. */
  readonly token: string;
}

/** How many requests its user routes take in ten minutes. */
export const userRouteLimit = 3;

export async function startVerdaccio(user: { username: string; password: string }): Promise<Verdaccio> {
  const program = npmServerFile("verdaccio/bin/verdaccio");
  const server = await startServer({
    name: "verdaccio",
    command: process.execPath,
    needs: [program],
    args: ({ directory, port }) => [
      program,
      "--config",
      `${directory}/config.yaml`,
      "--listen",
      `127.0.0.1:${port}`,
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
userRateLimit: { windowMs: 600000, max: ${userRouteLimit} }
log: { type: stdout, format: json, level: http }
`,
    }),
  });
  const answer = await fetch(`${server.url}/-/user/org.couchdb.user:${user.username}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: user.username, password: user.password }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (token === undefined) throw new Error(`verdaccio made no user: ${answer.status}.`);
  return { ...server, token };
}
