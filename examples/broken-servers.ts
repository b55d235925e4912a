/** Eight small servers on this machine, each with what its API would have, and each broken in its own way for its record. */

import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ApiSourceRecord } from "langchain-api-sources";

export interface BrokenSource {
  /** What is wrong, in the words of someone who knows. */
  readonly broken: string;
  readonly record: ApiSourceRecord;
}

export interface BrokenServers {
  readonly sources: readonly BrokenSource[];
  /** The credentials by tool name; `books` has none. */
  readonly credentials: Readonly<Record<string, { readonly token: string }>>;
  close(): Promise<void>;
}

const token = "demo-key-0123456789";

const isSignedIn = (authorization: string | undefined): boolean =>
  authorization === `Bearer ${token}`;

const listeners: Readonly<Record<string, RequestListener>> = {
  /** Wants a key in a header of its own. */
  weather: (request, response) =>
    request.headers["x-api-key"] === token
      ? json(response, 200, { name: "someone" })
      : json(response, 401, { message: "X-Api-Key header is required" }),
  /** Does nothing without its version header. */
  notes: (request, response) =>
    request.headers["notes-version"] === undefined
      ? json(response, 400, { code: "missing_version", message: "Notes-Version header is missing" })
      : json(response, 200, { name: "someone" }),
  /** Lives under /v1, where the base URL points already. */
  shop: (request, response) =>
    request.url === "/v1/user" && isSignedIn(request.headers.authorization)
      ? json(response, 200, { name: "someone" })
      : json(response, request.url === "/v1/user" ? 401 : 404, { message: "Not Found" }),
  /** Answers whoever asks. */
  status: (_request, response) => json(response, 200, { status: "up" }),
  /** Has a website where the record looks for an API. */
  wiki: (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>Sign in to Wiki</title><form><input type=password></form>");
  },
  /** Takes the key as it stands in the environment, quotes and all. */
  mail: (request, response) =>
    isSignedIn(request.headers.authorization)
      ? json(response, 200, { name: "someone" })
      : json(response, 401, { message: "Bad credentials" }),
};

/** Starts them on free ports. */
export async function startBrokenServers(): Promise<BrokenServers> {
  const servers = new Map<string, Server>();
  const urls: Record<string, string> = {};
  for (const [name, listener] of Object.entries(listeners)) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.set(name, server);
    urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const close = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const server = servers.get(name);
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
      servers.delete(name);
    }
  };
  return {
    sources: listSources(urls),
    credentials: {
      weather: { token },
      notes: { token },
      shop: { token },
      status: { token },
      wiki: { token },
      mail: { token: `"${token}"` },
      maps: { token },
    },
    close: () => close([...servers.keys()]),
  };
}

function listSources(urls: Readonly<Record<string, string>>): BrokenSource[] {
  const source = (
    name: string,
    api: object,
    baseUrl = urls[name.toLowerCase()] ?? "",
  ): ApiSourceRecord => ({
    name,
    api: { baseUrl, testEndpoint: "/user", authType: "bearer", ...api },
  });
  return [
    { broken: "the key belongs into a header of its own", record: source("Weather", {}) },
    { broken: "a version header is missing", record: source("Notes", {}) },
    {
      broken: "/v1 stands in both fields",
      record: source("Shop", { testEndpoint: "/v1/user" }, `${urls["shop"]}/v1`),
    },
    {
      broken: "the endpoint answers anyone",
      record: source("Status", { testEndpoint: "/status" }),
    },
    { broken: "the base URL is the website's", record: source("Wiki", {}) },
    { broken: "the key was pasted with its quotes", record: source("Mail", {}) },
    { broken: "the host does not exist", record: source("Maps", {}, "https://api.maps.invalid") },
    {
      broken: "nobody set a credential",
      record: source("Books", { credentialEnv: "BOOKS_DEMO_KEY" }, urls["mail"]),
    },
  ];
}

function json(response: Parameters<RequestListener>[1], status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
