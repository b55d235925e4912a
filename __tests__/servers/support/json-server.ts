/** json-server with json-server-auth: a REST API over one JSON file, behind a bearer JWT that it gives out itself. */

import { npmServerFile } from "./npm-server-file.js";
import { type RunningServer, startServer } from "./start-server.js";

export interface JsonServer extends RunningServer {
  readonly token: string;
  readonly userId: number;
}

/** `/orders` takes a token to read and to write; `/notes` belongs to one user; `/news` is read-only for all. */
export async function startJsonServer(user: { email: string; password: string }): Promise<JsonServer> {
  const program = npmServerFile("json-server-auth/dist/bin.js");
  const server = await startServer({
    name: "json-server",
    command: process.execPath,
    needs: [program],
    args: ({ port }) => [
      program,
      "db.json",
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
      "-r",
      "routes.json",
    ],
    files: () => ({
      "db.json": JSON.stringify({
        users: [],
        orders: makeOrders(95),
        notes: [{ id: 1, userId: 99, text: "Somebody else's" }],
        news: [{ id: 1, title: "Open on Sunday" }],
      }),
      "routes.json": JSON.stringify({ users: 600, orders: 660, notes: 600, news: 444 }),
    }),
  });
  const answer = await fetch(`${server.url}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(user),
  });
  const { accessToken, user: made } = (await answer.json()) as {
    accessToken?: string;
    user?: { id: number };
  };
  if (accessToken === undefined || made === undefined) {
    throw new Error(`json-server made no user: ${answer.status}.`);
  }
  return { ...server, token: accessToken, userId: made.id };
}

function makeOrders(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    status: index % 3 === 0 ? "paid" : "open",
    total: index + 0.5,
  }));
}
