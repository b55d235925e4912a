import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "@jest/globals";
import { openCallbackListener } from "../../src/cli/browser.js";

/** The status of a request whose target is sent as it is. */
function send(port: number, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text.split(" ")[1] ?? ""));
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  });
}

describe("openCallbackListener", () => {
  it("takes a callback at either address of localhost", async () => {
    const { signal } = new AbortController();
    const listener = await openCallbackListener("http://localhost/callback", signal);
    try {
      const waiting = listener.wait("s", async (url) => url);
      const { port } = new URL(listener.redirectUri);
      const callback = "/callback?state=s&code=c";
      const hasIpv6 = Object.values(networkInterfaces())
        .flat()
        .some((each) => each?.address === "::1");
      const host = hasIpv6 ? "[::1]" : "127.0.0.1";
      expect((await fetch(`http://${host}:${port}${callback}`)).status).toBe(200);
      expect(await waiting).toBe(`http://localhost:${port}${callback}`);
    } finally {
      listener.close();
    }
  });

  it("names the port that another program has", async () => {
    const { signal } = new AbortController();
    const first = await openCallbackListener("http://127.0.0.1/callback", signal);
    const { port } = new URL(first.redirectUri);
    try {
      await expect(openCallbackListener(first.redirectUri, signal)).rejects.toThrow(
        `The port ${port} of \`redirectUri\` is in use by another program`,
      );
    } finally {
      first.close();
    }
  });

  it("answers 404 to a target that is no URL, and goes on waiting", async () => {
    const { signal } = new AbortController();
    const listener = await openCallbackListener("http://127.0.0.1/callback", signal);
    try {
      const waiting = listener.wait("s", async (url) => url);
      const port = Number(new URL(listener.redirectUri).port);
      const targets = ["//[", "http://[", "///a:b:c", "//%00/", "http://a:99999/"];
      const statuses = await Promise.all(targets.map((target) => send(port, target)));
      expect(statuses.every((status) => /^40[04]$/.test(status))).toBe(true);
      expect(statuses[0]).toBe("404");
      expect(await send(port, "/callback?state=s&code=c")).toBe("200");
      expect(await waiting).toBe(`${listener.redirectUri}?state=s&code=c`);
    } finally {
      listener.close();
    }
  });
});
