/** The server of the page: answers this machine's browser, by one name, and gives nothing to anyone else. */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isPlainObject, readPlainJson } from "../../core/base/input.js";

/** The requests of the page. A value is sent as JSON; undefined is 404. */
export interface PageAnswers {
  get(path: string, query: URLSearchParams): Promise<unknown>;
  post(path: string, body: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Writes events to a stream until it ends. @returns what ends it. */
  follow(write: (event: unknown) => void): () => void;
}

const files: Readonly<Record<string, string>> = {
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "page.html": "text/html; charset=utf-8",
};

const headers = {
  "Cache-Control": "no-store",
  // No script but the served one, no text that becomes markup, nothing from elsewhere, and no other page around it.
  "Content-Security-Policy": [
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** The most that the page sends at once, in bytes. */
const maxBodyBytes = 1_000_000;

/** @throws the system's error, such as for a port that is taken. */
export async function openPageServer(port: number, answers: PageAnswers) {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = createAccess(host);
  // It listens since this turn of the event loop: a request comes later.
  server.on("request", (request, response) => {
    answerRequest(request, response, { access, answers }).catch(() => refuse(response, 500));
  });
  return {
    /** Carries the token: who opens it first sees the page. */
    url: `http://${host}/?token=${access.token}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { access, answers }: { readonly access: Access; readonly answers: PageAnswers },
): Promise<void> {
  if (!access.isHere(request)) return refuse(response, 403);
  // Not read as a URL: `//[` is not one, and every path but a few names gets nothing.
  const [target = "", search] = (request.url ?? "").split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const isGet = request.method === "GET";
  if (isGet && target === "/") return access.enter(response, query.get("token") ?? "");
  if (!target.startsWith(access.path) || !access.hasCookie(request)) return refuse(response, 403);
  const path = target.slice(access.path.length);
  if (!isGet) {
    if (request.method !== "POST" || !access.isOwnPost(request)) return refuse(response, 403);
    const body = await readBody(request);
    return sendJson(response, body && (await answers.post(path, body)));
  }
  if (path === "events") return follow(response, answers);
  const file = path === "" ? "page.html" : path;
  if (Object.hasOwn(files, file)) return sendFile(response, file);
  return sendJson(response, await answers.get(path, query));
}

const openedBefore =
  "This address was opened before, and works once. If that was not you, end the inspector. Start it again for another address.";

/** The build puts the files beside the code. */
async function sendFile(response: ServerResponse, name: string): Promise<void> {
  const text = await readFile(new URL(`./page/${name}`, import.meta.url), "utf8");
  response.writeHead(200, { ...headers, "Content-Type": files[name] }).end(text);
}

function sendJson(response: ServerResponse, value: unknown): void {
  if (value === undefined) refuse(response, 404);
  else
    response
      .writeHead(200, { ...headers, "Content-Type": "application/json; charset=utf-8" })
      .end(JSON.stringify(value));
}

/** A status, and nothing more. */
function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, headers).end();
}

/** An object of JSON; undefined for anything else, and for what is too large. */
async function readBody(
  request: IncomingMessage,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  const value = readPlainJson(Buffer.concat(chunks).toString("utf8"));
  return isPlainObject(value) ? value : undefined;
}

/** Server-sent events (HTML Living Standard, section 9.2). */
function follow(response: ServerResponse, answers: PageAnswers): void {
  response.writeHead(200, { ...headers, "Content-Type": "text/event-stream; charset=utf-8" });
  // JSON has no line breaks of its own.
  const end = answers.follow((event) => response.write(`data: ${JSON.stringify(event)}\n\n`));
  response.once("close", end);
}

interface Access {
  /** The token in the address of the page. */
  readonly token: string;
  /** The beginning of every path. */
  readonly path: string;
  /** Whether the request names this server and comes from no other origin. A `Host` of another name is a DNS rebinding. */
  isHere(request: IncomingMessage): boolean;
  /**
   * Exchanges the token for the cookie: it stays neither in the address bar nor in the history. Other programs of this machine can see the
   * address in the list of processes while a browser is started: it counts once.
   */
  enter(response: ServerResponse, given: string): void;
  hasCookie(request: IncomingMessage): boolean;
  /** Whether a POST comes from the page itself: a browser names the origin of every POST. */
  isOwnPost(request: IncomingMessage): boolean;
}

/**
 * Decides who may talk to the page: the browser that opened its address, from this origin and by this name.
 *
 * @param host - Name and port of the server, as in `Host`.
 */
function createAccess(host: string): Access {
  const [token, key] = [createSecret(), createSecret()];
  // Browsers send the cookies of a host to all of its ports, but no request to another server has this path.
  const path = `/${createSecret()}/`;
  const name = "api_sources_inspector";
  const origin = `http://${host}`;
  let isTaken = false;
  return {
    token,
    path,
    isHere({ headers, headersDistinct }) {
      const { origin: from = origin, "sec-fetch-site": site = "none" } = headers;
      const isOne = headersDistinct["host"]?.length === 1;
      return (
        isOne &&
        headers.host === host &&
        from === origin &&
        ["same-origin", "none"].includes(String(site))
      );
    },
    enter(response, given) {
      const plain = { "Content-Type": "text/plain; charset=utf-8" };
      const setCookie = `${name}=${key}; Path=${path}; HttpOnly; SameSite=Strict`;
      if (!isSame(given, token)) refuse(response, 403);
      else if (isTaken) response.writeHead(403, { ...headers, ...plain }).end(openedBefore);
      else {
        isTaken = true;
        response.writeHead(303, { ...headers, Location: path, "Set-Cookie": setCookie }).end();
      }
    },
    hasCookie: ({ headers: { cookie = "" } }) =>
      cookie
        .split(/; */)
        .some((pair) => pair.startsWith(`${name}=`) && isSame(pair.slice(name.length + 1), key)),
    isOwnPost: ({ headers }) =>
      headers.origin === origin && headers["content-type"]?.split(";", 1)[0] === "application/json",
  };
}

/** 256 random bits. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Compares in constant time, whatever the lengths. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
