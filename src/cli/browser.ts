/** The browser of a person: it is opened, and this machine waits for it to come back from an authorization (RFC 8252, section 7.3). */

import { spawn } from "node:child_process";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandError } from "./terminal.js";

/** Opens a browser by the system's own command. Without one, nothing happens. */
export function openBrowser(url: string): void {
  const openers: Readonly<Record<string, [string, ...string[]]>> = {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  };
  const [command, ...before] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...before, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

/** @param registered - A loopback address; without a port it listens at one of its own choice. */
export async function openCallbackListener(registered: string, signal: AbortSignal) {
  const { hostname, port, pathname } = new URL(registered);
  const isNamed = hostname === "localhost";
  const host = isNamed ? "127.0.0.1" : hostname.replace(/^\[|\]$/g, "");
  const server = await listen(host, Number(port));
  const { port: own } = server.address() as AddressInfo;
  // A browser may take either address of `localhost`; a machine without IPv6 has one.
  const other = isNamed ? await listen("::1", own).catch(passWithoutIpv6) : undefined;
  other?.on("request", (request, response) => server.emit("request", request, response));
  const redirectUri = `http://${hostname}:${own}${pathname}`;
  return {
    /** Where the browser is sent back to. */
    redirectUri,
    close(): void {
      for (const each of [server, other]) {
        each?.closeAllConnections();
        each?.close();
      }
    },
    /**
     * The first callback that carries this state; every other request is refused, and the listener goes on waiting.
     *
     * @param take - What is done with it; whether it succeeded is what the person sees.
     */
    wait: <Result>(
      state: string,
      take: (callbackUrl: string) => Promise<Result>,
    ): Promise<Result> =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        let isTaken = false;
        server.on("request", (request, response) => {
          const target = request.url ?? "/";
          // Anyone on this machine can send any target, also one that is no URL, such as `//[`.
          if (!URL.canParse(target, redirectUri)) return answer(response, 404, "Not found.");
          const url = new URL(target, redirectUri);
          const isMeant = request.method === "GET" && url.pathname === pathname;
          if (isTaken || !isMeant || url.searchParams.get("state") !== state)
            return answer(response, 400, "This is not the expected callback.");
          // One answer is taken, whatever comes of it.
          isTaken = true;
          take(url.href).then(
            (result) =>
              answer(response, 200, "Authorized. You can close this page.", () => resolve(result)),
            (error: unknown) =>
              answer(response, 400, "Not authorized; the terminal shows the reason.", () =>
                reject(error),
              ),
          );
        });
      }),
  };
}

async function listen(host: string, port: number): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch((error: unknown) => {
    const { code } = Object(error);
    const isTaken = code === "EADDRINUSE" || code === "EACCES";
    throw isTaken ? createPortError(host, port, code) : error;
  });
  return server;
}

function createPortError(host: string, port: number, code: string): CommandError {
  const why = code === "EACCES" ? "may not be opened by this user" : "is in use by another program";
  const message = `The port ${port} of \`redirectUri\` ${why} (${host}). End what listens there, or register another port.`;
  return new CommandError(1, message);
}

/** @throws unknown for every error but that this machine has no such address. */
function passWithoutIpv6(error: unknown): undefined {
  if (!/^(?:EADDRNOTAVAIL|EAFNOSUPPORT)$/.test(Object(error).code)) throw error;
}

/** A page of plain text that nothing of the address leaves by. */
function answer(
  response: ServerResponse,
  status: number,
  text: string,
  done: () => void = () => {},
): void {
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  });
  response.end(`${text}\n`, done);
}
