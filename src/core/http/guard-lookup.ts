/** Resolves a host name for a connection and refuses an answer that points back at this machine or its network link. */

import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { readFile } from "node:fs/promises";
import { BlockList, isIPv4, isIPv6, type LookupFunction } from "node:net";
import { ApiSourceError } from "../base/errors.js";
import type { TransportOptions } from "./transport.js";

type GuardLookupOptions = Pick<TransportOptions, "lookup" | "readHostNames"> & {
  /** Lets every answer pass. */
  readonly allowLocalAddresses: boolean;
  /** Refuses private networks too, whatever the name; `allowLocalAddresses` then has no effect. @default false */
  readonly isPublicOnly?: boolean;
};

/**
 * Creates the `lookup` of an agent. It runs inside the connection attempt and hands on the very addresses it judged,
 * so nothing can change between check and use (DNS rebinding). One local address in an answer refuses all of it.
 *
 * Meant, and let through: `localhost` and names under it, names of a single label, names in the hosts file. An address
 * literal in the URL never comes here.
 *
 * Its error is an `ApiSourceError`, `refused_by_policy`.
 */
export function guardLookup(options: GuardLookupOptions): LookupFunction {
  const resolve = options.lookup ?? systemLookup;
  return (hostname, lookupOptions, callback) => {
    const isAll = lookupOptions.all === true;
    const fail = (error: NodeJS.ErrnoException): void => callback(error, isAll ? [] : "");
    resolve(hostname, { ...lookupOptions, all: true }, (error, found, family = 0) => {
      if (error) return fail(error);
      const addresses = typeof found === "string" ? [{ address: found, family }] : found;
      assertNotLocal(hostname, addresses, options).then(() => {
        const [first] = addresses;
        if (isAll || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      }, fail);
    });
  };
}

async function assertNotLocal(
  hostname: string,
  addresses: readonly LookupAddress[],
  options: GuardLookupOptions,
): Promise<void> {
  if (options.isPublicOnly === true) return assertPublic(hostname, addresses);
  if (options.allowLocalAddresses || isLocalName(hostname)) return;
  const local = addresses.find(({ address }) => isLocalAddress(address));
  if (local === undefined) return;
  const names = await (options.readHostNames ?? readHostNames)();
  if (names.has(withoutTrailingDot(hostname))) return;
  throw new ApiSourceError({
    message: `The host name ${hostname} resolves to ${local.address}, an address of this machine, its network link or its cloud's metadata service. The request was not sent.`,
    category: "refused_by_policy",
    code: "ERR_LOCAL_ADDRESS",
    hint: "If the API really runs there, set network.allowLocalAddresses to true in the source's record; otherwise check the base URL and the DNS entry.",
  });
}

function assertPublic(hostname: string, addresses: readonly LookupAddress[]): void {
  const found = addresses.find(({ address }) => isLocalAddress(address) || isIn(privateNetworks, address));
  if (found === undefined) return;
  throw new ApiSourceError({
    message: `The API redirected to ${hostname}, which resolves to ${found.address}, an address that is not public. The request was not sent there.`,
    category: "refused_by_policy",
    code: "ERR_LOCAL_ADDRESS",
    hint: `If downloads really come from there, name ${hostname} itself, without "*.", in network.downloadHosts of the source's record.`,
  });
}

function isLocalName(hostname: string): boolean {
  const name = withoutTrailingDot(hostname);
  return name === "localhost" || name.endsWith(".localhost") || !name.includes(".");
}

function withoutTrailingDot(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, "");
}

const systemHostsFile =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * Returns the names in a hosts file, in lower case; none without such a file.
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

/**
 * Loopback, unspecified and link-local networks (RFC 6890), and the addresses at which clouds serve credentials to any
 * process that asks. Private networks (10/8, 172.16/12, 192.168/16, fc00::/7) are not among them: APIs live there.
 */
const localNetworks = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // link-local, with the metadata service of most clouds (169.254.169.254, 169.254.170.2)
  ["100.100.100.200", 32], // Alibaba Cloud metadata
  ["168.63.129.16", 32], // Azure's virtual machine host
  ["192.0.0.192", 32], // Oracle Cloud metadata
  ["::", 128],
  ["::1", 128],
  ["fe80::", 10],
  ["fd00:ec2::", 32], // AWS: metadata (fd00:ec2::254), DNS and time, all link-scoped
  ["fd20:ce::254", 128], // Google Cloud metadata
  ["fd00:42::42", 128], // Scaleway metadata
  ["fd00:a9fe:a9fe::1", 128], // Linode (Akamai) metadata
  ["fd00:c1::a9fe:a9fe", 128], // Oracle Cloud metadata
] as const) {
  localNetworks.addSubnet(network, prefix, isIPv4(network) ? "ipv4" : "ipv6");
}

/** Networks that are not on the internet (RFC 1918, RFC 6598, RFC 4193, RFC 3879). */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["fc00::", 7],
  ["fec0::", 10],
] as const) {
  privateNetworks.addSubnet(network, prefix, isIPv4(network) ? "ipv4" : "ipv6");
}

/**
 * Whether an address is local in the sense above. An IPv6 address that carries an IPv4 address is judged by it too: mapped, compatible,
 * translated, NAT64, 6to4, Teredo and ISATAP. Text that is not an address counts as local.
 */
export function isLocalAddress(address: string): boolean {
  return isIn(localNetworks, address);
}

function isIn(networks: BlockList, address: string): boolean {
  if (isIPv4(address)) return networks.check(address, "ipv4");
  const [bare = ""] = address.split("%");
  if (!isIPv6(bare)) return true;
  if (networks.check(bare, "ipv6")) return true;
  return toEmbeddedIpv4(toGroups(bare)).some((embedded) => networks.check(embedded, "ipv4"));
}

/** The eight 16-bit groups of an IPv6 address; the URL parser brings every spelling to one. */
function toGroups(address: string): readonly number[] {
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

/** Every IPv4 address the groups carry, by the prefixes that say so. */
function toEmbeddedIpv4(groups: readonly number[]): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const last = toDotted(g, h);
  if (a === 0x2002) return [toDotted(b, c)]; // 6to4, RFC 3056
  if (a === 0x2001 && b === 0) return [toDotted(c, d), toDotted(g ^ 0xffff, h ^ 0xffff)]; // Teredo, RFC 4380
  if (a === 0x64 && b === 0xff9b) {
    // NAT64: in the last 32 bits (RFC 6052), or after a 48-bit prefix, around the octet that is always zero (RFC 8215).
    const isAfterPrefix = c === 1 && g === 0 && h === 0;
    return [isAfterPrefix ? toDotted(d, ((e & 0xff) << 8) | (f >> 8)) : last];
  }
  const isIsatap = (e & 0xfdff) === 0 && f === 0x5efe; // RFC 5214
  const leadingZeros = a === 0 && b === 0 && c === 0 && d === 0;
  // ::ffff:0:0/96 mapped and ::/96 compatible (RFC 4291), ::ffff:0:0:0/96 translated (RFC 2765).
  const isEmbedding = leadingZeros && ((e === 0 && (f === 0xffff || f === 0)) || (e === 0xffff && f === 0));
  return isIsatap || isEmbedding ? [last] : [];
}

function toDotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}
