/** Opens a browser by the system's own command. Without one, nothing happens. */

import { spawn } from "node:child_process";

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
