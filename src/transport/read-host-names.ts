/** Which names the machine's hosts file maps to an address. */

import { readFile } from "node:fs/promises";

const systemHostsFile =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * Returns the names in a hosts file, in lower case; none when there is no such file.
 *
 * @param path of the file. @default the system's hosts file
 */
export async function readHostNames(path: string = systemHostsFile): Promise<ReadonlySet<string>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const names = text.split("\n").flatMap((line) => {
    const [entry = ""] = line.split("#");
    const [, ...hosts] = entry.trim().split(/\s+/);
    return hosts.map((host) => host.toLowerCase());
  });
  return new Set(names);
}
