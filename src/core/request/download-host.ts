/** Decides whether a redirect may lead to a host that the record names for downloads. */

/** Where a download is. */
export interface DownloadTarget {
  readonly url: string;
  /** Whether the record names the host without a wildcard: its address may then be a private one. */
  readonly isNamed: boolean;
}

/**
 * @param hosts - `network.downloadHosts` of the record.
 * @param target - The absolute URL that the redirect leads to.
 * @returns undefined for a host that is not named, and for a URL with user information; `not_encrypted` for `http`, unless the base URL
 * has that scheme too.
 */
export function findDownload(
  hosts: readonly string[],
  target: string,
  baseUrl: string,
): DownloadTarget | "not_encrypted" | undefined {
  if (!URL.canParse(target)) return undefined;
  const url = new URL(target);
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  const fitting = hosts.filter((host) => isHost(host.toLowerCase(), url));
  if (fitting.length === 0) return undefined;
  if (url.protocol === "http:" && new URL(baseUrl).protocol !== "http:") return "not_encrypted";
  return { url: url.href, isNamed: fitting.some((host) => !host.startsWith("*.")) };
}

function isHost(pattern: string, { hostname, port, protocol }: URL): boolean {
  const [name = "", ownPort] = pattern.split(":");
  const usedPort = port || (protocol === "https:" ? "443" : "80");
  if (ownPort !== undefined && ownPort !== usedPort) return false;
  return name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name;
}
